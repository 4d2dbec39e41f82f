//! The evidence that a column is an attribute. Agreement with the records of the pages, beyond
//! chance; and what its values, labels and place look like.

use super::columns::SiteTexts;
use super::label::{Label, name_words};
use super::leaf::LocatorKind;
use super::lexicon::TextTokens;
use super::link::{Compared, EQUAL, Links};
use super::profile::Profile;
use super::seed::{SeedAttributeId, SeedDb, SeedRecordId};

use crate::parallel;

/// Linked pages that agreement is measured on, at most.
const SAMPLE: usize = 100;
/// Texts of a column that are looked at, at most.
const TEXTS: usize = 60;
/// Linked pages at which agreement counts half: fewer may agree by luck.
const HALF_TRUST: f64 = 2.0;

/// The features of a column, in the order of [`NAMES`].
pub(crate) type EvidenceFeatures = [f64; NAMES.len()];

/// Names of the features.
pub(crate) const NAMES: [&str; 26] = [
    "lift",
    "same",
    "equal",
    "linked_share",
    "coverage",
    "dictionary",
    "known",
    "margin",
    "length",
    "digits",
    "capitals",
    "kinds",
    "variety",
    "title",
    "printed",
    "markup",
    "remembered",
    "locators",
    "template",
    "depth",
    "heading",
    "in_title",
    "steady",
    "affix",
    "crowd",
    "familiar",
];

/// What is known of an attribute before any column is looked at.
struct AttributeTraits {
    profile: Profile,
    name: Vec<String>,
    /// Whether its values tell entities apart and are words: names and titles.
    key: f64,
}

/// What a column is, whatever the attribute.
pub(crate) struct ColumnTraits {
    pub(crate) label: Label,
    profile: Profile,
    /// How much of the page's title the text covers, and how much of the text the title has.
    title: (f64, f64),
    template: f64,
    depth: f64,
    heading: f64,
    /// Texts of the same look on a page, as a logarithm: lists have many.
    crowd: f64,
    /// Pieces of the seed that nearly all texts have, and the number of other such pieces.
    constant: Vec<u32>,
    strange: usize,
    /// Pieces of a text, on average.
    pieces: f64,
    texts: Vec<u32>,
}

/// Columns with what they are, and attributes with what is known of them: what does not change between rounds.
pub(crate) struct ColumnEvidence<'a> {
    compared: &'a Compared<'a>,
    seeds: &'a SeedDb,
    attributes: Vec<AttributeTraits>,
    pub(crate) columns: Vec<ColumnTraits>,
    /// Features that do not depend on links.
    pub(super) fixed: Vec<Vec<EvidenceFeatures>>,
    /// For each page, its texts with the columns that have them there, ascending.
    placed: Vec<Vec<(u32, u32)>>,
}

/// How similar the texts of a column are to the records of their pages, summed over these pages.
#[derive(Clone, Copy, Default)]
struct Agreed {
    there: f64,
    same: f64,
    chance: f64,
    equal: f64,
}

impl<'a> ColumnEvidence<'a> {
    pub(crate) fn of(
        compared: &'a Compared<'a>,
        seeds: &'a SeedDb,
        documents: &[&quarry_dom::Document],
    ) -> Self {
        let ids: Vec<SeedAttributeId> = seeds.attribute_ids().collect();
        let columns = parallel::map(&compared.site.columns, |column| {
            column_traits(column, compared, documents)
        });
        let placed = placed(compared.site);
        let attributes = ids.iter().map(|&id| attribute_traits(compared, seeds, id)).collect();
        let mut evidence = Self { compared, seeds, attributes, columns, fixed: Vec::new(), placed };
        let most = evidence.most_known();
        evidence.fixed = parallel::map(&ids, |&id| evidence.fixed_features(id, &most));
        evidence
    }

    /// The share of an attribute's values that are numbers, dates, prices or links.
    pub(crate) fn typed(&self, attribute: SeedAttributeId) -> f64 {
        self.attributes[attribute.index()].profile.typed()
    }

    /// The features of all columns for an attribute, given who the pages are; only `among` these pages, if given.
    pub(crate) fn features(
        &self,
        attribute: SeedAttributeId,
        links: &Links,
        among: Option<&[bool]>,
    ) -> Vec<EvidenceFeatures> {
        let of = &self.compared.lexicon.attributes[attribute.index()];
        let has = |record: &SeedRecordId| !of.of_record(*record).is_empty();
        let linked: Vec<(u32, Vec<SeedRecordId>)> = (0u32..)
            .zip(links)
            .map(|(page, records)| (page, records.iter().copied().filter(has).collect::<Vec<_>>()))
            .filter(|(page, records)| {
                !records.is_empty() && among.is_none_or(|among| among[*page as usize])
            })
            .collect();
        let step = linked.len().div_ceil(SAMPLE).max(1);
        let linked: Vec<(u32, Vec<SeedRecordId>)> = linked.into_iter().step_by(step).collect();
        let agreed = self.agreed(attribute, &linked);
        let all = linked.len() as f64;
        let of_column = |(at, fixed): (usize, &EvidenceFeatures)| {
            let mut features = with_agreement(agreed[at], all, *fixed);
            if let Some(among) = among {
                let all = among.iter().filter(|among| **among).count().max(1);
                let cells = &self.compared.site.columns[at].cells;
                let own = cells.iter().filter(|cell| among[cell.0 as usize]).count();
                features[4] = own as f64 / all as f64;
            }
            features
        };
        self.fixed[attribute.index()].iter().enumerate().map(of_column).collect()
    }

    /// How far each column agrees with the records of the linked pages.
    fn agreed(
        &self,
        attribute: SeedAttributeId,
        linked: &[(u32, Vec<SeedRecordId>)],
    ) -> Vec<Agreed> {
        let mut agreed = vec![Agreed::default(); self.columns.len()];
        for (at, (page, records)) in linked.iter().enumerate() {
            for (_, column) in &self.placed[*page as usize] {
                agreed[*column as usize].there += 1.0;
            }
            self.each_alike(
                attribute,
                records,
                *page,
                |own, similarity| {
                    own.same += similarity;
                    own.equal += f64::from(u8::from(similarity >= EQUAL));
                },
                &mut agreed,
            );
            let strangers = [linked.len() / 2, linked.len() / 3 + 1];
            for stranger in strangers.map(|far| &linked[(at + far) % linked.len()].1) {
                let part = strangers.len() as f64;
                self.each_alike(
                    attribute,
                    stranger,
                    *page,
                    |own, similarity| {
                        own.chance += similarity / part;
                    },
                    &mut agreed,
                );
            }
        }
        agreed
    }

    /// Adds the similarity of the closest of some records for each column whose text on the page has any.
    fn each_alike(
        &self,
        attribute: SeedAttributeId,
        records: &[SeedRecordId],
        page: u32,
        add: impl Fn(&mut Agreed, f64),
        agreed: &mut [Agreed],
    ) {
        let alike = records.iter().flat_map(|record| self.compared.alike(attribute, *record, page));
        let mut alike: Vec<(u32, f64)> = alike.collect();
        alike.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        alike.dedup_by_key(|found| found.0);
        let placed = &self.placed[page as usize];
        for (text, similarity) in alike {
            let from = placed.partition_point(|placed| placed.0 < text);
            for (_, column) in placed[from..].iter().take_while(|placed| placed.0 == text) {
                add(&mut agreed[*column as usize], similarity);
            }
        }
    }

    /// For each text that columns are judged by: the attribute whose values know the most of its pieces, how many, and the most
    /// that any other knows.
    fn most_known(&self) -> Vec<(SeedAttributeId, u32, u32)> {
        let texts = &self.compared.site.texts;
        let holders = self.compared.lexicon.holders();
        let mut is_used = vec![false; texts.len()];
        for text in self.columns.iter().flat_map(|column| &column.texts) {
            is_used[*text as usize] = true;
        }
        parallel::map_range(texts.len(), |text| {
            let known = &texts[text].tokens.known;
            let mut counts = vec![0u32; if is_used[text] { self.attributes.len() } else { 0 }];
            for token in known.iter().filter(|_| is_used[text]) {
                holders[*token as usize].iter().for_each(|holder| counts[holder.index()] += 1);
            }
            let mut most = (SeedAttributeId(0), 0, 0);
            for (attribute, count) in (0..).map(SeedAttributeId).zip(counts) {
                if count > most.1 {
                    most = (attribute, count, most.1);
                } else {
                    most.2 = most.2.max(count);
                }
            }
            most
        })
    }

    fn fixed_features(
        &self,
        attribute: SeedAttributeId,
        most: &[(SeedAttributeId, u32, u32)],
    ) -> Vec<EvidenceFeatures> {
        let site = self.compared.site;
        let known = &self.attributes[attribute.index()];
        let of = &self.compared.lexicon.attributes[attribute.index()];
        let of_text = |text: u32| {
            let tokens = &site.texts[text as usize].tokens;
            let has = tokens.known.iter().filter(|token| of.has(**token)).count();
            let (best, known, second) = most[text as usize];
            let others = if best == attribute { second } else { known };
            let all = tokens.len().max(1) as f64;
            let hits = self.compared.hits(attribute, text);
            TextShares {
                is_equal: hits.first().is_some_and(|hit| hit.similarity >= EQUAL),
                own: has as f64 / all,
                margin: has as f64 / all - f64::from(others) / all,
            }
        };
        let mut met: Vec<Option<TextShares>> = vec![None; site.texts.len()];
        let mut all = Vec::with_capacity(self.columns.len());
        for (column, seen) in site.columns.iter().zip(&self.columns) {
            let mut features = [0.0; NAMES.len()];
            let (mut dictionary, mut chance, mut own, mut margin) = (0.0, 0.0, 0.0, 0.0);
            for text in &seen.texts {
                let shares = *met[*text as usize].get_or_insert_with(|| of_text(*text));
                let decoy = self.compared.decoys[attribute.index()][*text as usize];
                dictionary += f64::from(u8::from(shares.is_equal));
                chance += f64::from(u8::from(decoy));
                own += shares.own;
                margin += shares.margin;
            }
            let count = seen.texts.len().max(1) as f64;
            let [length, digits, capitals] = known.profile.distances(&seen.profile);
            let (printed, markup) = seen.label.names(&known.name);
            let label = seen.label.printed.as_deref().unwrap_or("");
            let remembered = self.seeds.label_sites(attribute, &label.to_lowercase());
            features[4] = column.cells.len() as f64 / site.pages.len() as f64;
            features[5] = dictionary / count;
            features[6] = own / count;
            features[7] = margin / count;
            features[8] = length.min(2.0);
            features[9] = digits;
            features[10] = capitals;
            features[11] = known.profile.kinds_in_common(&seen.profile);
            features[12] = (known.profile.variety - seen.profile.variety).abs();
            features[13] = seen.title.0 * seen.title.1.sqrt() * known.key;
            features[14] = printed;
            features[15] = markup;
            features[16] = f64::from(u8::from(remembered > 0)) * seen.label.share;
            features[17] = (column.keys.len() as f64).ln();
            features[18] = seen.template;
            features[19] = seen.depth;
            features[20] = seen.heading * known.key;
            features[21] = seen.title.1 * (1.0 - known.key);
            features[22] = seen.label.share;
            let strange =
                seen.constant.iter().filter(|token| !of.has(**token)).count() + seen.strange;
            features[23] = (strange as f64 / seen.pieces.max(1.0)).min(1.0);
            features[24] = seen.crowd;
            features[25] = (dictionary - chance).max(0.0) / count;
            all.push(features);
        }
        all
    }
}

/// What the values of an attribute have of a text.
#[derive(Clone, Copy)]
struct TextShares {
    is_equal: bool,
    /// The share of its pieces that they have.
    own: f64,
    /// The same, less what the values of another attribute have.
    margin: f64,
}

/// The features of a column with its agreement with the records of `all` linked pages.
fn with_agreement(agreed: Agreed, all: f64, mut features: EvidenceFeatures) -> EvidenceFeatures {
    // Agreement with the page's own record says more than being some record's value: related items are that, too.
    if all > 0.0 {
        features[25] = 0.0;
    }
    let trust = 1.0 / (all + HALF_TRUST);
    // Chance cannot be told from agreement on one page.
    let lift = if all > 1.0 { agreed.same - agreed.chance } else { 0.0 };
    features[0] = lift * trust;
    features[1] = agreed.same * trust;
    features[2] = agreed.equal * trust;
    features[3] = agreed.there / all.max(1.0);
    features
}

/// For each page, its texts with the columns that have them there, ascending.
fn placed(site: &SiteTexts) -> Vec<Vec<(u32, u32)>> {
    let mut placed: Vec<Vec<(u32, u32)>> = vec![Vec::new(); site.pages.len()];
    for (number, column) in (0u32..).zip(&site.columns) {
        for cell in &column.cells {
            placed[cell.0 as usize].push((site.text_of(*cell), number));
        }
    }
    placed.iter_mut().for_each(|of_page| of_page.sort_unstable());
    placed
}

fn attribute_traits(
    compared: &Compared<'_>,
    seeds: &SeedDb,
    attribute: SeedAttributeId,
) -> AttributeTraits {
    let records = &compared.lexicon.different;
    let step = records.len().div_ceil(400).max(1);
    let record = |number: &SeedRecordId| &seeds.records()[number.index()];
    let values = records.iter().step_by(step).flat_map(|number| record(number).values(attribute));
    let of = &compared.lexicon.attributes[attribute.index()];
    let profile = Profile::of(values.map(String::as_str), of.values.len(), of.records);
    let [_, digits, _] = profile.distances(&Profile::default());
    let key = (profile.variety.min(1.0) - 0.3).max(0.0) / 0.7 * (1.0 - 2.0 * digits).max(0.0);
    AttributeTraits { profile, name: name_words(&seeds.attributes()[attribute.index()]), key }
}

fn column_traits(
    column: &super::columns::Column,
    compared: &Compared<'_>,
    documents: &[&quarry_dom::Document],
) -> ColumnTraits {
    let site = compared.site;
    let mut texts: Vec<u32> = column.cells.iter().map(|cell| site.text_of(*cell)).collect();
    texts.sort_unstable();
    texts.dedup();
    let step = texts.len().div_ceil(TEXTS).max(1);
    let texts: Vec<u32> = texts.into_iter().step_by(step).collect();
    let values = texts.iter().map(|text| site.texts[*text as usize].text.as_str());
    let profile = Profile::of(values, column.different as usize, column.cells.len());
    let step = column.cells.len().div_ceil(TEXTS).max(1);
    let (mut title, mut template, mut depth, mut count) = ((0.0, 0.0), 0.0, 0.0, 0.0);
    let mut crowd = 0.0;
    for cell in column.cells.iter().step_by(step) {
        let page = &site.pages[cell.0 as usize];
        let text = site.text(*cell);
        let (of_title, of_text) = overlap(&page.title, &text.tokens);
        title = (title.0 + of_title, title.1 + of_text);
        template += f64::from(u8::from(f64::from(text.pages) > 0.3 * site.pages.len() as f64));
        depth += f64::from(cell.1) / page.leaves.len().max(1) as f64;
        crowd += f64::from(page.leaves[cell.1 as usize].crowd).ln();
        count += 1.0;
    }
    let (constant, strange, pieces) = constant_pieces(&texts, compared);
    let heading = column.keys.iter().any(|(kind, _)| *kind == LocatorKind::Heading);
    ColumnTraits {
        label: Label::of(column, site, documents),
        profile,
        title: (title.0 / count, title.1 / count),
        template: template / count,
        depth: depth / count,
        heading: f64::from(u8::from(heading)),
        crowd: crowd / count,
        constant,
        strange,
        pieces,
        texts,
    }
}

/// Pieces that nine in ten of these texts have: those of the seed, the number of others, and how many pieces a text has.
fn constant_pieces(texts: &[u32], compared: &Compared<'_>) -> (Vec<u32>, usize, f64) {
    let texts = texts.iter().map(|text| &compared.site.texts[*text as usize].tokens);
    let texts: Vec<&TextTokens> = texts.collect();
    let least = (texts.len() * 9).div_ceil(10).max(3);
    let known = often(texts.iter().flat_map(|text| text.known.iter().copied()).collect(), least);
    let strange =
        often(texts.iter().flat_map(|text| text.strange.iter().copied()).collect(), least);
    let pieces: usize = texts.iter().map(|text| text.len()).sum();
    (known, strange.len(), pieces as f64 / texts.len().max(1) as f64)
}

/// The members that come at least so many times.
fn often<T: Ord + Copy>(mut all: Vec<T>, least: usize) -> Vec<T> {
    all.sort_unstable();
    all.chunk_by(|a, b| a == b).filter(|same| same.len() >= least).map(|same| same[0]).collect()
}

/// How much of a page's title a text covers, and how much of the text is in the title.
fn overlap(title: &TextTokens, text: &TextTokens) -> (f64, f64) {
    let common = text.known.iter().filter(|token| title.known.binary_search(token).is_ok()).count();
    (common as f64 / title.len().max(1) as f64, common as f64 / text.len().max(1) as f64)
}
