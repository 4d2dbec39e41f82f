//! Are attributes found by agreement, and is nothing invented where there is none?

use quarry_dom::Document;
use quarry_extract::attribute::model::Reader;
use quarry_extract::attribute::{
    AttributeModel, MatchConfig, SeedAttributeId, SeedDb, SeedIssue, SeedRecordId, SiteMatch,
    match_site,
};
use quarry_testsite::{FamilySpec, Site, SiteSpec, Vertical};

use crate::{family, strangers};

const FIRST: [&str; 8] = ["Golden", "Silver", "Old", "Blue", "Little", "Royal", "Happy", "Lucky"];
const SECOND: [&str; 5] = ["Dragon", "Anchor", "Garden", "Kettle", "Harbour"];
const KITCHENS: [&str; 4] = ["Thai", "Italian", "Greek", "Seafood"];

fn name(n: usize) -> String {
    format!("{} {}", FIRST[n % FIRST.len()], SECOND[(n / FIRST.len()) % SECOND.len()])
}

fn phone(n: usize) -> (usize, usize) {
    (200 + (n * 37) % 700, 1000 + (n * 7919) % 9000)
}

/// Restaurant pages with a block that some lack, a list of other restaurants, and own formats.
fn pages(entities: std::ops::Range<usize>) -> Vec<Document> {
    let page = |n: usize| {
        let (exchange, line) = phone(n);
        let advert = if n.is_multiple_of(3) { "<div><p>Open on Sundays</p></div>" } else { "" };
        let others: String = (1..4).map(|k| format!("<li>{}</li>", name(n + k * 3))).collect();
        Document::from_html(&format!(
            "<title>{name} | Town Guide</title><body><div>Town Guide</div>{advert}<div id='main'><h1>{name}</h1>\
             <p><b>Telephone:</b> <span>(212) {exchange}-{line}</span></p>\
             <p><b>Kitchen:</b> <span>{kitchen}</span></p></div><h3>Others</h3><ul>{others}</ul></body>",
            name = name(n),
            kitchen = KITCHENS[n % KITCHENS.len()],
        ))
    };
    entities.map(page).collect()
}

fn seeds(entities: std::ops::Range<usize>) -> SeedDb {
    let mut seeds = SeedDb::new(["name", "phone", "cuisine"].map(str::to_owned));
    for n in entities {
        let (exchange, line) = phone(n);
        let values = [
            name(n).to_uppercase(),
            format!("212/{exchange}.{line}"),
            format!("{} food", KITCHENS[n % KITCHENS.len()]),
        ];
        seeds.add("seed", None, seeds.attribute_ids().zip(values));
    }
    seeds
}

fn run(pages: &[Document], seeds: &SeedDb) -> SiteMatch {
    let documents: Vec<&Document> = pages.iter().collect();
    match_site("site", &documents, seeds, &MatchConfig::default())
}

/// The share of pages on which an attribute is right.
fn right(found: &SiteMatch, attribute: u32, truth: impl Fn(usize) -> String, of: usize) -> f64 {
    let right =
        found.fields.iter().filter(|f| f.attribute.0 == attribute && f.value == truth(f.page));
    right.count() as f64 / of as f64
}

#[test]
fn attributes_are_found_where_blocks_are_optional_and_formats_differ() {
    let pages = pages(0..40);
    let found = run(&pages, &seeds(0..30));
    assert_eq!(right(&found, 0, name, 40), 1.0);
    let dialled = |n| format!("(212) {}-{}", phone(n).0, phone(n).1);
    assert_eq!(right(&found, 1, dialled, 40), 1.0);
    assert_eq!(right(&found, 2, |n| KITCHENS[n % 4].to_owned(), 40), 1.0);
    // Pages of entities in the seed are resolved to them, others are new.
    let resolved = found
        .records
        .iter()
        .enumerate()
        .filter(|(page, r)| **r == Some(SeedRecordId(*page as u32)));
    assert!(resolved.count() >= 28, "{:?}", found.records);
    assert!(found.records[32..].iter().filter(|r| r.is_some()).count() <= 2, "{:?}", found.records);
}

#[test]
fn a_model_reads_later_pages_without_the_seed() {
    let found = run(&pages(0..30), &seeds(0..30));
    let text = serde_json::to_string(&found.model).unwrap();
    let model: AttributeModel = serde_json::from_str(&text).unwrap();
    assert_eq!(model, found.model);
    let later = pages(30..36);
    let reader = Reader::new(&model);
    for (n, page) in (30..).zip(&later) {
        let values = reader.read(page);
        let value = |name: &str| {
            let one = values.iter().find(|found| model.attributes[found.rule].attribute == name);
            one.map(|found| found.value.clone())
        };
        assert_eq!(value("name"), Some(name(n)));
        assert_eq!(value("cuisine"), Some(KITCHENS[n % 4].to_owned()));
    }
}

#[test]
fn records_of_a_site_teach_the_next() {
    let mut known = seeds(0..12);
    let first = pages(0..40);
    let found = run(&first, &known);
    let ids: Vec<String> = (0..40).map(|n| format!("{n}.html")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    found.grow("first", &ids, &mut known);
    assert_eq!(known.records().len(), 52);
    let grown = &known.records()[12];
    assert_eq!((grown.site.as_str(), grown.page.as_deref()), ("first", Some("0.html")));
    assert_eq!(grown.same_as, Some(SeedRecordId(0)));
    assert!(known.label_sites(SeedAttributeId(1), "telephone:") == 1, "the label is remembered");
}

/// Whatever the seed, a value is the text of its node, and confidences are shares.
fn assert_nothing_invented(found: &SiteMatch, pages: &[Document]) {
    for field in &found.fields {
        assert_eq!(pages[field.page].folded_text(field.node), field.value);
        assert!((0.0..=1.0).contains(&field.confidence));
    }
}

#[test]
fn a_seed_without_overlap_gives_nothing() {
    let mut strange = SeedDb::new(["melting_point", "symbol"].map(str::to_owned));
    for n in 0..40 {
        let values = [format!("{}.{} K", 300 + n * 31, n % 10), format!("Q{}", n % 7)];
        strange.add("elements", None, strange.attribute_ids().zip(values));
    }
    let pages = pages(0..30);
    let found = run(&pages, &strange);
    assert_nothing_invented(&found, &pages);
    assert!(found.fields.is_empty(), "{:?}", found.placed);
    assert!(found.records.iter().all(Option::is_none));
}

/// Records of one kind of things, and pages of another: numbers, dates and headings are on both, entities are not.
#[test]
fn seeds_of_other_things_invent_nothing() {
    let site = |vertical| {
        let spec = SiteSpec { entities: 30, vertical, ..SiteSpec::default() };
        family::LabelledSite::of(&Site::generate(spec))
    };
    let (restaurants, books) = (site(Vertical::Restaurants), site(Vertical::Books));
    let seed = |labelled_site: &family::LabelledSite| {
        let mut seeds = SeedDb::default();
        labelled_site.seed("other", &mut seeds);
        seeds
    };
    let mut seeds = strangers::made_up();
    seeds.push(("restaurants", seed(&restaurants)));
    seeds.push(("books", seed(&books)));
    let config = MatchConfig { min_confidence: 0.5, ..MatchConfig::default() };
    for (kind, labelled_site) in [("restaurants", &restaurants), ("books", &books)] {
        let documents: Vec<&Document> = labelled_site.documents.iter().collect();
        for (name, seeds) in seeds.iter().filter(|(name, _)| *name != kind) {
            let found = match_site("site", &documents, seeds, &config);
            assert!(found.fields.is_empty(), "{name} on {kind}: {:?}", found.placed);
            assert!(found.records.iter().all(Option::is_none), "{name} on {kind}");
        }
    }
}

#[test]
fn poor_seeds_are_named_and_invent_nothing() {
    let pages = pages(0..20);
    let mut same = SeedDb::new(["name".to_owned()]);
    for _ in 0..1000 {
        same.add("", None, [(SeedAttributeId(0), "Golden Dragon".to_owned())]);
    }
    assert!(matches!(same.issues()[..], [SeedIssue::SameValue { .. }]));
    let mut holes = seeds(0..20);
    holes.attribute("stars");
    assert_eq!(holes.issues(), [SeedIssue::EmptyColumn { attribute: "stars".to_owned() }]);
    let mut garbled = SeedDb::new(["name".to_owned()]);
    for n in 0..20 {
        garbled.add("", None, [(SeedAttributeId(0), format!("Caf\u{fffd} {n}"))]);
    }
    assert!(matches!(garbled.issues()[..], [SeedIssue::WrongEncoding { values: 20, .. }]));
    assert!(matches!(seeds(0..1).issues()[..], [SeedIssue::FewRecords { records: 1 }]));
    assert_eq!(SeedDb::default().issues(), [SeedIssue::Empty]);
    for seeds in [same, holes, garbled, seeds(0..1), SeedDb::default()] {
        assert!(seeds.issues().iter().all(|issue| !issue.to_string().is_empty()));
        let found = run(&pages, &seeds);
        assert_nothing_invented(&found, &pages);
        assert!(found.fields.iter().all(|f| seeds.attributes()[f.attribute.index()] != "stars"));
    }
}

#[test]
fn odd_pages_break_nothing() {
    let seeds = seeds(0..20);
    let odd = [
        "",
        "<p>",
        "<title>x</title>",
        "<ul>",
        &"<div>".repeat(600),
        &"<li>Golden Dragon".repeat(7000),
    ];
    let pages: Vec<Document> = odd.iter().map(|html| Document::from_html(html)).collect();
    assert_nothing_invented(&run(&pages, &seeds), &pages);
    assert!(run(&[], &seeds).fields.is_empty());
}

#[test]
fn threads_do_not_change_the_result() {
    let (pages, seeds) = (pages(0..24), seeds(0..20));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&pages, &seeds))
    };
    let (one, four) = (on(1), on(4));
    assert_eq!(one.fields, four.fields);
    assert_eq!(one.model, four.model);
}

#[test]
fn generated_families_are_read_from_one_site() {
    let base = SiteSpec { entities: 40, vertical: Vertical::Restaurants, ..SiteSpec::default() };
    let spec = FamilySpec { base, sites: 4, overlap: 0.4, ..FamilySpec::default() };
    let tally = family::run(&spec, true);
    assert!(tally.precision() >= 0.85, "{tally:?}");
    assert!(tally.coverage() >= 0.85, "{tally:?}");
}
