//! One test binary for the crate.
#![allow(clippy::unwrap_used)]

mod conformance;
