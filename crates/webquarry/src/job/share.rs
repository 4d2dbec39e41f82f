//! Shares work with other programs by way of a database: the frontier of a crawl, or the sites of a harvest.

use std::path::Path;

use anyhow::{Result, bail};
use quarry_harvest::{JobOutcome, StopSignal};
use quarry_store::Project;

#[cfg(not(feature = "postgres"))]
const WITHOUT: &str = "this quarry was built without PostgreSQL; build it with --features postgres";

#[cfg(feature = "postgres")]
pub(super) fn share_frontier(project: &mut Project, url: &str, pages: u64) -> Result<()> {
    use quarry_store::{PostgresFrontier, SharedSettings};
    let settings = SharedSettings { pages: Some(pages), ..SharedSettings::default() };
    project.share_frontier(PostgresFrontier::open(url, settings)?);
    Ok(())
}

#[cfg(not(feature = "postgres"))]
pub(super) fn share_frontier(_: &mut Project, _: &str, _: u64) -> Result<()> {
    bail!(WITHOUT)
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
