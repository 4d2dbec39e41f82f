//! Recently offered addresses: a table of fixed size that remembers fingerprints; of those that share a
//! slot the last is kept.
//!
//! A site's menu stands on every page: without this, every page would ask the frontier about the
//! same addresses again.

/// Places in a table: 2 MB at 16 bytes each.
const PLACES: usize = 1 << 17;

/// Fingerprints with a number each.
#[derive(Debug)]
pub(crate) struct Recent {
    /// Fingerprint 0 marks an empty place; the address with that fingerprint is never remembered.
    places: Vec<(u64, u32)>,
}

impl Recent {
    pub(crate) fn new() -> Self {
        Self { places: vec![(0, 0); PLACES] }
    }

    /// Whether `fingerprint` is remembered with this number or a lesser one. If not, it is from now
    /// on.
    pub(crate) fn knows(&mut self, fingerprint: u64, number: u32) -> bool {
        let place = &mut self.places[(fingerprint >> 40) as usize % PLACES];
        if place.0 == fingerprint && place.1 <= number && fingerprint != 0 {
            return true;
        }
        *place = (fingerprint, number);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_the_least_number() {
        let mut recent = Recent::new();
        assert!(!recent.knows(7, 3));
        assert!(recent.knows(7, 3));
        assert!(recent.knows(7, 5));
        assert!(!recent.knows(7, 2), "a lesser depth is news");
        assert!(recent.knows(7, 2));
    }
}
