//! List pages: records, facets, paging, and what stands around them.

use std::sync::Arc;

use super::Site;
use super::answer::Answer;
use super::urls::{Position, Query, SORTS};
use crate::catalogue::{CatalogueAttributeId, CatalogueEntityId, FacetPredicate};
use crate::format::grouped;
use crate::prng::Rng;
use crate::spec::{FacetStyle, PagingStyle, SearchForm};
use crate::text::{NameKind, invent};
use crate::view::{
    Advertisement, Card, Chosen, FacetGroup, FacetValue, FormTarget, Link, ListView, Pager, Switch,
};

impl Site {
    /// The entities on the page that a query asks for, and where the page begins.
    pub(crate) fn page(&self, query: &Query, answer: &Answer) -> (usize, Vec<CatalogueEntityId>) {
        let total = answer.entities.len();
        let size = query.size.unwrap_or(self.spec.paging.size).max(1);
        let mut start = match query.position {
            Position::Offset(n) => n,
            Position::After(e) => {
                answer.entities.iter().position(|x| *x == e.0).map_or(total, |at| at + 1)
            }
        };
        if self.spec.paging.endless && total > 0 && start >= total {
            start = start / size % total.div_ceil(size) * size;
        }
        let visible = match self.spec.paging.cap {
            0 => total,
            pages => total.min(pages * size),
        };
        let ids = answer.entities.iter().take(visible).skip(start).take(size);
        (start, ids.map(|e| CatalogueEntityId(*e)).collect())
    }

    /// The list that answers a query.
    pub(crate) fn list_view(&self, query: &Query, step: u32, posted: bool) -> ListView {
        let answer = self.answer(query, step);
        let (start, ids) = self.page(query, &answer);
        let keywords = query.keywords.as_deref();
        let mut cards: Vec<Card> = Vec::with_capacity(ids.len());
        for (i, entity) in ids.iter().enumerate() {
            let place = (start + i) as u64;
            if self.false_place(place) {
                cards.push(self.false_card(place));
            }
            cards.push(self.card(*entity, step, keywords));
        }
        let total = answer.entities.len();
        let summary = if total == 0 {
            String::new()
        } else {
            format!(
                "Showing {} to {} of {} {}",
                start + 1,
                start + ids.len(),
                grouped(total as i64, ','),
                if total == 1 { self.definition.noun.0 } else { self.definition.noun.1 }
            )
        };
        let mut view = ListView {
            heading: self.list_heading(query),
            summary,
            chosen: self.chosen(query, posted),
            facets: Vec::new(),
            facet_form: None,
            sorts: Vec::new(),
            sizes: Vec::new(),
            exports: Vec::new(),
            cards,
            promotions: self.promotions(query, step),
            advertisements: self.advertisements(query),
            pager: self.pager(query, &answer, start, ids.last().copied(), posted),
        };
        if self.spec.facets.style != FacetStyle::None {
            view.facets = self.facet_groups(query, &answer, false);
            view.facet_form = self.facet_form(query);
        }
        if !posted {
            self.switches(query, &mut view);
        }
        view
    }

    fn list_heading(&self, query: &Query) -> String {
        let noun = self.definition.noun.1;
        let words: Vec<&str> =
            query.predicates.iter().map(|p| self.catalogue.word(*p).text.as_str()).collect();
        match (&query.keywords, words.as_slice()) {
            (Some(keywords), _) => format!("Results for “{keywords}”"),
            (None, []) => format!("All {noun}"),
            (None, words) => format!("{}: {}", super::capital(noun), words.join(", ")),
        }
    }

    fn chosen(&self, query: &Query, posted: bool) -> Vec<Chosen> {
        let removable =
            self.spec.facets.removals && !posted && self.spec.facets.style == FacetStyle::Links;
        let chosen = query.predicates.iter().map(|p| Chosen {
            attribute: self.catalogue.attribute(p.attribute).name.clone(),
            value: self.catalogue.word(*p).text.clone(),
            remove: removable.then(|| self.urls().list(&query.without(*p))),
        });
        chosen.collect()
    }

    /// Is the facet offered under this query?
    pub(crate) fn offered(&self, attribute: CatalogueAttributeId, query: &Query) -> bool {
        let facets = &self.spec.facets;
        let attribute = self.catalogue.attribute(attribute);
        let Some((needed, words)) = &attribute.needs else { return true };
        let waits = if attribute.parent.is_some() { facets.tree } else { facets.dependent };
        !waits
            || query
                .predicates
                .iter()
                .any(|p| p.attribute == *needed && (words.is_empty() || words.contains(&p.word)))
    }

    /// The facets of a query, the most frequent values first.
    pub(crate) fn facet_groups(
        &self,
        query: &Query,
        answer: &Answer,
        all: bool,
    ) -> Vec<FacetGroup> {
        let urls = self.urls();
        let forms = self.spec.facets.style != FacetStyle::Links;
        let refine = urls.refine(query);
        let mut groups = Vec::new();
        for (id, counts) in &answer.counts {
            let attribute = self.catalogue.attribute(*id);
            let taken = query.predicates.iter().any(|p| p.attribute == *id);
            // A form shows what was chosen; links for a single-valued facet would lead nowhere.
            if !self.offered(*id, query) || (taken && !attribute.several && !forms) {
                continue;
            }
            let mut words: Vec<(u32, u32)> = (0u32..)
                .zip(counts.iter().copied())
                .filter(|(_, count)| *count > 0)
                .map(|(word, count)| (count, word))
                .collect();
            words.sort_unstable_by_key(|(count, word)| (u32::MAX - count, *word));
            let most = self.spec.facets.max_values;
            let cut = !all && !forms && most > 0 && words.len() > most;
            if cut {
                words.truncate(most);
            }
            let values: Vec<FacetValue> = words
                .into_iter()
                .filter_map(|(count, word)| {
                    let predicate = FacetPredicate { attribute: *id, word };
                    let chosen = query.predicates.contains(&predicate);
                    if chosen && !forms {
                        return None;
                    }
                    let text = &self.catalogue.word(predicate);
                    Some(FacetValue {
                        text: text.text.clone(),
                        slug: text.slug.clone(),
                        href: if forms { String::new() } else { urls.refined(&refine, predicate) },
                        count: self.spec.facets.counts.then_some(count as usize),
                        chosen,
                    })
                })
                .collect();
            if values.is_empty() {
                continue;
            }
            groups.push(FacetGroup {
                name: attribute.name.clone(),
                key: attribute.key.clone(),
                several: attribute.several,
                values,
                more: cut.then(|| urls.values(query, *id)),
            });
        }
        groups
    }

    fn facet_form(&self, query: &Query) -> Option<FormTarget> {
        let method = match self.spec.facets.style {
            FacetStyle::GetForm => "get",
            FacetStyle::PostForm => "post",
            _ => return None,
        };
        let bare = Query { keywords: query.keywords.clone(), ..Query::default() };
        let (action, hidden) = self.urls().list_parts(&bare);
        Some(FormTarget { method, action, hidden, button: "" })
    }

    fn switches(&self, query: &Query, view: &mut ListView) {
        let urls = self.urls();
        if self.spec.listing.sorts {
            for sort in &self.engine.sorts {
                let sorted = Query { sort: *sort, ..query.first() };
                let link = Link::new(urls.list(&sorted), SORTS[*sort].1);
                view.sorts.push(Switch { link, current: *sort == query.sort });
            }
        }
        for size in &self.spec.paging.sizes {
            let default = *size == self.spec.paging.size;
            let sized = Query { size: (!default).then_some(*size), ..query.first() };
            let current = query.size.unwrap_or(self.spec.paging.size) == *size;
            let link = Link::new(urls.list(&sized), size.to_string());
            view.sizes.push(Switch { link, current });
        }
        if self.spec.traps.exports {
            let (_, params) = urls.list_parts(query);
            for (path, text) in [
                ("/export/list.json", "JSON"),
                ("/export/list.csv", "CSV"),
                ("/export/feed.rss", "RSS"),
            ] {
                view.exports.push(Link::new(super::urls::join(path.to_owned(), &params), text));
            }
        }
    }

    fn pager(
        &self,
        query: &Query,
        answer: &Answer,
        start: usize,
        last_shown: Option<CatalogueEntityId>,
        posted: bool,
    ) -> Option<Pager> {
        let paging = &self.spec.paging;
        let size = query.size.unwrap_or(paging.size).max(1);
        let mut last = answer.entities.len().div_ceil(size);
        if paging.cap > 0 {
            last = last.min(paging.cap);
        }
        let mut current = start / size + 1;
        if paging.endless {
            if let Position::Offset(n) = query.position {
                current = n / size + 1;
            }
            last = last.max(current + 1);
        }
        if last <= 1 || last_shown.is_none() {
            return None;
        }
        let style = if posted { PagingStyle::Buttons } else { paging.style };
        let urls = self.urls();
        let at = |page: usize| {
            let position = Position::Offset((page - 1) * size);
            urls.list(&Query { position, ..query.clone() })
        };
        let next = (current < last).then(|| match (style, last_shown) {
            (PagingStyle::Keyset, Some(e)) => {
                urls.list(&Query { position: Position::After(e), ..query.clone() })
            }
            _ => at(current + 1),
        });
        let numbered =
            matches!(style, PagingStyle::Numbered | PagingStyle::Offset | PagingStyle::Buttons);
        let prev = (numbered && current > 1).then(|| at(current - 1));
        let pages = if numbered {
            let near = |p: &usize| *p <= 2 || *p + 1 >= last || p.abs_diff(current) <= 2;
            (1..=last).filter(near).map(|p| (p, at(p))).collect()
        } else {
            Vec::new()
        };
        let form = (style == PagingStyle::Buttons).then(|| {
            let (action, hidden) = urls.list_parts(&query.first());
            FormTarget {
                method: if posted { "post" } else { "get" },
                action,
                hidden,
                button: urls.page_key(),
            }
        });
        Some(Pager { style, current, prev, next, pages, form })
    }

    /// Entities that are praised on every list, whether they match or not.
    fn promotions(&self, query: &Query, step: u32) -> Vec<Card> {
        let mut rng = Rng::of(self.spec.seed, "promotion", query.predicates.len() as u64);
        let n = self.catalogue.len();
        let mut chosen: Vec<CatalogueEntityId> = Vec::new();
        for _ in 0..4 * self.spec.listing.promotions {
            let entity = CatalogueEntityId(rng.below(n) as u32);
            if chosen.len() < self.spec.listing.promotions
                && self.timeline.alive(entity, step)
                && !chosen.contains(&entity)
            {
                chosen.push(entity);
            }
        }
        chosen.into_iter().map(|e| self.card(e, step, None)).collect()
    }

    fn advertisements(&self, query: &Query) -> Vec<Advertisement> {
        let place = query.predicates.first().map_or(0, |p| u64::from(p.word) + 1);
        let mut rng = Rng::of(self.spec.seed, "advertisement", place);
        (0..self.spec.listing.advertisements)
            .map(|_| Advertisement {
                headline: (*rng.pick(&[
                    "Insure your journey in two minutes",
                    "Fresh vegetables at your door",
                    "Learn a language this winter",
                    "Windows that keep the heat",
                    "Phone plans without a contract",
                ]))
                .to_owned(),
                text: (*rng.pick(&[
                    "Try it free for thirty days.",
                    "Thousands of happy customers.",
                    "Compare prices today.",
                ]))
                .to_owned(),
                sponsor: invent(NameKind::Brand, &mut rng),
            })
            .collect()
    }

    pub(crate) fn answer(&self, query: &Query, step: u32) -> Arc<Answer> {
        self.engine.answer(&self.catalogue, &self.timeline, query, step)
    }

    /// Does the site answer this search by POST only?
    pub(crate) fn search_by_post(&self) -> bool {
        self.spec.search.form == SearchForm::Post
    }
}
