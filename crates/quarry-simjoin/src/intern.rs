//! Numbers for words and grams. Numbers are given in order of first appearance, so everything that
//! is counted by them is the same in every run.

use xxhash_rust::xxh3::xxh3_64;

use crate::text::Gram;

const EMPTY: u32 = u32::MAX;

/// Byte strings, numbered.
#[derive(Debug, Clone)]
pub(crate) struct Interner {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// Number and upper half of the hash; a power of two of them.
    table: Vec<(u32, u32)>,
}

impl Default for Interner {
    fn default() -> Self {
        Self { bytes: Vec::new(), ends: Vec::new(), table: vec![(EMPTY, 0); 64] }
    }
}

impl Interner {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The string with a number.
    pub(crate) fn get(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] as usize };
        &self.bytes[start..self.ends[id] as usize]
    }

    fn slot(&self, key: &[u8]) -> (usize, u32) {
        let hash = xxh3_64(key);
        let tag = (hash >> 32) as u32;
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (id, other) = self.table[at];
            if id == EMPTY || other == tag && self.get(id) == key {
                return (at, tag);
            }
            at = (at + 1) & mask;
        }
    }

    pub(crate) fn find(&self, key: &[u8]) -> Option<u32> {
        let (at, _) = self.slot(key);
        Some(self.table[at].0).filter(|id| *id != EMPTY)
    }

    /// The number of a string, new if it was never seen.
    pub(crate) fn intern(&mut self, key: &[u8]) -> u32 {
        let (mut at, tag) = self.slot(key);
        if self.table[at].0 != EMPTY {
            return self.table[at].0;
        }
        if self.len() * 2 >= self.table.len() {
            self.grow();
            at = self.slot(key).0;
        }
        let id = self.len() as u32;
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len() as u32);
        self.table[at] = (id, tag);
        id
    }

    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table = vec![(EMPTY, 0); size];
        for id in 0..self.len() as u32 {
            let (at, tag) = self.slot(self.get(id));
            self.table[at] = (id, tag);
        }
    }

    /// Forgets everything, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.table.fill((EMPTY, 0));
    }
}

/// Grams, numbered.
#[derive(Debug, Clone)]
pub(crate) struct GramTable {
    table: Vec<(Gram, u32)>,
    len: usize,
}

impl Default for GramTable {
    fn default() -> Self {
        Self { table: vec![(0, EMPTY); 256], len: 0 }
    }
}

impl GramTable {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn slot(&self, gram: Gram) -> usize {
        // Fibonacci hashing: the upper bits of the product depend on all bits of the gram.
        let bits = self.table.len().trailing_zeros();
        let mask = self.table.len() - 1;
        let mut at = (gram.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize;
        while self.table[at].1 != EMPTY && self.table[at].0 != gram {
            at = (at + 1) & mask;
        }
        at
    }

    pub(crate) fn find(&self, gram: Gram) -> Option<u32> {
        Some(self.table[self.slot(gram)].1).filter(|id| *id != EMPTY)
    }

    pub(crate) fn intern(&mut self, gram: Gram) -> u32 {
        let mut at = self.slot(gram);
        if self.table[at].1 != EMPTY {
            return self.table[at].1;
        }
        if self.len * 2 >= self.table.len() {
            let size = self.table.len() * 4;
            for (gram, id) in std::mem::replace(&mut self.table, vec![(0, EMPTY); size]) {
                if id != EMPTY {
                    let at = self.slot(gram);
                    self.table[at] = (gram, id);
                }
            }
            at = self.slot(gram);
        }
        let id = self.len as u32;
        self.table[at] = (gram, id);
        self.len += 1;
        id
    }

    /// Gives the gram with number n the number `new[n]`.
    pub(crate) fn renumber(&mut self, new: &[u32]) {
        for (_, id) in self.table.iter_mut().filter(|(_, id)| *id != EMPTY) {
            *id = new[*id as usize];
        }
    }

    pub(crate) fn clear(&mut self) {
        self.table.fill((0, EMPTY));
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_order_and_stay() {
        let mut names = Interner::default();
        let mut grams = GramTable::default();
        for round in 0..2 {
            for i in 0..5000u32 {
                assert_eq!(names.intern(i.to_string().as_bytes()), i, "round {round}");
                assert_eq!(grams.intern(u64::from(i) << 40 | 7), i);
            }
        }
        assert_eq!(names.get(4321), b"4321");
        assert_eq!((names.len(), names.find(b"x")), (5000, None));
        assert_eq!((grams.len(), grams.find(5)), (5000, None));
        names.clear();
        assert_eq!((names.find(b"17"), names.intern(b"17")), (None, 0));
    }
}
