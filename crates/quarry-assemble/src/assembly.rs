//! From evidence to one table, with bounded memory: a sample decides the columns, a second pass counts them, and every
//! further pass gives the entities one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use quarry_model::{EntityEvidence, Evidence, EvidenceStore, PortError};
use rayon::prelude::*;

use crate::column::{Column, Columns, Draft, Merge, drafts, finish};
use crate::entity::{Entity, Layout};
use crate::index::Index;
use crate::merge::{MergeConfig, merge};
use crate::rules::ColumnRules;
use crate::sketch::DistinctCount;
use crate::survey::{Survey, survey};
use crate::titles::shared_titles;

/// How a table is assembled.
#[derive(Clone, Debug)]
pub struct AssembleConfig {
    /// What the user says of columns.
    pub columns: ColumnRules,
    /// How columns are merged.
    pub merge: MergeConfig,
    /// Memory for the sample of entities that decides the columns, in bytes of evidence. Default 64 MiB, some 150,000 pieces: a
    /// site with less is looked at as a whole.
    pub sample_bytes: usize,
    /// Of the entities that several lists show, the share with other values on some of them, from which on a slot of the lists tells
    /// of the query and not of the entity, and is left out. Default 0.5.
    pub max_varying_share: f64,
}

impl Default for AssembleConfig {
    fn default() -> Self {
        Self {
            columns: ColumnRules::default(),
            merge: MergeConfig::default(),
            sample_bytes: 64 << 20,
            max_varying_share: 0.5,
        }
    }
}

/// The assembled table: its columns, and how the evidence of an entity fills them.
#[derive(Debug)]
pub struct Assembly {
    /// The columns: titles and keys, then attributes, the fullest first.
    pub columns: Vec<Column>,
    /// Entities.
    pub entities: usize,
    /// Entities by their kind.
    pub kinds: BTreeMap<String, usize>,
    /// Slots of lists that are left out because they tell of the query: site and slot.
    pub left_out: BTreeSet<(String, String)>,
    site: Option<String>,
    layout: Layout,
}

/// Decides the table of all evidence, or of that of one site. Entities with a common key are joined in the store. The order in
/// which evidence was added does not matter.
pub fn assemble(
    store: &mut dyn EvidenceStore,
    site: Option<&str>,
    config: &AssembleConfig,
) -> Result<Assembly, PortError> {
    let Survey { sample, is_whole, query_slots } = survey(store, site, config)?;
    let left_out = query_slots.names.clone();
    let sample: Vec<Vec<Evidence>> = sample
        .into_iter()
        .map(|entity| {
            entity.evidence.into_iter().filter(|own| !query_slots.has(own)).collect::<Vec<_>>()
        })
        .filter(|evidence| !evidence.is_empty())
        .collect();
    let titles = shared_titles(&sample);
    let index = Index::new(&sample, &config.columns);
    let merged = merge(&index, &config.merge, &config.columns);
    let (mut drafts, fillings) = drafts(&index, &merged, &config.columns);
    let mut of_source = vec![0; index.columns.len()];
    for (at, draft) in (0_u32..).zip(&drafts) {
        draft.members.iter().for_each(|member| of_source[member.at()] = at);
    }
    let columns = drafts.iter().map(|draft| &draft.column);
    let mut layout = Layout::new(&index, &of_source, columns, fillings, query_slots, titles);
    let mut counts = Counts::new(drafts.len());
    if is_whole {
        for batch in sample.chunks(AT_ONCE) {
            counts.add(&mut layout, batch);
        }
    } else {
        each_batch(store, site, &mut |batch| {
            counts.add(&mut layout, batch);
            Ok(())
        })?;
    }
    counts.tell(&mut drafts);
    let Layout { fillings, query_slots, shared_titles: titles, .. } = layout;
    let Columns { columns, fillings, of_source } =
        finish(&index, &merged, drafts, fillings, &config.columns);
    let layout = Layout::new(&index, &of_source, columns.iter(), fillings, query_slots, titles);
    let site = site.map(str::to_owned);
    let Counts { entities, kinds, .. } = counts;
    Ok(Assembly { columns, entities, kinds, left_out, site, layout })
}

/// Entities that are worked on at once, on all cores.
const AT_ONCE: usize = 512;

/// The evidence of many entities.
type Batch = [Vec<Evidence>];

/// Calls `visit` with the evidence of many entities at a time.
fn each_batch(
    store: &mut dyn EvidenceStore,
    site: Option<&str>,
    visit: &mut dyn FnMut(&Batch) -> Result<(), PortError>,
) -> Result<(), PortError> {
    let mut batch: Vec<Vec<Evidence>> = Vec::with_capacity(AT_ONCE);
    let mut room = AT_EVIDENCE;
    store.each_entity(site, &mut |EntityEvidence { evidence, .. }| {
        room = room.saturating_sub(evidence.len());
        batch.push(evidence);
        if batch.len() == AT_ONCE || room == 0 {
            visit(&batch)?;
            batch.clear();
            room = AT_EVIDENCE;
        }
        Ok(())
    })?;
    visit(&batch)
}

/// Pieces of evidence that are worked on at once: entities may have very many.
const AT_EVIDENCE: usize = 50_000;

/// What is counted of the columns over all entities.
struct Counts {
    entities: usize,
    /// Entities by their kind.
    kinds: BTreeMap<String, usize>,
    columns: Vec<ColumnCounts>,
}

#[derive(Clone, Default)]
struct ColumnCounts {
    entities: usize,
    kinds: BTreeMap<String, usize>,
    conflicts: usize,
    distinct: DistinctCount,
}

impl Counts {
    fn new(columns: usize) -> Self {
        Self {
            entities: 0,
            kinds: BTreeMap::new(),
            columns: vec![ColumnCounts::default(); columns],
        }
    }

    fn add(&mut self, layout: &mut Layout, batch: &Batch) {
        let entities: Vec<Option<Entity<'_>>> =
            batch.par_iter().map(|evidence| layout.entity(evidence)).collect();
        for entity in entities.into_iter().flatten() {
            self.entities += 1;
            count(&mut self.kinds, entity.kind);
            for cell in &entity.cells {
                let counts = &mut self.columns[cell.column];
                counts.entities += 1;
                count(&mut counts.kinds, entity.kind);
                counts.conflicts += usize::from(cell.conflict);
                for own in cell.values.iter().flat_map(|value| &value.items) {
                    let value = own.value(&entity.statements);
                    if !value.is_empty() {
                        counts.distinct.add(value.exact);
                    }
                }
            }
            for own in &entity.statements {
                if let Some(items) = &mut layout.fillings[own.column as usize].items {
                    items.learn(&own.value);
                }
            }
        }
    }

    /// Writes the counts into the columns.
    fn tell(&self, drafts: &mut [Draft]) {
        for (Draft { column, .. }, counts) in drafts.iter_mut().zip(&self.columns) {
            column.entities = counts.entities;
            column.kinds.extend(counts.kinds.iter().map(|(kind, n)| (kind.clone(), *n)));
            let kinds = column.kinds.keys().filter_map(|kind| self.kinds.get(kind));
            column.fill = counts.entities as f64 / kinds.sum::<usize>().max(1) as f64;
            column.distinct = counts.distinct.count();
            column.conflicts = counts.conflicts;
        }
    }
}

fn count(counts: &mut BTreeMap<String, usize>, kind: &str) {
    match counts.get_mut(kind) {
        Some(count) => *count += 1,
        None => {
            counts.insert(kind.to_owned(), 1);
        }
    }
}

impl Assembly {
    /// Calls `visit` with every entity, by site and address. `store` is the one that the table was decided from.
    pub fn each_entity(
        &self,
        store: &mut dyn EvidenceStore,
        visit: &mut dyn FnMut(&Entity<'_>) -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        each_batch(store, self.site.as_deref(), &mut |batch| {
            let entities: Vec<Option<Entity<'_>>> =
                batch.par_iter().map(|evidence| self.layout.entity(evidence)).collect();
            entities.iter().flatten().try_for_each(&mut *visit)
        })
    }

    /// The columns as text, and why they were merged.
    #[must_use]
    pub fn dump(&self) -> String {
        let mut out = format!("{} entities, {} columns\n", self.entities, self.columns.len());
        for column in &self.columns {
            let list = if column.list { "list of " } else { "" };
            let _ = writeln!(
                out,
                "{}: {list}{}, {:.0} % filled, {} values, {} conflicts: {}",
                column.name,
                column.kind,
                100.0 * column.fill,
                column.distinct,
                column.conflicts,
                column.examples.join(" | "),
            );
            for name in &column.names {
                let _ = writeln!(out, "  {name}");
            }
            for Merge { left, right, why } in &column.merged {
                let _ = writeln!(out, "  {left} = {right}: {why}");
            }
            for Merge { left, right, why } in &column.apart {
                let _ = writeln!(out, "  {left} kept apart from {right}: {why}");
            }
        }
        out
    }
}
