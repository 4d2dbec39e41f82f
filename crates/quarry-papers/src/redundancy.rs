//! Finds the positions of a new site at which values of seed records stand: FINDATTRPOS (content
//! redundancy, Algorithm 3) with absolute paths of leaf and inner nodes, weak similarity, strong
//! similarity by seed site, Apriori.

use std::collections::{BTreeMap, HashMap};

use quarry_dom::{Document, Kind, NodeId};
use quarry_extract::attribute::{SeedAttributeId, SeedDb, SeedRecordId};
use quarry_simjoin::apriori::{AprioriConfig, Frequent, Item, frequent_sets};
use quarry_simjoin::strong::{StrongConfig, WeakPair, strong_similarity};
use quarry_simjoin::{Joined, SeedColumn, SeedIndex};
use rayon::prelude::*;

/// Thresholds of Algorithm 3; the defaults are those of §4.1.
#[derive(Clone, Debug)]
pub struct FindAttrPosConfig {
    /// T_w: weakly similar from here on.
    pub weak: f64,
    /// T_s: strongly similar from here on.
    pub strong: f64,
    /// FINDATTRPOSW of §4.1: weak similarity instead of strong similarity, with `weak` as its threshold.
    pub weak_only: bool,
    /// α, and clusters of patterns.
    pub patterns: StrongConfig,
    /// β.
    pub apriori: AprioriConfig,
    /// Inner nodes with more words are no attribute values; without a bound the text of a page would be read once
    /// for each level of its tree.
    pub max_words: usize,
}

impl Default for FindAttrPosConfig {
    fn default() -> Self {
        Self {
            weak: 0.5,
            strong: 0.9,
            weak_only: false,
            patterns: StrongConfig::default(),
            apriori: AprioriConfig::default(),
            max_words: 40,
        }
    }
}

/// A position of the configuration that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributePosition {
    /// The attribute.
    pub attribute: SeedAttributeId,
    /// The absolute path.
    pub path: String,
    /// Pages on which the value is strongly similar to one of a seed record.
    pub pages: usize,
}

/// What Algorithm 3 found.
#[derive(Clone, Debug, Default)]
pub struct AttributePositions {
    /// S_max.
    pub positions: Vec<AttributePosition>,
    /// sup(S_max).
    pub support: usize,
    /// For each page, a record that supports the configuration.
    pub records: BTreeMap<usize, SeedRecordId>,
    /// For each level k and attribute, |C_k(a)|: different positions left (Table 3).
    pub levels: Vec<BTreeMap<SeedAttributeId, usize>>,
}

/// The text at a position of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionValue {
    /// The page, by its number.
    pub page: usize,
    /// The attribute.
    pub attribute: SeedAttributeId,
    /// The text.
    pub text: String,
    /// Where it stands.
    pub path: String,
    /// The share of the position's pages that support the configuration.
    pub confidence: f64,
}

impl AttributePositions {
    /// What stands at the positions, page by page.
    #[must_use]
    pub fn read(&self, pages: &[&Document]) -> Vec<PositionValue> {
        let mut values = Vec::new();
        for (page, document) in pages.iter().enumerate() {
            for AttributePosition { attribute, path, pages } in &self.positions {
                let node = document.node_at(path);
                let text = node.map(|node| document.folded_text(node).into_owned());
                let Some(text) = text.filter(|text| !text.is_empty()) else { continue };
                let (attribute, path) = (*attribute, path.clone());
                let confidence = self.support as f64 / (*pages).max(1) as f64;
                values.push(PositionValue { page, attribute, text, path, confidence });
            }
        }
        values
    }
}

/// Node values of a site: strings, and the page and position of each.
struct Values {
    strings: Vec<String>,
    places: Vec<(u32, u32)>,
    paths: Vec<String>,
}

/// Algorithm 3.
pub fn find_attr_pos(
    pages: &[&Document],
    seeds: &SeedDb,
    config: &FindAttrPosConfig,
) -> AttributePositions {
    let columns: Vec<SeedColumn<'_>> = seeds
        .attribute_ids()
        .map(|attribute| {
            let values = seeds.records().iter().zip(0u32..).flat_map(move |(record, number)| {
                record.values(attribute).iter().map(move |value| (number, value.as_str()))
            });
            SeedColumn::new(&seeds.attributes()[attribute.index()], values)
        })
        .collect();
    let index = SeedIndex::build(&columns);
    let values = node_values(pages, config.max_words);
    let joined = index.join(&values.strings, config.weak);
    let weak = weakly_similar(&values, &joined, config.apriori.min_support);
    let items: Vec<(u32, Item)> = weak
        .par_iter()
        .map(|((attribute, position), found)| {
            let pairs = if config.weak_only {
                found.iter().flat_map(|w| pairs_of(&index, *attribute, w)).collect()
            } else {
                strongly_similar(&index, seeds, &values, *attribute, found, config)
            };
            (*position, Item { attribute: *attribute, pairs })
        })
        .collect();
    let (positions, items): (Vec<u32>, Vec<Item>) = items.into_iter().unzip();
    let found = frequent_sets(&items, &config.apriori);
    result(&found, &positions, &items, &values)
}

/// A weakly similar node value: the string, the seed value, the cosine.
#[derive(Clone, Copy)]
struct Weak {
    string: usize,
    page: u32,
    value: u32,
    cosine: f64,
}

fn pairs_of(index: &SeedIndex, attribute: u32, weak: &Weak) -> Vec<(u32, u32)> {
    index.records(attribute, weak.value).iter().map(|record| (*record, weak.page)).collect()
}

/// Texts of all leaves, and of all inner nodes that hold several leaves.
fn node_values(pages: &[&Document], max_words: usize) -> Values {
    let read = |document: &&Document| -> Vec<(String, String)> {
        let paths = document.xpaths();
        let wanted = |node: &NodeId| {
            !document.is_hidden(*node)
                && match document.kind(*node) {
                    Kind::Text => true,
                    Kind::Element => document.children(*node).nth(1).is_some(),
                    Kind::Document | Kind::Comment => false,
                }
        };
        let short = |text: &str| {
            text.split(' ').nth(max_words).is_none() && text.contains(char::is_alphanumeric)
        };
        // A subtree of very many nodes holds more words than a value has.
        let small = |node: &NodeId| document.subtree_size(*node) <= 8 * max_words;
        document
            .all()
            .filter(wanted)
            .filter(small)
            .map(|node| (node, document.folded_text(node).into_owned()))
            .filter(|(_, text)| short(text))
            .map(|(node, text)| (paths.xpath(node), text))
            .collect()
    };
    let read: Vec<Vec<(String, String)>> = pages.par_iter().map(read).collect();
    let mut values = Values { strings: Vec::new(), places: Vec::new(), paths: Vec::new() };
    let mut known: HashMap<String, u32> = HashMap::new();
    for (page, nodes) in (0u32..).zip(read) {
        for (path, text) in nodes {
            let next = values.paths.len() as u32;
            let position = *known.entry(path).or_insert_with_key(|path| {
                values.paths.push(path.clone());
                next
            });
            values.strings.push(text);
            values.places.push((page, position));
        }
    }
    values
}

/// WS(a, x) of the positions with at least β pages.
fn weakly_similar(values: &Values, joined: &Joined, least: usize) -> Vec<((u32, u32), Vec<Weak>)> {
    let mut weak: BTreeMap<(u32, u32), Vec<Weak>> = BTreeMap::new();
    for (string, &(page, position)) in values.places.iter().enumerate() {
        for found in joined.of(string) {
            let one = Weak { string, page, value: found.value, cosine: found.cosine };
            weak.entry((found.attribute, position)).or_default().push(one);
        }
    }
    weak.retain(|_, found| {
        let mut pages: Vec<u32> = found.iter().map(|one| one.page).collect();
        pages.dedup();
        pages.len() >= least
    });
    weak.into_iter().collect()
}

/// SS(a, x): STRONGSIM between the values of each seed site and those at the position.
fn strongly_similar(
    index: &SeedIndex,
    seeds: &SeedDb,
    values: &Values,
    attribute: u32,
    weak: &[Weak],
    config: &FindAttrPosConfig,
) -> Vec<(u32, u32)> {
    let mut similar = Vec::new();
    for site in seeds.sites() {
        let of_site = |record: &&u32| seeds.records()[**record as usize].site == site;
        let mut texts: BTreeMap<u32, String> = BTreeMap::new();
        let mut pairs: Vec<(&Weak, Vec<u32>)> = Vec::new();
        for one in weak {
            let records = index.records(attribute, one.value).iter().filter(of_site).copied();
            let records: Vec<u32> = records.collect();
            if !records.is_empty() {
                let words = || index.value_words(attribute, one.value).join(" ");
                texts.entry(one.value).or_insert_with(words);
                pairs.push((one, records));
            }
        }
        let weak_pairs: Vec<WeakPair<'_>> = pairs
            .iter()
            .map(|(one, _)| WeakPair {
                u: &texts[&one.value],
                v: &values.strings[one.string],
                cosine: one.cosine,
            })
            .collect();
        let strong = strong_similarity(index, attribute, &weak_pairs, &config.patterns);
        for ((one, records), strong) in pairs.iter().zip(strong) {
            if strong.similarity >= config.strong {
                similar.extend(records.iter().map(|record| (*record, one.page)));
            }
        }
    }
    similar
}

fn result(
    found: &Frequent,
    positions: &[u32],
    items: &[Item],
    values: &Values,
) -> AttributePositions {
    let levels = found.levels.iter().map(|level| {
        let mut left: BTreeMap<SeedAttributeId, std::collections::BTreeSet<u32>> = BTreeMap::new();
        for item in level.iter().flat_map(|set| &set.items) {
            let attribute = SeedAttributeId(items[*item as usize].attribute);
            left.entry(attribute).or_default().insert(positions[*item as usize]);
        }
        left.into_iter().map(|(attribute, positions)| (attribute, positions.len())).collect()
    });
    let mut result =
        AttributePositions { levels: levels.collect(), ..AttributePositions::default() };
    let Some(best) = found.best() else { return result };
    result.support = best.support;
    let mut common: Option<Vec<(u32, u32)>> = None;
    for item in &best.items {
        let mut pairs = items[*item as usize].pairs.clone();
        pairs.sort_unstable();
        pairs.dedup();
        let mut pages: Vec<u32> = pairs.iter().map(|(_, page)| *page).collect();
        pages.sort_unstable();
        pages.dedup();
        result.positions.push(AttributePosition {
            attribute: SeedAttributeId(items[*item as usize].attribute),
            path: values.paths[positions[*item as usize] as usize].clone(),
            pages: pages.len(),
        });
        common = Some(match common {
            None => pairs,
            Some(mut common) => {
                common.retain(|pair| pairs.binary_search(pair).is_ok());
                common
            }
        });
    }
    for (record, page) in common.unwrap_or_default() {
        result.records.entry(page as usize).or_insert(SeedRecordId(record));
    }
    result
}
