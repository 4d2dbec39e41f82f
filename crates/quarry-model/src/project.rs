//! The ports through which a harvest reaches what is kept of a site: its crawl, what was learned, its tables, its pages.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::{
    ColumnRow, EntityRow, Exchange, Frontier, Issue, PageStore, QueryRow, RunReport, SkipReason,
    ThingRow, Timestamp, ValueRow, ValueSource,
};

/// What went wrong on the other side of a port. Prints as its cause does.
#[derive(Debug)]
pub struct PortError(Box<dyn Error + Send + Sync>);

impl PortError {
    /// Wraps the error of an implementation.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into())
    }
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for PortError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// One way through a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number; the first crawl is 1.
    pub number: u32,
    /// Whether it is over: the next crawl may begin another one.
    pub is_over: bool,
    /// Whether it went through to its end.
    pub is_whole: bool,
    /// Whether tables were made of it.
    pub is_harvested: bool,
    /// How many of its crawls are over, where it takes several.
    pub stage: u32,
}

/// What the present round has used of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    /// Pages archived, or found to be the same.
    pub pages: u64,
    /// Requests sent.
    pub requests: u64,
    /// Bytes of bodies received.
    pub bytes: u64,
    /// Wall-clock time.
    pub time: Duration,
}

/// What became of a request that was proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestState {
    /// It waits for its turn, or its answer has not come.
    Queued,
    /// It was answered.
    Done,
    /// It was not sent, for this reason.
    Skipped(Option<String>),
    /// It failed, for this reason.
    Failed(Option<String>),
}

/// Keeps a crawl over its rounds and sessions: frontier, pages, counts.
pub trait CrawlStore: Frontier + PageStore {
    /// If an earlier session was killed: how many addresses are asked again because of it.
    fn recovered(&self) -> Option<u64>;

    /// The present round.
    fn round(&self) -> Round;

    /// Begins another round: whatever was asked may be asked again. Commits.
    fn begin_round(&mut self, now: Timestamp) -> Result<(), PortError>;

    /// The round is over. If it is `whole`, pages that it has not reached count as removed. Commits.
    fn end_round(&mut self, whole: bool, now: Timestamp) -> Result<(), PortError>;

    /// One of the round's crawls is over, and the next begins. Commits.
    fn pass_stage(&mut self) -> Result<(), PortError>;

    /// What the present round has used of a budget.
    fn used(&self) -> Result<Used, PortError>;

    /// Begins a session with these settings (JSON).
    fn begin_run(&mut self, settings: &str, now: Timestamp) -> Result<(), PortError>;

    /// Ends the session, commits, and indexes the archive.
    fn end_run(&mut self, now: Timestamp) -> Result<(), PortError>;

    /// Counts requests that the session has sent and bytes of bodies that it has received.
    fn add_counters(&mut self, requests: u64, bytes: u64);

    /// Counts addresses that were not asked.
    fn count_skipped(&mut self, reason: SkipReason, count: u64);

    /// Counts an issue, and keeps it with its details as long as there are not too many of its kind.
    fn note_issue(&mut self, issue: &Issue, now: Timestamp) -> Result<(), PortError>;

    /// The pages that the present round has seen, in their order, redirects included: id, and links from a seed.
    fn archived_pages(&self) -> Result<Vec<(i64, u32)>, PortError>;

    /// What was asked and answered, by the id of a page.
    fn read_page(&self, id: i64) -> Result<Exchange, PortError>;

    /// The archived answer to a request, body included, of any round: the content that a 304 answer confirms.
    fn archived_answer(&self, key: &str) -> Result<Option<Exchange>, PortError>;

    /// Notes that a page was not requested because its archived version is still fresh.
    fn put_fresh(&mut self, key: &str, depth: u32, via: Option<&str>) -> Result<(), PortError>;

    /// What became of a request; none if it was never proposed.
    fn request_state(&self, key: &str) -> Result<Option<RequestState>, PortError>;

    /// The counts of all sessions together.
    fn report(&self) -> Result<RunReport, PortError>;
}

/// Keeps what was learned: plain texts by name.
pub trait ModelStore {
    /// Writes the text of this name, in place of what there was.
    fn write_model(&self, name: &str, text: &str) -> Result<(), PortError>;

    /// The text of this name, if there is one.
    fn read_model(&self, name: &str) -> Result<Option<String>, PortError>;

    /// Removes the text of this name, if there is one.
    fn remove_model(&self, name: &str) -> Result<(), PortError>;

    /// Where the text of this name is kept, for messages.
    fn model_place(&self, name: &str) -> String;
}

/// Reads the tables of a project: those of the last harvest.
pub trait TableReader {
    /// The columns of the table of entities.
    fn columns(&self) -> Result<Vec<ColumnRow>, PortError>;

    /// Calls `visit` with every entity, also with those that are gone.
    fn each_entity(
        &self,
        visit: &mut dyn FnMut(EntityRow) -> Result<(), PortError>,
    ) -> Result<(), PortError>;

    /// Calls `visit` with every value, or with those of one attribute, entity by entity.
    fn each_value(
        &self,
        attribute: Option<&str>,
        visit: &mut dyn FnMut(ValueRow) -> Result<(), PortError>,
    ) -> Result<(), PortError>;

    /// The query graphs of the last crawl by queries, each as JSON.
    fn query_graphs(&self) -> Result<Vec<String>, PortError>;
}

/// Keeps the tables of a project.
pub trait TableStore: TableReader {
    /// Puts these values in place of those that came from `source`.
    fn replace_values(
        &mut self,
        source: ValueSource,
        rows: &mut dyn Iterator<Item = ValueRow>,
    ) -> Result<(), PortError>;

    /// Puts these queries in place of those that were known.
    fn replace_queries(
        &mut self,
        rows: &mut dyn Iterator<Item = QueryRow>,
    ) -> Result<(), PortError>;

    /// Puts these query graphs, each as JSON, in place of those of the last crawl.
    fn replace_query_graphs(&mut self, graphs: &[String]) -> Result<(), PortError>;

    /// Begins new tables of values and entities. The entities of the last harvest can be looked up until
    /// [`TableStore::finish_tables`], and [`TableReader::columns`] are theirs till then.
    fn begin_tables(&mut self) -> Result<(), PortError>;

    /// Forgets the entities of the last harvest, after [`TableStore::begin_tables`]: nothing is compared with them.
    fn forget_old_entities(&mut self) -> Result<(), PortError>;

    /// The entity of the last harvest with one of these ids, unless it was taken before.
    fn old_entity(&self, ids: &[&str]) -> Result<Option<EntityRow>, PortError>;

    /// The same; it is not given again, and not removed.
    fn take_old_entity(&mut self, ids: &[&str]) -> Result<Option<EntityRow>, PortError>;

    /// Adds an entity: with a cell for every column.
    fn add_entity(&mut self, row: &EntityRow) -> Result<(), PortError>;

    /// Adds a value.
    fn add_value(&mut self, row: &ValueRow) -> Result<(), PortError>;

    /// Ends the tables. Entities of the last harvest that were not taken are kept as removed; says how many.
    fn finish_tables(&mut self, columns: &[ColumnRow]) -> Result<u64, PortError>;

    /// How many entities there are, and the first of them.
    fn first_entities(&self, most: usize) -> Result<(u64, Vec<EntityRow>), PortError>;

    /// How many values there are.
    fn count_values(&self) -> Result<u64, PortError>;

    /// Writes every table in every format that a harvest leaves.
    fn write_tables(&mut self) -> Result<(), PortError>;

    /// Begins a new table of things, the entities of several sites that are one, with these columns.
    fn begin_things(&mut self, columns: &[ColumnRow]) -> Result<(), PortError>;

    /// Adds a thing: with a cell for every column.
    fn add_thing(&mut self, row: &ThingRow) -> Result<(), PortError>;

    /// Notes that tables were made of the crawl's present round: the next harvest begins another. Commits.
    fn note_harvest(&mut self) -> Result<(), PortError>;

    /// Writes the report that people read, as HTML.
    fn write_report(&self, html: &str) -> Result<(), PortError>;
}

/// A page to work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputPage {
    /// Its name: the path of a file relative to the folder that was named; for an archived page,
    /// what makes its request unique (the address, but for a POST).
    pub id: String,
    /// Its address, if that is known.
    pub url: Option<String>,
    /// `Content-Type`, if a server said it.
    pub content_type: Option<String>,
    /// Its bytes, with content codings undone.
    pub bytes: Vec<u8>,
}

/// Pages to work on, by name: of a project, of archives, or of a folder.
pub trait PageSource {
    /// The names of the pages, in their order.
    fn ids(&self) -> Vec<&str>;

    /// Where the page with this name came from, as far as that can be told without reading it.
    fn address<'a>(&'a self, id: &'a str) -> Option<&'a str>;

    /// The page with this name.
    fn get(&self, id: &str) -> Result<Option<InputPage>, PortError>;

    /// What the scripts of a page were answered with by this request, content codings undone. Only projects keep it.
    fn part(&self, key: &str) -> Result<Option<Vec<u8>>, PortError> {
        let _ = key;
        Ok(None)
    }
}
