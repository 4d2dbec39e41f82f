//! A page's index, and how many of its site's other pages have the same texts.

use std::ops::Deref;
use std::sync::OnceLock;

use quarry_dom::{NodeId, PageIndex};

use super::marks::PageMarks;

/// The rating of a text that no other page shows.
pub(crate) const ON_NO_OTHER_PAGE: u8 = 255;

/// A page whose texts are rated: a text that all other pages have too was not made for this page.
pub(crate) struct RatedPage<'a> {
    index: &'a PageIndex<'a>,
    /// For each leaf and the end, the characters before it, each by its rating. `None` where no other page was looked at.
    fresh_before: Option<Vec<u32>>,
    marks: OnceLock<PageMarks>,
}

impl<'a> Deref for RatedPage<'a> {
    type Target = PageIndex<'a>;

    fn deref(&self) -> &PageIndex<'a> {
        self.index
    }
}

impl<'a> RatedPage<'a> {
    /// A page with no other beside it: all its texts are fresh.
    pub(crate) fn alone(index: &'a PageIndex<'a>) -> Self {
        Self { index, fresh_before: None, marks: OnceLock::new() }
    }

    /// Headings, links, choices and echoes of the query, gathered when they are first asked for.
    pub(crate) fn marks(&self) -> &PageMarks {
        self.marks.get_or_init(|| PageMarks::of(self.index))
    }

    /// Rates each leaf, from 0 (on all other pages) to [`ON_NO_OTHER_PAGE`].
    pub(crate) fn rate(&mut self, ratings: impl Iterator<Item = u8>) {
        let mut sum = 0.0;
        let mut before = vec![0];
        for (leaf, rating) in self.index.leaves.iter().zip(ratings) {
            sum += f64::from(leaf.chars) * f64::from(rating) / f64::from(ON_NO_OTHER_PAGE);
            before.push(sum as u32);
        }
        self.fresh_before = Some(before);
    }

    /// Characters of the subtree, each weighted by how few of the site's other pages show its text.
    pub(crate) fn fresh_chars(&self, node: NodeId) -> u32 {
        let Some(before) = &self.fresh_before else { return self.index.chars(node) };
        let range = self.index.leaf_range(node);
        before[range.end] - before[range.start]
    }
}
