//! Finds where the words that a page was searched for occur: the answers repeat the words in the page's own
//! filled search field, menus and side boxes mostly do not.

use quarry_dom::{Attr, Document, NodeId, PageIndex, Tag};

/// More words of a query are not looked at.
const MAX_WORDS: usize = 12;
/// From here on, letters belong to scripts that do not part words by spaces; two of them are a word.
const UNPARTED_SCRIPTS: char = '\u{2e80}';

/// For each leaf of the page, which of the query's words occur in it; `None` where the page has no filled search field.
pub(crate) struct QueryEcho {
    words: u32,
    /// A bit for each word.
    by_leaf: Vec<u16>,
}

impl QueryEcho {
    /// Reads the first filled text field of the page that holds a word.
    pub(crate) fn of(page: &PageIndex<'_>) -> Option<Self> {
        let document = page.document;
        let fields = document.elements(Tag::INPUT).filter(|&field| takes_text(document, field));
        let values = fields.filter_map(|field| query(document, field));
        let words = values.map(words).find(|words| !words.is_empty())?;
        let mut text = String::new();
        let by_leaf = page.leaves.iter().map(|leaf| {
            if leaf.image {
                return 0;
            }
            text.clear();
            text.extend(document.text(leaf.node).chars().flat_map(char::to_lowercase));
            let found = words.iter().enumerate().filter(|(_, word)| begins_in(&text, word));
            found.fold(0, |bits, (at, _)| bits | 1 << at)
        });
        let by_leaf: Vec<u16> = by_leaf.collect();
        Some(Self { words: words.len() as u32, by_leaf })
    }

    /// The share of the query's words that occur in a record.
    pub(crate) fn share(&self, page: &PageIndex<'_>, record: &[NodeId]) -> f64 {
        let leaves = record.iter().flat_map(|&node| page.leaf_range(node));
        let found = leaves.fold(0, |bits, leaf| bits | self.by_leaf[leaf]);
        f64::from(found.count_ones()) / f64::from(self.words.max(1))
    }
}

/// The value of a field, unless another attribute repeats it: then it is a hint that goes away when somebody types.
fn query(document: &Document, field: NodeId) -> Option<&str> {
    let value = document.known_attr(field, Attr::VALUE)?.trim();
    let repeats = |(name, text): (&str, &str)| name != "value" && text.contains(value);
    (!document.attrs(field).any(repeats)).then_some(value)
}

/// Whether a word of the text begins with `word`. In scripts without spaces, words begin anywhere.
fn begins_in(text: &str, word: &str) -> bool {
    let parted = word.starts_with(|first: char| first < UNPARTED_SCRIPTS);
    text.match_indices(word)
        .any(|(at, _)| !parted || !text[..at].ends_with(|before: char| before.is_alphanumeric()))
}

fn takes_text(document: &Document, field: NodeId) -> bool {
    document
        .known_attr(field, Attr::TYPE)
        .is_none_or(|kind| kind.eq_ignore_ascii_case("text") || kind.eq_ignore_ascii_case("search"))
}

/// The words of a query in lower case, each once: runs of letters and digits with a letter.
fn words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for run in query.to_lowercase().split(|char: char| !char.is_alphanumeric()) {
        let letters: Vec<char> = run.chars().collect();
        if letters.iter().any(|&letter| letter >= UNPARTED_SCRIPTS) {
            words.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if letters.len() > 1 && letters.iter().any(|letter| letter.is_alphabetic()) {
            words.push(run.to_owned());
        }
    }
    words.sort_unstable();
    words.dedup();
    words.truncate(MAX_WORDS);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_read_as_words() {
        assert_eq!(words("Sims games, 2!"), ["games", "sims"]);
        assert_eq!(words("12/30/2011"), [""; 0]);
        assert_eq!(words("稻田米"), ["田米", "稻田"]);
    }

    #[test]
    fn records_echo_the_search_field() {
        let page = Document::from_html(
            "<input type=checkbox value=yes><input value=Hats placeholder=Hats><input value='red shoes'><p>Blue <b>Shoes</b></p><p>Red shoes</p><p>Hats for the bored</p>",
        );
        let index = PageIndex::new(&page);
        let echo = QueryEcho::of(&index).unwrap();
        let share = |p: NodeId| echo.share(&index, &[p]);
        assert_eq!(page.elements(Tag::P).map(share).collect::<Vec<f64>>(), [0.5, 1.0, 0.0]);
    }
}
