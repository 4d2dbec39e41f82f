//! Reads the name, classes and ids of an element as words: `nav`, `footer` and `facet` say that it
//! accompanies the answers, `results` and `products` that it holds them.

use quarry_dom::{Document, NodeId, Tag};

use crate::boilerplate::is_boilerplate;

/// Words for parts that accompany a list of answers, beside those of `boilerplate.rs`; sorted.
const BESIDE_LISTS: &[&str] = &[
    "advert",
    "aside",
    "bottom",
    "carousel",
    "categories",
    "category",
    "feature",
    "head",
    "lang",
    "language",
    "links",
    "option",
    "paging",
    "popular",
    "promo",
    "rail",
    "recent",
    "refine",
    "refinement",
    "side",
    "sponsor",
    "sponsored",
    "subnav",
    "suggest",
    "suggestion",
    "tab",
    "tabs",
    "toolbar",
    "top",
    "trending",
    "widget",
];

/// Words for answers and for the place where they stand; sorted.
const ANSWERS: &[&str] = &[
    "answer", "article", "card", "content", "entries", "entry", "grid", "hit", "hits", "item",
    "items", "listing", "listings", "main", "post", "posts", "product", "products", "record",
    "records", "result", "results", "search", "stream", "thread", "tile",
];

/// How an element and those around it are called.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Called {
    pub(crate) boilerplate: u8,
    pub(crate) answers: u8,
}

/// What the names on the way from `node` up to the body say, each word list counted by levels.
pub(crate) fn called(document: &Document, node: NodeId) -> Called {
    let mut called = Called::default();
    let chain = std::iter::once(node).chain(document.ancestors(node));
    for element in chain.take_while(|&element| !document.is(element, Tag::BODY)) {
        let own = own(document, element);
        called.boilerplate = called.boilerplate.saturating_add(own.boilerplate);
        called.answers = called.answers.saturating_add(own.answers);
    }
    called
}

/// What the element's own names say: 1 for each list that has one of its words.
pub(crate) fn own(document: &Document, element: NodeId) -> Called {
    let mut called = Called::default();
    match document.tag(element) {
        Some(Tag::NAV | Tag::HEADER | Tag::FOOTER | Tag::ASIDE | Tag::SELECT) => {
            called.boilerplate = 1;
        }
        Some(Tag::MAIN) => called.answers = 1,
        _ => {}
    }
    let names =
        [document.id(element), document.attr(element, "class"), document.attr(element, "role")];
    for name in names.into_iter().flatten() {
        for_each_word(name, |word| {
            if is_boilerplate(word) || BESIDE_LISTS.binary_search(&word).is_ok() {
                called.boilerplate = 1;
            } else if ANSWERS.binary_search(&word).is_ok() {
                called.answers = 1;
            }
        });
    }
    called
}

/// Splits at everything that is no letter and at changes to upper case; words come in lower case.
fn for_each_word(name: &str, mut take: impl FnMut(&str)) {
    let mut word = String::new();
    let mut before_lower = false;
    for char in name.chars() {
        let new_word = !char.is_ascii_alphabetic() || (char.is_ascii_uppercase() && before_lower);
        if new_word && !word.is_empty() {
            take(&word);
            word.clear();
        }
        if char.is_ascii_alphabetic() {
            word.push(char.to_ascii_lowercase());
        }
        before_lower = char.is_ascii_lowercase();
    }
    if !word.is_empty() {
        take(&word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(BESIDE_LISTS.is_sorted());
        assert!(ANSWERS.is_sorted());
    }

    #[test]
    fn names_are_read_as_words() {
        let check = |html: &str, boilerplate: u8, answers: u8| {
            let page = Document::from_html(html);
            let node = page.all().last().unwrap();
            let expected = Called { boilerplate, answers };
            assert_eq!(called(&page, node), expected, "{html}");
        };
        check("<nav><p></p></nav>", 1, 0);
        check("<div class='searchResults'><p></p></div>", 0, 1);
        check("<div id='left_side-bar'><p class=item-3></p></div>", 1, 1);
        check("<div class='header2'><div class='topnavlinks'></div></div>", 1, 0);
        check("<main><p></p></main>", 0, 1);
    }
}
