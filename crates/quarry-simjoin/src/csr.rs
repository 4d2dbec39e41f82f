//! Lists of lists in one vector. One after the other, with the place where each begins.

/// Rows of different lengths in one vector.
#[derive(Debug, Clone)]
pub(crate) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy> Rows<T> {
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.starts.push(self.items.len() as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn row(&self, at: u32) -> &[T] {
        &self.items[self.range(at)]
    }

    /// Where the items of a row stand among all items.
    pub(crate) fn range(&self, at: u32) -> std::ops::Range<usize> {
        let at = at as usize;
        self.starts[at] as usize..self.starts[at + 1] as usize
    }

    /// The items of all rows.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    pub(crate) fn clear(&mut self) {
        self.starts.truncate(1);
        self.items.clear();
    }

    /// Collects `(row, item)` pairs into `rows` rows, in the order given within a row.
    pub(crate) fn grouped(rows: usize, pairs: &[(u32, T)]) -> Self {
        let mut starts = vec![0u32; rows + 1];
        for (row, _) in pairs {
            starts[*row as usize + 1] += 1;
        }
        for at in 0..rows {
            starts[at + 1] += starts[at];
        }
        let Some(&(_, filler)) = pairs.first() else {
            return Self { starts, items: Vec::new() };
        };
        let mut items = vec![filler; pairs.len()];
        let mut next = starts.clone();
        for (row, item) in pairs {
            let at = &mut next[*row as usize];
            items[*at as usize] = *item;
            *at += 1;
        }
        Self { starts, items }
    }
}
