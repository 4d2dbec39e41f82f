//! `quarry match`: the attributes of sites never seen before, by agreement with records that are known
//! already. Sites are taken in turn, and each adds its records.

mod show;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use quarry_dom::Document;
use quarry_extract::attribute::model::{MODEL_VERSION, Reader};
use quarry_extract::attribute::{AttributeModel, MatchConfig, SeedDb, SiteMatch, match_site};
use quarry_harvest::{Ending, ParsedPage};
use quarry_papers::redundancy::{FindAttrPosConfig, find_attr_pos};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::{MatchArgs, MatchMethod};
use crate::printer::Printer;
use crate::seeds;
use crate::stage::{Lines, read_pages};

/// A line of the output.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MatchLine {
    site: String,
    page: String,
    attribute: String,
    value: String,
    path: String,
    confidence: f64,
    /// Number of the record in the seed, from 0; none where the page's entity is new.
    seed_record: Option<u32>,
}

/// Models of several sites in one file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ModelFile {
    sites: Vec<AttributeModel>,
}

pub(crate) fn run(args: &MatchArgs, quiet: bool, printer: &mut Printer) -> Result<Ending> {
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
            keep(with_model(name, &pages, model), &mut out)?;
        }
    } else {
        let Some(path) = &args.seed else {
            bail!(
                "a seed is needed to learn from: give --seed FILE, or --model FILE to use what was learned"
            )
        };
        let mut seeds = seeds::read_file(path)?;
        let known = seeds.records().len();
        if seeds.records().is_empty() {
            bail!("the seed {} has no records; each line is one record", path.display());
        }
        if !quiet {
            show::issues(&seeds);
        }
        let mut models = ModelFile::default();
        for (name, input) in sites.iter().zip(&args.stage.input) {
            let pages = read_pages(std::slice::from_ref(input), args.stage.urls.as_deref())?;
            let found = match args.method {
                MatchMethod::Agreement => {
                    learn(name, &pages, &mut seeds, args, quiet, known, printer)?
                }
                MatchMethod::Paper => by_paper(name, &pages, &mut seeds, args, quiet),
            };
            models.sites.extend(found.1);
            keep(found.0, &mut out)?;
        }
        if let Some(path) = &args.model_out {
            let text = serde_json::to_string_pretty(&models).context("cannot write the model")?;
            std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    if out.as_table() {
        show::table(&shown, printer)?;
        return Ok(Ending::Done);
    }
    out.finish()
}

/// A site is called by the last part of its input, or by all of it where several end alike.
fn site_names(inputs: &[PathBuf]) -> Vec<String> {
    let last = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| path.display().to_string())
    };
    let names: Vec<String> = inputs.iter().map(last).collect();
    let single = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let name = |(path, name): (&PathBuf, &String)| {
        if single(name) { name.clone() } else { path.display().to_string() }
    };
    inputs.iter().zip(&names).map(name).collect()
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

fn with_model(site: &str, pages: &[ParsedPage], model: &AttributeModel) -> Vec<MatchLine> {
    let reader = Reader::new(model);
    let mut lines = Vec::new();
    for page in pages {
        for found in reader.read(&page.document) {
            lines.push(MatchLine {
                site: site.to_owned(),
                page: page.id.clone(),
                attribute: model.attributes[found.rule].attribute.clone(),
                value: found.value,
                path: page.document.xpath(found.node),
                confidence: rounded(found.confidence),
                seed_record: None,
            });
        }
    }
    lines
}

fn rounded(confidence: f64) -> f64 {
    (confidence * 1000.0).round() / 1000.0
}

type Learned = (Vec<MatchLine>, Option<AttributeModel>);

fn learn(
    site: &str,
    pages: &[ParsedPage],
    seeds: &mut SeedDb,
    args: &MatchArgs,
    quiet: bool,
    known: usize,
    printer: &mut Printer,
) -> Result<Learned> {
    let documents: Vec<&Document> = pages.iter().map(|page| &page.document).collect();
    let mut config = MatchConfig::default();
    config.min_confidence = args.min_confidence.unwrap_or(config.min_confidence);
    let found: SiteMatch = match_site(site, &documents, seeds, &config);
    if !quiet {
        show::progress(site, pages.len(), &found, seeds);
    }
    if args.explain {
        let ids: Vec<&str> = pages.iter().map(|page| page.id.as_str()).collect();
        show::explain(site, &found, seeds, &ids, printer)?;
    }
    // Records that a site added are entities of the seed only where they were resolved to one.
    let in_seed = |record: u32| -> Option<u32> {
        let mut at = record;
        while at as usize >= known {
            at = seeds.records()[at as usize].same_as?;
        }
        Some(at)
    };
    let line = |field: &quarry_extract::attribute::Field| MatchLine {
        site: site.to_owned(),
        page: pages[field.page].id.clone(),
        attribute: seeds.attributes()[field.attribute as usize].clone(),
        value: field.value.clone(),
        path: documents[field.page].xpath(field.node),
        confidence: rounded(field.confidence),
        seed_record: found.records[field.page].and_then(in_seed),
    };
    let lines: Vec<MatchLine> = found.fields.iter().map(line).collect();
    if !args.no_grow {
        let ids: Vec<&str> = pages.iter().map(|page| page.id.as_str()).collect();
        found.grow(site, &ids, seeds);
    }
    let lines = if args.explain { Vec::new() } else { lines };
    Ok((lines, Some(found.model)))
}

/// The paper's algorithm: absolute paths, all or nothing.
fn by_paper(
    site: &str,
    pages: &[ParsedPage],
    seeds: &mut SeedDb,
    args: &MatchArgs,
    quiet: bool,
) -> Learned {
    let documents: Vec<&Document> = pages.iter().map(|page| &page.document).collect();
    let found = find_attr_pos(&documents, seeds, &FindAttrPosConfig::default());
    if !quiet {
        show::paper(site, pages.len(), &found, seeds);
    }
    let mut lines = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let mut values = Vec::new();
        for position in &found.positions {
            let Some(node) = page.document.node_at(&position.path) else { continue };
            let value = page.document.folded_text(node).into_owned();
            if value.is_empty() {
                continue;
            }
            values.push((position.attribute, value.clone()));
            lines.push(MatchLine {
                site: site.to_owned(),
                page: page.id.clone(),
                attribute: seeds.attributes()[position.attribute as usize].clone(),
                value,
                path: position.path.clone(),
                confidence: rounded(found.support as f64 / position.pages.max(1) as f64),
                seed_record: found.records.get(&at).copied(),
            });
        }
        if !args.no_grow && !values.is_empty() {
            seeds.add(site, Some(page.id.clone()), values);
        }
    }
    (lines, None)
}
