//! Entities with known truth, for measuring links and fitting their weights: labelled pages, harvests of them, generated sites.

pub(crate) mod fit;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use quarry_assemble::link::{LinkConfig, LinkEntity, LinkInput, LinkWeights, Links, link};
use quarry_testsite::{FamilySpec, SiteFamily, SiteSpec, Vertical};
use serde_json::Value;

/// What tells the entities of a labelled vertical apart, and what they are called. Where both are the same, the truth is the name.
pub(crate) const LABELLED: [(&str, &str, &str); 5] = [
    ("book", "isbn_13", "title"),
    ("restaurant", "phone", "name"),
    ("movie", "title", "title"),
    ("nbaplayer", "name", "name"),
    ("university", "name", "name"),
];

/// The verticals of generated sites, with the ids that are hidden in half of the measurements.
pub(crate) const GENERATED: [(&str, Vertical); 6] = [
    ("restaurants", Vertical::Restaurants),
    ("books", Vertical::Books),
    ("shoes", Vertical::Shoes),
    ("phones", Vertical::Phones),
    ("electronics", Vertical::Electronics),
    ("homes", Vertical::Homes),
];
const IDS: [&str; 6] = ["EAN", "GTIN", "ISBN", "Phone", "Article number", "Listing ID"];

/// What tells an entity from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    /// Equal texts are one thing.
    Key(String),
    /// Names are compared by their words.
    Words(BTreeSet<String>),
    None,
}

/// One entity.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) site: String,
    pub(crate) page: String,
    pub(crate) name: Option<String>,
    /// Attribute as the site calls it, value.
    pub(crate) values: Vec<(String, String)>,
    pub(crate) truth: Truth,
}

/// Entities of several sites, and which of their columns are one: by site and name.
#[derive(Clone, Default)]
pub(crate) struct Collection {
    pub(crate) name: String,
    pub(crate) samples: Vec<Sample>,
    pub(crate) attributes: BTreeMap<(String, String), BTreeSet<String>>,
}

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The site of a page, and its values by attribute.
type LabelledPage = (String, BTreeMap<String, Vec<String>>);

/// The labels of a vertical: page, attribute, values.
fn labels(folder: &Path, vertical: &str) -> Outcome<BTreeMap<String, LabelledPage>> {
    let text = std::fs::read_to_string(folder.join(format!("labels-{vertical}.jsonl")))?;
    let mut pages: BTreeMap<String, LabelledPage> = BTreeMap::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line)?;
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let values = row["values"].as_array().into_iter().flatten();
        let values = values.filter_map(|value| value.as_str().map(str::to_owned)).collect();
        let page = pages.entry(text("page")).or_insert_with(|| (text("site"), BTreeMap::new()));
        page.1.insert(text("attribute"), values);
    }
    Ok(pages)
}

fn truth_of(attribute: &str, values: Option<&Vec<String>>) -> Truth {
    let Some(value) = values.and_then(|values| values.first()) else { return Truth::None };
    if matches!(attribute, "phone" | "isbn_13") {
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        let last = &digits[digits.len().saturating_sub(10)..];
        return if last.is_empty() { Truth::None } else { Truth::Key(last.to_owned()) };
    }
    let mut depth = 0;
    let outside: String = value
        .to_lowercase()
        .chars()
        .map(|c| {
            depth += i32::from(c == '(');
            let kept = if depth == 0 { c } else { ' ' };
            depth = (depth - i32::from(c == ')')).max(0);
            kept
        })
        .collect();
    let is_year = |word: &str| {
        word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year))
    };
    let words = outside.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: BTreeSet<String> = words.filter(|word| !is_year(word)).map(str::to_owned).collect();
    if words.is_empty() { Truth::None } else { Truth::Words(words) }
}

/// The labels of a vertical as entities. Names of attributes are hidden: each site has its own.
pub(crate) fn labelled(folder: &Path, vertical: &str) -> Outcome<Collection> {
    let found = LABELLED.iter().find(|(name, ..)| *name == vertical);
    let (_, key, name) = found.ok_or("not a labelled vertical")?;
    let mut collection = Collection { name: vertical.to_owned(), ..Collection::default() };
    for (page, (site, attributes)) in labels(folder, vertical)? {
        let mut values = Vec::new();
        for (at, (attribute, texts)) in attributes.iter().enumerate() {
            if attribute == name || attribute == key {
                continue;
            }
            let own = format!("{site} {}", (at * 7 + site.len()) % 11);
            let of = collection.attributes.entry((site.clone(), own.clone())).or_default();
            of.insert(attribute.clone());
            values.extend(texts.iter().map(|text| (own.clone(), text.clone())));
        }
        collection.samples.push(Sample {
            truth: truth_of(key, attributes.get(*key)),
            name: attributes.get(*name).and_then(|texts| texts.first().cloned()),
            site,
            page,
            values,
        });
    }
    collection.join_equal_columns();
    Ok(collection)
}

/// A harvest of labelled pages: its table as it is, without columns that have the key.
pub(crate) fn harvested(folder: &Path, vertical: &str, tables: &Path) -> Outcome<Collection> {
    let found = LABELLED.iter().find(|(name, ..)| *name == vertical);
    let (_, key, name) = found.ok_or("not a labelled vertical")?;
    let labels = labels(folder, vertical)?;
    let mut units: BTreeMap<String, String> = BTreeMap::new();
    for line in std::fs::read_to_string(tables.join("columns.jsonl"))?.lines() {
        let row: Value = serde_json::from_str(line)?;
        if let (Some(name), Some(unit)) = (row["name"].as_str(), row["unit"].as_str()) {
            units.insert(name.to_owned(), unit.to_owned());
        }
    }
    let mut collection = Collection { name: vertical.to_owned(), ..Collection::default() };
    // Which labelled attribute a column has, by site: votes of equal texts.
    let mut votes: BTreeMap<(String, String), BTreeMap<String, usize>> = BTreeMap::new();
    let mut filled: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in std::fs::read_to_string(tables.join("entities.jsonl"))?.lines() {
        let row: Value = serde_json::from_str(line)?;
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let entity = text("entity");
        let file = entity.rsplit('/').next().unwrap_or_default();
        let site = text("site");
        let is_page = |page: &&String| {
            let own = page.rsplit('/').next().unwrap_or_default();
            own == file && !labels[*page].0.is_empty() && site.contains(labels[*page].0.as_str())
        };
        let Some(page) = labels.keys().find(is_page) else { continue };
        let (site, truth) = &labels[page];
        let mut values: Vec<(String, String)> = Vec::new();
        for (column, cell) in row.as_object().into_iter().flatten() {
            if ["site", "entity", "entity_kind", "title", "_id", "_state"]
                .contains(&column.as_str())
            {
                continue;
            }
            let unit = units.get(column).map(|unit| format!(" {unit}")).unwrap_or_default();
            let texts: Vec<String> = match cell {
                Value::String(text) => vec![text.clone()],
                Value::Number(number) => vec![format!("{number}{unit}")],
                Value::Bool(yes) => vec![if *yes { "yes" } else { "no" }.to_owned()],
                Value::Array(items) => {
                    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
                }
                _ => Vec::new(),
            };
            let of = (site.clone(), column.clone());
            *filled.entry(of.clone()).or_default() += usize::from(!texts.is_empty());
            for (attribute, labelled) in truth {
                let plain = |text: &String| -> String {
                    text.chars()
                        .filter(|c| c.is_alphanumeric())
                        .flat_map(char::to_lowercase)
                        .collect()
                };
                let is_there = labelled.iter().any(|label| {
                    let label = plain(label);
                    !label.is_empty() && texts.iter().any(|text| plain(text) == label)
                });
                if is_there {
                    *votes.entry(of.clone()).or_default().entry(attribute.clone()).or_default() +=
                        1;
                }
            }
            values.extend(texts.into_iter().map(|text| (column.clone(), text)));
        }
        collection.samples.push(Sample {
            site: site.clone(),
            page: page.clone(),
            name: row["title"].as_str().map(str::to_owned),
            values,
            truth: truth_of(key, truth.get(*key)),
        });
    }
    for (of, counts) in &votes {
        if let Some((attribute, count)) = counts.iter().max_by_key(|(_, count)| **count)
            && *count * 2 > filled[of]
        {
            collection.attributes.entry(of.clone()).or_default().insert(attribute.clone());
        }
    }
    // The key is hidden: whatever column has it, and other texts with the digits of an ISBN or a telephone number.
    if key != name {
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        for sample in &mut collection.samples {
            let Truth::Key(own) = &sample.truth else { continue };
            // ISBN-10 has the same nine digits before its own check digit.
            let core = &own[..own.len().saturating_sub(1)];
            sample.values.retain(|(_, text)| !digits(text).contains(core));
            if sample.name.as_ref().is_some_and(|name| digits(name).contains(core)) {
                sample.name = None;
            }
        }
    }
    Ok(collection)
}

/// Generated sites with partly the same entities.
pub(crate) fn generated(
    name: &str,
    vertical: Vertical,
    with_ids: bool,
    seed: u64,
    overlap: f64,
) -> Collection {
    let base = SiteSpec { entities: 60, vertical, seed, ..SiteSpec::default() };
    let family = FamilySpec { base, sites: 20, overlap, ..FamilySpec::default() };
    let mut collection = Collection { name: name.to_owned(), ..Collection::default() };
    for (number, site) in SiteFamily::generate(&family).sites.iter().enumerate() {
        let host = format!("http://site{number:02}.test");
        let canonical: BTreeMap<String, String> =
            site.attributes().into_iter().map(|own| (own.name, own.canonical)).collect();
        for line in site.truth() {
            let mut values = Vec::new();
            for (attribute, printed) in &line.attributes {
                let of = canonical.get(attribute).unwrap_or(attribute);
                if line.hidden.contains(attribute) || (!with_ids && IDS.contains(&of.as_str())) {
                    continue;
                }
                let key = (host.clone(), attribute.clone());
                collection.attributes.entry(key).or_default().insert(of.clone());
                values.extend(printed.texts().iter().map(|text| (attribute.clone(), text.clone())));
            }
            collection.samples.push(Sample {
                site: host.clone(),
                page: line.url.clone(),
                name: Some(line.title.clone()),
                values,
                truth: Truth::Key(line.base.to_string()),
            });
        }
    }
    collection
}

impl Collection {
    /// Where a site prints two attributes in one text ("Riverhead (May 29, 2003)"), each of the two columns is both.
    fn join_equal_columns(&mut self) {
        let mut texts: BTreeMap<(String, String), Vec<(usize, &str)>> = BTreeMap::new();
        for (at, sample) in self.samples.iter().enumerate() {
            for (column, text) in &sample.values {
                let of = (sample.site.clone(), column.clone());
                texts.entry(of).or_default().push((at, text.as_str()));
            }
        }
        let mut joined = self.attributes.clone();
        for (own, values) in &texts {
            for (other, others) in texts.iter().filter(|(other, _)| other.0 == own.0) {
                let same = values.iter().filter(|value| others.contains(value)).count();
                if same * 10 >= values.len().max(others.len()) * 9 {
                    let more = self.attributes[other].clone();
                    joined.entry(own.clone()).or_default().extend(more);
                }
            }
        }
        self.attributes = joined;
    }

    pub(crate) fn link(&self, weights: &LinkWeights) -> Links {
        let mut input = LinkInput::default();
        for own in &self.samples {
            let values: Vec<(&str, &str)> =
                own.values.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            input.add(&LinkEntity {
                site: &own.site,
                entity: &own.page,
                kind: "",
                name: own.name.as_deref(),
                values: &values,
            });
        }
        link(input, &LinkConfig { weights: weights.clone(), ..LinkConfig::default() })
    }

    /// Whether two entities are one; none where the truth is not known.
    pub(crate) fn is_one(&self, a: u32, b: u32, loose: bool) -> Option<bool> {
        match (&self.samples[a as usize].truth, &self.samples[b as usize].truth) {
            (Truth::None, _) | (_, Truth::None) => None,
            (Truth::Words(own), Truth::Words(other)) if loose => {
                let (small, large) =
                    if own.len() <= other.len() { (own, other) } else { (other, own) };
                let alike =
                    small.len() > 1 && small.is_subset(large) && large.len() <= 2 * small.len();
                Some(own == other || alike)
            }
            (own, other) => Some(own == other),
        }
    }

    /// Pairs of different sites, linked and true.
    pub(crate) fn score(&self, links: &Links, loose: bool) -> Counts {
        let mut counts = Counts::default();
        let site = |entity: u32| &self.samples[entity as usize].site;
        for thing in links.things() {
            for (at, a) in thing.iter().enumerate() {
                for b in thing[at + 1..].iter().filter(|b| site(*a) != site(**b)) {
                    if let Some(is_one) = self.is_one(*a, *b, loose) {
                        counts.predicted += 1;
                        counts.right += usize::from(is_one);
                    }
                }
            }
        }
        for a in 0..self.samples.len() as u32 {
            for b in a + 1..self.samples.len() as u32 {
                let is_one = site(a) != site(b) && self.is_one(a, b, loose) == Some(true);
                counts.there += usize::from(is_one);
            }
        }
        counts
    }

    /// Pairs of columns of different sites, aligned and true; columns without a known attribute do not count.
    pub(crate) fn score_columns(&self, links: &Links) -> Counts {
        let name = |at: usize| {
            let column = &links.site_columns()[at];
            let site = links.sites()[column.site as usize].clone();
            self.attributes.get(&(site, column.attribute.clone()))
        };
        let mut counts = Counts::default();
        for aligned in links.aligned() {
            for (at, a) in aligned.columns.iter().enumerate() {
                for b in &aligned.columns[at + 1..] {
                    if let (Some(own), Some(other)) = (name(a.0 as usize), name(b.0 as usize)) {
                        counts.predicted += 1;
                        counts.right += usize::from(!own.is_disjoint(other));
                    }
                }
            }
        }
        let columns = links.site_columns();
        for a in 0..columns.len() {
            for b in a + 1..columns.len() {
                let same = name(a).zip(name(b)).is_some_and(|(a, b)| !a.is_disjoint(b));
                counts.there += usize::from(same && columns[a].site != columns[b].site);
            }
        }
        counts
    }
}

/// Counts of pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) right: usize,
    pub(crate) predicted: usize,
    pub(crate) there: usize,
}

impl Counts {
    pub(crate) fn precision(&self) -> f64 {
        self.right as f64 / self.predicted.max(1) as f64
    }

    pub(crate) fn recall(&self) -> f64 {
        self.right as f64 / self.there.max(1) as f64
    }

    pub(crate) fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.predicted + self.there).max(1) as f64
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "P {:.3} R {:.3} F1 {:.3} ({} of {}, {} true)",
            self.precision(),
            self.recall(),
            self.f1(),
            self.right,
            self.predicted,
            self.there
        )
    }
}
