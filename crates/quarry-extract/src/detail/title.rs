//! What does a page call its subject? The varying text that the document's title repeats, without what is constant over pages.

use std::collections::BTreeSet;

use quarry_dom::{Attr, Document, NodeId, Tag};
use serde::{Deserialize, Serialize};

use super::DetailPages;
use super::features::folded;
use crate::attribute::columns::Column;
use crate::attribute::leaf::Leaf;
use crate::attribute::model::{AttributeModel, AttributeRule, MODEL_VERSION, Reader};
use crate::parallel;

/// The least worth of a text that is taken for the title: on most pages, different on each, a good part of the document's title.
const MIN_WORTH: f64 = 0.25;
/// The main heading stays the title unless another text is better by this factor.
const REPLACES_HEADING_FACTOR: f64 = 1.25;
/// A part of titles that this share of pages has is constant: the name of the site.
const MIN_CONSTANT_PAGE_SHARE: f64 = 0.9;
/// The share of different ones among the titles of documents, or main headings, below which they say nothing of single pages.
const MIN_TITLE_VARIETY: f64 = 0.5;
/// The least worth of a further heading that is taken for the title where neither of those says anything: on nearly all pages,
/// different on nearly each.
const MIN_HEADING_WORTH: f64 = 0.9;
/// Characters of a name without a heading, at most, and the share of texts of a column that must be no longer and mostly letters:
/// sentences, prices, dates and numbers are no names.
const MAX_NAME_CHARS: usize = 80;
const MIN_NAME_SHARE: f64 = 0.9;
/// Elements around a text that are looked at to see whether it is a heading.
const HEADING_DEPTH: usize = 3;
/// Top headings of a page that are looked at; more are headings of sections.
const MAX_HEADINGS: usize = 50;
/// Texts of more characters are no titles.
const MAX_TITLE_CHARS: usize = 200;
/// Cells of a column that are looked at.
const SAMPLED_CELLS: usize = 60;

/// Where pages say what they are about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TitleRule {
    /// The place of the text; the main heading, or else the document's title, where there is none.
    pub place: Option<AttributeModel>,
    /// Words before and behind the title that all pages have: in the place, and in the document's title.
    pub around: ConstantWords,
    /// The same in the document's title.
    pub around_document_title: ConstantWords,
}

/// Words that all texts of a column begin and end with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConstantWords {
    pub(super) before: Vec<String>,
    behind: Vec<String>,
}

impl ConstantWords {
    /// What nearly all of these texts begin and end with, as long as something is left of most.
    pub(super) fn of(texts: &[&str]) -> Self {
        let split: Vec<Vec<&str>> = texts.iter().map(|text| text.split(' ').collect()).collect();
        let common = |from_end: bool| {
            let word = |words: &[&str], at: usize| -> Option<String> {
                let at = if from_end { words.len().checked_sub(at + 1)? } else { at };
                words.get(at).map(|word| (*word).to_owned())
            };
            let mut found: Vec<String> = Vec::new();
            let Some(first) = split.get(split.len() / 2) else { return found };
            while let Some(next) = word(first, found.len()) {
                let at = found.len();
                let same = split.iter().filter(|w| word(w, at).as_ref() == Some(&next)).count();
                if (same as f64) < MIN_CONSTANT_PAGE_SHARE * split.len() as f64
                    || at + 1 >= first.len()
                {
                    break;
                }
                found.push(next);
            }
            if from_end {
                found.reverse();
            }
            found
        };
        if texts.len() < 3 {
            return Self::default();
        }
        Self { before: common(false), behind: common(true) }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.behind.is_empty()
    }

    /// A text without them.
    #[must_use]
    pub fn strip<'t>(&self, text: &'t str) -> &'t str {
        let mut rest = text;
        for word in &self.before {
            match rest.strip_prefix(word.as_str()).and_then(|rest| rest.strip_prefix(' ')) {
                Some(shorter) => rest = shorter,
                None => break,
            }
        }
        for word in self.behind.iter().rev() {
            match rest.strip_suffix(word.as_str()).and_then(|rest| rest.strip_suffix(' ')) {
                Some(shorter) => rest = shorter,
                None => break,
            }
        }
        // A sign that stood between the title and the words.
        let is_sign =
            |char: char| matches!(char, '|' | '-' | '–' | '—' | '»' | '«' | ':' | '·' | '•' | '/');
        let bare = rest.trim_matches(|char: char| is_sign(char) || char.is_whitespace());
        let is_cut = rest.len() < text.len();
        if is_cut && !bare.is_empty() { bare } else { rest }
    }
}

/// Learns where pages say what they are about.
pub(super) fn learn(pages: &DetailPages<'_>) -> TitleRule {
    let titles: Vec<String> = pages
        .documents
        .iter()
        .map(|document| document.title().unwrap_or_default().into_owned())
        .collect();
    let texts: Vec<&str> = titles.iter().map(String::as_str).filter(|t| !t.is_empty()).collect();
    let around_document_title = ConstantWords::of(&texts);
    let stripped: Vec<&str> =
        titles.iter().map(|title| around_document_title.strip(title)).collect();
    let own: Vec<String> = stripped.iter().map(|title| folded(title)).collect();
    let is_main_heading = |column: &Column| {
        let is = |&&(page, leaf): &&(u32, u32)| {
            let document = pages.documents[page as usize];
            let heading = main_heading_of(document, stripped[page as usize]);
            let node = pages.leaves[page as usize][leaf as usize].node;
            heading.is_some_and(|heading| document.contains(heading, node))
        };
        2 * column.cells.iter().take(SAMPLED_CELLS).filter(is).count()
            > column.cells.len().min(SAMPLED_CELLS)
    };
    let mut in_heading: Option<(f64, usize)> = None;
    let mut best: Option<(f64, usize)> = None;
    for (at, column) in pages.columns.iter().enumerate() {
        let worth = worth(pages, column, &own);
        if worth < MIN_WORTH {
            continue;
        }
        let own = if is_main_heading(column) { &mut in_heading } else { &mut best };
        if own.is_none_or(|(most, _)| worth > most) {
            *own = Some((worth, at));
        }
    }
    let headings: Vec<String> = pages
        .documents
        .iter()
        .zip(&stripped)
        .filter_map(|(document, title)| {
            Some(heading_text(document, main_heading_of(document, title)?))
        })
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    // A main heading whose words are spread over several texts is compared as a whole.
    let whole = worth_of(&headings, pages.documents.len(), |at| own.get(at).map_or("", |t| t));
    // Of a heading with more than the name, the part that the document's title repeats: "Ray Allen" of "Ray Allen G #20".
    let part = in_heading.filter(|(worth, _)| *worth > REPLACES_HEADING_FACTOR * whole);
    let heading = part.map_or(whole, |(worth, _)| worth);
    if best.is_none() && !varies(&own) && !varies(&headings) {
        best = varying_heading(pages).or_else(|| varying_name(pages)).map(|at| (1.0, at));
    }
    match best.filter(|(worth, _)| *worth > REPLACES_HEADING_FACTOR * heading).or(part) {
        Some((_, at)) => {
            let column = &pages.columns[at];
            let texts: Vec<&str> = column.cells.iter().map(|&cell| pages.text(cell)).collect();
            let around = ConstantWords::of(&texts);
            let rule = AttributeRule {
                attribute: "title".to_owned(),
                confidence: 1.0,
                several: None,
                label: None,
                positions: super::select::locators(pages, at, 1.0),
                excluded: Vec::new(),
            };
            let attributes = vec![rule];
            let place = AttributeModel { version: MODEL_VERSION, site: String::new(), attributes };
            TitleRule { place: Some(place), around, around_document_title }
        }
        None => {
            TitleRule { place: None, around: ConstantWords::of(&headings), around_document_title }
        }
    }
}

/// The share of a column's texts that must be the title, at the least, for the column to repeat it.
const MIN_REPEATED_SHARE: f64 = 0.8;

/// Whether a column says nothing but the titles of the pages, in words that all pages share: `Quick facts of Ash Vale`.
pub(super) fn is_repeated_in(pages: &DetailPages<'_>, column: &Column, titles: &[String]) -> bool {
    let texts: Vec<&str> = column.cells.iter().map(|&cell| pages.text(cell)).collect();
    let around = ConstantWords::of(&texts);
    let is_title = |&(&(page, _), &text): &(&(u32, u32), &&str)| {
        let title = &titles[page as usize];
        !title.is_empty() && folded(around.strip(text)) == *title
    };
    !around.is_empty()
        && column.cells.iter().zip(&texts).filter(is_title).count() as f64
            >= MIN_REPEATED_SHARE * texts.len() as f64
}

/// The titles of the pages by a rule, where a text of the page is the title and nothing else.
pub(super) fn read_all(pages: &DetailPages<'_>, rule: &TitleRule) -> Vec<String> {
    let reader = TitleReader::new(rule);
    let read = |page: usize| {
        let title = reader.read(pages.documents[page]).map(|(text, _)| folded(&text))?;
        let is_title = |leaf: &Leaf| folded(&leaf.text) == title;
        pages.leaves[page].iter().any(is_title).then_some(title)
    };
    parallel::map_range(pages.documents.len(), |page| read(page).unwrap_or_default())
}

/// Whether texts differ from page to page.
fn varies<T: Ord>(texts: &[T]) -> bool {
    let different: BTreeSet<&T> = texts.iter().collect();
    different.len() as f64 >= MIN_TITLE_VARIETY * texts.len().max(1) as f64 && !texts.is_empty()
}

/// The heading of any level that differs most from page to page; the first of equal ones.
fn varying_heading(pages: &DetailPages<'_>) -> Option<usize> {
    let is_in_heading = |&&(page, leaf): &&(u32, u32)| {
        let document = pages.documents[page as usize];
        let node = pages.leaves[page as usize][leaf as usize].node;
        let mut around = document.ancestors(node).take(HEADING_DEPTH);
        around.any(|node| document.tag(node).and_then(Tag::heading_level).is_some())
    };
    let mut found: Option<(f64, u32, usize)> = None;
    for (at, column) in pages.columns.iter().enumerate() {
        let (all, cells) = (pages.documents.len() as f64, column.cells.len() as f64);
        let worth = cells / all * (f64::from(column.different) / cells).sqrt();
        let Some(first) = column.cells.first().map(|&(_, leaf)| leaf) else { continue };
        let is_better = found.is_none_or(|(most, leaf, _)| (worth, leaf) > (most, first));
        if worth < MIN_HEADING_WORTH || !is_better {
            continue;
        }
        let sampled = column.cells.len().min(SAMPLED_CELLS);
        let is_short = |&&cell: &&(u32, u32)| pages.text(cell).chars().count() <= MAX_TITLE_CHARS;
        let sample = column.cells.iter().take(SAMPLED_CELLS);
        if 2 * sample.filter(is_in_heading).filter(is_short).count() > sampled {
            found = Some((worth, first, at));
        }
    }
    found.map(|(_, _, at)| at)
}

/// The first text of words that nearly all pages have, different on nearly each.
fn varying_name(pages: &DetailPages<'_>) -> Option<usize> {
    let is_named = |column: &Column| {
        let (all, cells) = (pages.documents.len() as f64, column.cells.len() as f64);
        let sampled = column.cells.len().min(SAMPLED_CELLS) as f64;
        let mut names = 0.0;
        let mut different = BTreeSet::new();
        for &cell in column.cells.iter().take(SAMPLED_CELLS) {
            let chars = pages.text(cell).chars().filter(|char| !char.is_whitespace());
            let letters: String = chars.clone().filter(|char| char.is_alphabetic()).collect();
            let all = chars.count();
            let is_name = all <= MAX_NAME_CHARS && 2 * letters.chars().count() > all;
            names += f64::from(u8::from(is_name));
            different.insert(letters);
        }
        cells / all * (f64::from(column.different) / cells).sqrt() >= MIN_HEADING_WORTH
            && names >= MIN_NAME_SHARE * sampled
            && different.len() as f64 >= MIN_TITLE_VARIETY * sampled
    };
    let first = |column: &Column| column.cells.first().map(|&(_, leaf)| leaf);
    let columns = pages.columns.iter().enumerate().filter(|(_, column)| is_named(column));
    columns.min_by_key(|&(at, column)| (first(column), at)).map(|(at, _)| at)
}

/// How well a column says what each page is about: on how many pages, how different, and how much of the document's own title it is.
fn worth(pages: &DetailPages<'_>, column: &Column, titles: &[String]) -> f64 {
    let (all, cells) = (pages.documents.len() as f64, column.cells.len() as f64);
    let bound = cells / all * (f64::from(column.different) / cells).sqrt();
    if bound < MIN_WORTH {
        return 0.0;
    }
    let step = column.cells.len().div_ceil(SAMPLED_CELLS);
    let sample = column.cells.iter().step_by(step);
    let shares = sample.clone().map(|&cell| {
        share(pages.text(cell), titles.get(cell.0 as usize).map_or("", |title| title))
    });
    bound * shares.sum::<f64>() / sample.count().max(1) as f64
}

fn worth_of<'t>(texts: &[&str], pages: usize, title: impl Fn(usize) -> &'t str) -> f64 {
    let different: BTreeSet<&&str> = texts.iter().collect();
    if texts.len() != pages || texts.is_empty() {
        return 0.0;
    }
    let variety = (different.len() as f64 / texts.len() as f64).sqrt();
    let shares = texts.iter().enumerate().map(|(at, text)| share(text, title(at)));
    variety * shares.sum::<f64>() / texts.len() as f64
}

/// How much of a document's own title a text is, if the title repeats it, or how much of the text the title is.
fn share(text: &str, title: &str) -> f64 {
    if text.chars().count() > MAX_TITLE_CHARS {
        return 0.0;
    }
    let text = folded(text);
    let (own, all) = (text.chars().count() as f64, title.chars().count() as f64);
    match (own, all) {
        (..2.0, _) | (_, ..1.0) => 0.0,
        _ if title.contains(&text) => own / all,
        _ if text.contains(title) => all / own,
        _ => 0.0,
    }
}

/// The main heading of a page of which no other is known.
pub(crate) fn main_heading(document: &Document) -> Option<NodeId> {
    main_heading_of(document, &document.title().unwrap_or_default())
}

/// The shown top heading that the document's title repeats most of; the first of equal ones. A page may have several, and the first
/// may belong to its boilerplate: a search, a basket, an account. `title` is without the words that all pages have, such as the name
/// of the site: `Sign in to The Shop` says nothing of the page.
fn main_heading_of(document: &Document, title: &str) -> Option<NodeId> {
    let shown = document.elements(Tag::H1).filter(|&node| !document.is_hidden(node));
    let with_text = shown.filter(|&node| !document.folded_text(node).trim().is_empty());
    let mut headings = with_text.take(MAX_HEADINGS).peekable();
    let first = headings.next()?;
    if headings.peek().is_none() {
        return Some(first);
    }
    let wanted: BTreeSet<String> = words(title).collect();
    let chars = |words: &mut dyn Iterator<Item = &String>| {
        words.map(|word| word.chars().count()).sum::<usize>() as f64
    };
    // What the title repeats of the heading, weighed by how much of the heading that is.
    let repeated = |node: NodeId| {
        let own: BTreeSet<String> = words(&document.folded_text(node)).collect();
        let shared = chars(&mut own.intersection(&wanted));
        shared * shared / chars(&mut own.iter()).max(1.0)
    };
    let mut best = (repeated(first), first);
    for node in headings {
        let repeated = repeated(node);
        if repeated > best.0 {
            best = (repeated, node);
        }
    }
    Some(best.1)
}

/// The text of a heading without the sign that links to the heading itself (`¶`, `#`).
fn heading_text(document: &Document, heading: NodeId) -> String {
    let text = document.folded_text(heading);
    let mut text = text.trim();
    for link in document.subtree(heading).filter(|&node| document.is(node, Tag::A)) {
        let to = document.known_attr(link, Attr::HREF).unwrap_or_default();
        let sign = document.folded_text(link);
        let sign = sign.trim();
        if to.starts_with('#') && !sign.is_empty() && !sign.contains(char::is_alphanumeric) {
            text = text.strip_suffix(sign).or(text.strip_prefix(sign)).unwrap_or(text).trim();
        }
    }
    text.to_owned()
}

/// The words of a text, in small letters.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

/// Reads titles by a rule.
pub(crate) struct TitleReader<'m> {
    rule: &'m TitleRule,
    place: Option<Reader<'m>>,
}

impl<'m> TitleReader<'m> {
    pub(crate) fn new(rule: &'m TitleRule) -> Self {
        Self { rule, place: rule.place.as_ref().map(Reader::new) }
    }

    /// What a page calls its subject, and the node that says it.
    pub(crate) fn read(&self, document: &Document) -> Option<(String, NodeId)> {
        let place = self.place.as_ref().and_then(|place| place.read(document).into_iter().next());
        if let Some(found) = place {
            return Some((self.rule.around.strip(&found.value).to_owned(), found.node));
        }
        let title = document.title().unwrap_or_default();
        let own_title = self.rule.around_document_title.strip(&title);
        let heading = main_heading_of(document, own_title).map(|node| {
            let text = heading_text(document, node);
            let is_place = self.rule.place.is_some();
            let text = if is_place { text.trim() } else { self.rule.around.strip(text.trim()) };
            (text.to_owned(), node)
        });
        heading.or_else(|| {
            let node = document.elements(Tag::TITLE).next()?;
            let title = document.title()?;
            let text = self.rule.around_document_title.strip(&title);
            (!text.is_empty()).then(|| (text.to_owned(), node))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detail::learn_details;

    fn title(pages: &[String]) -> Vec<String> {
        let documents: Vec<Document> = pages.iter().map(|html| Document::from_html(html)).collect();
        let all: Vec<&Document> = documents.iter().collect();
        let rule = learn_details(&all).map(|template| template.title).unwrap_or_default();
        let reader = TitleReader::new(&rule);
        all.iter().filter_map(|document| Some(reader.read(document)?.0)).collect()
    }

    #[test]
    fn the_sign_that_links_to_a_heading_is_not_of_the_title() {
        let page = |name: &str| {
            format!(
                "<title>{name} — Manual</title><h1>{name}<a href='#x'>¶</a></h1><p>Text {name} more"
            )
        };
        let names = ["Ash (Vale)", "Birch #2", "Cedar Moor", "Doon Bay", "Elm Rise", "Fern Down"];
        let pages: Vec<String> = names.iter().map(|name| page(name)).collect();
        assert_eq!(title(&pages), names);
    }

    #[test]
    fn a_further_heading_is_the_title_where_documents_all_have_the_same() {
        let page = |name: &str| {
            format!(
                "<title>The Web of all</title><h2>Orvan</h2><div class=b><h2>{name} Campus Tour</h2></div><p>Text {name} more"
            )
        };
        let names = ["Ash Vale", "Birch Hill", "Cedar Moor", "Doon Bay", "Elm Rise", "Fern Down"];
        let pages: Vec<String> = names.iter().map(|name| page(name)).collect();
        assert_eq!(title(&pages), names);
    }

    #[test]
    fn the_title_in_words_that_all_pages_share_is_no_column() {
        let page = |name: &str, number: usize| {
            format!(
                "<title>{name} | The Web</title><h1>{name}</h1><div class=b><h2>{name} Quick Facts</h2></div>\
                 <p>Fee: {number}0</p><div class=c>All about {name}</div>"
            )
        };
        let names = ["Ash Vale", "Birch Hill", "Cedar Moor", "Doon Bay", "Elm Rise", "Fern Down"];
        let pages: Vec<Document> = (1..)
            .zip(names)
            .map(|(number, name)| Document::from_html(&page(name, number)))
            .collect();
        let all: Vec<&Document> = pages.iter().collect();
        let slots = learn_details(&all).expect("a template").slots;
        let reader = Reader::new(&slots);
        let values: Vec<String> = reader.read(&pages[0]).into_iter().map(|f| f.value).collect();
        assert!(values.iter().any(|value| value.contains("10")), "{values:?}");
        assert!(!values.iter().any(|value| value.contains("Facts")), "{values:?}");
        assert!(!values.iter().any(|value| value.contains("about")), "{values:?}");
    }

    #[test]
    fn a_heading_that_all_pages_share_is_no_title() {
        let page = |name: &str| {
            format!(
                "<title>{name} | The Shop</title><h1>The Shop</h1><div class=b><h2>{name}</h2></div><p>Text {name} more"
            )
        };
        let names = ["Red Lamp", "Blue Chair", "Green Table", "Old Sofa", "New Bed"];
        assert_eq!(title(&names.map(page)), names);
    }

    #[test]
    fn constant_words_around_a_title_are_cut_off() {
        let page = |name: &str| {
            format!(
                "<title>{name} - Specs</title><h1>Specifications of {name} here</h1><p>x {name}"
            )
        };
        let names = ["Red Lamp", "Blue Chair", "Green Table", "Old Sofa", "New Bed"];
        assert_eq!(title(&names.map(page)), names);
    }

    #[test]
    fn of_several_top_headings_the_one_that_the_title_repeats_counts() {
        let page = |name: &str| {
            Document::from_html(&format!(
                "<title>{name} (red) | The Shop</title><h1>My account</h1><h1>Your basket is empty</h1><h1>{name} - red</h1>"
            ))
        };
        let check = |html: &Document, says: &str| {
            let heading = main_heading(html).map(|node| html.folded_text(node).into_owned());
            assert_eq!(heading.as_deref(), Some(says));
        };
        // A page alone is enough.
        check(&page("Old Lamp"), "Old Lamp - red");
        // Headings that the title says nothing of: the first.
        check(&Document::from_html("<title>Shop</title><h1>Lamp</h1><h1>Chair</h1>"), "Lamp");
    }

    #[test]
    fn a_heading_that_repeats_the_name_of_the_site_is_no_title() {
        let page = |name: &str| {
            format!(
                "<title>{name} - Old Town | Plimspoon</title><h1>{name}</h1><h1>Sign in to Plimspoon</h1><p>x {name}"
            )
        };
        let names = ["Coles", "Duran Central", "Oleana", "High Cotton", "Baraonda"];
        assert_eq!(title(&names.map(page)), names);
    }

    #[test]
    fn titles_of_different_words_stay_whole() {
        let page = |name: &str| format!("<title>{name}</title><h1>{name}</h1>");
        let names = ["The Red Lamp", "The Chair", "The Green Table", "The Sofa", "A Bed"];
        assert_eq!(title(&names.map(page)), names);
    }

    #[test]
    fn of_a_heading_the_part_counts_that_the_title_repeats() {
        let page = |name: &str| {
            format!(
                "<title>{name} - Players</title><h1><b>{name}</b><i>G</i><i>#{}</i></h1><p>Text of {name} here",
                name.len()
            )
        };
        let names =
            ["Ash Vale", "Birch Hillside", "Cedar Moor", "Doon Bay", "Elm Risen", "Fern Downs"];
        assert_eq!(title(&names.map(page)), names);
    }

    #[test]
    fn without_headings_the_first_name_that_varies_counts() {
        let page = |(number, name): (usize, &str)| {
            format!(
                "<title>Players</title><i>Number {number}</i><p>{number}{number}</p><p><b>{name}</b></p><p>Team of {name}</p>"
            )
        };
        let names = ["Ash Vale", "Birch Hill", "Cedar Moor", "Doon Bay", "Elm Rise", "Fern Down"];
        let pages: Vec<String> = names.into_iter().enumerate().map(page).collect();
        assert_eq!(title(&pages), names);
    }
}
