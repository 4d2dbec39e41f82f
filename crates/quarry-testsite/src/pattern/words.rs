//! The words of a pattern site: English, or made up one by one.

use super::PatternWords;
use crate::prng::Rng;
use crate::text::{NameKind, invent};

/// Turns English labels, parameters and classes into those of the site.
#[derive(Debug, Clone, Copy)]
pub(super) struct PatternLexicon {
    pub(super) words: PatternWords,
    pub(super) seed: u64,
}

impl PatternLexicon {
    /// A label: the same made-up word for the same English one.
    pub(super) fn label(&self, english: &str) -> String {
        match self.words {
            PatternWords::Plain => english.to_owned(),
            PatternWords::MadeUp => {
                let words = english.split(' ').map(|word| self.made_up(word));
                let text = words.collect::<Vec<_>>().join(" ").to_lowercase();
                let mut chars = text.chars();
                let first = chars.next().map(|c| c.to_uppercase().to_string());
                first.unwrap_or_default() + chars.as_str()
            }
        }
    }

    /// A name in an address or a form.
    pub(super) fn name(&self, english: &str) -> String {
        match self.words {
            PatternWords::Plain => english.to_owned(),
            PatternWords::MadeUp => self.made_up(english).to_lowercase().replace(' ', ""),
        }
    }

    /// A class.
    pub(super) fn class(&self, english: &str) -> String {
        match self.words {
            PatternWords::Plain => english.to_owned(),
            PatternWords::MadeUp => {
                format!("_{:05x}", crate::prng::hash(self.seed, english, 3) & 0xf_ffff)
            }
        }
    }

    fn made_up(&self, word: &str) -> String {
        // Two letters more, so that no two words are the same.
        let word_end = crate::prng::hash(self.seed, word, 13) % 676;
        let letter = |n: u64| char::from(b'a' + (n % 26) as u8);
        let stem = invent(NameKind::Brand, &mut Rng::of(self.seed, word, 11));
        format!("{stem}{}{}", letter(word_end / 26), letter(word_end))
    }
}
