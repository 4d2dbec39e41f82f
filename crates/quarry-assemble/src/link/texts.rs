//! Many texts in one piece of memory, numbered; rows of numbers in one vector.

use crate::hash::{self, Lookup};

/// Texts one after the other: a number leads to each. At most 4 GB.
#[derive(Default)]
pub(super) struct Texts {
    bytes: String,
    ends: Vec<u32>,
}

impl Texts {
    pub(super) fn push(&mut self, text: &str) -> u32 {
        self.bytes.push_str(text);
        self.ends.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
        (self.ends.len() - 1) as u32
    }

    pub(super) fn get(&self, number: u32) -> &str {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        self.bytes.get(start..self.ends[at] as usize).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Texts, each once.
#[derive(Default)]
pub(super) struct DifferentTexts {
    pub(super) texts: Texts,
    pub(super) known: Lookup<u64, u32>,
}

impl DifferentTexts {
    /// The number of a text; a new one if it was not there.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let mut key = hash::of(text);
        loop {
            match self.known.get(&key) {
                Some(&number) if self.texts.get(number) == text => return number,
                Some(_) => key = key.wrapping_add(1),
                None => {
                    let number = self.texts.push(text);
                    self.known.insert(key, number);
                    return number;
                }
            }
        }
    }

    /// The texts alone: nothing more is looked up.
    pub(super) fn into_texts(mut self) -> Texts {
        self.texts.shrink();
        self.texts
    }
}

/// Rows of different lengths, one after the other.
pub(super) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy + Default> Rows<T> {
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.starts.push(self.items.len() as u32);
    }

    pub(super) fn row(&self, at: u32) -> &[T] {
        let at = at as usize;
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Puts items into rows by counting: `each` is called twice and must give the same items.
    pub(super) fn by_counting(rows: usize, each: impl Fn(&mut dyn FnMut(u32, T))) -> Self {
        let mut starts = vec![0_u32; rows + 1];
        each(&mut |row, _| starts[row as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); starts[rows] as usize];
        each(&mut |row, item| {
            let place = &mut next[row as usize];
            items[*place as usize] = item;
            *place += 1;
        });
        Self { starts, items }
    }
}
