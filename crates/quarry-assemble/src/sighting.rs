//! What was seen of an entity, and where?

use quarry_model::{ValueRow, ValueSource};

/// Who gave an attribute its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Naming {
    /// The site prints it: the heading of a facet, a label, the name in a specification. Or known records have it.
    Printed,
    /// Guessed from mark-up, such as a class: good enough to show, not to merge by.
    Guessed,
    /// Nobody: the name is the id of a slot.
    Slot,
}

/// What a sighting says of its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says<'a> {
    /// The entity has the value for an attribute.
    Attribute {
        /// The attribute's name.
        name: &'a str,
        /// Who gave it that name.
        naming: Naming,
        /// The slot of the template that the value was read from. Slots are told apart even if they have one name.
        slot: Option<&'a str>,
    },
    /// The value is the entity's title: the text of a link to it, its page's first heading.
    Title,
    /// The value is a key of the entity, such as a product number: entities of one site with the same key are one.
    Key,
}

/// One value of one entity, seen in one place. Borrowed: there are millions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting<'a> {
    /// `scheme://host:port`.
    pub site: &'a str,
    /// The entity's address.
    pub entity: &'a str,
    /// What is said.
    pub says: Says<'a>,
    /// The value as the site shows it.
    pub value: &'a str,
    /// Where it comes from.
    pub source: ValueSource,
    /// The page that shows it.
    pub page: &'a str,
    /// The node on that page.
    pub path: &'a str,
    /// How sure it is by itself, from 0 to 1.
    pub confidence: f64,
}

impl<'a> Sighting<'a> {
    /// The sighting of a row whose attribute the site names.
    pub fn printed(row: &'a ValueRow) -> Self {
        let naming = Naming::Printed;
        Self::of(row, Says::Attribute { name: &row.attribute, naming, slot: None })
    }

    /// The sighting of a row of a list record: `naming` says where the row's attribute name comes from.
    pub fn in_slot(row: &'a ValueRow, slot: &'a str, naming: Naming) -> Self {
        Self::of(row, Says::Attribute { name: &row.attribute, naming, slot: Some(slot) })
    }

    /// The sighting of a row whose value is the entity's title; the row's attribute does not matter.
    pub fn title(row: &'a ValueRow) -> Self {
        Self::of(row, Says::Title)
    }

    /// The sighting of a row whose value is a key of the entity; the row's attribute does not matter.
    pub fn key(row: &'a ValueRow) -> Self {
        Self::of(row, Says::Key)
    }

    fn of(row: &'a ValueRow, says: Says<'a>) -> Self {
        Self {
            site: &row.site,
            entity: &row.entity,
            says,
            value: &row.value,
            source: row.source,
            page: &row.page,
            path: &row.path,
            confidence: row.confidence,
        }
    }

    /// The confidence as a share.
    pub(crate) fn share(&self) -> f64 {
        if self.confidence.is_nan() { 0.0 } else { self.confidence.clamp(0.0, 1.0) }
    }
}
