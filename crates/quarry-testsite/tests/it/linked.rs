//! Every entity can be reached by following links, and no link is broken.

use std::collections::{BTreeSet, VecDeque};

use quarry_testsite::{FacetStyle, PageClass, Site, SiteSpec};

use crate::{get, links, parse, small};

/// Follows links from the home page, facets one level deep, traps left alone.
fn crawl(site: &Site) -> BTreeSet<String> {
    let mut seen = BTreeSet::from(["/".to_owned()]);
    let mut queue = VecDeque::from(["/".to_owned()]);
    while let Some(target) = queue.pop_front() {
        let response = get(site, &target);
        assert_eq!(response.status, 200, "{target}");
        if response.class == PageClass::Asset {
            continue;
        }
        for link in links(&parse(&response), &target) {
            let trap = ["/cart", "/wishlist", "/account", "/admin", "/calendar", "/compare"]
                .iter()
                .chain(&["/guide", "/export"])
                .any(|t| link.starts_with(t));
            let deep = site.spec().facets.style == FacetStyle::Links && predicates(&link) > 1;
            let sorted =
                link.contains("sort=") || link.contains("o=") || link.contains("per_page=");
            if !trap && !deep && !sorted && seen.insert(link.clone()) {
                queue.push_back(link);
            }
        }
    }
    seen
}

fn predicates(link: &str) -> usize {
    let (path, query) = link.split_once('?').unwrap_or((link, ""));
    let in_path = path.trim_matches('/').split('/').count() - 1;
    let codes = path.strip_prefix("/b/").map_or(0, |c| c.split('.').count());
    let known = |pair: &&str| {
        !pair.starts_with("page") && !pair.starts_with("pg") && !pair.starts_with("all")
    };
    let in_query = query.split('&').filter(|p| !p.is_empty()).filter(known).count();
    if codes > 0 { codes } else { in_path + in_query }
}

#[test]
fn all_entities_are_reached_from_the_home_page() {
    for preset in SiteSpec::presets() {
        let mut spec = small(preset.name);
        // These cannot be crawled plainly, by design; other tests look at them.
        let is_odd =
            preset.name.starts_with("p-") || ["faulty", "traps", "flat"].contains(&preset.name);
        if spec.search.required || is_odd {
            continue;
        }
        spec.changes.every = 0;
        spec.entities = spec.entities.min(50);
        let site = Site::generate(spec);
        let seen = crawl(&site);
        for truth in site.truth() {
            assert!(seen.contains(&truth.url), "{}: {} is not linked", preset.name, truth.url);
        }
    }
}

#[test]
fn all_flat_pages_are_reached_from_the_home_page() {
    let mut spec = SiteSpec::preset("flat").unwrap();
    spec.entities = 500;
    let site = Site::generate(spec);
    assert!(crawl(&site).len() >= 500);
    let page = get(&site, "/p/77.html");
    assert!((1800..2300).contains(&page.body.len()), "{}", page.body.len());
    assert_eq!(links(&parse(&page), "/p/77.html").len(), 20);
}

#[test]
fn values_behind_a_more_link_are_complete() {
    let mut spec = small("d5-electronics");
    spec.facets.max_values = 3;
    let site = Site::generate(spec);
    let page = get(&site, "/electronics?all=brand");
    assert_eq!(page.class, PageClass::Values);
    let brands = site.attributes().into_iter().find(|a| a.name == "Brand").unwrap();
    let listed = links(&parse(&page), "/").iter().filter(|l| l.contains("brand=")).count();
    assert_eq!(listed, brands.values);
}

#[test]
fn dependent_facets_wait_for_what_they_need() {
    let site = Site::generate(SiteSpec::preset("h-tree").unwrap());
    let names = |target: &str| {
        let truth = site.page_truth(&quarry_testsite::SiteRequest::get(target));
        let mut names: Vec<String> = truth.facets.iter().map(|f| f.0.clone()).collect();
        names.dedup();
        names
    };
    assert_eq!(names("/electronics"), ["Department", "Color"]);
    assert_eq!(names("/electronics/department-computers"), ["Type", "Color"]);
    assert_eq!(names("/electronics/department-computers/type-laptops"), ["Line", "Color"]);
}

#[test]
fn sitemaps_list_every_entity() {
    for (style, part) in [("plain", "/sitemap.xml"), ("index", "/sitemap-1.xml")] {
        let mut spec = small("shop");
        spec.set("protocol.sitemap", style).unwrap();
        let site = Site::generate(spec);
        let text = get(&site, part).text();
        for truth in site.truth() {
            assert!(text.contains(&format!("http://localhost{}<", truth.url)));
        }
    }
    let mut spec = small("shop");
    spec.set("protocol.sitemap", "compressed").unwrap();
    let site = Site::generate(spec);
    assert!(get(&site, "/sitemap.xml").text().contains("/sitemap-1.xml.gz"));
    assert_eq!(get(&site, "/sitemap-1.xml.gz").body[..2], [0x1f, 0x8b]);
}
