//! Assigns each string of a record to a group of the template. Its path and column say so: strings
//! are aligned with the columns of their path.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::columns::{Column, Cues, align, text_cue};
use super::decorative;
use super::forest::{Forest, Item, below, path_hash, text_step};
use super::places::{by_path, cues};
use super::strings::{Strings, strings, tags_text_hash};
use crate::model::{ClueFeature, StringPlace};

/// The columns of one path.
#[derive(Default)]
struct PathPlaces {
    columns: Vec<Column>,
    groups: Vec<Option<usize>>,
}

/// The places of a template, made ready.
pub(crate) struct Placer {
    decorative: BTreeSet<u64>,
    /// Names that decorate, for tags that the template does not know.
    usual_decoration: BTreeSet<u64>,
    /// Paths of elements around known places.
    known: BTreeSet<u64>,
    places: BTreeMap<u64, PathPlaces>,
    text: u64,
}

/// The strings of a record and the group of each; `None` where the template knows none.
pub(crate) struct Placed<'s> {
    pub(crate) strings: Cow<'s, Strings>,
    pub(crate) groups: Vec<Option<usize>>,
}

impl Placer {
    /// Prepares places; `decorative` are the paths of decorative tags.
    pub(crate) fn new(all: &[StringPlace], decorative: BTreeSet<u64>) -> Self {
        let mut places: BTreeMap<u64, PathPlaces> = BTreeMap::new();
        let mut known = BTreeSet::new();
        for place in all {
            let mut column = Column::default();
            for cue in &place.cues {
                let is = match cue.about {
                    ClueFeature::Left | ClueFeature::Right => tags_text_hash(&cue.is),
                    _ => text_cue(&cue.is),
                };
                column.set(cue.about, is, cue.share);
            }
            let mut end = 0;
            while let Some(next) = place.path[end..].find('/') {
                known.insert(path_hash(&place.path[..end + next]));
                end += next + 1;
            }
            let own = places.entry(path_hash(&place.path)).or_default();
            own.columns.push(column);
            own.groups.push(place.group);
        }
        let usual_decoration = decorative::usual();
        Self { decorative, usual_decoration, known, places, text: text_step() }
    }

    /// Whether the template does not know the tag, which is of a kind that decorates.
    fn may_decorate(&self, item: &Item) -> bool {
        !item.is_text
            && self.usual_decoration.contains(&item.name)
            && !self.known.contains(&item.path)
    }

    /// Whether a tag is decorative: known to be, or new, of a decorative kind and in the middle of a known text.
    fn is_decorative(&self, item: &Item, above: u64) -> bool {
        self.decorative.contains(&item.path)
            || (self.may_decorate(item) && self.places.contains_key(&below(above, self.text)))
    }

    /// Places the strings of a record.
    pub(crate) fn place(&self, forest: &Forest<'_>) -> Placed<'static> {
        let decorative = |item: &Item, above: u64| self.is_decorative(item, above);
        let strings = strings(forest, decorative, &mut Vec::new());
        let groups = self.groups(&strings, &cues(&strings));
        Placed { strings: Cow::Owned(strings), groups }
    }

    /// Places the strings of a record that the places were mined from: those that were mined, with their cues, unless a
    /// tag decorates now that all places are known.
    pub(crate) fn place_mined<'s>(
        &self,
        forest: &Forest<'_>,
        strings: &'s Strings,
        cues: &[Cues],
    ) -> Placed<'s> {
        let new = |item: &Item| self.may_decorate(item) && !self.decorative.contains(&item.path);
        if forest.items.iter().any(new) {
            return self.place(forest);
        }
        Placed { strings: Cow::Borrowed(strings), groups: self.groups(strings, cues) }
    }

    /// The group of each string.
    fn groups(&self, strings: &Strings, all_cues: &[Cues]) -> Vec<Option<usize>> {
        let mut groups: Vec<Option<usize>> = vec![None; strings.strings.len()];
        let mut cues: Vec<Cues> = Vec::new();
        for own in by_path(strings).chunk_by(|one, other| one.0 == other.0) {
            let Some(places) = self.places.get(&own[0].0) else { continue };
            cues.clear();
            cues.extend(own.iter().map(|&(_, string)| all_cues[string]));
            for (&(_, string), column) in own.iter().zip(align(&places.columns, &cues)) {
                groups[string] = column.and_then(|column| places.groups[column]);
            }
        }
        groups
    }
}
