//! The crate's tests, in one binary.

mod memory_frontier;
