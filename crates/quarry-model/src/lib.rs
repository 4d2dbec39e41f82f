//! The vocabulary: plain data that is stored or sent between the crates, and the ports
//! (traits) to the outside world.
//!
//! # Glossary
//!
//! | word | what it is |
//! |---|---|
//! | [`Request`] | one thing to ask a server: method, address, body, validators |
//! | [`Exchange`] | one request as it was sent, with the response as it came |
//! | [`Fetched`] | all exchanges that one request led to: redirect hops, then an [`Outcome`] |
//! | [`Outcome`] | the last response, or the [`Failure`] that took its place |
//! | [`Candidate`] | a request that somebody proposes, with its depth and priority |
//! | [`Entry`] | a candidate that the [`Frontier`] has accepted and leased out |
//! | [`Capture`] | an exchange about to be archived, with what the crawl knows of it |
//! | [`PageRow`] | one archived page: the row that makes it exist |
//! | [`SkipReason`] | why an address was not asked |
//! | [`Issue`] | something odd that was met, counted and shown; never a reason to stop |
//! | [`RunReport`] | the counts of a run |
//! | [`Evidence`] | one value of one entity, found in one place; everything in the tables is made of it |
//! | [`ValueSource`] | what kind of place a value comes from: facet, list, page, spec, embedded, match |
//! | [`Rendering`] | a page as its scripts left it, kept beside what the server sent |
//! | state of a page | what a page shows after a word was typed or a box checked; its address has parameters that begin with [`STATE_PREFIX`] and is never sent |
//! | round | one way through a site; a later one asks what may have changed ([`RoundReport`]) |
//!
//! Ports: [`Fetcher`] (HTTP, replay from an archive), [`Frontier`] (SQLite, memory),
//! [`PageStore`] (WARC project, memory), [`Renderer`] (Chromium), [`EvidenceStore`] (disk, memory); [`CrawlStore`], [`ModelStore`],
//! [`TableReader`], [`TableStore`] and [`PageSource`] are what a harvest needs of a project; [`SearchProvider`] and [`LinkProvider`]
//! know the web as a whole. [`conformance`] holds one suite for each port with several implementations, which all of them must pass.
//!
//! # Words of extraction
//!
//! Their types stand in `quarry-dom` and `quarry-extract`, those of queries in `quarry-crawl`, those of
//! tables in `quarry-assemble`.
//!
//! | word | what it is |
//! |---|---|
//! | site | the pages below one host or path that are crawled and learned together |
//! | page | one archived answer with content; its request key identifies it |
//! | `Document` | a parsed page: its nodes in one list, in document order |
//! | `PageIndex` | facts about a document that every stage reads: leaves, style keys, paths, sums over subtrees |
//! | `Link`, `LinkMap` | a link of a page, resolved; all links of a page, classified (entities, facets, paging, orders …) |
//! | `Form` | a form of a page with its controls, labels and options |
//! | leaf | a shown text or image of a page |
//! | style key | a hash of an element's name and classes, digits aside: elements that look alike have the same one |
//! | locator | one way to find a node on other pages of the site; there are seven kinds (`LocatorKind`) |
//! | node path | an XPath from the root; where every value came from |
//! | `PageCluster` | pages of a site that were made from the same template |
//! | list page, detail page | a page with records of several entities; a page about one entity |
//! | paging | the links to the other pages of a list: next, previous, numbers |
//! | `Region` | a part of a page that holds a list of records (THOR's QA-pagelet) |
//! | `RecordSpan` | the nodes of one record: one element, or several siblings (a QA-object) |
//! | anchor | a leaf that each record of a list has just once; it proposes where records begin and end |
//! | template graph (`Template`) | the slots of a record template, and which of them follows which |
//! | `Slot` | a position of a template that is the same in every record |
//! | `DataUnit` | the value of a slot in one record |
//! | decorative tag | a tag that only embellishes a part of a data unit |
//! | label | the template text that names a slot or a value |
//! | fragment | rows of a page that may be a specification: part of a table, a list, a box of pairs |
//! | `Spec` | a specification: names and values that describe the product of a page |
//! | wrapper | rules, learned from known pairs, that select the names and values of a site |
//! | seed | records that are known before a site is read (`SeedDb`); matching finds their attributes on its pages |
//! | column (of a site's texts) | texts of different pages that the same locator finds |
//! | decoy | a made-up seed record; how well decoys match says what chance does |
//! | domain similarity | how surely a site is about the same kind of entity as the seed |
//! | `SiteModel` | everything that was learned of a site, as plain versioned data |
//! | fit | the share of what a page usually gives that a model still reads from it; a low one is drift |
//! | `Field` | a value that was read from a page, with its node and confidence |
//! | facet | an attribute by which a list can be narrowed, with the values that it offers |
//! | predicate, query | one `attribute = value`; a set of predicates that the site can answer |
//! | `QueryGraph` | the queries of a site, the entities that each returns, and which query narrows which |
//! | view | the same entities in another order, grouping or page size; not a facet |
//! | order | a view that sorts a list differently |
//! | entity | one thing that the site describes; a row of its table |
//! | thing | what entities of several sites describe alike: one book in five shops; a row of the table `things` |
//! | aligned column | columns of several sites that are one attribute, by the values of linked entities |
//! | kind of entity | entities with pages or records of one template (films, people); each kind has a table |
//! | hub | a site or page that links to several sites of one kind |
//! | provider | who knows the web as a whole: a search engine, a graph of links |
//! | relevant site | a site with specifications of the wanted category |
//! | table, column, value | what a harvest makes: a row per entity, a column per attribute, each value with its source |

pub mod conformance;
mod evidence;
mod fact;
mod fetch;
mod frontier;
mod page;
mod project;
mod provider;
mod render;
mod report;
mod time;

pub use evidence::{
    EntityEvidence, Evidence, EvidenceRole, EvidenceStore, MAX_REPETITIONS, NameOrigin,
    canonical_address,
};
pub use fact::{
    ColumnKind, ColumnOfKind, ColumnRow, EntityCell, EntityRow, EntityState, QueryRow, ThingRow,
    ValueRow, ValueSource,
};
pub use fetch::{
    Exchange, Failure, Fetched, Fetcher, Headers, Method, Outcome, Phase, Request, Response,
    Truncation, Validators,
};
pub use frontier::{
    Added, Candidate, End, Entry, EntryId, Frontier, FrontierCounts, HostHold, HostRecord,
    HostWork, RequestRole, RobotsRecord,
};
pub use page::{Capture, PageRow, PageStore};
pub use project::{
    CrawlStore, InputPage, ModelStore, PageSource, PortError, RequestState, Round, TableReader,
    TableStore, Used,
};
pub use provider::{LinkProvider, ProviderError, SearchProvider, site_of};
pub use render::{
    BoxedFuture, PageStep, PartKind, PartRefusal, PartSource, RenderFailure, RenderJob, Rendered,
    Renderer, Rendering, STATE_PREFIX, StepKind, is_choice,
};
pub use report::{Issue, IssueKind, RoundReport, RunReport, SkipReason};
pub use time::Timestamp;
