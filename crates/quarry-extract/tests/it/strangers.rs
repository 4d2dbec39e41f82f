//! Seeds of things that nobody has: words and digits by a counter, so that some agree with any page by chance. Shared by the tests
//! and `examples/match_strangers.rs`.

use quarry_extract::attribute::SeedDb;

/// Records of a made-up seed.
const RECORDS: u64 = 200;

/// A number that looks random, the same on every run (splitmix64).
pub fn noise(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const FIRST: [&str; 12] = [
    "Ultra", "Compact", "Classic", "Heavy", "Smart", "Portable", "Premium", "Basic", "Travel",
    "Pocket", "Silent", "Rapid",
];
const SECOND: [&str; 12] = [
    "Lantern", "Kettle", "Drill", "Blender", "Stapler", "Tripod", "Heater", "Fan", "Scale",
    "Toaster", "Shredder", "Pump",
];

fn pick<'a>(of: &[&'a str], at: u64) -> &'a str {
    of[(at % of.len() as u64) as usize]
}

type Make = fn(u64) -> Vec<String>;

/// Made-up seeds of several kinds, by name.
pub fn made_up() -> Vec<(&'static str, SeedDb)> {
    let products: Make = |n| {
        let [a, b, c] = [noise(n), noise(n + 10_000), noise(n + 20_000)];
        vec![
            format!("{} {} {}", pick(&FIRST, a), pick(&SECOND, a >> 8), 100 + b % 900),
            format!("{}-{:05}", ["AB", "KX", "PR"][(b % 3) as usize], c % 100_000),
            format!("${}.{:02}", 5 + a % 120, [0, 50, 95, 99][(c % 4) as usize]),
        ]
    };
    let numbers: Make = |n| {
        let [a, b, c] = [noise(n), noise(n + 10_000), noise(n + 20_000)];
        vec![
            format!("{}", a % 1000),
            format!("{}", 1900 + b % 120),
            format!("{}.{}", c % 50, b % 10),
        ]
    };
    let codes: Make =
        |n| vec![format!("{:07}", noise(n) % 10_000_000), format!("{:04}", noise(n + 7) % 10_000)];
    let people: Make = |n| {
        let [a, b] = [noise(n), noise(n + 10_000)];
        vec![
            format!("{}{} {}{}", pick(&FIRST, a), a % 7, pick(&SECOND, b), b % 7),
            format!("({}) 555-{:04}", 200 + a % 700, b % 10_000),
            format!("{}/{}/{}", 1 + a % 12, 1 + b % 28, 1950 + a % 60),
        ]
    };
    let kinds: [(&str, &[&str], Make); 4] = [
        ("products", &["name", "sku", "price"], products),
        ("numbers", &["count", "year", "ratio"], numbers),
        ("codes", &["code", "pin"], codes),
        ("people", &["handle", "pager", "joined"], people),
    ];
    let seed = |(name, attributes, make): (&'static str, &[&str], Make)| {
        let mut seeds = SeedDb::new(attributes.iter().map(|name| (*name).to_owned()));
        for n in 0..RECORDS {
            seeds.add("made up", None, seeds.attribute_ids().zip(make(n)));
        }
        (name, seeds)
    };
    kinds.into_iter().map(seed).collect()
}
