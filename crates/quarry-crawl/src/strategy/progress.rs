//! Counts of a strategy's progress, cheap enough to be shown while it runs.

/// Where a strategy stands; see [`crate::Engine::strategy_progress`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StrategyProgress {
    /// It counts nothing but pages.
    #[default]
    All,
    /// All sites that are probed, together.
    Probe(ProbeProgress),
    /// All seeds that are crawled by queries, together.
    Query(QueryProgress),
    /// All sites whose indexes are walked, together.
    Index(IndexProgress),
}

/// How far walking a site's indexes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexProgress {
    /// Pages that were fetched.
    pub pages: usize,
    /// Among them target pages.
    pub targets: usize,
    /// Among them index pages.
    pub indexes: usize,
    /// Target pages that are known and to be fetched.
    pub left: usize,
}

/// How far probing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProbeProgress {
    /// Pages that were read in search of a form.
    pub looked: usize,
    /// Sites whose search form is known.
    pub forms: usize,
    /// Queries that were sent.
    pub asked: usize,
    /// Results pages that have come.
    pub answers: usize,
    /// Queries that will still be sent, at the most.
    pub left: usize,
}

/// How far crawling by queries is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueryProgress {
    /// Queries that were requested or will be, as far as is known by now.
    pub known: usize,
    /// Queries whose pages were all read.
    pub explored: usize,
    /// Entities found.
    pub entities: usize,
    /// (entity, attribute, value) triples found.
    pub values: usize,
    /// Pages that the strategy requested and got, earlier sessions included.
    pub requests: u64,
    /// Requests to go, by the counts and the page size that the site shows. Grows when new values are
    /// found below others.
    pub left: u64,
    /// Entities' own pages that were read.
    pub details: usize,
    /// Entities' own pages that are requested, among those to go.
    pub details_left: u64,
}

impl std::ops::AddAssign for ProbeProgress {
    fn add_assign(&mut self, other: Self) {
        self.looked += other.looked;
        self.forms += other.forms;
        self.asked += other.asked;
        self.answers += other.answers;
        self.left += other.left;
    }
}

impl std::ops::AddAssign for QueryProgress {
    fn add_assign(&mut self, other: Self) {
        self.known += other.known;
        self.explored += other.explored;
        self.entities += other.entities;
        self.values += other.values;
        self.requests += other.requests;
        self.left += other.left;
        self.details += other.details;
        self.details_left += other.details_left;
    }
}

impl std::ops::AddAssign for IndexProgress {
    fn add_assign(&mut self, other: Self) {
        self.pages += other.pages;
        self.targets += other.targets;
        self.indexes += other.indexes;
        self.left += other.left;
    }
}
