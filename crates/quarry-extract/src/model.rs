//! The stored model of a site. Plain, versioned data that prints as text: the record templates of
//! its clusters of pages.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use url::Url;

use crate::attribute::AttributeModel;
use crate::detail::DetailTemplate;
use crate::links::{KnownEntities, UrlShape};
use crate::site::BaselineYield;
use crate::spec::SpecModel;
use quarry_value::ValueKind;

/// The version that [`SiteModel::version`] has; readers refuse others.
pub const MODEL_VERSION: u32 = 2;

/// What was learned of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteModel {
    /// [`MODEL_VERSION`] when it was made.
    pub version: u32,
    /// The record templates, the answers' first.
    pub templates: Vec<Template>,
    /// Whether every page is about one entity: a folder of such pages, and no lists that lead to them.
    #[serde(default)]
    pub is_details: bool,
    /// What links to entities look like, and where they lead.
    #[serde(default)]
    pub entities: KnownEntities,
    /// What the elements around records look like, `li.card`, sorted; where a record is several elements, its first.
    #[serde(default)]
    pub records: Vec<String>,
    /// Where a record is several elements: what those behind the first look like, sorted.
    #[serde(default)]
    pub following: Vec<String>,
    /// Which words of data units are names, by slot.
    #[serde(default)]
    pub units: Vec<UnitRule>,
    /// The slots that tell records without links apart, sorted.
    #[serde(default)]
    pub identity: BTreeSet<String>,
    /// The kinds of entities, the one with most pages first.
    #[serde(default)]
    pub kinds: Vec<EntityKind>,
    /// What the addresses of lists look like that other lists lead to: departments are no entities.
    #[serde(default)]
    pub lists: Vec<UrlShape>,
    /// Where attributes of known records stand on entity pages.
    #[serde(default)]
    pub attributes: Option<AttributeModel>,
    /// Words that all values of such an attribute begin with, up to a colon: labels in the same text.
    #[serde(default)]
    pub prefixes: BTreeMap<String, String>,
    /// What its pages gave when it was learned, to notice when they no longer do.
    #[serde(default)]
    pub usual: BaselineYield,
}

impl Default for SiteModel {
    fn default() -> Self {
        Self {
            version: MODEL_VERSION,
            templates: Vec::new(),
            is_details: false,
            entities: KnownEntities::new(),
            records: Vec::new(),
            following: Vec::new(),
            units: Vec::new(),
            identity: BTreeSet::new(),
            kinds: Vec::new(),
            lists: Vec::new(),
            attributes: None,
            prefixes: BTreeMap::new(),
            usual: BaselineYield::default(),
        }
    }
}

impl SiteModel {
    /// The kind of the entity with this address; the only one there is, whatever the address.
    #[must_use]
    pub fn kind_of(&self, address: &Url) -> Option<&EntityKind> {
        self.kind_at(address).and_then(|at| self.kinds.get(at))
    }

    /// The place of that kind among all.
    pub(crate) fn kind_at(&self, address: &Url) -> Option<usize> {
        if self.kinds.len() == 1 {
            return Some(0);
        }
        self.kinds.iter().position(|kind| kind.shapes.iter().any(|shape| shape.fits(address)))
    }
}

/// A kind of entities: films, people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EntityKind {
    /// What the site calls it.
    pub name: String,
    /// What the addresses of its entities look like.
    pub shapes: Vec<UrlShape>,
    /// The template of its pages.
    pub page: PageTemplate,
}

/// The template of the pages of one kind of entities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageTemplate {
    /// Where specifications stand.
    pub specs: Option<SpecModel>,
    /// Places of values that no specification holds.
    pub detail: Option<DetailTemplate>,
    /// Names of embedded data that say the same on every page: the site's own name, its language.
    pub constant_embedded: BTreeSet<String>,
}

/// What the units of a slot say, beside their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitRule {
    /// The slot's id in the site.
    pub slot: String,
    /// The word or two that each unit begins with and that name its value: `by`.
    pub lead: Option<String>,
    /// Names inside the units, each before a value of its own: `Cuisine: Thai Area: Old Town`.
    pub inside: Vec<String>,
    /// What a slot without a printed name holds, by its values and what stands beside them.
    pub name: Option<String>,
}

/// How the records of one kind are made: the template graph, and how to find its slots in a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Template {
    /// Its number in the site, from 1.
    pub template: usize,
    /// The cluster of pages that it was mined from.
    pub cluster: usize,
    /// The records that it was mined from.
    pub records: usize,
    /// Of them, those that no full path of the graph fits: false records, mostly.
    pub outliers: usize,
    /// The slots in an order in which no edge points back; those of attributes come last.
    pub slots: Vec<Slot>,
    /// Which slot follows which.
    pub edges: Vec<Edge>,
    /// Paths of tags that only embellish a part of a data unit.
    pub decorative: Vec<String>,
    /// Where data strings stand in a record, by path and column.
    pub places: Vec<StringPlace>,
    /// What the strings of places become.
    pub groups: Vec<Group>,
    /// Attributes that are data.
    pub attributes: Vec<AttributePlace>,
}

/// A data slot (paper, definition 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slot {
    /// Its id: the place in its template, from 1; in lines for a reader, the template's number before it.
    pub slot: String,
    /// What names it.
    pub label: Option<String>,
    /// Where the label was found.
    pub label_source: Option<LabelSource>,
    /// The kind of most of its values.
    pub kind: ValueKind,
    /// Records that have it.
    pub support: usize,
    /// Whether full paths of the graph go around it.
    pub optional: bool,
    /// Whether all records that have it show the same, false records aside.
    pub constant: bool,
    /// The slot whose values it repeats, as pages do that show a value once more elsewhere in the record.
    pub copy_of: Option<String>,
    /// The most common template string before it.
    pub left: String,
    /// The most common template string behind it.
    pub right: String,
    /// The attribute that it is read from, if it is not shown text.
    pub attribute: Option<String>,
    /// Two of its values.
    pub samples: Vec<String>,
}

/// Where a label came from, the most trustworthy first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelSource {
    /// Template text at the beginning of the value or before it.
    Text,
    /// The header cell of the value's column.
    Header,
    /// `title`, `alt` or `aria-label`, the same in all records.
    Attribute,
    /// `itemprop` or `property`.
    Property,
    /// A class: a guess.
    Class,
    /// What the values are: a guess.
    Meaning,
}

/// An edge of the template graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// The slot before.
    pub from: String,
    /// The slot behind.
    pub to: String,
    /// Records that have the one right before the other.
    pub support: usize,
}

/// Where data strings stand: one of the columns of strings with the same path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StringPlace {
    /// The steps from the record's root, `div.title/a/#text`.
    pub path: String,
    /// What its strings have in common, to tell the columns of one path apart.
    pub cues: Vec<StringClue>,
    /// Records that have a string here.
    pub support: usize,
    /// The group that the strings belong to; `None` where too few records have them.
    pub group: Option<usize>,
}

/// Something that the strings of a place have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StringClue {
    /// What it is about.
    pub about: ClueFeature,
    /// What it is: a text, or a template string.
    pub is: String,
    /// The share of the place's strings that have it.
    pub share: f64,
}

/// What a cue is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClueFeature {
    /// The text before it in the record.
    Before,
    /// The text itself.
    Own,
    /// The beginning of the text, up to a colon.
    Prefix,
    /// The template string before it.
    Left,
    /// The template string behind it.
    Right,
    /// The kind of value.
    Kind,
}

/// Strings of one meaning; template texts inside them part them into slots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Template texts, the longest first.
    pub texts: Vec<String>,
    /// The slot of what stands behind each template text, or of what stands first ("").
    pub parts: Vec<Part>,
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The template text before the part; "" at the beginning.
    pub after: String,
    /// How many of that template text come before that one in the string.
    pub nth: usize,
    /// Its slot; `None` where too few records have it or it is a label.
    pub slot: Option<String>,
    /// Whether it is the label of what follows it: template, not data.
    pub names: bool,
}

/// An attribute that is data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributePlace {
    /// The element's path.
    pub path: String,
    /// The slot of the first text in the element, or `#n` for the n-th one of this path that holds no text.
    pub at: String,
    /// The attribute's name.
    pub attribute: String,
    /// Its slot.
    pub slot: String,
}
