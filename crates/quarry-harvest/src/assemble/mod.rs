//! Assembles all evidence that was found into one table, and compares it with that of the last harvest.

pub(crate) mod changes;
pub(crate) mod names;

pub use names::ColumnNames;
