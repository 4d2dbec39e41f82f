//! What do we know of a page before we look for records? The facts of single pages, and what the
//! other pages of the same template say about them.

pub(crate) mod facts;
pub(crate) mod hash;
pub(crate) mod template;

pub(crate) use facts::{Facts, Leaf};
