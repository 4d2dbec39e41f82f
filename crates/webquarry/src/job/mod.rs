//! What a crawl or a harvest needs to know, by the command line and the settings, and how it is run.

mod harvest;
pub(crate) mod providers;
mod render;
mod settings;
mod share;
mod sites;
mod summary;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use quarry_crawl::{Address, Stop, seed};
use quarry_fetch::HttpFetcher;
use quarry_harvest::crawl::{SWEEP, crawl};
use quarry_harvest::{Observer, RecrawlPolicy, SiteCrawl, StopSignal};
use quarry_store::warc::ReadLimits;
use quarry_store::{ArchiveSettings, Project, ReplayFetcher, StoreSettings};

use crate::args::Global;
use crate::config::{Config, FILE, File, Layer, PauseFlag, Settings, StrategyFlag};
use crate::screen::Screen;

pub(crate) use harvest::{HarvestOptions, harvest_files, harvest_sites};
pub(crate) use share::share_sites;
pub(crate) use sites::{discovered, jobs};

/// Everything one crawl needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) folder: PathBuf,
    /// Without user names and passwords.
    pub(crate) seeds: Vec<String>,
    /// User names and passwords of seeds, by origin.
    pub(crate) logins: BTreeMap<String, (String, String)>,
    /// The seeds as typed, for the settings file.
    typed: Vec<String>,
    pub(crate) settings: Settings,
    /// The pause between requests is the default one, which hosts of this machine are spared.
    pub(crate) default_delay: bool,
    pub(crate) replay: Vec<PathBuf>,
    pub(crate) again: RecrawlPolicy,
    /// The database whose frontier this crawl shares with others, and what the pause holds for.
    frontier: Option<(String, PauseFlag)>,
}

impl Job {
    /// A crawl into this folder, and the settings file that it has. `layers`: the defaults of the command, and its flags.
    pub(crate) fn new(
        global: &Global,
        folder: PathBuf,
        urls: Vec<String>,
        layers: (Layer, Layer),
        replay: Vec<PathBuf>,
    ) -> Result<(Self, File)> {
        let config = Config::load(global.config.as_deref(), Some(&folder), layers)?;
        let seeds = if urls.is_empty() { config.file.seeds.clone() } else { urls };
        if seeds.is_empty() {
            bail!("say where to begin: an address, and the folder with -p {}", folder.display());
        }
        let default_delay = config.is_default("delay");
        let (plain, logins) = seed::without_logins(&seeds);
        let job = Self {
            folder,
            seeds: plain,
            logins,
            typed: seeds,
            settings: config.settings,
            default_delay,
            replay,
            again: RecrawlPolicy::Never,
            frontier: None,
        };
        Ok((job, config.file))
    }

    /// Takes requests from a frontier that other crawlers share. Only a crawl of every page can be shared: other strategies plan, and one
    /// planner does not know what another one has found.
    pub(crate) fn share(&mut self, url: String, pause_per: PauseFlag) -> Result<()> {
        match self.settings.strategy {
            StrategyFlag::All => {}
            StrategyFlag::Auto => self.settings.strategy = StrategyFlag::All,
            _ => bail!("only --strategy all can share a frontier"),
        }
        self.frontier = Some((url, pause_per));
        Ok(())
    }

    /// The same for a harvest: its settings are kept in the project, and a site that was harvested is gone through again.
    pub(crate) fn prepare(
        global: &Global,
        folder: PathBuf,
        urls: Vec<String>,
        flags: Layer,
    ) -> Result<Self> {
        let verb = Layer { details: Some(true), sweep: Some(SWEEP), ..Layer::default() };
        let (mut job, file) = Self::new(global, folder, urls, (verb, flags.clone()), Vec::new())?;
        job.again = RecrawlPolicy::IfHarvested;
        // A crawl of the project goes on with what the harvest did.
        let (details, sweep) = (Some(job.settings.details), Some(job.settings.sweep));
        job.keep_settings(flags.over(Layer { details, sweep, ..Layer::default() }), file)?;
        Ok(job)
    }

    /// Crawls; the project comes back so that its report can be read.
    pub(crate) fn run(&self, stop: &StopSignal, screen: &mut Screen) -> Result<(Stop, Project)> {
        let job = self.crawl_job()?;
        // Wrong settings are found before anything is written.
        job.check()?;
        if self.replay.is_empty() {
            let fetcher = HttpFetcher::new(self.fetch_settings()?)?;
            let mut project = self.open()?;
            return Ok((crawl(&job, &mut project, &fetcher, stop, screen)?, project));
        }
        let mut project = self.open()?;
        let fetcher = match self.replay.as_slice() {
            [folder] if folder.is_dir() => ReplayFetcher::from_project(folder)?,
            files => ReplayFetcher::from_warc(files, &ReadLimits::default())?,
        };
        for issue in fetcher.issues() {
            screen.line(&format!("the archive has a damaged place: {issue}"));
        }
        Ok((crawl(&job, &mut project, &fetcher, stop, screen)?, project))
    }

    /// The crawl with its project and fetcher, as a harvest takes it.
    fn site(&self) -> Result<SiteCrawl<Project, HttpFetcher>> {
        let job = self.crawl_job()?;
        job.check()?;
        let fetcher = HttpFetcher::new(self.fetch_settings()?)?;
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(SiteCrawl { name, job, store: self.open()?, fetcher })
    }

    fn open(&self) -> Result<Project> {
        let archive =
            ArchiveSettings { rotate_at: self.settings.warc_size.0, ..Default::default() };
        let settings = StoreSettings { archive, ..StoreSettings::default() };
        let mut project = Project::create_or_open(&self.folder, &settings)?;
        if let Some((url, pause_per)) = &self.frontier {
            // Where nothing pauses, no hosts need to be kept together.
            let per = if self.settings.delay.0.is_zero() { PauseFlag::Host } else { *pause_per };
            // A proxy resolves names by itself.
            let per = if self.settings.proxy.is_empty() { per } else { per.min(PauseFlag::Domain) };
            let spares_loopback = self.default_delay;
            share::share_frontier(&mut project, url, self.settings.limit, (per, spares_loopback))?;
        }
        Ok(project)
    }

    /// Keeps seeds and flags in the project, so that `quarry crawl -p DIR` goes on in the same way.
    pub(crate) fn keep_settings(&self, flags: Layer, file: File) -> Result<()> {
        let path = self.folder.join(FILE);
        if path.exists() {
            return Ok(());
        }
        // A kill may have left the settings half written.
        let partial = std::ffi::OsString::from(format!("{FILE}.partial"));
        let is_foreign = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.is_ok_and(|entry| entry.file_name() != partial)
        };
        if self.folder.is_dir()
            && self.folder.read_dir().is_ok_and(|mut inside| inside.any(is_foreign))
        {
            bail!(
                "{} exists, is not empty and is not a quarry project; name another folder with -p",
                self.folder.display()
            );
        }
        // Found now rather than after the folder stands.
        self.crawl_job()?.check()?;
        self.fetch_settings()?;
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot create the folder {}", self.folder.display()))?;
        let crawl = flags.over(file.crawl);
        let File { expect, columns, .. } = file;
        File { seeds: self.typed.clone(), crawl, expect, columns }.write(&path)
    }
}

/// A folder named after the first host.
pub(crate) fn folder_of(urls: &[String]) -> Result<PathBuf> {
    let Some(first) = urls.first() else {
        bail!("say where to begin (quarry crawl URL) or which project to go on with (-p DIR)");
    };
    let address = Address::of_seed(first);
    let address = address.with_context(|| format!("'{first}' is not a web address"))?;
    Ok(Path::new(&address.plain_host().replace(':', "_")).to_owned())
}
