//! Makes titles, sentences and addresses of words: slugs, a small sentence grammar and
//! invented names.

use std::fmt;

use crate::prng::Rng;

/// Text escaped for HTML, in text and in quoted attributes.
pub(crate) struct Esc<'a>(pub(crate) &'a str);

impl fmt::Display for Esc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(['&', '<', '>', '"']) {
            f.write_str(&rest[..at])?;
            f.write_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                _ => "&quot;",
            })?;
            rest = &rest[at + 1..];
        }
        f.write_str(rest)
    }
}

/// Lower-case ASCII letters and digits with single hyphens, for paths and parameters.
pub(crate) fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let c = match c {
            'é' | 'è' | 'ê' => 'e',
            'á' | 'à' | 'â' | 'ä' => 'a',
            'í' | 'î' => 'i',
            'ó' | 'ô' | 'ö' | 'ø' => 'o',
            'ú' | 'ü' => 'u',
            'ñ' => 'n',
            'ç' => 'c',
            _ => c.to_ascii_lowercase(),
        };
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if c == '\'' || c == '’' {
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    while out.ends_with('-') {
        out.pop();
    }
    if out.is_empty() {
        out.push('x');
    }
    out
}

/// The words of a text as a search index sees them: lower case, letters and digits.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 1).map(str::to_lowercase)
}

/// Makes a sentence from a pattern: `[a|b|c]` is one of the three, `{Name}` what `value` gives for
/// it. `None` when `value` has nothing for a name.
pub(crate) fn compose(
    pattern: &str,
    rng: &mut Rng,
    value: &mut dyn FnMut(&str, &mut Rng) -> Option<String>,
) -> Option<String> {
    let mut out = String::with_capacity(pattern.len() * 2);
    let mut rest = pattern;
    while let Some(at) = rest.find(['[', '{']) {
        out.push_str(&rest[..at]);
        let (close, is_choice) =
            if rest.as_bytes()[at] == b'[' { (']', true) } else { ('}', false) };
        let Some(end) = rest[at..].find(close).map(|e| at + e) else {
            out.push_str(&rest[at..]);
            return Some(out);
        };
        let inner = &rest[at + 1..end];
        if is_choice {
            let options: Vec<&str> = inner.split('|').collect();
            out.push_str(options[rng.below(options.len())]);
        } else {
            out.push_str(&value(inner, rng)?);
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    Some(out)
}

/// "a", "a and b", "a, b and c".
pub(crate) fn and_list(items: &[&str]) -> String {
    match items {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

/// The kinds of name that can be invented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// A firm: "Norvelle", "Kestrana".
    Brand,
    /// A person: "Mira Halloway".
    Person,
    /// A street: "Tannery Lane".
    Street,
    /// A town: "Port Ellery".
    Town,
    /// A part of a town: "Mill Quarter".
    Quarter,
    /// A model: "Velora 340".
    Model,
    /// An eating house: "The Copper Fig".
    House,
    /// A book: "The Cartographer's Winter".
    Book,
}

const ONSET: &[&str] = &[
    "bal", "bren", "cal", "dar", "del", "el", "far", "gal", "hal", "kes", "lan", "mar", "mor",
    "nor", "or", "pel", "quil", "ren", "sal", "tar", "tel", "var", "ves", "wil", "yar", "zan",
    "lum", "cor", "fen", "rav",
];
const MIDDLE: &[&str] =
    &["a", "e", "i", "o", "u", "ara", "ele", "ona", "ivi", "eta", "and", "ist", "oro", "ume"];
const CODA: &[&str] = &[
    "na", "ra", "le", "do", "ta", "ris", "vex", "lon", "mo", "tis", "ven", "ka", "lia", "nor",
    "dex", "sa", "ro", "th", "line", "well",
];
const FIRST: &[&str] = &[
    "Mira", "Jonas", "Elena", "Tobias", "Anouk", "Felix", "Ingrid", "Mateo", "Sana", "Oskar",
    "Leila", "Hugo", "Noor", "Viktor", "Amara", "Piet", "Rosa", "Emil", "Clara", "Idris", "Wanda",
    "Luca", "Greta", "Samir", "Nina", "Theo", "Alma", "Bruno", "Yara", "Konrad",
];
const LAST_A: &[&str] = &[
    "Hallo", "Bram", "Thorn", "Ash", "Mer", "Win", "Stone", "Lark", "Fair", "Black", "Hart",
    "West", "Green", "Under", "Kel", "Rook", "Elder", "Long", "Marsh", "Birch",
];
const LAST_B: &[&str] = &[
    "way", "well", "ton", "bury", "field", "wood", "ford", "stead", "croft", "ley", "man", "mere",
    "brook", "gate", "hurst",
];
const STREET_A: &[&str] = &[
    "Tannery", "Orchard", "Mill", "Harbour", "Juniper", "Foundry", "Chapel", "Sycamore", "Lantern",
    "Quarry", "Willow", "Station", "Garden", "Cooper", "Bell", "River", "Cedar", "Market", "Ferry",
    "Linden", "Abbey", "Meadow", "Granite", "Heron", "Maple", "Crescent", "Signal", "Weaver",
];
const STREET_B: &[&str] = &["Street", "Avenue", "Lane", "Road", "Boulevard", "Place", "Drive"];
const TOWN_A: &[&str] = &["Port", "Lake", "Mount", "North", "Old", "Fort", "Saint", "New"];
const TOWN_B: &[&str] = &[
    "Ellery", "Marlow", "Corvan", "Wexley", "Dunmore", "Halden", "Osprey", "Pellam", "Tarrow",
    "Vesper", "Lorne", "Brandt", "Kirkby", "Ashlin", "Merrow", "Calder",
];
const QUARTER_A: &[&str] = &[
    "Mill",
    "Harbour",
    "Cathedral",
    "Garden",
    "Station",
    "University",
    "Theatre",
    "Old",
    "Canal",
    "Hill",
    "Park",
    "Museum",
    "River",
    "Market",
    "Castle",
    "Warehouse",
    "Observatory",
    "Orchard",
];
const QUARTER_B: &[&str] = &["Quarter", "District", "Heights", "Square", "End", "Gardens", "Row"];
const MODEL: &[&str] = &[
    "Glide", "Ridge", "Strata", "Pulse", "Drift", "Comet", "Terra", "Nimbus", "Vertex", "Harbor",
    "Ember", "Summit", "Aero", "Metro", "Canyon", "Halo", "Breeze", "Cobalt", "Origin", "Sable",
    "Trace", "Atlas", "Flint", "Mistral", "Orbit", "Raven", "Solace", "Tempo", "Umbra", "Zephyr",
];
const HOUSE_A: &[&str] = &[
    "Copper",
    "Golden",
    "Little",
    "Blue",
    "Hungry",
    "Salted",
    "Wild",
    "Crooked",
    "Velvet",
    "Smoky",
    "Laughing",
    "Red",
    "Quiet",
    "Rusty",
    "Silver",
    "Merry",
    "Green",
    "Iron",
    "Wandering",
    "Twin",
];
const HOUSE_B: &[&str] = &[
    "Fig", "Lantern", "Spoon", "Heron", "Olive", "Kettle", "Anchor", "Pepper", "Barrel", "Fox",
    "Table", "Goose", "Plum", "Oven", "Turnip", "Sparrow", "Skillet", "Lemon", "Boar", "Ladle",
];
const HOUSE_C: &[&str] = &[
    "", "", "", " Kitchen", " Tavern", " Bistro", " Grill", " Café", " Diner", " House", " Cantina",
];
const BOOK_A: &[&str] = &[
    "Cartographer",
    "Lighthouse Keeper",
    "Clockmaker",
    "Orchard",
    "Glassblower",
    "Beekeeper",
    "Ferryman",
    "Archivist",
    "Salt Merchant",
    "Gardener",
    "Night Porter",
    "Translator",
    "Weaver",
    "Astronomer",
    "Bookbinder",
    "Violinist",
    "Surveyor",
    "Apprentice",
    "Falconer",
    "Diver",
];
const BOOK_B: &[&str] = &[
    "Winter",
    "Daughter",
    "Silence",
    "Map",
    "Secret",
    "Promise",
    "Garden",
    "Shadow",
    "Letters",
    "Return",
    "Inheritance",
    "Hour",
    "Riddle",
    "Ledger",
    "Song",
    "Notebook",
    "Bridge",
    "Harvest",
];

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// Invents a name.
pub(crate) fn invent(kind: NameKind, rng: &mut Rng) -> String {
    let r = rng;
    match kind {
        NameKind::Brand => {
            let middle = if r.chance(0.4) { *r.pick(MIDDLE) } else { "" };
            capital(&format!("{}{middle}{}", r.pick(ONSET), r.pick(CODA)))
        }
        NameKind::Person => format!("{} {}{}", r.pick(FIRST), r.pick(LAST_A), r.pick(LAST_B)),
        NameKind::Street => format!("{} {}", r.pick(STREET_A), r.pick(STREET_B)),
        NameKind::Town => match r.below(3) {
            0 => format!("{} {}", r.pick(TOWN_A), r.pick(TOWN_B)),
            1 => (*r.pick(TOWN_B)).to_owned(),
            _ => capital(&format!("{}{}", r.pick(LAST_A).to_lowercase(), r.pick(LAST_B))),
        },
        NameKind::Quarter => format!("{} {}", r.pick(QUARTER_A), r.pick(QUARTER_B)),
        NameKind::Model => {
            if r.chance(0.5) {
                format!("{} {}", r.pick(MODEL), 10 * r.between(1, 98))
            } else {
                format!(
                    "{} {}",
                    r.pick(MODEL),
                    capital(&format!("{}{}", r.pick(ONSET), r.pick(CODA)))
                )
            }
        }
        NameKind::House => match r.below(3) {
            0 => format!("The {} {}{}", r.pick(HOUSE_A), r.pick(HOUSE_B), r.pick(HOUSE_C)),
            1 => format!("{}'s{}", r.pick(FIRST), r.pick(&HOUSE_C[3..])),
            _ => format!("{} & {}", r.pick(HOUSE_B), r.pick(HOUSE_B)),
        },
        NameKind::Book => match r.below(4) {
            0 => format!("The {}'s {}", r.pick(BOOK_A), r.pick(BOOK_B)),
            1 => format!("A {} for the {}", r.pick(BOOK_B), r.pick(BOOK_A)),
            2 => format!("{} of the {}", r.pick(BOOK_B), r.pick(BOOK_A)),
            _ => format!("The {} {}", r.pick(HOUSE_A), r.pick(BOOK_B)),
        },
    }
}

/// The first `count` different invented names of a kind, fixed by the seed.
pub(crate) fn invent_many(kind: NameKind, count: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng::of(seed, "names", kind as u64);
    let mut seen = std::collections::BTreeSet::new();
    let mut names = Vec::with_capacity(count);
    let mut misses = 0;
    while names.len() < count {
        let mut name = invent(kind, &mut rng);
        if !seen.insert(slug(&name)) {
            misses += 1;
            if misses < 50 {
                continue;
            }
            name = format!("{name} {}", capital(&format!("{}{}", rng.pick(ONSET), rng.pick(CODA))));
            if !seen.insert(slug(&name)) {
                continue;
            }
        }
        misses = 0;
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        for (text, expect) in [
            ("Nike & Söns", "nike-sons"),
            ("  Under $25 ", "under-25"),
            ("Rosa's Café", "rosas-cafe"),
            ("—", "x"),
        ] {
            assert_eq!(slug(text), expect, "{text}");
        }
    }

    #[test]
    fn sentences_are_skipped_when_a_value_is_missing() {
        let mut rng = Rng::new(1);
        let mut value = |name: &str, _: &mut Rng| (name == "Brand").then(|| "Norva".to_owned());
        assert_eq!(compose("By {Brand}.", &mut rng, &mut value).as_deref(), Some("By Norva."));
        assert_eq!(compose("In {Color}.", &mut rng, &mut value), None);
        let one = compose("[x|y]", &mut rng, &mut value).expect("no value is needed");
        assert!(one == "x" || one == "y");
    }

    #[test]
    fn invented_names_differ() {
        let names = invent_many(NameKind::Brand, 800, 3);
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), 800);
    }

    #[test]
    fn escaping() {
        assert_eq!(Esc("a<b & \"c\"").to_string(), "a&lt;b &amp; &quot;c&quot;");
    }
}
