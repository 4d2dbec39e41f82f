//! Pages of a whole shop other than its lists: department pages that show categories and no products,
//! and a journal whose articles look like pages about one thing each.

use super::urls::Query;
use super::{Page, Site, capital};
use crate::catalogue::{CatalogueEntityId, FacetPredicate};
use crate::prng::Rng;
use crate::text::compose;
use crate::view::{Link, PageClass, Screen};

/// Beginnings and ends of titles of articles.
const HEADS: &[&str] = &["Choosing", "Caring for", "Repairing", "The history of", "Living with"];
const TAILS: &[&str] = &["in small rooms", "on a budget", "for beginners", "through the year"];

const SENTENCES: &[&str] = &[
    "We [asked around|looked it up|tried it ourselves], and the answer was [simple|surprising|long].",
    "Most people [buy too much|wait too long|read no manual], which [is a pity|can be helped].",
    "In our experience it [lasts|breaks|improves] when [used daily|left alone|cleaned once a year].",
    "[Readers|Friends of the shop|Our staff] sent in [photographs|stories|questions] last winter.",
];

impl Site {
    /// The address of a department's page.
    pub(super) fn hub_url(&self, department: FacetPredicate) -> String {
        format!("/department/{}", self.catalogue.word(department).slug)
    }

    /// The department of an address's last segment.
    pub(super) fn hub(&self, slug: &str) -> Option<Page> {
        if !self.spec.shop.hubs {
            return None;
        }
        let department =
            self.departments().into_iter().find(|d| self.catalogue.word(*d).slug == slug)?;
        let name = self.catalogue.word(department).text.clone();
        let lines = vec![format!("Everything in {name}, sorted by kind.")];
        let mut page = self.text(200, PageClass::Values, &name, lines);
        let links = self.categories(department).into_iter().map(|category| self.way(category));
        if let Screen::Text(view) = &mut page.screen {
            view.links = links.collect();
        }
        Some(page)
    }

    /// The addresses of departments and articles.
    pub(crate) fn shop_addresses(&self) -> Vec<String> {
        let departments = if self.spec.shop.hubs { self.departments() } else { Vec::new() };
        let mut all: Vec<String> = departments.into_iter().map(|d| self.hub_url(d)).collect();
        if self.spec.shop.articles > 0 {
            all.push("/journal".to_owned());
            all.extend((1..=self.spec.shop.articles).map(|n| format!("/journal/{n}")));
        }
        all
    }

    /// The categories of a department: values of the second facet that its entities have.
    fn categories(&self, department: FacetPredicate) -> Vec<FacetPredicate> {
        let Some((id, attribute)) = self.catalogue.facets().nth(1) else { return Vec::new() };
        let inside = &self.catalogue.word(department).entities;
        let shared =
            |word: &crate::catalogue::Word| word.entities.iter().any(|e| inside.contains(e));
        let words = (0u32..).zip(attribute.words()).filter(|(_, word)| shared(word));
        words.map(|(word, _)| FacetPredicate { attribute: id, word }).collect()
    }

    fn way(&self, category: FacetPredicate) -> Link {
        let query = Query { predicates: vec![category], ..Query::default() };
        Link::new(self.urls().list(&query), &*self.catalogue.word(category).text)
    }

    /// Where an entity belongs: its department and its category.
    pub(super) fn belongs(&self, entity: CatalogueEntityId) -> Vec<Link> {
        let has = |predicate: &FacetPredicate| {
            self.catalogue.word(*predicate).entities.contains(&entity.0)
        };
        let Some(department) = self.departments().into_iter().find(has) else { return Vec::new() };
        let name = &*self.catalogue.word(department).text;
        let category = self.categories(department).into_iter().find(has);
        let mut links = vec![Link::new(self.hub_url(department), name)];
        links.extend(category.map(|category| self.way(category)));
        links
    }

    /// The list of articles.
    pub(super) fn journal(&self) -> Option<Page> {
        if self.spec.shop.articles == 0 {
            return None;
        }
        let lines = vec!["Notes from the shop floor.".to_owned()];
        let mut page = self.text(200, PageClass::Info, "Journal", lines);
        if let Screen::Text(view) = &mut page.screen {
            let link = |n| Link::new(format!("/journal/{}", n + 1), self.article_title(n));
            view.links = (0..self.spec.shop.articles).map(link).collect();
        }
        Some(page)
    }

    /// An article, counted from 1 in its address.
    pub(super) fn article(&self, number: usize) -> Option<Page> {
        let n = number.checked_sub(1).filter(|n| *n < self.spec.shop.articles)?;
        let mut rng = Rng::of(self.spec.seed, "article", n as u64);
        let mut lines = Vec::new();
        for _ in 0..4 {
            let sentences = (0..4).filter_map(|_| {
                let pattern = *rng.pick(SENTENCES);
                compose(pattern, &mut rng, &mut |_, _| None)
            });
            lines.push(sentences.collect::<Vec<String>>().join(" "));
        }
        let mut page = self.text(200, PageClass::Info, &self.article_title(n), lines);
        page.frame.crumbs.insert(1, Link::new("/journal", "Journal"));
        Some(page)
    }

    fn article_title(&self, n: usize) -> String {
        let (head, tail) = (HEADS[n % HEADS.len()], TAILS[n / HEADS.len() % TAILS.len()]);
        let number = n / (HEADS.len() * TAILS.len());
        let part = if number > 0 { format!(", part {}", number + 1) } else { String::new() };
        capital(&format!("{head} {} {tail}{part}", self.definition.noun.1))
    }
}
