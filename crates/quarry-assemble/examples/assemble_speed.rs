//! How fast is a table assembled? Made-up entities with columns of every type, each column seen by two or three sources.
//!
//! ```text
//! cargo run --release -p quarry-assemble --example assemble_speed -- [ENTITIES] [COLUMNS]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

#[path = "../../../bench/measure.rs"]
mod measure;

use measure::cpu_seconds;
use quarry_assemble::{AssembleConfig, Naming, Says, Sighting, assemble, compare};
use quarry_model::ValueSource;

const SITE: &str = "http://shop.test";

/// A value of an entity in a column, as a source prints it: texts, numbers with units, prices, dates, words of few.
fn value(entity: u64, column: u64, source: ValueSource) -> String {
    let drawn = (entity + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(2 * column + 1) >> 32;
    let spec = source == ValueSource::Spec;
    match column % 6 {
        0 => format!("Maker {}", drawn % 400),
        1 if spec => format!("{} mm", 10 * (drawn % 900)),
        1 => format!("{} cm", drawn % 900),
        2 if spec => format!("USD {}.{:02}", drawn / 100 % 1000, drawn % 100),
        2 => format!("${}.{:02}", drawn / 100 % 1000, drawn % 100),
        3 if spec => format!("2024-{:02}-{:02}", 1 + drawn % 12, 1 + drawn / 12 % 28),
        3 => format!("{} March {}", 1 + drawn % 28, 1950 + drawn / 28 % 70),
        4 => ["red", "green", "blue", "black", "white"][(drawn % 5) as usize].to_owned(),
        _ => format!("Serial {drawn:x}"),
    }
}

fn main() {
    let number = |at: usize| std::env::args().nth(at).and_then(|text| text.parse::<u64>().ok());
    let (entities, columns) = (number(1).unwrap_or(100_000), number(2).unwrap_or(30));
    let addresses: Vec<String> = (0..entities).map(|e| format!("{SITE}/p/{e}")).collect();
    let names: Vec<String> = (0..columns).map(|column| format!("Column {column}")).collect();
    let others: Vec<String> = (0..columns).map(|column| format!("Property {column}")).collect();
    let sources = |column: u64| match column % 3 {
        0 => &[ValueSource::Spec][..],
        1 => &[ValueSource::Spec, ValueSource::List],
        _ => &[ValueSource::Spec, ValueSource::Facet],
    };
    let mut texts = Vec::new();
    for (entity, column) in (0..entities).flat_map(|e| (0..columns).map(move |c| (e, c))) {
        for &source in sources(column) {
            texts.push((entity as usize, column as usize, source, value(entity, column, source)));
        }
    }
    let sightings: Vec<Sighting<'_>> = texts
        .iter()
        .map(|(entity, column, source, value)| Sighting {
            site: SITE,
            entity: &addresses[*entity],
            says: Says::Attribute {
                name: if *source == ValueSource::Spec { &names[*column] } else { &others[*column] },
                naming: Naming::Printed,
                slot: None,
            },
            value,
            source: *source,
            page: &addresses[*entity],
            path: &names[*column],
            confidence: 0.9,
        })
        .collect();
    let before = memory("VmRSS");
    let began = (cpu_seconds(), std::time::Instant::now());
    let table = assemble(&sightings, &AssembleConfig::default());
    let ended = (cpu_seconds(), began.1.elapsed().as_secs_f64());
    let peak = memory("VmHWM");
    println!(
        "{} sightings of {entities} entities, {} columns out: {:.2} s CPU, {:.2} s elapsed, {:.0} MB beside the input",
        sightings.len(),
        table.columns.len(),
        ended.0 - began.0,
        ended.1,
        peak - before,
    );
    let began = cpu_seconds();
    let rows = table.values().count();
    println!("{rows} rows of values: {:.2} s CPU", cpu_seconds() - began);
    let began = cpu_seconds();
    let snapshot = table.snapshot();
    let changes = compare(&snapshot, &snapshot).len();
    println!("{changes} entities compared: {:.2} s CPU", cpu_seconds() - began);
}

/// A line of the process's status, in MB.
fn memory(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let number = line.split_whitespace().nth(1).and_then(|text| text.parse::<f64>().ok());
    number.unwrap_or_default() / 1024.0
}
