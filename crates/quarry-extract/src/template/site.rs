//! The templates of a site, and the data units of a page. Regions of like records share a template.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, Kind, NodeId};
use rayon::prelude::*;

use super::align::{Aligned, Aligner};
use super::classes::Classes;
use super::decorative;
use super::forest::{EMPTY_PATH, NO_PARENT, RecordInput, Steps, below, forest, name_of};
use super::mine::{TemplateConfig, mine};
use crate::find::{PageRecords, Region};
use crate::model::{SiteModel, Template};
use crate::page::hash;

/// Two regions have one template if this share of the fields of the one with fewer is in the other.
const SAME_KIND: f64 = 0.5;
/// And this share of those of the one with more: a menu of links is not a kind of record that has a link. From 0.15 to
/// 0.35 the scores are the same.
const OF_MORE: f64 = 0.25;
/// A field belongs to a region's kind if this share of its records has it.
const MIN_FIELD_SHARE: f64 = 0.3;
/// Records of a region that are looked at to tell its kind.
const LOOKED_AT: usize = 50;

/// Regions of one kind.
struct Family {
    cluster: usize,
    fields: BTreeSet<u64>,
    /// Page and region.
    regions: Vec<(usize, usize)>,
}

/// The fields (names from the record's root down to a text) that the records of a region share.
fn fields(document: &Document, region: &Region) -> BTreeSet<u64> {
    let mut all: Vec<u64> = Vec::new();
    let records = region.records.iter().take(LOOKED_AT);
    for record in records.clone() {
        let mut own: Vec<u64> = Vec::new();
        for &root in &record.nodes {
            for node in document.subtree(root) {
                let shown = document.kind(node) == Kind::Text
                    && !document.is_hidden(node)
                    && !document.text(node).trim().is_empty();
                if shown {
                    own.push(field(document, root, node));
                }
            }
        }
        own.sort_unstable();
        own.dedup();
        all.extend(own);
    }
    all.sort_unstable();
    let enough = MIN_FIELD_SHARE * records.count() as f64;
    let same = all.chunk_by(|one, other| one == other);
    same.filter(|same| same.len() as f64 >= enough).map(|same| same[0]).collect()
}

fn field(document: &Document, root: NodeId, text: NodeId) -> u64 {
    let mut field = 0;
    for node in document.ancestors(text).take_while(|&node| node > root) {
        field = hash::then(field, hash::of(document.tag_name(node)));
    }
    field
}

fn families(documents: &[&Document], found: &[PageRecords]) -> Vec<Family> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&one, &other| found[one].page.cmp(&found[other].page));
    let mut families: Vec<Family> = Vec::new();
    let ranks = found.iter().map(|page| page.regions.len()).max().unwrap_or(0);
    // All best regions come first: they make the first templates.
    for rank in 0..ranks {
        for &page in &order {
            let Some(region) = found[page].regions.get(rank) else { continue };
            let own = fields(documents[page], region);
            let cluster = found[page].cluster;
            let alike = |family: &&mut Family| {
                let shared = family.fields.intersection(&own).count() as f64;
                let fewer = family.fields.len().min(own.len()).max(1) as f64;
                let more = family.fields.len().max(own.len()).max(1) as f64;
                shared >= SAME_KIND * fewer && shared >= OF_MORE * more
            };
            match families.iter_mut().find(alike) {
                Some(family) => {
                    family.regions.push((page, rank));
                    family.fields.extend(own);
                }
                None => families.push(Family { cluster, fields: own, regions: vec![(page, rank)] }),
            }
        }
    }
    families
}

/// Mines the templates of a site from the records of its pages. `documents` are the pages of `found`, in its order.
pub fn learn(documents: &[&Document], found: &[PageRecords], config: &TemplateConfig) -> SiteModel {
    let families = families(documents, found);
    let templates: Vec<Template> = families
        .par_iter()
        .enumerate()
        .map(|(number, family)| {
            let records: Vec<RecordInput<'_>> = family
                .regions
                .iter()
                .flat_map(|&(page, rank)| {
                    let records = found[page].regions[rank].records.iter();
                    records.map(move |record| (page, record))
                })
                .map(|(page, record)| RecordInput {
                    document: documents[page],
                    nodes: &record.nodes,
                })
                .collect();
            let mut template = mine(&records, config);
            (template.template, template.cluster) = (number + 1, family.cluster);
            template
        })
        .collect();
    SiteModel { templates, ..SiteModel::default() }
}

/// The data units of each record of each region of a page, by the template that fits the region best.
pub fn extract(document: &Document, found: &PageRecords, model: &SiteModel) -> Vec<Vec<Aligned>> {
    UnitReader::new(model).read(document, found.regions.iter())
}

/// The templates of a site, made ready to read any number of pages.
pub struct UnitReader<'m> {
    aligners: Vec<Aligner<'m>>,
    /// Names of elements that may decorate a text: paths of names leave them out.
    decorating: BTreeSet<u64>,
    /// The templates, in order, that have a text at a path of names.
    of_path: BTreeMap<u64, Vec<usize>>,
}

impl<'m> UnitReader<'m> {
    /// Prepares the templates of a site.
    #[must_use]
    pub fn new(model: &'m SiteModel) -> Self {
        let paths = model.templates.iter().flat_map(|template| &template.decorative);
        let names = paths.filter_map(|path| path.rsplit('/').next());
        let mut decorating = decorative::usual();
        decorating.extend(names.map(|step| hash::of(name_of(step))));
        let mut of_path: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (number, template) in model.templates.iter().enumerate() {
            for place in &template.places {
                let names = place.path.split('/').filter(|step| !step.is_empty());
                let names = names.map(|step| hash::of(name_of(step)));
                let kept = names.filter(|name| !decorating.contains(name));
                let known = of_path.entry(kept.fold(EMPTY_PATH, below)).or_default();
                if known.last() != Some(&number) {
                    known.push(number);
                }
            }
        }
        let aligners = model.templates.iter().map(Aligner::new).collect();
        Self { aligners, decorating, of_path }
    }

    /// The data units of each record of each region of a page, by the template that fits the region best.
    pub fn read<'r>(
        &self,
        document: &Document,
        regions: impl Iterator<Item = &'r Region>,
    ) -> Vec<Vec<Aligned>> {
        let mut ready: Vec<Ready<'_>> =
            self.aligners.iter().map(|aligner| (aligner, aligner.steps())).collect();
        regions.map(|region| self.read_region(document, region, &mut ready)).collect()
    }

    fn read_region(
        &self,
        document: &Document,
        region: &Region,
        ready: &mut [Ready<'_>],
    ) -> Vec<Aligned> {
        let best = if ready.len() > 1 { self.best(document, region, ready) } else { 0 };
        let mut best = ready.get_mut(best);
        let mut align = |nodes: &[NodeId]| match &mut best {
            Some((aligner, steps)) => aligner.align_with(RecordInput { document, nodes }, steps),
            None => Aligned { units: Vec::new(), fit: 0.0 },
        };
        region.records.iter().map(|record| align(&record.nodes)).collect()
    }

    /// The template that fits a region best; the first if none does.
    fn best(&self, document: &Document, region: &Region, ready: &mut [Ready<'_>]) -> usize {
        let records = || region.records.iter().take(TRIED);
        let records = || records().map(|record| RecordInput { document, nodes: &record.nodes });
        let mut best = (0.0, 0);
        for at in self.possible(records()) {
            let (aligner, steps) = &mut ready[at];
            let fit: f64 = records().map(|record| aligner.fit_with(record, steps)).sum();
            if fit > best.0 {
                best = (fit, at);
            }
        }
        best.1
    }

    /// The templates that know the place of at least one text of the records. All others do not fit at all, and a folder of many
    /// sites has hundreds of them.
    fn possible<'d>(&self, records: impl Iterator<Item = RecordInput<'d>>) -> BTreeSet<usize> {
        let no_classes = BTreeSet::new();
        let mut steps = Steps::new(Classes::Only(&no_classes));
        let mut possible = BTreeSet::new();
        let mut paths: Vec<u64> = Vec::new();
        for record in records {
            paths.clear();
            for item in &forest(record, &mut steps).items {
                let above = match item.parent {
                    NO_PARENT => EMPTY_PATH,
                    parent => paths[parent as usize],
                };
                let is_kept = item.is_text || !self.decorating.contains(&item.name);
                let path = if is_kept { below(above, item.name) } else { above };
                paths.push(path);
                if item.is_text {
                    possible.extend(self.of_path.get(&path).into_iter().flatten());
                }
            }
        }
        possible
    }
}

/// An aligner and the steps that it has met.
type Ready<'a> = (&'a Aligner<'a>, Steps<'a>);

/// Records of a region that decide which template it has.
const TRIED: usize = 8;
