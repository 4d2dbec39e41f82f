//! Numbers, sizes, times and long texts as people read them.

/// `1234567` as `1,234,567`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of something: `1 page`, `2,000 addresses`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    let ending = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {noun}{ending}", thousands(count))
}

/// A number of bytes for reading: `1.5 MB`.
#[must_use]
pub fn bytes(number: u64) -> String {
    let mut value = number as f64;
    for unit in ["B", "KB", "MB", "GB"] {
        if value < 1024.0 {
            return if unit == "B" { format!("{number} B") } else { format!("{value:.1} {unit}") };
        }
        value /= 1024.0;
    }
    format!("{value:.1} TB")
}

/// Seconds for reading: `3.2 s`, `4 min 05 s`, `2 h 07 min`.
#[must_use]
pub fn seconds(value: f64) -> String {
    let whole = value as u64;
    match whole {
        0..60 => format!("{value:.1} s"),
        60..3_600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3_600, whole / 60 % 60),
    }
}

/// At most `width` characters, the middle left out where there are more: addresses are told apart
/// by both ends.
#[must_use]
pub fn shorten(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let head = (width - 1) * 2 / 3;
    let tail = width - 1 - head;
    text.chars().take(head).chain(['…']).chain(text.chars().skip(count - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_reading() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(1_572_864), "1.5 MB");
        assert_eq!(seconds(3.21), "3.2 s");
        assert_eq!(seconds(245.0), "4 min 05 s");
        assert_eq!(seconds(7_620.0), "2 h 07 min");
    }

    #[test]
    fn long_texts_lose_their_middle() {
        assert_eq!(shorten("short", 10), "short");
        assert_eq!(shorten("http://a.example/one/two/three", 16), "http://a.e…three");
        assert_eq!(shorten("äöüäöüäöü", 5), "äö…öü");
    }
}
