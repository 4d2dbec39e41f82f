//! Which pages need scripts where nobody can run these: pages of one template that show the same few texts at every address.
//! A short page with texts of its own was filled by the server.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::PageSketch;

/// Texts that differ between pages which scripts have yet to fill: a clock.
const MAX_DIFFERENT: usize = 1;

/// Pages with scripts that could not be run.
#[derive(Debug, Clone, Default)]
pub(super) struct UnfilledPages {
    /// Those that look empty, by template.
    templates: BTreeMap<usize, EmptyTemplate>,
    /// Whether a page shows something without scripts.
    any_filled: bool,
    is_said: bool,
}

#[derive(Debug, Clone)]
struct EmptyTemplate {
    /// Texts of its first page.
    texts: BTreeSet<u64>,
    pages: u64,
    has_own_texts: bool,
}

impl UnfilledPages {
    /// Adds a page with scripts that were not run.
    pub(super) fn add(&mut self, template: usize, page: &PageSketch) {
        if !page.looks_empty {
            self.any_filled = true;
            return;
        }
        let known = self.templates.entry(template).or_insert_with(|| EmptyTemplate {
            texts: page.texts.clone(),
            pages: 0,
            has_own_texts: false,
        });
        known.pages += 1;
        known.has_own_texts |=
            known.texts.symmetric_difference(&page.texts).count() > MAX_DIFFERENT;
    }

    /// Adds a page that has no scripts, or none that are worth running.
    pub(super) fn add_as_sent(&mut self, page: &PageSketch) {
        self.any_filled |= !page.looks_empty;
    }

    /// How many pages need scripts. The only page of its template counts where no other page shows anything.
    pub(super) fn count(&self) -> u64 {
        let any_filled = self.any_filled || self.templates.values().any(|look| look.has_own_texts);
        let empty = self.templates.values().filter(|look| !look.has_own_texts);
        empty.filter(|look| look.pages > 1 || !any_filled).map(|look| look.pages).sum()
    }

    /// Whether that is to be said now: once, and in the middle of a crawl only where several pages agree.
    pub(super) fn is_news(&mut self, is_end: bool) -> bool {
        let agree = self.templates.values().any(|look| look.pages > 1 && !look.has_own_texts);
        let is_news = !self.is_said && (agree || (is_end && self.count() > 0));
        self.is_said |= is_news;
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> PageSketch {
        let html = format!("<script>fam()</script><div id=gost>{text}</div>");
        PageSketch::of("http://h/borl", html.as_bytes())
    }

    #[test]
    fn short_pages_with_texts_of_their_own_need_no_scripts() {
        let mut pages = UnfilledPages::default();
        for n in 0..9 {
            pages.add(0, &page(&format!("<p>Borl {n}</p><p>Fam {}</p>", n * 7)));
        }
        // A page of another template that is alone says nothing beside them.
        pages.add(1, &page("<p>Gost</p>"));
        assert_eq!((pages.count(), pages.is_news(true)), (0, false));
    }

    #[test]
    fn pages_that_are_the_same_everywhere_need_scripts() {
        let mut pages = UnfilledPages::default();
        pages.add(0, &page(""));
        assert!(!pages.is_news(false));
        assert_eq!(pages.count(), 1);
        pages.add(0, &page(""));
        pages.add(1, &page(&"<p>Borl</p>".repeat(200)));
        assert_eq!(pages.count(), 2);
        assert!(pages.is_news(false) && !pages.is_news(true));
    }
}
