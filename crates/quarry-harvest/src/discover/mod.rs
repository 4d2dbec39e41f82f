//! Discovers further sites: the rounds of `quarry-discover` with real sites, kept in a project so that the same job goes on
//! after any interruption.

mod api;
mod sample;
mod sampler;
mod session;

pub use api::FetchPort;
pub use sample::{Pace, SiteSample, sample_site};
pub use sampler::{SampleSettings, SiteSampler};
pub use session::{
    DiscoverJob, DiscoverSeed, FILTER_FILE, STATE_FILE, WEB_FILE, index_pages, read_discovered,
    run_discovery, seed_pages,
};
