//! `quarry demo`: a generated shop on this machine, harvested; or three that sell the same things.

use std::path::Path;

use anyhow::{Context, Result, bail};
use quarry_harvest::{JobOutcome, Observer};
use quarry_testsite::{FamilySpec, Server, Site, SiteFamily, SiteSpec};

use crate::args::{DemoArgs, Global};
use crate::config::Layer;
use crate::job::{HarvestOptions, harvest_sites, jobs};
use crate::printer::Printer;
use crate::screen::Screen;

/// The file that says that a folder is from a demonstration and may be replaced.
const MARK: &str = ".demo";

pub(crate) fn run(global: &Global, args: &DemoArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let servers = if args.overlap { shops()? } else { vec![shop()?] };
    let url = |server: &Server| format!("{}{}", server.url(), server.site().root());
    for server in &servers {
        let site = server.site();
        let (name, products) = (site.name(), site.spec().entities);
        printer.line(format!(
            "{name}, a generated shop with {products} products, is served at {}",
            url(server)
        ))?;
    }
    if args.serve {
        printer.line("Look at it in a browser. Ctrl-C ends it.")?;
        wait_for_interrupt()?;
        return Ok(JobOutcome::Done);
    }
    make_room(&args.project)?;
    std::fs::create_dir_all(&args.project)
        .with_context(|| format!("cannot create the folder {}", args.project.display()))?;
    let flags = Layer { per_host: Some(8), ..Layer::default() };
    let urls: Vec<String> = servers.iter().map(url).collect();
    let jobs = jobs(global, &args.project, &urls, &flags)?;
    std::fs::write(args.project.join(MARK), "made by `quarry demo`, which replaces it\n")
        .with_context(|| format!("cannot write into {}", args.project.display()))?;
    let mut screen = Screen::new(global);
    let ending = harvest_sites(
        &args.project,
        &jobs,
        HarvestOptions::default(),
        &crate::interrupt::listen()?,
        &mut screen,
        printer,
    );
    screen.finish();
    let ending = ending?;
    let (folder, seed) = (&jobs[0].folder, &jobs[0].seeds[0]);
    next_steps(&args.project, folder, seed, printer)?;
    Ok(ending)
}

fn serve(site: Site) -> Result<Server> {
    Server::start(site, None).context("cannot serve a site on 127.0.0.1")
}

fn shop() -> Result<Server> {
    serve(Site::generate(SiteSpec::preset("shop").context("the shop is one of the presets")?))
}

/// Three shops that sell partly the same, each with its own look, words and formats.
fn shops() -> Result<Vec<Server>> {
    let base = SiteSpec::preset("shop").context("the shop is one of the presets")?;
    let base = SiteSpec { entities: 90, ..base };
    let family = FamilySpec { base, sites: 3, overlap: 0.5, ..FamilySpec::default() };
    SiteFamily::generate(&family).sites.into_iter().map(serve).collect()
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

/// What to do with the project; its first site is in the folder `first`.
fn next_steps(folder: &Path, first: &Path, seed: &str, printer: &mut Printer) -> Result<()> {
    let (folder, first) = (folder.display(), first.display());
    printer.line("")?;
    for (what, command) in [
        ("everything as a page", format!("open {folder}/report.html")),
        ("what the crawl did, and saved", format!("quarry report -p {first}")),
        (
            "every value, and where it is from",
            format!("quarry export -p {folder} --table values --format csv"),
        ),
        ("why a page was read as it was", format!("quarry inspect {seed} -p {first}")),
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
