//! How well are the attributes of generated sites found from the records of other sites of the family? Shared
//! by the tests and `examples/match_eval.rs`.

use std::collections::BTreeMap;

use quarry_dom::Document;
use quarry_extract::attribute::{MatchConfig, SeedDb, SiteMatch, match_site};
use quarry_testsite::{FamilySpec, Site, SiteFamily, SiteRequest};

/// A site as this test sees it: pages, and the printed values of each by the family's names.
pub struct LabelledSite {
    pub documents: Vec<Document>,
    pub truth: Vec<BTreeMap<String, Vec<String>>>,
}

impl LabelledSite {
    pub fn of(site: &Site) -> Self {
        let names = site.attributes().into_iter();
        let names: BTreeMap<String, String> = names.map(|a| (a.name, a.canonical)).collect();
        let mut labelled_site = Self { documents: Vec::new(), truth: Vec::new() };
        for line in site.truth() {
            let html = site.respond(&SiteRequest::get(line.url.clone())).text();
            let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for (name, printed) in &line.attributes {
                if !line.hidden.contains(name) {
                    let name = names.get(name).unwrap_or(name).clone();
                    values.insert(name, printed.texts().to_vec());
                }
            }
            values.insert("title".to_owned(), vec![line.title.clone()]);
            labelled_site.documents.push(Document::from_html(&html));
            labelled_site.truth.push(values);
        }
        labelled_site.leave_out_lists_only();
        labelled_site
    }

    /// Some sites show an attribute in records of lists only: pages of entities have it in their related items, of
    /// other entities. What is not on nine in ten pages of those that should have it is no truth of the pages.
    fn leave_out_lists_only(&mut self) {
        let mut shown: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (document, truth) in self.documents.iter().zip(&self.truth) {
            let texts: Vec<String> = document
                .all()
                .filter(|node| document.is_text(*node))
                .map(|node| document.folded_text(node).into_owned())
                .collect();
            for (name, printed) in truth {
                let (on_page, all) = shown.entry(name.clone()).or_default();
                *on_page += usize::from(texts.iter().any(|text| is_right(text, printed)));
                *all += 1;
            }
        }
        for truth in &mut self.truth {
            truth.retain(|name, _| {
                let (on_page, all) = shown[name];
                on_page * 10 >= all * 9
            });
        }
    }

    pub fn seed(&self, site: &str, seeds: &mut SeedDb) {
        for record in &self.truth {
            let mut values = Vec::new();
            for (name, texts) in record {
                let attribute = seeds.attribute(name);
                values.extend(texts.iter().map(|text| (attribute, text.clone())));
            }
            seeds.add(site, None, values);
        }
    }
}

/// Counts over pages and attributes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub right: usize,
    pub predicted: usize,
    /// Pages that have a value, and of these the ones for which some value was given.
    pub there: usize,
    pub covered: usize,
}

impl Tally {
    pub fn precision(&self) -> f64 {
        self.right as f64 / self.predicted.max(1) as f64
    }

    pub fn coverage(&self) -> f64 {
        self.covered as f64 / self.there.max(1) as f64
    }

    pub fn add(&mut self, other: Tally) {
        self.right += other.right;
        self.predicted += other.predicted;
        self.there += other.there;
        self.covered += other.covered;
    }
}

fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A value is right if it is the printed one, perhaps with a label in front or all values of a list in one text.
pub fn is_right(value: &str, printed: &[String]) -> bool {
    let value = key(value);
    let all: String = printed.iter().map(|text| key(text)).collect();
    let close =
        |text: &str| !text.is_empty() && value.contains(text) && value.len() <= text.len() + 14;
    close(&all) || printed.iter().any(|text| close(&key(text)))
}

/// Compares what was found with the truth. A value on a page that has none is wrong.
pub fn tally(
    found: &SiteMatch,
    labelled_site: &LabelledSite,
    seeds: &SeedDb,
) -> BTreeMap<String, Tally> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (page, truth) in labelled_site.truth.iter().enumerate() {
        for (number, name) in seeds.attribute_ids().zip(seeds.attributes()) {
            let tally = tallies.entry(name.clone()).or_default();
            let mut own =
                found.fields.iter().filter(|f| f.page == page && f.attribute == number).peekable();
            let predicted = usize::from(own.peek().is_some());
            tally.predicted += predicted;
            let Some(printed) = truth.get(name) else { continue };
            tally.there += 1;
            tally.covered += predicted;
            tally.right += usize::from(own.any(|field| is_right(&field.value, printed)));
        }
    }
    tallies
}

/// Seeds with the first site, then takes the others in turn. `see` is shown each site with what was known before it.
pub fn each(
    spec: &FamilySpec,
    grow: bool,
    see: &mut impl FnMut(&str, &SiteMatch, &LabelledSite, &SeedDb),
) {
    let family = SiteFamily::generate(spec);
    let mut seeds = SeedDb::default();
    LabelledSite::of(&family.sites[0]).seed("site 0", &mut seeds);
    for (number, site) in family.sites.iter().enumerate().skip(1) {
        let labelled_site = LabelledSite::of(site);
        let documents: Vec<&Document> = labelled_site.documents.iter().collect();
        let name = format!("site {number}");
        let found = match_site(&name, &documents, &seeds, &MatchConfig::default());
        see(&name, &found, &labelled_site, &seeds);
        if grow {
            let ids: Vec<String> = (0..documents.len()).map(|page| page.to_string()).collect();
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            found.grow(&name, &ids, &mut seeds);
        }
    }
}

/// The counts over all sites but the first.
pub fn run(spec: &FamilySpec, grow: bool) -> Tally {
    let mut sum = Tally::default();
    each(spec, grow, &mut |_, found, labelled_site, seeds| {
        for tally in tally(found, labelled_site, seeds).into_values() {
            sum.add(tally);
        }
    });
    sum
}
