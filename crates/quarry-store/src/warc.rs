//! The archive format: WARC 1.1 (ISO 28500:2017), one gzip member per record.
//!
//! A [`crate::Project`] writes. Reading takes what others write, too: [`WarcReader`] gives the
//! records of a file and [`Captures`] the exchanges that they tell of.

mod capture;
mod digest;
mod header;
mod http;
mod reader;
mod record;
mod source;
mod writer;

pub use capture::{ArchivedPage, Captures, Original};
pub(crate) use capture::{CaptureParts, exchange_of, restore_decoded};
pub use digest::Sha1Digest;
pub use header::WarcHeaders;
pub(crate) use reader::read_member;
pub use reader::{ReadLimits, WarcReader, read_warc};
pub use record::{RecordPlace, RecordType, WarcIssue, WarcProblem, WarcRecord};
pub(crate) use writer::{RecordWriter, RevisitOf, Written};
