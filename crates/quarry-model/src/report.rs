//! The report of a run: reasons, issues and counts, with the names that other programs read.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Why an address was not asked, or its answer not kept. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// robots.txt disallows it.
    Robots,
    /// The page that links to it, or the link itself, says `nofollow`.
    Nofollow,
    /// Another host, domain or path than the scope allows.
    OutOfScope,
    /// An `--exclude` pattern matches, or no `--include` pattern does.
    Excluded,
    /// Further from the seeds than the depth limit.
    Depth,
    /// Not an http or https address, or not an address at all.
    BadUrl,
    /// Looks like an endless space of addresses (repeating segments, calendars, session ids).
    Trap,
    /// Following it could change something (log out, delete, add to cart).
    Unsafe,
    /// The file name says that it is no page (image, archive, video …).
    NotAPage,
    /// A redirect led to a page that another request has brought.
    DuplicateRedirect,
    /// Rendered from the same missing-page template as an address that cannot exist.
    SoftNotFound,
    /// The page budget, byte budget or time budget was used up before its turn came.
    Budget,
}

impl SkipReason {
    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Robots => "robots",
            Self::Nofollow => "nofollow",
            Self::OutOfScope => "out_of_scope",
            Self::Excluded => "excluded",
            Self::Depth => "depth",
            Self::BadUrl => "bad_url",
            Self::Trap => "trap",
            Self::Unsafe => "unsafe",
            Self::NotAPage => "not_a_page",
            Self::DuplicateRedirect => "duplicate_redirect",
            Self::SoftNotFound => "soft_not_found",
            Self::Budget => "budget",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What kind of oddity was met. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueKind {
    /// A request failed for good.
    FetchFailed,
    /// A server answered with 403, 429 or 503 and was left alone for a while.
    Refused,
    /// A server answered with an error status.
    HttpError,
    /// A body was cut at a limit.
    Truncated,
    /// A page asks that its links be not followed, and is obeyed.
    Nofollow,
    /// What a site's owner says about uses: Content-Signal, Content-Usage and License lines of robots.txt, `X-Robots-Tag`, meta
    /// robots. Kept and shown.
    OwnerNotice,
    /// robots.txt could not be had, so the whole host is off limits.
    RobotsUnreachable,
    /// robots.txt asks for a longer pause between requests than the settings allow.
    CrawlDelay,
    /// A page was cut at the node or depth limit of the document model.
    DocumentLimit,
    /// A sitemap could not be read.
    BadSitemap,
    /// An archive held bytes that are no record, or a record that was cut off.
    Archive,
    /// Pages need their scripts to be run, and nobody could.
    NotRendered,
}

impl IssueKind {
    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FetchFailed => "fetch_failed",
            Self::Refused => "refused",
            Self::HttpError => "http_error",
            Self::Truncated => "truncated",
            Self::Nofollow => "nofollow",
            Self::OwnerNotice => "owner_notice",
            Self::RobotsUnreachable => "robots_unreachable",
            Self::CrawlDelay => "crawl_delay",
            Self::DocumentLimit => "document_limit",
            Self::BadSitemap => "bad_sitemap",
            Self::Archive => "archive",
            Self::NotRendered => "not_rendered",
        }
    }
}

/// Something odd that was met: counted, shown, never a reason to stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// What kind.
    pub kind: IssueKind,
    /// Where.
    pub url: String,
    /// In words.
    pub detail: String,
}

/// The counts of a run. The first ten fields stand in the contract with other programs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunReport {
    /// Requests sent, redirects and robots.txt included.
    pub requests: u64,
    /// Pages archived.
    pub pages: u64,
    /// Bytes of bodies received.
    pub bytes: u64,
    /// Entities found.
    pub entities: u64,
    /// Attributes found.
    pub attributes: u64,
    /// (entity, attribute, value) triples found.
    pub pairs: u64,
    /// Queries explored.
    pub queries: u64,
    /// Queries that turned out to be equivalent to an explored one.
    pub equivalent_queries: u64,
    /// Addresses not asked, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Seconds of wall-clock time, over all sessions of the project.
    pub elapsed_s: f64,
    /// Oddities, by kind.
    pub issues: BTreeMap<String, u64>,
    /// Entries of the frontier that ended in failure.
    pub failed: u64,
    /// Entries of the frontier that still wait.
    pub queued: u64,
    /// What came of asking again, from the second round of a project on.
    pub again: Option<RoundReport>,
}

impl RunReport {
    /// Adds the counts of another crawler of the same crawl. They worked at the same time: of times the longest counts.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.pages += other.pages;
        self.bytes += other.bytes;
        self.entities += other.entities;
        self.attributes += other.attributes;
        self.pairs += other.pairs;
        self.queries += other.queries;
        self.equivalent_queries += other.equivalent_queries;
        for (own, others) in
            [(&mut self.skipped, &other.skipped), (&mut self.issues, &other.issues)]
        {
            others.iter().for_each(|(kind, count)| *own.entry(kind.clone()).or_default() += count);
        }
        self.elapsed_s = self.elapsed_s.max(other.elapsed_s);
        self.failed += other.failed;
        self.queued += other.queued;
    }
}

/// What a later round of a crawl found, compared with what the archive held before. Pages and redirects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RoundReport {
    /// Its number; the first crawl is 1.
    pub round: u32,
    /// Whether it went through to its end.
    pub whole: bool,
    /// Asked.
    pub asked: u64,
    /// Not asked: the archived answer still held.
    pub fresh: u64,
    /// Answered with 304.
    pub not_modified: u64,
    /// Sent in full, and the same as before.
    pub unchanged: u64,
    /// Sent, and not the same as before.
    pub changed: u64,
    /// Not archived before.
    pub new: u64,
    /// There before, now answered with 404 or 410.
    pub gone: u64,
    /// Archived before and not reached in this round; known once the round is complete.
    pub unreached: u64,
    /// Bytes of bodies received.
    pub bytes: u64,
    /// Bytes of archived bodies that needed not be sent again.
    pub bytes_saved: u64,
}
