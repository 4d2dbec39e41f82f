//! Chooses the product ids that are searched for: those that most known sites print (DEXTER §4.2.1), as they are printed.

use std::collections::BTreeSet;

use quarry_extract::spec::{IdKind, ProductId, vote_ids};
use xxhash_rust::xxh3::xxh3_64;

/// Shorter part and model numbers are too common a text to search for.
const MIN_CODE_CHARS: usize = 5;

/// The text to search for: a GTIN as 13 digits or 12 (UPC), an ISBN as 13, others as printed, in quotation marks where
/// they consist of several words.
///
/// ```
/// use quarry_discover::ids::query_of;
/// use quarry_extract::spec::{IdKind, ProductId};
/// let id = |kind, id: &str| ProductId { kind, id: id.to_owned() };
/// assert_eq!(query_of(&id(IdKind::Gtin, "04006381333931")), "4006381333931");
/// assert_eq!(query_of(&id(IdKind::Gtin, "00036000291452")), "036000291452");
/// assert_eq!(query_of(&id(IdKind::Mpn, "XK 200")), "\"XK 200\"");
/// ```
#[must_use]
pub fn query_of(id: &ProductId) -> String {
    match id.kind {
        IdKind::Gtin | IdKind::Isbn => {
            let printed = id
                .id
                .strip_prefix("00")
                .unwrap_or_else(|| id.id.strip_prefix('0').unwrap_or(&id.id));
            printed.to_owned()
        }
        IdKind::Mpn | IdKind::Model | IdKind::Sku if id.id.contains(' ') => {
            format!("\"{}\"", id.id)
        }
        IdKind::Mpn | IdKind::Model | IdKind::Sku => id.id.clone(),
    }
}

/// Whether a search for the id is likely to lead to its product: check-digit numbers are; numbers of makers are if they
/// are long enough and have letters and digits, or many digits; a shop's own numbers are not.
#[must_use]
pub fn is_searchable(id: &ProductId) -> bool {
    let chars = id.id.chars().filter(|char| char.is_alphanumeric());
    let (mut letters, mut digits) = (0, 0);
    for char in chars {
        if char.is_ascii_digit() { digits += 1 } else { letters += 1 }
    }
    match id.kind {
        IdKind::Gtin | IdKind::Isbn => true,
        IdKind::Mpn | IdKind::Model => {
            letters + digits >= MIN_CODE_CHARS && digits > 0 && (letters > 0 || digits >= 7)
        }
        IdKind::Sku => false,
    }
}

/// The ids to search for next, at most `most`: those that at least `tau` sites print, the most printed first. Where fewer
/// than `most` reach that, fewer sites are enough: with a single seed every id has one vote. Among ids with as many votes
/// chance decides, always the same, so that no brand comes first.
#[must_use]
pub fn next_ids<'a>(
    sites: impl Iterator<Item = &'a [ProductId]>,
    searched: &BTreeSet<String>,
    tau: usize,
    most: usize,
) -> Vec<(ProductId, usize)> {
    let mut voted: Vec<(ProductId, usize)> = vote_ids(sites, 1)
        .into_iter()
        .filter(|(id, _)| is_searchable(id) && !searched.contains(&query_of(id)))
        .collect();
    let order = |(id, votes): &(ProductId, usize)| {
        // More votes than the paper asks for say nothing more of an id.
        let votes = (*votes).min(tau);
        (std::cmp::Reverse(votes), id.kind, xxh3_64(id.id.as_bytes()), id.id.clone())
    };
    voted.sort_by_cached_key(order);
    let mut queries = BTreeSet::new();
    voted.retain(|(id, _)| queries.insert(query_of(id)));
    voted.truncate(most);
    voted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(kind: IdKind, id: &str) -> ProductId {
        ProductId { kind, id: id.to_owned() }
    }

    #[test]
    fn which_ids_are_worth_a_search() {
        for (id, expect) in [
            (id(IdKind::Gtin, "04006381333931"), true),
            (id(IdKind::Mpn, "XK-200B"), true),
            (id(IdKind::Mpn, "1234567"), true),
            (id(IdKind::Mpn, "12345"), false),
            (id(IdKind::Model, "X1"), false),
            (id(IdKind::Model, "Aurora"), false),
            (id(IdKind::Sku, "SHOP-100200"), false),
        ] {
            assert_eq!(is_searchable(&id), expect, "{id:?}");
        }
    }

    #[test]
    fn the_most_printed_come_first_and_none_twice() {
        let a = [id(IdKind::Mpn, "AB-1001"), id(IdKind::Mpn, "AB-1002")];
        let b = [id(IdKind::Mpn, "AB-1002"), id(IdKind::Mpn, "AB-1003")];
        let sites = || [a.as_slice(), b.as_slice()].into_iter();
        let found = next_ids(sites(), &BTreeSet::new(), 4, 10);
        assert_eq!(found[0], (id(IdKind::Mpn, "AB-1002"), 2));
        assert_eq!(found.len(), 3);
        let left = next_ids(sites(), &["AB-1002".to_owned()].into(), 4, 1);
        assert_eq!(left.len(), 1);
        assert_ne!(left[0].0.id, "AB-1002");
    }
}
