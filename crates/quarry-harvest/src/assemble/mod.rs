//! What a harvest adds to the assembled table: what has changed since the last one, and names of columns that stay.

pub(crate) mod changes;
pub(crate) mod names;

pub use names::ColumnNames;
