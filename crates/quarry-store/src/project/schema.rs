//! The schema of a project's state and its migrations: the tables of `state.sqlite`, described in
//! `docs/algorithms/store.md`.

use std::path::Path;

use rusqlite::Connection;

use crate::StoreError;

/// The version that this program writes.
pub(super) const VERSION: i64 = 5;

/// States of a frontier entry, in order of its life. The numbers stand in partial indexes.
pub(super) mod state {
    pub(in super::super) const READY: u8 = 0;
    pub(in super::super) const WAITING: u8 = 1;
    pub(in super::super) const LEASED: u8 = 2;
    pub(in super::super) const DONE: u8 = 3;
    pub(in super::super) const SKIPPED: u8 = 4;
    pub(in super::super) const FAILED: u8 = 5;
}

const TABLES: &str = "
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL UNIQUE,
    not_before INTEGER,             -- milliseconds since 1970; NULL: nothing remembered yet
    delay_us INTEGER,
    troubles INTEGER,
    robots_at INTEGER,
    robots_status INTEGER,
    robots_body TEXT
);
-- Every request that was proposed in the present round, in order of arrival.
CREATE TABLE frontier (
    id INTEGER PRIMARY KEY,
    host INTEGER NOT NULL,          -- hosts.id
    state INTEGER NOT NULL,         -- 0 ready, 1 waiting, 2 leased, 3 done, 4 skipped, 5 failed
    priority INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    due INTEGER NOT NULL,           -- of a waiting entry
    attempts INTEGER NOT NULL,
    role INTEGER NOT NULL,          -- 0 page, 1 sitemap
    method INTEGER NOT NULL,        -- 0 GET, 1 POST
    url TEXT NOT NULL,
    body TEXT,
    etag TEXT,
    last_modified TEXT,
    via,                            -- an address, or the id of the entry that has it
    note TEXT                       -- why it was skipped or failed
);
CREATE INDEX frontier_ready ON frontier (host, priority, depth) WHERE state = 0;
CREATE INDEX frontier_waiting ON frontier (host, due) WHERE state = 1;
CREATE INDEX frontier_leased ON frontier (state) WHERE state = 2;
-- xxh3 of a request's key.
CREATE TABLE seen (hash INTEGER PRIMARY KEY, entry INTEGER NOT NULL);
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    key_hash INTEGER NOT NULL,
    is_page INTEGER NOT NULL,
    url TEXT NOT NULL,
    key TEXT,                       -- NULL where it is the url
    fetch_time INTEGER NOT NULL,
    status INTEGER NOT NULL,
    mime_detected TEXT NOT NULL,
    mime_type TEXT,
    digest BLOB NOT NULL,           -- SHA-1
    file INTEGER NOT NULL,          -- warc_files.number
    offset INTEGER NOT NULL,        -- of the response record
    length INTEGER NOT NULL,
    request_length INTEGER NOT NULL,   -- the request record ends where the response begins
    metadata_length INTEGER NOT NULL,  -- the metadata record begins where the response ends
    redirect TEXT,
    truncated TEXT,
    depth INTEGER NOT NULL,
    via,                            -- as in frontier
    original INTEGER                -- the page whose body this one has, too
);
CREATE INDEX pages_key ON pages (key_hash);
-- 64 bits of a body's SHA-1, and the page that brought it first.
CREATE TABLE payloads (digest INTEGER PRIMARY KEY, page INTEGER NOT NULL);
CREATE TABLE warc_files (number INTEGER PRIMARY KEY, name TEXT NOT NULL, length INTEGER NOT NULL);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started INTEGER NOT NULL,
    ended INTEGER,
    version TEXT NOT NULL,
    settings TEXT NOT NULL,         -- JSON
    requests INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    elapsed_ms INTEGER NOT NULL
);
CREATE TABLE issues (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    detail TEXT NOT NULL,
    at INTEGER NOT NULL
);
-- Exact counts: of frontier states, pages, issues by kind, skipped addresses by reason.
CREATE TABLE counts (what TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (what, name)) WITHOUT ROWID;
";

/// What version 2 added: what was found out about the site.
const FACTS: &str = "
-- One row per (entity, attribute, value, source).
CREATE TABLE facts (
    site TEXT NOT NULL,
    entity TEXT NOT NULL,
    attribute TEXT NOT NULL,
    value TEXT NOT NULL,
    source TEXT NOT NULL,           -- facet, list, page, spec, embedded, match
    page TEXT NOT NULL,
    path TEXT NOT NULL,
    confidence REAL NOT NULL
);
-- One row per query that the site answers.
CREATE TABLE queries (
    site TEXT NOT NULL,
    query TEXT NOT NULL,            -- sorted pairs attribute=value
    url TEXT NOT NULL,
    entities INTEGER NOT NULL,
    claimed INTEGER,                -- as many as the site says
    parents TEXT NOT NULL,          -- queries with one pair less
    state TEXT NOT NULL
);
-- One row per column of the entities.
CREATE TABLE columns (
    position INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    about TEXT NOT NULL             -- JSON: a ColumnRow
);
-- One row per entity, and its values in JSON, one for each column.
CREATE TABLE entities (
    id TEXT NOT NULL,
    site TEXT NOT NULL,
    entity TEXT NOT NULL,
    title TEXT,
    state TEXT NOT NULL,            -- new, same, changed, removed
    cells TEXT NOT NULL
);
";

/// What version 3 added: a site is asked again, and what has not changed is not sent again.
const ROUNDS: &str = "
ALTER TABLE pages ADD COLUMN size INTEGER;          -- bytes of the body as sent; NULL before version 3
ALTER TABLE pages ADD COLUMN etag TEXT;
ALTER TABLE pages ADD COLUMN last_modified TEXT;
ALTER TABLE pages ADD COLUMN fresh_until INTEGER;   -- need not be asked again before
ALTER TABLE pages ADD COLUMN base INTEGER;          -- the page of an earlier round that this one is the same as
ALTER TABLE pages ADD COLUMN retired INTEGER;       -- the round that did not reach it any more
";

const ROUND_TABLE: &str = "
-- One row per way through the site.
CREATE TABLE rounds (
    number INTEGER PRIMARY KEY,
    began INTEGER NOT NULL,
    ended INTEGER,
    whole INTEGER NOT NULL,         -- whether nothing was left to ask at its end
    harvested INTEGER NOT NULL,     -- whether tables were made of it
    stage INTEGER NOT NULL,         -- how many of its crawls are over, where it takes several
    first_page INTEGER NOT NULL,    -- pages.id; later ones are of this round
    pages INTEGER NOT NULL,         -- pages, bytes and time of all rounds before
    bytes INTEGER NOT NULL,
    elapsed_ms INTEGER NOT NULL
);
";

/// What version 4 added: the next harvest is compared with the entities of the last one; the query graph is kept here.
const ENTITY_IDS: &str = "
ALTER TABLE entities ADD COLUMN other_ids TEXT;     -- JSON: ids by other addresses; NULL: none
";

const GRAPHS: &str = "
-- One row per query graph of the last crawl by queries.
CREATE TABLE query_graphs (
    number INTEGER PRIMARY KEY,
    graph TEXT NOT NULL             -- JSON
);
";

/// What version 5 added: kinds of entities.
const KINDS: &str = "
ALTER TABLE facts ADD COLUMN entity_kind TEXT NOT NULL DEFAULT '';
ALTER TABLE entities ADD COLUMN entity_kind TEXT NOT NULL DEFAULT '';
";

/// Pages whose scripts were run: the length of the record that has what they left. Made when it is missing, whatever the
/// version: a program that does not know it reads the pages as they were sent.
const RENDERINGS: &str = "
CREATE TABLE IF NOT EXISTS renderings (page INTEGER PRIMARY KEY, length INTEGER NOT NULL);
";

/// The first round of a project. That of a state of version 1 or 2 is over if no request is queued.
const FIRST_ROUND: &str = "
INSERT INTO rounds SELECT 1, coalesce(min(started), 0),
    CASE WHEN EXISTS (SELECT 1 FROM frontier WHERE state < 3) THEN NULL ELSE max(ended) END,
    NOT EXISTS (SELECT 1 FROM frontier WHERE state < 3), EXISTS (SELECT 1 FROM entities),
    0, 1, 0, 0, 0 FROM runs;
";

/// The pages of an older version as if they had the columns that came later.
const OLD_PAGES: &str = "
CREATE TEMP VIEW pages AS SELECT *, NULL AS size, NULL AS etag, NULL AS last_modified,
    NULL AS fresh_until, NULL AS base, NULL AS retired FROM main.pages;
";

/// The entities of version 2 or 3, and of version 4, as if they had the columns that came later.
const OLD_ENTITIES: &str = "
CREATE TEMP VIEW entities AS SELECT rowid AS rowid, *, NULL AS other_ids, '' AS entity_kind
    FROM main.entities;
";
const ENTITIES_WITHOUT_KIND: &str = "
CREATE TEMP VIEW entities AS SELECT rowid AS rowid, *, '' AS entity_kind FROM main.entities;
";
const FACTS_WITHOUT_KIND: &str = "
CREATE TEMP VIEW facts AS SELECT rowid AS rowid, *, '' AS entity_kind FROM main.facts;
";

/// Creates the tables in a new database, or sees to it that an old one can be used.
pub(super) fn prepare(conn: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let found = check(conn, path)?;
    if found == Some(VERSION) {
        return conn.execute_batch(RENDERINGS).map_err(StoreError::db("create the tables", path));
    }
    let create = |conn: &mut Connection| {
        let tx = conn.transaction()?;
        if found.is_none() {
            tx.execute_batch(TABLES)?;
        }
        if found.is_none_or(|version| version < 2) {
            tx.execute_batch(FACTS)?;
        }
        if found.is_none_or(|version| version < 3) {
            tx.execute_batch(ROUNDS)?;
            tx.execute_batch(ROUND_TABLE)?;
            tx.execute_batch(FIRST_ROUND)?;
        }
        if found.is_none_or(|version| version < 4) {
            tx.execute_batch(ENTITY_IDS)?;
            tx.execute_batch(GRAPHS)?;
        }
        tx.execute_batch(KINDS)?;
        tx.execute_batch(RENDERINGS)?;
        tx.pragma_update(None, "user_version", VERSION)?;
        tx.commit()
    };
    create(conn).map_err(StoreError::db("create the tables", path))
}

/// Gives a database that is only read an empty table of renderings if it has none.
pub(super) fn complete_renderings(conn: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT count(*) FROM main.sqlite_schema WHERE name = 'renderings'";
    let tables: i64 = conn.query_row(sql, [], |row| row.get(0))?;
    if tables == 0 {
        conn.execute_batch(&RENDERINGS.replace("CREATE TABLE", "CREATE TEMP TABLE"))?;
    }
    Ok(())
}

/// Gives a database of an older version that is only read what it lacks, for as long as it is open.
pub(super) fn complete(conn: &Connection, found: i64) -> rusqlite::Result<()> {
    let temporary = |tables: &str| tables.replace("CREATE TABLE", "CREATE TEMP TABLE");
    match found {
        ..2 => conn.execute_batch(&temporary(&format!("{FACTS}{ENTITY_IDS}{KINDS}")))?,
        2..4 => conn.execute_batch(&format!("{OLD_ENTITIES}{FACTS_WITHOUT_KIND}"))?,
        _ => conn.execute_batch(&format!("{ENTITIES_WITHOUT_KIND}{FACTS_WITHOUT_KIND}"))?,
    }
    if found < 3 {
        conn.execute_batch(&temporary(ROUND_TABLE))?;
        conn.execute_batch(FIRST_ROUND)?;
        conn.execute_batch(OLD_PAGES)?;
    }
    if found < 4 {
        conn.execute_batch(&temporary(GRAPHS))?;
    }
    Ok(())
}

/// The version of our tables in the database, if it has them; an error if another program made the database, or a
/// later version.
pub(super) fn check(conn: &Connection, path: &Path) -> Result<Option<i64>, StoreError> {
    let db = |error| StoreError::db("read the schema", path)(error);
    let found: i64 = conn.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(db)?;
    let tables: i64 =
        conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(db)?;
    match found {
        0 if tables == 0 => Ok(None),
        1..=VERSION => Ok(Some(found)),
        found if found > VERSION => {
            Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION })
        }
        _ => Err(StoreError::NotAProject { path: path.parent().unwrap_or(path).to_owned() }),
    }
}
