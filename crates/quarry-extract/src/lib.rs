//! Finds data on pages, and its template.
//!
//! Every stage is a function of parsed pages: no clock, no randomness, no file, no socket. The same
//! pages give the same result on one thread or many, and in whatever order they come.
//!
//! | the question | the answer | an example |
//! |---|---|---|
//! | where are the records, and what do they say? | [`find`], [`template`] | `examples/folder_records.rs` |
//! | what is the specification of a product? | [`spec`] | `examples/specifications.rs` |
//! | where do attributes of known records stand? | [`attribute`] | `examples/match_with_seed.rs` |
//! | what does a whole site hold? | [`site`] | `quarry-assemble`, `examples/library_harvest.rs` |
//! | which pages are alike? which are lists, which lead where? | [`cluster`], [`links`], [`forms`] | |

pub mod action;
pub mod attribute;
mod boilerplate;
pub mod cluster;
pub mod detail;
pub mod embedded;
pub mod explain;
pub mod find;
pub mod forms;
pub mod lines;
pub mod links;
mod logistic;
pub mod model;
mod page;
mod parallel;
mod record;
pub mod region;
pub mod site;
pub mod spec;
pub mod template;
mod text;
