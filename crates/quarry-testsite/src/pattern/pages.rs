//! The pages of a pattern site, in plain mark-up.

use std::fmt::Write as _;

use super::items::{PAGE_SIZE, Pattern, PatternFacet};
use super::respond::{ListQuery, ListStates};
use super::{
    PatternContext, PatternEntry, PatternFacets, PatternFilter, PatternOrder, PatternPager,
};
use crate::prng::Rng;
use crate::text::{NameKind, invent};

/// An icon without a text.
const ICON: &str = "<svg viewBox=\"0 0 9 9\"><path d=\"M2 1l4 3-4 3\"/></svg>";

impl Pattern {
    fn label(&self, english: &str) -> String {
        self.words.label(english)
    }

    fn class(&self, english: &str) -> String {
        self.words.class(english)
    }

    /// The frame of every page.
    fn page(&self, title: &str, main: &str) -> String {
        let (list, name) = (self.list_path(), |english: &str| self.words.name(english));
        let mut nav = String::new();
        for facet in self.facets().into_iter().filter(|_| self.spec.facets == PatternFacets::Menu) {
            for (at, value) in facet.values.iter().enumerate() {
                let own = ListQuery { value: Some((facet, at)), ..ListQuery::default() };
                let (href, text) = (self.list_url(&own), self.label(value));
                let _ = write!(nav, "<li><a href=\"{href}\">{text}</a></li>");
            }
        }
        if self.spec.entry != PatternEntry::ListOfLists {
            let _ = write!(nav, "<li><a href=\"{list}\">{}</a></li>", self.label("All items"));
        }
        if self.people() > 0 {
            let (path, text) = (name("people"), self.label("People"));
            let _ = write!(nav, "<li><a href=\"/{path}\">{text}</a></li>");
        }
        let _ =
            write!(nav, "<li><a href=\"/{}\">{}</a></li>", name("about"), self.label("About us"));
        let footer = match self.spec.facets {
            PatternFacets::Footer => self.facet_links(&ListQuery::default()),
            _ => String::new(),
        };
        format!(
            "<!DOCTYPE html><html><head><title>{title}</title></head><body>\
             <header class=\"{}\"><a href=\"/\">{}</a><nav><ul>{nav}</ul></nav></header>\
             <main class=\"{}\"><h1>{title}</h1>{main}</main>\
             <footer class=\"{}\">{footer}<p>{}</p></footer></body></html>\n",
            self.class("header"),
            self.label("Emporium"),
            self.class("main"),
            self.class("footer"),
            self.label("All rights reserved"),
        )
    }

    /// The address of a list; a parameter that is zero is left out.
    pub(super) fn list_url(&self, query: &ListQuery) -> String {
        let name = |english: &str| self.words.name(english);
        let mut path = self.list_path();
        let mut params: Vec<(String, String)> = Vec::new();
        if let Some((facet, at)) = query.value {
            let (parameter, value) = (name(facet.parameter), name(facet.values[at]));
            if self.facet_value(&parameter, &value).is_some() {
                path = format!("/{parameter}/{value}");
            } else {
                params.push((parameter, value));
            }
        } else if let Some(state) = self.state_of(query) {
            params.push((name("status"), name(state)));
        }
        for (english, number) in [
            ("sort", query.order),
            ("group", query.grouped),
            ("size", query.size),
            ("page", query.page),
        ] {
            if number > 0 {
                params.push((name(english), number.to_string()));
            }
        }
        let params: Vec<String> =
            params.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if params.is_empty() { path } else { format!("{path}?{}", params.join("&")) }
    }

    fn group(&self, heading: &str, links: &[(String, String, Option<usize>)]) -> String {
        let mut html = format!("<section class=\"{}\"><h3>{heading}</h3><ul>", self.class("facet"));
        for (text, href, count) in links {
            let count = count.map_or_else(String::new, |n| format!(" <span>({n})</span>"));
            let _ = write!(
                html,
                "<li><a href=\"{}\">{text}</a>{count}</li>",
                href.replace('&', "&amp;")
            );
        }
        html + "</ul></section>"
    }

    fn facet_links(&self, query: &ListQuery) -> String {
        let counts = self.spec.facets == PatternFacets::Links;
        let groups = self.facets().into_iter().map(|facet| {
            let values = facet.values.iter().enumerate();
            let links: Vec<(String, String, Option<usize>)> = values
                .map(|(at, value)| {
                    let own = ListQuery { value: Some((facet, at)), page: 0, ..*query };
                    let count = counts.then(|| self.answer(&own).len());
                    (self.label(value), self.list_url(&own), count)
                })
                .collect();
            self.group(&self.label(facet.name), &links)
        });
        groups.collect()
    }

    fn facet_form(&self) -> String {
        let control = |facet| match self.spec.facets {
            PatternFacets::Boxes => self.boxes(facet),
            _ => self.select(facet),
        };
        let selects = self.facets().into_iter().map(control).collect::<String>();
        let (list, go) = (self.list_path(), self.label("Show"));
        format!(
            "<form action=\"{list}\" method=\"get\">{selects}<button type=\"submit\">{go}</button></form>"
        )
    }

    fn select(&self, facet: &PatternFacet) -> String {
        let name = self.words.name(facet.parameter);
        let options: String = facet
            .values
            .iter()
            .map(|value| {
                let (sent, text) = (self.words.name(value), self.label(value));
                format!("<option value=\"{sent}\">{text}</option>")
            })
            .collect();
        format!(
            "<label for=\"{name}\">{}</label><select id=\"{name}\" name=\"{name}\">\
             <option value=\"\"></option>{options}</select>",
            self.label(facet.name)
        )
    }

    fn boxes(&self, facet: &PatternFacet) -> String {
        let name = self.words.name(facet.parameter);
        let mut html = format!("<p><label>{}:</label><div>", self.label(facet.name));
        for value in facet.values {
            let (sent, text) = (self.words.name(value), self.label(value));
            let _ = write!(
                html,
                "<div><label><input type=\"checkbox\" name=\"{name}\" value=\"{sent}\"> {text}</label></div>"
            );
        }
        html + "</div></p>"
    }

    /// The state that a link to a list asks for.
    fn state_of(&self, query: &ListQuery) -> Option<&'static str> {
        let is_kept = matches!(self.spec.filter, PatternFilter::Views | PatternFilter::Elsewhere);
        match query.states {
            ListStates::All if self.spec.filter == PatternFilter::Views => None,
            ListStates::All => Some("any"),
            ListStates::Closed => Some("closed"),
            ListStates::Open => Some("open"),
            ListStates::Default => is_kept.then_some("open"),
        }
    }

    /// Lists of closed entities, of which another page tells.
    fn closed_lists(&self) -> String {
        let links = [1, 2].map(|grouped| {
            let closed = ListQuery { states: ListStates::Closed, grouped, ..ListQuery::default() };
            (format!("{} {grouped}", self.label("Archive")), self.list_url(&closed), None)
        });
        self.group(&self.label("Done"), &links)
    }

    /// The controls above a list: orders and groupings.
    fn views(&self, query: &ListQuery) -> String {
        let order = |order: usize| self.list_url(&ListQuery { order, page: 0, ..*query });
        let mut html = String::new();
        let orders = [(1, "Name"), (2, "Cost"), (3, "Newest")];
        match self.spec.order {
            PatternOrder::Links => {
                let links: Vec<_> =
                    orders.iter().map(|(n, text)| (self.label(text), order(*n), None)).collect();
                html += &self.group(&self.label("Sort by"), &links);
            }
            PatternOrder::Select => {
                let name = self.words.name("sort");
                let options: String = orders
                    .iter()
                    .map(|(n, text)| format!("<option value=\"{n}\">{}</option>", self.label(text)))
                    .collect();
                let _ = write!(
                    html,
                    "<form action=\"{}\" method=\"get\"><label for=\"o\">{}</label>\
                     <select id=\"o\" name=\"{name}\">{options}</select><button>{}</button></form>",
                    self.list_path(),
                    self.label("Sort by"),
                    self.label("Go")
                );
            }
            PatternOrder::Headers | PatternOrder::None => {}
        }
        if self.spec.grouping {
            let group = |grouped: usize| self.list_url(&ListQuery { grouped, page: 0, ..*query });
            let links =
                [("Section", 1), ("Shelf", 2)].map(|(text, n)| (self.label(text), group(n), None));
            html += &self.group(&self.label("Group on"), &links);
        }
        html
    }

    fn pager(&self, query: &ListQuery, all: &[usize]) -> String {
        let pages = all.len().div_ceil(query.page_size());
        let page = query.page.max(1);
        let to = |page: usize| self.list_url(&ListQuery { page, ..*query }).replace('&', "&amp;");
        let mut html = format!("<nav class=\"{}\">", self.class("pager"));
        match self.spec.pager {
            PatternPager::Numbered | PatternPager::Sizes => {
                for n in 1..=pages {
                    let _ = match n == page {
                        true => write!(html, "<span>{n}</span> "),
                        false => write!(html, "<a href=\"{}\">{n}</a> ", to(n)),
                    };
                }
                if page < pages {
                    let _ = write!(html, "<a href=\"{}\">{}</a>", to(page + 1), self.label("Next"));
                }
            }
            PatternPager::Icons => {
                if page > 1 {
                    let _ = write!(html, "<a href=\"{}\">{ICON}</a> ", to(page - 1));
                }
                let _ = write!(html, "<span>{page} / {pages}</span> ");
                if page < pages {
                    let _ = write!(html, "<a href=\"{}\">{ICON}</a>", to(page + 1));
                }
            }
            PatternPager::Years => {
                let shown = self.page_year(query, all);
                for year in self.years() {
                    let _ = match year == shown {
                        true => write!(html, "<span>{year}</span> "),
                        false => write!(html, "<a href=\"{}\">{year}</a> ", to(year)),
                    };
                }
            }
            PatternPager::NoAddresses => {
                let _ = write!(html, "<button type=\"button\">{}</button>", self.label("Next"));
            }
        }
        html + "</nav>"
    }

    pub(super) fn list_page(&self, query: &ListQuery) -> String {
        let all = self.answer(query);
        let shown = self.shown(query, &all);
        let mut main = self.views(query);
        main += &match self.spec.facets {
            PatternFacets::Links => format!("<aside>{}</aside>", self.facet_links(query)),
            PatternFacets::Form | PatternFacets::Boxes => self.facet_form(),
            PatternFacets::Footer
            | PatternFacets::Menu
            | PatternFacets::Records
            | PatternFacets::None => String::new(),
        };
        if self.spec.filter == PatternFilter::Link
            && query.states != ListStates::All
            && query.value.is_none()
        {
            let states = ListStates::All;
            let any = self.list_url(&ListQuery { states, page: 0, ..*query });
            let _ = write!(main, "<p><a href=\"{any}\">{}</a></p>", self.label("Show everything"));
        }
        if self.spec.pager == PatternPager::Sizes {
            let links = [20, 40].map(|size| {
                let text = format!("{size} {}", self.label("items"));
                (text, self.list_url(&ListQuery { size, page: 0, ..*query }), None)
            });
            main += &self.group(&self.label("Show"), &links);
        }
        if matches!(self.spec.pager, PatternPager::Numbered) {
            let from = (query.page.max(1) - 1) * PAGE_SIZE;
            let _ = write!(
                main,
                "<p>{}–{} {} {} {}</p>",
                from + 1,
                from + shown.len(),
                self.label("of"),
                all.len(),
                self.label("items")
            );
        }
        main += &self.records(query, &shown);
        main += &self.pager(query, &all);
        let title = query
            .value
            .map_or_else(|| self.label("All items"), |(facet, at)| self.label(facet.values[at]));
        self.page(&title, &main)
    }

    fn records(&self, query: &ListQuery, shown: &[usize]) -> String {
        if self.spec.order == PatternOrder::Headers {
            let head = [(1, "Name"), (2, "Price")].map(|(order, text)| {
                let href = self.list_url(&ListQuery { order, page: 0, ..*query });
                format!(
                    "<th><a href=\"{}\">{}</a></th>",
                    href.replace('&', "&amp;"),
                    self.label(text)
                )
            });
            let rows = shown.iter().map(|&entity| {
                let (href, title) = (self.href(query, entity), self.title(entity));
                let price = self.price(entity);
                let blurb = self.blurb(entity);
                format!("<tr><td><a href=\"{href}\">{title}</a></td><td>{price}</td><td>{blurb}</td></tr>")
            });
            let rows: String = rows.collect();
            return format!("<table><tr>{}<th></th></tr>{rows}</table>", head.concat());
        }
        let cards: String = shown.iter().map(|&entity| self.card(query, entity)).collect();
        format!("<ol class=\"{}\">{cards}</ol>", self.class("results"))
    }

    fn card(&self, query: &ListQuery, entity: usize) -> String {
        let mut functions = String::new();
        if self.spec.functions {
            functions = self.function_links(entity);
        }
        if self.spec.facets == PatternFacets::Records {
            functions += &self.value_links(entity);
        }
        format!(
            "<li class=\"{}\"><h3><a href=\"{}\">{}</a></h3><p>{}</p>\
             <div><span>{}</span> <b>{}</b></div>{functions}</li>",
            self.class("card"),
            self.href(query, entity),
            self.title(entity),
            self.blurb(entity),
            self.label("Price"),
            self.price(entity),
        )
    }

    /// Links to the lists of an entity's values.
    fn value_links(&self, entity: usize) -> String {
        let links = self.facets().into_iter().filter_map(|facet| {
            let at = self.value(facet, entity)?;
            let href = self.list_url(&ListQuery { value: Some((facet, at)), ..Default::default() });
            let (class, text) = (self.class(facet.name), self.label(facet.values[at]));
            Some(format!("<p class=\"{class}\"><a href=\"{href}\">{text}</a></p>"))
        });
        links.collect()
    }

    /// What people have said of an entity.
    fn replies(&self, entity: usize) -> String {
        let mut rng = Rng::of(self.words.seed, "replies", entity as u64);
        let replies = (0..5 + entity % 6).map(|_| {
            let person = rng.below(self.writers());
            let (href, name) = (self.person_path(person), self.person(person).0);
            let words = (0..8).map(|_| invent(NameKind::Town, &mut rng).to_lowercase());
            let text = words.collect::<Vec<_>>().join(" ");
            let class = self.class("reply");
            format!(
                "<li class=\"{class}\"><h4><a href=\"{href}\">{name}</a></h4><p>{text}</p></li>"
            )
        });
        format!("<ol class=\"{}\">{}</ol>", self.class("replies"), replies.collect::<String>())
    }

    fn function_links(&self, entity: usize) -> String {
        let (path, name) = (self.path(entity), |english: &str| self.words.name(english));
        let action = name("action");
        format!(
            "<p class=\"{}\"><a href=\"{path}/{}\">{}</a> <a href=\"{path}?{action}={}\">{}</a> \
             <a href=\"{path}?{action}={}\">{}</a> <a href=\"/{}?{}={path}\">{}</a></p>",
            self.class("tools"),
            name("edit"),
            self.label("Edit"),
            name("history"),
            self.label("History"),
            name("print"),
            self.label("Printable"),
            name("login"),
            name("back"),
            self.label("Watch"),
        )
    }

    /// The address of an entity as a list links to it.
    fn href(&self, query: &ListQuery, entity: usize) -> String {
        let path = self.path(entity);
        match (self.spec.context, query.value) {
            (PatternContext::Parameter, _) => {
                let list = self.list_url(query);
                let carried = list.replace('&', "%26").replace('=', "%3D").replace('?', "%3F");
                format!("{path}?{}={carried}", self.words.name("from"))
            }
            (PatternContext::Path, Some((facet, at))) => {
                let (folder, id) = path.rsplit_once('/').unwrap_or((&path, ""));
                format!("{folder}/{}/{id}", self.words.name(facet.values[at]))
            }
            (PatternContext::Path | PatternContext::None | PatternContext::Date, _) => path,
        }
    }

    /// A sentence about an entity.
    fn blurb(&self, entity: usize) -> String {
        let mut rng = Rng::of(self.words.seed, "blurb", entity as u64);
        let words = (0..12).map(|_| invent(NameKind::Town, &mut rng).to_lowercase());
        words.collect::<Vec<_>>().join(" ")
    }

    fn table(&self, rows: &[(String, String)]) -> String {
        let rows =
            rows.iter().map(|(name, value)| format!("<tr><th>{name}</th><td>{value}</td></tr>"));
        format!("<table>{}</table>", rows.collect::<String>())
    }

    pub(super) fn item_page(&self, entity: usize) -> String {
        let mut rows: Vec<(String, String)> = Vec::new();
        // What only lists tell is found by nobody who does not understand them.
        let is_hidden = matches!(self.spec.facets, PatternFacets::Boxes | PatternFacets::Menu);
        for facet in self.facets().into_iter().filter(|_| !is_hidden) {
            if let Some(at) = self.value(facet, entity) {
                rows.push((self.label(facet.name), self.label(facet.values[at])));
            }
        }
        rows.push((self.label("Price"), self.price(entity).to_string()));
        rows.push((self.label("Weight"), self.weight(entity).to_string()));
        let functions =
            if self.spec.functions { self.function_links(entity) } else { String::new() };
        let replies = match self.spec.facets {
            PatternFacets::Records => self.replies(entity),
            _ => String::new(),
        };
        let main =
            format!("<p>{}</p>{}{functions}{replies}", self.blurb(entity), self.table(&rows));
        self.page(&self.title(entity), &main)
    }

    pub(super) fn print_page(&self, entity: usize) -> String {
        let (title, blurb) = (self.title(entity), self.blurb(entity));
        let rows = [(self.label("Price"), self.price(entity).to_string())];
        format!("<title>{title}</title><h1>{title}</h1><p>{blurb}</p>{}", self.table(&rows))
    }

    pub(super) fn history_page(&self, entity: usize) -> String {
        let rows = (1..=3).map(|n| {
            let (path, action) = (self.path(entity), self.words.name("action"));
            let shown = self.label("Revision");
            format!("<li><a href=\"{path}?{action}=r{n}\">{shown} {n}</a></li>")
        });
        let main = format!("<ul>{}</ul>", rows.collect::<String>());
        self.page(&format!("{} {}", self.label("History"), self.title(entity)), &main)
    }

    pub(super) fn form_page(&self, english: &str) -> String {
        let fields = ["User", "Secret", "Comment"].map(|name| {
            let (id, text) = (self.words.name(name), self.label(name));
            format!("<label for=\"{id}\">{text}</label><input id=\"{id}\" name=\"{id}\">")
        });
        let main = format!(
            "<form method=\"post\" action=\"/{}\">{}<button>{}</button></form>",
            self.words.name(english),
            fields.concat(),
            self.label("Send")
        );
        self.page(&self.label(english), &main)
    }

    pub(super) fn text_page(&self, english: &str) -> String {
        let main = format!(
            "<p>{}</p><p>{} <a href=\"{}\">{}</a></p>",
            self.blurb(self.entities + english.len()),
            self.label("Have a look at"),
            self.list_path(),
            self.label("our items")
        );
        let main = match self.spec.filter {
            PatternFilter::Elsewhere => main + &self.closed_lists(),
            _ => main,
        };
        self.page(&self.label(english), &main)
    }

    pub(super) fn front_page(&self) -> String {
        let featured: Vec<usize> = (0..6).map(|n| n * self.entities / 6).collect();
        let main = format!(
            "<p>{}</p><h2>{}</h2>{}",
            self.blurb(self.entities),
            self.label("Items of the week"),
            self.records(&ListQuery::default(), &featured)
        );
        self.page(&self.label("Welcome"), &main)
    }

    /// A list of lists, each with as much about it as a record has.
    pub(super) fn groups_page(&self) -> String {
        let mut cards = String::new();
        for facet in self.facets() {
            for (at, value) in facet.values.iter().enumerate() {
                let own = ListQuery { value: Some((facet, at)), ..ListQuery::default() };
                let _ = write!(
                    cards,
                    "<li class=\"{}\"><h3><a href=\"{}\">{}</a></h3><p>{}</p><div><span>{}</span> <b>{}</b></div></li>",
                    self.class("card"),
                    self.list_url(&own),
                    self.label(value),
                    self.blurb(self.entities + 50 + at),
                    self.label("Items"),
                    self.answer(&own).len(),
                );
            }
        }
        let main = format!("<ol class=\"{}\">{cards}</ol>", self.class("results"));
        self.page(&self.label("Makers"), &main)
    }

    pub(super) fn people_page(&self, page: usize) -> String {
        let page = page.max(1);
        let people = (0..self.people()).skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE);
        let cards: String = people
            .map(|person| {
                let (name, town) = self.person(person);
                format!(
                    "<li class=\"{}\"><a href=\"{}\"><b>{name}</b></a> <i>{}</i> <em>{town}</em></li>",
                    self.class("person"),
                    self.person_path(person),
                    self.label("Town"),
                )
            })
            .collect();
        let next = if page * PAGE_SIZE < self.people() {
            let (path, key) = (self.words.name("people"), self.words.name("page"));
            format!("<p><a href=\"/{path}?{key}={}\">{}</a></p>", page + 1, self.label("Next"))
        } else {
            String::new()
        };
        let main = format!("<ul class=\"{}\">{cards}</ul>{next}", self.class("people"));
        self.page(&self.label("People"), &main)
    }

    pub(super) fn person_page(&self, person: usize) -> String {
        let (name, town) = self.person(person);
        let main = format!(
            "<dl><dt>{}</dt><dd>{town}</dd><dt>{}</dt><dd>{}</dd></dl>",
            self.label("Town"),
            self.label("Guild number"),
            7_000 + person * 3
        );
        self.page(&name, &main)
    }
}
