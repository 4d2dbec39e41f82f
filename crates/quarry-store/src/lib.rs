//! All access to files: project folder, WARC archive, SQLite state, tables out.
//!
//! | the question | the answer |
//! |---|---|
//! | what has a crawl left? | [`Project`]: [`quarry_model::Frontier`] and [`quarry_model::PageStore`] in one folder |
//! | how do pages stand in an archive file? | [`warc`] |
//! | what did the site say back then? | [`ReplayFetcher`] |
//! | what is a stage given to work on? | [`open_input`]; files of lines: [`open_lines`] |
//! | what was found of an entity? | [`DiskEvidence`]: [`quarry_model::EvidenceStore`] with bounded memory |
//! | how do tables leave? | [`Project::export`], [`table`] |

mod archive;
mod catalog;
mod cdxj;
mod error;
mod evidence;
mod export;
mod input;
mod lines;
mod memory;
mod project;
mod replay;
mod shared;
mod surt;
pub mod table;
pub mod warc;
mod whole;

pub use archive::ArchiveSettings;
pub use error::{StoreError, advice};
pub use evidence::DiskEvidence;
pub use export::{EntityTable, Table};
pub use input::{Input, open_input};
pub use lines::open_lines;
pub use memory::MemoryStore;
pub use project::{FactCounts, Opened, Project, RunId, StoreSettings, StoredIssue};
pub use replay::ReplayFetcher;
pub use shared::SharedFrontier;
#[cfg(feature = "postgres")]
pub use shared::{AddressLookup, PostgresFrontier, SharedSettings, SharedSites, SiteLease};
pub use surt::surt;
pub use whole::{write_private, write_whole};
