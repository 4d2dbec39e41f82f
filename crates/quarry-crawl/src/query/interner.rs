//! Stores each distinct text once and refers to it by a small number.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

/// Distinct texts, numbered in the order in which they were added.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>", bound = "I: From<u32> + Into<u32> + Copy")]
pub struct Interner<I = u32> {
    texts: Vec<String>,
    numbers: HashMap<String, u32, BuildHasherDefault<Xxh3Default>>,
    id: PhantomData<I>,
}

impl<I> Default for Interner<I> {
    fn default() -> Self {
        Self { texts: Vec::new(), numbers: HashMap::default(), id: PhantomData }
    }
}

impl<I: From<u32> + Into<u32>> Interner<I> {
    /// The number of a text, a new one if the text is new.
    pub fn intern(&mut self, text: &str) -> I {
        if let Some(number) = self.numbers.get(text) {
            return I::from(*number);
        }
        let number = u32::try_from(self.texts.len()).expect("fewer than 2^32 texts");
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        I::from(number)
    }

    /// The number of a text that was added before.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<I> {
        self.numbers.get(text).copied().map(I::from)
    }

    /// The text of a number.
    #[must_use]
    pub fn text(&self, id: I) -> &str {
        &self.texts[id.into() as usize]
    }

    /// Gives a number another text, unless that text has a number of its own.
    pub(crate) fn rename(&mut self, id: I, text: &str) -> bool {
        if self.numbers.contains_key(text) {
            return false;
        }
        let number = id.into();
        let before = std::mem::replace(&mut self.texts[number as usize], text.to_owned());
        self.numbers.remove(&before);
        self.numbers.insert(text.to_owned(), number);
        true
    }

    /// How many texts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// All texts, in the order of their numbers.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

impl<I: From<u32> + Into<u32>> From<Vec<String>> for Interner<I> {
    fn from(texts: Vec<String>) -> Self {
        let mut interner = Self::default();
        for text in texts {
            interner.intern(&text);
        }
        interner
    }
}

impl<I> From<Interner<I>> for Vec<String> {
    fn from(interner: Interner<I>) -> Self {
        interner.texts
    }
}
