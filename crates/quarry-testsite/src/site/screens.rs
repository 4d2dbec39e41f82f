//! Pages other than lists: home, entity, search answers, information, service pages
//! and traps.

use std::fmt::Write as _;

use super::urls::{INFO, Query, Route};
use super::{Site, capital};
use crate::catalogue::{CatalogueAttributeId, CatalogueEntityId};
use crate::format::SiteValue;
use crate::prng::Rng;
use crate::spec::{FacetStyle, OneMatch, SearchForm};
use crate::text::compose;
use crate::view::{EntityView, Frame, HomeView, Link, PageClass, Screen, SpecGroup, TextView};

/// A page before it is rendered: status, class, what it shows and what surrounds it.
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) class: PageClass,
    pub(crate) screen: Screen,
    pub(crate) frame: Frame,
    pub(crate) violation: Option<&'static str>,
}

impl Site {
    /// The page that a route shows.
    pub(crate) fn show(
        &self,
        route: &Route,
        step: u32,
        params: &[(String, String)],
        posted: bool,
    ) -> Page {
        match route {
            Route::Home => self.home(step),
            Route::List(query) => self.list(query, step, posted),
            Route::Values(query, attribute) => self.values(query, *attribute, step),
            Route::Entity(entity) if self.timeline.alive(*entity, step) => {
                self.entity(*entity, step, None)
            }
            Route::Entity(entity)
                if self.spec.changes.gone && self.timeline.vanished(*entity, step) =>
            {
                self.not_found(410)
            }
            Route::Search => self.search(step, params, posted),
            Route::Info(at) => self.info(*at),
            Route::Hub(name) => self.hub(name).unwrap_or_else(|| self.not_found(404)),
            Route::Journal => self.journal().unwrap_or_else(|| self.not_found(404)),
            Route::Article(number) => self.article(*number).unwrap_or_else(|| self.not_found(404)),
            Route::Login => self.login(posted),
            Route::Cart => {
                let lines = vec!["There is nothing in your cart yet.".to_owned()];
                self.text(200, PageClass::Service, "Your cart", lines)
            }
            Route::Action(name) => {
                let lines = vec![format!("Thank you. Your request ({name}) was carried out.")];
                let mut page = self.text(200, PageClass::Service, "Done", lines);
                page.violation = Some(name);
                page
            }
            Route::Calendar(year, month) => self.calendar(*year, *month),
            Route::Compare(ids) => self.compare(ids),
            Route::Spiral(depth) => self.spiral(*depth),
            _ => self.not_found(404),
        }
    }

    fn frame(&self, title: &str) -> Frame {
        let urls = self.urls();
        let mut nav = Vec::new();
        let mut footer: Vec<Link> = INFO.iter().map(|(p, t)| Link::new(*p, *t)).collect();
        if self.spec.shop.hubs {
            for department in self.departments() {
                let name = &*self.catalogue.word(department).text;
                nav.push(Link::new(self.hub_url(department), name));
            }
        } else if !self.spec.search.required {
            nav.push(Link::new(urls.root(), format!("All {}", self.definition.noun.1)));
            if self.spec.facets.style == FacetStyle::Links {
                for predicate in self.departments() {
                    let query = Query { predicates: vec![predicate], ..Query::default() };
                    nav.push(Link::new(urls.list(&query), &*self.catalogue.word(predicate).text));
                }
            }
        }
        if self.spec.shop.articles > 0 {
            nav.push(Link::new("/journal", "Journal"));
        }
        let mut account = Vec::new();
        if self.spec.traps.forms {
            account.push(Link::new("/login", "Sign in"));
        }
        if self.spec.traps.actions {
            account.push(Link::new("/cart", "Cart"));
            account.push(Link::new("/account/logout", "Log out"));
        }
        if self.spec.traps.calendar {
            footer.push(Link::new("/calendar/2026/1", "Calendar of events"));
        }
        if self.spec.traps.spiral {
            footer.push(Link::new("/guide/", "Buying guide"));
        }
        Frame {
            title: title.to_owned(),
            nav,
            crumbs: vec![Link::new("/", "Home")],
            account,
            footer,
            keywords: String::new(),
            canonical: None,
            json_ld: None,
        }
    }

    /// The words of the first facet, the site's main navigation.
    pub(super) fn departments(&self) -> Vec<crate::catalogue::FacetPredicate> {
        let Some((id, attribute)) = self.catalogue.facets().next() else { return Vec::new() };
        (0u32..)
            .zip(attribute.words())
            .filter(|(_, w)| !w.entities.is_empty())
            .take(7)
            .map(|(word, _)| crate::catalogue::FacetPredicate { attribute: id, word })
            .collect()
    }

    fn home(&self, step: u32) -> Page {
        let mut rng = Rng::of(self.spec.seed, "home", 0);
        let browse = !self.spec.search.required;
        let mut frame = self.frame(&format!("{} – {}", self.name, self.slogan));
        frame.crumbs.clear();
        let tiles = if browse { frame.nav.clone() } else { Vec::new() };
        let mut featured = Vec::new();
        for _ in 0..if browse { 8.min(self.spec.entities) } else { 0 } {
            let entity = CatalogueEntityId(rng.below(self.catalogue.len()) as u32);
            let fresh = featured.iter().all(|c: &crate::view::Card| c.entity != Some(entity));
            if fresh && self.timeline.alive(entity, step) {
                featured.push(self.card(entity, step, None));
            }
        }
        let view = HomeView {
            heading: self.slogan.to_owned(),
            lead: format!(
                "Welcome to {}. {} {} to choose from, described with care and kept up to date.",
                self.name,
                crate::format::grouped(self.spec.entities as i64, ','),
                self.definition.noun.1
            ),
            tiles,
            featured,
            featured_heading: format!("{} of the week", capital(self.definition.noun.1)),
            newsletter: self.spec.traps.forms,
        };
        Page {
            status: 200,
            class: PageClass::Home,
            screen: Screen::Home(view),
            frame,
            violation: None,
        }
    }

    fn list(&self, query: &Query, step: u32, posted: bool) -> Page {
        let keyword_needed = self.spec.search.required && query.keywords.is_none();
        if keyword_needed {
            let lines = vec!["Please enter a word to search for.".to_owned()];
            return self.text(200, PageClass::Error, "What are you looking for?", lines);
        }
        let view = self.list_view(query, step, posted);
        if view.cards.is_empty() {
            return self.no_match(query);
        }
        let mut frame = self.frame(&format!("{} | {}", view.heading, self.name));
        if !self.spec.shop.hubs {
            frame.crumbs.push(Link::new(self.root(), capital(self.definition.noun.1)));
        }
        for chosen in &view.chosen {
            frame.crumbs.push(Link::new("", &*chosen.value));
        }
        frame.keywords = query.keywords.clone().unwrap_or_default();
        Page {
            status: 200,
            class: PageClass::List,
            screen: Screen::List(Box::new(view)),
            frame,
            violation: None,
        }
    }

    fn no_match(&self, query: &Query) -> Page {
        let noun = self.definition.noun.1;
        let what = match &query.keywords {
            Some(words) => format!("No {noun} found for “{words}”"),
            None => format!("No {noun} found"),
        };
        let lines = vec![
            format!("We could not find any {noun} that fit."),
            "Check the spelling, use fewer or more general words, or start again.".to_owned(),
        ];
        let mut page = self.text(200, PageClass::NoMatch, &what, lines);
        page.frame.keywords = query.keywords.clone().unwrap_or_default();
        if let Screen::Text(view) = &mut page.screen {
            view.links = page.frame.nav.clone();
        }
        page
    }

    fn values(&self, query: &Query, attribute: CatalogueAttributeId, step: u32) -> Page {
        let answer = self.answer(query, step);
        let name = self.catalogue.attribute(attribute).name.clone();
        let groups = self.facet_groups(query, &answer, true);
        let Some(group) = groups.into_iter().find(|g| g.name == name) else {
            return self.not_found(404);
        };
        let mut frame = self.frame(&format!("{name} | {}", self.name));
        frame
            .crumbs
            .push(Link::new(self.urls().list(&query.first()), capital(self.definition.noun.1)));
        let screen = Screen::Values(format!("All values of {name}"), group);
        Page { status: 200, class: PageClass::Values, screen, frame, violation: None }
    }

    /// The page of an entity, or of the only match of a search.
    fn entity(&self, entity: CatalogueEntityId, step: u32, searched: Option<&str>) -> Page {
        let card = self.card(entity, step, None);
        let mut groups: Vec<SpecGroup> = Vec::new();
        for (name, group, value) in self.spec_pairs(entity, step) {
            match groups.iter_mut().find(|g| g.title == group) {
                Some(g) => g.pairs.push((name, value)),
                None => {
                    groups.push(SpecGroup { title: group.to_owned(), pairs: vec![(name, value)] });
                }
            }
        }
        let mut rng = Rng::of(self.spec.seed, "related", u64::from(entity.0));
        let mut related = Vec::new();
        for _ in 0..self.spec.detail.related {
            let other = CatalogueEntityId(rng.below(self.catalogue.len()) as u32);
            if other != entity && self.timeline.alive(other, step) && !self.spec.search.required {
                related.push(self.card(other, step, None));
            }
        }
        let title = card.title().to_owned();
        let mut actions = Vec::new();
        if self.spec.traps.actions {
            actions.push(Link::new(format!("/cart/add/{}", entity.0 + 1), self.definition.action));
            actions.push(Link::new(format!("/wishlist/add/{}", entity.0 + 1), "Add to wish list"));
            actions.push(Link::new(format!("/admin/delete/{}", entity.0 + 1), "Delete listing"));
        }
        let mut frame = self.frame(&format!("{title} | {}", self.name));
        if self.spec.shop.hubs {
            frame.crumbs.extend(self.belongs(entity));
        } else if !self.spec.search.required {
            frame.crumbs.push(Link::new(self.root(), capital(self.definition.noun.1)));
        }
        frame.crumbs.push(Link::new("", &*title));
        frame.canonical = Some(self.urls().entity(entity));
        if self.spec.markup.json_ld {
            frame.json_ld = Some(self.json_ld(entity, step));
        }
        let only_match =
            searched.map(|word| format!("One {} matches “{word}”.", self.definition.noun.0));
        let class = if searched.is_some() { PageClass::OneMatch } else { PageClass::Entity };
        let view = EntityView {
            card,
            specs: groups,
            description: self.description(entity, 6),
            related: if searched.is_some() { Vec::new() } else { related },
            actions,
            only_match,
        };
        let screen = Screen::Entity(Box::new(view));
        Page { status: 200, class, screen, frame, violation: None }
    }

    /// Name, section and value of every pair of an entity's specification, in the order of the page.
    pub(crate) fn spec_pairs(
        &self,
        entity: CatalogueEntityId,
        step: u32,
    ) -> Vec<(String, &'static str, String)> {
        let mut pairs = Vec::new();
        for (i, attribute) in self.catalogue.attributes.iter().enumerate().filter(|(_, a)| a.spec) {
            let id = CatalogueAttributeId(i as u16);
            let printed = match self.catalogue.value(id, entity) {
                Some(SiteValue::Money(_)) => {
                    self.price(entity, step).map(|cents| vec![self.catalogue.format.money(cents)])
                }
                _ => Some(self.catalogue.printed(id, entity)),
            };
            if let Some(printed) = printed.filter(|p| !p.is_empty()) {
                pairs.push((attribute.name.clone(), attribute.group, printed.join(", ")));
            }
        }
        // Sections stay together, in the order in which they first appear.
        let mut sections: Vec<&str> = Vec::new();
        for (_, group, _) in &pairs {
            if !sections.contains(group) {
                sections.push(group);
            }
        }
        pairs.sort_by_key(|(_, group, _)| sections.iter().position(|s| s == group));
        pairs
    }

    fn json_ld(&self, entity: CatalogueEntityId, step: u32) -> String {
        let properties: Vec<serde_json::Value> = self
            .spec_pairs(entity, step)
            .into_iter()
            .map(|(name, _, value)| {
                serde_json::json!({"@type": "PropertyValue", "name": name, "value": value})
            })
            .collect();
        let mut data = serde_json::json!({
            "@context": "https://schema.org",
            "@type": self.definition.schema,
            "name": self.catalogue.titles[entity.0 as usize],
            "url": self.urls().entity(entity),
            "additionalProperty": properties,
        });
        if let Some(cents) = self.price(entity, step) {
            data["offers"] = serde_json::json!({
                "@type": "Offer",
                "price": format!("{}.{:02}", cents / 100, cents % 100),
                "priceCurrency": self.catalogue.format.currency(),
            });
        }
        data.to_string().replace("</", "<\\/")
    }

    fn search(&self, step: u32, params: &[(String, String)], posted: bool) -> Page {
        if self.spec.search.form == SearchForm::None {
            return self.not_found(404);
        }
        let mut query = match self.urls().query(&[], params) {
            Some(query) => query,
            None => return self.not_found(404),
        };
        if self.search_by_post() && !posted {
            query.keywords = None;
        }
        let word = query.keywords.clone().unwrap_or_default();
        if word.chars().count() < 2 || word.contains(['*', '"', '<', '%']) {
            let lines = vec![
                "Your search could not be carried out.".to_owned(),
                "Enter at least two letters or digits, without special characters.".to_owned(),
                "Reference: SRCH-1027".to_owned(),
            ];
            return self.text(200, PageClass::Error, "Search error", lines);
        }
        let answer = self.answer(&query, step);
        match answer.entities.as_slice() {
            [] => self.no_match(&query),
            [one] if query.predicates.is_empty() => {
                let entity = CatalogueEntityId(*one);
                match self.spec.search.one_match {
                    OneMatch::Redirect => Page {
                        status: 302,
                        class: PageClass::Asset,
                        screen: Screen::Redirect(self.urls().entity(entity)),
                        frame: self.frame("Found"),
                        violation: None,
                    },
                    OneMatch::Page => self.entity(entity, step, Some(&word)),
                    OneMatch::List => self.list(&query, step, posted),
                }
            }
            _ => self.list(&query, step, posted),
        }
    }

    fn info(&self, at: usize) -> Page {
        const SENTENCES: &[&str] = &[
            "We answer every letter [within two days|by the next morning|before the weekend].",
            "Our office is open [from nine to five|on weekdays|every day but Sunday].",
            "Everything on these pages is [checked twice|written by people who know it|kept up to date].",
            "If something is [missing|wrong|hard to find], please tell us.",
            "The company was founded by [two sisters|a retired teacher|three friends] in a [garage|back room|market hall].",
            "We keep only the data that we need, and [delete the rest|never sell it|you may ask for it at any time].",
            "[Orders|Requests|Changes] are handled in the order in which they arrive.",
        ];
        let mut rng = Rng::of(self.spec.seed, "info", at as u64);
        let mut lines = Vec::new();
        for _ in 0..3 {
            let mut line = String::new();
            for _ in 0..3 {
                let pattern = *rng.pick(SENTENCES);
                let sentence = compose(pattern, &mut rng, &mut |_, _| None);
                let _ = write!(line, "{} ", sentence.unwrap_or_default());
            }
            lines.push(line.trim_end().to_owned());
        }
        self.text(200, PageClass::Info, INFO[at].1, lines)
    }

    fn login(&self, posted: bool) -> Page {
        let lines = vec!["Sign in to see your orders and your wish list.".to_owned()];
        let mut page = self.text(200, PageClass::Service, "Sign in", lines);
        page.violation = posted.then_some("login");
        if let Screen::Text(view) = &mut page.screen {
            view.form = Some(
                "<form class=\"login\" method=\"post\" action=\"/login\">\
                 <p><label for=\"user\">E-mail</label> <input id=\"user\" type=\"email\" name=\"user\"></p>\
                 <p><label for=\"password\">Password</label> <input id=\"password\" type=\"password\" name=\"password\"></p>\
                 <p><button type=\"submit\">Sign in</button></p></form>"
                    .to_owned(),
            );
        }
        page
    }

    fn calendar(&self, year: u32, month: u32) -> Page {
        if !self.spec.traps.calendar {
            return self.not_found(404);
        }
        let (before, after) = match month {
            1 => ((year.saturating_sub(1), 12), (year, 2)),
            12 => ((year, 11), (year + 1, 1)),
            m => ((year, m - 1), (year, m + 1)),
        };
        let lines = vec!["There are no events in this month.".to_owned()];
        let mut page =
            self.text(200, PageClass::Service, &format!("Events, {month:02}/{year}"), lines);
        if let Screen::Text(view) = &mut page.screen {
            view.days = Some((year, month));
            view.links = vec![
                Link::new(format!("/calendar/{}/{}", before.0, before.1), "Previous month"),
                Link::new(format!("/calendar/{}/{}", after.0, after.1), "Next month"),
            ];
        }
        page
    }

    fn compare(&self, ids: &[u32]) -> Page {
        if !self.spec.traps.compare || ids.is_empty() {
            return self.not_found(404);
        }
        let mut rng = Rng::of(self.spec.seed, "compare", ids.iter().map(|i| u64::from(*i)).sum());
        let title = |id: u32| {
            self.catalogue.titles.get(id.wrapping_sub(1) as usize).cloned().unwrap_or_default()
        };
        let lines = ids.iter().map(|id| title(*id)).collect();
        let mut page = self.text(200, PageClass::Service, "Compare", lines);
        let list: Vec<String> = ids.iter().map(u32::to_string).collect();
        if let Screen::Text(view) = &mut page.screen {
            for _ in 0..5 {
                let id = rng.below(self.catalogue.len()) as u32 + 1;
                let href = format!("/compare?ids={},{id}", list.join(","));
                view.links.push(Link::new(href, format!("Compare with {}", title(id))));
            }
        }
        page
    }

    fn spiral(&self, depth: usize) -> Page {
        if !self.spec.traps.spiral {
            return self.not_found(404);
        }
        let lines = vec![format!("Chapter {}. Good advice takes its time.", depth + 1)];
        let mut page = self.text(200, PageClass::Service, "Buying guide", lines);
        if let Screen::Text(view) = &mut page.screen {
            view.links = vec![Link::new("more/", "Read on"), Link::new("tips/more/", "Our tips")];
        }
        page
    }

    /// A page that says that there is none here.
    pub(crate) fn not_found(&self, status: u16) -> Page {
        let lines = vec![
            "Page not found".to_owned(),
            "The page you asked for does not exist or has moved.".to_owned(),
        ];
        let mut page = self.text(status, PageClass::Failure, "Page not found", lines);
        if let Screen::Text(view) = &mut page.screen {
            view.links = vec![Link::new("/", "Back to the home page")];
        }
        page
    }

    /// A page of text.
    pub(crate) fn text(
        &self,
        status: u16,
        class: PageClass,
        heading: &str,
        paragraphs: Vec<String>,
    ) -> Page {
        let mut frame = self.frame(&format!("{heading} | {}", self.name));
        frame.crumbs.push(Link::new("", heading));
        let view = TextView { heading: heading.to_owned(), paragraphs, ..TextView::default() };
        Page { status, class, screen: Screen::Text(view), frame, violation: None }
    }

    /// A drawing that stands for a photograph.
    pub(crate) fn picture(&self, base: u64) -> String {
        let mut rng = Rng::of(self.spec.seed, "picture", base);
        let hue = (self.hue() + rng.below(120) as u64) % 360;
        let second = (hue + 20 + rng.below(60) as u64) % 360;
        let (high, low) = (rng.between(50, 84), rng.between(50, 84));
        let (x, y, r) = (rng.between(24, 136), rng.between(20, 46), rng.between(9, 18));
        let size = rng.between(78, 99);
        let turn = rng.between(-6, 6);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 120\" role=\"img\">\
             <rect width=\"160\" height=\"120\" fill=\"hsl({hue},34%,90%)\"/>\
             <path d=\"M0 {high}Q40 {low} 80 {high}T160 {low}V120H0Z\" fill=\"hsl({hue},32%,82%)\"/>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"hsl({second},60%,80%)\"/>\
             <path d=\"{}\" transform=\"rotate({turn} 80 60) translate(80 60) scale(.{size:02}) translate(-80 -60)\" \
             fill=\"hsl({second},42%,48%)\"/></svg>",
            self.definition.glyph,
        )
    }
}
