//! Laws of matching: what must hold whatever the pages and the seed say.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quarry_dom::Document;
use quarry_extract::attribute::model::Reader;
use quarry_extract::attribute::{MatchConfig, SeedAttributeId, SeedDb, SiteMatch, match_site};

use crate::strangers::noise;

/// A site and a seed that share some entities.
#[derive(Debug, Clone)]
struct Case {
    /// Entities of the pages and of the seed.
    pages: Vec<u64>,
    records: Vec<u64>,
    /// Whether one page in three lacks the telephone, and what stands around the name.
    holes: bool,
    tag: &'static str,
}

fn cases() -> impl Strategy<Value = Case> {
    let entities = || proptest::collection::btree_set(0u64..40, 0..24);
    let tags = proptest::sample::select(vec!["h1", "p", "b", "td"]);
    (entities(), entities(), any::<bool>(), tags).prop_map(|(pages, records, holes, tag)| Case {
        pages: pages.into_iter().collect(),
        records: records.into_iter().collect(),
        holes,
        tag,
    })
}

const WORDS: [&str; 10] =
    ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty"];

fn name(n: u64) -> String {
    let word = |k: u64| WORDS[(noise(n * 3 + k) % 10) as usize];
    format!("{} {} {}", word(0), word(1), word(2))
}

fn phone(n: u64) -> String {
    format!("555 {:07}", noise(n + 1000) % 10_000_000)
}

fn kind(n: u64) -> &'static str {
    ["tea room", "bakery", "tavern"][(n % 3) as usize]
}

impl Case {
    fn documents(&self) -> Vec<Document> {
        let page = |n: &u64| {
            let phone = if self.holes && n.is_multiple_of(3) {
                String::new()
            } else {
                format!("<dt>Call</dt><dd>{}</dd>", phone(*n))
            };
            Document::from_html(&format!(
                "<title>{name}</title><body><div><{tag}>{name}</{tag}></div><dl>{phone}<dt>Kind</dt><dd>{kind}</dd></dl>\
                 <ul><li>{other}</li></ul></body>",
                tag = self.tag,
                name = name(*n),
                kind = kind(*n),
                other = name(n + 7),
            ))
        };
        self.pages.iter().map(page).collect()
    }

    fn seeds(&self, times: usize) -> SeedDb {
        let mut seeds = SeedDb::new(["name", "phone", "kind"].map(str::to_owned));
        for _ in 0..times {
            for n in &self.records {
                let values = [name(*n).to_uppercase(), phone(*n), kind(*n).to_owned()];
                seeds.add("seed", None, seeds.attribute_ids().zip(values));
            }
        }
        seeds
    }
}

fn run(documents: &[&Document], seeds: &SeedDb) -> SiteMatch {
    match_site("site", documents, seeds, &MatchConfig::default())
}

/// What was found, with pages by number.
fn found(
    site: &SiteMatch,
    page: impl Fn(usize) -> usize,
) -> BTreeSet<(usize, SeedAttributeId, String, u64)> {
    let one = |field: &quarry_extract::attribute::Field| {
        (page(field.page), field.attribute, field.value.clone(), field.confidence.to_bits())
    };
    site.fields.iter().map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_pages_does_not_matter(case in cases(), turn in 0usize..20) {
        let documents = case.documents();
        let seeds = case.seeds(1);
        let count = documents.len().max(1);
        let straight: Vec<&Document> = documents.iter().collect();
        let mut turned: Vec<&Document> = straight.clone();
        turned.rotate_left(turn % count);
        let (a, b) = (run(&straight, &seeds), run(&turned, &seeds));
        prop_assert_eq!(found(&a, |page| page), found(&b, |page| (page + turn) % count));
        prop_assert_eq!(&a.model, &b.model);
        for (page, record) in b.records.iter().enumerate() {
            prop_assert_eq!(a.records[(page + turn) % count], *record);
        }
    }

    #[test]
    fn one_thread_finds_what_three_find(case in cases()) {
        let documents = case.documents();
        let documents: Vec<&Document> = documents.iter().collect();
        let seeds = case.seeds(1);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&documents, &seeds))
        };
        let (one, three) = (on(1), on(3));
        prop_assert_eq!(one.fields, three.fields);
        prop_assert_eq!(one.records, three.records);
        prop_assert_eq!(one.model, three.model);
    }

    #[test]
    fn a_value_is_text_of_its_page_and_the_model_reads_it_again(case in cases()) {
        let documents = case.documents();
        let documents: Vec<&Document> = documents.iter().collect();
        let site = run(&documents, &case.seeds(1));
        let reader = Reader::new(&site.model);
        let mut read = 0;
        for field in &site.fields {
            prop_assert_eq!(documents[field.page].folded_text(field.node), field.value.as_str());
            prop_assert!((0.0..=1.0).contains(&field.confidence));
            prop_assert!(field.confidence <= site.domain_similarity);
        }
        for document in &documents {
            read += reader.read(document).len();
        }
        prop_assert_eq!(read, site.fields.len());
    }

    #[test]
    fn a_seed_without_records_finds_nothing(case in cases()) {
        let documents = case.documents();
        let documents: Vec<&Document> = documents.iter().collect();
        let site = run(&documents, &case.seeds(0));
        prop_assert!(site.fields.is_empty());
        prop_assert!(site.records.iter().all(Option::is_none));
    }

    #[test]
    fn records_that_come_twice_change_nothing(case in cases(), times in 2usize..4) {
        let documents = case.documents();
        let documents: Vec<&Document> = documents.iter().collect();
        let (once, often) = (run(&documents, &case.seeds(1)), run(&documents, &case.seeds(times)));
        prop_assert_eq!(once.fields, often.fields);
        prop_assert_eq!(once.records, often.records);
        prop_assert_eq!(once.model, often.model);
    }
}
