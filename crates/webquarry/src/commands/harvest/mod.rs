//! `quarry harvest`: the whole job. Looks at a site, decides how to crawl it, crawls, learns its templates,
//! reads every page, and leaves tables and a report.

mod changes;
mod crawls;
mod drift;
pub(super) mod gather;
mod known;
pub(super) mod learned;
pub(super) mod names;
pub(super) mod pages;
mod report;
mod samples;
mod summary;
mod tables;
pub(super) mod times;
mod volatile;
mod work;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use quarry_extract::attribute::SeedDb;
use quarry_store::{Project, StoreSettings, open_input};

use super::Ending;
use super::crawl::{self, Job};
use super::report::asked_again;
use crate::args::{Global, HarvestArgs};
use crate::config::Layer;
use crate::printer::Printer;
use crate::screen::Screen;
use crawls::Crawl;
use pages::Source;
use times::Times;
use work::Harvest;

pub(super) use changes::last as last_table;
pub(super) use crawls::jobs;

pub(crate) fn run(global: &Global, args: HarvestArgs, printer: &mut Printer) -> Result<Ending> {
    let mut screen = Screen::new(global);
    let seeds = known::read(&args.seed)?;
    let (files, urls): (Vec<String>, Vec<String>) =
        args.input.iter().cloned().partition(|input| Path::new(input).exists());
    let meant = |input: &&String| !files.is_empty() || looks_like_a_path(input);
    if let Some(missing) = urls.iter().find(meant) {
        bail!("there is no file or folder '{missing}'; addresses begin with http:// or https://");
    }
    let ending = if files.is_empty() {
        let folder = match &args.project {
            Some(folder) => folder.clone(),
            None => crawl::folder_of(&urls)?,
        };
        let details = args.no_details.then_some(false);
        let flags = args.settings.clone().over(Layer { details, ..Layer::default() });
        let jobs = crawls::jobs(global, &folder, &urls, &flags)?;
        harvest(&folder, &jobs, seeds, args.relearn, &mut screen, printer)
    } else {
        from_files(&args, &files, seeds)?.run(&mut screen, printer)
    };
    screen.clear();
    ending
}

/// Whether an input that does not exist was meant to be a file rather than an address.
fn looks_like_a_path(input: &str) -> bool {
    let is_address = input.contains("://");
    let is_file = [".warc", ".gz", ".html", ".htm"].iter().any(|ending| input.ends_with(ending));
    !is_address && (is_file || input.starts_with(['/', '.', '~']))
}

/// Crawls, and makes tables of what came.
pub(crate) fn harvest(
    folder: &Path,
    jobs: &[Job],
    seeds: Option<SeedDb>,
    relearn: bool,
    screen: &mut Screen,
    printer: &mut Printer,
) -> Result<Ending> {
    let mut times = Times::start();
    let crawls = crawls::run(jobs, screen)?;
    times.done("crawling");
    let sources = jobs.iter().map(|job| Source::open(&job.folder, None)).collect::<Result<_>>()?;
    let project = Project::create_or_open(folder, &StoreSettings::default())?;
    let asked: Vec<String> =
        crawls.iter().filter_map(|crawl| crawl.run.again.as_ref()).map(asked_again).collect();
    let own = folder.to_owned();
    let job = Harvest { project, folder: own, sources, crawls, seeds, relearn, times };
    let ending = job.run(screen, printer)?;
    asked.iter().for_each(|line| screen.say(line));
    // The project of each of several sites; one site's own has noted it.
    jobs.iter().filter(|job| job.folder != folder).try_for_each(Job::note_harvest)?;
    Ok(ending)
}

fn from_files(args: &HarvestArgs, files: &[String], seeds: Option<SeedDb>) -> Result<Harvest> {
    let paths: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let is_project = |path: &&PathBuf| path.join("state.sqlite").is_file();
    let folder = match (&args.project, paths.as_slice()) {
        (Some(folder), _) => folder.clone(),
        // A project is its own place.
        (None, [own]) if is_project(&own) => own.clone(),
        (None, _) => bail!("say where the tables go: quarry harvest {} -p DIR", files[0]),
    };
    let paths: Vec<PathBuf> =
        paths.iter().map(|path| crawls::parts(path)).collect::<Result<Vec<_>>>()?.concat();
    // Folders are sites of their own; files belong together.
    let (folders, single): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(|path| path.is_dir());
    let urls = args.urls.as_deref();
    let mut sources = Vec::new();
    for folder in &folders {
        sources.push(Source::open(folder, urls)?);
    }
    if !single.is_empty() {
        sources.push(Source::of(open_input(&single, urls)?));
    }
    if let [only] = sources.as_mut_slice() {
        only.name = None;
    }
    let crawls = paths.iter().filter(is_project).map(|path| Crawl::read(path));
    let crawls = crawls.collect::<Result<_>>()?;
    let project = Project::create_or_open(&folder, &StoreSettings::default())?;
    let (relearn, times) = (args.relearn, Times::start());
    Ok(Harvest { project, folder, sources, crawls, seeds, relearn, times })
}
