//! The only disk: project folder, WARC archive, SQLite state, tables out.
//!
//! | the question | the answer |
//! |---|---|
//! | what has a crawl left? | [`Project`]: [`quarry_model::Frontier`] and [`quarry_model::PageStore`] in one folder |
//! | how do pages stand in an archive file? | [`warc`] |

mod archive;
mod error;
mod memory;
mod project;
pub mod warc;

pub use archive::ArchiveSettings;
pub use error::StoreError;
pub use memory::MemoryStore;
pub use project::{Opened, Project, RunId, StoreSettings, StoredIssue};
