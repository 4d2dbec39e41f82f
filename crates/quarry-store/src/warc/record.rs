//! A WARC record, and what may be wrong with one.

use std::path::PathBuf;

use super::WarcHeaders;

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct RecordPlace {
    /// Where in the file the record, or the gzip member that holds it, begins.
    pub offset: u64,
    /// How many bytes of the member's content come before the record: 0, but for files that
    /// were compressed as a whole.
    pub inner: u64,
    /// How many bytes of the file it takes; of the member, where there is one to a record.
    pub length: u64,
}

/// What a record is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordType {
    /// About the file.
    Warcinfo,
    /// What a server sent.
    Response,
    /// What was sent to it.
    Request,
    /// Something as it is, without a protocol around it.
    Resource,
    /// About another record.
    Metadata,
    /// What had been archived before.
    Revisit,
    /// What was made of another record: here, of a page by its scripts.
    Conversion,
    /// Continuation, or unknown.
    Other,
}

/// One record of an archive file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcRecord {
    /// `WARC/1.1`.
    pub version: String,
    /// Its named fields.
    pub headers: WarcHeaders,
    /// Its content.
    pub block: Vec<u8>,
    /// Where it stands.
    pub place: RecordPlace,
}

impl WarcRecord {
    /// What it is for.
    #[must_use]
    pub fn kind(&self) -> RecordType {
        let kind = self.headers.get("WARC-Type").unwrap_or_default();
        let is = |name: &str| kind.eq_ignore_ascii_case(name);
        match () {
            () if is("response") => RecordType::Response,
            () if is("request") => RecordType::Request,
            () if is("metadata") => RecordType::Metadata,
            () if is("revisit") => RecordType::Revisit,
            () if is("resource") => RecordType::Resource,
            () if is("conversion") => RecordType::Conversion,
            () if is("warcinfo") => RecordType::Warcinfo,
            () => RecordType::Other,
        }
    }
}

/// Something in an archive file that is not as it should be. Reading goes on after it, unless it
/// is [`WarcProblem::Io`].
#[derive(Debug, thiserror::Error)]
#[error("offset {offset} of {}: {problem}", path.display())]
pub struct WarcIssue {
    /// The file.
    pub path: PathBuf,
    /// Where in it.
    pub offset: u64,
    /// What is wrong.
    #[source]
    pub problem: WarcProblem,
}

/// What is wrong with a place in an archive file.
#[derive(Debug, thiserror::Error)]
pub enum WarcProblem {
    /// The file ends in the middle of a record.
    #[error("the file ends inside this record; it was skipped")]
    Truncated,
    /// The compressed data is damaged.
    #[error("damaged compressed data; it was skipped")]
    Corrupt,
    /// Bytes that are no record.
    #[error("{bytes} bytes that are no record were skipped")]
    Garbage {
        /// How many.
        bytes: u64,
    },
    /// The record's named fields make no sense.
    #[error("the record has no usable header; it was skipped")]
    BadHeader,
    /// The record's content is longer or shorter than it says. It was read as far as it goes.
    #[error("the record says that it has {declared} bytes, but has {found}")]
    WrongLength {
        /// `Content-Length`.
        declared: u64,
        /// What is there.
        found: u64,
    },
    /// The record is larger than the limit.
    #[error("the record has {length} bytes, more than the limit of {limit}; it was skipped")]
    TooBig {
        /// `Content-Length`.
        length: u64,
        /// The limit in force.
        limit: u64,
    },
    /// A revisit record whose original is not in the archive.
    #[error("the page that this record repeats is not in the archive; it was skipped")]
    NoOriginal,
    /// The file could not be read on.
    #[error("cannot read the file")]
    Io(#[source] std::io::Error),
}
