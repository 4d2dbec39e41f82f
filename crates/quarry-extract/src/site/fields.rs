//! What an entity's page says outside its specification: values at the slots of the page template, and embedded data.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, Leaf, NodeId, PageIndex, fold_whitespace};
use quarry_value::ValueKind;

use super::Title;
use crate::attribute::model::Reader;
use crate::detail::learn_details;
use crate::embedded::{EmbeddedThing, Syntax, embedded_things, subject_of};
use crate::model::PageTemplate;
use crate::parallel;
use crate::spec::Spec;

/// Where a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldSource {
    /// A slot whose name the page prints.
    Printed,
    /// A slot without a printed name.
    Page,
    /// Data embedded for machines.
    Embedded,
}

/// A value that an entity's page gives at a learned place or embeds.
#[derive(Clone, Debug, PartialEq)]
pub struct PageField {
    /// What it is called.
    pub name: String,
    /// The value.
    pub value: String,
    /// The node that holds it.
    pub node: NodeId,
    /// The attribute of the node that holds it.
    pub attribute: Option<String>,
    /// The place inside embedded JSON.
    pub pointer: Option<String>,
    /// Where it comes from.
    pub source: FieldSource,
    /// How likely a reader wants it, from 0 to 1.
    pub confidence: f64,
}

/// Pages that all embed the same value prove that it says nothing of their subjects.
const MIN_CONSTANT_PAGES: usize = 3;
/// Slots that are less likely wanted are boilerplate.
const MIN_WANTED: f64 = 0.1;
/// How far embedded data is trusted: written for machines, seldom looked at by people.
const EMBEDDED: f64 = 0.85;
/// Meta tags describe the page as much as its subject.
const META: f64 = 0.4;

/// An object of an application's state with more values is the state of more than the page's subject.
const MAX_STATE: usize = 60;
/// The state of an application holds what readers see, and much that they never do.
const SCRIPT: f64 = 0.3;

/// How far a thing is trusted, at least, beside the one that says most of the page's subject.
const BESIDE: f64 = 0.5;

/// Learns the template of entity pages, and which embedded data is the same on all of them.
pub(super) fn learn<'d>(documents: impl Iterator<Item = &'d Document>) -> PageTemplate {
    let documents: Vec<&Document> = documents.collect();
    let detail = learn_details(&documents);
    let subjects: Vec<Vec<EmbeddedThing>> =
        parallel::map(&documents, |document| subject_of(document, embedded_things(document)));
    let mut values: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for fields in subjects.iter().map(|things| things.iter().flat_map(|thing| &thing.fields)) {
        let mut met = BTreeSet::new();
        for field in fields {
            let (pages, known) = values.entry(&field.name).or_default();
            *pages += usize::from(met.insert(&field.name));
            known.insert(&field.value);
        }
    }
    let is_constant = |(_, (pages, values)): &(&str, (usize, BTreeSet<&str>))| {
        *pages >= MIN_CONSTANT_PAGES && values.len() == 1
    };
    let constant_embedded =
        values.into_iter().filter(is_constant).map(|(name, _)| name.to_owned()).collect();
    PageTemplate { detail, constant_embedded, specs: None }
}

/// The price that a page shows first after its title, where too few pages are there to learn a template from.
fn price_alone(document: &Document, title: Option<&Title>) -> Option<PageField> {
    let index = PageIndex::new(document);
    let text = |leaf: &&Leaf| fold_whitespace(document.text(leaf.node)).trim().to_owned();
    let is_price = |leaf: &&Leaf| {
        !leaf.image && (1..=MAX_PRICE_CHARS).contains(&leaf.chars) && {
            quarry_value::kind(&text(leaf)) == ValueKind::Price
        }
    };
    let begins = title.map_or(NodeId::ROOT, |title| title.node);
    let after = index.leaves.iter().filter(|leaf| leaf.node >= begins).find(is_price);
    let leaf = after.or_else(|| index.leaves.iter().find(is_price))?;
    Some(PageField {
        name: ValueKind::Price.as_str().to_owned(),
        value: text(&leaf),
        node: leaf.node,
        attribute: None,
        pointer: None,
        source: FieldSource::Page,
        confidence: ALONE,
    })
}

/// How sure a value is that only its kind and its place speak for.
const ALONE: f64 = 0.5;
/// Characters of a price, at most.
const MAX_PRICE_CHARS: u32 = 32;

/// Reads the fields of many pages.
pub(super) struct FieldReader<'m> {
    template: &'m PageTemplate,
    slots: Option<Reader<'m>>,
}

impl<'m> FieldReader<'m> {
    pub(super) fn new(template: &'m PageTemplate) -> Self {
        let slots = template.detail.as_ref().map(|detail| Reader::new(&detail.slots));
        Self { template, slots }
    }

    /// The fields of an entity's page, but for what its title and its specification say already.
    pub(super) fn read(
        &self,
        document: &Document,
        title: Option<&Title>,
        specs: &[Spec],
    ) -> Vec<PageField> {
        let mut fields = self.embedded(document);
        let (Some(template), Some(slots)) = (&self.template.detail, &self.slots) else {
            fields.extend(price_alone(document, title));
            return fields;
        };
        let mut specified: Vec<NodeId> = specs
            .iter()
            .flat_map(|spec| spec.pairs.iter().flat_map(|pair| [pair.value_node, pair.name_node]))
            .collect();
        specified.sort_unstable();
        let is_specified = |node: NodeId| {
            let before = specified.partition_point(|&own| own <= node);
            specified[..before]
                .last()
                .is_some_and(|&own| document.contains(own, node) || own == node)
        };
        let is_title = |node: NodeId, value: &str| {
            let is_inside = |title: &Title| document.contains(title.node, node);
            title.is_some_and(|title| title.node == node || title.text == value || is_inside(title))
        };
        for found in slots.read(document) {
            let rule = &template.slots.attributes[found.rule];
            if rule.confidence < MIN_WANTED
                || template.labels.contains(&found.value)
                || is_specified(found.node)
                || is_title(found.node, &found.value)
            {
                continue;
            }
            let is_printed = template.is_printed.get(found.rule) == Some(&true);
            fields.push(PageField {
                name: rule.attribute.clone(),
                value: found.value,
                node: found.node,
                attribute: None,
                pointer: None,
                source: if is_printed { FieldSource::Printed } else { FieldSource::Page },
                confidence: found.confidence,
            });
        }
        fields
    }

    fn embedded(&self, document: &Document) -> Vec<PageField> {
        let things = subject_of(document, embedded_things(document));
        let mut fields = Vec::new();
        let mut said_most: BTreeMap<Syntax, usize> = BTreeMap::new();
        for thing in things {
            // Of an application's state, only many pages tell what varies with their subjects.
            let is_state = matches!(thing.syntax, Syntax::Script | Syntax::Attributes);
            if is_state && (self.template.detail.is_none() || thing.fields.len() > MAX_STATE) {
                continue;
            }
            // Things beside the one that says most are less about the page's subject: its breadcrumbs, the page itself.
            let most = *said_most.entry(thing.syntax).or_insert(thing.fields.len());
            let trust = match thing.syntax {
                Syntax::JsonLd | Syntax::Microdata | Syntax::Rdfa => EMBEDDED,
                Syntax::Script | Syntax::Attributes => SCRIPT,
                Syntax::Meta => META,
            };
            let confidence = trust * (thing.fields.len() as f64 / most as f64).clamp(BESIDE, 1.0);
            for field in thing.fields {
                if self.template.constant_embedded.contains(&field.name) {
                    continue;
                }
                fields.push(PageField {
                    name: field.name,
                    value: field.value,
                    node: field.node,
                    attribute: field.attribute,
                    pointer: field.pointer,
                    source: FieldSource::Embedded,
                    confidence,
                });
            }
        }
        fields
    }
}
