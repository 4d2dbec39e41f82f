//! Parses the total that a list claims: "Showing 21 to 40 of 1,234 shoes", "1–24 of 345", "345
//! products", in the languages that write such lines with numbers in this order.

use std::collections::BTreeSet;

use quarry_dom::{Attr, Document, Kind, NodeId, Tag};

use super::PagingLink;
use super::count::number;

/// What the page says about its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ClaimedTotal {
    pub(super) total: Option<u64>,
    pub(super) shown: Option<(u64, u64)>,
    /// The element that says so.
    pub(super) node: Option<NodeId>,
}

/// A longer text says something else.
const LONGEST: usize = 120;

/// Between the first and the last number of a range.
const TO: &[&str] =
    &["-", "–", "—", "to", "bis", "a", "à", "al", "t/m", "до", "do", "–", "till", "til", "~", "・"];
/// Between the range and the total.
const OF: &[&str] = &[
    "of",
    "von",
    "de",
    "sur",
    "di",
    "van",
    "av",
    "af",
    "из",
    "z",
    "ze",
    "od",
    "din",
    "/",
    "から",
    "out",
    "from",
    "total",
    "insgesamt",
    "共",
];
/// Behind a total.
const NOUNS: &[&str] = &[
    "results",
    "result",
    "items",
    "item",
    "products",
    "product",
    "articles",
    "article",
    "rows",
    "row",
    "records",
    "record",
    "entries",
    "entry",
    "matches",
    "match",
    "hits",
    "found",
    "ergebnisse",
    "treffer",
    "artikel",
    "produkte",
    "résultats",
    "résultat",
    "produits",
    "articles",
    "annonces",
    "resultados",
    "resultado",
    "productos",
    "artículos",
    "produtos",
    "artigos",
    "itens",
    "risultati",
    "prodotti",
    "articoli",
    "resultaten",
    "producten",
    "träffar",
    "produkter",
    "resultater",
    "varer",
    "tulosta",
    "tuotetta",
    "товаров",
    "товара",
    "результатов",
    "wyników",
    "produktów",
    "výsledků",
    "produktů",
    "termék",
    "találat",
    "produse",
    "rezultate",
    "ürün",
    "sonuç",
    "件",
    "个",
    "개",
    "books",
    "films",
    "movies",
    "recipes",
    "homes",
    "properties",
    "listings",
    "jobs",
    "offers",
    "hotels",
    "restaurants",
    "packages",
    "songs",
    "albums",
    "photos",
    "people",
    "members",
    "companies",
    "titles",
    "documents",
    "issues",
    "questions",
    "posts",
    "topics",
    "threads",
    "cars",
    "vehicles",
    "shoes",
    "phones",
    "games",
    "events",
    "styles",
];

/// Reads what the page says: the first range with a total, else the first total with a noun.
pub(super) fn read(document: &Document) -> ClaimedTotal {
    let mut best = ClaimedTotal::default();
    let mut last = NodeId::ROOT;
    for node in document.all() {
        if document.kind(node) != Kind::Text
            || document.is_hidden(node)
            || !document.text(node).bytes().any(|b| b.is_ascii_digit())
        {
            continue;
        }
        let Some(mut block) = document.parent(node) else { continue };
        // "<b>1</b>–<b>24</b> of <b>345</b>": the line is around the element.
        if document.subtree_size(block) <= 8
            && document.folded_len(block) < 8
            && let Some(around) = document.parent(block)
        {
            block = around;
        }
        if block == last && document.subtree_size(block) <= 40 {
            continue;
        }
        last = block;
        // Large blocks are not read whole: any number of texts can stand in one.
        let small = document.subtree_size(block) <= 40;
        let found = if small && document.folded_len(block) <= LONGEST {
            read_line(&document.folded_text(block))
        } else if document.text(node).len() <= LONGEST {
            read_line(document.text(node))
        } else {
            continue;
        };
        if found.shown.is_some() && found.total.is_some() {
            return ClaimedTotal { node: Some(block), ..found };
        }
        if found.total.is_some() && best.total.is_none() {
            best = ClaimedTotal { node: Some(block), ..found };
        }
    }
    best
}

/// Reads how many there are from a line that says which of them the page shows, in any language and order: two of its numbers
/// are the first and the last of as many as the page has, a third is not below them.
///
/// `is_in_record` tells the elements of records, which say something of themselves.
pub(super) fn read_by_count(
    document: &Document,
    shown: usize,
    is_in_record: impl Fn(NodeId) -> bool,
) -> Option<u64> {
    if shown < MIN_COUNTED {
        return None;
    }
    let mut last = NodeId::ROOT;
    for node in document.all() {
        let has_digit = || document.text(node).bytes().any(|b| b.is_ascii_digit());
        if document.kind(node) != Kind::Text || document.is_hidden(node) || !has_digit() {
            continue;
        }
        let Some(mut block) = document.parent(node) else { continue };
        if document.folded_len(block) < 8
            && let Some(around) = document.parent(block)
        {
            block = around;
        }
        let is_new = std::mem::replace(&mut last, block) != block && !is_in_record(block);
        if is_new && document.subtree_size(block) <= 40 && document.folded_len(block) <= LONGEST {
            let total = total_of(&document.folded_text(block), shown as u64);
            if total.is_some() {
                return total;
            }
        }
    }
    None
}

/// Reads how many there are from a number beside the numbers of pages that fits them, in any language: 39 pages of 52 hold 1,977 to
/// 2,028.
pub(super) fn read_by_pages(
    document: &Document,
    paging: &[PagingLink],
    shown: usize,
) -> Option<u64> {
    let numbered = paging.iter().filter(|link| link.number.is_some());
    let written: BTreeSet<&str> = numbered.map(|link| link.written.as_str()).collect();
    let pages = u64::from(paging.iter().filter_map(|link| link.number).max()?);
    if shown < MIN_COUNTED || pages < 2 {
        return None;
    }
    let is_numbered = |&node: &NodeId| {
        document.known_attr(node, Attr::HREF).is_some_and(|href| written.contains(href))
    };
    let links = document.elements(Tag::A).filter(is_numbered);
    let pager = links.reduce(|one, other| document.common_ancestor(one, other))?;
    // Numbers of pages with a line beside them; where more stands between them, some are no numbers of pages.
    let most = written.len() * NUMBER + LONGEST;
    let is_pager = |&around: &NodeId| document.folded_len(around) <= most;
    let pager = Some(pager).filter(is_pager)?;
    let around = document.parent(pager).filter(is_pager);
    let fits = (pages - 1) * shown as u64 + 1..=pages * shown as u64;
    let is_beside = |&node: &NodeId| {
        let is_link = |up: NodeId| document.is(up, Tag::A);
        document.is_text(node)
            && !document.is_hidden(node)
            && document.text(node).len() <= LONGEST
            && !document.ancestors(node).take(3).any(is_link)
    };
    let beside = document.subtree(around.unwrap_or(pager)).filter(is_beside);
    let only = |node: NodeId| {
        let text = document.text(node);
        let mut numbers = text.split_whitespace().filter_map(number);
        numbers.next().filter(|_| numbers.next().is_none())
    };
    let found: BTreeSet<u64> = beside.filter_map(only).filter(|n| fits.contains(n)).collect();
    found.first().copied().filter(|_| found.len() == 1)
}

/// Characters of the number of a page, with what parts it from the next.
const NUMBER: usize = 6;

/// Entities from which on a range of numbers that has as many is no chance.
const MIN_COUNTED: usize = 5;

fn total_of(text: &str, shown: u64) -> Option<u64> {
    // Two dots stand between numbers, one may stand in a number.
    let parts = text.split("..").flat_map(|part| {
        part.split(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '.' | '\'')))
    });
    let numbers: Vec<u64> =
        parts.filter_map(|word| number(word.trim_matches([',', '.', '\'']))).collect();
    let at = numbers
        .windows(2)
        .position(|pair| pair[0] > 0 && pair[1] >= pair[0] && pair[1] - pair[0] + 1 == shown)?;
    let (first, last) = (numbers[at], numbers[at + 1]);
    let others = numbers.iter().enumerate().filter(|(n, _)| *n != at && *n != at + 1);
    let mut others = others.map(|(_, number)| *number).filter(|number| *number >= last);
    let total = others.next()?;
    // Pages before this one were full, or this one is the last: other ranges are dates and sizes.
    let begins_a_page = (first - 1).is_multiple_of(shown) || last == total;
    (begins_a_page && others.next().is_none()).then_some(total)
}

/// What one line says.
pub(super) fn read_line(text: &str) -> ClaimedTotal {
    let mut tokens: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let mut rest = word.trim_matches(['(', ')', '[', ']', ':', ';', '!', '?', '"', '“', '”']);
        // "1-24" is three tokens.
        while let Some(at) = rest.find(['-', '–', '—', '/']) {
            let mark = rest[at..].chars().next().map_or(1, char::len_utf8);
            if at > 0 {
                tokens.push(rest[..at].to_lowercase());
            }
            tokens.push(rest[at..at + mark].to_owned());
            rest = &rest[at + mark..];
        }
        let rest = rest.trim_end_matches([',', '.']);
        if !rest.is_empty() {
            tokens.push(rest.to_lowercase());
        }
    }
    // "2 345" is one number.
    let digits = |token: &str| !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
    for at in (1..tokens.len()).rev() {
        let (one, other) = (&tokens[at - 1], &tokens[at]);
        if digits(one) && one.len() <= 3 && digits(other) && other.len() == 3 {
            tokens[at - 1] = tokens[at - 1].clone() + &tokens[at];
            tokens.remove(at);
        }
    }
    let value = |at: usize| tokens.get(at).and_then(|token| number(token));
    let is =
        |at: usize, words: &[&str]| tokens.get(at).is_some_and(|t| words.contains(&t.as_str()));
    for at in 0..tokens.len() {
        let (Some(first), true, Some(last)) = (value(at), is(at + 1, TO), value(at + 2)) else {
            continue;
        };
        if last < first {
            continue;
        }
        // "1–24 of 345", "1–24 of about 345", "1–24 (345 results)"
        for total_at in at + 3..(at + 7).min(tokens.len()) {
            let after_of = (at + 3..total_at).any(|between| is(between, OF));
            if let Some(total) = value(total_at)
                && total >= last
                && (after_of || is(total_at + 1, NOUNS))
            {
                return ClaimedTotal { total: Some(total), shown: Some((first, last)), node: None };
            }
        }
    }
    for at in 0..tokens.len() {
        // "345 products", "345 great products"; not "page 2 of 7 items" or "4.5 of 5"
        if let Some(total) = value(at)
            && (is(at + 1, NOUNS) || (is(at + 2, NOUNS) && !is(at + 1, TO) && !is(at + 1, OF)))
            && !(at > 0 && (is(at - 1, TO) || value(at - 1).is_some()))
            && (tokens.len() <= 8 || at == 0)
        {
            return ClaimedTotal { total: Some(total), ..ClaimedTotal::default() };
        }
    }
    ClaimedTotal::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_as_many_as_the_page_shows_has_the_total_beside_it() {
        assert_eq!(total_of("1200 results - showing 1 to 20.", 20), Some(1200));
        assert_eq!(total_of("Borl 21 fam 40, gost 1,234", 20), Some(1234));
        assert_eq!(total_of("Borl 1201 fam 1207 of 1207", 7), Some(1207));
        assert_eq!(total_of("1..50 out of 900", 50), Some(900));
        assert_eq!(total_of("51...60, borl 60", 10), Some(60));
        assert_eq!(total_of("Page 1 of 20", 20), None);
        assert_eq!(total_of("made on 2008-06-29", 24), None, "no page begins with the sixth");
        assert_eq!(total_of("1 to 20, 30 or 40 of them", 20), None);
    }

    #[test]
    fn lines_that_sites_write() {
        let check = |text: &str, shown: Option<(u64, u64)>, total: Option<u64>| {
            assert_eq!(read_line(text), ClaimedTotal { total, shown, node: None }, "{text}");
        };
        check("Showing 21 to 40 of 1,234 shoes", Some((21, 40)), Some(1234));
        check("1–24 of 345 results", Some((1, 24)), Some(345));
        check("Artikel 1 bis 12 von 85", Some((1, 12)), Some(85));
        check("Résultats 1 - 10 sur 2 345", Some((1, 10)), Some(2345));
        check("345 products", None, Some(345));
        check("2,400 rows sorted by package", None, Some(2400));
        check("Page 2 of 7", None, None);
        check("about 30 minutes", None, None);
    }
}
