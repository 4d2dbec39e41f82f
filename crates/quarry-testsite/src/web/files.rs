//! The truth of a web, and its graph in the form in which Common Crawl publishes its own.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use super::{Section, TestWeb, WebKind, WebSite};
use crate::site::Values;
use crate::vertical::Category;

/// What is true of a site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WebTruth {
    /// Its host name.
    pub host: String,
    /// What it is.
    pub kind: WebKind,
    /// The categories that it is about.
    pub categories: Vec<Category>,
    /// The categories whose specifications it publishes.
    pub relevant: Vec<Category>,
    /// Its products.
    pub products: usize,
    /// The host that it is a copy of.
    pub mirror_of: Option<String>,
}

/// What is true of a product page of a shop or maker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WebProduct {
    /// Its address.
    pub url: String,
    /// The category of the product.
    pub category: Category,
    /// The number of the product in its category: the same on every site that has it.
    pub base: u64,
    /// As printed.
    pub title: String,
    /// Printed values by the names of attributes that all sites share.
    pub attributes: BTreeMap<String, Values>,
}

impl TestWeb {
    /// What is true of each product page of shops and makers, copies left out.
    pub fn products(&self) -> impl Iterator<Item = WebProduct> {
        let sellers =
            self.sites.iter().filter(|site| matches!(site.kind, WebKind::Shop | WebKind::Maker));
        sellers.flat_map(|site| {
            let sections = self.sections(site).iter().zip(&site.products);
            sections.flat_map(|(section, (category, _))| section_products(site, section, *category))
        })
    }

    /// What is true of each site.
    pub fn truth(&self) -> impl Iterator<Item = WebTruth> {
        self.sites.iter().map(|site| WebTruth {
            host: site.host.clone(),
            kind: site.kind,
            categories: site.categories.clone(),
            relevant: Category::ALL.iter().copied().filter(|c| site.is_relevant(*c)).collect(),
            products: site.products.iter().map(|(_, bases)| bases.len()).sum(),
            mirror_of: site.mirror_of.clone(),
        })
    }

    /// The hosts with their names reversed, sorted, and the links between them by the hosts' places: Common Crawl's
    /// vertices and edges.
    #[must_use]
    pub fn graph(&self) -> (Vec<String>, Vec<(usize, usize)>) {
        let reversed = |host: &str| host.split('.').rev().collect::<Vec<_>>().join(".");
        let mut order: Vec<usize> = (0..self.sites.len()).collect();
        order.sort_by_key(|&at| reversed(&self.sites[at].host));
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(id, &at)| place[at] = id);
        let vertices = order.iter().map(|&at| reversed(&self.sites[at].host)).collect();
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (at, site) in self.sites.iter().enumerate() {
            edges.extend(site.links.iter().map(|&to| (place[at], place[to])));
        }
        edges.sort_unstable();
        (vertices, edges)
    }

    /// Writes `truth.jsonl`, `products.jsonl`, `vertices.txt.gz` and `edges.txt.gz` into a folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut truth = BufWriter::new(File::create(folder.join("truth.jsonl"))?);
        for line in self.truth() {
            writeln!(truth, "{}", serde_json::to_string(&line)?)?;
        }
        truth.flush()?;
        let mut products = BufWriter::new(File::create(folder.join("products.jsonl"))?);
        for line in self.products() {
            writeln!(products, "{}", serde_json::to_string(&line)?)?;
        }
        products.flush()?;
        let (vertices, edges) = self.graph();
        let packed = |name: &str| -> io::Result<GzEncoder<BufWriter<File>>> {
            let file = BufWriter::new(File::create(folder.join(name))?);
            Ok(GzEncoder::new(file, Compression::default()))
        };
        let mut file = packed("vertices.txt.gz")?;
        for (id, host) in vertices.iter().enumerate() {
            writeln!(file, "{id}\t{host}")?;
        }
        file.finish()?.flush()?;
        let mut file = packed("edges.txt.gz")?;
        for (from, to) in edges {
            writeln!(file, "{from}\t{to}")?;
        }
        file.finish()?.flush()
    }
}

fn section_products<'a>(
    site: &'a WebSite,
    section: &'a Section,
    category: Category,
) -> impl Iterator<Item = WebProduct> + 'a {
    let shared: BTreeMap<String, String> =
        section.site.attributes().into_iter().map(|own| (own.name, own.canonical)).collect();
    section.site.truth().map(move |line| {
        let shown = line.attributes.into_iter().filter(|(name, _)| !line.hidden.contains(name));
        let named = shown.filter_map(|(name, values)| Some((shared.get(&name)?.clone(), values)));
        WebProduct {
            url: format!("http://{}{}{}", site.host, section.prefix, line.url),
            category,
            base: line.base,
            title: line.title,
            attributes: named.collect(),
        }
    })
}
