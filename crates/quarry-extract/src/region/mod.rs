//! Ranks the lists of a page: which is the answer (THOR §3.2: QA-pagelets.)

pub mod evidence;
mod pairs;
pub mod rank;
pub(crate) mod site;
pub(crate) mod words;

pub use evidence::RegionEvidence;
