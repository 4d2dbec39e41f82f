//! Where are a record's data units? Its strings are aligned with the places of a template; parts never seen are found by
//! the nearest place or said to be new, and a figure says how well the record fitted.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::NodeId;

use super::attributes::attributes;
use super::classes::{Classes, classes_of};
use super::columns::{Column, align, text_cue};
use super::decorative;
use super::forest::{
    Forest, Item, Names, RecordInput, below, forest, names_hash, path_hash, text_step,
};
use super::places::{by_path, cues};
use super::strings::{Strings, strings, tags_text_hash};
use super::texts::{segments, text_before};
use crate::model::{CueKind, LabelSource, Slot, Template};
use crate::value::{self, Kind};

/// A data unit of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Its slot's id in the site; the parts that the template does not know are all in slot `T.new`.
    pub slot: String,
    /// The label of the slot.
    pub label: Option<String>,
    /// Where the label was found.
    pub label_source: Option<LabelSource>,
    /// The text or the attribute's value, white space folded.
    pub text: String,
    /// The kind of this value.
    pub kind: Kind,
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
    pub units: Vec<Unit>,
    /// The share of strings that the template knows, times the share of neighbours that follow an edge of its graph:
    /// 1 for a record that is a full path.
    pub fit: f64,
}

/// A part of a data string, in its slot.
pub(crate) struct AlignedPart {
    /// The slot's position in [`Template::slots`]; `None` for a part that the template does not know.
    pub(crate) slot: Option<usize>,
    pub(crate) text: String,
    /// The string that it is a part of.
    pub(crate) string: usize,
    /// Whether it is the whole string.
    pub(crate) whole: bool,
    /// The template texts around it; "" where there are tags.
    pub(crate) after: String,
    pub(crate) before: String,
    /// Whether it is the label of the next part.
    pub(crate) names: bool,
}

/// A record's parts.
pub(crate) struct AlignedForest {
    pub(crate) strings: Strings,
    pub(crate) parts: Vec<AlignedPart>,
    /// The slot of the first part of each text, by the text's position among the items.
    pub(crate) slot_of: BTreeMap<usize, String>,
    pub(crate) fit: f64,
}

impl AlignedForest {
    /// The kind of a part's value.
    pub(crate) fn kind(&self, part: &AlignedPart) -> Kind {
        if part.whole { self.strings.strings[part.string].kind } else { value::kind(&part.text) }
    }
}

/// The columns of one path.
struct PathPlaces {
    columns: Vec<Column>,
    groups: Vec<Option<usize>>,
}

/// A template made ready to align records with.
pub struct Aligner<'t> {
    template: &'t Template,
    decorative: BTreeSet<u64>,
    /// Names that decorate, for tags that the template does not know.
    usual_decoration: BTreeSet<u64>,
    /// Classes that stand in the template, by hash.
    classes: BTreeSet<u64>,
    /// Paths of elements around known places.
    known: BTreeSet<u64>,
    places: BTreeMap<u64, PathPlaces>,
    /// Groups of places by their path's names alone, for paths that the template does not know.
    by_names: BTreeMap<u64, Vec<usize>>,
    attributes: BTreeMap<(u64, &'t str, &'t str), &'t str>,
    edges: BTreeSet<(usize, usize)>,
}

impl<'t> Aligner<'t> {
    /// Prepares a template.
    pub fn new(template: &'t Template) -> Self {
        let mut places: BTreeMap<u64, PathPlaces> = BTreeMap::new();
        let mut known = BTreeSet::new();
        let mut classes = BTreeSet::new();
        let mut by_names: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for place in &template.places {
            let mut column = Column::default();
            for cue in &place.cues {
                let is = match cue.about {
                    CueKind::Left | CueKind::Right => tags_text_hash(&cue.is),
                    _ => text_cue(&cue.is),
                };
                column.set(cue.about, is, cue.share);
                if matches!(cue.about, CueKind::Left | CueKind::Right) {
                    classes.extend(classes_of(&cue.is));
                }
            }
            classes.extend(classes_of(&place.path));
            let mut end = 0;
            while let Some(next) = place.path[end..].find('/') {
                known.insert(path_hash(&place.path[..end + next]));
                end += next + 1;
            }
            let path = path_hash(&place.path);
            let own = places
                .entry(path)
                .or_insert(PathPlaces { columns: Vec::new(), groups: Vec::new() });
            own.columns.push(column);
            own.groups.push(place.group);
            by_names.entry(names_hash(&place.path)).or_default().extend(place.group);
        }
        let paths = template.decorative.iter();
        for path in paths.chain(template.attributes.iter().map(|place| &place.path)) {
            classes.extend(classes_of(path));
        }
        let number = |slot: &str| slot.parse::<usize>().ok().and_then(|slot| slot.checked_sub(1));
        let edges =
            template.edges.iter().filter_map(|edge| Some((number(&edge.from)?, number(&edge.to)?)));
        let attributes = template.attributes.iter().map(|place| {
            let key = (path_hash(&place.path), place.at.as_str(), place.attribute.as_str());
            (key, place.slot.as_str())
        });
        Self {
            decorative: template.decorative.iter().map(|path| path_hash(path)).collect(),
            usual_decoration: decorative::usual(),
            classes,
            known,
            places,
            by_names,
            attributes: attributes.collect(),
            edges: edges.collect(),
            template,
        }
    }

    /// Finds the data units of a record.
    pub fn align(&self, record: RecordInput<'_>) -> Aligned {
        let mut names = Names::default();
        let forest = forest(record, Classes::Only(&self.classes), &mut names);
        let aligned = self.align_forest(&forest);
        let mut units = Vec::with_capacity(aligned.parts.len());
        for part in aligned.parts.iter().filter(|part| !part.names) {
            let slot = part.slot.and_then(|slot| self.template.slots.get(slot));
            if slot.is_some_and(|slot| self.repeats(slot, part, &aligned)) {
                continue;
            }
            let node = node_of(&forest, &aligned.strings, part);
            units.push(self.unit(slot, part.text.clone(), aligned.kind(part), node, None));
        }
        for found in attributes(&forest, &aligned.slot_of) {
            let key = (found.key.path, found.key.at.as_str(), found.name);
            let slot = self.attributes.get(&key).and_then(|slot| slot.parse::<usize>().ok());
            let slot = slot.and_then(|slot| self.template.slots.get(slot.checked_sub(1)?));
            if slot.is_some() {
                let text = quarry_dom::fold_whitespace(found.value).into_owned();
                let kind = attribute_kind(found.name, &text);
                let node = forest.items[found.item].node;
                units.push(self.unit(slot, text, kind, node, Some(found.name.to_owned())));
            }
        }
        Aligned { units, fit: aligned.fit }
    }

    /// Whether the part only shows again what its slot's original shows.
    fn repeats(&self, slot: &Slot, part: &AlignedPart, aligned: &AlignedForest) -> bool {
        let original = slot.copy_of.as_deref().and_then(|slot| slot.parse::<usize>().ok());
        let Some(original) = original.and_then(|slot| slot.checked_sub(1)) else { return false };
        aligned.parts.iter().any(|other| other.slot == Some(original) && other.text == part.text)
    }

    fn unit(
        &self,
        slot: Option<&Slot>,
        text: String,
        kind: Kind,
        node: NodeId,
        attribute: Option<String>,
    ) -> Unit {
        let id = slot.map_or("new", |slot| slot.slot.as_str());
        Unit {
            slot: format!("{}.{id}", self.template.template),
            label: slot.and_then(|slot| slot.label.clone()),
            label_source: slot.and_then(|slot| slot.label_source),
            text,
            kind,
            node,
            attribute,
            constant: slot.is_some_and(|slot| slot.constant),
        }
    }

    /// Whether a tag is decorative: known to be, or new, of a decorative kind and in the middle of a known text.
    fn is_decorative(&self, item: &Item, above: u64) -> bool {
        self.decorative.contains(&item.path)
            || (!self.known.contains(&item.path)
                && self.usual_decoration.contains(&item.name)
                && self.places.contains_key(&below(above, text_step())))
    }

    pub(crate) fn align_forest(&self, forest: &Forest<'_>) -> AlignedForest {
        let mut names = Names::default();
        let strings = strings(forest, |item, above| self.is_decorative(item, above), &mut names);
        let mut group_of: Vec<Option<usize>> = vec![None; strings.strings.len()];
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        let all_cues = cues(&strings);
        let mut unknown: Vec<usize> = Vec::new();
        for (path, own) in by_path(&strings) {
            let Some(places) = self.places.get(&path) else {
                unknown.extend(own);
                continue;
            };
            let cues: Vec<_> = own.iter().map(|&string| all_cues[string]).collect();
            for (&string, column) in own.iter().zip(align(&places.columns, &cues)) {
                group_of[string] = column.and_then(|column| places.groups[column]);
                taken.extend(group_of[string]);
            }
        }
        unknown.sort_unstable();
        for string in unknown {
            let path = names.path(strings.strings[string].path);
            let near = self.by_names.get(&names_hash(&path));
            let free =
                near.and_then(|near| near.iter().copied().find(|group| !taken.contains(group)));
            group_of[string] = free;
            taken.extend(free);
        }
        let mut aligned =
            AlignedForest { strings, parts: Vec::new(), slot_of: BTreeMap::new(), fit: 1.0 };
        for (string, group) in group_of.iter().enumerate() {
            self.add_parts(string, *group, &mut aligned);
        }
        self.note_slots(forest, &mut aligned);
        aligned.fit = self.fit(&aligned);
        aligned
    }

    fn add_parts(&self, string: usize, group: Option<usize>, aligned: &mut AlignedForest) {
        let text = aligned.strings.strings[string].text.clone();
        let Some(group) = group.and_then(|group| self.template.groups.get(group)) else {
            let (after, before) = (String::new(), String::new());
            aligned.parts.push(AlignedPart {
                slot: None,
                text,
                string,
                whole: true,
                after,
                before,
                names: false,
            });
            return;
        };
        let found = segments(&text, &group.texts);
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        for (at, (number, range)) in found.iter().enumerate() {
            let (after, nth) = text_before(*number, &group.texts);
            let part = group.parts.iter().find(|part| part.after == after && part.nth == nth);
            let names = part.is_some_and(|part| part.names);
            let slot =
                part.and_then(|part| part.slot.as_deref()?.parse::<usize>().ok()?.checked_sub(1));
            let slot = slot.filter(|&slot| seen.insert(slot));
            let next = found.get(at + 1);
            let before = next.map_or("", |(next, _)| text_before(*next, &group.texts).0);
            aligned.parts.push(AlignedPart {
                slot,
                text: text[range.clone()].to_owned(),
                string,
                whole: found.len() == 1 && range.len() == text.len(),
                after: after.to_owned(),
                before: before.to_owned(),
                names,
            });
        }
    }

    /// Notes which slot each text begins, for the attributes of the elements around.
    fn note_slots(&self, forest: &Forest<'_>, aligned: &mut AlignedForest) {
        for part in aligned.parts.iter().filter(|part| !part.names) {
            let Some(&node) = aligned.strings.strings[part.string].nodes.first() else { continue };
            let position = forest.items.partition_point(|item| item.node < node);
            let slot = part.slot.map_or("new".to_owned(), |slot| (slot + 1).to_string());
            aligned.slot_of.entry(position).or_insert(slot);
        }
    }

    fn fit(&self, aligned: &AlignedForest) -> f64 {
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
fn node_of(forest: &Forest<'_>, strings: &Strings, part: &AlignedPart) -> NodeId {
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
pub(crate) fn attribute_kind(name: &str, value: &str) -> Kind {
    match name {
        "href" | "src" | "srcset" | "poster" | "cite" => Kind::Link,
        _ => value::kind(value),
    }
}
