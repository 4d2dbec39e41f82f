//! Which of a page's links are worth asking, and in which order? A strategy looks at pages and
//! proposes.

mod all;

use crate::Address;
use crate::reader::FoundLink;

pub use all::All;

/// The strategies to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StrategyKind {
    /// Every link of every page, breadth first: the baseline.
    #[default]
    All,
}

/// A strategy at work.
#[derive(Debug)]
pub enum Strategy {
    /// See [`StrategyKind::All`].
    All(All),
}

/// What a strategy is shown of a page.
#[derive(Debug)]
pub struct PageView<'a> {
    /// Where the page is.
    pub address: &'a Address,
    /// Links from a seed.
    pub depth: u32,
    /// Its links: normalised, each address once, within scope and rules.
    pub links: &'a [FoundLink],
}

/// A link that a strategy wants to be asked.
#[derive(Debug, Clone, Copy)]
pub struct Proposal<'a> {
    /// Where it leads.
    pub address: &'a Address,
    /// Links from a seed.
    pub depth: u32,
    /// Lower is asked first.
    pub priority: i32,
}

impl Strategy {
    /// The strategy at its start.
    #[must_use]
    pub fn new(kind: StrategyKind) -> Self {
        match kind {
            StrategyKind::All => Self::All(All),
        }
    }

    /// Looks at a page and proposes, in order.
    pub fn observe<'a>(&mut self, page: &PageView<'a>, propose: &mut dyn FnMut(Proposal<'a>)) {
        match self {
            Self::All(all) => all.observe(page, propose),
        }
    }
}
