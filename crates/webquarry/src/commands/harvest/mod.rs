//! `quarry harvest`: the whole job. Looks at a site, decides how to crawl it, crawls, learns its templates,
//! reads every page, and leaves tables and a report.

mod changes;
mod gather;
mod pages;
mod report;
mod samples;
mod summary;
mod tables;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use quarry_assemble::{AssembleConfig, assemble};
use quarry_crawl::Stop;
use quarry_crawl::query::QueryGraph;
use quarry_dom::Document;
use quarry_extract::attribute::{AttributeModel, MatchConfig, SeedDb, match_site};
use quarry_extract::links::PageKind;
use quarry_extract::model::SiteModel;
use quarry_extract::site::{SitePage, learn_site, read_page};
use quarry_store::{Input, Project, StoreSettings, open_input};

use rayon::prelude::*;

use super::crawl::{self, Job};
use super::match_sites::seed_file;
use super::{Ending, strategy};
use crate::args::{Global, HarvestArgs};
use crate::config::{FILE, File, Layer};
use crate::printer::{Printer, thousands};
use crate::screen::Screen;
use gather::{Counts, Seen};
use pages::Site;
use report::Told;
use samples::Sample;

/// Pages of a site that its model is learned from, evenly over all.
const LEARNED_FROM: usize = 300;

pub(crate) fn run(global: &Global, args: HarvestArgs, printer: &mut Printer) -> Result<Ending> {
    let mut screen = Screen::new(global);
    let seeds = args.seed.as_deref().map(seed_file::read).transpose()?;
    let (files, urls): (Vec<String>, Vec<String>) =
        args.input.iter().cloned().partition(|input| Path::new(input).exists());
    if !files.is_empty() && !urls.is_empty() {
        bail!(
            "'{}' is no file or folder; addresses and files cannot be harvested together",
            urls[0]
        );
    }
    let ending = if files.is_empty() {
        let job = job(global, &args, urls)?;
        harvest(&job, seeds, &mut screen, printer)
    } else {
        from_files(&args, &files, seeds)?.run(&mut screen, printer)
    };
    screen.clear();
    ending
}

/// Crawls, and makes tables of what came.
pub(crate) fn harvest(
    job: &Job,
    seeds: Option<SeedDb>,
    screen: &mut Screen,
    printer: &mut Printer,
) -> Result<Ending> {
    let (stop, project) = job.run(screen)?;
    let graphs = strategy::read_graphs(&project)?;
    let folder = job.folder.clone();
    let input = open_input(std::slice::from_ref(&folder), None)?;
    Harvest { project, input, folder, graphs, seeds, stop }.run(screen, printer)
}

/// Finds the attributes of known records on the entity pages of a site; its records join them.
fn match_pages(
    site: &str,
    pages: &[SitePage<'_>],
    model: &SiteModel,
    seeds: &mut SeedDb,
) -> AttributeModel {
    let of_entity = |page: &&SitePage<'_>| read_page(page, model).kind == PageKind::Entity;
    let pages: Vec<&SitePage<'_>> = pages.par_iter().filter(of_entity).collect();
    let documents: Vec<&Document> = pages.iter().map(|page| page.document).collect();
    let found = match_site(site, &documents, seeds, &MatchConfig::default());
    let ids: Vec<&str> = pages.iter().map(|page| page.id).collect();
    found.grow(site, &ids, seeds);
    found.model
}

/// Pages to harvest, and where the tables go.
struct Harvest {
    project: Project,
    input: Input,
    folder: PathBuf,
    graphs: Vec<QueryGraph>,
    /// Known records; they grow site by site.
    seeds: Option<SeedDb>,
    stop: Stop,
}

fn job(global: &Global, args: &HarvestArgs, urls: Vec<String>) -> Result<Job> {
    let folder = match &args.project {
        Some(folder) => folder.clone(),
        None => crawl::folder_of(&urls)?,
    };
    // What an earlier harvest of the project was told holds, unless this one is told otherwise.
    let file = folder.join(FILE);
    let before = if file.exists() { File::read(&file)?.crawl.details } else { None };
    let details = if args.no_details { Some(false) } else { before.or(Some(true)) };
    let own = Layer { details, ..Layer::default() };
    let flags = args.settings.clone().over(own);
    Job::prepare(global, folder, urls, flags)
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
    let input = open_input(&paths, args.urls.as_deref())?;
    let mut graphs = Vec::new();
    for path in paths.iter().filter(is_project) {
        let project = Project::open_read_only(path, &StoreSettings::default())?;
        graphs.extend(strategy::read_graphs(&project)?);
    }
    let project = Project::create_or_open(&folder, &StoreSettings::default())?;
    Ok(Harvest { project, input, folder, graphs, seeds, stop: Stop::Finished })
}

impl Harvest {
    fn run(mut self, screen: &mut Screen, printer: &mut Printer) -> Result<Ending> {
        let mut seen: Vec<Seen> = gather::facets(&self.graphs).collect();
        let (mut told, mut models, mut samples) = (Vec::new(), Vec::new(), Vec::new());
        for (number, site) in pages::sites(&self.input).iter().enumerate() {
            let model = self.learn(site, number, screen)?;
            let counts = self.read(site, &model, &mut seen, &mut samples, screen)?;
            told.push((site.name.clone(), counts));
            models.push(model);
        }
        let started = Instant::now();
        let sightings: Vec<_> = seen.iter().map(Seen::sighting).collect();
        let table = assemble(&sightings, &AssembleConfig::default());
        tables::write(&mut self.project, &self.folder, &table)?;
        // Which columns are one, and why: for whoever doubts it.
        self.project.write_model("columns.txt", &table.dump())?;
        screen.note(&format!(
            "assembled {} values in {:.1} s",
            thousands(sightings.len() as u64),
            started.elapsed().as_secs_f64()
        ));
        let run = self.project.report()?;
        let warnings = summary::warnings(&run, &told);
        let told = Told { sites: &told, models: &models, samples: &samples, warnings: &warnings };
        report::write(&self.project, &self.folder, &told)?;
        summary::show(printer, &self.project, &self.folder, told.sites)?;
        for warning in &warnings {
            screen.say(warning);
        }
        Ok(crawl::ending(self.stop, &run))
    }

    /// Learns the model of a site from some of its pages.
    fn learn(&mut self, site: &Site, number: usize, screen: &mut Screen) -> Result<SiteModel> {
        let parsed = pages::parse(&self.input, &site.sample(LEARNED_FROM))?;
        let input: Vec<SitePage<'_>> = parsed
            .iter()
            .map(|page| SitePage { id: &page.id, address: &page.address, document: &page.document })
            .collect();
        screen.note(&format!("learning {} from {} pages", site.name, input.len()));
        let mut model = learn_site(&input);
        if let Some(seeds) = &mut self.seeds {
            model.attributes = Some(match_pages(&site.name, &input, &model, seeds));
        }
        let text = serde_json::to_string_pretty(&model).context("cannot print the model")?;
        self.project.write_model(&format!("site-{}.json", number + 1), &text)?;
        Ok(model)
    }

    /// Reads all pages of a site.
    fn read(
        &self,
        site: &Site,
        model: &SiteModel,
        seen: &mut Vec<Seen>,
        samples: &mut Vec<Sample>,
        screen: &mut Screen,
    ) -> Result<Counts> {
        let mut counts = Counts::default();
        site.each(&self.input, &mut |pages| {
            seen.extend(gather::gather(&site.name, &pages, model, &mut counts, samples));
            screen.note(&format!(
                "reading {}: {} of {} pages, {} values",
                site.name,
                thousands(counts.pages as u64),
                thousands(site.ids.len() as u64),
                thousands(seen.len() as u64)
            ));
            Ok(())
        })?;
        Ok(counts)
    }
}
