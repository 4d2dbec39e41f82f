//! Finds the boundaries of records (THOR §2, stage 3: QA-objects.)

pub(crate) mod anchor;
pub(crate) mod candidate;
pub(crate) mod complete;
pub(crate) mod kind;
pub(crate) mod level;
pub(crate) mod span;
pub(crate) mod unite;
