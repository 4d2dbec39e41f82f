//! How fast are entities linked, and how much memory does it take? Made-up products on made-up shops: each shop has its own names of
//! attributes, units and spellings; a tenth of the names is misspelt, a third of the entities has no product code.
//!
//! ```text
//! cargo run --release -p quarry-assemble --example link_speed -- [ENTITIES] [SITES]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

#[path = "../../../bench/measure.rs"]
mod measure;

use std::time::Instant;

use measure::cpu_seconds;
use quarry_assemble::link::{LinkConfig, LinkEntity, LinkInput, link};

/// A number drawn from others, the same in every run.
fn drawn(seed: u64, of: u64) -> u64 {
    let mixed = (seed ^ of.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
}

/// A word that can be spoken.
fn word(number: u64) -> String {
    const PARTS: [&str; 20] = [
        "ba", "co", "di", "fu", "ga", "he", "jo", "ka", "li", "mo", "na", "pe", "ri", "so", "tu",
        "va", "we", "xi", "yo", "za",
    ];
    let mut left = number;
    let mut text = String::new();
    for _ in 0..4 {
        text.push_str(PARTS[(left % 20) as usize]);
        left /= 20;
    }
    text
}

/// GTIN-13 of a product.
fn code(product: u64) -> String {
    let body = format!("40{:010}", drawn(product, 9) % 10_000_000_000);
    let sum: u32 =
        body.bytes().zip([1, 3].into_iter().cycle()).map(|(b, w)| u32::from(b - b'0') * w).sum();
    format!("{body}{}", (10 - sum % 10) % 10)
}

fn main() {
    let number = |at: usize| std::env::args().nth(at).and_then(|text| text.parse::<u64>().ok());
    let (entities, sites) = (number(1).unwrap_or(100_000), number(2).unwrap_or(100));
    let each = entities / sites;
    // A product is in a tenth of the shops, about.
    let world = each * 10;
    let (began, cpu) = (Instant::now(), cpu_seconds());
    let mut input = LinkInput::default();
    let mut truth: Vec<u64> = Vec::new();
    for site in 0..sites {
        let label = |name: &str| format!("{name} {}", site % 7);
        let labels = ["maker", "weight", "colour", "price", "code", "size"].map(label);
        let mut product = drawn(site, 77) % 10;
        let mut number = 0;
        while number < each && product < world {
            let maker = word(drawn(product, 1) % 3_000);
            let model = format!("{}{}", word(drawn(product, 2) % 160_000), drawn(product, 3) % 900);
            let mut type_word = word(drawn(product, 4) % 400 + 8_000);
            if drawn(product + site, 5).is_multiple_of(10) {
                type_word.remove(2);
            }
            let name = match site % 3 {
                0 => format!("{maker} {model} {type_word}"),
                1 => format!("{type_word} {maker} {model}"),
                _ => format!("{model} ({maker})"),
            };
            let grams = 100 + drawn(product, 6) % 4_000;
            let weight = if site % 2 == 0 {
                format!("{grams} g")
            } else {
                format!("{} kg", grams as f64 / 1e3)
            };
            let colour =
                ["red", "green", "blue", "black", "white"][(drawn(product, 7) % 5) as usize];
            let price = format!(
                "{}.{:02} EUR",
                5 + drawn(product + site, 8) % 900,
                drawn(site, product) % 100
            );
            let code = code(product);
            let size = format!("{} cm", 5 + drawn(product, 10) % 200);
            let texts = [&maker, &weight, &colour.to_owned(), &price, &code, &size];
            let has_code = !drawn(product + 13 * site, 11).is_multiple_of(3);
            let values: Vec<(&str, &str)> = (0..6)
                .filter(|at| *at != 4 || has_code)
                .map(|at| (labels[at].as_str(), texts[at].as_str()))
                .collect();
            input.add(&LinkEntity {
                site: &format!("http://shop{site:03}.test"),
                entity: &format!("http://shop{site:03}.test/item/{number}"),
                kind: "products",
                name: Some(&name),
                values: &values,
            });
            truth.push(product);
            number += 1;
            product += 1 + drawn(site * 31 + product, 12) % 19;
        }
    }
    let count = truth.len();
    println!("{count} entities of {sites} sites read in {:.1} s", began.elapsed().as_secs_f64());
    let links = link(input, &LinkConfig::default());
    let (seconds, cpu) = (began.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let (mut right, mut predicted, mut there) = (0_u64, 0_u64, 0_u64);
    for thing in links.things() {
        for (at, a) in thing.iter().enumerate() {
            for b in &thing[at + 1..] {
                predicted += 1;
                right += u64::from(truth[*a as usize] == truth[*b as usize]);
            }
        }
    }
    truth.sort_unstable();
    truth
        .chunk_by(|a, b| a == b)
        .for_each(|same| there += (same.len() * (same.len() - 1) / 2) as u64);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("?").trim();
    println!(
        "{} things, {} pairs compared, {} columns, {seconds:.1} s, {cpu:.1} CPU s, peak {peak}",
        links.things().len(),
        links.compared(),
        links.aligned().len()
    );
    println!(
        "pairs P {:.4} R {:.4}",
        right as f64 / predicted.max(1) as f64,
        right as f64 / there.max(1) as f64
    );
}
