//! Texts as small numbers, each text once.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

/// Texts in the order in which they were met.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct Names {
    texts: Vec<String>,
    known: HashMap<String, u32, BuildHasherDefault<Xxh3Default>>,
}

impl Names {
    /// The number of a text, a new one if it is new.
    pub(crate) fn id(&mut self, text: &str) -> u32 {
        if let Some(id) = self.known.get(text) {
            return *id;
        }
        let id = u32::try_from(self.texts.len()).expect("fewer than four thousand million texts");
        self.texts.push(text.to_owned());
        self.known.insert(text.to_owned(), id);
        id
    }

    /// The number of a text that is known.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        self.known.get(text).copied()
    }

    /// The text of a number.
    pub(crate) fn text(&self, id: u32) -> &str {
        &self.texts[id as usize]
    }

    /// Gives a number another text, unless that text has a number of its own.
    pub(crate) fn rename(&mut self, id: u32, text: &str) -> bool {
        if self.known.contains_key(text) {
            return false;
        }
        let before = std::mem::replace(&mut self.texts[id as usize], text.to_owned());
        self.known.remove(&before);
        self.known.insert(text.to_owned(), id);
        true
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// All of them, in order.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }
}

impl From<Vec<String>> for Names {
    fn from(texts: Vec<String>) -> Self {
        let mut names = Self::default();
        for text in texts {
            names.id(&text);
        }
        names
    }
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Self {
        names.texts
    }
}
