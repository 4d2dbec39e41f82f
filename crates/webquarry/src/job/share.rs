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
    use quarry_store::{SharedSettings, SharedSites, SiteLease};

    /// How often it is looked whether another program has died.
    const LOOK: std::time::Duration = std::time::Duration::from_secs(1);

    let sites = SharedSites::open(database, &SharedSettings::default())?;
    sites.add(&super::sites::by_host(urls))?;
    let mut ending = JobOutcome::Done;
    while !stop.is_stopped() {
        let (site, urls) = match sites.lease()? {
            SiteLease::Taken(site, urls) => (site, urls),
            SiteLease::Wait => {
                std::thread::sleep(LOOK);
                continue;
            }
            SiteLease::Over => return Ok(ending),
        };
        if site.contains(['/', '\\']) || site.starts_with('.') {
            bail!("'{site}' in the database is no name of a site");
        }
        match harvest(&folder.join(super::sites::SITES).join(&site), &urls)? {
            JobOutcome::Interrupted => break,
            JobOutcome::WithFailures => ending = JobOutcome::WithFailures,
            JobOutcome::Done => {}
        }
        sites.finish(&site)?;
    }
    Ok(JobOutcome::Interrupted)
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
