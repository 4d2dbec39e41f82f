//! Mines record templates. Template mining (Zhao, Meng and Yu, KDD 2007): from records to data
//! slots, the same data unit in the same slot in every record.
//!
//! [`mine`](mine::mine) goes the paper's way: decorative tags are removed ([`decorative`]), records become data strings
//! between template strings, strings are clustered by context, template texts part them ([`texts`]), and records vote
//! for the template graph. [`align`] finds the slots of a record by its template.

pub mod align;
mod attributes;
mod below;
mod classes;
mod cluster;
mod columns;
mod corpus;
mod cut;
pub mod decorative;
mod describe;
pub mod distance;
mod forest;
pub mod graph;
mod label;
pub mod line;
pub mod mine;
pub mod network;
mod placer;
mod places;
mod prose;
pub mod samples;
pub mod site;
mod strings;
pub mod texts;

pub use align::{Aligned, Aligner, DataUnit};
pub use forest::RecordInput;
pub use mine::{TemplateConfig, mine};
pub use site::{UnitReader, extract, learn};
