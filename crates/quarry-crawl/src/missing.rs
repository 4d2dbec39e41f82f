//! Recognises "not found" pages with status 200: many sites answer an address that does not exist
//! without an error. One request for an address that cannot exist shows what that page
//! looks like; pages like it are not kept.

use xxhash_rust::xxh3::xxh3_64;

/// Words in a row that are hashed together.
const SHINGLE: usize = 3;

/// Most shingles of a page that are kept: the ones with the least hashes, a fair sample
/// (Broder 1997, "On the resemblance and containment of documents").
const SKETCH: usize = 512;

/// Words that the missing page must have to be compared with others.
const MIN_WORDS: usize = 4;

/// Least resemblance of a page with the missing page's title to the missing page.
const RESEMBLANCE_SAME_TITLE: f64 = 0.9;

/// Least resemblance of a page with another title.
const RESEMBLANCE_OTHER_TITLE: f64 = 0.98;

/// The text of a page in a form that can be compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Signature {
    title: u64,
    words: usize,
    sketch: Vec<u64>,
}

impl Signature {
    /// Of a page's title and folded text. Words with digits are left out: they are times, counters
    /// and the address that was asked.
    pub(crate) fn new(title: &str, text: &str) -> Self {
        let hashes: Vec<u64> = words(text).collect();
        let mut sketch: Vec<u64> = hashes
            .windows(SHINGLE.min(hashes.len()).max(1))
            .map(|run| run.iter().fold(0, |hash: u64, word| mix(hash ^ word)))
            .collect();
        sketch.sort_unstable();
        sketch.dedup();
        sketch.truncate(SKETCH);
        let title = words(title).fold(1, |hash, word| mix(hash ^ word));
        Self { title, words: hashes.len(), sketch }
    }

    /// Share of shingles that both pages have, 0 to 1.
    pub(crate) fn resemblance(&self, other: &Self) -> f64 {
        // The least hashes of the union are a uniform sample of it; count those that are in both.
        let (mut a, mut b) = (self.sketch.as_slice(), other.sketch.as_slice());
        let (mut both, mut all) = (0_u32, 0_u32);
        while (!a.is_empty() || !b.is_empty()) && (all as usize) < SKETCH {
            match (a.first(), b.first()) {
                (Some(x), Some(y)) if x == y => {
                    both += 1;
                    (a, b) = (&a[1..], &b[1..]);
                }
                (Some(x), Some(y)) if x < y => a = &a[1..],
                (Some(_), None) => a = &a[1..],
                _ => b = &b[1..],
            }
            all += 1;
        }
        if all == 0 { 1.0 } else { f64::from(both) / f64::from(all) }
    }

    /// Whether `page` looks like this page, the host's answer to an address that cannot exist.
    pub(crate) fn is_like(&self, page: &Self) -> bool {
        if self.words < MIN_WORDS {
            return false;
        }
        let needed =
            if self.title == page.title { RESEMBLANCE_SAME_TITLE } else { RESEMBLANCE_OTHER_TITLE };
        self.resemblance(page) >= needed
    }
}

fn words(text: &str) -> impl Iterator<Item = u64> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !word.bytes().any(|byte| byte.is_ascii_digit()))
        .map(|word| xxh3_64(word.as_bytes()))
}

fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 29)
}

/// Limits how many pages are dropped, so that a mistaken signature cannot empty a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Guard {
    judged: u64,
    dropped: u64,
}

/// Pages that may be dropped without regard to the share.
const FREE_DROPS: u64 = 8;
/// Beyond them, one of this many judged pages may be dropped.
const JUDGED_PER_DROP: u64 = 5;

impl Guard {
    /// Counts a page and says whether it may be dropped, if it looks like a missing one.
    pub(crate) fn drops(&mut self, looks_missing: bool) -> bool {
        self.judged += 1;
        let may = self.dropped < FREE_DROPS + self.judged / JUDGED_PER_DROP;
        self.dropped += u64::from(looks_missing && may);
        looks_missing && may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MENU: &str = "Home Products Recipes About us Contact Basket Your account";

    fn page(title: &str, text: &str) -> Signature {
        Signature::new(title, &format!("{MENU} {text}"))
    }

    #[test]
    fn missing_pages_look_alike_and_products_do_not() {
        let sorry = "Sorry we could not find the page that you were looking for try the search";
        let missing = page("Not found", &format!("{sorry} /zq81x4 12:04:55"));
        assert!(missing.is_like(&page("Not found", &format!("{sorry} /old-offer-3 12:05:10"))));
        let product = "Walnut writing desk with two drawers solid oak legs Add to basket";
        assert!(!missing.is_like(&page("Walnut desk", product)));
        assert!(!missing.is_like(&page("Not found", product)), "the same title is not enough");
        assert!(!missing.is_like(&page("Old offer", &format!("{sorry} or read our blog"))));
        assert!(!page("", "").is_like(&page("Walnut desk", product)));
        assert!(
            !Signature::new("x", "404").is_like(&Signature::new("x", "404")),
            "too little text"
        );
    }

    #[test]
    fn long_pages_are_sampled() {
        let text: String = (0..5_000).map(|n| format!("word{} ", letters(n))).collect();
        let other = text.replace("wordaab", "other");
        let (a, b) = (Signature::new("t", &text), Signature::new("t", &other));
        assert_eq!(a.sketch.len(), SKETCH);
        assert!(a.resemblance(&b) > 0.95);
        assert!((a.resemblance(&a) - 1.0).abs() < 1e-9);
    }

    fn letters(mut n: usize) -> String {
        let mut text = String::new();
        for _ in 0..3 {
            text.push(char::from(b'a' + (n % 26) as u8));
            n /= 26;
        }
        text
    }

    #[test]
    fn the_guard_keeps_most_of_the_site() {
        let mut guard = Guard::default();
        let dropped = (0..1_000).filter(|_| guard.drops(true)).count();
        assert!((200..=300).contains(&dropped), "{dropped}");
        let mut guard = Guard::default();
        assert_eq!((0..1_000).filter(|n| guard.drops(n % 10 == 0)).count(), 100);
    }
}
