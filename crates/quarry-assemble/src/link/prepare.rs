//! Reads the texts of all entities once: words of names, parsed values, how often each occurs.

use quarry_simjoin::words;
use quarry_value::{ColumnReading, Date, Format, Meaning, Shape};
use rayon::prelude::*;

use super::ids::{IdForm, id_form, id_key};
use super::input::{LinkInput, NO_TEXT, SiteColumnId};
use super::texts::{DifferentTexts, Rows, Texts};
use crate::hash::{self, Lookup};
use crate::parsed::ParsedValue;
use crate::unit::base;

/// Texts of a column that are looked at to see how its values are written.
const SAMPLE: usize = 1_000;
/// Words of a name or a value that are compared; what follows is prose.
const MAX_WORDS: usize = 24;
/// A word in more than this share of the names of a site belongs to the site ("tech specs"), not to its entities.
const SITE_WORD_SHARE: f64 = 0.5;
/// Names of a site from which on such words are looked for.
const MIN_SITE_NAMES: u32 = 10;
/// Values that are read at a time by all threads together.
const BATCH: usize = 1 << 16;
/// Marks a word of a name that stands in brackets: it qualifies, and weighs half.
pub(super) const QUALIFIER: u32 = 1 << 31;

/// The number of a different value: a text, read in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ValueNo(pub(super) u32);

/// What a value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Class {
    #[default]
    Text,
    Number,
    Price,
    Date,
    Boolean,
    Link,
    Code,
    Phone,
}

/// A value, as far as comparing takes it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CompactValue {
    /// The number of what it says; equal for values that say the same. Zero: nothing.
    pub(super) key: u32,
    pub(super) class: Class,
    /// The unit as written, and the one that it is a multiple of, as numbers; zero: none.
    pub(super) unit: u8,
    pub(super) base: u8,
    /// The number in base units, the sum of money, or the date as year, month and day in one number.
    pub(super) number: f64,
}

/// All that is compared.
pub(super) struct Prepared {
    /// Words of the names, each once and sorted, some marked as [`QUALIFIER`].
    pub(super) names: Rows<u32>,
    /// Values by entity, sorted by column.
    pub(super) values: EntityValues,
    pub(super) compact: Vec<CompactValue>,
    /// Words of the values, each once and sorted.
    pub(super) value_words: Rows<u32>,
    /// The number of the text of a value.
    pub(super) text_of: Vec<u32>,
    /// Entities that have a key, by its number.
    pub(super) key_entities: Vec<u32>,
    /// Entities whose names have a word.
    pub(super) name_entities: Vec<u32>,
    pub(super) words: Texts,
    /// What the words weigh in names, and in values: rare ones say more.
    name_weights: Vec<f32>,
    value_weights: Vec<f32>,
    /// The letters of each word, a bit each; [`DIGIT`] for digits.
    pub(super) letters: Vec<u32>,
    pub(super) units: Vec<&'static str>,
    pub(super) ids: Vec<Option<IdForm>>,
    pub(super) site_of: Vec<u32>,
}

impl Prepared {
    pub(super) fn entities(&self) -> usize {
        self.site_of.len()
    }

    /// The weight of a word of a name: rare words say more.
    pub(super) fn name_weight(&self, word: u32) -> f64 {
        let weight = f64::from(self.name_weights[(word & !QUALIFIER) as usize]);
        if word & QUALIFIER == 0 { weight } else { 0.5 * weight }
    }

    pub(super) fn value_weight(&self, word: u32) -> f64 {
        f64::from(self.value_weights[word as usize])
    }

    /// The share of entities that have a key.
    pub(super) fn key_share(&self, key: u32) -> f64 {
        f64::from(self.key_entities[key as usize].max(1)) / self.entities().max(1) as f64
    }

    /// The values of an entity in a column.
    pub(super) fn column_values(
        &self,
        entity: u32,
        column: SiteColumnId,
    ) -> &[(SiteColumnId, ValueNo)] {
        let row = self.values.row(entity);
        let start = row.partition_point(|(own, _)| *own < column);
        let end = row.partition_point(|(own, _)| *own <= column);
        &row[start..end]
    }
}

/// How a column is read.
#[derive(Clone, Copy, PartialEq)]
struct Manner {
    format: Format,
    id: Option<IdForm>,
}

/// Reads everything.
pub(super) fn prepare(input: &LinkInput) -> Prepared {
    let (manners, of_column) = manners(input);
    let ids = of_column.iter().map(|&at| manners[at as usize].id).collect();
    let (values, different) = number_values(input, &of_column);
    let mut words = DifferentTexts::default();
    let mut keys: Lookup<u64, u32> = Lookup::default();
    let mut units: Vec<&'static str> = vec![""];
    let mut compact = Vec::with_capacity(different.len());
    let mut value_words = Rows::default();
    for batch in different.chunks(BATCH) {
        let read: Vec<(ReadValue, Vec<String>)> = batch
            .par_iter()
            .map(|&(manner, text)| {
                let text = input.text(text);
                let mut own = words_of(text);
                own.truncate(MAX_WORDS);
                (read(text, &manners[manner as usize]), own)
            })
            .collect();
        for (value, own) in read {
            let next = keys.len() as u32 + 1;
            let key = if value.exact == 0 { 0 } else { *keys.entry(value.exact).or_insert(next) };
            let mut unit = |name: &'static str| {
                let at = units.iter().position(|own| *own == name).unwrap_or_else(|| {
                    units.push(name);
                    units.len() - 1
                });
                at.min(255) as u8
            };
            let (unit, base) = (unit(value.unit), unit(value.base));
            let number = value.number;
            compact.push(CompactValue { key, class: value.class, unit, base, number });
            let mut own: Vec<u32> = own.iter().map(|word| words.number(word)).collect();
            own.sort_unstable();
            own.dedup();
            value_words.push(own);
        }
    }
    let names = read_names(input, &mut words);
    let site_of: Vec<u32> = input.heads.iter().map(|head| head.site).collect();
    let names = without_site_words(&names, &site_of, input.sites.len(), words.texts.len());
    let mut key_entities = vec![0_u32; keys.len() + 1];
    let mut value_entities = vec![0_u32; words.texts.len()];
    let mut name_entities = vec![0_u32; words.texts.len()];
    let (mut own_keys, mut own_words) = (Vec::new(), Vec::new());
    for entity in 0..site_of.len() as u32 {
        own_keys.clear();
        own_words.clear();
        for (_, value) in values.row(entity) {
            own_keys.push(compact[value.0 as usize].key);
            own_words.extend_from_slice(value_words.row(value.0));
        }
        count_once(&mut own_keys, &mut key_entities);
        count_once(&mut own_words, &mut value_entities);
        for word in names.row(entity) {
            name_entities[(word & !QUALIFIER) as usize] += 1;
        }
    }
    let all = site_of.len() as f64;
    let weigh = |counts: &[u32]| -> Vec<f32> {
        let weight = |count: &u32| (1.0 + all / f64::from((*count).max(1))).ln() as f32;
        counts.iter().map(weight).collect()
    };
    let (name_weights, value_weights) = (weigh(&name_entities), weigh(&value_entities));
    let words = words.into_texts();
    let letters = (0..words.len() as u32).map(|word| letters(words.get(word))).collect();
    Prepared {
        names,
        values,
        compact,
        value_words,
        text_of: different.into_iter().map(|(_, text)| text).collect(),
        key_entities,
        name_entities,
        words,
        name_weights,
        value_weights,
        letters,
        units,
        ids,
        site_of,
    }
}

/// Marks a word with a digit.
pub(super) const DIGIT: u32 = 1 << 31;

/// The letters of a word, a bit each: letters beyond the alphabet share bits.
fn letters(word: &str) -> u32 {
    let bit = |letter: char| match letter {
        '0'..='9' => DIGIT,
        letter => 1 << (u32::from(letter) % 31),
    };
    word.chars().fold(0, |all, letter| all | bit(letter))
}

fn count_once(items: &mut Vec<u32>, counts: &mut [u32]) {
    items.sort_unstable();
    items.dedup();
    items.iter().for_each(|item| counts[*item as usize] += 1);
}

/// How each column is read: the different ways, and the way of each column.
fn manners(input: &LinkInput) -> (Vec<Manner>, Vec<u8>) {
    let mut samples: Vec<Vec<u32>> = vec![Vec::new(); input.columns.len()];
    for (column, text) in &input.values {
        let sample = &mut samples[column.0 as usize];
        if sample.len() < SAMPLE {
            sample.push(*text);
        }
    }
    let mut manners: Vec<Manner> = Vec::new();
    let of_column = samples.iter().map(|sample| {
        let texts: Vec<&str> = sample.iter().map(|text| input.text(*text)).collect();
        let format = ColumnReading::of(texts.iter().copied()).format;
        let manner = Manner { format, id: id_form(&texts) };
        let at = manners.iter().position(|own| *own == manner).unwrap_or_else(|| {
            manners.push(manner);
            manners.len() - 1
        });
        at as u8
    });
    let of_column = of_column.collect();
    (manners, of_column)
}

/// For each entity the values of its columns.
type EntityValues = Rows<(SiteColumnId, ValueNo)>;

/// Numbers the different values: texts with the way in which they are read. Values of an entity are sorted by column.
fn number_values(input: &LinkInput, manner_of: &[u8]) -> (EntityValues, Vec<(u8, u32)>) {
    let mut known: Lookup<u64, u32> = Lookup::default();
    let mut different: Vec<(u8, u32)> = Vec::new();
    let mut values = Rows::default();
    let mut row: Vec<(SiteColumnId, ValueNo)> = Vec::new();
    for entity in 0..input.len() as u32 {
        row.clear();
        for &(column, text) in input.values_of(entity) {
            let manner = manner_of[column.0 as usize];
            let number =
                *known.entry(u64::from(manner) << 32 | u64::from(text)).or_insert_with(|| {
                    different.push((manner, text));
                    (different.len() - 1) as u32
                });
            row.push((column, ValueNo(number)));
        }
        row.sort();
        row.dedup();
        values.push(row.iter().copied());
    }
    (values, different)
}

/// A value as it was read.
struct ReadValue {
    exact: u64,
    class: Class,
    unit: &'static str,
    base: &'static str,
    number: f64,
}

fn read(text: &str, manner: &Manner) -> ReadValue {
    let plain = |exact, class| ReadValue { exact, class, unit: "", base: "", number: f64::NAN };
    if let Some((exact, class)) = manner.id.and_then(|id| id_key(text, id)) {
        return plain(exact, class);
    }
    // "(1999)", ": 240", "240 lbs.": marks at the edges are not part of a value.
    let edges = |c: char| c.is_whitespace() || matches!(c, ':' | '(' | ')' | '[' | ']' | ',' | ';');
    let parsed = ParsedValue::read_item(text.trim_matches(edges), &manner.format);
    let exact = parsed.exact;
    match parsed.meaning {
        Some(Meaning::Quantity(quantity)) if quantity.shape == Shape::One => {
            let unit = quantity.unit.unwrap_or_default();
            let (base, factor) = if unit.is_empty() { ("", 1.0) } else { base(unit) };
            let number = quantity.numbers.first().map_or(f64::NAN, |number| number * factor);
            ReadValue { exact, class: Class::Number, unit, base, number }
        }
        Some(Meaning::Price(price)) => ReadValue {
            exact,
            class: Class::Price,
            unit: price.currency,
            base: price.currency,
            number: price.amount,
        },
        Some(Meaning::Date(date)) => {
            ReadValue { number: packed(&date), ..plain(exact, Class::Date) }
        }
        Some(Meaning::Boolean(_)) => plain(exact, Class::Boolean),
        Some(Meaning::Code(_)) => plain(exact, Class::Code),
        Some(Meaning::Phone(_)) => plain(exact, Class::Phone),
        Some(Meaning::Link(address)) => plain(link_key(&address), Class::Link),
        _ => plain(exact, Class::Text),
    }
}

/// Year, month and day in one number; zero for what is not known.
fn packed(date: &Date) -> f64 {
    let year = u32::from(date.year.unwrap_or(0));
    f64::from(year * 10_000 + u32::from(date.month) * 100 + u32::from(date.day.unwrap_or(0)))
}

/// Addresses are the same with and without scheme, `www.` and the slash at the end.
fn link_key(address: &str) -> u64 {
    let address = address.to_lowercase();
    let address = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
    let address = address.strip_prefix("www.").unwrap_or(address).trim_end_matches('/');
    hash::of(("link", address))
}

/// The words of a text in lower case, letters without accents where that is one of the usual ones.
fn words_of(text: &str) -> Vec<String> {
    if text.is_ascii() {
        return words(text);
    }
    let folded: String = text.chars().map(without_accent).collect();
    words(&folded)
}

/// The letter below an accent of the Latin languages.
fn without_accent(letter: char) -> char {
    const FOLDED: [(&str, char); 16] = [
        ("àáâãäåāă", 'a'),
        ("ÀÁÂÃÄÅĀĂ", 'a'),
        ("çćč", 'c'),
        ("ÇĆČ", 'c'),
        ("èéêëēę", 'e'),
        ("ÈÉÊËĒĘ", 'e'),
        ("ìíîïī", 'i'),
        ("ÌÍÎÏ", 'i'),
        ("ñńň", 'n'),
        ("ÑŃ", 'n'),
        ("òóôõöøō", 'o'),
        ("ÒÓÔÕÖØ", 'o'),
        ("ùúûüū", 'u'),
        ("ÙÚÛÜ", 'u'),
        ("šśŠŚ", 's'),
        ("žźżŽŹŻ", 'z'),
    ];
    FOLDED.iter().find(|(letters, _)| letters.contains(letter)).map_or(letter, |(_, plain)| *plain)
}

/// The words of the names; those that stand in brackets are marked, unless nothing else is there.
fn read_names(input: &LinkInput, words: &mut DifferentTexts) -> Rows<u32> {
    let mut names = Rows::default();
    let mut row: Vec<u32> = Vec::new();
    for head in &input.heads {
        row.clear();
        if head.name != NO_TEXT {
            let text = input.text(head.name);
            let (core, brackets) = brackets(text);
            let has_core = core.chars().any(char::is_alphanumeric);
            let mut add = |text: &str, mark: u32| {
                let own = words_of(text);
                row.extend(own.iter().take(MAX_WORDS).map(|word| words.number(word) | mark));
            };
            if has_core {
                add(&core, 0);
                add(&brackets, QUALIFIER);
            } else {
                add(text, 0);
            }
        }
        row.sort_unstable_by_key(|word| (word & !QUALIFIER, *word));
        row.dedup_by_key(|word| *word & !QUALIFIER);
        names.push(row.iter().copied());
    }
    names
}

/// A text without what stands in round or square brackets, and what stands there.
fn brackets(text: &str) -> (String, String) {
    let (mut outside, mut inside) = (String::new(), String::new());
    let mut depth = 0_u32;
    for letter in text.chars() {
        match letter {
            '(' | '[' => {
                depth += 1;
                inside.push(' ');
                outside.push(' ');
            }
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => inside.push(letter),
            _ => outside.push(letter),
        }
    }
    (outside, inside)
}

/// Leaves out of each site's names the words that most of them have.
fn without_site_words(names: &Rows<u32>, site_of: &[u32], sites: usize, words: usize) -> Rows<u32> {
    let by_site: Rows<u32> = Rows::by_counting(sites, |put| {
        site_of.iter().zip(0_u32..).for_each(|(site, entity)| put(*site, entity));
    });
    let mut counts = vec![0_u32; words];
    let mut left_out: Vec<Vec<u32>> = Vec::new();
    for site in 0..sites as u32 {
        let own = by_site.row(site);
        let all = || own.iter().flat_map(|entity| names.row(*entity));
        all().for_each(|word| counts[(word & !QUALIFIER) as usize] += 1);
        let named = own.iter().filter(|entity| !names.row(**entity).is_empty()).count() as u32;
        let least = (SITE_WORD_SHARE * f64::from(named)).max(1.0);
        let mut common: Vec<u32> = Vec::new();
        if named >= MIN_SITE_NAMES {
            let is_common = |word: &u32| f64::from(counts[*word as usize]) > least;
            common.extend(all().map(|word| word & !QUALIFIER).filter(is_common));
            common.sort_unstable();
            common.dedup();
        }
        all().for_each(|word| counts[(word & !QUALIFIER) as usize] = 0);
        left_out.push(common);
    }
    let mut kept = Rows::default();
    for (site, entity) in site_of.iter().zip(0_u32..) {
        let common = &left_out[*site as usize];
        let is_own = |word: &u32| common.binary_search(&(word & !QUALIFIER)).is_err();
        let row = names.row(entity);
        // A name of such words alone keeps them.
        let is_all = !row.iter().any(is_own);
        kept.push(row.iter().copied().filter(|word| is_all || is_own(word)));
    }
    kept
}
