//! Product identifiers. GTIN, EAN, UPC and ISBN by their check digit and label; MPN, model and SKU
//! by label. Ids that several sites print are kept (paper §4.2.1).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::find::SpecPair;
use quarry_value::{Scheme, code};

/// What kind of id it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdKind {
    /// EAN, UPC, JAN: 14 digits with a right check digit.
    Gtin,
    /// A book's number, as 14 digits.
    Isbn,
    /// The manufacturer's number.
    Mpn,
    /// The name or number of the model.
    Model,
    /// The shop's own number: says nothing to other sites.
    Sku,
}

/// An id of a product.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProductId {
    /// What kind of id it is.
    pub kind: IdKind,
    /// The id; GTIN and ISBN as 14 digits, others as printed.
    pub id: String,
}

/// Labels of check-digit numbers, and of others in the order in which they are tried: parts of normalised names.
const CODES: &[&str] = &["ean", "gtin", "upc", "isbn", "jan", "barcode", "strichcode"];
const LABELS: &[(&str, IdKind)] = &[
    ("mpn", IdKind::Mpn),
    ("partnumber", IdKind::Mpn),
    ("partno", IdKind::Mpn),
    ("mfrpart", IdKind::Mpn),
    ("manufacturernumber", IdKind::Mpn),
    ("herstellernummer", IdKind::Mpn),
    ("herstellernr", IdKind::Mpn),
    ("herstellerartikelnummer", IdKind::Mpn),
    ("herstellerartikelnr", IdKind::Mpn),
    ("herstartikelnummer", IdKind::Mpn),
    ("herstellerteilenummer", IdKind::Mpn),
    ("modelnumber", IdKind::Model),
    ("modelno", IdKind::Model),
    ("modellnummer", IdKind::Model),
    ("itemmodel", IdKind::Model),
    ("sku", IdKind::Sku),
    ("itemnumber", IdKind::Sku),
    ("itemno", IdKind::Sku),
    ("artikelnummer", IdKind::Sku),
    ("artikelnr", IdKind::Sku),
    ("artnr", IdKind::Sku),
    ("bestellnummer", IdKind::Sku),
    ("productcode", IdKind::Sku),
];
/// Labels that must be the whole name.
const WHOLE: &[(&str, IdKind)] =
    &[("model", IdKind::Model), ("modell", IdKind::Model), ("modele", IdKind::Model)];

/// Longer texts are no ids.
const MAX_CHARS: usize = 40;

/// The ids among the pairs of a specification, each once, in order of kind.
pub fn product_ids(pairs: &[SpecPair]) -> Vec<ProductId> {
    let found: BTreeSet<ProductId> =
        pairs.iter().filter_map(|pair| product_id(&pair.name, &pair.value)).collect();
    found.into_iter().collect()
}

/// The id that a pair gives.
pub fn product_id(name: &str, value: &str) -> Option<ProductId> {
    let name = super::normal_name(name);
    let value = value.trim();
    if CODES.iter().any(|label| name.starts_with(label) || name.ends_with(label)) {
        let code = code(value)?;
        let kind = match code.scheme {
            Scheme::Gtin => IdKind::Gtin,
            Scheme::Isbn => IdKind::Isbn,
        };
        return Some(ProductId { kind, id: code.gtin });
    }
    let partly = LABELS.iter().find(|(label, _)| name.contains(label));
    let whole = || WHOLE.iter().find(|(label, _)| name == *label);
    let (_, kind) = partly.or_else(whole)?;
    let numbered = value.chars().any(|char| char.is_ascii_digit());
    let short = value.chars().count() <= MAX_CHARS && value.split(' ').count() <= 4;
    (short && numbered).then(|| ProductId { kind: *kind, id: value.to_owned() })
}

/// Ids that at least `tau` sites print, the most printed first. A shop's own numbers do not count.
///
/// ```
/// use quarry_extract::spec::{IdKind, ProductId, vote_ids};
/// let id = |id: &str| ProductId { kind: IdKind::Mpn, id: id.to_owned() };
/// let one = [id("X-100"), id("Y-7")];
/// let other = [id("x 100")];
/// let kept = vote_ids([one.as_slice(), other.as_slice()].into_iter(), 2);
/// assert_eq!(kept, [(id("X-100"), 2)]);
/// ```
pub fn vote_ids<'a>(
    sites: impl Iterator<Item = &'a [ProductId]>,
    tau: usize,
) -> Vec<(ProductId, usize)> {
    let mut votes: BTreeMap<(IdKind, String), (ProductId, usize)> = BTreeMap::new();
    for site in sites {
        let mut own: BTreeSet<(IdKind, String)> = BTreeSet::new();
        for id in site.iter().filter(|id| id.kind != IdKind::Sku) {
            let key = (id.kind, super::normal_name(&id.id));
            if own.insert(key.clone()) {
                votes.entry(key).or_insert_with(|| (id.clone(), 0)).1 += 1;
            }
        }
    }
    let mut kept: Vec<(ProductId, usize)> =
        votes.into_values().filter(|(_, count)| *count >= tau).collect();
    kept.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    kept
}
