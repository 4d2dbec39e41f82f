//! Placeholder: the frontier suite.
