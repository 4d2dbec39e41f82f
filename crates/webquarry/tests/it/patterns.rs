//! Does a harvest with defaults understand what links do, in English and where every label, parameter and class is a
//! made-up word?

use std::collections::{BTreeMap, BTreeSet};

use quarry_testsite::{Layout, PatternSpec, PatternWords, Server, SiteSpec};
use serde_json::Value;

use crate::program::{Folder, front, report, run, serve};

/// (entity, attribute, value).
type Triple = (String, String, String);

fn site(preset: &str, words: PatternWords) -> Server {
    let mut spec = SiteSpec::preset(preset).unwrap();
    let Layout::Pattern(pattern) = spec.layout else { panic!("{preset} is no pattern") };
    spec.layout = Layout::Pattern(PatternSpec { words, ..pattern });
    serve(spec)
}

fn truth(server: &Server) -> BTreeSet<Triple> {
    let mut triples = BTreeSet::new();
    for line in server.site().truth() {
        for (name, values) in &line.attributes {
            let values = values.texts().iter().cloned();
            triples.extend(values.map(|value| (line.url.clone(), name.clone(), value)));
        }
    }
    triples
}

fn found(server: &Server, rows: &[Value]) -> BTreeSet<Triple> {
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    rows.iter()
        .map(|row| {
            let entity = text(row, "entity").replacen(server.url(), "", 1);
            (entity, text(row, "attribute"), text(row, "value"))
        })
        .collect()
}

/// For each attribute of the truth, the share of its values that are in the column that has most of them, and the share
/// of that column's values that are right.
fn scores(found: &BTreeSet<Triple>, truth: &BTreeSet<Triple>) -> BTreeMap<String, (f64, f64)> {
    let mut by_place: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (entity, name, value) in found {
        by_place.entry((entity, value)).or_default().push(name);
    }
    let mut shared: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for (entity, name, value) in truth {
        *all.entry(name).or_default() += 1;
        let columns = shared.entry(name).or_default();
        for column in by_place.get(&(entity.as_str(), value.as_str())).into_iter().flatten() {
            *columns.entry(column).or_default() += 1;
        }
    }
    let score = |(name, columns): (&str, BTreeMap<&str, usize>)| {
        let best = columns.into_iter().max_by_key(|&(column, count)| (count, column == name));
        let (column, right) = best.unwrap_or_default();
        let got = found.iter().filter(|(_, name, _)| name == column).count();
        (name.to_owned(), (right as f64 / got.max(1) as f64, right as f64 / all[name] as f64))
    };
    shared.into_iter().map(score).collect()
}

/// Harvests a preset with defaults, in English and in made-up words: all entities and nothing else, all values, and no more
/// requests than a careful crawl takes.
#[track_caller]
fn check(preset: &str) {
    for words in [PatternWords::Plain, PatternWords::MadeUp] {
        let folder = Folder::new();
        let project = folder.join("site");
        let server = site(preset, words);
        let path = project.to_str().unwrap();
        let ran = run(["harvest", &front(&server), "-p", path, "--per-host", "4"]).ended(0);
        let rows = run(["export", "-p", path, "--table", "values"]).ended(0).lines();
        let (found, truth) = (found(&server, &rows), truth(&server));
        let entities = |triples: &BTreeSet<Triple>| -> BTreeSet<String> {
            triples.iter().map(|(entity, ..)| entity.clone()).collect()
        };
        let (own, others) = (entities(&truth), entities(&found));
        let (missing, odd): (Vec<_>, Vec<_>) =
            (own.difference(&others).collect(), others.difference(&own).collect());
        assert!(
            missing.is_empty() && odd.is_empty(),
            "{preset} {words:?}: {} entities missing, odd {odd:?}\n{}",
            missing.len(),
            ran.err
        );
        for (name, (precision, recall)) in scores(&found, &truth) {
            assert!(
                precision >= 0.98 && recall >= 0.97,
                "{preset} {words:?} {name}: {precision} {recall}\n{}",
                ran.err
            );
        }
        let cost = server.site().pattern_cost().unwrap();
        let requests = report(&project)["requests"].as_u64().unwrap() as usize;
        let most = cost.most_requests();
        assert!(requests <= most, "{preset} {words:?}: {requests} of {most} requests\n{}", ran.err);
    }
}

#[test]
fn orders_and_groupings_are_views() {
    ["p-orders-links", "p-orders-select", "p-orders-headers"].into_iter().for_each(check);
}

#[test]
fn explain_says_by_what_evidence_a_group_is_a_view() {
    let folder = Folder::new();
    let project = folder.join("site");
    let server = site("p-orders-links", PatternWords::Plain);
    let path = project.to_str().unwrap();
    run(["harvest", &front(&server), "-p", path, "--per-host", "4"]).ended(0);
    let told = run(["explain", &format!("{}/?group=1", server.url()), "-p", path]).ended(0).out;
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["it does not narrow the list", "Group on: not a facet (2 values asked:"] {
        assert!(told.contains(part), "{told}");
    }
    assert!(told.contains("Group on=Section: it returned all 150 entities"), "{told}");
}

#[test]
fn sets_of_boxes_are_facets_and_called_by_the_text_before_them() {
    check("p-boxes");
}

#[test]
fn the_list_of_all_is_read_where_a_menu_leads_to_parts_of_it() {
    check("p-menu");
}

#[test]
fn a_default_filter_is_lifted_and_becomes_a_facet() {
    check("p-default-filter");
}

#[test]
fn a_filter_that_the_views_of_a_list_keep_is_lifted() {
    check("p-filter-in-views");
}

#[test]
fn the_other_half_of_a_filtered_list_is_asked_for_by_the_values_of_other_pages() {
    check("p-filter-elsewhere");
}

#[test]
fn a_page_size_is_not_taken_for_the_total() {
    check("p-sizes");
}

#[test]
fn what_an_address_carries_of_its_list_is_not_identity() {
    ["p-context-parameter", "p-context-path"].into_iter().for_each(check);
}

#[test]
fn entities_of_another_year_belong_to_the_list() {
    check("p-dated");
}

#[test]
fn every_kind_has_its_rows() {
    check("p-kinds");
}

#[test]
fn a_rich_list_of_lists_is_not_a_list_of_entities() {
    check("p-list-of-lists");
}

#[test]
fn threads_with_replies_are_no_lists() {
    check("p-threads");
}

#[test]
fn topics_of_one_category_are_no_lists_of_the_people_who_replied() {
    check("p-threads-part");
}

#[test]
fn function_pages_are_left_alone() {
    ["p-functions", "p-functions-plain"].into_iter().for_each(check);
}

#[test]
fn a_crawl_starts_where_the_seed_leads() {
    ["p-redirect", "p-one-click"].into_iter().for_each(check);
}

#[test]
fn lists_are_read_to_their_ends() {
    ["p-blog", "p-icons", "p-no-addresses", "p-sitemap-more"].into_iter().for_each(check);
}
