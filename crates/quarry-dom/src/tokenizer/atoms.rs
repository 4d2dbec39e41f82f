//! Caches the atoms of names: making an atom hashes the name and, where it is not one of the
//! standard's, takes a global lock; a page uses the same few names over and over, so the last
//! ones are kept at hand.

use html5ever::{LocalName, local_name};

const SLOTS: usize = 256;

/// A direct-mapped cache from names to atoms.
pub(super) struct Atoms {
    slots: Vec<LocalName>,
}

impl Atoms {
    pub(super) fn new() -> Self {
        Self { slots: vec![local_name!(""); SLOTS] }
    }

    /// The atom of a name in lower case; NUL stands for U+FFFD.
    #[inline]
    pub(super) fn get(&mut self, name: &str) -> LocalName {
        let mut hash = name.len() as u32;
        let mut odd = false;
        for &byte in name.as_bytes() {
            odd |= byte.is_ascii_uppercase() || byte == 0;
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
        if odd {
            let name = name.to_ascii_lowercase().replace('\0', "\u{fffd}");
            return self.get(&name);
        }
        let slot = &mut self.slots[(hash ^ (hash >> 15)) as usize % SLOTS];
        if **slot != *name {
            *slot = LocalName::from(name);
        }
        slot.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_in_lower_case() {
        let mut atoms = Atoms::new();
        for _ in 0..2 {
            assert_eq!(atoms.get("div"), local_name!("div"));
            assert_eq!(atoms.get("DIV"), local_name!("div"));
            assert_eq!(&*atoms.get("Data-Product-Identifier"), "data-product-identifier");
            assert_eq!(&*atoms.get("x\0É"), "x\u{fffd}É");
        }
    }
}
