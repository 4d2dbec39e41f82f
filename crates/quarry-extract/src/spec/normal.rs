//! Normal forms of names and values, to compare them between sites. Names in lower case, letters
//! and digits only (paper §5.3); values by what they certainly say. What was printed is always kept
//! beside it.

use quarry_value::{Meaning, parse};

/// A name as the paper normalises it: lower case, nothing but letters and digits.
///
/// ```
/// use quarry_extract::spec::normal_name;
/// assert_eq!(normal_name("Max. Resolution (px):"), "maxresolutionpx");
/// assert_eq!(normal_name(&normal_name("Größe")), normal_name("GRÖSSE"));
/// ```
pub fn normal_name(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    for char in name.chars().flat_map(char::to_lowercase).filter(|char| char.is_alphanumeric()) {
        match char {
            'ß' => normal.push_str("ss"),
            char => normal.push(char),
        }
    }
    normal
}

/// What a value certainly says: number and unit, sides, a range, yes or no, a date, a list of names.
pub fn meaning(value: &str) -> Option<Meaning> {
    parse(value).map(|value| value.meaning)
}
