//! Placeholder: the fetcher suite.
