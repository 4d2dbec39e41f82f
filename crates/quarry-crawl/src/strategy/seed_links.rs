//! Proposes the first links of the seeds and no further: enough to see what kind of site it is.

use std::borrow::Cow;

use quarry_extract::links::names_action;

use super::{PageView, Proposal};

/// Proposes the first links of the seeds, in document order: navigation stands first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeedLinks {
    left: usize,
}

impl SeedLinks {
    pub(super) fn new(most: usize) -> Self {
        Self { left: most }
    }

    pub(super) fn observe<'a>(
        &mut self,
        page: &PageView<'a>,
        propose: &mut dyn FnMut(Proposal<'a>),
    ) {
        if page.depth > 0 {
            return;
        }
        for link in page.links.iter().filter(|link| !names_action(link.address.as_str())) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let address = Cow::Borrowed(&link.address);
            propose(Proposal { address, body: None, depth: 1, priority: 0 });
        }
    }
}
