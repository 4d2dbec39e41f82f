//! Words that authors use for the parts around the subject of a page, in names, classes and ids.

/// Words for parts that accompany lists and products alike; sorted.
const BOILERPLATE: &[&str] = &[
    "ad",
    "ads",
    "banner",
    "breadcrumb",
    "cookie",
    "facet",
    "filter",
    "foot",
    "footer",
    "header",
    "login",
    "menu",
    "modal",
    "nav",
    "navbar",
    "navigation",
    "pager",
    "pagination",
    "recommend",
    "related",
    "share",
    "sidebar",
    "social",
];

/// Whether a word (in lower case) names a part that accompanies the subject of any page.
pub(crate) fn is_boilerplate(word: &str) -> bool {
    BOILERPLATE.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::BOILERPLATE;

    #[test]
    fn the_list_is_sorted() {
        assert!(BOILERPLATE.is_sorted());
    }
}
