//! One value of one entity, found in one place; and the port of whoever keeps all of them until tables are made.

use serde::{Deserialize, Serialize};

use crate::{PortError, ValueSource};

/// What a value is to its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceRole {
    /// Its title: the text of a link to it, the first heading of its page.
    Title,
    /// A key, such as a product number: entities of one site with the same key are one.
    Key,
    /// What kind of entity it is: the value names the kind.
    Kind,
    /// The value of an attribute.
    Attribute,
}

/// Who gave an attribute its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NameOrigin {
    /// The site prints it: the heading of a facet, a label, the name in a specification. Or known records have it.
    Printed,
    /// Guessed from mark-up, such as a class: good enough to show, not to merge by.
    Guessed,
    /// There is no name: the id of the slot serves as one.
    Slot,
}

/// One value of one entity, found in one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// `scheme://host:port`.
    pub site: String,
    /// The entity's address.
    pub entity: String,
    /// What the value is to the entity.
    pub role: EvidenceRole,
    /// The attribute's name; for titles and keys it does not matter.
    pub attribute: String,
    /// Who gave the attribute that name.
    pub naming: NameOrigin,
    /// The slot of the template that the value was read from. Slots are told apart even if they have one name.
    pub slot: Option<String>,
    /// The value as the site shows it.
    pub value: String,
    /// Where it comes from.
    pub source: ValueSource,
    /// The page that shows it.
    pub page: String,
    /// The node on that page: an XPath.
    pub path: String,
    /// How sure it is by itself, from 0 to 1.
    pub confidence: f64,
}

impl Evidence {
    /// The confidence as a share, whatever was written.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.confidence.is_nan() { 0.0 } else { self.confidence.clamp(0.0, 1.0) }
    }

    /// What must be equal for two pieces of evidence to say the same of the same: all but the place.
    fn statement(&self) -> (EvidenceRole, ValueSource, &str, NameOrigin, Option<&str>, &str) {
        (self.role, self.source, &self.attribute, self.naming, self.slot.as_deref(), &self.value)
    }

    fn place(&self) -> (&str, &str, u64, &str) {
        (&self.page, &self.path, self.share().to_bits(), &self.entity)
    }
}

/// All evidence of one entity, by what it says and then by place.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityEvidence {
    /// `scheme://host:port`.
    pub site: String,
    /// The evidence; at least one.
    pub evidence: Vec<Evidence>,
}

/// A site's lists show an entity again and again. So many equal pieces of evidence are kept, those of the first places,
/// to tell what most pages say.
pub const MAX_REPETITIONS: usize = 3;

impl EntityEvidence {
    /// Puts evidence of one entity in order and keeps at most [`MAX_REPETITIONS`] repetitions of a value.
    #[must_use]
    pub fn new(site: &str, mut evidence: Vec<Evidence>) -> Self {
        evidence.sort_by(|a, b| {
            a.statement().cmp(&b.statement()).then_with(|| a.place().cmp(&b.place()))
        });
        let mut repeats = 0;
        let mut kept: Vec<Evidence> = Vec::with_capacity(evidence.len());
        for own in evidence {
            let again = kept.last().is_some_and(|last| last.statement() == own.statement());
            repeats = if again { repeats + 1 } else { 0 };
            if repeats < MAX_REPETITIONS {
                kept.push(own);
            }
        }
        Self { site: site.to_owned(), evidence: kept }
    }
}

/// The fragment of the address of a record that has no link of its own.
const RECORD: &str = "record-";

/// An address without what does not tell entities apart: scheme, fragment, slash at the end. The fragment of a record
/// without a link is all that tells it from others of its page, and stays.
#[must_use]
pub fn canonical_address(address: &str) -> &str {
    let address = match address.split_once('#') {
        Some((_, fragment)) if fragment.starts_with(RECORD) => address,
        Some((before, _)) => before,
        None => address,
    };
    let address = address.split_once("://").map_or(address, |(_, after)| after);
    address.strip_suffix('/').unwrap_or(address)
}

/// Keeps evidence as it is found, and gives it back entity by entity.
///
/// Evidence belongs to one entity if site and [`canonical_address`] are equal, or if [`EvidenceStore::join`] said so. Entities
/// come in the order of site and canonical address; what comes does not depend on the order in which it was added.
/// Implementations pass [`crate::conformance::evidence`].
pub trait EvidenceStore {
    /// Keeps a piece of evidence.
    fn add(&mut self, evidence: Evidence) -> Result<(), PortError>;

    /// Forgets all that was added of a site so far.
    fn forget_site(&mut self, site: &str) -> Result<(), PortError>;

    /// Joins entities: evidence of the address `from` is evidence of the entity `to` from now on, also if it is added later.
    /// `to` is not joined to another one.
    fn join(&mut self, site: &str, from: &str, to: &str) -> Result<(), PortError>;

    /// Calls `visit` with every entity, or with those of one site.
    fn each_entity(
        &mut self,
        site: Option<&str>,
        visit: &mut dyn FnMut(EntityEvidence) -> Result<(), PortError>,
    ) -> Result<(), PortError>;
}
