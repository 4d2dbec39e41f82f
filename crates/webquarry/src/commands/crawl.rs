//! `quarry crawl`: fetches a site into a project folder, or goes on doing so.

mod settings;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use quarry_crawl::{BudgetKind, Engine, Spent, Stop};
use quarry_fetch::HttpFetcher;
use quarry_model::RunReport;
use quarry_store::warc::ReadLimits;
use quarry_store::{ArchiveSettings, Project, ReplayFetcher, StoreError, StoreSettings, Used};

use super::{Ending, auto, report, strategy};
use crate::args::{CrawlArgs, Global};
use crate::config::{Config, FILE, File, Layer, Settings, StrategyName};
use crate::driver::{self, Terms, now};
use crate::printer::{Printer, bytes, seconds, thousands};
use crate::screen::Screen;

pub(crate) fn run(global: &Global, args: CrawlArgs, printer: &mut Printer) -> Result<Ending> {
    let folder = match args.project {
        Some(folder) => folder,
        None => folder_of(&args.urls)?,
    };
    let (mut job, file) = Job::new(global, folder, args.urls, args.settings.clone(), args.replay)?;
    job.again = if args.again { Again::IfOver } else { Again::Never };
    if args.dry_run {
        return job.describe(printer);
    }
    job.keep_settings(args.settings, file)?;
    let mut screen = Screen::new(global);
    let outcome = job.run(&mut screen);
    screen.clear();
    let (stop, project) = outcome?;
    let counts = project.report()?;
    report::summary(printer, &job.folder, &counts)?;
    strategy::show(printer, &strategy::read(&project)?)?;
    if let Some(again) = &counts.again {
        screen.say(&report::asked_again(again));
    }
    screen.say(&why(stop, &counts, &job.folder));
    Ok(ending(stop, &counts))
}

/// How a crawl ended.
pub(crate) fn ending(stop: Stop, counts: &RunReport) -> Ending {
    match stop {
        Stop::Interrupted => Ending::Interrupted,
        Stop::Finished | Stop::Budget(_) if counts.failed > 0 => Ending::WithFailures,
        // Only a host that is left alone keeps addresses from being asked.
        Stop::Finished if counts.queued > 0 => Ending::WithFailures,
        Stop::Finished | Stop::Budget(_) => Ending::Done,
    }
}

/// What a crawl does, by the settings or by what was seen.
#[derive(Debug, Clone)]
pub(crate) enum Plan {
    /// A strategy, from the seeds on.
    Named(StrategyName),
    /// Queries, from these lists on.
    Queries(Vec<String>),
    /// A look at so many links of the seeds.
    Look(usize),
}

impl Plan {
    pub(crate) fn of(name: StrategyName) -> Self {
        Self::Named(name)
    }
}

/// When a crawl begins again from its seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Again {
    /// It only goes on.
    #[default]
    Never,
    /// If nothing is left to ask.
    IfOver,
    /// If nothing is left to ask and tables were made of it.
    IfHarvested,
}

/// Everything one crawl needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) folder: PathBuf,
    pub(crate) seeds: Vec<String>,
    pub(crate) settings: Settings,
    /// Nobody has said how long the pause is, so hosts of this machine are spared it.
    pub(crate) default_delay: bool,
    pub(crate) replay: Vec<PathBuf>,
    pub(crate) again: Again,
}

impl Job {
    /// A crawl into this folder, and the settings file that it has.
    fn new(
        global: &Global,
        folder: PathBuf,
        urls: Vec<String>,
        flags: Layer,
        replay: Vec<PathBuf>,
    ) -> Result<(Self, File)> {
        let config = Config::load(global.config.as_deref(), Some(&folder), flags)?;
        let seeds = if urls.is_empty() { config.file.seeds.clone() } else { urls };
        if seeds.is_empty() {
            bail!("say where to begin: an address, and the folder with -p {}", folder.display());
        }
        let default_delay = config.is_default("delay");
        let job = Self {
            folder,
            seeds,
            settings: config.settings,
            default_delay,
            replay,
            again: Again::Never,
        };
        Ok((job, config.file))
    }

    /// The same for a harvest: its settings are kept in the project, and a site that was harvested is gone through again.
    pub(crate) fn prepare(
        global: &Global,
        folder: PathBuf,
        urls: Vec<String>,
        flags: Layer,
    ) -> Result<Self> {
        let (mut job, file) = Self::new(global, folder, urls, flags.clone(), Vec::new())?;
        job.again = Again::IfHarvested;
        job.keep_settings(flags, file)?;
        Ok(job)
    }

    /// Crawls; the project comes back so that its report can be read.
    pub(crate) fn run(&self, screen: &mut Screen) -> Result<(Stop, Project)> {
        let pages = self.begin_round(screen)?;
        let (stop, mut project) = match self.settings.strategy {
            StrategyName::Auto => auto::run(self, screen)?,
            strategy => self.run_with(&Plan::of(strategy), screen)?,
        };
        // Queued addresses of hosts that are left alone are tried once more, but not for ever.
        let is_whole = project.report()?.queued == 0;
        if stop == Stop::Finished && (is_whole || project.used()?.pages == pages) {
            project.end_round(is_whole, now())?;
        }
        Ok((stop, project))
    }

    /// Begins another round if the last one is over, or has used up its budget. Says how many pages the round has so far.
    fn begin_round(&self, screen: &Screen) -> Result<u64> {
        let Some(project) = self.existing()? else { return Ok(0) };
        let used = project.used()?;
        let round = *project.round();
        drop(project);
        let is_over = round.is_over || self.is_used_up(&used);
        let begins = match self.again {
            Again::Never => false,
            Again::IfOver => is_over,
            Again::IfHarvested => is_over && round.is_harvested,
        };
        if !begins {
            return Ok(used.pages);
        }
        let mut project = Project::open(&self.folder, &self.store())?;
        project.begin_round(now())?;
        let number = project.round().number;
        screen.say(&format!("round {number}: asking again for what may have changed"));
        Ok(0)
    }

    /// Notes that tables were made of what the crawl has brought: the next harvest begins it again.
    pub(crate) fn note_harvest(&self) -> Result<()> {
        Ok(Project::open(&self.folder, &self.store())?.note_harvest()?)
    }

    fn is_used_up(&self, used: &Used) -> bool {
        let settings = &self.settings;
        used.pages >= settings.limit
            || used.bytes >= settings.max_bytes.0
            || used.time >= settings.max_time.0
    }

    /// The project, if it was begun.
    pub(crate) fn existing(&self) -> Result<Option<Project>> {
        if !self.folder.join("state.sqlite").exists() {
            return Ok(None);
        }
        match Project::open_read_only(&self.folder, &self.store()) {
            // It was broken off before it had tables.
            Err(StoreError::NotAProject { .. }) => Ok(None),
            opened => Ok(Some(opened?)),
        }
    }

    fn store(&self) -> StoreSettings {
        let archive =
            ArchiveSettings { rotate_at: self.settings.warc_size.0, ..Default::default() };
        StoreSettings { archive, ..StoreSettings::default() }
    }

    /// Crawls with this strategy, whatever the settings say, and keeps what it found out.
    pub(crate) fn run_with(&self, plan: &Plan, screen: &mut Screen) -> Result<(Stop, Project)> {
        let (stop, mut project, engine) = self.crawl(plan, screen)?;
        // Half a round knows less than the one before.
        if project.round().number == 1 || stop == Stop::Finished {
            strategy::keep(&mut project, &engine)?;
            project.commit()?;
        }
        Ok((stop, project))
    }

    /// Crawls with this strategy for the sake of the pages.
    pub(crate) fn crawl(
        &self,
        plan: &Plan,
        screen: &mut Screen,
    ) -> Result<(Stop, Project, Engine)> {
        // Wrong settings are found before anything is written.
        let mut engine = Engine::new(self.crawl_settings(plan, Spent::default())?)?;
        let mut project = Project::create_or_open(&self.folder, &self.store())?;
        let opened = project.opened();
        if opened.cut_bytes > 0 || opened.released_leases > 0 {
            screen.say(&format!(
                "going on after a crash: {} addresses are asked again",
                thousands(opened.released_leases)
            ));
        }
        let Used { pages, bytes, time } = project.used()?;
        if pages > 0 || bytes > 0 {
            engine = Engine::new(self.crawl_settings(plan, Spent { pages, bytes, time })?)?;
        }
        let settings =
            serde_json::to_string(&self.settings).context("cannot print the settings")?;
        project.begin_run(&settings, now())?;
        engine.start(&mut project, now())?;
        // What another strategy has fetched is shown to this one.
        if engine.remembers() || project.read_model(strategy::FILE)?.is_some() {
            driver::recall(&mut engine, &mut project)?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the network runtime")?;
        let terms =
            Terms { commit_every: self.settings.commit_every.0, limit: self.settings.limit };
        let stop = if self.replay.is_empty() {
            let fetcher = HttpFetcher::new(self.fetch_settings()?)?;
            runtime.block_on(driver::drive(&mut engine, &mut project, &fetcher, terms, screen))?
        } else {
            let fetcher = match self.replay.as_slice() {
                [folder] if folder.is_dir() => ReplayFetcher::from_project(folder)?,
                files => ReplayFetcher::from_warc(files, &ReadLimits::default())?,
            };
            for issue in fetcher.issues() {
                screen.say(&format!("the archive has a damaged place: {issue}"));
            }
            runtime.block_on(driver::drive(&mut engine, &mut project, &fetcher, terms, screen))?
        };
        project.end_run(now())?;
        project.write_cdxj()?;
        Ok((stop, project, engine))
    }

    /// Keeps seeds and flags in the project, so that `quarry crawl -p DIR` goes on in the same way.
    fn keep_settings(&self, flags: Layer, file: File) -> Result<()> {
        let path = self.folder.join(FILE);
        if path.exists() {
            return Ok(());
        }
        if self.folder.is_dir()
            && self.folder.read_dir().is_ok_and(|mut inside| inside.next().is_some())
        {
            bail!(
                "{} exists, is not empty and is not a quarry project; name another folder with -p",
                self.folder.display()
            );
        }
        // Found now rather than after the folder stands.
        Engine::new(self.crawl_settings(&Plan::of(self.settings.strategy), Spent::default())?)?;
        self.fetch_settings()?;
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot create the folder {}", self.folder.display()))?;
        let crawl = flags.over(file.crawl);
        File { seeds: self.seeds.clone(), crawl, expect: file.expect }.write(&path)
    }

    fn describe(&self, printer: &mut Printer) -> Result<Ending> {
        Engine::new(self.crawl_settings(&Plan::of(self.settings.strategy), Spent::default())?)?;
        self.fetch_settings()?;
        let settings = &self.settings;
        let exists = self.folder.join(FILE).exists();
        let list = |patterns: &[String]| match patterns {
            [] => "none".to_owned(),
            patterns => patterns.join("  "),
        };
        let rows = [
            ("begin at", self.seeds.join("  ")),
            ("strategy", format!("{:?}", settings.strategy).to_lowercase()),
            ("scope", format!("{:?}", settings.scope).to_lowercase()),
            ("include", list(&settings.include)),
            ("exclude", list(&settings.exclude)),
            (
                "budget",
                format!(
                    "{} pages, {}, {}, depth {}",
                    thousands(settings.limit),
                    bytes(settings.max_bytes.0),
                    seconds(settings.max_time.0.as_secs_f64()),
                    settings.depth
                ),
            ),
            (
                "politeness",
                format!(
                    "{} at a time per host, {} apart, robots.txt {}",
                    settings.per_host,
                    settings.delay,
                    if settings.robots { "obeyed" } else { "ignored" }
                ),
            ),
            ("user agent", settings.user_agent.clone()),
            (
                "project",
                format!(
                    "{} ({})",
                    self.folder.display(),
                    if exists { "exists, would go on" } else { "would be made" }
                ),
            ),
        ];
        printer.table(&[], &[], rows.map(|(name, value)| vec![name.to_owned(), value]))?;
        Ok(Ending::Done)
    }
}

/// The host of a seed as the user wrote it.
fn host_of(seed: &str) -> Option<String> {
    let rest = seed.split_once("://").map_or(seed, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    let host = match authority.strip_prefix('[') {
        Some(literal) => literal.split(']').next()?,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// A folder named after the first host.
pub(crate) fn folder_of(urls: &[String]) -> Result<PathBuf> {
    let Some(first) = urls.first() else {
        bail!("say where to begin (quarry crawl URL) or which project to go on with (-p DIR)");
    };
    let host = host_of(first).with_context(|| format!("'{first}' is not a web address"))?;
    Ok(Path::new(&host.replace(':', "_")).to_owned())
}

/// Why the crawl is over and what the user can do next.
fn why(stop: Stop, counts: &RunReport, folder: &Path) -> String {
    let folder = folder.display();
    let left = thousands(counts.queued);
    match stop {
        Stop::Finished if counts.queued > 0 => format!(
            "done, but {left} addresses of hosts that are left alone are still queued; \
             `quarry report -p {folder}` says why, `quarry crawl -p {folder}` tries again"
        ),
        Stop::Finished => {
            format!("done: nothing is left to ask; `quarry report -p {folder}` has the counts")
        }
        Stop::Budget(kind) => {
            let flag = match kind {
                BudgetKind::Pages => "limit",
                BudgetKind::Bytes => "max-bytes",
                BudgetKind::Time => "max-time",
            };
            format!(
                "done: --{flag} is used up, {left} addresses are still queued; a higher one goes on"
            )
        }
        Stop::Interrupted => format!(
            "interrupted, {left} addresses are still queued; `quarry crawl -p {folder}` goes on"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_seeds() {
        for (seed, host) in [
            ("https://Books.example/a?b", Some("books.example")),
            ("http://127.0.0.1:8080/", Some("127.0.0.1")),
            ("http://user@h.example:1/", Some("h.example")),
            ("http://[::1]:80/", Some("::1")),
            ("books.example/x", Some("books.example")),
            ("https:///", None),
        ] {
            assert_eq!(host_of(seed).as_deref(), host, "{seed}");
        }
    }
}
