//! Generates a catalogue cell by cell, each from a stream of its own, so that the same
//! entity has the same values whatever else the catalogue holds.

use super::{
    Attribute, Catalogue, CatalogueAttributeId, CatalogueColumn, CatalogueEntityId, Word,
    distinct_slugs,
};
use crate::format::{SiteValue, ValueFormat};
use crate::prng::{Rng, hash};
use crate::text::{NameKind, and_list, compose, invent, invent_many, slug};
use crate::vertical::{AttributeDef, Definition, Source};

/// What to generate.
pub(crate) struct Generation<'a> {
    pub(crate) definition: &'static Definition,
    /// The seed of the world: equal for all sites of a family.
    pub(crate) seed: u64,
    /// Which entities of the world this catalogue holds, in its order.
    pub(crate) bases: &'a [u64],
    /// How many entities the world has: it fixes how many brands there are.
    pub(crate) world: usize,
    pub(crate) format: ValueFormat,
    /// Names of attributes that this site does not have.
    pub(crate) without: &'a [String],
}

/// One entity's cell while it is made.
#[derive(Debug, Clone)]
enum Cell {
    Empty,
    Words(Vec<u32>),
    Value(SiteValue),
}

/// The vocabulary of one attribute and the attributes that it refers to.
struct Plan {
    words: Vec<String>,
    /// `Under`: for each word of the parent, the places of its branches.
    branches: Vec<Vec<u32>>,
    refers_to: Option<usize>,
    when: Option<(usize, Vec<u32>)>,
    /// Popularity: cumulative weights of the words.
    weights: Vec<f64>,
}

/// Generates the catalogue.
pub(crate) fn generate(g: &Generation<'_>) -> Catalogue {
    let defs = g.definition.attributes;
    let at = |name: &str| {
        defs.iter().position(|a| a.name == name).expect("definitions are consistent by test")
    };
    let mut plans: Vec<Plan> = Vec::with_capacity(defs.len());
    for def in defs {
        plans.push(plan(g, def, &plans, &at));
    }
    let people = invent_many(NameKind::Person, people_pool(defs), g.seed);

    let n = g.bases.len();
    let mut columns: Vec<Vec<Cell>> = defs.iter().map(|_| Vec::with_capacity(n)).collect();
    let mut titles = Vec::with_capacity(n);
    let mut draft: Vec<Cell> = Vec::with_capacity(defs.len());
    for base in g.bases {
        draft.clear();
        for (i, def) in defs.iter().enumerate() {
            let mut rng = Rng::of(g.seed, def.name, *base);
            let cell = cell(def, &plans, i, &draft, &people, &mut rng);
            draft.push(cell);
        }
        let mut rng = Rng::of(g.seed, "title", *base);
        let title = compose(g.definition.title, &mut rng, &mut |name, _| {
            let i = at(name);
            words_of(&draft[i], &plans[i].words)
        });
        let title = title.unwrap_or_else(|| format!("{} {base}", g.definition.noun.0));
        titles.push(g.format.title(&title));
        for (column, cell) in columns.iter_mut().zip(draft.drain(..)) {
            column.push(cell);
        }
    }

    let attributes = defs
        .iter()
        .zip(plans.iter())
        .zip(columns)
        .map(|((def, plan), cells)| attribute(g, def, plan, cells, &at))
        .collect();
    let slugs = titles.iter().map(|t| slug(t)).collect();
    Catalogue { attributes, titles, slugs, bases: g.bases.to_vec(), format: g.format }
}

fn people_pool(defs: &[AttributeDef]) -> usize {
    let pools =
        defs.iter().map(|d| if let Source::People { pool, .. } = d.source { pool } else { 0 });
    pools.max().unwrap_or(0)
}

fn plan(
    g: &Generation<'_>,
    def: &AttributeDef,
    earlier: &[Plan],
    at: &dyn Fn(&str) -> usize,
) -> Plan {
    let place = |words: &[String], word: &str| {
        words.iter().position(|w| w == word).map(|p| p as u32).expect("a word of the vocabulary")
    };
    let mut branches = Vec::new();
    let mut refers_to = None;
    let words: Vec<String> = match &def.source {
        Source::One(of) | Source::Several { of, .. } => {
            of.iter().map(|w| (*w).to_owned()).collect()
        }
        Source::Under { parent, tree } => {
            let p = at(parent);
            refers_to = Some(p);
            let mut words: Vec<String> = Vec::new();
            for word in tree.iter().flat_map(|(_, leaves)| leaves.iter()) {
                if !words.iter().any(|w| w == word) {
                    words.push((*word).to_owned());
                }
            }
            for parent_word in &earlier[p].words {
                let leaves = tree.iter().find(|(v, _)| v == parent_word).map_or(&[][..], |t| t.1);
                branches.push(leaves.iter().map(|leaf| place(&words, leaf)).collect());
            }
            words
        }
        Source::Invented { kind, least, per, most } => {
            let count = (*least + g.world / per).min(*most);
            invent_many(*kind, count, hash(g.seed, def.name, 0))
        }
        Source::Owned { kind, by, each } => {
            refers_to = Some(at(by));
            let count = earlier[at(by)].words.len() * each;
            invent_many(*kind, count, hash(g.seed, def.name, 0))
        }
        Source::Band { of, edges } => {
            refers_to = Some(at(of));
            let unit = match &g.definition.attributes[at(of)].source {
                Source::Number { unit, .. } => Some(*unit),
                _ => None,
            };
            let print = |edge: i64| match unit {
                Some(unit) => g.format.print(&SiteValue::Number { hundredths: edge, unit }),
                None => g.format.money(edge),
            };
            let mut words = vec![format!("Under {}", print(edges[0]))];
            words.extend(edges.windows(2).map(|e| format!("{} to {}", print(e[0]), print(e[1]))));
            words.push(format!("{} and more", print(edges[edges.len() - 1])));
            words
        }
        Source::Money { by, .. } => {
            refers_to = Some(at(by));
            Vec::new()
        }
        Source::Address { town } => {
            refers_to = Some(at(town));
            Vec::new()
        }
        _ => Vec::new(),
    };
    let when = def.when.map(|(name, values)| {
        let i = at(name);
        let known: Vec<u32> = values
            .iter()
            .filter_map(|v| earlier[i].words.iter().position(|w| w == v))
            .map(|p| p as u32)
            .collect();
        (i, known)
    });
    let mut sum = 0.0;
    let weights = (0..words.len())
        .map(|r| {
            sum += 1.0 / (r + 2) as f64;
            sum
        })
        .collect();
    Plan { words, branches, refers_to, when, weights }
}

/// A place among the words, the first the most likely.
fn popular(plan: &Plan, rng: &mut Rng) -> u32 {
    let total = plan.weights[plan.weights.len() - 1];
    let mark = rng.unit() * total;
    plan.weights.partition_point(|w| *w <= mark).min(plan.words.len() - 1) as u32
}

fn cell(
    def: &AttributeDef,
    plans: &[Plan],
    at: usize,
    draft: &[Cell],
    people: &[String],
    rng: &mut Rng,
) -> Cell {
    let plan = &plans[at];
    if let Some((i, allowed)) = &plan.when {
        match &draft[*i] {
            Cell::Words(words) if words.iter().any(|w| allowed.contains(w)) => {}
            _ => return Cell::Empty,
        }
    }
    if rng.chance(def.missing) {
        return Cell::Empty;
    }
    let referred = plan.refers_to.map(|i| &draft[i]);
    match &def.source {
        Source::One(_) | Source::Invented { .. } => Cell::Words(vec![popular(plan, rng)]),
        Source::Several { of, min, max } => {
            let count = (*min + rng.rank(max - min + 1)).min(of.len());
            let mut chosen = Vec::with_capacity(count);
            while chosen.len() < count {
                let word = popular(plan, rng);
                if !chosen.contains(&word) {
                    chosen.push(word);
                }
            }
            chosen.sort_unstable();
            if chosen.is_empty() { Cell::Empty } else { Cell::Words(chosen) }
        }
        Source::Under { .. } => match referred {
            Some(Cell::Words(parents)) => {
                let leaves = &plan.branches[parents[0] as usize];
                if leaves.is_empty() {
                    Cell::Empty
                } else {
                    Cell::Words(vec![leaves[rng.rank(leaves.len())]])
                }
            }
            _ => Cell::Empty,
        },
        Source::Owned { each, .. } => match referred {
            Some(Cell::Words(owners)) => {
                Cell::Words(vec![owners[0] * *each as u32 + rng.rank(*each) as u32])
            }
            _ => Cell::Empty,
        },
        Source::Number { low, high, step, unit } => {
            let steps = (high - low) / step;
            // The sum of two draws: the middle is more common than the ends.
            let drawn = (rng.between(0, steps) + rng.between(0, steps)) / 2;
            Cell::Value(SiteValue::Number { hundredths: low + drawn * step, unit: *unit })
        }
        Source::Money { low, high, .. } => {
            let level = match referred {
                Some(Cell::Words(words)) => hash(11, def.name, u64::from(words[0])) % 100,
                _ => 50,
            };
            let middle = low + (high - low) * i64::try_from(level * level).unwrap_or(0) / 10_000;
            let cents = (middle * rng.between(70, 135) / 100).clamp(*low, *high);
            let ending = *rng.pick(&[99, 95, 0, 50, 90]);
            Cell::Value(SiteValue::Money(if cents > 10_000_000 {
                cents / 100_000 * 100_000
            } else {
                cents / 100 * 100 + ending
            }))
        }
        Source::Band { edges, .. } => match referred {
            Some(Cell::Value(SiteValue::Money(n) | SiteValue::Number { hundredths: n, .. })) => {
                Cell::Words(vec![edges.iter().filter(|e| **e <= *n).count() as u32])
            }
            _ => Cell::Empty,
        },
        Source::Code(pattern) => Cell::Value(SiteValue::Text(code(pattern, rng))),
        Source::Ean(prefix) => Cell::Value(SiteValue::Text(ean(prefix, rng))),
        Source::Phrase(pattern) => match compose(pattern, rng, &mut |_, _| None) {
            Some(text) => Cell::Value(SiteValue::Text(text)),
            None => Cell::Empty,
        },
        Source::Name(kind) => Cell::Value(SiteValue::Text(invent(*kind, rng))),
        Source::People { pool, max } => {
            let count = 1 + rng.rank(*max);
            let mut names: Vec<String> = Vec::new();
            while names.len() < count {
                let name = &people[rng.rank(*pool)];
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            Cell::Value(SiteValue::People(names))
        }
        Source::Date { from, to } => Cell::Value(SiteValue::Date {
            year: rng.between(*from, *to),
            month: rng.between(1, 12),
            day: rng.between(1, 28),
        }),
        Source::Phone => {
            let area = rng.between(210, 989) as u64;
            Cell::Value(SiteValue::Phone(area * 10_000_000 + 5_550_000 + rng.below(10_000) as u64))
        }
        Source::Address { .. } => match referred {
            Some(Cell::Words(words)) => {
                let town_at = plan.refers_to.expect("an address refers to its town");
                Cell::Value(SiteValue::Address {
                    number: rng.between(1, 240),
                    street: invent(NameKind::Street, rng),
                    town: plans[town_at].words[words[0] as usize].clone(),
                    zip: 10_000 + 137 * i64::from(words[0]) + rng.between(0, 40),
                })
            }
            _ => Cell::Empty,
        },
    }
}

fn code(pattern: &str, rng: &mut Rng) -> String {
    pattern
        .chars()
        .map(|c| match c {
            '#' => char::from(b'0' + rng.below(10) as u8),
            '@' => char::from(b'A' + rng.below(26) as u8),
            c => c,
        })
        .collect()
}

fn ean(prefix: &str, rng: &mut Rng) -> String {
    let mut digits: Vec<u32> = prefix.bytes().map(|b| u32::from(b - b'0')).collect();
    while digits.len() < 12 {
        digits.push(rng.below(10) as u32);
    }
    let sum: u32 =
        digits.iter().enumerate().map(|(i, d)| if i % 2 == 0 { *d } else { 3 * d }).sum();
    digits.push((10 - sum % 10) % 10);
    digits.iter().map(|d| char::from(b'0' + *d as u8)).collect()
}

fn words_of(cell: &Cell, words: &[String]) -> Option<String> {
    match cell {
        Cell::Empty => None,
        Cell::Words(places) => {
            let texts: Vec<&str> = places.iter().map(|p| words[*p as usize].as_str()).collect();
            Some(and_list(&texts))
        }
        Cell::Value(value) => Some(ValueFormat::default().print(value)),
    }
}

fn attribute(
    g: &Generation<'_>,
    def: &AttributeDef,
    plan: &Plan,
    cells: Vec<Cell>,
    at: &dyn Fn(&str) -> usize,
) -> Attribute {
    let name = def.label(g.format.labels);
    let dropped = g.without.iter().any(|w| w == def.name);
    let id = |name: &str| CatalogueAttributeId(at(name) as u16);
    let needs = match (&plan.when, def.after) {
        (Some((i, words)), _) => Some((CatalogueAttributeId(*i as u16), words.clone())),
        (None, Some(after)) => Some((id(after), Vec::new())),
        (None, None) => None,
    };
    let parent = match def.source {
        Source::Under { parent, .. } => Some(id(parent)),
        _ => None,
    };
    Attribute {
        name: name.to_owned(),
        canonical: def.name,
        key: slug(name),
        facet: def.facet && !dropped,
        list: def.list && !dropped,
        spec: def.spec && !dropped,
        several: matches!(def.source, Source::Several { .. } | Source::People { .. }),
        group: def.group,
        needs,
        parent,
        column: if plan.words.is_empty() {
            CatalogueColumn::Values(
                cells
                    .into_iter()
                    .map(|c| if let Cell::Value(v) = c { Some(v) } else { None })
                    .collect(),
            )
        } else {
            column_of_words(&plan.words, &cells)
        },
    }
}

fn column_of_words(texts: &[String], drafts: &[Cell]) -> CatalogueColumn {
    let mut words: Vec<Word> = texts
        .iter()
        .zip(distinct_slugs(texts.iter().map(String::as_str)))
        .map(|(text, slug)| Word { text: text.clone(), slug, entities: Vec::new() })
        .collect();
    let mut starts = Vec::with_capacity(drafts.len() + 1);
    let mut cells = Vec::with_capacity(drafts.len());
    starts.push(0);
    for (e, draft) in drafts.iter().enumerate() {
        if let Cell::Words(places) = draft {
            for place in places {
                words[*place as usize].entities.push(e as u32);
                cells.push(*place);
            }
        }
        starts.push(cells.len() as u32);
    }
    CatalogueColumn::Words { words, starts, cells }
}

/// The sentences of an entity's description; only attributes that its page shows are mentioned.
pub(crate) fn describe(
    definition: &Definition,
    catalogue: &Catalogue,
    entity: CatalogueEntityId,
    seed: u64,
    most: usize,
) -> Vec<String> {
    let mut rng = Rng::of(seed, "describe", catalogue.bases[entity.0 as usize]);
    let mut order: Vec<usize> = (0..definition.sentences.len()).collect();
    let keep = order.len().min(most);
    rng.shuffle(&mut order);
    let mut sentences = Vec::with_capacity(keep);
    for at in order {
        if sentences.len() == keep {
            break;
        }
        let sentence = compose(definition.sentences[at], &mut rng, &mut |name, _| {
            let lower = name.strip_prefix('~');
            let id = catalogue.find(lower.unwrap_or(name))?;
            if catalogue.attribute(id).hidden() {
                return None;
            }
            let printed = catalogue.printed(id, entity);
            if printed.is_empty() {
                return None;
            }
            let list = and_list(&printed.iter().map(String::as_str).collect::<Vec<_>>());
            Some(if lower.is_some() { list.to_lowercase() } else { list })
        });
        sentences.extend(sentence);
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vertical::{Vertical, definition};

    fn make(vertical: Vertical, n: u64, seed: u64) -> Catalogue {
        let bases: Vec<u64> = (0..n).collect();
        generate(&Generation {
            definition: definition(vertical),
            seed,
            bases: &bases,
            world: n as usize,
            format: ValueFormat::default(),
            without: &[],
        })
    }

    #[test]
    fn postings_agree_with_cells() {
        for vertical in Vertical::ALL {
            let catalogue = make(*vertical, 200, 5);
            for (id, attribute) in catalogue.facets() {
                for (w, word) in attribute.words().iter().enumerate() {
                    for e in catalogue.entities() {
                        let by_cell = attribute.cells(e).contains(&(w as u32));
                        assert_eq!(by_cell, word.entities.contains(&e.0), "{vertical:?} {id:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_entity_does_not_depend_on_its_neighbours() {
        let small = make(Vertical::Restaurants, 20, 9);
        let bases = [3, 17];
        let picked = generate(&Generation {
            definition: definition(Vertical::Restaurants),
            seed: 9,
            bases: &bases,
            world: 20,
            format: ValueFormat::default(),
            without: &[],
        });
        assert_eq!(picked.titles[1], small.titles[17]);
    }

    #[test]
    fn check_digits() {
        let code = ean("978", &mut Rng::new(4));
        let sum: u32 = code
            .bytes()
            .enumerate()
            .map(|(i, b)| u32::from(b - b'0') * if i % 2 == 0 { 1 } else { 3 })
            .sum();
        assert_eq!((code.len(), sum % 10), (13, 0));
    }
}
