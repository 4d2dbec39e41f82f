//! Shares work with other programs by way of a database: the frontier of a crawl, or the sites of a harvest.

use std::path::Path;

use anyhow::{Result, bail};
use quarry_harvest::{JobOutcome, StopSignal};
use quarry_store::Project;

use crate::config::PauseFlag;

#[cfg(not(feature = "postgres"))]
const WITHOUT: &str = "this quarry was built without PostgreSQL; build it with --features postgres";

/// `pause`: what the pause between requests holds for, and whether hosts of this machine are spared.
#[cfg(feature = "postgres")]
pub(super) fn share_frontier(
    project: &mut Project,
    url: &str,
    pages: u64,
    pause: (PauseFlag, bool),
) -> Result<()> {
    use quarry_store::{AddressLookup, PostgresFrontier, SharedSettings};
    let (pause_per, spares_loopback) = pause;
    let lookup = AddressLookup::new(move |host| {
        let mut addresses = addresses_of(host);
        addresses.retain(|address| !(spares_loopback && address.is_loopback()));
        addresses
    });
    let settings = SharedSettings {
        pages: Some(pages),
        by_domain: pause_per >= PauseFlag::Domain,
        addresses: (pause_per == PauseFlag::Address).then_some(lookup),
        ..SharedSettings::default()
    };
    project.share_frontier(PostgresFrontier::open(url, settings)?);
    Ok(())
}

#[cfg(not(feature = "postgres"))]
pub(super) fn share_frontier(_: &mut Project, _: &str, _: u64, _: (PauseFlag, bool)) -> Result<()> {
    bail!(WITHOUT)
}

/// The IP addresses of a host (`scheme://host:port`), as the system's resolver has them; none if it has none.
#[cfg(feature = "postgres")]
fn addresses_of(host: &str) -> Vec<std::net::IpAddr> {
    let found = url::Url::parse(host).ok().and_then(|host| host.socket_addrs(|| None).ok());
    found.into_iter().flatten().map(|address| address.ip().to_canonical()).collect()
}

/// Harvests sites of a list that other programs share, one after the other, until all are done. Each has a folder in `sites`.
#[cfg(feature = "postgres")]
pub(crate) fn share_sites(
    database: &str,
    folder: &Path,
    urls: &[String],
    stop: &StopSignal,
    harvest: &mut dyn FnMut(&Path, &[String]) -> Result<JobOutcome>,
) -> Result<JobOutcome> {
    use quarry_store::{SharedSettings, SharedSites};
    let sites = SharedSites::open(database, &SharedSettings::default())?;
    sites.add(&quarry_crawl::seed::by_host(urls))?;
    let mut ending = JobOutcome::Done;
    let is_over = sites.each(
        || stop.is_stopped(),
        |site, urls| -> Result<bool> {
            if site.contains(['/', '\\']) || site.starts_with('.') {
                bail!("'{site}' in the database is no name of a site");
            }
            let own = harvest(&folder.join(super::sites::SITES).join(site), urls)?;
            ending = ending.max(own);
            Ok(own != JobOutcome::Interrupted)
        },
    )?;
    Ok(if is_over { ending } else { JobOutcome::Interrupted })
}

#[cfg(not(feature = "postgres"))]
pub(crate) fn share_sites(
    _: &str,
    _: &Path,
    _: &[String],
    _: &StopSignal,
    _: &mut dyn FnMut(&Path, &[String]) -> Result<JobOutcome>,
) -> Result<JobOutcome> {
    bail!(WITHOUT)
}
