//! The lines of `quarry links`: plain data for JSON, as the contract has it.

use serde::Serialize;

use super::{
    AttributeSource, EntityLink, FormFacets, LabelledLink, LinkGroup, LinkMap, PageKind,
    PagingLink, PagingRole, SizeLink,
};

/// One line: a page and what it leads to.
#[derive(Clone, Debug, Serialize)]
pub struct LinksLine {
    /// The page's id.
    pub page: String,
    /// Entity, list or other.
    pub kind: PageKind,
    /// Ways to the other pages of the list, and of records that have several pages.
    pub pagination: Vec<PagingLine>,
    /// Groups of facet values.
    pub facets: Vec<FacetLine>,
    /// Other orders of the list.
    pub sorts: Vec<LabelledLink>,
    /// Other page sizes.
    pub sizes: Vec<SizeLink>,
    /// Links that take a predicate away.
    pub removals: Vec<LabelledLink>,
    /// The same data in other forms.
    pub exports: Vec<LabelledLink>,
    /// How many entities the page says that there are.
    pub total: Option<u64>,
    /// Links to the entities of the list.
    pub entities: Vec<EntityLink>,
    /// Links to entities outside the list.
    pub promoted: Vec<EntityLink>,
    /// Forms that search or narrow the list.
    pub forms: Vec<FormFacets>,
}

/// A way to another page.
#[derive(Clone, Debug, Serialize)]
pub struct PagingLine {
    /// The address as the page has it.
    pub href: String,
    /// Where it leads.
    pub url: String,
    /// What it does.
    pub role: PagingRole,
    /// The number of the page.
    pub number: Option<u32>,
}

/// A facet.
#[derive(Clone, Debug, Serialize)]
pub struct FacetLine {
    /// What names it.
    pub attribute: Option<String>,
    /// Where that was found.
    pub attribute_from: AttributeSource,
    /// The values on offer.
    pub values: Vec<ValueLine>,
    /// Where the other values are, if not all are shown.
    pub more: Option<String>,
    /// How much it looks like a facet, from 0 to 1.
    pub score: f64,
}

/// A facet value.
#[derive(Clone, Debug, Serialize)]
pub struct ValueLine {
    /// Its text.
    pub value: String,
    /// Where it leads.
    pub href: String,
    /// The count beside it.
    pub count: Option<u64>,
    /// Whether it is chosen.
    pub selected: bool,
}

/// The line of a page.
#[must_use]
pub fn links_line(page: &str, kind: PageKind, map: LinkMap) -> LinksLine {
    let facets = map.facets().map(facet).collect();
    LinksLine {
        page: page.to_owned(),
        kind,
        facets,
        pagination: map.pagination.into_iter().chain(map.record_pagination).map(paging).collect(),
        sorts: map.sorts,
        sizes: map.sizes,
        removals: map.removals,
        exports: map.exports,
        total: map.total,
        entities: map.entities,
        promoted: map.promoted,
        forms: map.forms,
    }
}

fn paging(link: PagingLink) -> PagingLine {
    PagingLine { href: link.written, url: link.href, role: link.role, number: link.number }
}

fn facet(group: &LinkGroup) -> FacetLine {
    let values = group.links.iter().filter(|link| !link.more).map(|link| ValueLine {
        value: link.value.clone(),
        href: link.href.clone(),
        count: link.count,
        selected: link.selected,
    });
    FacetLine {
        attribute: group.attribute.clone(),
        attribute_from: group.attribute_from,
        values: values.collect(),
        more: group.links.iter().find(|link| link.more).map(|link| link.href.clone()),
        score: (group.facet_score * 1000.0).round() / 1000.0,
    }
}
