//! Recognises yes and no in many languages, and lists of names.

use crate::scan::Folded;

/// Longer texts are sentences with commas.
const MAX_LIST_BYTES: usize = 400;
/// A name has so many words at most ("Juan Carlos de la Cruz").
const MAX_WORDS: usize = 5;

/// Whether the whole text says yes or no.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match Folded::new(text.trim())?.as_str() {
        "yes" | "ja" | "oui" | "sí" | "sì" | "sim" | "да" | "tak" | "evet" | "kyllä" | "ano"
        | "true" | "✔" | "✔\u{fe0f}" | "✓" | "☑" | "✅" | "はい" | "是" | "有" => {
            Some(true)
        }
        "no" | "nein" | "non" | "nee" | "nej" | "nei" | "não" | "нет" | "nie" | "hayır"
        | "false" | "✗" | "✘" | "✕" | "✖" | "☒" | "❌" | "いいえ" | "否" | "无" => {
            Some(false)
        }
        _ => None,
    }
}

/// The names of a list: several capitalised names between separators. "Smith, John" is one name turned
/// around and "Berlin, Germany" a place, so two parts between commas need two words each.
pub(super) fn names(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if text.len() > MAX_LIST_BYTES || !text.contains([',', ';', '|', '•', '&', '/', ' ']) {
        return None;
    }
    let strong = [';', '|', '•', '\u{b7}'];
    let separators: &[char] = if text.contains(strong) {
        &strong
    } else if text.contains(',') {
        &[',']
    } else {
        &['/', '&']
    };
    let mut names = Vec::new();
    for part in text.split(separators) {
        split_at_and(part, &mut names);
    }
    let names: Vec<&str> =
        names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).collect();
    let weak = separators.len() == 1 || names.len() < 2;
    let inverted = weak && names.len() == 2 && names.iter().any(|name| !name.contains(' '));
    if names.len() < 2 || inverted || !names.iter().all(|name| is_name(name)) {
        return None;
    }
    Some(names.into_iter().map(str::to_owned).collect())
}

fn split_at_and<'a>(part: &'a str, names: &mut Vec<&'a str>) {
    let mut rest = part.trim();
    for and in ["and ", "und ", "et ", "y ", "e ", "& ", "en ", "och "] {
        rest = rest.strip_prefix(and).unwrap_or(rest);
    }
    for and in [" and ", " & ", " und ", " et ", " y ", " och "] {
        if let Some((first, second)) = rest.split_once(and) {
            names.push(first);
            return split_at_and(second, names);
        }
    }
    names.push(rest);
}

fn is_name(text: &str) -> bool {
    let initial = text.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
    let plain =
        text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '-' | '\'' | '’' | ','));
    initial && plain && text.split(' ').count() <= MAX_WORDS
}
