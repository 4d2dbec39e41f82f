//! `quarry match`: the attributes of sites never seen before, by agreement with records that are known
//! already. Sites are taken in turn, and each adds its records.

mod show;

use std::path::Path;

use anyhow::{Context, Result, bail};
use quarry_extract::attribute::model::MODEL_VERSION;
use quarry_extract::attribute::{AttributeModel, MatchConfig, SeedDb};
use quarry_harvest::matching::{
    MatchLine, match_pages, progress_lines, read_with_model, site_names,
};
use quarry_harvest::{JobOutcome, ParsedPage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::{MatchArgs, MatchMethod};
use crate::papers;
use crate::printer::Printer;
use crate::screen;
use crate::seeds;
use crate::stage::{Lines, read_pages};

/// Models of several sites in one file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ModelFile {
    sites: Vec<AttributeModel>,
}

pub(crate) fn run(args: &MatchArgs, quiet: bool, printer: &mut Printer) -> Result<JobOutcome> {
    let sites = site_names(&args.stage.input);
    let mut out = Lines::new(&args.stage, printer)?;
    let mut shown: Vec<MatchLine> = Vec::new();
    let mut keep = |lines: Vec<MatchLine>, out: &mut Lines<'_>| -> Result<()> {
        if out.as_table() {
            shown.extend(lines);
            return Ok(());
        }
        lines.iter().try_for_each(|line| out.write(line))
    };
    if let Some(path) = &args.model {
        let models = read_models(path)?;
        for (name, input) in sites.iter().zip(&args.stage.input) {
            let pages = read_pages(std::slice::from_ref(input), args.stage.urls.as_deref())?;
            let model = models.sites.iter().find(|model| model.site == *name);
            let model = model.or(if models.sites.len() == 1 { models.sites.first() } else { None });
            let Some(model) = model else {
                bail!(
                    "{} has no model of the site {name:?}; learn it with --model-out",
                    path.display()
                )
            };
            keep(read_with_model(name, &pages, model), &mut out)?;
        }
    } else {
        let Some(path) = &args.seed else {
            bail!(
                "a seed is needed to learn from: give --seed FILE, or --model FILE to use what was learned"
            )
        };
        let mut seeds = seeds::read_file(path)?;
        let in_seed = seeds.records().len();
        if seeds.records().is_empty() {
            bail!("the seed {} has no records; each line is one record", path.display());
        }
        if !quiet {
            show::issues(&seeds);
        }
        let mut models = ModelFile::default();
        for (name, input) in sites.iter().zip(&args.stage.input) {
            let pages = read_pages(std::slice::from_ref(input), args.stage.urls.as_deref())?;
            let lines = match args.method {
                MatchMethod::Agreement => {
                    let (lines, model) =
                        learn(name, &pages, &mut seeds, args, quiet, in_seed, printer)?;
                    models.sites.push(model);
                    lines
                }
                MatchMethod::Paper => {
                    papers::match_site(name, &pages, &mut seeds, !args.no_grow, quiet)?
                }
            };
            keep(lines, &mut out)?;
        }
        if let Some(path) = &args.model_out {
            let text = serde_json::to_string_pretty(&models).context("cannot write the model")?;
            std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    if out.as_table() {
        show::table(&shown, printer)?;
        return Ok(JobOutcome::Done);
    }
    out.finish()
}

fn read_models(path: &Path) -> Result<ModelFile> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the model {}", path.display()))?;
    let strange = || format!("{} is not a model that --model-out wrote", path.display());
    let stored: Value = serde_json::from_str(&text).with_context(strange)?;
    // Other versions have other fields: the version is looked at first.
    for model in stored["sites"].as_array().into_iter().flatten() {
        let (site, version) = (&model["site"], &model["version"]);
        if *version != MODEL_VERSION {
            bail!(
                "{}: the model of {site} has version {version}, this program reads version {MODEL_VERSION}; \
                 learn it again with --seed and --model-out",
                path.display()
            );
        }
    }
    serde_json::from_value(stored).with_context(strange)
}

/// Learns a site, prints what was found out, and adds its records to the seed.
fn learn(
    site: &str,
    pages: &[ParsedPage],
    seeds: &mut SeedDb,
    args: &MatchArgs,
    quiet: bool,
    in_seed: usize,
    printer: &mut Printer,
) -> Result<(Vec<MatchLine>, AttributeModel)> {
    let mut config = MatchConfig::default();
    config.min_confidence = args.min_confidence.unwrap_or(config.min_confidence);
    let (found, mut lines) = match_pages(site, pages, seeds, in_seed, &config);
    if !quiet {
        let lines = progress_lines(site, pages.len(), &found, seeds);
        lines.iter().for_each(|line| screen::write_line(line));
    }
    let ids: Vec<&str> = pages.iter().map(|page| page.id.as_str()).collect();
    if args.explain {
        show::explain(site, &found, seeds, &ids, printer)?;
        lines.clear();
    }
    if !args.no_grow {
        found.grow(site, &ids, seeds);
    }
    Ok((lines, found.model))
}
