//! Placeholder: the page_store suite.
