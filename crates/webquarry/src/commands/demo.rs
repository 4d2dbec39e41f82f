//! `quarry demo`: a generated shop on this machine, crawled, with what was found.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use quarry_crawl::Stop;
use quarry_dom::{Document, Limits};
use quarry_model::PageStore;
use quarry_store::Project;
use quarry_testsite::{Server, Site, SiteSpec};

use super::crawl::Job;
use super::{Ending, report};
use crate::args::{DemoArgs, Global};
use crate::config::{Config, FILE, File, Layer};
use crate::printer::{Printer, shorten, thousands};
use crate::screen::Screen;

/// A faceted shop has far more pages than products; a page-by-page crawl of all of them would take
/// longer than a demonstration should.
const PAGES: u64 = 1_000;
/// Pages that are shown as a sample.
const SAMPLES: usize = 6;
/// The file that says that a folder is from a demonstration and may be replaced.
const MARK: &str = ".demo";

pub(crate) fn run(global: &Global, args: &DemoArgs, printer: &mut Printer) -> Result<Ending> {
    let spec = SiteSpec::preset("shop").context("the shop is one of the presets")?;
    let site = Site::generate(spec);
    let name = site.name().to_owned();
    let products = site.spec().entities;
    let server = Server::start(site, None).context("cannot serve a site on 127.0.0.1")?;
    let url = format!("{}{}", server.url(), server.site().root());
    printer
        .line(format!("{name}, a generated shop with {products} products, is served at {url}"))?;
    if args.serve {
        printer.line("Look at it in a browser. Ctrl-C ends it.")?;
        wait_for_interrupt()?;
        return Ok(Ending::Done);
    }
    make_room(&args.project)?;
    let flags = Layer { limit: Some(PAGES), per_host: Some(8), ..Layer::default() };
    let config = Config::load(global.config.as_deref(), None, flags.clone())?;
    let job = Job {
        folder: args.project.clone(),
        seeds: vec![url],
        settings: config.settings,
        default_delay: true,
        replay: vec![],
    };
    std::fs::create_dir_all(&job.folder)
        .with_context(|| format!("cannot create the folder {}", job.folder.display()))?;
    File { seeds: job.seeds.clone(), crawl: flags }.write(&job.folder.join(FILE))?;
    std::fs::write(job.folder.join(MARK), "made by `quarry demo`, which replaces it\n")
        .with_context(|| format!("cannot write into {}", job.folder.display()))?;
    let mut screen = Screen::new(global);
    let outcome = job.run(&mut screen);
    screen.clear();
    let (stop, project) = outcome?;
    printer.line("")?;
    report::summary(printer, &job.folder, &project.report()?)?;
    printer.line("")?;
    show_pages(&project, printer)?;
    next_steps(&job.folder, &job.seeds[0], printer)?;
    Ok(if stop == Stop::Interrupted { Ending::Interrupted } else { Ending::Done })
}

/// Takes away what an earlier demonstration has left, and nothing else.
fn make_room(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    if !folder.join(MARK).exists() {
        bail!(
            "{} exists and is not from a demonstration; name another folder with -p",
            folder.display()
        );
    }
    std::fs::remove_dir_all(folder)
        .with_context(|| format!("cannot remove the earlier demonstration in {}", folder.display()))
}

/// What kinds of pages came, with samples.
fn show_pages(project: &Project, printer: &mut Printer) -> Result<()> {
    let mut rows = Vec::new();
    let mut kinds: BTreeMap<(u16, String), u64> = BTreeMap::new();
    project.each(&mut |row| {
        *kinds.entry((row.fetch_status, row.content_mime_detected.clone())).or_default() += 1;
        rows.push(row);
    })?;
    for ((status, mime), count) in &kinds {
        printer.line(format!("{:>6} pages: status {status}, {mime}", thousands(*count)))?;
    }
    printer.line("")?;
    let step = (rows.len() / SAMPLES).max(1);
    let mut samples = Vec::new();
    for row in rows.iter().step_by(step).take(SAMPLES) {
        let exchange = project.read(row)?;
        let content_type = exchange.response.headers.get("content-type");
        let document =
            Document::parse(exchange.response.content(), content_type, &Limits::default());
        let links = url::Url::parse(&row.url).map_or(0, |page| document.links(&page).len());
        samples.push(vec![
            shorten(&document.title().unwrap_or_default(), 40),
            shorten(&row.url, 44),
            links.to_string(),
        ]);
    }
    printer.table(&["a sample of the pages", "address", "links"], &[2], samples)?;
    Ok(())
}

fn next_steps(folder: &Path, seed: &str, printer: &mut Printer) -> Result<()> {
    let folder = folder.display();
    printer.line("")?;
    for (what, command) in [
        ("the archive, for any WARC tool", format!("ls {folder}/pages")),
        ("what happened", format!("quarry report -p {folder}")),
        (
            "the pages as a table",
            format!("quarry export -p {folder} --table pages --format csv -o pages.csv"),
        ),
        ("what is in a page", format!("quarry inspect {seed} -p {folder}")),
        ("the records on its lists", format!("quarry records {folder}")),
        ("the shop in a browser", "quarry demo --serve".to_owned()),
    ] {
        printer.line(format!("{what:<32} {command}"))?;
    }
    Ok(())
}

fn wait_for_interrupt() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    runtime.block_on(tokio::signal::ctrl_c()).context("cannot listen for Ctrl-C")
}
