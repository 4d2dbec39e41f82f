//! Names that differ in their numbers only, such as `4.5 out of 5 stars` and `3 out of 5 stars`, and of which each stands on a few
//! pages: one text of the template with a value in it, which names nothing. Names with numbers that most pages share, such as ranges of
//! ages, are names, and so are those in a style of names without numbers (`HDMI 1.4` among the connectors of screens).

use std::collections::{BTreeMap, BTreeSet};

use super::find::Spec;

/// Names that differ in numbers only, at least.
const MIN_NAMES: usize = 3;
/// The share of the pages with any of them that have one, on average and at most: names of the template are on more.
const MAX_SHARE: f64 = 0.5;

/// The names of the pages' pairs that are one text with changing numbers.
pub(super) fn numbered(found: &[Vec<Spec>]) -> BTreeSet<String> {
    let mut alike: BTreeMap<String, BTreeMap<&str, BTreeSet<usize>>> = BTreeMap::new();
    for (page, specs) in found.iter().enumerate() {
        for pair in specs.iter().flat_map(|spec| &spec.pairs) {
            if let Some(form) = without_numbers(&pair.name) {
                alike.entry(form).or_default().entry(&pair.name).or_default().insert(page);
            }
        }
    }
    let changes = |names: &BTreeMap<&str, BTreeSet<usize>>| {
        let all: usize = names.values().map(BTreeSet::len).sum();
        let pages = names.values().flatten().collect::<BTreeSet<_>>().len();
        names.len() >= MIN_NAMES && all as f64 <= MAX_SHARE * (names.len() * pages) as f64
    };
    let changing = alike.into_values().filter(changes);
    changing.flat_map(BTreeMap::into_keys).map(str::to_owned).collect()
}

/// A name with a mark for each number, if it has one.
fn without_numbers(name: &str) -> Option<String> {
    let mut form = String::new();
    let mut has_number = false;
    for char in name.chars() {
        match char {
            '0'..='9' => {
                has_number = true;
                if !form.ends_with('#') {
                    form.push('#');
                }
            }
            '.' | ',' if form.ends_with('#') => {}
            char => form.push(char),
        }
    }
    has_number.then_some(form)
}

#[cfg(test)]
mod tests {
    use super::without_numbers;

    #[test]
    fn names_that_differ_in_numbers_have_one_form() {
        assert_eq!(without_numbers("4.5 out of 5 stars"), without_numbers("3 out of 5 stars"));
        assert_ne!(without_numbers("Page 1"), without_numbers("Part 1"));
        assert_eq!(without_numbers("Weight"), None);
    }
}
