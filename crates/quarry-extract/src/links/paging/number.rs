//! Reads the page number that a link shows: "2", "1,097", "[3]", "Page 4", "第5页", "11-20".

use super::super::count;

/// Longer texts are not page numbers.
const LONGEST: usize = 32;
/// More letters beside a number make it a title.
const MOST_LETTERS: usize = 18;
/// Larger numbers are ids.
const LARGEST: u64 = 1_000_000;

/// What stands in a range.
const DASHES: &[char] = &['-', '–', '—', '~'];

/// A number with the text around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShownNumber {
    pub(super) value: u64,
    /// Where a range ends.
    pub(super) end: Option<u64>,
    /// The letters beside it in lower case; links of one series have the same.
    pub(super) words: String,
}

/// The number that a text shows. Of a range, its begin.
pub(super) fn shown_number(text: &str) -> Option<ShownNumber> {
    let text = text.trim();
    if text.chars().count() > LONGEST || !text.chars().any(char::is_numeric) {
        return None;
    }
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    if let Some(value) = count::number(bare).filter(|_| !bare.ends_with(['k', 'K'])) {
        return (value < LARGEST).then(|| ShownNumber { value, end: None, words: String::new() });
    }
    let (mut words, mut values, mut digits) = (String::new(), Vec::new(), String::new());
    for c in bare.chars().chain(std::iter::once(' ')) {
        if let Some(digit) = c.to_digit(10).or_else(|| other_digit(c)) {
            digits.extend(char::from_digit(digit, 10));
            continue;
        }
        if !digits.is_empty() {
            values.push(std::mem::take(&mut digits).parse::<u64>().ok()?);
        }
        if c.is_alphabetic() {
            words.extend(c.to_lowercase());
        }
    }
    // A number for the eye beside one that is read aloud: "Page 2 2".
    let twice = values.len() == 2
        && values[0] == values[1]
        && bare.chars().all(|c| c.is_alphanumeric() || c.is_whitespace());
    if twice {
        values.pop();
    }
    let dashed = || bare.chars().all(|c| c.is_numeric() || c == ' ' || DASHES.contains(&c));
    let is_range = values.len() == 2 && values[0] < values[1] && dashed();
    let one = values.len() == 1 || is_range;
    if !one || values[0] >= LARGEST || words.chars().count() > MOST_LETTERS {
        return None;
    }
    // Marks inside a single number are those of prices and versions: "4.5".
    if values.len() == 1 && !twice && words.is_empty() && bare.chars().any(|c| !c.is_numeric()) {
        return None;
    }
    // A number that is part of a word is a name: "user123".
    let joined = bare.as_bytes().windows(2).any(|pair| {
        (pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
            || (pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic())
    });
    if joined {
        return None;
    }
    if is_range {
        words.push('-');
    }
    let end = is_range.then(|| values[1]);
    Some(ShownNumber { value: values[0], end, words })
}

/// Digits of scripts that have their own: wide forms, Arabic, Persian, Devanagari, Bengali, Thai.
fn other_digit(c: char) -> Option<u32> {
    let zeros = ['０', '٠', '۰', '०', '০', '๐'];
    zeros
        .into_iter()
        .find_map(|zero| (c as u32).checked_sub(zero as u32).filter(|digit| *digit < 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_sites_write() {
        let read = |text: &str| shown_number(text).map(|shown| (shown.value, shown.words));
        let plain = |value: u64| Some((value, String::new()));
        for (text, value) in
            [("2", 2), ("1,097", 1097), ("[3]", 3), (" 12. ", 12), ("７", 7), ("١٢", 12)]
        {
            assert_eq!(read(text), plain(value), "{text}");
        }
        assert_eq!(read("Page 4"), Some((4, "page".to_owned())));
        assert_eq!(read("Page 4 4"), Some((4, "page".to_owned())));
        assert_eq!(read("4 4"), plain(4));
        assert_eq!(read("第5页"), Some((5, "第页".to_owned())));
        assert_eq!(read("11-20"), Some((11, "-".to_owned())));
        assert_eq!(shown_number("11-20").unwrap().end, Some(20));
        for text in [
            "4.5",
            "4.4",
            "1/2/2020",
            "next",
            "",
            "2 of 7",
            "a number of many letters 2",
            "12k",
            "user123",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
