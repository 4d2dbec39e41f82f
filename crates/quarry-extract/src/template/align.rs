//! Finds the data units of a record. Its strings are aligned with the places of a template; parts
//! never seen are said to be new, and a figure says how well the record fitted.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::NodeId;

use super::attributes::{At, Key, attributes};
use super::classes::{Classes, classes_of};
use super::cut::{AlignedForest, AlignedPart, Cutter};
use super::forest::{Forest, RecordInput, Steps, forest, path_hash};
use super::label::header;
use super::placer::Placer;
use super::strings::Strings;
use crate::model::{ClueFeature, LabelSource, Slot, Template};
use quarry_value::{self as value, ValueKind};

/// A data unit of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct DataUnit {
    /// Its slot's id in the site; the parts that the template does not know are all in slot `T.new`.
    pub slot: String,
    /// The label of the slot.
    pub label: Option<String>,
    /// Where the label was found.
    pub label_source: Option<LabelSource>,
    /// The text or the attribute's value, white space folded.
    pub text: String,
    /// The kind of this value.
    pub kind: ValueKind,
    /// The element or text that it was read from.
    pub node: NodeId,
    /// The attribute that it was read from, if it is not shown text.
    pub attribute: Option<String>,
    /// Whether all records of the site that have the slot show the same.
    pub constant: bool,
}

/// A record's data units and how well it fits the template.
#[derive(Clone, Debug, PartialEq)]
pub struct Aligned {
    /// The units in document order, those of attributes last.
    pub units: Vec<DataUnit>,
    /// The share of strings that the template knows, times the share of neighbours that follow an edge of its graph:
    /// 1 for a record that is a full path.
    pub fit: f64,
}

/// A template made ready to align records with.
pub struct Aligner<'t> {
    template: &'t Template,
    placer: Placer,
    cutter: Cutter<'t>,
    /// Classes that stand in the template, by hash.
    classes: BTreeSet<u64>,
    /// The slots of attributes, by position.
    attributes: BTreeMap<Key<'t>, usize>,
    edges: BTreeSet<(usize, usize)>,
    /// The ids of the slots in the site.
    ids: Vec<String>,
}

impl<'t> Aligner<'t> {
    /// Prepares a template.
    pub fn new(template: &'t Template) -> Self {
        let mut classes = BTreeSet::new();
        for place in &template.places {
            let sides = place.cues.iter();
            for cue in
                sides.filter(|cue| matches!(cue.about, ClueFeature::Left | ClueFeature::Right))
            {
                classes.extend(classes_of(&cue.is));
            }
            classes.extend(classes_of(&place.path));
        }
        let paths = template.decorative.iter();
        for path in paths.chain(template.attributes.iter().map(|place| &place.path)) {
            classes.extend(classes_of(path));
        }
        let number = |slot: &str| slot.parse::<usize>().ok().and_then(|slot| slot.checked_sub(1));
        let edges =
            template.edges.iter().filter_map(|edge| Some((number(&edge.from)?, number(&edge.to)?)));
        let attributes = template.attributes.iter().filter_map(|place| {
            let (path, at) = (path_hash(&place.path), At::from_text(&place.at)?);
            Some((Key { path, at, name: &place.attribute }, number(&place.slot)?))
        });
        let decorative = template.decorative.iter().map(|path| path_hash(path)).collect();
        let id = |slot: &Slot| format!("{}.{}", template.template, slot.slot);
        Self {
            placer: Placer::new(&template.places, decorative),
            cutter: Cutter::new(&template.groups),
            classes,
            attributes: attributes.collect(),
            edges: edges.collect(),
            ids: template.slots.iter().map(id).collect(),
            template,
        }
    }

    /// The steps of records that are aligned, to be kept from record to record.
    pub(crate) fn steps(&self) -> Steps<'_> {
        Steps::new(Classes::Only(&self.classes))
    }

    /// Finds the data units of a record.
    pub fn align(&self, record: RecordInput<'_>) -> Aligned {
        self.align_with(record, &mut self.steps())
    }

    /// How well a record fits; see [`Aligned::fit`].
    pub(crate) fn fit_with(&self, record: RecordInput<'_>, steps: &mut Steps<'_>) -> f64 {
        let placed = self.placer.place(&forest(record, steps));
        self.fit(&self.cutter.cut(&placed))
    }

    /// Finds the data units of a record, with steps that are kept.
    pub(crate) fn align_with(&self, record: RecordInput<'_>, steps: &mut Steps<'_>) -> Aligned {
        let forest = forest(record, steps);
        let placed = self.placer.place(&forest);
        let aligned = self.cutter.cut(&placed);
        let mut units = Vec::with_capacity(aligned.parts.len());
        for part in aligned.parts.iter().filter(|part| !part.names) {
            let slot = part.slot.filter(|&slot| slot < self.template.slots.len());
            if slot.is_some_and(|slot| self.repeats(slot, part, &aligned)) {
                continue;
            }
            let node = node_of(&forest, aligned.strings, part);
            let mut unit = self.unit(slot, part.text.to_owned(), aligned.kind(part), node, None);
            // Tables of several kinds may share a template: each has its own headers.
            if unit.label.is_none()
                && let Some(label) = header(forest.document, node)
            {
                (unit.label, unit.label_source) = (Some(label), Some(LabelSource::Header));
            }
            units.push(unit);
        }
        for found in attributes(&forest, &aligned.slots(&forest)) {
            let slot = self.attributes.get(&found.key).copied();
            let slot = slot.filter(|&slot| slot < self.template.slots.len());
            if slot.is_some() {
                let name = found.key.name;
                let text = quarry_dom::fold_whitespace(found.value).into_owned();
                let kind = attribute_kind(name, &text);
                let node = forest.items[found.item].node;
                units.push(self.unit(slot, text, kind, node, Some(name.to_owned())));
            }
        }
        Aligned { units, fit: self.fit(&aligned) }
    }

    /// Whether the part only shows again what its slot's original shows.
    fn repeats(&self, slot: usize, part: &AlignedPart<'_>, aligned: &AlignedForest<'_>) -> bool {
        let original = self.template.slots[slot]
            .copy_of
            .as_deref()
            .and_then(|slot| slot.parse::<usize>().ok());
        let Some(original) = original.and_then(|slot| slot.checked_sub(1)) else { return false };
        aligned.parts.iter().any(|other| other.slot == Some(original) && other.text == part.text)
    }

    fn unit(
        &self,
        slot: Option<usize>,
        text: String,
        kind: ValueKind,
        node: NodeId,
        attribute: Option<String>,
    ) -> DataUnit {
        let new = || format!("{}.new", self.template.template);
        let id = slot.map_or_else(new, |slot| self.ids[slot].clone());
        let slot = slot.map(|slot| &self.template.slots[slot]);
        DataUnit {
            slot: id,
            label: slot.and_then(|slot| slot.label.clone()),
            label_source: slot.and_then(|slot| slot.label_source),
            text,
            kind,
            node,
            attribute,
            constant: slot.is_some_and(|slot| slot.constant),
        }
    }

    fn fit(&self, aligned: &AlignedForest<'_>) -> f64 {
        let known: Vec<usize> = aligned.parts.iter().filter_map(|part| part.slot).collect();
        let parts = aligned.parts.iter().filter(|part| !part.names).count();
        if parts == 0 {
            return 0.0;
        }
        let steps =
            known.windows(2).filter(|pair| self.edges.contains(&(pair[0], pair[1]))).count();
        let steps = (steps + 1) as f64 / known.len().max(1) as f64;
        known.len() as f64 / parts as f64 * steps
    }
}

/// The innermost element that shows just this part, or its text node, or the element around it.
fn node_of(forest: &Forest<'_>, strings: &Strings, part: &AlignedPart<'_>) -> NodeId {
    let string = &strings.strings[part.string];
    let document = forest.document;
    let (Some(&first), Some(&last)) = (string.nodes.first(), string.nodes.last()) else {
        return NodeId::ROOT;
    };
    if first == last {
        let parent = document.parent(first).unwrap_or(NodeId::ROOT);
        let only = document.fan_out(parent) == 1;
        return if only && part.whole { parent } else { first };
    }
    let mut around = document.parent(first).unwrap_or(NodeId::ROOT);
    while !document.contains(around, last) {
        around = document.parent(around).unwrap_or(NodeId::ROOT);
    }
    around
}

/// The kind of an attribute's value.
pub(crate) fn attribute_kind(name: &str, value: &str) -> ValueKind {
    match name {
        "href" | "src" | "poster" | "cite" => ValueKind::Link,
        _ => value::kind(value),
    }
}
