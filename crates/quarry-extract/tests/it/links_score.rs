//! How right are the links of generated pages? Counts over the pages of a site, against its truth.

use std::collections::BTreeSet;

use quarry_dom::Document;
use quarry_extract::links::{LinkMap, PageKind, PagingRole, SeenPage, page_kinds, read_links};
use quarry_testsite::{FacetStyle, PageClass, PageTruth, Site, SiteRequest};
use url::Url;

/// Right, given and wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    pub hit: usize,
    pub given: usize,
    pub wanted: usize,
}

impl Tally {
    fn add<T: Ord>(&mut self, given: &BTreeSet<T>, wanted: &BTreeSet<T>) -> bool {
        self.hit += given.intersection(wanted).count();
        self.given += given.len();
        self.wanted += wanted.len();
        given == wanted
    }

    #[allow(dead_code)] // The example has no use for it.
    pub fn join(&mut self, other: Tally) {
        self.hit += other.hit;
        self.given += other.given;
        self.wanted += other.wanted;
    }

    pub fn precision(&self) -> f64 {
        if self.given == 0 { 1.0 } else { self.hit as f64 / self.given as f64 }
    }

    pub fn recall(&self) -> f64 {
        if self.wanted == 0 { 1.0 } else { self.hit as f64 / self.wanted as f64 }
    }
}

/// What was counted on a site; each with the first page that was wrong.
#[derive(Debug, Default)]
pub struct Score {
    pub rows: Vec<(&'static str, Tally, Option<String>)>,
    pub pages: usize,
}

impl Score {
    fn count(
        &mut self,
        name: &'static str,
        page: &str,
        given: BTreeSet<String>,
        wanted: BTreeSet<String>,
    ) {
        if !self.rows.iter().any(|row| row.0 == name) {
            self.rows.push((name, Tally::default(), None));
        }
        let row = self.rows.iter_mut().find(|row| row.0 == name).expect("it was just put there");
        if !row.1.add(&given, &wanted) && row.2.is_none() {
            let extra: Vec<_> = given.difference(&wanted).take(3).collect();
            let missing: Vec<_> = wanted.difference(&given).take(3).collect();
            row.2 = Some(format!("{page}: extra {extra:?}, missing {missing:?}"));
        }
    }
}

const HOST: &str = "http://site.example";

fn map_of(site: &Site, path: &str) -> LinkMap {
    let text = site.respond(&SiteRequest::get(path)).text();
    let address = Url::parse(&format!("{HOST}{path}")).expect("a site's own address");
    read_links(&Document::from_html(&text), &address)
}

/// An address of the site as path and query.
fn path(href: &str) -> String {
    href.strip_prefix(HOST).unwrap_or(href).to_owned()
}

/// Every `nth` page of a site, of each class at least a few, and lists of two predicates.
pub fn sample(site: &Site, most: usize) -> Vec<String> {
    let all = site.addresses();
    let class = |path: &String| site.page_truth(&SiteRequest::get(path.clone())).class;
    let step = (all.len() / most).max(1);
    let mut chosen: Vec<String> = all.iter().take(12).cloned().collect();
    chosen.extend(all.iter().skip(12).step_by(step).cloned());
    // One click further.
    let lists: Vec<String> =
        chosen.iter().filter(|p| class(p) == PageClass::List).cloned().collect();
    for list in lists.iter().step_by((lists.len() / (most / 4).max(1)).max(1)) {
        let facets = site.page_truth(&SiteRequest::get(list.clone())).facets;
        chosen.extend(facets.into_iter().map(|f| f.2).filter(|href| !href.is_empty()).nth(3));
    }
    chosen.sort();
    chosen.dedup();
    chosen
}

/// Counts over the pages of a site.
pub fn score(site: &Site, paths: &[String]) -> Score {
    let mut score = Score::default();
    let mut seen: Vec<(Url, LinkMap, PageTruth)> = Vec::new();
    for page in paths {
        let truth = site.page_truth(&SiteRequest::get(page.clone()));
        let map = map_of(site, page);
        score.pages += 1;
        if truth.class == PageClass::List {
            list(&mut score, site, page, &map, &truth);
        }
        let address = Url::parse(&format!("{HOST}{page}")).expect("a site's own address");
        seen.push((address, map, truth));
    }
    let pages: Vec<SeenPage<'_>> =
        seen.iter().map(|(url, map, _)| SeenPage { address: Some(url), map }).collect();
    for (kind, (_, _, truth)) in page_kinds(&pages).into_iter().zip(&seen) {
        let right = match truth.class {
            PageClass::List => PageKind::List,
            PageClass::Entity | PageClass::OneMatch => PageKind::Entity,
            // Shows some entities, and is none.
            PageClass::Home if kind != PageKind::Entity => kind,
            _ => PageKind::Other,
        };
        let name = |kind: PageKind| BTreeSet::from([kind.as_str().to_owned()]);
        score.count("kinds", &truth.page, name(kind), name(right));
    }
    score
}

fn list(score: &mut Score, site: &Site, page: &str, map: &LinkMap, truth: &PageTruth) {
    let links =
        |list: &[quarry_extract::links::EntityLink]| list.iter().map(|e| path(&e.href)).collect();
    score.count("entities", page, links(&map.entities), truth.entities.iter().cloned().collect());
    score.count("promoted", page, links(&map.promoted), truth.promotions.iter().cloned().collect());
    if site.spec().facets.style == FacetStyle::Links {
        let values = map.facets().flat_map(|group| {
            let name = group.attribute.clone().unwrap_or_default();
            group.links.iter().filter(|link| !link.more && !link.selected).map(move |link| {
                format!("{name} = {} ({:?}) {}", link.value, link.count, path(&link.href))
            })
        });
        let wanted = truth.facets.iter().map(|(name, value, href, count)| {
            format!("{name} = {value} ({:?}) {href}", count.map(|n| n as u64))
        });
        score.count("facets", page, values.collect(), wanted.collect());
    } else {
        let controls = map.forms.iter().flat_map(|form| &form.controls);
        let values = controls.flat_map(|control| {
            let name = control.label.clone().unwrap_or_default();
            let value = move |o: &quarry_extract::links::FacetOption| {
                format!("{name} = {} ({:?})", o.label, o.count)
            };
            control.options.iter().map(value).collect::<Vec<_>>()
        });
        let wanted = truth.facets.iter().map(|(name, value, _, count)| {
            format!("{name} = {value} ({:?})", count.map(|n| n as u64))
        });
        score.count("facets", page, values.collect(), wanted.collect());
    }
    let next = map.pagination.iter().filter(|link| link.role == PagingRole::Next);
    let next: BTreeSet<String> = next.map(|link| path(&link.href)).collect();
    let buttons: Vec<_> = map.forms.iter().flat_map(|form| &form.paging_buttons).collect();
    if buttons.is_empty() {
        score.count("next", page, next, truth.next.iter().cloned().collect());
    }
    let more: BTreeSet<String> = map
        .facets()
        .flat_map(|group| group.links.iter().filter(|link| link.more).map(|link| path(&link.href)))
        .collect();
    let leads = |href: &String| site.page_truth(&SiteRequest::get(href.clone())).class;
    let wrong: BTreeSet<String> =
        more.into_iter().filter(|href| leads(href) != PageClass::Values).collect();
    score.count("more", page, wrong, BTreeSet::new());
    let labels = ["Most popular", "Price: low to high", "Price: high to low", "Name: A to Z"];
    let sorts = map.sorts.iter().map(|link| link.label.clone()).collect::<BTreeSet<_>>();
    let text = site.respond(&SiteRequest::get(page)).text();
    let wanted = labels.iter().filter(|label| text.contains(&format!(">{label}</a>")));
    score.count("sorts", page, sorts, wanted.map(|l| (*l).to_owned()).collect());
    let sizes = map.sizes.iter().filter_map(|link| link.size).map(|size| size.to_string());
    let wanted = site.spec().paging.sizes.iter().filter(|size| {
        text.contains("Per page")
            && text.contains(&format!(">{size}</a>"))
            && !text.contains(&format!("<strong>{size}</strong>"))
    });
    score.count("sizes", page, sizes.collect(), wanted.map(ToString::to_string).collect());
    let removals = map.removals.iter().map(|link| link.label.clone());
    let wanted = truth.query.iter().map(|(name, value)| format!("{name}: {value}"));
    let wanted = wanted.filter(|_| text.contains("title=\"Remove\""));
    score.count("removals", page, removals.collect(), wanted.collect());
    let read = |yes: bool| BTreeSet::from([yes.to_string()]);
    score.count("totals", page, read(read_total(&text) == map.total), read(true));
}

/// The number behind "of" in "Showing 1 to 20 of 1,240 shoes".
fn read_total(text: &str) -> Option<u64> {
    let line = text.split("Showing ").nth(1)?.split('<').next()?;
    let number: String = line.split(" of ").nth(1)?.chars().filter(char::is_ascii_digit).collect();
    number.parse().ok()
}
