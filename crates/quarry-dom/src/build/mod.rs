//! Builds the tree from tokens: html5ever's tree builder decides what goes where; it writes
//! into a [`links::Tree`] through [`sink::Sink`]; [`feed::Feed`] stands before it and keeps the
//! stack of open elements short; [`compact`] lays the finished tree out in document order.

use crate::document::Document;
use crate::limits::Limits;

mod compact;
mod continued;
pub(crate) mod feed;
mod links;
mod sink;

/// A finished tree that is still linked. The page's text is needed no more.
pub(crate) struct Built {
    tree: links::Tree,
    limits: Limits,
}

impl Built {
    /// The tree in document order.
    pub(crate) fn lay_out(self) -> Document {
        compact::compact(self.tree, self.limits)
    }
}
