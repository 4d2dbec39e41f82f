//! `quarry match` as a user runs it: sites of one family in turn, the first one as seed; and seeds that nobody meant.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use quarry_extract::attribute::model::MODEL_VERSION;
use quarry_testsite::{FamilySpec, Site, SiteFamily, SiteRequest, SiteSpec, Vertical};
use serde_json::{Map, Value, json};

use crate::program::{Folder, Ran, quarry, run};

/// Pages of a site: enough to agree on, few enough for seconds.
const PAGES: usize = 24;
const FIELDS: [&str; 7] =
    ["site", "page", "attribute", "value", "path", "confidence", "seed_record"];

/// Three sites on disk; the records of the first.
struct Sites {
    folder: Folder,
    inputs: Vec<PathBuf>,
    seed: Vec<Value>,
}

impl Sites {
    fn new() -> Self {
        let base =
            SiteSpec { entities: PAGES, vertical: Vertical::Restaurants, ..SiteSpec::default() };
        let spec = FamilySpec { base, sites: 3, overlap: 0.6, ..FamilySpec::default() };
        let folder = Folder::new();
        let family = SiteFamily::generate(&spec);
        let mut inputs = Vec::new();
        for (number, site) in family.sites.iter().enumerate().skip(1) {
            let input = folder.join(&format!("site{number}"));
            save(site, &input);
            inputs.push(input);
        }
        Self { folder, inputs, seed: records(&family.sites[0]) }
    }

    fn seed_file(&self, name: &str, records: &[Value]) -> PathBuf {
        let path = self.folder.join(name);
        let lines: Vec<String> = records.iter().map(Value::to_string).collect();
        std::fs::write(&path, lines.join("\n")).unwrap();
        path
    }

    fn arguments(&self, seed: &Path, more: &[&str]) -> Vec<String> {
        let mut arguments = vec!["match".to_owned()];
        arguments.extend(self.inputs.iter().map(|input| input.to_str().unwrap().to_owned()));
        arguments.extend(["--seed".to_owned(), seed.to_str().unwrap().to_owned()]);
        arguments.extend(more.iter().map(|more| (*more).to_owned()));
        arguments
    }

    fn matched(&self, seed: &Path, more: &[&str]) -> Ran {
        run(self.arguments(seed, more))
    }
}

fn save(site: &Site, folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for (number, line) in site.truth().enumerate() {
        let html = site.respond(&SiteRequest::get(line.url)).text();
        std::fs::write(folder.join(format!("{number:03}.html")), html).unwrap();
    }
}

fn records(site: &Site) -> Vec<Value> {
    let record = |line: quarry_testsite::TruthLine| {
        let mut record = Map::new();
        record.insert("_site".to_owned(), json!("first"));
        record.insert("title".to_owned(), json!(line.title));
        for (name, values) in &line.attributes {
            record.insert(name.clone(), json!(values.texts()));
        }
        Value::Object(record)
    };
    site.truth().map(record).collect()
}

fn texts<'a>(lines: &'a [Value], field: &str) -> BTreeSet<&'a str> {
    lines.iter().map(|line| line[field].as_str().unwrap()).collect()
}

#[test]
fn sites_are_taken_in_turn_and_every_line_keeps_the_contract() {
    let sites = Sites::new();
    let seed = sites.seed_file("seed.jsonl", &sites.seed);
    let ran = sites.matched(&seed, &[]).ended(0);
    let lines = ran.lines();
    for line in &lines {
        let fields: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(FIELDS.iter().all(|field| fields.contains(field)), "{line}");
        let confidence = line["confidence"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&confidence), "{line}");
        assert!(line["path"].as_str().unwrap().starts_with("/html"), "{line}");
        let record = &line["seed_record"];
        assert!(record.is_null() || record.as_u64().unwrap() < sites.seed.len() as u64, "{line}");
        // A value is what a page says, never what the seed says.
        let page = line["site"].as_str().unwrap();
        let page = sites.folder.join(page).join(line["page"].as_str().unwrap());
        let page = quarry_dom::Document::from_html(&std::fs::read_to_string(page).unwrap());
        let node = page.node_at(line["path"].as_str().unwrap()).unwrap();
        assert_eq!(page.folded_text(node), line["value"].as_str().unwrap());
    }
    assert_eq!(texts(&lines, "site"), BTreeSet::from(["site1", "site2"]));
    assert!(texts(&lines, "attribute").is_superset(&BTreeSet::from(["title", "Phone", "City"])));
    assert!(lines.iter().any(|line| line["seed_record"].is_u64()));
    assert!(lines.iter().any(|line| line["seed_record"].is_null()));
    for site in ["site1", "site2"] {
        assert!(ran.err.contains(&format!("{site}: {PAGES} pages")), "{}", ran.err);
    }
    let places = |line: &Value| {
        let record = line["seed_record"].as_u64().map(|at| at as usize);
        let title = record.map(|at| sites.seed[at]["title"].as_str().unwrap().to_lowercase());
        (line["attribute"] == "title").then_some(title).flatten()
    };
    // Most pages that are said to be of a record share words with its title.
    let (mut same, mut all) = (0, 0);
    for line in &lines {
        let Some(title) = places(line) else { continue };
        let value = line["value"].as_str().unwrap().to_lowercase();
        all += 1;
        same += usize::from(value.split(' ').any(|word| word.len() > 3 && title.contains(word)));
    }
    assert!(all > 0 && same * 10 >= all * 9, "{same} of {all}");
    let alone = quarry(sites.arguments(&seed, &[])).env("RAYON_NUM_THREADS", "1").output().unwrap();
    assert_eq!(Ran::from(alone).out, ran.out, "one thread gives the same");
}

#[test]
fn a_model_reads_later_pages_without_the_seed() {
    let sites = Sites::new();
    let seed = sites.seed_file("seed.jsonl", &sites.seed);
    let model = sites.folder.join("model.json");
    let learned = sites.matched(&seed, &["--model-out", model.to_str().unwrap()]).ended(0).lines();
    let input = sites.inputs[0].to_str().unwrap();
    let read = run(["match", input, "--model", model.to_str().unwrap()]).ended(0).lines();
    let values = |lines: &[Value]| -> BTreeSet<(String, String, String)> {
        let of = |line: &Value| {
            ["page", "attribute", "value"].map(|field| line[field].as_str().unwrap().to_owned())
        };
        let own = lines.iter().filter(|line| line["site"] == "site1");
        own.map(of).map(|[page, attribute, value]| (page, attribute, value)).collect()
    };
    assert_eq!(values(&learned), values(&read));
    // A model of another version may have other fields: it is refused, not guessed at.
    let stored = std::fs::read_to_string(&model).unwrap();
    let older = format!("\"version\": {}", MODEL_VERSION - 1);
    std::fs::write(&model, stored.replace(&format!("\"version\": {MODEL_VERSION}"), &older))
        .unwrap();
    let refused = run(["match", input, "--model", model.to_str().unwrap()]).ended(2);
    assert!(refused.err.contains("learn it again with --seed"), "{}", refused.err);
}

#[test]
fn a_poor_seed_is_named_and_invents_nothing() {
    let sites = Sites::new();
    let blank = |record: &Value| {
        let mut record = record.clone();
        record["Phone"] = json!("");
        record["City"] = json!(null);
        record
    };
    let finish = |at: usize| if at.is_multiple_of(2) { "matte lacquer" } else { "brushed zinc" };
    let stranger = |at: usize| json!({"finish": finish(at), "colour": "ultraviolet"});
    let cases: [(&str, Vec<Value>, &str, &[&str]); 4] = [
        ("one", sites.seed[..1].to_vec(), "one record", &[]),
        ("same", vec![sites.seed[0].clone(); 1000], "tells no entity from another", &[]),
        ("empty", sites.seed.iter().map(blank).collect(), "no seed record", &["Phone", "City"]),
        ("strange", (0..20).map(stranger).collect(), "no entity in common", &["finish", "colour"]),
    ];
    for (name, records, says, never) in cases {
        let seed = sites.seed_file(name, &records);
        let ran = sites.matched(&seed, &[]).ended(0);
        assert!(ran.err.contains(says), "{name}: {}", ran.err);
        let lines = ran.lines();
        let found = texts(&lines, "attribute");
        assert!(never.iter().all(|never| !found.contains(never)), "{name}: {found:?}");
    }
}

#[test]
fn a_seed_that_cannot_be_read_says_why() {
    let sites = Sites::new();
    let path = |name: &str| sites.folder.join(name);
    std::fs::write(path("none.csv"), "").unwrap();
    std::fs::write(path("names.csv"), "title,Phone\n").unwrap();
    std::fs::write(path("wide.csv"), "title\na,b\n").unwrap();
    std::fs::write(path("broken.jsonl"), "{\"title\": \"a\"}\nnonsense\n").unwrap();
    for (name, says) in [
        ("none.csv", "empty"),
        ("names.csv", "no records"),
        ("wide.csv", "2 values"),
        ("broken.jsonl", "line 2"),
        ("missing.csv", "cannot read"),
    ] {
        let ran = sites.matched(&path(name), &[]).ended(2);
        assert!(ran.err.contains(says) && ran.err.contains(name), "{name}: {}", ran.err);
        assert!(ran.out.is_empty(), "{name}");
    }
}

#[test]
fn the_encoding_of_a_seed_is_read_or_blamed() {
    let sites = Sites::new();
    let rows = |mark: &str| -> String {
        let rows = (0..20).map(|at| format!("Caf{mark} {at},555 01{at:02}\n"));
        format!("title,Phone\n{}", rows.collect::<String>())
    };
    let wide: Vec<u8> = rows("é").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = rows("é").chars().map(|char| char as u8).collect();
    let cases = [
        ("latin.csv", latin, true),
        ("wide.csv", [vec![0xff, 0xfe], wide].concat(), false),
        ("plain.csv", rows("é").into_bytes(), false),
    ];
    for (name, bytes, blamed) in cases {
        let seed = sites.folder.join(name);
        std::fs::write(&seed, bytes).unwrap();
        let ran = sites.matched(&seed, &[]).ended(0);
        assert_eq!(ran.err.contains("save the seed as UTF-8"), blamed, "{name}: {}", ran.err);
        assert!(!ran.out.contains('\u{fffd}'), "{name}");
    }
}
