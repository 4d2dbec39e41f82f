//! What came of the crawls that a harvest reads? One for each host, side by side.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use quarry_crawl::query::QueryGraph;
use quarry_crawl::{Account, Stop};
use quarry_model::RunReport;
use quarry_store::{Project, StoreSettings};
use url::Url;

use crate::args::Global;
use crate::commands::auto::{self, Choice};
use crate::commands::crawl::{self, Job};
use crate::commands::{Ending, strategy};
use crate::config::{FILE, File, Layer};
use crate::screen::Screen;

/// The folder in a project of several sites that holds the project of each.
const SITES: &str = "sites";

/// Words that a site without lists is asked for beyond those that show what it answers, as long as they lead to something new.
const SWEEP: usize = 1_000;

/// A crawl, as its project tells of it.
pub(super) struct Crawl {
    pub(super) stop: Stop,
    pub(super) run: RunReport,
    pub(super) account: Account,
    pub(super) choice: Option<Choice>,
    pub(super) graphs: Vec<QueryGraph>,
}

impl Crawl {
    pub(super) fn of(project: &Project, stop: Stop) -> Result<Self> {
        Ok(Self {
            stop,
            run: project.report()?,
            account: strategy::read(project)?,
            choice: auto::read(project)?,
            graphs: strategy::read_graphs(project)?,
        })
    }

    /// The crawl of a project on disk, as far as it came.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let project = Project::open_read_only(folder, &StoreSettings::default())?;
        Self::of(&project, Stop::Finished)
    }

    pub(super) fn ending(&self) -> Ending {
        crawl::ending(self.stop, &self.run)
    }
}

/// The jobs of a harvest: one, or one for each host, each with a project of its own inside.
pub(in crate::commands) fn jobs(
    global: &Global,
    folder: &Path,
    urls: &[String],
    flags: &Layer,
) -> Result<Vec<Job>> {
    let mut hosts: Vec<(String, Vec<String>)> = Vec::new();
    for url in urls {
        let host = host(url);
        match hosts.iter_mut().find(|(known, _)| *known == host) {
            Some((_, own)) => own.push(url.clone()),
            None => hosts.push((host, vec![url.clone()])),
        }
    }
    let within = folder.join(SITES);
    if let [] | [_] = hosts.as_slice() {
        if urls.is_empty() && within.is_dir() {
            return again(global, &within, flags);
        }
        return Ok(vec![job(global, folder.to_owned(), urls.to_vec(), flags)?]);
    }
    if folder.join(FILE).exists() {
        bail!(
            "{} holds the project of one site; name another folder with -p for several",
            folder.display()
        );
    }
    let prepare = |(host, urls)| job(global, within.join(host), urls, flags);
    hosts.into_iter().map(prepare).collect()
}

/// The jobs of a project of several sites, in the order of their folders.
fn again(global: &Global, within: &Path, flags: &Layer) -> Result<Vec<Job>> {
    folders(within)?.into_iter().map(|folder| job(global, folder, Vec::new(), flags)).collect()
}

/// The projects inside a project of several sites; of anything else, itself.
pub(super) fn parts(path: &Path) -> Result<Vec<PathBuf>> {
    let within = path.join(SITES);
    let several = path.join("state.sqlite").is_file() && within.is_dir();
    if several { folders(&within) } else { Ok(vec![path.to_owned()]) }
}

/// The folders of the sites, sorted.
fn folders(within: &Path) -> Result<Vec<PathBuf>> {
    let read = || -> std::io::Result<Vec<PathBuf>> {
        within.read_dir()?.map(|entry| Ok(entry?.path())).collect()
    };
    let mut folders =
        read().with_context(|| format!("cannot read the folder {}", within.display()))?;
    folders.sort();
    Ok(folders)
}

fn job(global: &Global, folder: PathBuf, urls: Vec<String>, flags: &Layer) -> Result<Job> {
    // What an earlier harvest of the project was told holds, unless this one is told otherwise.
    let file = folder.join(FILE);
    let before = if file.exists() { File::read(&file)?.crawl } else { Layer::default() };
    let details = before.details.or(Some(true));
    let sweep = before.sweep.or(Some(SWEEP));
    let own = Layer { details, sweep, ..Layer::default() };
    Job::prepare(global, folder, urls, flags.clone().over(own))
}

/// Host and port, as a name for a folder.
fn host(url: &str) -> String {
    let parsed = Url::parse(url).or_else(|_| Url::parse(&format!("https://{url}"))).ok();
    let name = parsed.and_then(|url| {
        let host = url.host_str()?.replace([':', '[', ']'], "_");
        Some(url.port().map_or(host.clone(), |port| format!("{host}-{port}")))
    });
    name.unwrap_or_else(|| url.to_owned())
}

/// Crawls all hosts at the same time, each as politely as alone.
pub(super) fn run(jobs: &[Job], screen: &mut Screen) -> Result<Vec<Crawl>> {
    if let [job] = jobs {
        let (stop, project) = job.run(screen)?;
        return Ok(vec![Crawl::of(&project, stop)?]);
    }
    let crawl = |job: &Job, mut screen: Screen| -> Result<Crawl> {
        let outcome = job.run(&mut screen);
        screen.clear();
        let (stop, project) = outcome?;
        Crawl::of(&project, stop)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = jobs
            .iter()
            .map(|job| {
                let name = job.folder.file_name().unwrap_or_default().to_string_lossy();
                let own = screen.beside(&name);
                scope.spawn(move || crawl(job, own))
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<Crawl>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    })
}

/// How a harvest of these crawls ended: as the one that went worst.
pub(super) fn ending(crawls: &[Crawl]) -> Ending {
    crawls.iter().map(Crawl::ending).max().unwrap_or(Ending::Done)
}
