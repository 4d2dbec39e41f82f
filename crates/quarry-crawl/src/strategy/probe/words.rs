//! Words to search for on an unknown site: common words of ten languages, most useful first, and words
//! that cannot exist.

use std::collections::BTreeSet;

use crate::host::splitmix;

/// The lists by language.
static LISTS: [(&str, &str); 10] = [
    ("en", include_str!("words/en.txt")),
    ("de", include_str!("words/de.txt")),
    ("fr", include_str!("words/fr.txt")),
    ("es", include_str!("words/es.txt")),
    ("it", include_str!("words/it.txt")),
    ("pt", include_str!("words/pt.txt")),
    ("nl", include_str!("words/nl.txt")),
    ("sv", include_str!("words/sv.txt")),
    ("pl", include_str!("words/pl.txt")),
    ("cs", include_str!("words/cs.txt")),
];

/// Queries that a search is likely to refuse or to answer with a page of its own: too short, a wildcard,
/// empty. None of them could be taken for an attack.
const ODD: [&str; 3] = ["x", "*", ""];

/// The words of a language.
pub(in crate::strategy) fn list(
    language: &str,
) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let (_, words) = LISTS.iter().find(|(code, _)| *code == language)?;
    Some(words.lines())
}

/// The language of a page: the one it names if there are words for it, else the one whose words it
/// uses most, else English.
pub(in crate::strategy) fn language<'w>(
    named: Option<&str>,
    words: impl Iterator<Item = &'w str>,
) -> &'static str {
    if let Some((code, _)) = LISTS.iter().find(|(code, _)| Some(*code) == named) {
        return code;
    }
    let used: BTreeSet<&str> = words.collect();
    let mut best = (0, LISTS[0].0);
    for (code, words) in &LISTS {
        let hits = words.lines().filter(|word| used.contains(word)).count();
        if hits > best.0 {
            best = (hits, code);
        }
    }
    best.1
}

/// The n-th query that should match nothing: words that cannot exist, and what is refused.
pub(in crate::strategy) fn nonsense(n: usize) -> String {
    if n % 2 == 1
        && let Some(odd) = ODD.get(n / 2)
    {
        return (*odd).to_owned();
    }
    // Consonants that no language puts together.
    let mut state = splitmix(n as u64 + 1);
    (0..9)
        .map(|_| {
            state = splitmix(state);
            b"bcdfghjkmqvwxz"[(state % 14) as usize] as char
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_words_each_once() {
        for (code, list) in &LISTS {
            let words: Vec<&str> = list.lines().collect();
            let set: BTreeSet<&str> = words.iter().copied().collect();
            assert!(words.len() >= 2_000, "{code} has {} words", words.len());
            assert_eq!(set.len(), words.len(), "{code} has a word twice");
            for word in words {
                assert!(word.chars().all(char::is_lowercase), "{code}: {word}");
            }
        }
    }

    #[test]
    fn languages_are_told_by_name_or_by_words() {
        for (named, text, expect) in [
            (Some("de"), "the house of water", "de"),
            (Some("fi"), "the house and the water and a book", "en"),
            (None, "das haus und das wasser mit einem buch im garten", "de"),
            (None, "la maison et le livre dans le jardin avec une voiture", "fr"),
            (None, "qqq", "en"),
        ] {
            assert_eq!(language(named, text.split(' ')), expect, "{text}");
        }
    }

    #[test]
    fn nonsense_is_not_in_any_list() {
        let queries: BTreeSet<String> = (0..20).map(nonsense).collect();
        assert_eq!(queries.len(), 20);
        for (_, list) in &LISTS {
            assert!(list.lines().all(|word| !queries.contains(word)));
        }
        for odd in ODD {
            assert!(queries.contains(odd), "{odd:?}");
        }
    }
}
