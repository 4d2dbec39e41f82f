//! Errors of a project's storage, each with what the user can do about it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::warc::WarcIssue;

/// Why something could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file could not be opened, read, written …
    #[error("cannot {operation} {}", path.display())]
    Io {
        /// What was tried: `read`, `write` …
        operation: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// The database refused.
    #[error("cannot {operation} in {}", path.display())]
    Database {
        /// What was tried.
        operation: &'static str,
        /// The database file.
        path: PathBuf,
        /// SQLite's words.
        source: rusqlite::Error,
    },
    /// The database that crawlers share refused, or cannot be reached.
    #[error(
        "cannot {operation} in the shared frontier; the same command goes on once the database answers"
    )]
    Shared {
        /// What was tried.
        operation: &'static str,
        /// The database's words.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A table that a harvest has written cannot be read.
    #[error(
        "the table {table} in {} is damaged; `quarry harvest` writes it anew from the archived pages",
        path.display()
    )]
    Damaged {
        /// The table.
        table: &'static str,
        /// The database file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The database file is damaged, or something else altogether.
    #[error(
        "{} is damaged or is not a database; restore it from a copy, or move it away together \
         with the pages folder to start anew: `quarry harvest` makes tables of that folder alone, too",
        path.display()
    )]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// SQLite's words.
        source: rusqlite::Error,
    },
    /// The database has a schema of the future.
    #[error(
        "{} was made by a newer quarry (schema {found}, this one knows {known}); use that version",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest one known here.
        known: i64,
    },
    /// Another process has the project open for writing.
    #[error(
        "another quarry is working in {}{}; wait for it or use another folder",
        path.display(),
        pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    Locked {
        /// The project folder.
        path: PathBuf,
        /// The process, if it left its number.
        pid: Option<u32>,
    },
    /// The folder is not a project.
    #[error("{} is not a project folder: it has no state.sqlite", path.display())]
    NotAProject {
        /// The folder.
        path: PathBuf,
    },
    /// A WARC file that pages stand in is gone.
    #[error(
        "the archive file {} is missing; put it back, or start anew in another folder",
        path.display()
    )]
    ArchiveMissing {
        /// The file.
        path: PathBuf,
    },
    /// A WARC file ends before its last page does.
    #[error(
        "the archive file {} has {found} bytes, but pages stand in its first {expected}; restore \
         it from a copy, or start anew in another folder",
        path.display()
    )]
    ArchiveShort {
        /// The file.
        path: PathBuf,
        /// Bytes that were committed.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// WARC files without the database that knows them.
    #[error(
        "{} holds archive files, but its state.sqlite is missing or empty; restore it, or move the \
         files elsewhere: `quarry harvest` makes tables of them alone, too",
        path.display()
    )]
    Orphans {
        /// The folder of archive files.
        path: PathBuf,
    },
    /// A record of the archive cannot be read.
    #[error("cannot read the archive")]
    Warc {
        /// Where and why.
        #[from]
        source: WarcIssue,
    },
    /// A revisit record whose original is not in the archive.
    #[error("the archive does not hold the page that {url} of {date} repeats")]
    OriginalMissing {
        /// The address of the original.
        url: String,
        /// Its date, as the revisit record says it.
        date: String,
    },
    /// The project was opened for reading.
    #[error("{} is open for reading only", path.display())]
    ReadOnly {
        /// The project folder.
        path: PathBuf,
    },
    /// An earlier write failed, so that what is in memory no longer agrees with the disk.
    #[error("an earlier write to {} failed; open the project again to go on", path.display())]
    Failed {
        /// The project folder.
        path: PathBuf,
    },
    /// An input has no pages.
    #[error("no pages in {}: expected {expected}", path.display())]
    NoPages {
        /// The file or folder.
        path: PathBuf,
        /// What would have been read.
        expected: &'static str,
    },
    /// An input is of no known kind.
    #[error(
        "{} is not an input: expected a project folder, .warc or .warc.gz files, .html files or a \
         folder of them",
        path.display()
    )]
    UnknownInput {
        /// The file.
        path: PathBuf,
    },
    /// Two inputs have a page of the same name.
    #[error("two inputs have a page called {id}; name the folder above them instead")]
    SameId {
        /// The name.
        id: String,
    },
    /// A line of a list of addresses is not what it should be.
    #[error(
        "line {line} of {} is not of the form {{\"file\": …, \"url\": …}}",
        path.display()
    )]
    UrlList {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The function that was called with rows returned this error.
    #[error(transparent)]
    Visitor(#[from] quarry_model::PortError),
    /// A table could not be written.
    #[error("cannot write the table {}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// What the user can do about an error whose cause is the system: a full disk, missing rights. `None` for any other.
#[must_use]
pub fn advice(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    use rusqlite::ErrorCode::{CannotOpen, DiskFull, PermissionDenied, ReadOnly, SystemIoFailure};
    const FULL: &str = "make room on the disk, the same command goes on";
    const DENIED: &str = "change the permissions, or name another folder with -p";
    let of_kind = |kind: ErrorKind| match kind {
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => Some(FULL),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Some(DENIED),
        _ => None,
    };
    let mut cause = Some(error);
    while let Some(error) = cause {
        let found = if let Some(error) = error.downcast_ref::<std::io::Error>() {
            of_kind(error.kind())
        } else if let Some(error) = error.downcast_ref::<serde_json::Error>() {
            error.io_error_kind().and_then(of_kind)
        } else if let Some(error) = error.downcast_ref::<rusqlite::Error>() {
            match error.sqlite_error_code() {
                // SQLite does not tell a disk that is full from one that fails.
                Some(DiskFull | SystemIoFailure) => Some(FULL),
                Some(CannotOpen | PermissionDenied | ReadOnly) => Some(DENIED),
                _ => None,
            }
        } else {
            None
        };
        if found.is_some() {
            return found;
        }
        cause = error.source();
    }
    None
}

impl From<StoreError> for quarry_model::PortError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Visitor(error) => error,
            error => Self::new(error),
        }
    }
}

impl StoreError {
    /// For `map_err`: an I/O error of `operation` on `path`.
    pub(crate) fn io(operation: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { operation, path: path.to_owned(), source }
    }

    /// For `map_err`: a database error of `operation`.
    pub(crate) fn db(operation: &'static str, path: &Path) -> impl FnOnce(rusqlite::Error) -> Self {
        move |source| match source.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
                Self::NotADatabase { path: path.to_owned(), source }
            }
            _ => Self::Database { operation, path: path.to_owned(), source },
        }
    }
}
