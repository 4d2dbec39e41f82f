//! Identity of records without links: the slots whose texts tell records apart, so that a changed price is a change and no
//! new record.

use std::collections::{BTreeMap, BTreeSet};

use quarry_value::ValueKind;
use url::Url;

use super::EntityRecord;
use crate::page::hash;
use crate::template::DataUnit;

/// The share of records that an identifying slot must have.
const MIN_COVERAGE: f64 = 0.9;
/// Of the records that all texts together tell apart, the share that the identifying slots tell apart.
const TOLD_APART: f64 = 0.98;
/// Slots that identify, at most: with more, nearly everything does.
const MAX_SLOTS: usize = 4;

/// The slots that identify records, sorted.
pub(super) fn learn<'r>(records: impl Iterator<Item = &'r EntityRecord>) -> BTreeSet<String> {
    let mut templates: BTreeMap<&str, Vec<Vec<&DataUnit>>> = BTreeMap::new();
    for record in records {
        let units: Vec<&DataUnit> = record.units.iter().filter(|unit| tells(unit)).collect();
        let Some(first) = units.first() else { continue };
        let template = first.slot.split('.').next().unwrap_or_default();
        templates.entry(template).or_default().push(units);
    }
    templates.values().flat_map(|records| slots(records)).collect()
}

/// Whether a unit can tell records apart: shown, and not the same in all of them.
fn tells(unit: &DataUnit) -> bool {
    unit.attribute.is_none() && !unit.constant
}

/// How often values of a kind change while the thing stays the same; names seldom do, prices often.
fn changes(kind: ValueKind) -> u8 {
    match kind {
        ValueKind::Text | ValueKind::Link => 0,
        ValueKind::Date => 1,
        ValueKind::Number => 2,
        ValueKind::Price => 3,
    }
}

/// The fewest slots that tell nearly all records apart, those first that seldom change.
fn slots(records: &[Vec<&DataUnit>]) -> Vec<String> {
    let mut candidates: BTreeMap<&str, (usize, BTreeSet<&str>, u32)> = BTreeMap::new();
    for unit in records.iter().flatten() {
        let slot = candidates.entry(&unit.slot).or_default();
        slot.0 += 1;
        slot.1.insert(&unit.text);
        slot.2 += u32::from(changes(unit.kind));
    }
    candidates.retain(|_, slot| slot.0 as f64 >= MIN_COVERAGE * records.len() as f64);
    let mut order: Vec<(u32, std::cmp::Reverse<usize>, &str)> = candidates
        .iter()
        .map(|(name, (units, texts, changes))| {
            let changes = (f64::from(*changes) / *units as f64).round() as u32;
            (changes, std::cmp::Reverse(texts.len()), *name)
        })
        .collect();
    order.sort_unstable();
    let told_apart = |slots: &BTreeSet<&str>| {
        let keys = records.iter().map(|units| {
            let own = units.iter().filter(|unit| slots.contains(unit.slot.as_str()));
            own.fold(0, |key, unit| hash::then(key, hash::of(&unit.text)))
        });
        keys.collect::<BTreeSet<u64>>().len()
    };
    let all = told_apart(&records.iter().flatten().map(|unit| unit.slot.as_str()).collect());
    let mut chosen: BTreeSet<&str> = BTreeSet::new();
    let mut best = 0;
    for (_, _, slot) in order {
        if best as f64 >= TOLD_APART * all as f64 || chosen.len() == MAX_SLOTS {
            break;
        }
        chosen.insert(slot);
        let now = told_apart(&chosen);
        // A slot that tells no further records apart would only make the identity change more often.
        if now > best {
            best = now;
        } else {
            chosen.remove(slot);
        }
    }
    chosen.into_iter().map(str::to_owned).collect()
}

/// The address of a record without a link: where the list is, whatever page of it, and a hash of what identifies the record.
pub(super) fn address(page: &Url, units: &[DataUnit], identity: &BTreeSet<String>) -> Url {
    let own = units.iter().filter(|unit| tells(unit) && identity.contains(&unit.slot));
    let mut said: Vec<&DataUnit> = own.collect();
    if said.is_empty() {
        said = units.iter().filter(|unit| tells(unit)).collect();
    }
    let key = said.iter().fold(0, |key, unit| hash::then(key, hash::of(&unit.text)));
    let mut list = page.clone();
    list.set_query(None);
    list.set_path(unnumbered(page.path()));
    list.set_fragment(Some(&format!("record-{key:016x}")));
    list
}

/// A path up to the part with the first digit: the pages of a list are numbered, and records move from one to the next.
fn unnumbered(path: &str) -> &str {
    let Some(digit) = path.find(|char: char| char.is_ascii_digit()) else { return path };
    let slash = path[..digit].rfind('/').map_or(0, |slash| slash + 1);
    &path[..slash]
}

/// Records of one page with the same address are numbered: two equal records are two.
pub(super) fn number(records: &mut [EntityRecord]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for record in records {
        let count = counts.entry(record.entity.clone()).or_default();
        *count += 1;
        if *count > 1 {
            record.entity = format!("{}-{count}", record.entity);
        }
    }
}

#[cfg(test)]
mod tests {
    use quarry_dom::NodeId;

    use super::*;

    fn unit(slot: &str, text: &str, kind: ValueKind) -> DataUnit {
        DataUnit {
            slot: format!("1.{slot}"),
            label: None,
            label_source: None,
            text: text.to_owned(),
            kind,
            node: NodeId::ROOT,
            attribute: None,
            constant: false,
        }
    }

    fn records(price_of_7: &str) -> Vec<EntityRecord> {
        let record = |number: usize| {
            let price = if number == 7 { price_of_7.to_owned() } else { format!("$ {number}.90") };
            let units = vec![
                unit("1", &format!("Lamp {}", number % 20), ValueKind::Text),
                unit("2", &format!("{} May", number / 20 + 1), ValueKind::Date),
                unit("3", &price, ValueKind::Price),
            ];
            let entity = String::new();
            let node = NodeId::ROOT;
            EntityRecord { entity, entity_kind: None, title: None, fit: 1.0, node, units }
        };
        (0..40).map(record).collect()
    }

    #[test]
    fn names_and_dates_identify_a_changed_price_does_not() {
        let page = |text: &str| Url::parse(text).expect("an address");
        let identity = learn(records("$ 7.90").iter());
        assert_eq!(identity, ["1.1".to_owned(), "1.2".to_owned()].into());
        let before = address(&page("http://a.test/list/1"), &records("$ 7.90")[7].units, &identity);
        let after = address(&page("http://a.test/list/2"), &records("$ 1.00")[7].units, &identity);
        assert_eq!(before, after);
        let keys: BTreeSet<Url> = records("$ 7.90")
            .iter()
            .map(|record| address(&page("http://a.test/list?page=3"), &record.units, &identity))
            .collect();
        assert_eq!(keys.len(), 40);
    }

    #[test]
    fn equal_records_are_two() {
        let mut two = vec![records("$ 7.90")[0].clone(), records("$ 7.90")[0].clone()];
        for record in &mut two {
            "http://a.test/#record-1".clone_into(&mut record.entity);
        }
        number(&mut two);
        assert_eq!(two[1].entity, "http://a.test/#record-1-2");
    }
}
