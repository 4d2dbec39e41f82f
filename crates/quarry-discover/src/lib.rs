//! Finds further sites that have the same kind of data as known ones: *vote, filter, iterate* (DEXTER, §3.1).
//!
//! In each round ([`SiteDiscovery::run_round`]):
//!
//! 1. Ids of products that several known sites print ([`ids`]) are searched for; a site's score is the share of the ids
//!    that lead to it. Hubs that link to several known sites are asked what else they link to. Both rankings are merged
//!    ([`rank`]).
//! 2. The best K sites pass two filters: by their home page ([`home`], learned while the discovery runs), and by a small
//!    crawl that looks for specifications of the category ([`in_site`]).
//! 3. The ids of the sites that passed are searched for in the next round.
//!
//! Pure: search engines, link graphs and the sites themselves come in as ports ([`DiscoveryPorts`]); [`provider`] has what
//! reads the answers and files of the usual ones. See `docs/algorithms/discover.md`.

mod candidates;
mod config;
mod copies;
mod discovery;
mod explain;
pub mod home;
pub mod ids;
pub mod in_site;
mod judging;
pub mod logistic;
pub mod page;
mod ports;
pub mod provider;
pub mod rank;
mod state;

pub use config::DiscoverConfig;
pub use discovery::{DiscoverError, RoundEnd, SiteDiscovery};
pub use ports::{DiscoveryPorts, Kept, SiteFacts, SiteLookup, SiteSource};
pub use state::{DiscoveryState, KnownSite, STATE_VERSION, SiteCandidate, SiteLine, WebFacts};
