//! The tests of quarry-dom, in one binary.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, missing_docs, unreachable_pub)]

mod cases;
mod charset;
mod forms;
mod headings;
mod hostile;
mod laws;
mod links;
mod reference;
mod soup;
mod tokenizer;
