//! The project folder: pages in WARC files, everything else in one SQLite database; both are committed
//! together.
//!
//! ```text
//! DIR/quarry.toml        settings (the program's business)
//! DIR/state.sqlite       frontier, pages, hosts, runs, issues
//! DIR/pages/*.warc.gz    bytes
//! DIR/models/            what was learned
//! DIR/tables/            what came out
//! DIR/quarry.lock        who is writing
//! ```
//!
//! A change begins a transaction; [`PageStore::commit`] brings the archive's bytes to the disk and
//! then commits the transaction, with the new length of each archive file in it. A process killed in
//! between leaves bytes that no row knows: the next [`Project::open`] cuts them off.

mod entities;
mod facts;
pub(crate) mod frontier;
mod hosts;
pub(crate) mod known;
mod lock;
mod models;
mod pages;
mod ports;
mod rounds;
mod runs;
mod schema;
mod things;

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quarry_model::{FrontierCounts, PageStore};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::archive::{Archive, ArchiveSettings, file_name, sync_folder};
use crate::warc::ReadLimits;
use crate::{SharedFrontier, StoreError};
use entities::OldEntities;
pub use facts::FactCounts;
use hosts::Hosts;
use known::KnownRequests;
use lock::Lock;
pub(crate) use pages::truncation_name;
use rounds::RoundRow;
use runs::Tally;
pub use runs::{RunId, StoredIssue};

/// How a project is kept.
#[derive(Debug, Clone)]
pub struct StoreSettings {
    /// How archive files are written.
    pub archive: ArchiveSettings,
    /// How much is read back.
    pub limits: ReadLimits,
    /// Memory for pages of the database, in bytes. 32 MiB: holds the hashes of a million requests.
    pub cache_bytes: u64,
    /// Memory for hashes of known requests: 2^n of 16 bytes. 18, which is 4 MiB.
    pub known_bits: u32,
    /// Of each kind of issue, this many are kept with their details; all are counted. 1,000.
    pub issues_per_kind: u64,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self {
            archive: ArchiveSettings::default(),
            limits: ReadLimits::default(),
            cache_bytes: 32 << 20,
            known_bits: 18,
            issues_per_kind: 1_000,
        }
    }
}

/// What opening a project brought to light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Opened {
    /// The project was not there before.
    pub created: bool,
    /// Bytes of the archive that a killed process had not committed, now cut off.
    pub cut_bytes: u64,
    /// Entries that a killed process had leased, now queued again.
    pub released_leases: u64,
}

/// A project folder, open for writing by one process or for reading by any.
pub struct Project {
    dir: PathBuf,
    db: PathBuf,
    conn: Connection,
    archive: Archive,
    limits: ReadLimits,
    issues_per_kind: u64,
    /// `None`: for reading only.
    lock: Option<Lock>,
    opened: Opened,
    hosts: Hosts,
    counts: FrontierCounts,
    known: KnownRequests,
    next_entry: i64,
    next_page: i64,
    tally: Tally,
    round: RoundRow,
    /// The last address looked up for a `via` column, and the entry that has it.
    last_via: RefCell<Option<(String, Option<i64>)>>,
    /// The entities of the last harvest, while the next one is written.
    old: OldEntities,
    /// The frontier, where it is not in this project but shared with other crawlers.
    shared: Option<Box<dyn SharedFrontier>>,
    in_transaction: bool,
    failed: bool,
}

impl Project {
    /// Opens the project in `dir` for writing, or makes a new one there.
    pub fn create_or_open(dir: &Path, settings: &StoreSettings) -> Result<Self, StoreError> {
        for folder in [dir.to_owned(), dir.join("pages"), dir.join("models"), dir.join("tables")] {
            fs::create_dir_all(&folder).map_err(StoreError::io("create the folder", &folder))?;
        }
        let lock = Lock::take(dir)?;
        let db = dir.join("state.sqlite");
        let is_new = !db.exists();
        let archive = Archive::new(dir.join("pages"), Vec::new(), settings.archive.clone());
        let has_files = !archive.files()?.is_empty();
        if is_new && has_files {
            return Err(StoreError::Orphans { path: dir.join("pages") });
        }
        let mut conn = Connection::open(&db).map_err(StoreError::db("open the database", &db))?;
        // A database that has lost its tables knows none of the files, which would be cut.
        if has_files && schema::check(&conn, &db)?.is_none() {
            return Err(no_tables(dir, settings)?);
        }
        tune(&conn, settings).map_err(StoreError::db("set up", &db))?;
        // Commits are flushed to the disk (FULL): a page whose row is there has its bytes, also
        // after a power cut, and commits are about a second apart.
        let journal = |conn: &Connection| {
            conn.pragma_update(None, "journal_mode", "wal")?;
            conn.pragma_update(None, "synchronous", "full")?;
            conn.pragma_update(None, "journal_size_limit", 64 << 20)
        };
        journal(&conn).map_err(StoreError::db("set up", &db))?;
        schema::prepare(&mut conn, &db)?;
        if is_new {
            sync_folder(dir)?;
        }
        let mut project = Self::load(dir, conn, Some(lock), settings)?;
        let cut_bytes = project.archive.cut()?;
        let released_leases = project.release_at_start()?;
        project.opened = Opened { created: is_new, cut_bytes, released_leases };
        Ok(project)
    }

    /// Opens the project in `dir` for writing.
    pub fn open(dir: &Path, settings: &StoreSettings) -> Result<Self, StoreError> {
        require_project(dir)?;
        Self::create_or_open(dir, settings)
    }

    /// Opens the project in `dir` for reading, also while another process writes: what that one
    /// has committed by now is seen.
    pub fn open_read_only(dir: &Path, settings: &StoreSettings) -> Result<Self, StoreError> {
        require_project(dir)?;
        let db = dir.join("state.sqlite");
        let conn = match open_for_reading(&db, settings, "") {
            // A folder that cannot be written to has no place for the shared memory of a
            // database that is being written; so nobody writes.
            Err(error) if cannot_share(&error) => open_for_reading(&db, settings, "&immutable=1"),
            result => result,
        };
        let conn = conn.map_err(StoreError::db("open the database", &db))?;
        match schema::check(&conn, &db)? {
            None => return Err(no_tables(dir, settings)?),
            Some(schema::VERSION) => {}
            // Nobody has written to it since; what came later is empty.
            Some(found) => schema::complete(&conn, found).map_err(StoreError::db("set up", &db))?,
        }
        schema::complete_renderings(&conn).map_err(StoreError::db("set up", &db))?;
        Self::load(dir, conn, None, settings)
    }

    fn load(
        dir: &Path,
        conn: Connection,
        lock: Option<Lock>,
        settings: &StoreSettings,
    ) -> Result<Self, StoreError> {
        let db = dir.join("state.sqlite");
        let read = |error| StoreError::db("read the state", &db)(error);
        let max = |table: &str| {
            let sql = format!("SELECT coalesce(max(id), 0) + 1 FROM {table}");
            conn.query_row(&sql, [], |row| row.get::<_, i64>(0))
        };
        let (next_entry, next_page) = (max("frontier").map_err(read)?, max("pages").map_err(read)?);
        let lengths = read_lengths(&conn).map_err(read)?;
        let hosts = hosts::load_hosts(&conn).map_err(read)?;
        let counts = hosts::load_counts(&conn).map_err(read)?;
        let tally = Tally::load(&conn).map_err(read)?;
        let round = RoundRow::load(&conn).map_err(read)?;
        // A reader adds nothing, so it needs no memory for what is known.
        let known = KnownRequests::new(if lock.is_some() { settings.known_bits } else { 0 });
        Ok(Self {
            dir: dir.to_owned(),
            archive: Archive::new(dir.join("pages"), lengths, settings.archive.clone()),
            limits: settings.limits,
            issues_per_kind: settings.issues_per_kind,
            conn,
            lock,
            opened: Opened::default(),
            hosts,
            counts,
            known,
            next_entry,
            next_page,
            tally,
            round,
            last_via: RefCell::new(None),
            old: OldEntities::default(),
            shared: None,
            in_transaction: false,
            failed: false,
            db,
        })
    }

    /// The project folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What opening brought to light.
    #[must_use]
    pub fn opened(&self) -> Opened {
        self.opened
    }

    /// Makes a change, within the transaction that the first change since the last commit begins.
    /// After an error nothing more is changed: memory and disk may no longer agree.
    fn change<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.lock.is_none() {
            return Err(StoreError::ReadOnly { path: self.dir.clone() });
        }
        if self.failed {
            return Err(StoreError::Failed { path: self.dir.clone() });
        }
        let begun = if self.in_transaction {
            Ok(())
        } else {
            let begun = self.conn.execute_batch("BEGIN IMMEDIATE");
            begun.map_err(StoreError::db("begin a transaction", &self.db))
        };
        let result = begun.and_then(|()| {
            self.in_transaction = true;
            work(self)
        });
        self.failed = result.is_err();
        result
    }

    /// For `map_err`: a database error of `operation`.
    pub(crate) fn db(
        &self,
        operation: &'static str,
    ) -> impl FnOnce(rusqlite::Error) -> StoreError + '_ {
        move |error| StoreError::db(operation, &self.db)(error)
    }

    fn commit_all(&mut self) -> Result<(), StoreError> {
        if !self.in_transaction && !self.tally.is_due() {
            return Ok(());
        }
        self.change(|project| {
            let grown = project.archive.sync()?;
            project.write_commit(&grown).map_err(project.db("commit"))?;
            project.archive.committed(&grown);
            project.in_transaction = false;
            Ok(())
        })
    }

    fn write_commit(&mut self, grown: &[(u32, u64)]) -> rusqlite::Result<()> {
        for &(number, length) in grown {
            self.conn
                .prepare_cached(
                    "INSERT INTO warc_files (number, name, length) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO UPDATE SET length = excluded.length",
                )?
                .execute((number, file_name(number), length as i64))?;
        }
        hosts::save_counts(&self.conn, &self.counts)?;
        self.tally.save(&self.conn)?;
        self.conn.execute_batch("COMMIT")
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        if self.in_transaction {
            // What was not committed does not exist. If this fails, closing does the same.
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }
}

/// What is wrong with a folder whose database has no tables: it has lost them, or it never was a project.
fn no_tables(dir: &Path, settings: &StoreSettings) -> Result<StoreError, StoreError> {
    let pages = dir.join("pages");
    let archive = Archive::new(pages.clone(), Vec::new(), settings.archive.clone());
    let has_files = pages.is_dir() && !archive.files()?.is_empty();
    Ok(match has_files {
        true => StoreError::Orphans { path: pages },
        false => StoreError::NotAProject { path: dir.to_owned() },
    })
}

fn require_project(dir: &Path) -> Result<(), StoreError> {
    if dir.join("state.sqlite").is_file() {
        return Ok(());
    }
    Err(StoreError::NotAProject { path: dir.to_owned() })
}

fn open_for_reading(
    db: &Path,
    settings: &StoreSettings,
    options: &str,
) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut uri = String::from("file:");
    for byte in db.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?mode=ro");
    uri.push_str(options);
    let conn = Connection::open_with_flags(uri, flags)?;
    tune(&conn, settings)?;
    // Nothing has been read so far; this does, and so shows whether it can be.
    conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(conn)
}

fn cannot_share(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode;
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    )
}

fn tune(conn: &Connection, settings: &StoreSettings) -> rusqlite::Result<()> {
    conn.busy_timeout(Duration::from_secs(10))?;
    conn.set_prepared_statement_cache_capacity(64);
    // Plans do not depend on bound values. Without this SQLite compiles statements anew at every
    // call where a partial index is in question: a fifth of the time that a page takes.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // Negative: kibibytes instead of pages.
    conn.pragma_update(None, "cache_size", -((settings.cache_bytes / 1024) as i64))
}

fn read_lengths(conn: &Connection) -> rusqlite::Result<Vec<u64>> {
    let mut statement = conn.prepare("SELECT number, length FROM warc_files ORDER BY number")?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, i64>(1)?)))?;
    let mut lengths = Vec::new();
    for row in rows {
        let (number, length) = row?;
        lengths.resize(number as usize, 0);
        lengths[number as usize - 1] = length as u64;
    }
    Ok(lengths)
}

/// Commits what is open; for callers that do not need the trait.
impl Project {
    /// Takes requests from a frontier that other crawlers share, in place of its own. Pages stay in this project.
    pub fn share_frontier(&mut self, shared: impl SharedFrontier + 'static) {
        self.shared = Some(Box::new(shared));
    }

    /// Whether others share its frontier.
    #[must_use]
    pub fn shares_frontier(&self) -> bool {
        self.shared.is_some()
    }

    /// The same as [`PageStore::commit`].
    pub fn commit(&mut self) -> Result<(), StoreError> {
        PageStore::commit(self)
    }
}
