//! Does an implementation keep a port's promises? One suite per port; each implementation's tests
//! call it. The suites panic with a message at the first broken promise.

pub mod evidence;
pub mod fetcher;
pub mod frontier;
pub mod page_store;
