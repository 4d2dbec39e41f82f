//! The words of a name from the mark-up: `edt_searchKeyword` is `edt`, `search`, `keyword`.

/// The words of a text or name in lower case, parted at everything that is not a letter and where
/// capitals begin.
pub(crate) fn name_parts(text: &str) -> impl Iterator<Item = String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut before_lower = false;
    for c in text.chars() {
        if !c.is_alphabetic() || before_lower && c.is_uppercase() {
            parts.push(String::new());
        }
        before_lower = c.is_lowercase();
        if c.is_alphabetic() {
            let last = parts.last_mut().expect("there is always a last part");
            last.extend(c.to_lowercase());
        }
    }
    parts.into_iter().filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart() {
        let check = |name: &str, expect: &[&str]| {
            assert_eq!(name_parts(name).collect::<Vec<_>>(), expect, "{name}");
        };
        check("edt_searchKeyword", &["edt", "search", "keyword"]);
        check("q[all][]", &["q", "all"]);
        check("inpAra", &["inp", "ara"]);
        check("SKU", &["sku"]);
        check("Étape 2", &["étape"]);
        check("", &[]);
    }
}
