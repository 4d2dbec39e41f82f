//! `quarry demo`: a generated shop on this machine, harvested.

use std::path::Path;

use anyhow::{Context, Result, bail};
use quarry_testsite::{Server, Site, SiteSpec};

use super::crawl::Job;
use super::{Ending, harvest};
use crate::args::{DemoArgs, Global};
use crate::config::{Config, FILE, File, Layer};
use crate::printer::Printer;
use crate::screen::Screen;

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
    let flags = Layer { details: Some(true), per_host: Some(8), ..Layer::default() };
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
    let ending = harvest::harvest(&job, None, &mut screen, printer);
    screen.clear();
    let ending = ending?;
    next_steps(&job.folder, &job.seeds[0], printer)?;
    Ok(ending)
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

fn next_steps(folder: &Path, seed: &str, printer: &mut Printer) -> Result<()> {
    let folder = folder.display();
    printer.line("")?;
    for (what, command) in [
        ("everything as a page", format!("open {folder}/report.html")),
        ("what the crawl did, and saved", format!("quarry report -p {folder}")),
        (
            "every value, and where it is from",
            format!("quarry export -p {folder} --table values --format csv"),
        ),
        ("why a page was read as it was", format!("quarry inspect {seed} -p {folder}")),
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
