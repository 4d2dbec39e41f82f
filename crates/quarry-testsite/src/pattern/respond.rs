//! Reads the addresses of a pattern site and answers them.

use super::items::{PAGE_SIZE, Pattern, PatternFacet, STATE};
use super::{
    PatternContext, PatternEntry, PatternFacets, PatternFilter, PatternPager, PatternSitemap,
};
use crate::prng::hash;

/// A list as an address asks for it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ListQuery {
    /// The facet and the place of its value.
    pub(super) value: Option<(&'static PatternFacet, usize)>,
    pub(super) order: usize,
    pub(super) grouped: usize,
    /// The states that are asked for.
    pub(super) states: ListStates,
    /// Entities a page, where that is asked for.
    pub(super) size: usize,
    /// From 1; a year where there is a page a year.
    pub(super) page: usize,
}

impl ListQuery {
    pub(super) fn page_size(&self) -> usize {
        if self.size == 0 { PAGE_SIZE } else { self.size }
    }
}

/// Which entities a list shows by their state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum ListStates {
    /// As the site does by default.
    #[default]
    Default,
    Open,
    Closed,
    All,
}

impl std::fmt::Debug for PatternFacet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Status, content type or target of a redirect, and text.
pub(crate) type PatternAnswer = (u16, &'static str, String);

const HTML: &str = "text/html; charset=utf-8";

impl Pattern {
    /// The path of the list of all entities.
    pub(super) fn list_path(&self) -> String {
        match self.spec.entry {
            PatternEntry::List => "/".to_owned(),
            _ => format!("/{}", self.words.name("items")),
        }
    }

    /// Answers a request. `host` is for absolute addresses in the sitemap.
    pub(crate) fn respond(&self, target: &str, host: &str) -> PatternAnswer {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let params: Vec<(&str, &str)> =
            query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        if path == "/robots.txt" {
            return self.robots(host);
        }
        if path == "/sitemap.xml" {
            return self.sitemap(host);
        }
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let name = |english: &str| self.words.name(english);
        if path == self.list_path() && self.spec.entry != PatternEntry::ListOfLists {
            return (200, HTML, self.list_page(&self.read_query(&params)));
        }
        match segments.as_slice() {
            [] => self.entry_page(),
            [one] if *one == name("about") => (200, HTML, self.text_page("about")),
            [one] if *one == name("login") => (200, HTML, self.form_page("login")),
            [one] if *one == name("people") && self.people() > 0 => {
                (200, HTML, self.people_page(page_number(&params, &name("page"))))
            }
            [one, id] if *one == name("person") => match id.parse::<usize>() {
                Ok(id) if (1..=self.people().max(self.writers())).contains(&id) => {
                    (200, HTML, self.person_page(id - 1))
                }
                _ => missing(),
            },
            // Own folders for each value: of footers, of groups, and of entities reached from there.
            [facet, value] if self.facet_value(facet, value).is_some() => {
                let mut list = self.read_query(&params);
                list.value = self.facet_value(facet, value);
                (200, HTML, self.list_page(&list))
            }
            [one, rest @ ..] if *one == name("item") => self.item(rest, &params),
            [_, _, last] if self.spec.context == PatternContext::Date => {
                match last.strip_prefix('n') {
                    Some(id) if self.has_path(id, path) => self.item(&[id], &params),
                    _ => missing(),
                }
            }
            _ => missing(),
        }
    }

    /// Whether an entity's own address is this one.
    fn has_path(&self, id: &str, path: &str) -> bool {
        let entity = id.parse::<usize>().ok().and_then(|id| id.checked_sub(1_000));
        entity.is_some_and(|entity| self.path(entity) == path)
    }

    fn item(&self, rest: &[&str], params: &[(&str, &str)]) -> PatternAnswer {
        let (rest, edits) = match rest {
            [rest @ .., last] if *last == self.words.name("edit") => (rest, true),
            rest => (rest, false),
        };
        let is_own =
            rest.len() == 1 || (rest.len() == 2 && self.spec.context == PatternContext::Path);
        let id = rest.last().filter(|_| is_own).and_then(|id| id.parse::<usize>().ok());
        let Some(entity) = id.and_then(|id| id.checked_sub(1_000)).filter(|e| *e < self.entities)
        else {
            return missing();
        };
        let action = params.iter().find(|(name, _)| *name == self.words.name("action"));
        let text = match action.map(|(_, value)| *value) {
            _ if edits => self.form_page("edit"),
            Some(value) if value == self.words.name("history") => self.history_page(entity),
            Some(_) => self.print_page(entity),
            None => self.item_page(entity),
        };
        (200, HTML, text)
    }

    fn entry_page(&self) -> PatternAnswer {
        match self.spec.entry {
            PatternEntry::Redirect => (302, HTML, self.list_path()),
            PatternEntry::Part => {
                let value = self.facets().first().map(|facet| (*facet, 0));
                (302, HTML, self.list_url(&ListQuery { value, ..ListQuery::default() }))
            }
            PatternEntry::OneClickAway => (200, HTML, self.text_page("welcome")),
            PatternEntry::ListOfLists => (200, HTML, self.groups_page()),
            PatternEntry::Front | PatternEntry::List => (200, HTML, self.front_page()),
        }
    }

    pub(super) fn facet_value(
        &self,
        facet: &str,
        value: &str,
    ) -> Option<(&'static PatternFacet, usize)> {
        let is_path = matches!(self.spec.facets, PatternFacets::Footer | PatternFacets::Records)
            || self.spec.entry == PatternEntry::ListOfLists;
        let facet = self
            .facets()
            .into_iter()
            .find(|known| is_path && self.words.name(known.parameter) == facet)?;
        let at = facet.values.iter().position(|known| self.words.name(known) == value)?;
        Some((facet, at))
    }

    fn read_query(&self, params: &[(&str, &str)]) -> ListQuery {
        let get = |english: &str| {
            let name = self.words.name(english);
            params.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
        };
        let number = |english: &str| get(english).and_then(|value| value.parse::<usize>().ok());
        let value = self.facets().into_iter().find_map(|facet| {
            let asked = get(facet.parameter)?;
            let at = facet.values.iter().position(|known| self.words.name(known) == asked)?;
            Some((facet, at))
        });
        ListQuery {
            value,
            order: number("sort").unwrap_or(0),
            grouped: number("group").unwrap_or(0),
            states: match get("status") {
                Some(state) if state == self.words.name("open") => ListStates::Open,
                Some(state) if state == self.words.name("closed") => ListStates::Closed,
                Some(_) => ListStates::All,
                // Any parameter makes it a list of its own.
                None if self.spec.filter == PatternFilter::Views && !params.is_empty() => {
                    ListStates::All
                }
                None => ListStates::Default,
            },
            size: number("size").unwrap_or(0),
            page: number("page").unwrap_or(0),
        }
    }

    /// The entities of a list in its order, those of all pages.
    pub(super) fn answer(&self, query: &ListQuery) -> Vec<usize> {
        let is_open = |entity: &usize| {
            let is_open = self.value(&STATE, *entity) == Some(0);
            let hides = self.spec.filter != PatternFilter::None && query.value.is_none();
            !hides
                || match query.states {
                    ListStates::Default | ListStates::Open => is_open,
                    ListStates::Closed => !is_open,
                    ListStates::All => true,
                }
        };
        let has = |entity: &usize| {
            query.value.is_none_or(|(facet, at)| self.value(facet, *entity) == Some(at))
        };
        let mut found: Vec<usize> = self.listed().filter(is_open).filter(has).collect();
        match (query.order, query.grouped) {
            (1, _) => found.sort_by_key(|&entity| self.title(entity)),
            (2, _) => found.sort_by_key(|&entity| self.price(entity)),
            (_, 1) => found.sort_by_key(|&entity| (hash(7, "group", entity as u64) % 4, entity)),
            (_, 2) => found.reverse(),
            _ => {}
        }
        found
    }

    /// The entities of the page that a query asks for.
    pub(super) fn shown(&self, query: &ListQuery, all: &[usize]) -> Vec<usize> {
        match self.spec.pager {
            PatternPager::Years => {
                let year = self.page_year(query, all);
                all.iter().copied().filter(|&entity| self.year(entity) == year).collect()
            }
            PatternPager::NoAddresses => all.iter().copied().take(PAGE_SIZE).collect(),
            PatternPager::Numbered | PatternPager::Sizes | PatternPager::Icons => {
                let (from, size) = (query.page.max(1) - 1, query.page_size());
                all.iter().copied().skip(from * size).take(size).collect()
            }
        }
    }

    /// The year of a page: the newest that the list has, unless told otherwise.
    pub(super) fn page_year(&self, query: &ListQuery, all: &[usize]) -> usize {
        let newest = all.iter().map(|&entity| self.year(entity)).max().unwrap_or(0);
        if query.page == 0 { newest } else { query.page }
    }

    fn robots(&self, host: &str) -> PatternAnswer {
        let sitemap = match self.spec.sitemap {
            PatternSitemap::None => String::new(),
            _ => format!("Sitemap: http://{host}/sitemap.xml\n"),
        };
        (200, "text/plain", format!("User-agent: *\nDisallow: /private/\n{sitemap}"))
    }

    fn sitemap(&self, host: &str) -> PatternAnswer {
        if self.spec.sitemap == PatternSitemap::None {
            return missing();
        }
        let entities = (0..self.entities).map(|entity| self.path(entity));
        let people = (0..self.people()).map(|person| self.person_path(person));
        let about = format!("/{}", self.words.name("about"));
        let all = [self.list_path(), about].into_iter().chain(entities).chain(people);
        let urls: String =
            all.map(|path| format!("<url><loc>http://{host}{path}</loc></url>\n")).collect();
        let space = "http://www.sitemaps.org/schemas/sitemap/0.9";
        let xml = format!("<?xml version=\"1.0\"?>\n<urlset xmlns=\"{space}\">\n{urls}</urlset>\n");
        (200, "application/xml", xml)
    }
}

fn page_number(params: &[(&str, &str)], name: &str) -> usize {
    let page = params.iter().find(|(key, _)| *key == name);
    page.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
}

fn missing() -> PatternAnswer {
    (404, HTML, "<title>404</title><h1>404</h1>".to_owned())
}
