//! Tells what became of the links of a list, and why. Sort orders, page sizes, exports and removals show
//! the same entities; values that were asked on their own need not be combined.

use std::collections::BTreeMap;

use quarry_crawl::Address;
use quarry_crawl::query::{PredicateId, QueryGraph, QueryId, QueryState};
use quarry_dom::{Document, Limits};
use quarry_extract::action::{ActionSign, LinkMarks, address_action};
use quarry_extract::links::{ControlMeaning, LabelledLink, LinkMap};
use quarry_model::{CrawlStore, PortError, RequestState};
use rayon::prelude::*;
use serde::Serialize;
use url::Url;

use super::query_place::{QueryPlace, locate, the_query};
use super::{AddressKind, ArchivedPage, Explanation, archived_page};
use crate::HarvestError;

/// Links of a kind that are named.
const EXAMPLES: usize = 3;
/// Pages that are read at a time in search of a link.
const CHUNK: usize = 256;

/// What became of the links of one kind.
#[derive(Debug, Serialize)]
pub struct LinkFate {
    /// The kind, in words.
    pub what: String,
    /// How many links are of it.
    pub links: usize,
    /// Whether they were followed.
    pub asked: bool,
    /// Why, or why not.
    pub why: String,
    /// The first of them.
    pub examples: Vec<String>,
}

/// What a link of a page is.
enum Role {
    /// A value of an attribute.
    Value {
        attribute: String,
        value: String,
    },
    Sort(String),
    Size(String),
    Removal(String),
    Export(String),
    Paging,
    Promoted,
}

impl Role {
    /// What the link does at a query.
    fn phrase(&self, query: &str) -> String {
        match self {
            Self::Value { attribute, value } => format!("it adds {attribute}={value} to {query}"),
            Self::Sort(label) => {
                format!("it is {query} in another order, “{label}”, with the same entities")
            }
            Self::Size(label) => format!("it is {query} with another page size, “{label}”"),
            Self::Removal(label) => format!("it takes “{label}” away from {query}"),
            Self::Export(label) => {
                format!("it is {query} in another form, “{label}”, with the same entities")
            }
            Self::Paging => format!("it is another page of {query}"),
            Self::Promoted => format!("it is promoted beside {query}"),
        }
    }
}

/// The links of a page that mean something, with what they mean. Values on offer in a form have no
/// address of their own.
fn roles(map: &LinkMap) -> Vec<(Role, Option<&str>)> {
    let mut roles: Vec<(Role, Option<&str>)> = Vec::new();
    for group in map.facets() {
        let attribute = group.attribute.clone().unwrap_or_else(|| group.shape.clone());
        for link in group.links.iter().filter(|link| !link.selected && !link.more) {
            let role = Role::Value { attribute: attribute.clone(), value: link.value.clone() };
            roles.push((role, Some(&link.href)));
        }
    }
    let buttons = map.forms.iter().flat_map(|form| &form.paging_buttons);
    roles.extend(buttons.map(|_| (Role::Paging, None)));
    let controls = map.forms.iter().flat_map(|form| &form.controls);
    for control in controls.filter(|control| control.meaning == ControlMeaning::Facet) {
        let attribute = control.label.clone().unwrap_or_else(|| control.name.clone());
        for option in control.options.iter().filter(|option| !option.selected) {
            let value = option.label.clone();
            roles.push((Role::Value { attribute: attribute.clone(), value }, None));
        }
    }
    roles.extend(map.sorts.iter().map(|l| (Role::Sort(l.label.clone()), Some(l.href.as_str()))));
    roles.extend(map.sizes.iter().map(|l| (Role::Size(l.label.clone()), Some(l.href.as_str()))));
    let removal = |l: &LabelledLink| Role::Removal(l.label.clone());
    roles.extend(map.removals.iter().map(|l| (removal(l), Some(l.href.as_str()))));
    let export = |l: &LabelledLink| Role::Export(l.label.clone());
    roles.extend(map.exports.iter().map(|l| (export(l), Some(l.href.as_str()))));
    roles.extend(map.pagination.iter().map(|l| (Role::Paging, Some(l.href.as_str()))));
    roles.extend(map.promoted.iter().map(|l| (Role::Promoted, Some(l.href.as_str()))));
    roles
}

/// What became of a link, in words.
struct Reason {
    what: &'static str,
    asked: bool,
    why: String,
    example: String,
}

/// Why a link of this role at this query was asked or not.
fn reason(graph: &QueryGraph, query: QueryId, role: &Role, href: Option<&str>) -> Reason {
    let target = href.and_then(|href| Address::normalise(href).ok()).map(Address::into_string);
    let of_request = |request: &str| {
        let mut queries = graph.queries.iter().filter(|query| query.is_answered());
        queries.find(|query| query.request == request)
    };
    let not = |what, why: &str, example: &String| Reason {
        what,
        asked: false,
        why: why.to_owned(),
        example: example.clone(),
    };
    match role {
        Role::Value { attribute, value } => {
            let (asked, why) = value_reason(graph, query, attribute, value);
            let example = format!("{attribute}={value}");
            Reason { what: "values of attributes", asked, why, example }
        }
        Role::Sort(label) => not("sort orders", "the same entities in another order", label),
        Role::Size(label) => not(
            "page sizes",
            "the same entities; the largest size is read, if it holds more",
            label,
        ),
        Role::Removal(label) => match target.as_deref().and_then(of_request) {
            Some(query) => {
                let why = format!("leads back to {}", the_query(&graph.name(query)));
                let (what, example) = ("removals of a predicate", label.clone());
                Reason { what, asked: true, why, example }
            }
            None => {
                let why =
                    "leads back to a query with one predicate less, which was asked for itself";
                not("removals of a predicate", why, label)
            }
        },
        Role::Export(label) => not("exports", "the same entities in another form", label),
        Role::Paging => {
            let pages = graph[query].pages;
            let why = format!("pages of this list that were read: {pages}");
            Reason { what: "other pages", asked: pages > 1, why, example: String::new() }
        }
        Role::Promoted => {
            let why = "entities outside the answer: they need not have its predicates";
            not("promotions", why, &String::new())
        }
    }
}

/// Whether a value was asked below a query, and why or why not.
fn value_reason(
    graph: &QueryGraph,
    query: QueryId,
    attribute: &str,
    value: &str,
) -> (bool, String) {
    let Some(predicate) = predicate(graph, attribute, value) else {
        return (false, format!("{attribute} was not taken for an attribute"));
    };
    let mut wanted = graph[query].predicates.clone();
    wanted.push(predicate);
    wanted.sort_unstable();
    wanted.dedup();
    let state = |predicates: &[PredicateId]| {
        let id = graph.find(predicates)?;
        Some(graph[id].state)
    };
    match state(&wanted) {
        Some(QueryState::Dropped) => {
            return (true, format!("one was asked: {attribute} does not narrow the list"));
        }
        Some(QueryState::Offered) | None => {}
        Some(_) => return (true, "each is a query of its own".to_owned()),
    }
    match state(&[predicate]) {
        Some(QueryState::Dropped) => (false, format!("{attribute} does not narrow lists")),
        Some(QueryState::Whole | QueryState::Short | QueryState::Asked) => (
            false,
            "both values were requested one by one, so their intersection is known".to_owned(),
        ),
        Some(QueryState::Offered) | None => {
            let below = graph
                .queries
                .iter()
                .any(|query| query.is_answered() && query.predicates.contains(&predicate));
            match below {
                true => {
                    (false, "asked below other queries that cover the same entities".to_owned())
                }
                false => (
                    false,
                    "not asked: the crawl ended before, or nothing new is expected".to_owned(),
                ),
            }
        }
    }
}

/// The predicate of a value; a group may be named in another way here than where it was first met.
fn predicate(graph: &QueryGraph, attribute: &str, value: &str) -> Option<PredicateId> {
    graph.find_predicate(attribute, value).or_else(|| {
        let mut same = graph.predicates().iter().zip(0..).filter(|(p, _)| p.value == value);
        let (_, only) = same.next()?;
        same.next().is_none().then_some(PredicateId(only))
    })
}

/// What became of the links of a page of a query.
pub(super) fn fates(graph: &QueryGraph, place: &QueryPlace, page: &ArchivedPage) -> Vec<LinkFate> {
    let mut fates: Vec<LinkFate> = Vec::new();
    let mut known: BTreeMap<(&'static str, bool, String), usize> = BTreeMap::new();
    for (role, href) in roles(&page.map) {
        let Reason { what, asked, why, example } = reason(graph, place.id, &role, href);
        let at = *known.entry((what, asked, why.clone())).or_insert_with(|| {
            fates.push(LinkFate {
                what: what.to_owned(),
                links: 0,
                asked,
                why,
                examples: Vec::new(),
            });
            fates.len() - 1
        });
        let fate = &mut fates[at];
        fate.links += 1;
        if fate.examples.len() < EXAMPLES && !example.is_empty() {
            fate.examples.push(example);
        }
    }
    fates
}

/// An address that was never fetched: says which page offers it, as what, and why that was left alone.
pub(super) fn explain_unasked<S: CrawlStore>(
    found: &mut Explanation,
    store: &S,
    graphs: &[QueryGraph],
) -> Result<(), HarvestError> {
    let state = store.request_state(&found.url)?;
    let reason_of = |note: &Option<String>| note.clone().unwrap_or_else(|| "no reason".to_owned());
    let mut what = match &state {
        Some(RequestState::Failed(note)) => format!("failed: {}", reason_of(note)),
        Some(RequestState::Skipped(note)) => format!("was skipped: {}", reason_of(note)),
        Some(RequestState::Queued) => "is queued; `quarry crawl` goes on with it".to_owned(),
        Some(RequestState::Done) | None => "was not asked".to_owned(),
    };
    let offered = offering_page(store, &found.url)?;
    if let Some(sign) = action_sign(&found.url, offered.as_ref().map(|(page, _)| page)) {
        found.kind = AddressKind::Link;
        found.offered_on = offered.map(|(page, _)| page.row.url);
        found.what = format!(
            "was not asked: following it could change something, for {sign}; --follow-actions allows that"
        );
        return Ok(());
    }
    if let Some((page, role)) = offered {
        found.kind = AddressKind::Link;
        found.offered_on = Some(page.row.url.clone());
        let places = graphs.iter().filter_map(|graph| Some((graph, locate(graph, &page)?)));
        match (role, places.into_iter().next()) {
            (Some(role), Some((graph, place))) => {
                let Reason { why, .. } = reason(graph, place.id, &role, Some(&found.url));
                let why = match role {
                    Role::Sort(_) | Role::Export(_) => String::new(),
                    _ => format!("; {why}"),
                };
                what = format!("{what}: {}{why}", role.phrase(&the_query(&place.query)));
            }
            (Some(_), None) | (None, _) => {
                what += ": it leads to no list and to no entity, so there is no query to ask there";
            }
        }
    } else if state.is_none() {
        what = "is unknown: no page of the project leads there".to_owned();
    }
    found.what = what;
    Ok(())
}

/// Why the page of an entity that lists show was not fetched.
pub(super) fn why_unasked<S: CrawlStore>(store: &S, url: &str) -> Result<String, HarvestError> {
    if let Some(sign) = action_sign(url, None) {
        return Ok(format!(
            "following it could change something, for {sign}; --follow-actions allows that"
        ));
    }
    Ok(match store.request_state(url)? {
        Some(RequestState::Failed(Some(why))) => format!("the request failed: {why}"),
        Some(RequestState::Skipped(Some(why))) => format!("it was skipped: {why}"),
        Some(RequestState::Queued) => "it is queued; the same command goes on with it".to_owned(),
        _ => "lists told everything that was asked for".to_owned(),
    })
}

/// What says that an address could change something: the address itself, or a link of the page that offers it.
fn action_sign(address: &str, page: Option<&ArchivedPage>) -> Option<ActionSign> {
    let target = Address::normalise(address).ok()?;
    let by_address = address_action(target.path(), target.query());
    by_address.or_else(|| {
        let page = page?;
        let links = page.document.links(&page.address);
        let leads = |href: &str| Address::normalise(href).is_ok_and(|other| other == target);
        let mut signs = links.iter().filter(|link| leads(link.url.as_str())).map(|link| {
            let marks = LinkMarks::of(&page.document, link.node);
            marks.judge(target.path(), target.query()).cloned()
        });
        let first = signs.next()??;
        signs.all(|sign| sign.is_some()).then_some(first)
    })
}

/// The first page of the archive with a link to this address, and what the link is.
fn offering_page<S: CrawlStore>(
    store: &S,
    target: &str,
) -> Result<Option<(ArchivedPage, Option<Role>)>, HarvestError> {
    let leads = |href: &str| Address::normalise(href).is_ok_and(|a| a.as_str() == target);
    for ids in store.archived_pages()?.chunks(CHUNK) {
        let pages = ids.iter().map(|&(id, _)| store.read_page(id));
        let pages = pages.collect::<Result<Vec<_>, PortError>>()?;
        let hit = pages.par_iter().find_map_first(|exchange| {
            let kind = exchange.response.headers.get("content-type");
            let content = exchange.response.content();
            let document = Document::parse(content, kind, &Limits::default());
            let address = Url::parse(&exchange.request.url).ok()?;
            let links = document.links(&address);
            links.iter().any(|link| leads(link.url.as_str())).then(|| exchange.request.key())
        });
        if let Some(key) = hit {
            let Some(page) = archived_page(store, &key)? else { continue };
            let mut roles = roles(&page.map).into_iter();
            let role = roles.find(|(_, href)| href.is_some_and(leads)).map(|(role, _)| role);
            return Ok(Some((page, role)));
        }
    }
    Ok(None)
}
