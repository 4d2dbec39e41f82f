//! Reads labelled product pages. `specs.jsonl` with the pairs of product pages,
//! `openie_labels-*.jsonl` with a row per printed name, folders of pages without specifications,
//! and generated shops.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quarry_dom::{Document, Limits, NodeId};
use quarry_testsite::{Site as Shop, SiteRequest, SiteSpec, SpecStyle, Theme, Vertical};
use serde_json::Value;

/// The label set's name for the subject of a page.
const TOPIC: &str = "topic_entity_name";
/// Labelled pages of a site that are used; they are taken evenly.
const PAGES: usize = 60;
/// Weakly labelled pages of a site that are used.
const WEAK_PAGES: usize = 12;
/// Pages of a generated shop.
const SHOP_PAGES: u32 = 12;

/// Accepted keys of a name, and the key of its value.
pub(super) type Truth = (BTreeSet<String>, String);

/// A page with its labels; without any it has no specification.
pub(super) struct Page {
    pub(super) id: String,
    pub(super) document: Document,
    pub(super) truth: Vec<Truth>,
}

/// A site, or pages that are looked at together.
pub(super) struct Site {
    pub(super) collection: String,
    pub(super) name: String,
    /// Only some values are labelled, their printed names are not.
    pub(super) weak: bool,
    pub(super) pages: Vec<Page>,
}

/// Letters and digits in lower case.
pub(crate) fn key(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn parse(file: &Path) -> Result<Document> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    // As the program reads files: what is UTF-8 throughout is no other encoding.
    let kind = (!bytes.is_ascii() && std::str::from_utf8(&bytes).is_ok())
        .then_some("text/html; charset=utf-8");
    Ok(Document::parse(&bytes, kind, &Limits::default()))
}

fn json_lines(file: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the labels in {}", file.display()))?;
    let parse = |line: &str| serde_json::from_str(line).context("a line of labels is not JSON");
    text.lines().map(parse).collect()
}

/// The labelled sites of a folder, whichever of the two forms its labels have.
pub(super) fn labelled(data: &Path) -> Result<Vec<Site>> {
    let mut pages: BTreeMap<PathBuf, Vec<Truth>> = BTreeMap::new();
    let specs = data.join("specs.jsonl");
    if specs.is_file() {
        for row in json_lines(&specs)? {
            let pairs = row["pairs"].as_array().map(Vec::as_slice).unwrap_or_default();
            let truth: Vec<Truth> = pairs
                .iter()
                .filter_map(|pair| Some((pair[0].as_str()?, pair[1].as_str()?)))
                .map(|(name, value)| (BTreeSet::from([key(name)]), key(value)))
                .collect();
            if truth.len() > 2 {
                pages.insert(data.join(row["page"].as_str().unwrap_or_default()), truth);
            }
        }
    }
    let entries =
        std::fs::read_dir(data).with_context(|| format!("cannot list {}", data.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    files.retain(|file| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("openie_labels-"))
    });
    files.sort();
    for file in files {
        for row in json_lines(&file)? {
            let name = row["attribute"].as_str().unwrap_or_default();
            if name == TOPIC {
                continue;
            }
            let names: BTreeSet<String> =
                name.split('|').chain([name]).map(key).filter(|key| !key.is_empty()).collect();
            let page = data.join(row["page"].as_str().unwrap_or_default());
            for value in row["values"].as_array().map(Vec::as_slice).unwrap_or_default() {
                let value = key(value.as_str().unwrap_or_default());
                if !value.is_empty() {
                    pages.entry(page.clone()).or_default().push((names.clone(), value));
                }
            }
        }
    }
    let mut sites: BTreeMap<PathBuf, Vec<(PathBuf, Vec<Truth>)>> = BTreeMap::new();
    for (file, truth) in pages {
        let folder = file.parent().unwrap_or(data).to_owned();
        sites.entry(folder).or_default().push((file, truth));
    }
    let collection = data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let sites = sites.into_iter().map(|(folder, pages)| {
        let step = pages.len().div_ceil(PAGES);
        let pages = pages.into_iter().step_by(step).map(|(file, mut truth)| {
            let document = parse(&file)?;
            let text = key(&document.text_content(NodeId::ROOT));
            truth.retain(|(names, value)| {
                !value.is_empty()
                    && text.contains(value.as_str())
                    && names.iter().any(|name| text.contains(name.as_str()))
            });
            truth.sort();
            truth.dedup();
            Ok(Page { id: file.display().to_string(), document, truth })
        });
        Ok(Site {
            collection: collection.clone(),
            name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            weak: false,
            pages: pages.collect::<Result<Vec<Page>>>()?,
        })
    });
    sites.collect()
}

/// Sites of which some attributes are labelled by value (`labels-*.jsonl`), and that have no other labels.
pub(super) fn weak(data: &Path, known: &[Site]) -> Result<Vec<Site>> {
    let mut pages: BTreeMap<PathBuf, Vec<Truth>> = BTreeMap::new();
    let entries =
        std::fs::read_dir(data).with_context(|| format!("cannot list {}", data.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    files.retain(|file| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("labels-"))
    });
    files.sort();
    for file in files {
        for row in json_lines(&file)? {
            let name = row["attribute"].as_str().unwrap_or_default();
            let names: BTreeSet<String> =
                name.split('_').filter(|part| part.len() > 3).map(key).collect();
            let page = data.join(row["page"].as_str().unwrap_or_default());
            for value in row["values"].as_array().map(Vec::as_slice).unwrap_or_default() {
                let value = key(value.as_str().unwrap_or_default());
                if value.len() > 1 && name != "price" {
                    pages.entry(page.clone()).or_default().push((names.clone(), value));
                }
            }
        }
    }
    let mut sites: BTreeMap<PathBuf, Vec<(PathBuf, Vec<Truth>)>> = BTreeMap::new();
    for (file, truth) in pages {
        let folder = file.parent().unwrap_or(data).to_owned();
        sites.entry(folder).or_default().push((file, truth));
    }
    let name =
        |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    sites.retain(|folder, _| known.iter().all(|site| site.name != name(folder)));
    let sites = sites.into_iter().map(|(folder, pages)| {
        let step = pages.len().div_ceil(WEAK_PAGES);
        let pages = pages.into_iter().step_by(step).map(|(file, truth)| {
            Ok(Page { id: file.display().to_string(), document: parse(&file)?, truth })
        });
        let pages = pages.collect::<Result<Vec<Page>>>()?;
        Ok(Site { collection: "weak".to_owned(), name: name(&folder), weak: true, pages })
    });
    sites.collect()
}

/// The files below a folder whose names end like this, sorted.
pub(super) fn files(data: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut open = vec![data.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder)
            .with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|own| endings.iter().any(|e| own == *e)) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Pages without specifications, those of a folder together.
pub(super) fn negatives(data: &Path, most: usize) -> Result<Vec<Site>> {
    let mut folders: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in files(data, &["html", "htm"])? {
        let folder = path.parent().unwrap_or(data).to_owned();
        folders.entry(folder).or_default().push(path);
    }
    let collection = data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut sites = Vec::new();
    for (folder, files) in folders {
        // Folders of many sites are no site.
        let together = files.len() <= 30;
        let step = files.len().div_ceil(most);
        for (number, file) in files.iter().step_by(step).enumerate() {
            let page =
                Page { id: file.display().to_string(), document: parse(file)?, truth: Vec::new() };
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if together && number > 0 {
                let site: &mut Site = sites.last_mut().expect("the first page made it");
                site.pages.push(page);
            } else {
                let name = if together { name } else { format!("{name} {number}") };
                sites.push(Site {
                    collection: collection.clone(),
                    name,
                    weak: false,
                    pages: vec![page],
                });
            }
        }
    }
    Ok(sites)
}

/// Generated shops: every style of specification, with themes and kinds of goods in turn, and some of their list pages.
pub(super) fn shops() -> Vec<Site> {
    let mut sites = Vec::new();
    for (number, &style) in SpecStyle::ALL.iter().enumerate() {
        for turn in 0..3 {
            let theme = Theme::ALL[(number + 2 * turn) % Theme::ALL.len()];
            let vertical = Vertical::ALL[(number + 3 * turn) % Vertical::ALL.len()];
            let spec = SiteSpec {
                specs: style,
                theme,
                vertical,
                entities: 60,
                seed: 1000 + (number * 10 + turn) as u64,
                ..SiteSpec::default()
            };
            let shop = Shop::generate(spec);
            let mut pages = Vec::new();
            for truth in shop.truth().take(SHOP_PAGES as usize) {
                let pairs = truth.specs.iter();
                let pairs = pairs.map(|(name, value)| (BTreeSet::from([key(name)]), key(value)));
                pages.push(shop_page(&shop, &truth.url, pairs.collect()));
            }
            for path in [shop.root(), "/".to_owned()] {
                pages.push(shop_page(&shop, &path, Vec::new()));
            }
            sites.push(Site {
                collection: format!("generated {style:?}"),
                name: format!("{theme:?} {vertical:?}"),
                weak: false,
                pages,
            });
        }
    }
    sites
}

fn shop_page(shop: &Shop, path: &str, truth: Vec<Truth>) -> Page {
    let answer = shop.respond(&SiteRequest::get(path));
    let document = Document::parse(
        answer.text().as_bytes(),
        Some("text/html; charset=utf-8"),
        &Limits::default(),
    );
    Page { id: path.to_owned(), document, truth }
}
