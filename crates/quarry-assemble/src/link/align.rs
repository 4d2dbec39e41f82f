//! Which columns of different sites are one? Those that agree for linked entities, more than chance would have them agree.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::LinkConfig;
use super::compare::{AGREE, DIFFER, compare_values};
use super::input::{LinkInput, SiteColumnId};
use super::prepare::{Prepared, ValueNo};
use crate::groups::Groups;

/// Linked pairs that must have values in both columns before agreement says anything.
const MIN_COMPARED: u32 = 4;
/// Agreement beyond chance, at its lower bound, from which on two columns are one.
const MIN_AGREEMENT: f64 = 0.4;
/// The same for columns that sites call alike.
const MIN_AGREEMENT_OF_NAMESAKES: f64 = 0.1;
/// What a common name adds where several columns compete.
const NAME_BONUS: f64 = 0.15;
/// Linked pairs after which columns of one name that do not agree are two.
const ENOUGH_COMPARED: u32 = 8;
/// Where chance alone agrees so often, values say nothing about columns, and names decide.
const MOST_CHANCE: f64 = 0.8;
/// Pairs of one thing that are looked at.
const MAX_PAIRS_OF_THING: usize = 12;

/// Columns of several sites that are one attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct AlignedColumn {
    /// What most entities' sites call it.
    pub name: String,
    /// The columns, sorted.
    pub columns: Vec<SiteColumnId>,
    /// Entities that have a value.
    pub entities: u32,
    /// Linked pairs that were compared.
    pub compared: u32,
    /// The share of them that agree, and the share of pairs that agree by chance.
    pub agree: f64,
    /// The share of pairs of different things that agree.
    pub chance: f64,
}

/// How often two columns agreed.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    compared: u32,
    agreed: f64,
    by_chance: u32,
    agreed_by_chance: f64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.compared += other.compared;
        self.agreed += other.agreed;
        self.by_chance += other.by_chance;
        self.agreed_by_chance += other.agreed_by_chance;
    }

    fn chance(&self) -> f64 {
        ((self.agreed_by_chance + 0.1) / (f64::from(self.by_chance) + 1.0)).clamp(1e-3, 0.99)
    }

    /// Agreement beyond chance (Cohen's kappa), with the lower bound of the share (Wilson, one standard deviation).
    fn beyond_chance(&self) -> f64 {
        if self.compared == 0 {
            return 0.0;
        }
        let n = f64::from(self.compared);
        let share = self.agreed / n;
        let spread = (share * (1.0 - share) / n + 0.25 / (n * n)).sqrt();
        let low = (share + 0.5 / n - spread) / (1.0 + 1.0 / n);
        let chance = self.chance();
        (low - chance) / (1.0 - chance)
    }
}

type ColumnPair = (SiteColumnId, SiteColumnId);

/// Aligns the columns by things: entities of each, sorted. Columns of one site alone are left out.
pub(super) fn align(
    input: &LinkInput,
    prepared: &Prepared,
    things: &[Vec<u32>],
    config: &LinkConfig,
) -> Vec<AlignedColumn> {
    let counts = count(prepared, things, config);
    let names: Vec<String> =
        input.columns.iter().map(|column| plain_name(&column.attribute)).collect();
    let mut state = Alignment {
        input,
        names: &names,
        counts: &counts,
        groups: Groups::new(input.columns.len()),
        members: (0..input.columns.len() as u32).map(|at| vec![SiteColumnId(at)]).collect(),
    };
    state.by_values();
    state.by_names();
    state.finish(prepared)
}

/// A name without capitals and marks.
fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

struct Alignment<'a> {
    input: &'a LinkInput,
    names: &'a [String],
    counts: &'a BTreeMap<ColumnPair, Counts>,
    groups: Groups,
    members: Vec<Vec<SiteColumnId>>,
}

impl Alignment<'_> {
    /// Pairs of columns that agree and are each other's best, the surest first.
    fn by_values(&mut self) {
        let score = |pair: &ColumnPair, counts: &Counts| {
            let namesakes = self.names[pair.0.0 as usize] == self.names[pair.1.0 as usize];
            let bonus = if namesakes { NAME_BONUS } else { 0.0 };
            (counts.beyond_chance() + bonus, namesakes)
        };
        let mut best: BTreeMap<(SiteColumnId, u32), f64> = BTreeMap::new();
        let mut edges: Vec<(f64, ColumnPair)> = Vec::new();
        for (pair, counts) in self.counts {
            let (score, namesakes) = score(pair, counts);
            let least = if namesakes { MIN_AGREEMENT_OF_NAMESAKES } else { MIN_AGREEMENT };
            if counts.compared < MIN_COMPARED || counts.beyond_chance() < least {
                continue;
            }
            edges.push((score, *pair));
            for (own, other) in [(pair.0, pair.1), (pair.1, pair.0)] {
                let site = self.input.columns[other.0 as usize].site;
                let known = best.entry((own, site)).or_insert(score);
                *known = known.max(score);
            }
        }
        edges.retain(|(score, (a, b))| {
            let site = |column: SiteColumnId| self.input.columns[column.0 as usize].site;
            let is_best = |own: SiteColumnId, other| best.get(&(own, site(other))) == Some(score);
            is_best(*a, *b) && is_best(*b, *a)
        });
        edges.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, (a, b)) in edges {
            let namesakes = self.names[a.0 as usize] == self.names[b.0 as usize];
            let least = if namesakes { MIN_AGREEMENT_OF_NAMESAKES } else { MIN_AGREEMENT };
            if self.pooled(a, b).beyond_chance() >= least {
                self.join(a, b);
            }
        }
    }

    /// Columns of one name, unless their values say otherwise.
    fn by_names(&mut self) {
        let mut of_name: BTreeMap<&str, Vec<SiteColumnId>> = BTreeMap::new();
        for (name, at) in self.names.iter().zip(0_u32..) {
            if !name.is_empty() {
                of_name.entry(name).or_default().push(SiteColumnId(at));
            }
        }
        for columns in of_name.into_values() {
            for (at, &a) in columns.iter().enumerate() {
                for &b in &columns[at + 1..] {
                    let pooled = self.pooled(a, b);
                    let differ = pooled.compared >= ENOUGH_COMPARED
                        && pooled.beyond_chance() < MIN_AGREEMENT_OF_NAMESAKES
                        && pooled.chance() < MOST_CHANCE;
                    if !differ {
                        self.join(a, b);
                    }
                }
            }
        }
    }

    /// How often the groups of two columns agree.
    fn pooled(&mut self, a: SiteColumnId, b: SiteColumnId) -> Counts {
        let (a, b) = (self.groups.find(a.0), self.groups.find(b.0));
        let mut pooled = Counts::default();
        for own in &self.members[a as usize] {
            for other in &self.members[b as usize] {
                let pair = (*own.min(other), *own.max(other));
                if let Some(counts) = self.counts.get(&pair) {
                    pooled.add(*counts);
                }
            }
        }
        pooled
    }

    /// Makes two groups one, unless a site has a column in both.
    fn join(&mut self, a: SiteColumnId, b: SiteColumnId) {
        let (a, b) = (self.groups.find(a.0), self.groups.find(b.0));
        let place = |column: &SiteColumnId| {
            let column = &self.input.columns[column.0 as usize];
            (column.site, &column.kind)
        };
        let clash = self.members[a as usize]
            .iter()
            .any(|own| self.members[b as usize].iter().any(|other| place(own) == place(other)));
        if a == b || clash {
            return;
        }
        self.groups.unite(a, b);
        let (kept, gone) = (a.min(b) as usize, a.max(b) as usize);
        let more = std::mem::take(&mut self.members[gone]);
        self.members[kept].extend(more);
    }

    fn finish(self, prepared: &Prepared) -> Vec<AlignedColumn> {
        let mut entities = vec![0_u32; self.input.columns.len()];
        for entity in 0..prepared.entities() as u32 {
            let mut last = None;
            for (column, _) in prepared.values.row(entity) {
                if last != Some(*column) {
                    entities[column.0 as usize] += 1;
                    last = Some(*column);
                }
            }
        }
        let mut aligned: Vec<AlignedColumn> = Vec::new();
        for mut columns in self.members.into_iter().filter(|members| !members.is_empty()) {
            let sites = columns.iter().map(|own| self.input.columns[own.0 as usize].site);
            if sites.clone().all(|site| Some(site) == sites.clone().next()) {
                continue;
            }
            columns.sort_unstable();
            let mut counts = Counts::default();
            for (at, a) in columns.iter().enumerate() {
                for b in &columns[at + 1..] {
                    counts.add(self.counts.get(&(*a, *b)).copied().unwrap_or_default());
                }
            }
            let mut of_name: BTreeMap<&str, u32> = BTreeMap::new();
            for own in &columns {
                let name = self.input.columns[own.0 as usize].attribute.as_str();
                *of_name.entry(name).or_default() += entities[own.0 as usize];
            }
            let most = of_name.values().copied().max().unwrap_or(0);
            let name = of_name.iter().find(|(_, own)| **own == most).map_or("", |(name, _)| *name);
            let agree = (counts.agreed + 4.0) / (f64::from(counts.compared) + 5.0);
            aligned.push(AlignedColumn {
                name: name.to_owned(),
                entities: columns.iter().map(|own| entities[own.0 as usize]).sum(),
                compared: counts.compared,
                agree: agree.clamp(0.2, 0.99),
                chance: counts.chance().min(0.95),
                columns,
            });
        }
        aligned.sort_by(|a, b| b.entities.cmp(&a.entities).then(a.columns.cmp(&b.columns)));
        aligned
    }
}

/// Counts for all columns of linked pairs how often they agree, and how often by chance: with the next pair's entity.
fn count(
    prepared: &Prepared,
    things: &[Vec<u32>],
    config: &LinkConfig,
) -> BTreeMap<ColumnPair, Counts> {
    let mut of_sites: BTreeMap<(u32, u32), Vec<(u32, u32)>> = BTreeMap::new();
    let linked = things.iter().filter(|thing| thing.len() > 1).count();
    let step = linked.div_ceil(config.max_aligned_things).max(1);
    for thing in things.iter().filter(|thing| thing.len() > 1).step_by(step) {
        let mut pairs = 0;
        'thing: for apart in 1..thing.len() {
            for at in 0..thing.len() - apart {
                let (mut a, mut b) = (thing[at], thing[at + apart]);
                let site = |entity: u32| prepared.site_of[entity as usize];
                if site(a) > site(b) {
                    (a, b) = (b, a);
                }
                if site(a) != site(b) {
                    of_sites.entry((site(a), site(b))).or_default().push((a, b));
                    pairs += 1;
                }
                if pairs >= MAX_PAIRS_OF_THING {
                    break 'thing;
                }
            }
        }
    }
    let all: Vec<Vec<(u32, u32)>> = of_sites.into_values().collect();
    let counted: Vec<BTreeMap<ColumnPair, Counts>> =
        all.par_iter().map(|pairs| count_pairs(prepared, pairs)).collect();
    let mut counts: BTreeMap<ColumnPair, Counts> = BTreeMap::new();
    for own in counted {
        for (pair, found) in own {
            counts.entry(pair).or_default().add(found);
        }
    }
    counts
}

/// The values of an entity, column by column.
fn columns_of(prepared: &Prepared, entity: u32) -> Vec<&[(SiteColumnId, ValueNo)]> {
    prepared.values.row(entity).chunk_by(|a, b| a.0 == b.0).collect()
}

fn count_pairs(prepared: &Prepared, pairs: &[(u32, u32)]) -> BTreeMap<ColumnPair, Counts> {
    let mut counts: BTreeMap<ColumnPair, Counts> = BTreeMap::new();
    let credit = |share: f64| match share {
        share if share >= AGREE => 1.0,
        share if share >= DIFFER => 0.5,
        _ => 0.0,
    };
    for (at, (a, b)) in pairs.iter().enumerate() {
        let stranger = pairs[(at + 1) % pairs.len()].1;
        let own = columns_of(prepared, *a);
        for (other, is_linked) in [(*b, true), (stranger, false)] {
            if !is_linked && stranger == *b {
                continue;
            }
            let other = columns_of(prepared, other);
            for left in &own {
                for right in &other {
                    let (x, y) = (left[0].0, right[0].0);
                    let likeness = compare_values(prepared, left, right);
                    let found = counts.entry((x.min(y), x.max(y))).or_default();
                    if is_linked {
                        found.compared += 1;
                        found.agreed += credit(likeness.share);
                    } else {
                        found.by_chance += 1;
                        found.agreed_by_chance += credit(likeness.share);
                    }
                }
            }
        }
    }
    counts
}
