//! Words of a string and q-grams of a word. Gulhane et al., §2.1 and Appendix A.

/// Characters in a q-gram; the paper's examples use 3. Three characters fill a 64-bit key exactly.
pub const Q: usize = 3;

/// The padding before and after a word. Not a character, so no word contains it.
const PAD: u64 = 0x1F_FFFF;

/// Bits of a character in a gram.
const CHAR_BITS: u32 = 21;

/// A q-gram: three characters, 21 bits each.
pub(crate) type Gram = u64;

/// The words of a text: runs of letters and digits, in lower case. All other characters separate.
///
/// ```
/// assert_eq!(quarry_simjoin::words("120 Lexington Ave. (between…)"), ["120", "lexington", "ave", "between"]);
/// ```
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    each_word(text, &mut String::new(), |word| found.push(word.to_owned()));
    found
}

/// Calls `take` with each word of `text`; `buffer` is scratch space.
pub(crate) fn each_word(text: &str, buffer: &mut String, mut take: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    buffer.clear();
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii() {
            if byte.is_ascii_alphanumeric() {
                buffer.push(char::from(byte.to_ascii_lowercase()));
            } else if !buffer.is_empty() {
                take(buffer);
                buffer.clear();
            }
            at += 1;
            continue;
        }
        let Some(letter) = text[at..].chars().next() else { break };
        if letter.is_alphanumeric() {
            buffer.extend(letter.to_lowercase());
        } else if !buffer.is_empty() {
            take(buffer);
            buffer.clear();
        }
        at += letter.len_utf8();
    }
    if !buffer.is_empty() {
        take(buffer);
        buffer.clear();
    }
}

/// The set of padded q-grams of a word, each once, in order of first appearance (Appendix A).
pub(crate) fn grams_into(word: &str, out: &mut Vec<Gram>) {
    out.clear();
    let (mut a, mut b) = (PAD, PAD);
    let letters = word.chars().map(|letter| u64::from(u32::from(letter)));
    for c in letters.chain([PAD, PAD]) {
        out.push((a << (2 * CHAR_BITS)) | (b << CHAR_BITS) | c);
        (a, b) = (b, c);
    }
    remove_repeats(out);
}

/// Keeps the first of equal grams. Words are short: looking back is faster than a hash set, but a
/// word without an end must not cost its square.
fn remove_repeats(grams: &mut Vec<Gram>) {
    const LOOK_BACK: usize = 48;
    if grams.len() > LOOK_BACK {
        grams.sort_unstable();
        grams.dedup();
        return;
    }
    let mut kept = 0;
    for at in 0..grams.len() {
        let gram = grams[at];
        if !grams[..kept].contains(&gram) {
            grams[kept] = gram;
            kept += 1;
        }
    }
    grams.truncate(kept);
}

/// Jaccard similarity of the q-gram sets of two words.
///
/// ```
/// assert_eq!(quarry_simjoin::jaccard("china", "china"), 1.0);
/// assert_eq!(quarry_simjoin::jaccard("ave", "avenue"), 4.0 / 9.0);
/// ```
pub fn jaccard(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    grams_into(a, &mut left);
    grams_into(b, &mut right);
    jaccard_of(&left, &right)
}

/// Jaccard similarity of two sets of grams.
pub(crate) fn jaccard_of(a: &[Gram], b: &[Gram]) -> f64 {
    let common = a.iter().filter(|gram| b.contains(gram)).count();
    common as f64 / (a.len() + b.len() - common) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lower_case_runs_of_letters_and_digits() {
        let cases: [(&str, &[&str]); 6] = [
            ("", &[]),
            (" - , ", &[]),
            ("Beijing Bites", &["beijing", "bites"]),
            ("(212)555-0187", &["212", "555", "0187"]),
            ("Ärzte-Straße İ", &["ärzte", "straße", "i\u{307}"]),
            ("東京 タワー", &["東京", "タワー"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn china_has_the_seven_grams_of_appendix_a() {
        let mut grams = Vec::new();
        grams_into("china", &mut grams);
        let show = |gram: &u64| -> String {
            [42, 21, 0]
                .map(|shift| gram >> shift & PAD)
                .map(|c| char::from_u32(c as u32).unwrap_or('#'))
                .iter()
                .collect()
        };
        let shown: Vec<String> = grams.iter().map(show).collect();
        assert_eq!(shown, ["##c", "#ch", "chi", "hin", "ina", "na#", "a##"]);
    }

    #[test]
    fn repeated_grams_count_once() {
        let mut grams = Vec::new();
        grams_into("banana", &mut grams);
        assert_eq!(grams.len(), 7, "##b #ba ban ana nan na# a##");
        grams_into(&"ab".repeat(200), &mut grams);
        assert_eq!(grams.len(), 6);
        assert_eq!(jaccard("", ""), 1.0);
    }
}
