//! Looks up words for actions: folds a text (case, accents, blanks), and splits joined words such as
//! `addtocart` or `カートに入れる` into words of the table.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use xxhash_rust::xxh3::Xxh3;

use super::words::LANGUAGES;

/// A set of classes of words, as bits: in several languages a word may have several.
pub(super) type Classes = u8;

pub(super) const LEAVE: Classes = 1;
pub(super) const DROP: Classes = 2;
pub(super) const PUT: Classes = 4;
pub(super) const ACT: Classes = 8;
pub(super) const OBJECT: Classes = 16;
pub(super) const FILLER: Classes = 32;
/// Every class of verb.
pub(super) const VERB: Classes = LEAVE | DROP | PUT | ACT;

/// Longest text that is looked up, in bytes of its folded form: the longest phrases of the table
/// have about 100 in scripts of three bytes a letter, and a link that does something is short.
const MAX_FOLDED: usize = 120;
/// Most look-ups that splitting one text may take.
const MAX_LOOKUPS: u32 = 400;

type Words = HashMap<Box<str>, Classes, BuildHasherDefault<Xxh3>>;

struct Lexicon {
    words: Words,
    /// For every first two bytes (hashed), the lengths that words have, as bits.
    lengths: Vec<u128>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut words = Words::default();
    for language in LANGUAGES {
        let lists = [
            (LEAVE, language.leave),
            (DROP, language.drop),
            (PUT, language.put),
            (ACT, language.act),
            (OBJECT, language.object),
            (FILLER, language.filler),
        ];
        for (class, list) in lists {
            for word in list.split(',') {
                let folded = fold(word);
                // One Latin letter between words is dropped by `fold_parts`; inside one it says nothing.
                if folded.len() > 1 && folded.len() <= MAX_FOLDED {
                    *words.entry(folded.into()).or_default() |= class;
                }
            }
        }
    }
    let mut lengths = vec![0_u128; 4096];
    #[expect(clippy::iter_over_hash_type, reason = "bits are set; the order is not seen")]
    for word in words.keys() {
        lengths[slot(word.as_bytes())] |= 1 << word.len();
    }
    Lexicon { words, lengths }
});

fn slot(bytes: &[u8]) -> usize {
    let first = bytes.first().copied().unwrap_or_default();
    let second = bytes.get(1).copied().unwrap_or_default();
    (usize::from(first) << 4 ^ usize::from(second).wrapping_mul(0x9d)) & 4095
}

/// A word or phrase, split into words of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Split {
    /// The classes of all its words together.
    pub(super) classes: Classes,
    /// Its words, small ones left out.
    pub(super) words: u8,
}

/// The classes of a folded word, if the table has it.
pub(super) fn classes_of(folded: &str) -> Option<Classes> {
    if LEXICON.lengths[slot(folded.as_bytes())] >> folded.len().min(127) & 1 == 0 {
        return None;
    }
    LEXICON.words.get(folded).copied()
}

/// Splits a folded text into words of the table, the longest first. `None` if a rest is left.
pub(super) fn split(folded: &str) -> Option<Split> {
    if folded.is_empty() || folded.len() > MAX_FOLDED {
        return None;
    }
    let mut left = MAX_LOOKUPS;
    split_rest(folded, &mut left)
}

fn split_rest(rest: &str, left: &mut u32) -> Option<Split> {
    if rest.is_empty() {
        return Some(Split::default());
    }
    let mut lengths = LEXICON.lengths[slot(rest.as_bytes())];
    while lengths != 0 {
        let length = 127 - lengths.leading_zeros() as usize;
        lengths &= !(1 << length);
        let Some(head) = rest.get(..length) else { continue };
        *left = left.checked_sub(1)?;
        let Some(&classes) = LEXICON.words.get(head) else { continue };
        if let Some(tail) = split_rest(&rest[length..], left) {
            let counts = classes & !FILLER != 0;
            return Some(Split {
                classes: tail.classes | classes,
                words: tail.words.saturating_add(u8::from(counts)),
            });
        }
    }
    None
}

/// A text in lower case without accents, blanks and marks: `Se déconnecter` is `sedeconnecter`.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        push_folded(&mut folded, c);
    }
    folded
}

/// Appends a letter in its folded form; nothing for marks.
pub(super) fn push_folded(folded: &mut String, c: char) {
    match c {
        'a'..='z' | '0'..='9' => folded.push(c),
        'A'..='Z' => folded.push(c.to_ascii_lowercase()),
        _ if c.is_ascii() => {}
        _ => {
            for lower in c.to_lowercase().filter(|c| c.is_alphanumeric() || is_vowel_sign(*c)) {
                match plain_letters(lower) {
                    "" => folded.push(lower),
                    letters => folded.push_str(letters),
                }
            }
        }
    }
}

/// Vowel signs and the like of scripts that are not read without them (Devanagari, Thai). Combining
/// accents of Latin, Greek, Arabic and Hebrew are not among them.
fn is_vowel_sign(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{d7f}' | '\u{e00}'..='\u{e7f}')
}

/// The letters without accents that stand for an accented letter; "" where it stands for itself.
fn plain_letters(c: char) -> &'static str {
    match c {
        'à'..='å'
        | 'ā'
        | 'ă'
        | 'ą'
        | 'ả'
        | 'ạ'
        | 'ấ'
        | 'ầ'
        | 'ẩ'
        | 'ẫ'
        | 'ậ'
        | 'ắ'
        | 'ằ'
        | 'ẳ'
        | 'ẵ'
        | 'ặ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' | 'ċ' | 'ĉ' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' | 'ẻ' | 'ẽ' | 'ẹ' | 'ế' | 'ề' | 'ể' | 'ễ' | 'ệ' => {
            "e"
        }
        'ğ' | 'ģ' | 'ġ' => "g",
        'ì'..='ï' | 'ī' | 'į' | 'ı' | 'ỉ' | 'ĩ' | 'ị' => "i",
        'ķ' => "k",
        'ł' | 'ľ' | 'ĺ' | 'ļ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò'..='ö'
        | 'ø'
        | 'ō'
        | 'ő'
        | 'ỏ'
        | 'ọ'
        | 'ố'
        | 'ồ'
        | 'ổ'
        | 'ỗ'
        | 'ộ'
        | 'ơ'
        | 'ớ'
        | 'ờ'
        | 'ở'
        | 'ỡ'
        | 'ợ' => "o",
        'œ' => "oe",
        'ř' | 'ŕ' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' | 'ủ' | 'ũ' | 'ụ' | 'ư' | 'ứ' | 'ừ' | 'ử' | 'ữ' | 'ự' => {
            "u"
        }
        'ý' | 'ÿ' | 'ỳ' | 'ỷ' | 'ỹ' | 'ỵ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ά' => "α",
        'έ' => "ε",
        'ή' => "η",
        'ί' | 'ϊ' | 'ΐ' => "ι",
        'ό' => "ο",
        'ύ' | 'ϋ' | 'ΰ' => "υ",
        'ώ' => "ω",
        'ς' => "σ",
        'ё' => "е",
        'أ' | 'إ' | 'آ' => "ا",
        'ى' => "ي",
        'ة' => "ه",
        'ی' => "ي",
        'ک' => "ك",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_joined_words() {
        let verbs = |text: &str| split(&fold(text)).map(|split| split.classes & !FILLER);
        assert_eq!(verbs("Log out"), Some(LEAVE));
        assert_eq!(verbs("Déconnexion"), Some(LEAVE));
        assert_eq!(verbs("удалить"), Some(DROP));
        assert_eq!(verbs("removefromcart"), Some(DROP | OBJECT));
        assert!(verbs("加入购物车").is_some_and(|classes| classes & DROP != 0));
        for harmless in ["deli", "addon", "addons", "voters", "market", "deleted", "additional"] {
            assert!(
                verbs(harmless).is_none_or(|classes| classes & (LEAVE | DROP) == 0),
                "{harmless}"
            );
        }
    }

    #[test]
    fn every_language_has_words_for_the_main_actions() {
        for language in LANGUAGES {
            for list in [language.leave, language.drop, language.put, language.object] {
                let first = list.split(',').next().unwrap();
                assert!(classes_of(&fold(first)).is_some(), "{}: {first}", language.code);
            }
        }
        assert!(LANGUAGES.len() >= 25);
    }
}
