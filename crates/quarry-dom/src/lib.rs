//! What does this page consist of?
mod build;
mod charset;
mod document;
mod dump;
mod limits;
mod name;
mod parse;
mod path;
mod text;
mod tokenizer;
mod traverse;
mod visibility;

pub use charset::{Charset, CharsetSource};
pub use document::{Document, Kind, Namespace, NodeId};
pub use limits::{Cut, Limits};
pub use name::{Attr, Tag};
pub use path::XPaths;
pub use text::fold_whitespace;
pub use traverse::{Children, PostOrder};
