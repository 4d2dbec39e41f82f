//! Parses counts beside facet values: "(12)", "[1,204]", "12", "1.2k": what sites write beside a facet value.

/// A text and the count that stood in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) value: String,
    pub(super) count: Option<u64>,
}

/// Splits the count in brackets off the end of a text.
pub(super) fn split(text: &str) -> Counted {
    let text = text.trim();
    let plain = || Counted { value: tidy(text), count: None };
    let Some(last) = text.chars().last() else { return plain() };
    let open = match last {
        ')' => '(',
        ']' => '[',
        '}' => '{',
        '）' => '（',
        '】' => '【',
        _ => return plain(),
    };
    let Some(at) = text.rfind(open) else { return plain() };
    let inside = &text[at + open.len_utf8()..text.len() - last.len_utf8()];
    match number(inside) {
        Some(count) if text[..at].chars().any(char::is_alphanumeric) => {
            Counted { value: tidy(&text[..at]), count: Some(count) }
        }
        _ => plain(),
    }
}

/// The count that a text consists of, with or without brackets; a comma may follow.
pub(super) fn alone(text: &str) -> Option<u64> {
    let text = text.trim().trim_end_matches([',', ';', '|', '·', '•']).trim_end();
    let bare = [('(', ')'), ('[', ']'), ('（', '）')].into_iter().find_map(|(open, close)| {
        text.strip_prefix(open).and_then(|text| text.strip_suffix(close))
    });
    number(bare.unwrap_or(text))
}

/// A whole number with separators of thousands, or in thousands ("1.2k").
pub(super) fn number(text: &str) -> Option<u64> {
    let text = text.trim().trim_start_matches('+');
    if text.is_empty() || text.len() > 20 {
        return None;
    }
    if let Some(head) = text.strip_suffix(['k', 'K']) {
        let thousands: f64 = head.parse().ok()?;
        return (thousands < 1e6).then(|| (thousands * 1000.0).round() as u64);
    }
    let mut digits = String::new();
    let mut groups = text.split([',', '.', '\u{a0}', '\u{202f}', ' ', '\'', '’']);
    let first = groups.next()?;
    digits.push_str(first);
    let mut several = false;
    for group in groups {
        several = true;
        if group.len() != 3 {
            return None;
        }
        digits.push_str(group);
    }
    let fits = !first.is_empty() && (!several || first.len() <= 3);
    (fits && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// A text without the marks and spaces around it.
pub(super) fn tidy(text: &str) -> String {
    text.trim().trim_start_matches(['•', '·', '»', '›', '→']).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_told_from_values() {
        let check = |text: &str, value: &str, count: Option<u64>| {
            assert_eq!(split(text), Counted { value: value.to_owned(), count }, "{text}");
        };
        check("Nike (12)", "Nike", Some(12));
        check("Nike [1,204]", "Nike", Some(1204));
        check("Nike (red)", "Nike (red)", None);
        check("Size 38", "Size 38", None);
        check("(12)", "(12)", None);
        for (text, count) in [
            ("(3)", Some(3)),
            ("12,", Some(12)),
            ("1.204", Some(1204)),
            ("1 204", Some(1204)),
            ("1.2k", Some(1200)),
            ("12.5", None),
            ("3 stars", None),
            ("12345,678", None),
        ] {
            assert_eq!(alone(text), count, "{text}");
        }
    }
}
