//! Numbers of the things in a query graph, one type per kind, so that none is taken for another.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Its position in the graph's list.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<u32> for $name {
            fn from(number: u32) -> Self {
                Self(number)
            }
        }

        impl From<$name> for u32 {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    )+};
}

ids! {
    /// Number of a query in [`crate::query::QueryGraph::queries`].
    QueryId,
    /// Number of a predicate in [`crate::query::QueryGraph::predicates`].
    PredicateId,
    /// Number of an attribute in [`crate::query::QueryGraph::attributes`].
    AttributeId,
    /// Number of an entity in [`crate::query::QueryGraph::entities`].
    EntityId,
    /// Number of a list page in a query graph.
    ListPageId,
    /// Number of a node path in a query graph.
    NodePathId,
}

impl QueryId {
    /// The query without predicates, which returns every entity.
    pub const ROOT: Self = Self(0);
}
