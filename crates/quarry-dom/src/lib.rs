//! Parses pages: bytes become a [`Document`]: a flat, immutable arena of nodes
//! in document order that any number of threads can read.
//!
//! ```
//! use quarry_dom::{Document, Limits, Tag};
//!
//! let bytes = b"<title>Shop</title><ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul>";
//! let page = Document::parse(bytes, Some("text/html; charset=utf-8"), &Limits::default());
//! let address = url::Url::parse("https://shop.example/").unwrap();
//!
//! assert_eq!(page.title().as_deref(), Some("Shop"));
//! let urls: Vec<String> = page.links(&address).into_iter().map(|l| l.url.into()).collect();
//! assert_eq!(urls, ["https://shop.example/1", "https://shop.example/2"]);
//! let last = page.elements(Tag::LI).last().unwrap();
//! assert_eq!(page.xpath(last), "/html/body/ul/li[2]");
//! ```
//!
//! | question | where |
//! |---|---|
//! | bytes to tree | [`Document::parse`], bounded by [`Limits`], never failing; [`Document::cut`] |
//! | in which encoding | [`Document::charset`] |
//! | from node to node | [`Document::parent`], [`Document::children`], [`Document::descendants`] … |
//! | names and attributes | [`Document::tag`], [`Document::attr`], [`Document::classes`] … |
//! | text | [`Document::folded_text`], [`Document::text_content`], [`Document::is_hidden`] |
//! | node to path and back | [`Document::xpath`], [`Document::node_at`], [`Document::tag_path`] |
//! | links, forms, headings | [`Document::links`], [`Document::forms`], [`Document::headings`] |
//! | all texts, styles, paths and sums, in one pass | [`PageIndex`] |
//! | what the page says of itself | [`Document::title`], [`Document::meta`], [`Document::robots_meta`] |
//! | all of it to read | [`Document::dump`] |

mod build;
mod charset;
mod document;
mod dump;
mod form;
mod heading;
mod index;
mod limits;
mod link;
mod meta;
mod name;
mod parse;
mod path;
mod sheet;
mod text;
mod tokenizer;
mod traverse;
mod visibility;

pub use charset::{Charset, CharsetSource};
pub use document::{Document, Kind, Namespace, NodeId};
pub use form::{
    Choice, Control, ControlKind, ControlLabelSource, Enctype, Form, FormMethod, Label,
};
pub use heading::Headings;
pub use index::key::{self, PathKey, StyleKey};
pub use index::{Leaf, PageIndex};
pub use limits::{Cut, Limits};
pub use link::{Link, LinkKind, LinkTarget};
pub use meta::RobotsMeta;
pub use name::{Attr, Tag};
pub use path::XPaths;
pub use text::fold_whitespace;
pub use traverse::{Children, PostOrder};
