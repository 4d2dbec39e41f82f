//! The truth and the pages say the same.

use std::collections::BTreeSet;

use quarry_testsite::{FacetStyle, Site, SiteRequest, SiteSpec};

use crate::{get, links, list_all, parse, small};

/// The paths of the entities that have this value.
fn with_value(site: &Site, attribute: &str, value: &str) -> BTreeSet<String> {
    site.truth()
        .filter(|t| {
            t.attributes.get(attribute).is_some_and(|v| v.texts().iter().any(|t| t == value))
        })
        .map(|t| t.url)
        .collect()
}

#[test]
fn a_facet_link_lists_exactly_the_entities_with_the_value() {
    for preset in SiteSpec::presets() {
        let site = Site::generate(small(preset.name));
        let root = site.page_truth(&SiteRequest::get(site.root()));
        if site.spec().facets.style != FacetStyle::Links || site.spec().paging.endless {
            continue;
        }
        for (attribute, value, href, count) in &root.facets {
            let (listed, _) = list_all(&site, href);
            let expect = with_value(&site, attribute, value);
            assert_eq!(listed, expect, "{}: {attribute}={value}", preset.name);
            assert_eq!(*count, Some(expect.len()), "{}: {attribute}={value}", preset.name);
        }
    }
}

#[test]
fn two_facets_list_the_intersection_in_either_order() {
    for name in ["shop", "d2-recipes", "d4-shoes"] {
        let site = Site::generate(small(name));
        let root = site.page_truth(&SiteRequest::get(site.root()));
        let (attribute, value, href, _) = root.facets[0].clone();
        let below = site.page_truth(&SiteRequest::get(href));
        let first = with_value(&site, &attribute, &value);
        for (other, text, deeper, count) in &below.facets {
            let expect: BTreeSet<String> =
                with_value(&site, other, text).intersection(&first).cloned().collect();
            let (listed, _) = list_all(&site, deeper);
            assert_eq!(listed, expect, "{name}: {attribute}={value} {other}={text}");
            assert_eq!(*count, Some(expect.len()));
            // The other way round: another address on order-dependent sites, the same entities.
            let turned = root.facets.iter().find(|f| f.0 == *other && f.1 == *text).unwrap();
            let turned = site.page_truth(&SiteRequest::get(&*turned.2));
            if let Some(back) = turned.facets.iter().find(|f| f.0 == attribute && f.1 == value) {
                assert_ne!(back.2, *deeper, "{name}");
                assert_eq!(list_all(&site, &back.2).0, expect);
            }
        }
    }
}

#[test]
fn totals_of_pages_match() {
    for preset in SiteSpec::presets() {
        let spec = small(preset.name);
        let is_catalogue = spec.layout == quarry_testsite::Layout::Catalogue;
        if spec.paging.endless || spec.search.required || !is_catalogue {
            continue;
        }
        let (size, entities) = (spec.paging.size, spec.entities);
        let site = Site::generate(spec);
        let (found, pages) = list_all(&site, &site.root());
        assert_eq!((found.len(), pages), (entities, entities.div_ceil(size)), "{}", preset.name);
    }
}

#[test]
fn a_capped_list_ends_early_and_says_how_many_there_are() {
    let mut spec = small("d6-phones");
    spec.paging.size = 10;
    spec.paging.cap = 3;
    let site = Site::generate(spec);
    let (found, pages) = list_all(&site, &site.root());
    assert_eq!((found.len(), pages), (30, 3));
    assert!(get(&site, &site.root()).text().contains("of 120 phones"));
}

#[test]
fn entity_pages_show_their_specification_and_nothing_hidden() {
    for preset in SiteSpec::presets().iter().filter(|p| p.name != "flat" && p.name != "faulty") {
        let site = Site::generate(small(preset.name));
        for truth in site.truth() {
            let text = parse(&get(&site, &truth.url)).dump();
            let page = site.page_truth(&SiteRequest::get(&*truth.url));
            assert_eq!(page.specs, truth.specs);
            for (name, value) in &truth.specs {
                assert!(text.contains(name.as_str()), "{} {name}", truth.url);
                assert!(text.contains(value.as_str()), "{} {name}: {value}", truth.url);
                assert!(!truth.hidden.contains(name));
            }
        }
    }
}

#[test]
fn records_are_on_their_page() {
    for preset in SiteSpec::presets().iter().filter(|p| p.name != "flat") {
        let site = Site::generate(small(preset.name));
        let request = SiteRequest::get(site.root());
        let truth = site.page_truth(&request);
        let page = parse(&site.respond(&request));
        let text = page.folded_text(page.all().next().unwrap());
        for cell in truth.records.iter().flatten() {
            assert!(text.contains(cell.as_str()), "{}: {cell:?} is not on the page", preset.name);
        }
        let links = links(&page, &site.root());
        for entity in &truth.entities {
            assert!(links.iter().any(|l| l.starts_with(entity.as_str())), "{entity}");
        }
    }
}

#[test]
fn promoted_entities_need_not_match() {
    let site = Site::generate(small("d4-shoes"));
    let root = site.page_truth(&SiteRequest::get(site.root()));
    let mut strangers = 0;
    for (_, _, href, _) in &root.facets {
        let page = site.page_truth(&SiteRequest::get(&**href));
        assert_eq!(page.promotions.len(), 4);
        let (answer, _) = list_all(&site, href);
        strangers += page.promotions.iter().filter(|p| !answer.contains(*p)).count();
    }
    assert!(strangers > 0);
}

#[test]
fn a_site_that_changes_tells_both_truths() {
    let site = Site::generate(SiteSpec::preset("changing").unwrap());
    let steps = site.changes().len() as u32;
    assert_eq!((site.step(0), site.step(20), site.step(1_000_000)), (0, 1, steps));
    let (start, end): (Vec<_>, Vec<_>) = (site.truth().collect(), site.truth_at(steps).collect());
    assert_ne!(start, end);
    let late = SiteRequest { count: 1_000_000, ..SiteRequest::get(site.root()) };
    let shown = site.page_truth(&late).entities;
    let known: BTreeSet<&str> = end.iter().map(|t| t.url.as_str()).collect();
    assert!(shown.iter().all(|e| known.contains(e.as_str())));
    let gone = start.iter().find(|t| !known.contains(t.url.as_str())).expect("one is removed");
    assert_eq!(site.respond(&SiteRequest { target: gone.url.clone(), ..late }).status, 404);
}

#[test]
fn a_template_has_the_parts_that_were_asked_for() {
    let site = Site::generate(SiteSpec::preset("records").unwrap());
    let template = site.template();
    let slot = |name: &str| template.slots.iter().find(|s| s.slot == name).expect("a slot");
    assert!(slot("constant").constant && slot("constant").support == 1.0);
    assert!(slot("badge").support < 0.6);
    assert!(slot("Price").support < 1.0 && slot("call").support > 0.0);
    assert!(template.edges.contains(&(String::new(), "title".to_owned())));
    assert!(template.slots.iter().any(|s| s.slot == "joined 2") || slot("Color").support == 1.0);
}

#[test]
fn the_least_number_of_requests_is_what_a_perfect_crawler_needs() {
    let mut spec = small("d1-homes");
    spec.paging.size = 8;
    let site = Site::generate(spec);
    let root = site.page_truth(&SiteRequest::get(site.root()));
    let pages: usize = root.facets.iter().map(|(_, _, href, _)| list_all(&site, href).1).sum();
    assert_eq!(site.least_requests().total(), 1 + pages);
}

#[test]
fn a_capped_query_is_split_by_one_further_attribute() {
    let spec = |cap: usize| {
        let mut spec = small("d6-phones");
        spec.facets.only = ["Brand", "Storage"].map(str::to_owned).to_vec();
        spec.paging.size = 10;
        spec.paging.cap = cap;
        spec
    };
    let free = Site::generate(spec(0));
    let root = free.page_truth(&SiteRequest::get(free.root()));
    let (mut pages, mut splits) = (0, 0);
    for (_, _, href, count) in &root.facets {
        let count = count.unwrap();
        if count <= 20 {
            pages += count.div_ceil(10);
            continue;
        }
        // Only the other attribute is left to split by.
        let below = free.page_truth(&SiteRequest::get(&**href)).facets;
        splits += 1 + below.iter().map(|(.., n)| n.unwrap().div_ceil(10).min(2)).sum::<usize>();
        let reached: usize = below.iter().map(|(.., n)| n.unwrap()).sum();
        splits += usize::from(reached < count);
    }
    let least = Site::generate(spec(2)).least_requests();
    assert!(splits > 0);
    assert_eq!((least.pages, least.splits), (pages, splits));
    assert_eq!(free.least_requests().splits, 0);
}

#[test]
fn where_keywords_are_needed_facets_are_asked_below_words() {
    let mut spec = small("k-keyword");
    let needed = Site::generate(spec.clone()).least_requests();
    spec.search.required = false;
    let browsed = Site::generate(spec).least_requests();
    assert!(needed.drill_downs > 0 && browsed.drill_downs == 0);
    assert!(needed.pages >= browsed.pages, "{needed:?} {browsed:?}");
}

#[test]
fn the_paper_s_sites_have_about_its_numbers() {
    let pairs = |name: &str| {
        let site = Site::generate(SiteSpec::preset(name).unwrap());
        let facets = site.attributes().into_iter().filter(|a| a.facet);
        facets.fold((0, 0), |(v, p), a| (v + a.values, p + a.pairs))
    };
    let (values, entity_pairs) = pairs("d1-homes");
    assert!(
        (30..60).contains(&values) && (280..400).contains(&entity_pairs),
        "{values} {entity_pairs}"
    );
    let (values, _) = pairs("d5-electronics");
    assert!((1000..1400).contains(&values), "{values}");
}
