//! A frontier that several crawlers share: one crawl on many machines, each with a project of its own for its pages.

#[cfg(feature = "postgres")]
mod connection;
#[cfg(feature = "postgres")]
mod groups;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
mod schema;
#[cfg(feature = "postgres")]
mod sites;
#[cfg(feature = "postgres")]
mod statements;
#[cfg(feature = "postgres")]
mod tls;

use quarry_model::Frontier;

use crate::StoreError;

#[cfg(feature = "postgres")]
pub use self::groups::AddressLookup;
#[cfg(feature = "postgres")]
pub use self::postgres::{PostgresFrontier, SharedSettings};
#[cfg(feature = "postgres")]
pub use self::sites::{SharedSites, SiteLease};

/// A frontier that other crawlers share.
///
/// What is finished is told to the others at [`SharedFrontier::commit`], which is called when its pages are on disk: a crawler that is killed
/// before leaves entries that another one asks again.
pub trait SharedFrontier: Frontier<Error = StoreError> + Send {
    /// Ends what was finished since the last time, and says that this crawler is alive. Called about once a second.
    fn commit(&mut self) -> Result<(), StoreError>;
}
