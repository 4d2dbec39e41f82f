//! Measures texts, and breaks them into lines.

/// Widths of the printable ASCII characters in thousandths of the font size, those of Helvetica, on which the
/// usual sans-serif fonts are modelled.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/// Other letters of alphabets.
const OTHER: u16 = 600;
/// Signs of East Asian scripts and pictures.
const WIDE: u16 = 1000;
/// Fonts differ from the table by some hundredths; DejaVu Sans, where nothing else is there, by a tenth.
const TOLERANCE: f64 = 1.06;

/// The width of a text in a font of this size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(thousandths).sum::<f64>() * size * TOLERANCE / 1000.0
}

fn thousandths(c: char) -> f64 {
    f64::from(match c {
        ' '..='~' => WIDTHS[c as usize - 32],
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' => 0,
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{d7a3}'
        | '\u{f900}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ffdc}' => WIDE,
        '\u{1f000}'.. => WIDE,
        '\u{2026}' => WIDE,
        _ => OTHER,
    })
}

/// Breaks a text into lines of at most this width: between words, within a word only if it is too long for a line.
/// What does not fit into the last line is cut, with an ellipsis.
pub(super) fn wrap(text: &str, size: f64, most: f64, max_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut rest = word;
        loop {
            let joined = if line.is_empty() { rest.to_owned() } else { format!("{line} {rest}") };
            if width(&joined, size) <= most {
                line = joined;
                break;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                continue;
            }
            let end = fitting(rest, size, most);
            lines.push(rest[..end].to_owned());
            rest = &rest[end..];
            if rest.is_empty() {
                break;
            }
        }
        if lines.len() > max_lines {
            break;
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if lines.len() > max_lines {
        lines.truncate(max_lines);
        if let Some(last) = lines.last_mut() {
            let end = fitting(last, size, most - width("…", size));
            last.truncate(end);
            last.truncate(last.trim_end().len());
            last.push('…');
        }
    }
    lines
}

/// How many bytes of a text fit; at least one character.
fn fitting(text: &str, size: f64, most: f64) -> usize {
    let mut sum = 0.0;
    for (at, c) in text.char_indices() {
        sum += thousandths(c) * size * TOLERANCE / 1000.0;
        if sum > most && at > 0 {
            return at;
        }
    }
    text.len()
}

/// A text in XML: escaped, without the characters that XML forbids.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_between_words_and_cuts_with_an_ellipsis() {
        let lines = wrap("one two three four five", 10.0, 50.0, 2);
        assert_eq!(lines[0], "one two");
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| width(line, 10.0) <= 50.0), "{lines:?}");
        assert!(lines[1].ends_with('…'));
    }

    #[test]
    fn breaks_a_long_word() {
        let lines = wrap("Donaudampfschifffahrtsgesellschaft", 10.0, 60.0, 9);
        assert_eq!(lines.concat(), "Donaudampfschifffahrtsgesellschaft");
        assert!(lines.iter().all(|line| width(line, 10.0) <= 60.0), "{lines:?}");
    }
}
