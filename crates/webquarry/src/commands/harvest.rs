//! `quarry harvest`: the whole job. Crawls a site, or takes pages that are there, and leaves tables and a report.

use std::path::Path;

use anyhow::{Result, bail};
use quarry_harvest::{JobOutcome, Observer};

use crate::args::{Global, HarvestArgs};
use crate::config::Layer;
use crate::interrupt;
use crate::job::{
    HarvestOptions, discovered, folder_of, harvest_files, harvest_sites, jobs, share_sites,
};
use crate::printer::Printer;
use crate::screen::Screen;
use crate::seeds;

pub(crate) fn run(global: &Global, args: HarvestArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let mut screen = Screen::new(global);
    let seeds = seeds::read(&args.seed)?;
    let options = HarvestOptions { seeds, relearn: args.relearn, memory_mb: args.memory };
    let (files, mut urls): (Vec<String>, Vec<String>) =
        args.input.iter().cloned().partition(|input| Path::new(input).exists());
    let meant = |input: &&String| !files.is_empty() || looks_like_a_path(input);
    if let Some(missing) = urls.iter().find(meant) {
        bail!("there is no file or folder '{missing}'; addresses begin with http:// or https://");
    }
    let ending = if files.is_empty() {
        let folder = match &args.project {
            Some(folder) => folder.clone(),
            None => folder_of(&urls)?,
        };
        let details = args.no_details.then_some(false);
        let mut flags = args.settings.clone().over(Layer { details, ..Layer::default() });
        if args.discovered {
            let (found, category) = discovered(&folder)?;
            (urls, flags) = (found, flags.over(category));
        }
        let stop = interrupt::listen()?;
        match &args.frontier {
            Some(database) => share_sites(database, &folder, &urls, &stop, &mut |site, urls| {
                let jobs = jobs(global, site, urls, &flags)?;
                screen.line(&format!("harvesting {}", urls.join("  ")));
                let own = HarvestOptions { seeds: seeds::read(&args.seed)?, ..options.plain() };
                harvest_sites(site, &jobs, own, &stop, &mut screen, printer)
            }),
            None => {
                let jobs = jobs(global, &folder, &urls, &flags)?;
                harvest_sites(&folder, &jobs, options, &stop, &mut screen, printer)
            }
        }
    } else {
        harvest_files(&args, &files, options, &mut screen, printer)
    };
    screen.finish();
    ending
}

/// Whether an input that does not exist was meant to be a file rather than an address.
fn looks_like_a_path(input: &str) -> bool {
    let is_address = input.contains("://");
    let is_file = [".warc", ".gz", ".html", ".htm"].iter().any(|ending| input.ends_with(ending));
    !is_address && (is_file || input.starts_with(['/', '.', '~']))
}
