//! Which attributes does this page give its product, and with which values? Specifications are found among the tables,
//! lists and pairs of a page, and read as names and values (DEXTER §4).
//!
//! | question | where |
//! |---|---|
//! | pages in, specifications out | [`find_specs`] |
//! | as lines of JSON | [`specs_line`] |

mod boost;
mod features;
mod find;
mod fragment;
mod line;
mod outline;
mod pair;
mod row;
mod section;
mod site;
mod table;
mod words;

pub use boost::{TreeNode, Trees};
pub use features::Figures;
pub use find::{Candidate, Method, Spec, SpecConfig, SpecPage, SpecPair, candidates, find_specs};
pub use line::{PairLine, SpecLine, SpecsLine, specs_line};
