//! Disjoint sets of numbers; the least member stands for its set.

/// Numbers from 0 in disjoint sets, each alone at first.
pub(crate) struct Groups(Vec<u32>);

impl Groups {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The member that stands for the set of a number.
    pub(crate) fn find(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let up = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = up;
            at = up;
        }
        at
    }

    /// Makes the sets of two numbers one.
    pub(crate) fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
