//! Where do seed records and node strings come from? Made up by a fixed rule from a number: names,
//! addresses and telephone numbers; texts of pages, a few of them noisy variants of seed values.

/// A small generator of numbers (splitmix64): the same seed, the same strings.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of `items`, the first ones far more often: rank r with a chance of about 1 / r.
    pub fn zipf<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let rank = (items.len() as f64).powf(self.unit()) - 1.0;
        &items[(rank as usize).min(items.len() - 1)]
    }
}

/// A record: name, address, telephone.
pub type Record = [String; 3];

pub struct World {
    rng: Rng,
    surnames: Vec<String>,
    nouns: Vec<String>,
    streets: Vec<String>,
    cities: Vec<(String, &'static str, u32)>,
    prose: Vec<String>,
}

const ONSETS: &[&str] = &[
    "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p",
    "pr", "qu", "r", "s", "sh", "st", "t", "th", "tr", "v", "w", "y", "z", "",
];
const NUCLEI: &[&str] = &["a", "e", "i", "o", "u", "ai", "ea", "ie", "oo", "ou"];
const CODAS: &[&str] =
    &["", "", "", "n", "r", "s", "l", "t", "m", "ng", "nd", "ck", "rt", "st", "th", "x"];
const ENDINGS: &[&str] = &["", "", "", "ing", "er", "ed", "s", "ly", "tion", "ment", "son", "ton"];
const KINDS: &[&str] = &[
    "Restaurant",
    "Cafe",
    "Grill",
    "Bar",
    "Bistro",
    "Kitchen",
    "House",
    "Diner",
    "Pizzeria",
    "Deli",
    "Tavern",
    "Club",
    "Garden",
    "Bakery",
    "Inn",
];
const ROADS: &[&str] =
    &["Street", "Avenue", "Road", "Boulevard", "Lane", "Drive", "Place", "Court", "Way", "Square"];
const SHORT_ROADS: &[&str] = &["St", "Ave", "Rd", "Blvd", "Ln", "Dr", "Pl", "Ct", "Wy", "Sq"];
const STATES: &[&str] = &["NY", "CA", "TX", "IL", "FL", "WA", "MA", "PA", "OH", "GA", "NJ", "CO"];
const LABELS: &[&str] = &["price", "hours", "home", "about", "contact", "reviews", "menu", "more"];

fn word(rng: &mut Rng) -> String {
    let mut made = String::new();
    for _ in 0..1 + rng.below(3) {
        made += *rng.pick(ONSETS);
        made += *rng.pick(NUCLEI);
        made += *rng.pick(CODAS);
    }
    made + *rng.pick(ENDINGS)
}

fn capital(word: impl AsRef<str>) -> String {
    let mut letters = word.as_ref().chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl World {
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng(seed);
        let mut words = |n: usize| -> Vec<String> { (0..n).map(|_| word(&mut rng)).collect() };
        let (surnames, nouns) = (words(20_000), words(6_000));
        let (streets, towns, prose) = (words(4_000), words(600), words(30_000));
        let cities = towns
            .iter()
            .map(|town| (capital(town), *rng.pick(STATES), 10_000 + rng.below(89_000) as u32))
            .collect();
        Self { rng, surnames, nouns, streets, cities, prose }
    }

    pub fn record(&mut self) -> Record {
        [self.name(), self.address(), self.phone()]
    }

    fn name(&mut self) -> String {
        let rng = &mut self.rng;
        let surname = capital(rng.zipf(&self.surnames));
        let noun = capital(rng.zipf(&self.nouns));
        let kind = *rng.zipf(KINDS);
        match rng.below(6) {
            0 => format!("{surname}'s {kind}"),
            1 => format!("{surname} & {} {kind}", capital(rng.zipf(&self.surnames))),
            2 => format!("The {noun} {kind}"),
            3 => format!("{noun} {} {kind}", capital(rng.zipf(&self.nouns))),
            4 => format!("{surname} {noun}"),
            _ => format!("{surname} {noun} {kind}"),
        }
    }

    fn address(&mut self) -> String {
        let rng = &mut self.rng;
        let (city, state, zip) = rng.zipf(&self.cities).clone();
        let zip = zip + rng.below(40) as u32;
        let highest = if rng.below(3) == 0 { 9999 } else { 400 };
        let number = 1 + rng.below(highest);
        let street = capital(rng.zipf(&self.streets));
        format!("{number} {street} {}, {city}, {state} {zip}", rng.zipf(ROADS))
    }

    fn phone(&mut self) -> String {
        let rng = &mut self.rng;
        let area = 201 + rng.below(300);
        format!("({area}) {:03}-{:04}", 200 + rng.below(800), rng.below(10_000))
    }

    /// Text of some other node of a page.
    pub fn other(&mut self) -> String {
        match self.rng.below(20) {
            0..=4 => self.sentence(6, 24),
            5..=9 => self.sentence(1, 3),
            10..=11 => {
                let label = *self.rng.pick(LABELS);
                format!("{label}: {}", self.sentence(1, 2))
            }
            12 => format!("${}.{:02}", self.rng.below(100_000), self.rng.below(100)),
            13 => {
                let (year, month) = (1990 + self.rng.below(40), 1 + self.rng.below(12));
                format!("{year}-{month:02}-{:02} {}", self.rng.below(29), self.rng.below(100_000))
            }
            14 => format!("{} items, {}", self.rng.below(1000), self.sentence(2, 4)),
            15 => format!("SKU {:x}", self.rng.next() >> 24),
            16 => format!("{} {}", self.sentence(1, 2), self.rng.below(1_000_000)),
            17 => format!("by {} on {}", self.sentence(2, 2), self.sentence(1, 1)),
            18 => self.name(),
            _ => self.sentence(3, 6),
        }
    }

    fn sentence(&mut self, least: usize, most: usize) -> String {
        let count = least + self.rng.below(most - least + 1);
        let words: Vec<&str> = (0..count).map(|_| self.rng.zipf(&self.prose).as_str()).collect();
        capital(words.join(" "))
    }

    /// The value as another site may write it: typing errors, abbreviations, words more or less.
    pub fn noisy(&mut self, value: &str) -> String {
        let mut text = value.to_owned();
        if let Some(road) = self.rng.below(2).checked_sub(1).map(|_| self.rng.below(ROADS.len())) {
            text = text.replace(ROADS[road], SHORT_ROADS[road]);
        }
        for _ in 0..1 + self.rng.below(2) {
            let mut letters: Vec<char> = text.chars().collect();
            let at = self.rng.below(letters.len());
            match self.rng.below(5) {
                0 => drop(letters.remove(at)),
                1 => letters.insert(at, char::from(b'a' + self.rng.below(26) as u8)),
                2 if at > 0 => letters.swap(at - 1, at),
                3 => letters.extend(format!(" {}", self.rng.zipf(&self.prose)).chars()),
                _ => {
                    let mut words: Vec<&str> = text.split(' ').collect();
                    let turn = self.rng.below(words.len());
                    words.rotate_left(turn);
                    letters = words.join(" ").chars().collect();
                }
            }
            if letters.len() > 2 {
                text = letters.into_iter().collect();
            }
        }
        text
    }

    /// Strings of which two in a hundred are noisy variants of the records' values. Nearly all differ.
    pub fn strings(&mut self, records: &[Record], count: usize) -> Vec<String> {
        (0..count)
            .map(|at| if at % 50 == 0 { self.variant(records) } else { self.other() })
            .collect()
    }

    /// The nodes of a site's pages: of a hundred, two are noisy variants of the records' values, 28 are
    /// the page's own, 20 come from lists (categories, places), 50 stand on every page.
    pub fn nodes(&mut self, records: &[Record], count: usize) -> Vec<String> {
        let template: Vec<String> = (0..200).map(|_| self.other()).collect();
        let lists: Vec<String> = (0..5_000).map(|_| self.other()).collect();
        (0..count)
            .map(|at| match at % 50 {
                0 => self.variant(records),
                1..=14 => self.other(),
                15..=24 => self.rng.zipf(&lists).clone(),
                _ => self.rng.pick(&template).clone(),
            })
            .collect()
    }

    fn variant(&mut self, records: &[Record]) -> String {
        let record = &records[self.rng.below(records.len())];
        let value = self.rng.pick(record).clone();
        self.noisy(&value)
    }
}
