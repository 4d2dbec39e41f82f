//! What is asked next? First values of each attribute to learn its meaning, then all of them, then
//! what is offered only deeper, then parts of lists that are too long, then the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::QuerySettings;
use super::explore::{Exploration, Offered, Task};
use super::plan::Meaning;
use crate::query::{QueryGraph, QueryState};
use quarry_model::Request;

impl Exploration {
    /// Asks for whatever is decided by now.
    pub(super) fn advance(&mut self, settings: &QuerySettings) {
        if self.is_waiting() {
            return;
        }
        let attributes: Vec<u32> =
            self.plans.iter().filter(|(_, plan)| plan.at_root).map(|(id, _)| *id).collect();
        for attribute in attributes {
            match self.meaning(attribute) {
                Meaning::Unknown => self.sample(0, attribute, settings),
                Meaning::Facet => {
                    for offer in self.offers_of(0, attribute) {
                        self.ask_query_once(0, &offer);
                    }
                }
                Meaning::Nothing => {}
            }
        }
    }

    /// The predicates of an attribute that a query offers.
    pub(super) fn offers_of(&self, query: u32, attribute: u32) -> Vec<Offered> {
        let list = self.offers.get(&query).into_iter().flatten();
        list.filter(|offer| self.attribute_of(offer.predicate) == attribute).cloned().collect()
    }

    fn is_new(&self, parent: u32, offer: &Offered) -> bool {
        let mut predicates = self.graph.queries[parent as usize].predicates.clone();
        predicates.push(offer.predicate);
        predicates.sort_unstable();
        let known = self.graph.find(&predicates);
        known.is_none_or(|id| self.graph.queries[id as usize].state == QueryState::Offered)
    }

    pub(super) fn ask_query_once(&mut self, parent: u32, offer: &Offered) {
        if self.is_new(parent, offer) {
            self.ask_query(parent, offer);
        }
    }

    /// Asks for one value of an attribute whose meaning is unknown, unless one is on its way.
    pub(super) fn sample(&mut self, parent: u32, attribute: u32, settings: &QuerySettings) {
        let plan = self.plans.entry(attribute).or_default();
        let waits = |query: &u32| {
            let node = &self.graph.queries[*query as usize];
            node.state == QueryState::Asked && node.pages == 0
        };
        if plan.samples.iter().any(waits) || plan.samples.len() >= settings.samples {
            return;
        }
        // A value with few entities shows best whether the list gets narrower; one page is enough.
        let mut offers = self.offers_of(parent, attribute);
        offers.retain(|offer| self.is_new(parent, offer));
        let Some(offer) = offers.iter().min_by_key(|offer| offer.count.unwrap_or(u64::MAX)) else {
            return;
        };
        let mut predicates = self.graph.queries[parent as usize].predicates.clone();
        predicates.push(offer.predicate);
        self.ask_query(parent, &offer.clone());
        predicates.sort_unstable();
        if let Some(query) = self.graph.find(&predicates) {
            self.plans.entry(attribute).or_default().samples.push(query);
        }
    }

    /// Nothing is in flight. Asks for what is worth it now; if that is nothing, it is over.
    pub(super) fn idle(&mut self, settings: &QuerySettings) {
        if self.end.is_some() {
            return;
        }
        self.give_up_tasks(settings);
        self.advance(settings);
        if self.is_asking() {
            return;
        }
        for (_, plan) in self.plans.iter_mut().filter(|(_, plan)| plan.at_root) {
            if plan.meaning == Meaning::Unknown {
                plan.meaning = Meaning::Nothing;
            }
        }
        if !self.plans.values().any(|plan| plan.meaning == Meaning::Facet) {
            if !self.use_forms && self.try_forms(settings) {
                return self.advance(settings);
            }
            if self.try_hub(settings) {
                return self.advance(settings);
            }
            if self.keywords.is_some() || self.begin_search(settings) {
                return self.search_on(settings);
            }
            let pages = self.requests;
            self.end =
                Some(format!("no group of links or controls narrows its lists ({pages} pages)"));
            return;
        }
        if self.keywords.is_some() {
            return self.search_on(settings);
        }
        self.drill_down(settings);
        if self.is_asking() {
            return;
        }
        self.split(settings);
        if self.is_asking() {
            return;
        }
        self.read_the_rest();
        if self.is_asking() {
            return;
        }
        self.look_at_details(settings);
        if !self.is_asking() {
            self.set_menus_aside();
            self.end = Some("every offered value was asked for".to_owned());
        }
    }

    /// Asks for predicates that the query for everything does not offer, under the fewest parents
    /// that cover all entities which may have them.
    fn drill_down(&mut self, settings: &QuerySettings) {
        let mut parents: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (&query, list) in self.offers.iter().filter(|(query, _)| **query != 0) {
            let state = self.graph.queries[query as usize].state;
            if matches!(state, QueryState::Dropped) {
                continue;
            }
            for offer in list.iter().filter(|offer| !self.settled.contains(&offer.predicate)) {
                parents.entry(self.attribute_of(offer.predicate)).or_default().insert(query);
            }
        }
        let mut planned: Vec<u32> = Vec::new();
        for (attribute, parents) in parents {
            match self.meaning(attribute) {
                Meaning::Nothing => {}
                Meaning::Unknown => {
                    // One sample at a time; the smallest parents first, they cost least.
                    let best = parents.iter().copied().min_by_key(|&query| {
                        (self.graph.queries[query as usize].answers.len(), query)
                    });
                    let before = self.plans.get(&attribute).map_or(0, |plan| plan.samples.len());
                    if let Some(parent) = best {
                        self.sample(parent, attribute, settings);
                    }
                    let plan = self.plans.entry(attribute).or_default();
                    if plan.samples.len() == before {
                        plan.meaning = Meaning::Nothing;
                    }
                }
                Meaning::Facet => {
                    for parent in self.cover(attribute, &parents) {
                        for offer in self.offers_of(parent, attribute) {
                            if !self.settled.contains(&offer.predicate) {
                                planned.push(offer.predicate);
                                self.ask_query_once(parent, &offer);
                            }
                        }
                    }
                    for &parent in &parents {
                        let others = self.offers_of(parent, attribute);
                        planned.extend(others.iter().map(|offer| offer.predicate));
                    }
                }
            }
        }
        self.settled.extend(planned);
        let queries: Vec<u32> = self.offers.keys().copied().collect();
        for query in queries {
            if self.graph.queries[query as usize].state != QueryState::Short {
                self.forget_settled(query);
            }
        }
    }

    /// Greedy weighted set cover: parents whose entities together are those of all parents, by the
    /// requests that their values of the attribute take.
    fn cover(&self, attribute: u32, parents: &BTreeSet<u32>) -> Vec<u32> {
        let entities = |query: u32| -> Vec<u32> {
            let answers = &self.graph.queries[query as usize].answers;
            answers.iter().map(|answer| answer.entity).collect()
        };
        let cost = |query: u32| -> f64 {
            let offers = self.offers_of(query, attribute);
            let pages = offers
                .iter()
                .map(|offer| offer.count.unwrap_or(1).max(1).div_ceil(self.page_size as u64));
            pages.sum::<u64>().max(1) as f64
        };
        let mut open: BTreeMap<u32, (Vec<u32>, f64)> =
            parents.iter().map(|&query| (query, (entities(query), cost(query)))).collect();
        let mut covered: BTreeSet<u32> = BTreeSet::new();
        // A parent without entities of its own lists only lists: what it offers is all there is.
        let mut chosen: Vec<u32> = open
            .iter()
            .filter(|(_, (entities, _))| entities.is_empty())
            .map(|(id, _)| *id)
            .collect();
        loop {
            let mut best: Option<(f64, u32)> = None;
            open.retain(|&query, (entities, cost)| {
                let new = entities.iter().filter(|entity| !covered.contains(entity)).count();
                let price = *cost / new as f64;
                if new > 0 && best.is_none_or(|(least, _)| price < least) {
                    best = Some((price, query));
                }
                new > 0
            });
            let Some((_, query)) = best else { return chosen };
            if let Some((entities, _)) = open.remove(&query) {
                covered.extend(entities);
            }
            chosen.push(query);
        }
    }

    /// Splits queries whose lists ended too early by one more attribute.
    fn split(&mut self, settings: &QuerySettings) {
        let short: Vec<u32> = (0..self.graph.queries.len() as u32)
            .filter(|&query| query != 0 && self.is_short(query, settings))
            .collect();
        for query in short {
            let tried = self.splits.entry(query).or_default().clone();
            if tried.len() >= settings.splits {
                continue;
            }
            let Some(attribute) = self.best_split(query, &tried) else { continue };
            self.splits.entry(query).or_default().push(attribute);
            for offer in self.offers_of(query, attribute) {
                self.ask_query_once(query, &offer);
            }
        }
    }

    /// Whether entities of a query are missing, also in the answers to its parts.
    fn is_short(&self, query: u32, settings: &QuerySettings) -> bool {
        let node = &self.graph.queries[query as usize];
        if node.state != QueryState::Short {
            return false;
        }
        let found = self.seen_in(query) as f64;
        let claimed = node.claimed().unwrap_or(0) as f64;
        claimed - found > (claimed * settings.tolerance).max(2.0)
    }

    /// How many entities are known to answer a query: its own, and those of queries below it.
    pub(super) fn seen_in(&self, query: u32) -> usize {
        let node = &self.graph.queries[query as usize];
        let mut entities: BTreeSet<u32> = node.answers.iter().map(|a| a.entity).collect();
        if self.splits.contains_key(&query) {
            let below = self.graph.queries.iter().filter(|other| {
                QueryGraph::counts(other)
                    && other.predicates.len() > node.predicates.len()
                    && node.predicates.iter().all(|p| other.predicates.contains(p))
            });
            entities.extend(below.flat_map(|other| other.answers.iter().map(|a| a.entity)));
        }
        entities.len()
    }

    /// The attribute that splits a query best: its values should hold all entities, each value as
    /// many as can be shown, in few pages.
    fn best_split(&self, query: u32, tried: &[u32]) -> Option<u32> {
        let node = &self.graph.queries[query as usize];
        let (claimed, shown) = (node.claimed().unwrap_or(0), node.answers.len() as u64);
        let mut parts: BTreeMap<u32, (u64, u64, u64)> = BTreeMap::new();
        for offer in self.offers.get(&query).into_iter().flatten() {
            let attribute = self.attribute_of(offer.predicate);
            if self.meaning(attribute) != Meaning::Facet || tried.contains(&attribute) {
                continue;
            }
            let count = offer.count.unwrap_or(shown);
            let part = parts.entry(attribute).or_default();
            part.0 += count;
            part.1 += count.saturating_sub(shown);
            part.2 += count.max(1).div_ceil(self.page_size as u64);
        }
        // What stays out of reach counts first, then the number of requests.
        let lost = |(held, beyond, _): (u64, u64, u64)| claimed.saturating_sub(held) + beyond;
        parts.into_iter().min_by_key(|(id, part)| (lost(*part), part.2, *id)).map(|(id, _)| id)
    }

    /// From a front page without a list, a menu leads to the list of everything: one value, all entities.
    fn set_menus_aside(&mut self) {
        if self.graph.queries[0].total.is_some() || self.rest.is_some() {
            return;
        }
        let all = self.graph.entities.len();
        let mut values: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for query in self.graph.queries.iter().filter(|query| QueryGraph::counts(query)) {
            if let [predicate] = query.predicates[..] {
                let attribute = self.attribute_of(predicate);
                values.entry(attribute).or_default().push(query.answers.len());
            }
        }
        let leads_to_all = |counts: &[usize]| matches!(counts, [one] if *one >= all);
        self.graph.aside.extend(values.iter().filter(|(_, c)| leads_to_all(c)).map(|(id, _)| *id));
    }

    /// Asks for some entities' own pages, evenly over all: which values do they not show? Or for all,
    /// for what they do show.
    pub(super) fn look_at_details(&mut self, settings: &QuerySettings) {
        if std::mem::replace(&mut self.details_asked, true) {
            return;
        }
        let entities = self.graph.entities.len();
        let sample = settings.details.min(self.requests as usize / 20).min(entities);
        let most = if settings.every_detail { entities } else { sample };
        let step = entities / sample.max(1);
        for n in 0..most {
            let entity = n * entities / most;
            let request = Request::get(self.graph.entities.text(entity as u32));
            let sampled = most == sample || entity.is_multiple_of(step);
            self.ask(&request, Task::Detail { entity: entity as u32, sampled }, 0);
        }
    }

    /// Reads the list of everything if it has entities that no other query has shown.
    fn read_the_rest(&mut self) {
        let known = self.graph.entities.len() as u64;
        let root = &self.graph.queries[0];
        if root.total.is_some_and(|total| known < total)
            && let Some(next) = self.rest.take()
        {
            let page = root.pages + 1;
            self.ask(&next, Task::List { query: 0, page }, 0);
        }
    }
}
