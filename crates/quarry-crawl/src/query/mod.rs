//! The query graph as plain data (query-centric crawling, Definition 3.1): the queries that a site
//! answers, each a set of predicates with the entities it returns. Entities inherit the predicates
//! of every query that returns them.

mod common;
mod graph;
mod id;
mod identity;
mod interner;

pub use common::common_addresses;
pub use graph::{Answer, FacetValue, Predicate, QueryGraph, QueryNode, QueryState, hidden_share};
pub use id::{AttributeId, EntityId, ListPageId, NodePathId, PredicateId, QueryId};
pub use identity::EntityIdentity;
pub(crate) use identity::remove_parameters;
pub use interner::Interner;
