//! The crawls that a harvest consists of: one, or one for each host, each with a project of its own inside.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use quarry_crawl::seed::by_host;
use quarry_harvest::discover::read_discovered;
use quarry_store::{Project, StoreSettings};

use super::Job;
use crate::args::Global;
use crate::config::{FILE, Layer, StrategyFlag};

/// The folder in a project of several sites that holds the project of each.
pub(super) const SITES: &str = "sites";

/// The jobs of a harvest: one, or one for each host, each with a project of its own inside.
pub(crate) fn jobs(
    global: &Global,
    folder: &Path,
    urls: &[String],
    flags: &Layer,
) -> Result<Vec<Job>> {
    let hosts = by_host(urls);
    let within = folder.join(SITES);
    if let [] | [_] = hosts.as_slice() {
        if urls.is_empty() && within.is_dir() {
            return again(global, &within, flags);
        }
        return Ok(vec![Job::prepare(global, folder.to_owned(), urls.to_vec(), flags.clone())?]);
    }
    if folder.join(FILE).exists() {
        bail!(
            "{} holds the project of one site; name another folder with -p for several",
            folder.display()
        );
    }
    let prepare = |(host, urls)| Job::prepare(global, within.join(host), urls, flags.clone());
    hosts.into_iter().map(prepare).collect()
}

/// The sites that a discovery has found for a project, those that it began with first, and the category.
pub(crate) fn discovered(folder: &Path) -> Result<(Vec<String>, Layer)> {
    let project = Project::open_read_only(folder, &StoreSettings::default())?;
    let found = read_discovered(&project)?.with_context(|| {
        format!(
            "nothing was discovered for {0} yet; run quarry discover -p {0} first",
            folder.display()
        )
    })?;
    let mut sites: Vec<_> = found.known.into_values().collect();
    sites.sort_by(|one, other| (one.round, &one.url).cmp(&(other.round, &other.url)));
    let strategy = found.category.as_ref().map(|_| StrategyFlag::Index);
    let layer = Layer { strategy, category: found.category, ..Layer::default() };
    Ok((sites.into_iter().map(|site| site.url).collect(), layer))
}

/// The jobs of a project of several sites, in the order of their folders.
fn again(global: &Global, within: &Path, flags: &Layer) -> Result<Vec<Job>> {
    folders(within)?
        .into_iter()
        .map(|folder| Job::prepare(global, folder, Vec::new(), flags.clone()))
        .collect()
}

/// The projects inside a project of several sites; of anything else, itself.
pub(super) fn parts(path: &Path) -> Result<Vec<PathBuf>> {
    let within = path.join(SITES);
    let several = path.join("state.sqlite").is_file() && within.is_dir();
    if several { folders(&within) } else { Ok(vec![path.to_owned()]) }
}

/// The folders of the sites, sorted.
fn folders(within: &Path) -> Result<Vec<PathBuf>> {
    let paths = within.read_dir().and_then(|all| all.map(|entry| Ok(entry?.path())).collect());
    let mut folders: Vec<PathBuf> =
        paths.with_context(|| format!("cannot read the folder {}", within.display()))?;
    folders.sort();
    Ok(folders)
}
