//! A piece of evidence as bytes: what it has in common with others of its column is a number, texts have their length before them.

use std::collections::HashMap;
use std::hash::Hash;
use std::io::{Error, ErrorKind};

use quarry_model::{Evidence, EvidenceRole, NameOrigin, ValueSource};
use xxhash_rust::xxh3::Xxh3;

/// The key that evidence is sorted by: site, a zero byte, canonical address.
pub(super) mod key {
    use std::borrow::Cow;

    pub(in super::super) fn of(site: &str, address: &str) -> Vec<u8> {
        let mut key = Vec::with_capacity(site.len() + 1 + address.len());
        key.extend_from_slice(site.as_bytes());
        key.push(0);
        key.extend_from_slice(address.as_bytes());
        key
    }

    pub(in super::super) fn site(key: &[u8]) -> &[u8] {
        key.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    pub(in super::super) fn site_text(key: &[u8]) -> Cow<'_, str> {
        String::from_utf8_lossy(site(key))
    }

    pub(super) fn address(key: &[u8]) -> &[u8] {
        key.get(site(key).len() + 1..).unwrap_or_default()
    }
}

/// What the evidence of one column of a source has in common.
struct Column {
    role: EvidenceRole,
    source: ValueSource,
    naming: NameOrigin,
    attribute: String,
    slot: Option<String>,
}

/// The columns of all sources, by number.
#[derive(Default)]
pub(super) struct Columns {
    all: Vec<Column>,
    /// By a hash of 64 bits, which is enough to tell the columns of any site apart.
    numbers: HashMap<u64, usize>,
}

/// How an entity's address is written: as the key with one of these before it, or in full.
const SCHEMES: [&str; 3] = ["", "http://", "https://"];
const IN_FULL: u8 = SCHEMES.len() as u8;
/// Added where the page is the entity's own.
const OWN_PAGE: u8 = 8;

impl Columns {
    fn number(&mut self, evidence: &Evidence) -> usize {
        let Evidence { role, source, naming, attribute, slot, .. } = evidence;
        let mut hash = Xxh3::new();
        (role, source, naming, attribute, slot).hash(&mut hash);
        let next = self.all.len();
        *self.numbers.entry(hash.digest()).or_insert_with(|| {
            self.all.push(Column {
                role: *role,
                source: *source,
                naming: *naming,
                attribute: attribute.clone(),
                slot: slot.clone(),
            });
            next
        })
    }

    /// Appends a piece of evidence.
    pub(super) fn encode(&mut self, key: &[u8], evidence: &Evidence, out: &mut Vec<u8>) {
        put_number(self.number(evidence), out);
        let entity = evidence.entity.as_bytes();
        let rest = entity.strip_suffix(key::address(key));
        let scheme = SCHEMES.iter().position(|scheme| rest == Some(scheme.as_bytes()));
        let scheme = scheme.map_or(IN_FULL, |at| at as u8);
        let own_page = evidence.page == evidence.entity;
        out.push(scheme + if own_page { OWN_PAGE } else { 0 });
        if scheme == IN_FULL {
            put_text(&evidence.entity, out);
        }
        if !own_page {
            put_text(&evidence.page, out);
        }
        put_text(&evidence.path, out);
        put_text(&evidence.value, out);
        out.extend_from_slice(&evidence.confidence.to_le_bytes());
    }

    /// The evidence that stands one after the other in `bytes`.
    pub(super) fn decode_all<'a>(
        &'a self,
        key: &'a [u8],
        mut bytes: &'a [u8],
    ) -> impl Iterator<Item = Result<Evidence, Error>> + use<'a> {
        std::iter::from_fn(move || {
            (!bytes.is_empty()).then(|| {
                let decoded = self.decode(key, &mut bytes);
                if decoded.is_none() {
                    bytes = &[];
                }
                decoded.ok_or_else(|| Error::new(ErrorKind::InvalidData, "not a piece of evidence"))
            })
        })
    }

    fn decode(&self, key: &[u8], bytes: &mut &[u8]) -> Option<Evidence> {
        let column = self.all.get(take_number(bytes)?)?;
        let (how, rest) = bytes.split_first()?;
        *bytes = rest;
        let entity = match how % OWN_PAGE {
            IN_FULL => take_text(bytes)?,
            scheme => {
                let address = std::str::from_utf8(key::address(key)).ok()?;
                format!("{}{address}", SCHEMES.get(usize::from(scheme))?)
            }
        };
        let page = if *how >= OWN_PAGE { entity.clone() } else { take_text(bytes)? };
        let (path, value) = (take_text(bytes)?, take_text(bytes)?);
        let (confidence, rest) = bytes.split_first_chunk::<8>()?;
        *bytes = rest;
        Some(Evidence {
            site: String::from_utf8_lossy(key::site(key)).into_owned(),
            entity,
            role: column.role,
            attribute: column.attribute.clone(),
            naming: column.naming,
            slot: column.slot.clone(),
            value,
            source: column.source,
            page,
            path,
            confidence: f64::from_le_bytes(*confidence),
        })
    }
}

/// Seven bits a byte, the lowest first; all bytes but the last have the eighth.
pub(super) fn put_number(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..usize::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    put_number(text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

fn take_text(bytes: &mut &[u8]) -> Option<String> {
    let length = take_number(bytes)?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    String::from_utf8(text.to_vec()).ok()
}
