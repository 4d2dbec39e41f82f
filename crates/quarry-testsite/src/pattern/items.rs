//! The entities of a pattern site, their truth, and what crawling them takes.

use std::collections::BTreeMap;

use super::words::PatternLexicon;
use super::{
    PatternContext, PatternCost, PatternEntry, PatternFacets, PatternFilter, PatternPager,
    PatternSitemap, PatternSpec,
};
use crate::prng::{Rng, hash};
use crate::site::{TruthLine, Values};
use crate::text::{NameKind, invent};

/// Entities on a page of a list.
pub(super) const PAGE_SIZE: usize = 20;
/// The year of the newest entities.
const LAST_YEAR: usize = 2025;
/// Years that entities are of.
const YEARS: usize = 6;

const MAKERS: &[&str] = &["Norva", "Bastel", "Keldor", "Ormond", "Tavik", "Wexley"];
const COLORS: &[&str] = &["red", "blue", "green", "black", "white"];
const STATES: &[&str] = &["open", "closed"];

/// A pattern site.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pattern {
    pub(super) spec: PatternSpec,
    pub(super) words: PatternLexicon,
    pub(super) entities: usize,
    seed: u64,
}

/// A facet: its name, its parameter, the English of its values.
pub(super) struct PatternFacet {
    pub(super) name: &'static str,
    pub(super) parameter: &'static str,
    pub(super) values: &'static [&'static str],
}

const FACETS: &[PatternFacet] = &[
    PatternFacet { name: "Maker", parameter: "maker", values: MAKERS },
    PatternFacet { name: "Color", parameter: "color", values: COLORS },
];
pub(super) const STATE: PatternFacet =
    PatternFacet { name: "Status", parameter: "status", values: STATES };

impl Pattern {
    pub(crate) fn new(spec: PatternSpec, entities: usize, seed: u64) -> Self {
        Self { spec, words: PatternLexicon { words: spec.words, seed }, entities, seed }
    }

    /// Entities that lists show; a sitemap may name some more.
    pub(super) fn listed(&self) -> impl Iterator<Item = usize> {
        let all = self.entities;
        let hidden = if self.spec.sitemap == PatternSitemap::More { all / 11 } else { 0 };
        0..all - hidden
    }

    pub(super) fn facets(&self) -> Vec<&'static PatternFacet> {
        let mut facets: Vec<&PatternFacet> = FACETS.iter().collect();
        if self.spec.filter == PatternFilter::Link {
            facets.push(&STATE);
        }
        let is_menu = self.spec.facets == PatternFacets::Menu;
        if is_menu || self.spec.entry == PatternEntry::ListOfLists {
            facets.truncate(1);
        }
        if self.spec.facets == PatternFacets::None {
            facets.clear();
        }
        facets
    }

    /// The place of an entity's value among a facet's values; one in seven has no color.
    pub(super) fn value(&self, facet: &PatternFacet, entity: usize) -> Option<usize> {
        let draw = hash(self.seed, facet.name, entity as u64) as usize;
        match facet.name {
            "Status" => Some(usize::from(draw % 5 > 2)),
            "Color" if draw.is_multiple_of(7) => None,
            _ => Some(draw / 7 % facet.values.len()),
        }
    }

    pub(super) fn year(&self, entity: usize) -> usize {
        LAST_YEAR - entity * YEARS / self.entities.max(1)
    }

    pub(super) fn years(&self) -> impl Iterator<Item = usize> {
        (0..YEARS).map(|n| LAST_YEAR - n)
    }

    pub(super) fn price(&self, entity: usize) -> u64 {
        500 + hash(self.seed, "price", entity as u64) % 20_000
    }

    pub(super) fn weight(&self, entity: usize) -> u64 {
        100 + hash(self.seed, "weight", entity as u64) % 4_000
    }

    pub(super) fn title(&self, entity: usize) -> String {
        let mut rng = Rng::of(self.seed, "title", entity as u64);
        let (one, two) = (invent(NameKind::Brand, &mut rng), invent(NameKind::Town, &mut rng));
        format!("{one} {two} {}", entity + 100)
    }

    /// The path of an entity's own page.
    pub(super) fn path(&self, entity: usize) -> String {
        let id = 1_000 + entity;
        match self.spec.context {
            PatternContext::Date => format!("/{}/{}/n{id}", self.year(entity), 1 + entity % 12),
            _ => format!("/{}/{id}", self.words.name("item")),
        }
    }

    /// The path of an entity of the second kind.
    pub(super) fn person_path(&self, person: usize) -> String {
        format!("/{}/{}", self.words.name("person"), 1 + person)
    }

    /// Entities of the second kind.
    pub(super) fn people(&self) -> usize {
        if self.spec.second_kind { self.entities / 3 } else { 0 }
    }

    /// People who have written something about entities.
    pub(super) fn writers(&self) -> usize {
        if self.spec.facets == PatternFacets::Records { 25 } else { 0 }
    }

    pub(super) fn person(&self, person: usize) -> (String, String) {
        let mut rng = Rng::of(self.seed, "person", person as u64);
        let name =
            format!("{} {}", invent(NameKind::Town, &mut rng), invent(NameKind::Street, &mut rng));
        (name, invent(NameKind::Town, &mut rng))
    }

    /// What a harvest should find.
    pub(crate) fn truth(&self) -> Vec<TruthLine> {
        let label = |english: &str| self.words.label(english);
        let facets = self.facets();
        let names: Vec<String> = facets.iter().map(|facet| label(facet.name)).collect();
        let mut lines = Vec::new();
        for entity in 0..self.entities {
            let mut attributes = BTreeMap::new();
            for facet in &facets {
                if let Some(value) = self.value(facet, entity) {
                    attributes.insert(label(facet.name), Values::One(label(facet.values[value])));
                }
            }
            let own =
                [(label("Price"), self.price(entity)), (label("Weight"), self.weight(entity))];
            attributes.extend(own.into_iter().map(|(name, n)| (name, Values::One(n.to_string()))));
            lines.push(line(self.path(entity), self.title(entity), names.clone(), attributes));
        }
        for person in 0..self.people() {
            let (name, town) = self.person(person);
            let attributes = BTreeMap::from([(label("Town"), Values::One(town))]);
            lines.push(line(self.person_path(person), name, Vec::new(), attributes));
        }
        lines
    }

    /// What a complete crawl takes.
    pub(crate) fn cost(&self) -> PatternCost {
        let pages = |entities: usize| match self.spec.pager {
            PatternPager::NoAddresses => 1,
            PatternPager::Years => entities.min(YEARS),
            PatternPager::Numbered | PatternPager::Sizes | PatternPager::Icons => {
                entities.div_ceil(PAGE_SIZE)
            }
        };
        let of_facet = |facet: &PatternFacet| -> usize {
            let values = 0..facet.values.len();
            values
                .map(|value| self.listed().filter(|&e| self.value(facet, e) == Some(value)).count())
                .map(pages)
                .sum()
        };
        PatternCost {
            list_pages: pages(self.listed().count()) + pages(self.people()),
            details: self.entities + self.people(),
            facet_pages: self.facets().into_iter().map(of_facet).sum(),
        }
    }
}

fn line(
    url: String,
    title: String,
    facets: Vec<String>,
    attributes: BTreeMap<String, Values>,
) -> TruthLine {
    TruthLine { url, title, facets, attributes, hidden: Vec::new(), specs: Vec::new(), base: 0 }
}
