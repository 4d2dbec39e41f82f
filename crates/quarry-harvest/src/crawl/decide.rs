//! Decides which strategy fits a site. Queries are tried first: a seed that is not faceted shows so after a few
//! requests. Then the pages around it are looked at. What was fetched is of use to the strategy that follows.

use std::collections::{BTreeMap, BTreeSet};

use quarry_crawl::query::QueryGraph;
use quarry_crawl::{Stop, StrategyReport};
use quarry_dom::{Document, Limits, NodeId};
use quarry_extract::forms::FormKind;
use quarry_extract::links::{LinkMap, read_links};
use quarry_extract::spec::{SpecConfig, SpecPage, find_specs};
use quarry_model::{Fetcher, ModelStore};
use serde::{Deserialize, Serialize};
use url::Url;

use super::look_around::{next_links, wholes};
use super::root_lists::{drop_mere_states, lists_of_kinds, without_carried, without_parameters};
use super::{
    Details, Plan, Session, SiteStore, StrategyName, data, outcome, presets, scripted_search,
};
use crate::HarvestError;
use crate::observer::Observer;

/// The file in the project's `models` that keeps the choice: the crawl goes on with it.
const FILE: &str = "choice.json";
/// A list has at least so many entities.
pub(super) const LIST: usize = 3;
/// Links of the seeds that are looked at where these cannot be narrowed.
const LOOKED_AT: usize = 24;
/// Requests that a choice takes, where the links of the seeds lead to nothing that promises a list.
const MOST_LOOKED: u64 = 60;
/// Attributes that are named as the reason.
const NAMED: usize = 4;

/// A strategy, and why it was chosen.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StrategyChoice {
    /// The strategy.
    pub strategy: StrategyName,
    /// Why, in words that follow a colon.
    pub why: String,
    /// The lists that queries begin with, where these are not the seeds.
    #[serde(default)]
    roots: Vec<String>,
    /// Further lists of the same kinds of entities: whether these are parts of the first shows when they are read.
    #[serde(default)]
    others: Vec<String>,
    /// The address of a search that scripts answer, where that is the only way in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scripted_search: Option<String>,
    /// Whether the data behind its pages is all that is asked for.
    #[serde(default)]
    by_data: bool,
    /// No list was found that goes on or can be narrowed.
    #[serde(skip)]
    is_poor: bool,
}

impl StrategyChoice {
    fn of(strategy: StrategyName, why: &str) -> Self {
        let (roots, others) = (Vec::new(), Vec::new());
        let scripted_search = None;
        let (why, by_data, is_poor) = (why.to_owned(), false, false);
        Self { strategy, why, roots, others, scripted_search, by_data, is_poor }
    }

    /// Whether the seeds were looked around at before it was made.
    fn was_looked_for(&self) -> bool {
        self.strategy != StrategyName::Query || !self.roots.is_empty()
    }

    fn plan(&self) -> Plan {
        match self.roots.as_slice() {
            [] => Plan::Named(self.strategy),
            roots => Plan::Queries(roots.to_vec()),
        }
    }
}

/// The choice that an earlier crawl has made.
pub fn read(store: &dyn ModelStore) -> Result<Option<StrategyChoice>, HarvestError> {
    let Some(text) = store.read_model(FILE)? else { return Ok(None) };
    let choice = serde_json::from_str(&text).map_err(|source| HarvestError::Damaged {
        place: store.model_place(FILE),
        remedy: "remove it, the next crawl decides anew",
        source,
    })?;
    Ok(Some(choice))
}

/// Crawls with the strategy that fits, and says which that is and why.
pub(super) fn run<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<Stop, HarvestError> {
    let stop = match read(session.store)? {
        Some(choice) if choice.by_data => {
            if let Some(stop) = try_data(session)? {
                return Ok(stop);
            }
            look_for_facets(session)?
        }
        Some(mut choice) => {
            let stop = crawl_as_chosen(session, &mut choice)?;
            let report = outcome::read_strategy_report(session.store)?;
            let is_plain = !choice.roots.is_empty() && has_entities(&report);
            if choice.strategy != StrategyName::Query || is_plain || faceted(&report).is_some() {
                return Ok(stop);
            }
            stop
        }
        None => {
            if let Some(stop) = try_data(session)? {
                return Ok(stop);
            }
            if let Some(stop) = try_scripted_search(session)? {
                return Ok(stop);
            }
            let stop = look_for_facets(session)?;
            // Without a page there is nothing to choose by: what was refused is the reason.
            if !has_pages(session.store)? {
                return Ok(stop);
            }
            let why = faceted(&outcome::read_strategy_report(session.store)?);
            let graphs = || outcome::read_graphs(session.store);
            if let Some(why) = why.filter(|_| graphs().is_ok_and(|graphs| tell_apart(&graphs))) {
                let choice = StrategyChoice::of(StrategyName::Query, &why);
                keep(session.store, &choice)?;
                say(session.observer, &choice);
                return Ok(stop);
            }
            stop
        }
    };
    // Broken off before anything could be told.
    let stop = if stop == Stop::Finished { session.run(&Plan::Look(LOOKED_AT))? } else { stop };
    if stop != Stop::Finished {
        return Ok(stop);
    }
    let settings = &session.job.settings;
    let (mut choice, mut further) = choose(&settings.seeds, session.store)?;
    if choice.is_poor {
        // What the links of the seeds lead to may be lists of lists.
        let left = MOST_LOOKED.saturating_sub(session.store.used()?.requests) as usize;
        let next = settings.allowed(next_links(session.store, left.min(LOOKED_AT))?)?;
        let stop = session.run(&Plan::LookAt(next))?;
        if stop != Stop::Finished {
            return Ok(stop);
        }
        (choice, further) = choose(&session.job.settings.seeds, session.store)?;
    }
    let further = session.job.settings.allowed(further)?;
    if !further.is_empty() {
        let stop = session.run(&Plan::Guess(further))?;
        if stop != Stop::Finished {
            return Ok(stop);
        }
        (choice, _) = choose(&session.job.settings.seeds, session.store)?;
    }
    keep(session.store, &choice)?;
    say(session.observer, &choice);
    crawl_lists(session, &mut choice)
}

/// Where scripts make the lists of the seeds from JSON: asks for that. `None` where they do not, or where there is more.
fn try_data<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<Option<Stop>, HarvestError> {
    if !session.rendering.is_on() {
        return Ok(None);
    }
    let (stop, _) = session.fetch(&Plan::Look(0), Details::All)?;
    if stop != Stop::Finished {
        return Ok(Some(stop));
    }
    let stop = data::run(session)?;
    if stop == Some(Stop::Finished) {
        keep_by_data(session)?;
    }
    Ok(stop)
}

/// Keeps and says that the data behind the pages is all.
pub(super) fn keep_by_data<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<(), HarvestError> {
    let why = "its lists are made from JSON, which was asked for";
    let choice = StrategyChoice { by_data: true, ..StrategyChoice::of(StrategyName::All, why) };
    keep(session.store, &choice)?;
    say(session.observer, &choice);
    Ok(())
}

/// Where the seeds show nothing but a search field that scripts answer: searches. `None` where they show more.
fn try_scripted_search<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<Option<Stop>, HarvestError> {
    if !session.rendering.is_on() {
        return Ok(None);
    }
    let (stop, _) = session.fetch(&Plan::Look(0), Details::All)?;
    if stop != Stop::Finished || !has_pages(session.store)? {
        return Ok(Some(stop));
    }
    let (mut choice, _) = choose(&session.job.settings.seeds, session.store)?;
    if choice.scripted_search.is_none() {
        return Ok(None);
    }
    keep(session.store, &choice)?;
    say(session.observer, &choice);
    crawl_lists(session, &mut choice).map(Some)
}

/// Whether anything was answered with a page.
fn has_pages<S: SiteStore>(store: &S) -> Result<bool, HarvestError> {
    for (id, _) in store.archived_pages()? {
        if (200..300).contains(&store.read_page(id)?.response.status) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Crawls from the chosen lists. Other lists that turn out to have entities which were not reached are crawled, too.
fn crawl_lists<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    choice: &mut StrategyChoice,
) -> Result<Stop, HarvestError> {
    if let Some(search) = &choice.scripted_search {
        return scripted_search::run(session, search);
    }
    loop {
        let stop = session.run(&choice.plan())?;
        if stop != Stop::Finished || choice.others.is_empty() {
            return Ok(stop);
        }
        let Some(list) = unreached_list(session.store, &mut choice.others)? else {
            keep(session.store, choice)?;
            return Ok(stop);
        };
        session.observer.line(&format!("the list at {list} has further entities; requesting them"));
        choice.roots.push(list);
        keep(session.store, choice)?;
    }
}

/// The first of these lists that shows entities which the crawl has not reached; lists without such are dropped.
fn unreached_list<S: SiteStore>(
    store: &S,
    lists: &mut Vec<String>,
) -> Result<Option<String>, HarvestError> {
    let graphs = outcome::read_graphs(store)?;
    let is_known = |address: &str| {
        let known =
            |graph: &QueryGraph| graph.find_entity(&graph.identity.canonical(address)).is_some();
        graphs.iter().any(known)
    };
    while let Some(list) = lists.pop() {
        let (Some(exchange), Ok(url)) = (store.archived_answer(&list)?, Url::parse(&list)) else {
            continue;
        };
        let content_type = exchange.response.headers.get("content-type");
        let content = exchange.response.content();
        let document = Document::parse(content, content_type, &Limits::default());
        let entities = read_links(&document, &url).entities;
        let entities: Vec<Url> =
            entities.iter().filter_map(|link| Url::parse(&link.href).ok()).collect();
        let bare = without_carried(&url, &entities);
        let both = entities.iter().zip(&bare);
        let unknown =
            both.filter(|(own, bare)| !is_known(own.as_str()) && !is_known(bare.as_str())).count();
        if unknown >= LIST && unknown as f64 > MAX_UNKNOWN * entities.len() as f64 {
            return Ok(Some(list));
        }
    }
    Ok(None)
}

/// Share of a list's entities that a crawl may not have reached without the list being one of its own: promotions.
const MAX_UNKNOWN: f64 = 0.2;

/// Crawls as an earlier crawl has chosen. A choice of queries that finds no facets any more (another version chose, or the
/// site has changed) is made anew by the caller.
fn crawl_as_chosen<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    choice: &mut StrategyChoice,
) -> Result<Stop, HarvestError> {
    say(session.observer, choice);
    if choice.was_looked_for()
        && let Some(stop) = look_again(session)?
    {
        return Ok(stop);
    }
    crawl_lists(session, choice)
}

/// Looks for facets on the lists of the seeds, and asks for their values where there are some.
fn look_for_facets<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<Stop, HarvestError> {
    let stop = session.run(&Plan::LookForFacets)?;
    if stop != Stop::Finished {
        return Ok(stop);
    }
    let Some(why) = faceted(&outcome::read_strategy_report(session.store)?) else {
        return Ok(stop);
    };
    session.observer.line(&format!("facets found: {why}; requesting their values"));
    session.run(&Plan::Named(StrategyName::Query))
}

/// In a later round: asks again for what was asked before the choice was made. Without these pages the table would lack what they
/// say. Gives back why a crawl was broken off.
fn look_again<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<Option<Stop>, HarvestError> {
    for (stage, plan) in (0u32..).zip([Plan::LookForFacets, Plan::Look(LOOKED_AT)]) {
        let round = session.store.round();
        if round.number == 1 || round.stage > stage {
            continue;
        }
        let (mut stop, engine) = session.fetch(&plan, Details::All)?;
        if stop == Stop::Finished && faceted(&engine.report()).is_some() {
            (stop, _) = session.fetch(&Plan::Named(StrategyName::Query), Details::All)?;
        }
        if stop != Stop::Finished {
            return Ok(Some(stop));
        }
        session.store.pass_stage()?;
    }
    Ok(None)
}

/// An attribute whose values all return the same entities tells none apart: of all (entity, value) pairs, this share is there.
const ALL_THE_SAME: f64 = 0.9;

/// Whether some attribute tells entities apart.
fn tell_apart(graphs: &[QueryGraph]) -> bool {
    let mut attributes: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>, usize)> =
        BTreeMap::new();
    for row in graphs.iter().flat_map(outcome::values) {
        let (entities, values, pairs) = attributes.entry(row.attribute).or_default();
        entities.insert(row.entity);
        values.insert(row.value);
        *pairs += 1;
    }
    attributes.values().any(|(entities, values, pairs)| {
        let all = entities.len() * values.len();
        values.len() > 1 && (*pairs as f64) < ALL_THE_SAME * all as f64
    })
}

fn keep(store: &dyn ModelStore, choice: &StrategyChoice) -> Result<(), HarvestError> {
    let text = serde_json::to_string_pretty(choice).map_err(HarvestError::print("the choice"))?;
    Ok(store.write_model(FILE, &text)?)
}

fn say(observer: &dyn Observer, choice: &StrategyChoice) {
    observer.line(&format!("strategy {}: {}", choice.strategy.as_str(), choice.why));
}

/// Why the site is faceted, if it is.
fn faceted(report: &StrategyReport) -> Option<String> {
    let StrategyReport::Query(sites) = report else { return None };
    let names: Vec<&str> = sites
        .iter()
        .flat_map(|site| &site.attributes)
        .map(|attribute| attribute.name.as_str())
        .collect();
    let (first, more) = names.split_at(names.len().min(NAMED));
    let more = if more.is_empty() { "" } else { " …" };
    (!names.is_empty()).then(|| format!("its lists can be narrowed by {}{more}", first.join(", ")))
}

/// Whether a crawl by queries has found entities.
fn has_entities(report: &StrategyReport) -> bool {
    matches!(report, StrategyReport::Query(sites) if sites.iter().any(|site| site.entities >= LIST))
}

/// Chooses by what the first pages show. Also gives addresses of lists to look at before: what those pages may list parts of,
/// where none can be narrowed, and lists that are restricted by default without or with another restriction.
fn choose<S: SiteStore>(
    seeds: &[String],
    store: &S,
) -> Result<(StrategyChoice, Vec<String>), HarvestError> {
    let (mut listed, mut searched, mut specified) = (false, false, false);
    let mut is_table = false;
    let mut scripted: Option<String> = None;
    let config = SpecConfig::default();
    let mut looked: Vec<(Url, LinkMap)> = Vec::new();
    let seeds: Vec<String> =
        seeds.iter().filter_map(|seed| Url::parse(seed).ok()).map(Into::into).collect();
    let mut led_to: BTreeSet<String> = seeds.iter().cloned().collect();
    for (id, _) in store.archived_pages()? {
        let Ok(exchange) = store.read_page(id) else { continue };
        let Ok(url) = Url::parse(&exchange.request.url) else { continue };
        // Where a seed redirects to is the seed.
        if let Some(target) = exchange.response.location() {
            let target = url.join(target).ok().filter(|_| led_to.contains(url.as_str()));
            led_to.extend(target.map(String::from));
            continue;
        }
        let content_type = exchange.response.headers.get("content-type");
        let content = exchange.response.content();
        let document = Document::parse(content, content_type, &Limits::default());
        let map = read_links(&document, &url);
        let is_list = map.entities.len() >= LIST;
        let page = SpecPage { id: &exchange.request.url, document: &document };
        specified |= find_specs(&[page], &config).iter().any(|specs| !specs.is_empty());
        if led_to.contains(url.as_str()) {
            listed |= is_list;
            is_table |= is_mostly_records(&document, &map);
            searched |= map.forms.iter().any(|form| form.safe && form.kind == FormKind::Search);
            let address = |form: &quarry_extract::links::FormFacets| {
                form.submission.request(scripted_search::WORD, &[]).url
            };
            let found = map.forms.iter().filter(|form| form.safe).map(address);
            scripted = scripted.or(found.into_iter().find(|url| scripted_search::is_scripted(url)));
        }
        looked.push((url, map));
    }
    // What a word was searched for is no list of the site.
    let forms = looked.iter().flat_map(|(_, map)| &map.forms).map(|form| &form.submission);
    let searches: BTreeSet<(String, String)> = forms
        .filter_map(|form| {
            let action = Url::parse(&form.request("", &[]).url).ok()?;
            Some((action.path().to_owned(), form.query_name()?.to_owned()))
        })
        .collect();
    looked.retain(|(url, _)| {
        !url.query_pairs()
            .any(|(name, _)| searches.contains(&(url.path().to_owned(), name.into_owned())))
    });
    drop_mere_states(&mut looked);
    let says_nofollow = store.report()?.issues.get("nofollow").copied().unwrap_or(0);
    let says_nofollow = says_nofollow > 0 && says_nofollow >= looked.len() as u64;
    let lists = lists_of_kinds(&looked, &led_to);
    let mut further = presets::alternatives(&looked);
    further.extend(match lists.narrowed.as_slice() {
        [] => wholes(&looked),
        narrowed => without_parameters(narrowed, &looked, &led_to),
    });
    let mut choice = match lists.first() {
        Some(_) => StrategyChoice {
            strategy: StrategyName::Query,
            why: lists.reason(),
            roots: lists.roots(),
            others: lists.others,
            scripted_search: None,
            by_data: false,
            is_poor: false,
        },
        None if listed && specified => {
            StrategyChoice::of(StrategyName::Index, "it has lists to browse that lead to products")
        }
        None if listed => StrategyChoice::of(
            StrategyName::All,
            "it has lists to browse, and nothing narrows them",
        ),
        None if is_table => {
            StrategyChoice::of(StrategyName::All, "its first page has the records themselves")
        }
        None if scripted.is_some() => StrategyChoice {
            scripted_search: scripted,
            ..StrategyChoice::of(
                StrategyName::Probe,
                "scripts answer its search field, and no list can be browsed",
            )
        },
        None if says_nofollow => StrategyChoice::of(
            StrategyName::All,
            "its first pages say nofollow, so their links are left alone (see --nofollow)",
        ),
        None if searched => {
            StrategyChoice::of(StrategyName::Probe, "it has a search form, and no list to browse")
        }
        None => StrategyChoice::of(StrategyName::All, "it has neither facets nor a search form"),
    };
    let by_links = matches!(choice.strategy, StrategyName::Query | StrategyName::All);
    choice.is_poor = lists.is_poor && by_links && !is_table && !says_nofollow;
    Ok((choice, further))
}

/// Share of a page's text that its records hold if it is made of them.
const RECORD_TEXT: f64 = 0.5;

/// Whether most of a page are records.
fn is_mostly_records(document: &Document, map: &LinkMap) -> bool {
    let Some(region) = map.regions.first().filter(|region| region.records.len() >= LIST) else {
        return false;
    };
    let nodes = region.records.iter().flat_map(|record| &record.nodes);
    let own: usize = nodes.map(|&node| document.folded_len(node)).sum();
    own as f64 >= RECORD_TEXT * document.folded_len(NodeId::ROOT).max(1) as f64
}
