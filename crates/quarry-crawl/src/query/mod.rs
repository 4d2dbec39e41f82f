//! Which queries does a site answer, and with which entities? The query graph (query-centric
//! crawling, Definition 3.1) as plain data: queries are sets of predicates, entities inherit the
//! predicates of every query that returns them.

mod common;
mod graph;
mod names;
pub mod paper;

pub use common::common_addresses;
pub use graph::{Answer, Predicate, QueryGraph, QueryNode, QueryState, ValueRow, hidden_share};
pub(crate) use names::Names;
