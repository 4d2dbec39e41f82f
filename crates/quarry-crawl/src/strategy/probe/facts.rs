//! What probing reads from a page: its search form, its signature and its words.

use quarry_dom::{Attr, Document, Kind, NodeId, Tag};
use quarry_extract::cluster::PageSignature;
use quarry_extract::forms::{FormKind, Submission, classify_form};
use quarry_extract::links::read_links;
use quarry_model::{Request, SkipReason};
use url::Url;

use super::super::ParsedPage;
use super::super::path_key::path_key;
use super::super::query::LinkRules;
use crate::Address;

/// Words of a page that are kept as possible queries, at the most.
const MAX_WORDS: usize = 2_000;
/// Lengths of words that are worth asking for, in letters and digits.
const LETTERS: std::ops::RangeInclusive<usize> = 3..=20;

/// What probing reads from a page.
#[derive(Debug)]
pub(crate) struct ProbeFacts {
    pub(super) form: Option<SearchForm>,
    /// The language that the page says it is in: two letters.
    pub(super) language: Option<String>,
    /// Words of the visible text in lower case, each once, sorted.
    pub(super) words: Vec<Word>,
    pub(super) signature: PageSignature,
    /// The next page of the results.
    pub(super) next: Option<Request>,
}

/// A word, and the path key of its element.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) path_key: u64,
}

/// A search form, free of its page.
#[derive(Debug, Clone)]
pub(super) struct SearchForm {
    pub(super) submission: Submission,
    pub(super) score: f64,
    /// The rule that forbids to send it.
    pub(super) forbidden: Option<SkipReason>,
}

impl ProbeFacts {
    pub(in crate::strategy) fn of(page: &ParsedPage<'_>) -> Self {
        Self {
            form: search_form(page),
            language: language(page.document),
            words: placed_words(page.document),
            signature: PageSignature::of(page.document, page.size),
            next: next_page(page),
        }
    }
}

fn next_page(page: &ParsedPage<'_>) -> Option<Request> {
    let address = Url::parse(page.address.as_str()).ok()?;
    let rules = LinkRules { judge: page.judge, address: &address };
    rules.next(&read_links(page.document, &address))
}

/// The best search form of a page that takes a word; one that may be sent before one that may not.
fn search_form(page: &ParsedPage<'_>) -> Option<SearchForm> {
    let address = Url::parse(page.address.as_str()).ok()?;
    let forms = page.document.forms(&address);
    let found = forms.iter().filter_map(|form| {
        let class = classify_form(page.document, form);
        if class.kind != FormKind::Search || !class.safe {
            return None;
        }
        let submission = Submission::of(form)?;
        submission.query_name()?;
        let request = submission.request("", &[]);
        let judged = Address::normalise(&request.url).map_err(|_| SkipReason::BadUrl);
        let forbidden = judged.and_then(|address| (page.judge)(&address)).err();
        Some(SearchForm { submission, score: class.score, forbidden })
    });
    // The first of the best.
    found.reduce(|best, next| if next.is_better_than(&best) { next } else { best })
}

impl SearchForm {
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        let rank = |form: &Self| (form.forbidden.is_none(), form.score);
        rank(self).partial_cmp(&rank(other)) == Some(std::cmp::Ordering::Greater)
    }
}

/// The language that a page says it is in: two letters.
pub(in crate::strategy) fn language(document: &Document) -> Option<String> {
    let html = document.elements(Tag::HTML).next()?;
    let lang = document.known_attr(html, Attr::LANG)?.trim();
    let code = lang.get(..2)?.to_ascii_lowercase();
    let whole = lang[2..].chars().next().is_none_or(|c| !c.is_ascii_alphabetic());
    (whole && code.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(code)
}

/// The words of a page, each once.
pub(in crate::strategy) fn words(document: &Document) -> Vec<String> {
    placed_words(document).into_iter().map(|word| word.text).collect()
}

fn placed_words(document: &Document) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    for node in document.all() {
        if document.kind(node) != Kind::Text || document.is_hidden(node) || is_title(document, node)
        {
            continue;
        }
        let text = document.text(node);
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| is_word(word));
        let mut key = None;
        for part in parts {
            let path_key = *key.get_or_insert_with(|| {
                document.parent(node).map_or(0, |above| path_key(document, above))
            });
            found.push(Word { text: part.to_lowercase(), path_key });
        }
        if found.len() > 8 * MAX_WORDS {
            break;
        }
    }
    // Of several path keys the least: the same on every page that has them all.
    found.sort_unstable();
    found.dedup_by(|next, kept| next.text == kept.text);
    if found.len() > MAX_WORDS {
        // A uniform sample that depends on the words alone.
        found.sort_by_key(|word| xxhash_rust::xxh3::xxh3_64(word.text.as_bytes()));
        found.truncate(MAX_WORDS);
        found.sort_unstable();
    }
    found
}

fn is_title(document: &Document, node: NodeId) -> bool {
    document.parent(node).is_some_and(|parent| document.tag(parent) == Some(Tag::TITLE))
}

/// Words, and numbers such as those of models, streets and phones: both are searched for.
fn is_word(text: &str) -> bool {
    text.len() >= *LETTERS.start() && LETTERS.contains(&text.chars().count())
}
