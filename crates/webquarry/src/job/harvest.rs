//! Runs a harvest: of sites that are crawled first, or of pages that are there.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use quarry_crawl::Stop;
use quarry_extract::attribute::SeedDb;
use quarry_fetch::HttpFetcher;
use quarry_harvest::crawl::now;
use quarry_harvest::report::asked_again;
use quarry_harvest::{
    AssembleConfig, CrawlOutcome, Harvest, HarvestPhase, JobOutcome, Observer, PageInputs,
    SiteCrawl, StopSignal, Work, crawl_sites, crawled_pages,
};
use quarry_model::{TableStore, Timestamp};
use quarry_store::{DiskEvidence, Project, StoreSettings, open_input};

use super::{Job, sites, summary};
use crate::args::{DEFAULT_MEMORY_MB, HarvestArgs};
use crate::config::{column_rules, expectations};
use crate::printer::Printer;
use crate::screen::Screen;

/// How tables are made, beside what is crawled.
pub(crate) struct HarvestOptions {
    /// Known records.
    pub(crate) seeds: Option<SeedDb>,
    /// Whether what earlier harvests have learned is forgotten.
    pub(crate) relearn: bool,
    /// Memory for the values that are read.
    pub(crate) memory_mb: usize,
}

impl Default for HarvestOptions {
    fn default() -> Self {
        Self { seeds: None, relearn: false, memory_mb: DEFAULT_MEMORY_MB }
    }
}

impl HarvestOptions {
    /// The same without known records.
    pub(crate) fn plain(&self) -> Self {
        Self { seeds: None, relearn: self.relearn, memory_mb: self.memory_mb }
    }

    /// Half of the memory is for values that are not yet on disk; a quarter for the sample of entities that decides the columns, which takes
    /// about as much again while it is compared.
    fn evidence_bytes(&self) -> usize {
        (self.memory_mb << 20) / 2
    }

    /// How the table of a project is assembled: what its settings file says of columns holds.
    fn assemble(&self, folder: &Path) -> Result<AssembleConfig> {
        let sample_bytes = (self.memory_mb << 20) / 4;
        let columns = column_rules(folder)?;
        Ok(AssembleConfig { sample_bytes, columns, ..AssembleConfig::default() })
    }
}

/// Crawls, and makes tables of what came.
pub(crate) fn harvest_sites(
    folder: &Path,
    jobs: &[Job],
    options: HarvestOptions,
    stop: &StopSignal,
    screen: &mut Screen,
    printer: &mut Printer,
) -> Result<JobOutcome> {
    let mut sites = jobs.iter().map(Job::site).collect::<Result<Vec<_>>>()?;
    let many = sites.len();
    sites.iter_mut().for_each(|site| site.job.keep_time_for_tables(many));
    let end = end_of_time(&sites)?;
    screen.phase(HarvestPhase::Crawl);
    let crawls = crawl_sites(&mut sites, stop, screen)?;
    let asked: Vec<String> =
        crawls.iter().filter_map(|crawl| crawl.run.again.as_ref()).map(asked_again).collect();
    let _time = stop.work_until(end, Work::Tables);
    let pages = crawled_pages(&crawls, screen, |at| pages_of(&jobs[at].folder, None))?;
    let (assemble, evidence_bytes) = (options.assemble(folder)?, options.evidence_bytes());
    let HarvestOptions { seeds, relearn, .. } = options;
    let expect = expectations(folder)?;
    let job = Harvest { pages, crawls, seeds, relearn, expect, assemble };
    let ending = match (jobs, sites.as_mut_slice()) {
        ([job_of_one], [SiteCrawl { store, .. }]) if job_of_one.folder == folder => {
            finish(job, evidence_bytes, store, folder, screen, printer)?
        }
        // Of several sites each has a project; the tables have another.
        (_, sites) => {
            let mut project = Project::create_or_open(folder, &StoreSettings::default())?;
            let ending = finish(job, evidence_bytes, &mut project, folder, screen, printer)?;
            sites.iter_mut().try_for_each(|site| TableStore::note_harvest(&mut site.store))?;
            ending
        }
    };
    asked.iter().for_each(|line| screen.line(line));
    Ok(ending)
}

/// When the time for all of these sites and their tables is over; an end that is never reached if one has no limit. Where an earlier run has
/// used it up, there is still what is kept for the tables.
fn end_of_time(sites: &[SiteCrawl<Project, HttpFetcher>]) -> Result<Timestamp> {
    sites.iter().try_fold(now(), |latest, site| {
        let used = site.store.used()?;
        let end = site.job.end_of_time(used.time).unwrap_or(Timestamp(i64::MAX));
        Ok(latest.max(end).max(now().plus(site.job.kept_for_tables(&used))))
    })
}

/// Makes tables, and shows what came of it.
fn finish(
    job: Harvest,
    evidence_bytes: usize,
    project: &mut Project,
    folder: &Path,
    screen: &mut Screen,
    printer: &mut Printer,
) -> Result<JobOutcome> {
    let folder_of_runs = folder.join("evidence");
    let mut evidence = DiskEvidence::create(&folder_of_runs, evidence_bytes)?;
    let harvested = job.run(project, &mut evidence, screen)?;
    summary::show(printer, project, folder, &harvested.sites)?;
    harvested.warnings.iter().for_each(|warning| screen.line(warning));
    Ok(harvested.ending)
}

/// The pages of a project or a folder.
fn pages_of(folder: &Path, urls: Option<&Path>) -> Result<PageInputs> {
    let mut pages = PageInputs::new(open_input(&[folder.to_owned()], urls)?);
    pages.name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(pages)
}

/// Makes tables of pages that are there.
pub(crate) fn harvest_files(
    args: &HarvestArgs,
    files: &[String],
    options: HarvestOptions,
    screen: &mut Screen,
    printer: &mut Printer,
) -> Result<JobOutcome> {
    let paths: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let is_project = |path: &&PathBuf| path.join("state.sqlite").is_file();
    let folder = match (&args.project, paths.as_slice()) {
        (Some(folder), _) => folder.clone(),
        // A project is its own place.
        (None, [own]) if is_project(&own) => own.clone(),
        (None, _) => bail!("say where the tables go: quarry harvest {} -p DIR", files[0]),
    };
    let paths: Vec<PathBuf> =
        paths.iter().map(|path| sites::parts(path)).collect::<Result<Vec<_>>>()?.concat();
    // Folders are sites of their own; files belong together.
    let (folders, single): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(|path| path.is_dir());
    let urls = args.urls.as_deref();
    let mut pages = Vec::new();
    for folder in &folders {
        pages.push(pages_of(folder, urls)?);
    }
    if !single.is_empty() {
        pages.push(PageInputs::new(open_input(&single, urls)?));
    }
    if let [only] = pages.as_mut_slice() {
        only.name = None;
    }
    let read = |path: &PathBuf| -> Result<CrawlOutcome> {
        let project = Project::open_read_only(path, &StoreSettings::default())?;
        Ok(CrawlOutcome::of(&project, Stop::Finished)?)
    };
    let crawls = paths.iter().filter(is_project).map(read).collect::<Result<_>>()?;
    let mut project = Project::create_or_open(&folder, &StoreSettings::default())?;
    let expect = expectations(&folder)?;
    let (assemble, evidence_bytes) = (options.assemble(&folder)?, options.evidence_bytes());
    let HarvestOptions { seeds, relearn, .. } = options;
    let job = Harvest { pages, crawls, seeds, relearn, expect, assemble };
    finish(job, evidence_bytes, &mut project, &folder, screen, printer)
}
