//! Where is the data on these pages, and what is its template?
//!
//! Every stage is a function of parsed pages: no clock, no randomness, no file, no socket. The same
//! pages give the same result on one thread or many, and in whatever order they come.

pub mod attribute;
pub mod cluster;
pub mod explain;
pub mod find;
pub mod forms;
pub mod lines;
pub mod links;
pub mod model;
mod page;
mod record;
pub mod region;
pub mod site;
pub mod spec;
pub mod template;
pub mod text;
pub mod value;
