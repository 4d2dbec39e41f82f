//! What does a whole site hold? Learned once from some of its pages, then read off every page.
//!
//! Lists give records, each tied to the entity that its link leads to; an entity's own page gives what it
//! is called and its specification. How: `docs/algorithms/harvest.md`.

mod fields;
mod fit;
mod identity;
mod kinds;
mod lists;
mod matched;
mod meaning;
mod others;
mod units;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use quarry_dom::{Document, NodeId, PageIndex};
use rayon::prelude::*;
use url::Url;

use crate::attribute::AttributeModel;
use crate::find::{PageRecords, Region};
use crate::links::{
    LinkMap, ListedEntity, PageKind, SeenPage, known_entities, learn_site_links, names_action,
    page_kinds, read_index_links,
};
use crate::model::SiteModel;
use crate::spec::{KnownPairs, Spec, SpecConfig, SpecPage, extract_specs, learn_specs};
use crate::template::{DataUnit, TemplateConfig, UnitReader, learn};
use fields::FieldReader;
use lists::Looks;
use others::Others;

pub use fields::{FieldSource, PageField};
pub use fit::{SiteFit, Usual};
pub use matched::Matched;

/// How specifications are looked for; made once, since its trees are large.
static SPECS: LazyLock<SpecConfig> = LazyLock::new(SpecConfig::default);

/// A page of the site.
#[derive(Clone, Copy, Debug)]
pub struct SitePage<'a> {
    /// Its id.
    pub id: &'a str,
    /// Where it came from.
    pub address: &'a Url,
    /// What it is.
    pub document: &'a Document,
}

/// What a page says.
#[derive(Clone, Debug)]
pub struct PageData {
    /// Whether it is a list, about one entity, or neither.
    pub kind: PageKind,
    /// The records of its list.
    pub records: Vec<EntityRecord>,
    /// What an entity's page calls it.
    pub title: Option<Title>,
    /// What an entity's page says of it in names and values.
    pub specs: Vec<Spec>,
    /// What stands where known records taught it to.
    pub matched: Vec<Matched>,
    /// What stands at the slots of the page's template, and what it embeds for machines.
    pub fields: Vec<PageField>,
}

/// The main heading of a page, or its title.
#[derive(Clone, Debug, PartialEq)]
pub struct Title {
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub node: NodeId,
}

/// A record of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityRecord {
    /// Where its link leads; a record without one is known by what identifies it: `LIST#record-HASH`.
    pub entity: String,
    /// What the link says, and where it is.
    pub title: Option<Title>,
    /// How well it fits the template, from 0 to 1.
    pub fit: f64,
    /// Its first node.
    pub node: NodeId,
    /// Its data units; none where the list has no template.
    pub units: Vec<DataUnit>,
}

/// Learns a site from some of its pages: what its entity links look like, and the templates of its lists.
#[must_use]
pub fn learn_site(pages: &[SitePage<'_>]) -> SiteModel {
    let mut model = learn_pages(pages);
    let read = read_all(pages, &model);
    if model.entities.is_empty() {
        model.identity = identity::learn(read.iter().flat_map(|data| &data.records));
    }
    SiteModel { usual: Usual::of(&read), ..model }
}

fn read_all(pages: &[SitePage<'_>], model: &SiteModel) -> Vec<PageData> {
    let reader = SiteReader::new(model);
    pages.par_iter().map(|page| reader.read(page)).collect()
}

/// The model with the attributes of known records, found on some of the site's pages.
#[must_use]
pub fn with_attributes(
    model: SiteModel,
    attributes: AttributeModel,
    pages: &[SitePage<'_>],
) -> SiteModel {
    let bare = SiteModel { attributes: Some(attributes), prefixes: BTreeMap::new(), ..model };
    let read = read_all(pages, &bare);
    let prefixes = matched::prefixes(read.iter().flat_map(|data| &data.matched));
    SiteModel { prefixes, usual: Usual::of(&read), ..bare }
}

fn learn_pages(pages: &[SitePage<'_>]) -> SiteModel {
    let inputs: Vec<(&Document, &Url)> = pages.iter().map(|p| (p.document, p.address)).collect();
    let (maps, entities) = learn_site_links(&inputs);
    let seen = pages.iter().zip(&maps);
    let seen: Vec<SeenPage<'_>> =
        seen.map(|(page, map)| SeenPage { address: Some(page.address), map }).collect();
    let kinds = page_kinds(&seen);
    if !kinds.contains(&PageKind::Entity) {
        let template = fields::learn(pages.iter().map(|page| page.document));
        if kinds::are_details(pages, &maps, template.detail.as_ref()) {
            return details(pages, template);
        }
    }
    let is = |kind: PageKind| kinds.iter().map(move |own| *own == kind);
    let lists: Vec<(&SitePage<'_>, &LinkMap)> = pages
        .iter()
        .zip(&maps)
        .zip(is(PageKind::Entity))
        .filter_map(|(page, is_entity)| (!is_entity).then_some(page))
        .collect();
    let regions: Vec<Option<&Region>> = lists
        .iter()
        .map(|(page, map)| match entities.is_empty() {
            true => lists::answer(map),
            false => lists::region(page.document, map),
        })
        .collect();
    let taught: Vec<(&Document, &Region)> = lists
        .iter()
        .zip(&regions)
        .filter_map(|((page, _), region)| Some((page.document, (*region)?)))
        .collect();
    let looks = if entities.is_empty() { Looks::default() } else { lists::looks(&taught) };
    let mut documents: Vec<&Document> = Vec::new();
    let mut found: Vec<PageRecords> = Vec::new();
    for ((page, map), region) in lists.iter().zip(regions) {
        let around = lists::around(page.document, &lists::links(map), &looks);
        let region = match (around.is_empty(), looks.first.is_empty()) {
            (false, _) => Some(lists::region_of(page.document, around)),
            (true, true) => region.cloned(),
            (true, false) => None,
        };
        if let Some(region) = region {
            documents.push(page.document);
            let id = page.id.to_owned();
            found.push(PageRecords { page: id, cluster: 0, regions: vec![region] });
        }
    }
    let details: Vec<SpecPage<'_>> = pages
        .iter()
        .zip(is(PageKind::Entity))
        .filter(|(_, is_entity)| *is_entity || entities.is_empty())
        .map(|(page, _)| SpecPage { id: page.id, document: page.document })
        .collect();
    let specs = learn_specs(&details, &KnownPairs::default(), &SPECS);
    let template = fields::learn(details.iter().map(|page| page.document));
    let learned = learn(&documents, &found, &TemplateConfig::default());
    let units = units::learn(&documents, &found, &learned);
    let Looks { first: records, following } = looks;
    let SiteModel { detail, constant_embedded, .. } = template;
    let specs = Some(specs);
    SiteModel { entities, records, following, units, specs, detail, constant_embedded, ..learned }
}

/// The model of a site whose pages are all about one entity each.
fn details(pages: &[SitePage<'_>], template: SiteModel) -> SiteModel {
    let inputs: Vec<SpecPage<'_>> =
        pages.iter().map(|page| SpecPage { id: page.id, document: page.document }).collect();
    let specs = learn_specs(&inputs, &KnownPairs::default(), &SPECS);
    SiteModel { is_details: true, specs: Some(specs), ..template }
}

/// Reads a page of a known site. For many pages make a [`SiteReader`].
#[must_use]
pub fn read_page(page: &SitePage<'_>, model: &SiteModel) -> PageData {
    SiteReader::new(model).read(page)
}

/// What was learned of a site, made ready to read any number of pages.
pub struct SiteReader<'m> {
    model: &'m SiteModel,
    units: UnitReader<'m>,
    looks: Looks,
    fields: FieldReader<'m>,
}

impl<'m> SiteReader<'m> {
    /// Prepares a model.
    #[must_use]
    pub fn new(model: &'m SiteModel) -> Self {
        let looks = Looks { first: model.records.clone(), following: model.following.clone() };
        Self { model, units: UnitReader::new(model), looks, fields: FieldReader::new(model) }
    }

    /// Reads a page.
    #[must_use]
    pub fn read(&self, page: &SitePage<'_>) -> PageData {
        let SitePage { address, document, .. } = *page;
        let model = self.model;
        if model.is_details || model.entities.leads_to(address) {
            return self.entity_page(page);
        }
        let index = PageIndex::new(document);
        let known = known_entities(&index, address, &model.entities);
        let records = match known.is_empty() || model.records.is_empty() {
            false => self.records(page, &known, None),
            true => {
                let map = read_index_links(&index, address, &model.entities);
                let entities: Vec<ListedEntity> = map.entities.iter().map(Into::into).collect();
                let region = match model.entities.is_empty() {
                    true => lists::answer(&map),
                    false => lists::region(document, &map),
                };
                self.records(page, &entities, region)
            }
        };
        let other = |kind, records| PageData {
            kind,
            records,
            title: None,
            specs: Vec::new(),
            matched: Vec::new(),
            fields: Vec::new(),
        };
        if !records.is_empty() {
            return other(PageKind::List, records);
        }
        // A site without lists has nothing but pages about something.
        let data = self.entity_page(page);
        match model.entities.is_empty() && !data.specs.is_empty() {
            true => data,
            false => other(PageKind::Other, records),
        }
    }

    fn entity_page(&self, page: &SitePage<'_>) -> PageData {
        let (document, model) = (page.document, self.model);
        let specs = model.specs.as_ref();
        let specs = specs.map(|specs| extract_specs(document, specs, &SPECS)).unwrap_or_default();
        let title = title(document);
        let matched = matched::read(document, title.as_ref(), model);
        let fields = self.fields.read(document, title.as_ref(), &specs);
        let mut data =
            PageData { kind: PageKind::Entity, records: Vec::new(), title, specs, matched, fields };
        let is_empty = data.specs.is_empty() && data.matched.is_empty() && data.fields.is_empty();
        if !is_empty && !model.records.is_empty() {
            Others::of(page, &model.entities, &self.looks).leave_out(&mut data);
        }
        data
    }

    /// The records of a list with these entity links; `region` is what holds them where nothing is known of records.
    fn records(
        &self,
        page: &SitePage<'_>,
        entities: &[ListedEntity],
        region: Option<&Region>,
    ) -> Vec<EntityRecord> {
        let (document, model) = (page.document, self.model);
        let linked = !model.entities.is_empty();
        let links: Vec<NodeId> = entities.iter().map(|entity| entity.node).collect();
        let around = lists::around(document, &links, &self.looks);
        let region = match (region, around.is_empty()) {
            // Also a list of one record, which no other record on its page resembles.
            (_, false) => lists::region_of(document, around),
            (Some(region), true) if model.records.is_empty() => region.clone(),
            // Links alone: to entities, or to something else that is listed, such as categories.
            _ if linked => return bare(entities, model),
            _ => return Vec::new(),
        };
        let aligned = self.units.read(document, std::iter::once(&region)).into_iter().flatten();
        let aligned = aligned.map(|aligned| units::say(aligned, &model.units));
        let spans = region.records.iter().zip(aligned);
        let mut records: Vec<EntityRecord> = spans
            .filter_map(|(span, aligned)| match linked {
                true => lists::linked(document, entities, &links, span, aligned)
                    .filter(|record| !acts(&record.entity, model)),
                false => Some(lists::unlinked(page.address, span, aligned, &model.identity)),
            })
            .collect();
        if !linked {
            identity::number(&mut records);
        }
        records
    }
}

/// Whether a link would do something, and does not lead where entities are: `/cart/add/17` on the page of a search with
/// one answer.
fn acts(entity: &str, model: &SiteModel) -> bool {
    let leads = || Url::parse(entity).is_ok_and(|address| model.entities.leads_to(&address));
    names_action(entity) && !leads()
}

/// The entities that a page only links to.
fn bare(entities: &[ListedEntity], model: &SiteModel) -> Vec<EntityRecord> {
    let leads = |link: &&ListedEntity| {
        Url::parse(&link.href).is_ok_and(|address| model.entities.leads_to(&address))
    };
    entities.iter().filter(leads).map(lists::bare).collect()
}

/// What a page calls its subject: the first top heading, or the title of the document.
#[must_use]
pub fn title(document: &Document) -> Option<Title> {
    let shown = |node: &NodeId| !document.is_hidden(*node);
    let heading = document.elements(quarry_dom::Tag::H1).filter(shown).find_map(|node| {
        let text = document.folded_text(node).into_owned();
        (!text.is_empty()).then_some(Title { text, node })
    });
    heading.or_else(|| {
        let node = document.elements(quarry_dom::Tag::TITLE).next()?;
        let text = document.title()?.into_owned();
        (!text.is_empty()).then_some(Title { text, node })
    })
}
