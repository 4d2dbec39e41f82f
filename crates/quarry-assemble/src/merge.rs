//! Merges columns that say the same.
//!
//! Pairs of columns are proposed by equal names, by values and by nodes, weighed, and joined best first, unless that would bring
//! together columns that one source keeps apart. Precision first: columns that stay apart can be merged later, by hand even;
//! a wrong merge mixes two attributes for good.

use std::collections::BTreeMap;
use std::fmt;

use quarry_model::{EvidenceRole, NameOrigin, ValueSource};
use quarry_value::Meaning;
use serde::Serialize;

use crate::agreement::{Agreement, compare, shown_together};
use crate::groups::Groups;
use crate::hash::Lookup;
use crate::index::{Index, SourceColumn, SourceColumnId};
use crate::rules::ColumnRules;

/// How columns are merged.
#[derive(Clone, Copy, Debug)]
pub struct MergeConfig {
    /// The share of shared entities on which two columns must agree. Default 0.85: each side may be wrong on one entity in thirteen.
    pub min_share: f64,
    /// The share on which they surely agree; see [`Agreement::sure_share`]. Default 0.8: full agreement needs eleven entities,
    /// and nine in ten need forty.
    pub min_sure_share: f64,
    /// The least kappa. Default 0.8, "almost perfect" (Landis and Koch 1977).
    pub min_kappa: f64,
    /// The probability that any merge by values is due to chance, over all pairs of columns. Default 0.001.
    pub max_chance: f64,
    /// Where one column has several values: the least number of different values of the poorer column by that of the richer one.
    /// Default 0.5. Below, the poorer one is a part of the richer one ("Wireless" of "Features").
    pub min_coverage: f64,
    /// The share below which columns contradict each other, on at least [`MIN_SHARED`] entities. Default 0.5.
    pub contradiction: f64,
}

impl Default for MergeConfig {
    fn default() -> Self {
        Self {
            min_share: 0.85,
            min_sure_share: 0.8,
            min_kappa: 0.8,
            max_chance: 0.001,
            min_coverage: 0.5,
            contradiction: 0.5,
        }
    }
}

/// Fewer entities neither prove nor contradict.
pub const MIN_SHARED: usize = 4;
/// Columns of one entity with the same value, beyond which the value (a tick, a dash) tells nothing; and columns of one name
/// in a site that are compared.
const MAX_SAME: usize = 12;

/// Entities whose values tell whether a column is text.
const MAX_LOOKED_AT: usize = 200;

/// Why two columns are one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeReason {
    /// The user says so.
    User,
    /// They hold titles, or keys.
    Role,
    /// They are read from the same nodes.
    Nodes(Agreement),
    /// They have the same name; how far their values agree, where that is known.
    Name(Option<Agreement>),
    /// Their values agree.
    Values(Agreement),
}

impl fmt::Display for MergeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agreement = match self {
            MergeReason::User => return f.write_str("as quarry.toml says"),
            MergeReason::Role => return f.write_str("both are titles or keys"),
            MergeReason::Name(None) => return f.write_str("same name"),
            MergeReason::Nodes(agreement) => {
                return write!(f, "same nodes on {} of {}", agreement.same_place, agreement.shared);
            }
            MergeReason::Name(Some(agreement)) => {
                f.write_str("same name; ")?;
                agreement
            }
            MergeReason::Values(agreement) => agreement,
        };
        let (agreeing, shared) = (agreement.agreeing, agreement.shared);
        write!(f, "same values on {agreeing} of {shared}, by chance {:.2}", agreement.chance)
    }
}

/// Two columns that were joined, or kept apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) a: SourceColumnId,
    pub(crate) b: SourceColumnId,
    pub(crate) why: MergeReason,
}

/// Columns in groups that say the same.
pub(crate) struct Merged {
    /// The group of each column, named by its least column.
    pub(crate) group: Vec<SourceColumnId>,
    /// What joined the groups.
    pub(crate) links: Vec<Link>,
    /// Columns of one name that were kept apart.
    pub(crate) apart: Vec<Link>,
}

/// Groups the columns.
pub(crate) fn merge(index: &Index<'_>, config: &MergeConfig, rules: &ColumnRules) -> Merged {
    let mut merging = Merging {
        index,
        config,
        known: Lookup::default(),
        groups: Groups::new(index.columns.len()),
        members: index.ids().map(|id| vec![id]).collect(),
        merged: Merged { group: Vec::new(), links: Vec::new(), apart: Vec::new() },
    };
    merging.by_rules(rules);
    let (named, elsewhere) = merging.by_name();
    let mut links = merging.by_values();
    links.extend(named);
    // Values only decide where columns do not already have one name.
    links.sort_by(|x, y| rank(y).total_cmp(&rank(x)).then((x.a, x.b).cmp(&(y.a, y.b))));
    for link in links.into_iter().chain(elsewhere) {
        merging.join(link);
    }
    let mut merged = merging.merged;
    merged.group = index.ids().map(|id| SourceColumnId(merging.groups.find(id.0))).collect();
    merged
}

/// The surest first: roles, nodes, names, then values by how well they agree.
fn rank(link: &Link) -> f64 {
    match link.why {
        MergeReason::User => 5.0,
        MergeReason::Role => 4.0,
        MergeReason::Nodes(_) => 3.0,
        MergeReason::Name(_) => 2.0,
        MergeReason::Values(agreement) => agreement.kappa(),
    }
}

struct Merging<'i, 'a> {
    index: &'i Index<'a>,
    config: &'i MergeConfig,
    known: Lookup<(SourceColumnId, SourceColumnId), Agreement>,
    groups: Groups,
    members: Vec<Vec<SourceColumnId>>,
    merged: Merged,
}

impl Merging<'_, '_> {
    fn column(&self, id: SourceColumnId) -> &SourceColumn {
        self.index.column(id)
    }

    fn agreement(&mut self, a: SourceColumnId, b: SourceColumnId) -> Agreement {
        let index = self.index;
        *self
            .known
            .entry((a.min(b), a.max(b)))
            .or_insert_with(|| compare(index, a.min(b), a.max(b)))
    }

    /// Joins what the user says is one.
    fn by_rules(&mut self, rules: &ColumnRules) {
        let mut first: BTreeMap<(&str, &str), SourceColumnId> = BTreeMap::new();
        let index = self.index;
        for (id, column) in index.ids().zip(&index.columns) {
            let is_attribute = column.role == EvidenceRole::Attribute;
            let Some(name) = rules.merged_as(&column.name).filter(|_| is_attribute) else {
                continue;
            };
            match first.get(&(name, column.entity_kind.as_str())) {
                Some(&a) => self.unite(Link { a, b: id, why: MergeReason::User }),
                None => {
                    first.insert((name, column.entity_kind.as_str()), id);
                }
            }
        }
    }

    /// Links between columns of one name: in a site, and between sites.
    fn by_name(&mut self) -> (Vec<Link>, Vec<Link>) {
        let mut names: BTreeMap<(EvidenceRole, Option<u64>), Vec<SourceColumnId>> = BTreeMap::new();
        for (id, column) in self.index.ids().zip(&self.index.columns) {
            match (column.role, column.name_key()) {
                (EvidenceRole::Attribute, None) => {}
                key => names.entry(key).or_default().push(id),
            }
        }
        let (mut links, mut elsewhere) = (Vec::new(), Vec::new());
        for ((role, _), columns) in names {
            for (at, &b) in columns.iter().enumerate() {
                // Columns are sorted by site: those of the same site come last, and the first of another site stands for all.
                let site = &self.column(b).site;
                let own = columns[..at].iter().rev();
                let own = own.take_while(|&&a| self.column(a).site == *site).take(MAX_SAME);
                let own: Vec<SourceColumnId> = own.copied().collect();
                for &a in &own {
                    let why = if role == EvidenceRole::Attribute {
                        let agreement = self.agreement(a, b);
                        MergeReason::Name((agreement.shared > 0).then_some(agreement))
                    } else {
                        MergeReason::Role
                    };
                    links.push(Link { a, b, why });
                }
                if own.is_empty() && at > 0 {
                    let why = if role == EvidenceRole::Attribute {
                        MergeReason::Name(None)
                    } else {
                        MergeReason::Role
                    };
                    elsewhere.push(Link { a: columns[0], b, why });
                }
            }
        }
        (links, elsewhere)
    }

    /// Links between columns whose values, or nodes, are the same beyond chance.
    fn by_values(&mut self) -> Vec<Link> {
        let pairs = candidates(self.index);
        let bar = (pairs.len().max(1) as f64 / self.config.max_chance).ln();
        let mut links = Vec::new();
        for (a, b) in pairs {
            let agreement = self.agreement(a, b);
            let nodes = self.column(a).source != self.column(b).source
                && agreement.shared >= MIN_SHARED
                && agreement.same_place as f64 >= self.config.min_share * agreement.shared as f64;
            let values = agreement.share() >= self.config.min_share
                && agreement.sure_share() >= self.config.min_sure_share
                && agreement.kappa() >= self.config.min_kappa
                && agreement.significance() >= bar
                && (!agreement.several || agreement.coverage >= self.config.min_coverage);
            match (nodes, values) {
                (true, _) => links.push(Link { a, b, why: MergeReason::Nodes(agreement) }),
                (false, true) => links.push(Link { a, b, why: MergeReason::Values(agreement) }),
                (false, false) => {}
            }
        }
        links
    }

    /// Joins the groups of a link unless a pair of their columns forbids it.
    fn join(&mut self, link: Link) {
        let (a, b) = (self.groups.find(link.a.0), self.groups.find(link.b.0));
        if a == b {
            return;
        }
        let (left, right) = (self.members[a as usize].clone(), self.members[b as usize].clone());
        let named = matches!(link.why, MergeReason::Name(_));
        let allowed = left.iter().all(|&a| right.iter().all(|&b| self.compatible(a, b, link.why)));
        if !allowed {
            if named {
                self.merged.apart.push(link);
            }
            return;
        }
        self.unite(link);
    }

    fn unite(&mut self, link: Link) {
        let (a, b) = (self.groups.find(link.a.0), self.groups.find(link.b.0));
        if a == b {
            return;
        }
        self.groups.unite(a, b);
        let other = std::mem::take(&mut self.members[a.max(b) as usize]);
        self.members[a.min(b) as usize].extend(other);
        self.merged.links.push(link);
    }

    fn compatible(&mut self, a: SourceColumnId, b: SourceColumnId, why: MergeReason) -> bool {
        let index = self.index;
        let (left, right) = (index.column(a), index.column(b));
        if why == MergeReason::Role || left.site != right.site {
            return true;
        }
        // Entities of two kinds have different attributes, whatever their names.
        let is_attribute = |column: &SourceColumn| column.role == EvidenceRole::Attribute;
        if left.entity_kind != right.entity_kind && is_attribute(left) && is_attribute(right) {
            return false;
        }
        if left.role != right.role {
            // What repeats the title is the title, unless the site prints a name of its own for it.
            let attribute = if left.role == EvidenceRole::Attribute { left } else { right };
            let title = left.role == EvidenceRole::Title || right.role == EvidenceRole::Title;
            return title && attribute.naming != NameOrigin::Printed;
        }
        let printed = left.naming == NameOrigin::Printed && right.naming == NameOrigin::Printed;
        let same_name = left.name_key().is_some() && left.name_key() == right.name_key();
        if left.source == right.source
            && let Some(differ) = shown_together(self.index, a, b)
        {
            // What one source prints under two names, side by side, is two things for it.
            let lead_in = left.is_lead_in() || right.is_lead_in();
            return !differ && (same_name || !printed || lead_in);
        }
        let agreement = self.agreement(a, b);
        let few = agreement.shared < MIN_SHARED;
        // A guessed name alone is not enough.
        if few && same_name && !printed {
            return false;
        }
        let contradict = if few {
            agreement.shared > 0 && agreement.agreeing == 0
        } else {
            agreement.share() < self.config.contradiction
        };
        // A cell of many values holds what another says by chance: a cloud of all tags beside each post.
        let is_chance = agreement.several
            && agreement.share() < self.config.min_share
            && agreement.kappa() < self.config.contradiction;
        if !few && is_chance && agreement.chance >= self.config.contradiction {
            return false;
        }
        // Texts may say the same in words of their own; numbers, prices and dates do not.
        !contradict || same_name && printed && self.is_text(a) && self.is_text(b)
    }

    /// Whether most of a column's first values are of no other kind than text.
    fn is_text(&self, column: SourceColumnId) -> bool {
        let (mut texts, mut all) = (0, 0);
        for cell in self.index.cells[column.at()].iter().take(MAX_LOOKED_AT) {
            let value = self.index.of(*cell)[0].value;
            let meaning = &self.index.value(value).meaning;
            all += 1;
            texts += usize::from(!matches!(
                meaning,
                Some(Meaning::Quantity(_) | Meaning::Price(_) | Meaning::Date(_))
            ));
        }
        2 * texts > all
    }
}

/// Pairs of columns of one site that may agree on at least [`MIN_SHARED`] entities: sorted. Two columns that one source
/// prints under names of their own are none, unless one of the names is no more than a word before a value.
fn candidates(index: &Index<'_>) -> Vec<(SourceColumnId, SourceColumnId)> {
    let mut counts: BTreeMap<(SourceColumnId, SourceColumnId), usize> = BTreeMap::new();
    let (mut hints, mut of_value) = (Vec::new(), Vec::new());
    for entity in index.sample.chunk_by(|a, b| a.entity == b.entity) {
        hints.clear();
        let mut last = None;
        for own in entity {
            if last.replace(own.value) != Some(own.value) {
                of_value.clear();
                index.value(own.value).hints(&mut of_value);
                hints.extend(of_value.iter().map(|&hint| (hint, own.column)));
            }
        }
        hints.sort_unstable();
        hints.dedup();
        let mut pairs: Vec<(SourceColumnId, SourceColumnId)> = Vec::new();
        for same in hints.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() <= MAX_SAME) {
            for (at, &(_, a)) in same.iter().enumerate() {
                pairs.extend(same[at + 1..].iter().map(|&(_, b)| (a, b)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        for pair in pairs {
            *counts.entry(pair).or_default() += 1;
        }
    }
    let enough = counts.into_iter().filter(|&(_, count)| count >= MIN_SHARED);
    let pairs = enough.map(|(pair, _)| pair).filter(|&(a, b)| {
        let (a, b) = (index.column(a), index.column(b));
        let printed = a.naming == NameOrigin::Printed && b.naming == NameOrigin::Printed;
        let is_compared = |role| !matches!(role, EvidenceRole::Key | EvidenceRole::Kind);
        is_compared(a.role)
            && is_compared(b.role)
            && !(printed && a.role != b.role)
            && !(printed
                && a.source == b.source
                && a.source != ValueSource::Match
                && !a.is_lead_in()
                && !b.is_lead_in())
    });
    pairs.collect()
}
