//! The model of a whole site: learned once from some of its pages, then read off every page.
//!
//! Lists give records, each tied to the entity that its link leads to; an entity's own page gives what it
//! is called and its specification. How: `docs/algorithms/harvest.md`.

mod entity_kinds;
mod fields;
mod fit;
mod identity;
mod kind_name;
mod kinds;
mod lists;
mod matched;
mod meaning;
mod others;
mod units;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use quarry_dom::{Document, NodeId, PageIndex};
use url::Url;

use crate::attribute::AttributeModel;
use crate::detail::{TitleReader, main_heading};
use crate::find::{PageRecords, Region};
use crate::links::{
    KnownKinds, LinkMap, ListedEntity, PageKind, SeenPage, correct_by_crawl, known_entities,
    learn_site_links, names_action, page_kinds, read_index_links,
};
use crate::model::{EntityKind, PageTemplate, SiteModel};
use crate::parallel;
use crate::spec::{KnownPairs, Spec, SpecConfig, SpecPage, extract_specs, learn_specs};
use crate::template::{DataUnit, TemplateConfig, UnitReader, learn};
use entity_kinds::KindMembers;
use fields::FieldReader;
use lists::Looks;
use others::Others;

pub use fields::{FieldSource, PageField};
pub use fit::{BaselineYield, SiteFit};
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
    /// What kind of entity an entity's page is about.
    pub entity_kind: Option<String>,
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
    /// What kind of entity it is.
    pub entity_kind: Option<String>,
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
    learn_crawled_site(pages, &|_| None)
}

/// Learns a site from some of its pages, and from what a crawl has found out about them.
#[must_use]
pub fn learn_crawled_site(pages: &[SitePage<'_>], kinds: KnownKinds<'_>) -> SiteModel {
    let mut model = learn_pages(pages, kinds);
    let read = read_all(pages, &model, kinds);
    if model.entities.is_empty() {
        model.identity = identity::learn(read.iter().flat_map(|data| &data.records));
    }
    SiteModel { usual: BaselineYield::of(&read), ..model }
}

fn read_all(pages: &[SitePage<'_>], model: &SiteModel, kinds: KnownKinds<'_>) -> Vec<PageData> {
    let reader = SiteReader::new(model).knowing(kinds);
    parallel::map(pages, |page| reader.read(page))
}

/// The model with the attributes of known records, found on some of the site's pages.
#[must_use]
pub fn with_attributes(
    model: SiteModel,
    attributes: AttributeModel,
    pages: &[SitePage<'_>],
) -> SiteModel {
    let bare = SiteModel { attributes: Some(attributes), prefixes: BTreeMap::new(), ..model };
    let read = read_all(pages, &bare, &|_| None);
    let prefixes = matched::prefixes(read.iter().flat_map(|data| &data.matched));
    SiteModel { prefixes, usual: BaselineYield::of(&read), ..bare }
}

fn learn_pages(pages: &[SitePage<'_>], known: KnownKinds<'_>) -> SiteModel {
    let inputs: Vec<(&Document, &Url)> = pages.iter().map(|p| (p.document, p.address)).collect();
    let (mut maps, entities) = learn_site_links(&inputs);
    let entities = correct_by_crawl(&inputs, &mut maps, entities, known);
    let seen = pages.iter().zip(&maps);
    let seen: Vec<SeenPage<'_>> =
        seen.map(|(page, map)| SeenPage { address: Some(page.address), map }).collect();
    let kinds: Vec<PageKind> = page_kinds(&seen)
        .into_iter()
        .zip(pages)
        .map(|(kind, page)| known(page.address).unwrap_or(kind))
        .collect();
    if !kinds.contains(&PageKind::Entity) {
        let template = fields::learn(pages.iter().map(|page| page.document));
        if kinds::are_details(pages, &maps, template.detail.as_ref()) {
            let members = entity_kinds::kinds_of(pages, &maps, &kinds, true);
            let kinds = learn_kinds(pages, &maps, members, Some(template));
            return SiteModel { is_details: true, kinds, ..SiteModel::default() };
        }
    }
    let mut members = entity_kinds::kinds_of(pages, &maps, &kinds, false);
    let listed_lists = entity_kinds::listed_lists(pages, &maps, &kinds);
    // Where nothing is known of entity links, any page may be about an entity.
    if members.is_empty() || entities.is_empty() {
        members = vec![KindMembers::default()];
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
    let kinds = learn_kinds(pages, &maps, members, None);
    let learned = learn(&documents, &found, &TemplateConfig::default());
    let units = units::learn(&documents, &found, &learned);
    let Looks { first: records, following } = looks;
    SiteModel { entities, records, following, units, kinds, lists: listed_lists, ..learned }
}

/// Learns the templates and names of kinds; `template` is that of all pages, if it is known already.
fn learn_kinds(
    pages: &[SitePage<'_>],
    maps: &[LinkMap],
    members: Vec<KindMembers>,
    mut template: Option<PageTemplate>,
) -> Vec<EntityKind> {
    let names = kind_name::names(pages, maps, &members);
    let is_only = members.len() == 1;
    let mut kinds = Vec::with_capacity(members.len());
    for (name, own) in names.into_iter().zip(members) {
        // Where nothing is known of entities, any page may be about one.
        let is_any = own.pages.is_empty() && own.links.is_empty();
        let own_pages: Vec<&SitePage<'_>> = match is_any || template.is_some() && is_only {
            true => pages.iter().collect(),
            false => own.pages.iter().map(|&at| &pages[at]).collect(),
        };
        let inputs: Vec<SpecPage<'_>> = own_pages
            .iter()
            .map(|page| SpecPage { id: page.id, document: page.document })
            .collect();
        let specs = Some(learn_specs(&inputs, &KnownPairs::default(), &SPECS));
        let known = template.take().filter(|_| is_only);
        let page =
            known.unwrap_or_else(|| fields::learn(own_pages.iter().map(|page| page.document)));
        let page = PageTemplate { specs, ..page };
        kinds.push(EntityKind { name, shapes: own.shapes, page });
    }
    kinds
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
    kinds: Vec<KindReader<'m>>,
    known: Option<KnownKinds<'m>>,
}

/// What was learned of the pages of a kind, made ready to read.
struct KindReader<'m> {
    kind: &'m EntityKind,
    fields: FieldReader<'m>,
    title: Option<TitleReader<'m>>,
}

impl<'m> KindReader<'m> {
    fn new(kind: &'m EntityKind) -> Self {
        let title = kind.page.detail.as_ref().map(|detail| TitleReader::new(&detail.title));
        Self { kind, fields: FieldReader::new(&kind.page), title }
    }

    fn title(&self, document: &Document) -> Option<Title> {
        match &self.title {
            None => title(document),
            Some(reader) => reader.read(document).map(|(text, node)| Title { text, node }),
        }
    }
}

impl<'m> SiteReader<'m> {
    /// Prepares a model.
    #[must_use]
    pub fn new(model: &'m SiteModel) -> Self {
        let looks = Looks { first: model.records.clone(), following: model.following.clone() };
        let kinds = model.kinds.iter().map(KindReader::new).collect();
        Self { model, units: UnitReader::new(model), looks, kinds, known: None }
    }

    /// The reader, told what a crawl has found out about pages.
    #[must_use]
    pub fn knowing(self, kinds: KnownKinds<'m>) -> Self {
        Self { known: Some(kinds), ..self }
    }

    /// Reads a page.
    #[must_use]
    pub fn read(&self, page: &SitePage<'_>) -> PageData {
        let SitePage { address, document, .. } = *page;
        let model = self.model;
        let known = self.known.and_then(|known| known(address));
        let is_entity = match known {
            Some(kind) => kind == PageKind::Entity,
            None => model.is_details || model.entities.leads_to(address) && self.is_told(address),
        };
        if is_entity {
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
            entity_kind: None,
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
        let kind = self.kinds.get(model.kind_at(page.address).unwrap_or(0));
        let specs = kind.and_then(|kind| kind.kind.page.specs.as_ref());
        let specs = specs.map(|specs| extract_specs(document, specs, &SPECS)).unwrap_or_default();
        let title = kind.map_or_else(|| title(document), |kind| kind.title(document));
        let matched = matched::read(document, title.as_ref(), model);
        let fields = kind.map(|kind| kind.fields.read(document, title.as_ref(), &specs));
        let mut data = PageData {
            kind: PageKind::Entity,
            entity_kind: kind.map(|kind| kind.kind.name.clone()),
            records: Vec::new(),
            title,
            specs,
            matched,
            fields: fields.unwrap_or_default(),
        };
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
            _ if linked => return self.bare(entities),
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
        for record in &mut records {
            record.entity_kind = self.record_kind(record).map(|kind| kind.name.clone());
        }
        // What lists mention, and no page of a kind could describe, is no entity of these kinds.
        records.retain(|record| record.entity_kind.is_some());
        records.retain(|record| !linked || !self.is_known_list(&record.entity));
        records
    }

    /// Whether the crawl has found out that an address is a list: what a menu of months or tags leads to is no entity.
    fn is_known_list(&self, address: &str) -> bool {
        let kind = |known: KnownKinds<'_>| Url::parse(address).ok().and_then(|url| known(&url));
        self.known.and_then(kind) == Some(PageKind::List)
    }

    /// Whether an address is like those of a kind; any is where addresses do not tell kinds.
    fn is_told(&self, address: &Url) -> bool {
        let mut shapes = self.model.kinds.iter().flat_map(|kind| &kind.shapes).peekable();
        shapes.peek().is_none() || shapes.any(|shape| shape.fits(address))
    }

    /// The entities that a page only links to.
    fn bare(&self, entities: &[ListedEntity]) -> Vec<EntityRecord> {
        let leads = |link: &&ListedEntity| {
            Url::parse(&link.href).is_ok_and(|address| self.model.entities.leads_to(&address))
        };
        let bare = |link: &ListedEntity| {
            let record = lists::bare(link);
            let kind = self.record_kind(&record)?.name.clone();
            if self.is_known_list(&record.entity) {
                return None;
            }
            Some(EntityRecord { entity_kind: Some(kind), ..record })
        };
        entities.iter().filter(leads).filter_map(bare).collect()
    }

    /// The kind of a record's entity. A link without any data belongs to a kind by its address alone.
    fn record_kind(&self, record: &EntityRecord) -> Option<&'m EntityKind> {
        let address = Url::parse(&record.entity).ok()?;
        let kind = self.model.kind_of(&address).or(self.model.kinds.first())?;
        let is_told = kind.shapes.is_empty() || kind.shapes.iter().any(|s| s.fits(&address));
        let is_list = || self.model.lists.iter().any(|shape| shape.fits(&address));
        (is_told || !record.units.is_empty() && !is_list()).then_some(kind)
    }
}

/// Whether a link would do something, and does not lead where entities are: `/cart/add/17` on the page of a search with
/// one answer.
fn acts(entity: &str, model: &SiteModel) -> bool {
    let leads = || Url::parse(entity).is_ok_and(|address| model.entities.leads_to(&address));
    names_action(entity) && !leads()
}

/// What a page calls its subject: its main heading, or the title of the document.
#[must_use]
pub fn title(document: &Document) -> Option<Title> {
    let heading = main_heading(document)
        .map(|node| Title { text: document.folded_text(node).into_owned(), node });
    heading.or_else(|| {
        let node = document.elements(quarry_dom::Tag::TITLE).next()?;
        let text = document.title()?.into_owned();
        (!text.is_empty()).then_some(Title { text, node })
    })
}
