//! One catalogue, seen through facets, lists and specifications: each with names and formats of its own, with gaps, errors
//! and columns that only look alike.

use quarry_model::{Evidence, EvidenceRole, NameOrigin, ValueRow, ValueSource};
use quarry_testsite::{
    CatalogueAttributeId, CatalogueEntityId, DateFormat, PriceFormat, Site, SiteSpec, Units,
    ValueFormat, Vertical,
};

/// How hard the views are.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// Share of values that are missing.
    pub missing: f64,
    /// Share of values with the value of another entity.
    pub wrong: f64,
}

/// A piece of evidence, and the attribute that it is of in truth.
pub struct LabelledEvidence {
    pub row: ValueRow,
    pub naming: NameOrigin,
    pub slot: Option<String>,
    pub truth: String,
}

impl LabelledEvidence {
    pub fn evidence(&self) -> Evidence {
        let Self { row, naming, slot, truth } = self;
        Evidence {
            site: row.site.clone(),
            entity: row.entity.clone(),
            role: if truth == "title" { EvidenceRole::Title } else { EvidenceRole::Attribute },
            attribute: row.attribute.clone(),
            naming: *naming,
            slot: slot.clone(),
            value: row.value.clone(),
            source: row.source,
            page: row.page.clone(),
            path: row.path.clone(),
            confidence: row.confidence,
        }
    }
}

/// A number below one, fixed by what it is drawn for.
fn draw(seed: u64, what: &str, at: u64) -> f64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in what.bytes().chain(at.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 31;
    hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^= hash >> 29;
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

/// The evidence of a site.
pub fn views(
    vertical: Vertical,
    entities: usize,
    seed: u64,
    noise: Noise,
) -> Vec<LabelledEvidence> {
    let site = |labels: usize, format: ValueFormat| {
        let format = ValueFormat { labels, ..format };
        Site::generate(SiteSpec { seed, vertical, entities, format, ..SiteSpec::default() })
    };
    let facet = site(0, ValueFormat::default());
    let list = site(2, ValueFormat { date: DateFormat::Short, ..ValueFormat::default() });
    let abroad = ValueFormat {
        price: PriceFormat::CodeBefore,
        date: DateFormat::Iso,
        units: Units::Metric,
        ..ValueFormat::default()
    };
    let spec = site(1, abroad);
    let mut all = Vec::new();
    for at in 0..facet.catalogue().attributes.len() {
        let id = CatalogueAttributeId(at as u16);
        let shown = facet.catalogue().attribute(id);
        let truth = shown.canonical.to_owned();
        let view = |site: &Site, entity| site.catalogue().printed(id, entity);
        let source = |source, name: &str, naming, slot| Source {
            seed,
            noise,
            source,
            name: name.to_owned(),
            naming,
            slot,
            truth: truth.clone(),
        };
        if shown.facet {
            let column = source(ValueSource::Facet, &shown.name, NameOrigin::Printed, None);
            column.see(&facet, &mut all, |entity| view(&facet, entity));
        }
        if shown.list {
            let printed = draw(seed, &truth, 0) < 0.5;
            let slot = Some(format!("s{at}"));
            let name = if printed { &list.catalogue().attribute(id).name } else { "" };
            let (name, naming) = if printed {
                (name, NameOrigin::Printed)
            } else {
                (slot.as_deref().unwrap_or_default(), NameOrigin::Slot)
            };
            let column = source(ValueSource::List, name, naming, slot.clone());
            column.see(&facet, &mut all, |entity| joined(view(&list, entity), tight));
        }
        if shown.spec {
            let name = &spec.catalogue().attribute(id).name;
            let column = source(ValueSource::Spec, name, NameOrigin::Printed, None);
            column.see(&facet, &mut all, |entity| joined(view(&spec, entity), signs));
        }
    }
    titles(&facet, seed, &mut all);
    lookalikes(&facet, seed, noise, &mut all);
    all
}

/// Several values as one text, each in the way of its source.
fn joined(values: Vec<String>, form: fn(&str) -> String) -> Vec<String> {
    let values: Vec<String> = values.iter().map(|value| form(value)).collect();
    if values.is_empty() { values } else { vec![values.join(", ")] }
}

/// "16GB".
fn tight(text: &str) -> String {
    let number = text.split(' ').next().is_some_and(|word| word.parse::<f64>().is_ok());
    if number && text.matches(' ').count() == 1 { text.replace(' ', "") } else { text.to_owned() }
}

/// Units as signs, words in capitals.
fn signs(text: &str) -> String {
    let text = text.replace(" ohm", " Ω").replace(" inch", "\"").replace(" in", "\"");
    if text.bytes().any(|byte| byte.is_ascii_digit()) { text } else { text.to_uppercase() }
}

struct Source {
    seed: u64,
    noise: Noise,
    source: ValueSource,
    name: String,
    naming: NameOrigin,
    slot: Option<String>,
    truth: String,
}

impl Source {
    fn see(
        &self,
        site: &Site,
        all: &mut Vec<LabelledEvidence>,
        values: impl Fn(CatalogueEntityId) -> Vec<String>,
    ) {
        let count = site.catalogue().len() as u64;
        let label = format!("{:?} {} {:?}", self.source, self.name, self.slot);
        for entity in site.catalogue().entities() {
            let at = u64::from(entity.0);
            if draw(self.seed, &label, 3 * at) < self.noise.missing {
                continue;
            }
            let other = (draw(self.seed, &label, 3 * at + 1) * count as f64) as u32;
            let wrong = draw(self.seed, &label, 3 * at + 2) < self.noise.wrong;
            let address = format!("http://shop.test{}", site.entity_url(entity));
            for value in values(if wrong { CatalogueEntityId(other) } else { entity }) {
                let page = match self.source {
                    ValueSource::Facet | ValueSource::List => "http://shop.test/list".to_owned(),
                    _ => address.clone(),
                };
                all.push(LabelledEvidence {
                    row: ValueRow {
                        site: "http://shop.test".to_owned(),
                        entity: address.clone(),
                        entity_kind: String::new(),
                        attribute: self.name.clone(),
                        value,
                        source: self.source,
                        page,
                        path: format!("/html/body/{label}/{at}"),
                        confidence: 0.9,
                    },
                    naming: self.naming,
                    slot: self.slot.clone(),
                    truth: self.truth.clone(),
                });
            }
        }
    }
}

fn titles(site: &Site, seed: u64, all: &mut Vec<LabelledEvidence>) {
    for (source, name) in [(ValueSource::List, "link"), (ValueSource::Spec, "h1")] {
        let noise = Noise { missing: 0.1, wrong: 0.0 };
        let column = Source {
            seed,
            noise,
            source,
            name: name.to_owned(),
            naming: NameOrigin::Printed,
            slot: None,
            truth: "title".to_owned(),
        };
        column.see(site, all, |entity| vec![site.catalogue().titles[entity.0 as usize].clone()]);
    }
}

/// Columns that agree with others by chance, or often but not always.
fn lookalikes(site: &Site, seed: u64, noise: Noise, all: &mut Vec<LabelledEvidence>) {
    let mut add = |source, name: &str, naming, values: &dyn Fn(u64) -> String| {
        let slot = (source == ValueSource::List).then(|| name.to_owned());
        let (name, truth) = (name.to_owned(), format!("{source:?} {name}"));
        let column = Source { seed, noise, source, name, naming, slot, truth };
        column.see(site, all, |entity| vec![values(u64::from(entity.0))]);
    };
    let pick = |what: &str, at: u64, words: &[&str]| {
        words[(draw(seed, what, at) * words.len() as f64) as usize].to_owned()
    };
    for source in [ValueSource::Facet, ValueSource::List, ValueSource::Spec] {
        let naming =
            if source == ValueSource::List { NameOrigin::Slot } else { NameOrigin::Printed };
        let name = |what: &str| format!("{what} {}", source.as_str());
        // The same everywhere.
        add(source, &name("Stock"), naming, &|_| "In stock".to_owned());
        // Yes or no, mostly yes.
        for what in ["Gift wrap", "Returnable", "Recyclable"] {
            let label = format!("{what}{source:?}");
            add(source, &name(what), naming, &|at| {
                (if draw(seed, &label, at) < 0.9 { "Yes" } else { "No" }).to_owned()
            });
        }
        // Small numbers.
        let label = format!("small{source:?}");
        add(source, &name("Places"), naming, &|at| pick(&label, at, &["1", "2", "3", "4"]));
        // Days of one year.
        let label = format!("day{source:?}");
        add(source, &name("Day"), naming, &|at| {
            let day = (draw(seed, &label, at) * 28.0) as u32 + 1;
            format!("2024-0{}-{day:02}", 1 + at % 9)
        });
        // A price of its own that is that of all sources for seven entities in ten.
        let label = format!("price{source:?}");
        add(source, &name("Was"), naming, &|at| {
            let cents = (draw(seed, "price", at) * 90_000.0) as u64 + 1000;
            let cents = if draw(seed, &label, at) < 0.15 { cents * 13 / 10 } else { cents };
            format!("${}.{:02}", cents / 100, cents % 100)
        });
    }
}
