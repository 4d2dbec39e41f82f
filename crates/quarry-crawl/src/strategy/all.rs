//! Page-centric crawling, breadth first: every link of every page. The baseline that the other
//! strategies are compared with.

use std::borrow::Cow;

use quarry_model::is_choice;

use super::{PageView, Proposal};

/// Proposes every link; the frontier's order by depth makes it breadth first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct All;

impl All {
    pub(super) fn observe<'a>(
        &mut self,
        page: &PageView<'a>,
        propose: &mut dyn FnMut(Proposal<'a>),
    ) {
        // Choices multiply; strategies that judge what comes back ask for them.
        let links = page.links.iter().filter(|link| !is_choice(link.address.as_str()));
        for link in links {
            propose(Proposal {
                address: Cow::Borrowed(&link.address),
                body: None,
                depth: page.depth + 1,
                priority: 0,
                is_guess: false,
            });
        }
    }
}
