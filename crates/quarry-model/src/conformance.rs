//! Conformance suites, one per port; each implementation's tests
//! call it. The suites panic with a message at the first broken promise.

pub mod evidence;
pub mod fetcher;
pub mod frontier;
pub mod page_store;
pub mod provider;
