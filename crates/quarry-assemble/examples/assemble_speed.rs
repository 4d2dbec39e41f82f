//! How fast is a table assembled, and how much memory does it take? Made-up entities with columns of every type, each column found by
//! one or two sources.
//!
//! ```text
//! cargo run --release -p quarry-assemble --example assemble_speed -- [ENTITIES] [COLUMNS] [disk]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

#[path = "../../../bench/measure.rs"]
mod measure;

use std::error::Error;
use std::time::Instant;

use measure::cpu_seconds;
use quarry_assemble::{AssembleConfig, MemoryEvidence, assemble};
use quarry_model::{Evidence, EvidenceRole, EvidenceStore, NameOrigin, ValueSource};
use quarry_store::DiskEvidence;

const SITE: &str = "http://shop.test";
/// Evidence in memory with `disk`: half of the program's default of 256 MB; the sample has the other half.
const BUFFER_BYTES: usize = 128 << 20;

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

fn sources(column: u64) -> &'static [ValueSource] {
    match column % 3 {
        0 => &[ValueSource::Spec],
        1 => &[ValueSource::Spec, ValueSource::List],
        _ => &[ValueSource::Spec, ValueSource::Facet],
    }
}

fn evidence(entity: u64, column: u64, source: ValueSource) -> Evidence {
    let address = format!("{SITE}/p/{entity}");
    let name = if source == ValueSource::Spec { "Column" } else { "Property" };
    Evidence {
        site: SITE.to_owned(),
        role: EvidenceRole::Attribute,
        attribute: format!("{name} {column}"),
        naming: NameOrigin::Printed,
        slot: None,
        value: value(entity, column, source),
        source,
        page: match source {
            ValueSource::Spec => address.clone(),
            _ => format!("{SITE}/list?page={}", entity / 50),
        },
        entity: address,
        path: format!("/html/body/main/div[2]/dl/dd[{column}]"),
        confidence: 0.9,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let number = |at: usize| std::env::args().nth(at).and_then(|text| text.parse::<u64>().ok());
    let (entities, columns) = (number(1).unwrap_or(100_000), number(2).unwrap_or(8));
    let folder = std::env::temp_dir().join(format!("assemble-speed-{}", std::process::id()));
    let mut store: Box<dyn EvidenceStore> = match std::env::args().any(|arg| arg == "disk") {
        true => Box::new(DiskEvidence::create(&folder, BUFFER_BYTES)?),
        false => Box::new(MemoryEvidence::default()),
    };
    let started = Instant::now();
    let mut step = {
        let mut began = (cpu_seconds(), Instant::now());
        move |what: &str| {
            let now = (cpu_seconds(), Instant::now());
            println!(
                "{what}: {:.2} s CPU, {:.2} s elapsed, peak {:.0} MB",
                now.0 - began.0,
                (now.1 - began.1).as_secs_f64(),
                peak_megabytes()
            );
            began = now;
        }
    };
    let mut pieces = 0_u64;
    for (entity, column) in (0..entities).flat_map(|e| (0..columns).map(move |c| (e, c))) {
        for &source in sources(column) {
            store.add(evidence(entity, column, source))?;
            pieces += 1;
        }
    }
    step(&format!("{pieces} pieces of evidence of {entities} entities added"));
    let table = assemble(store.as_mut(), None, &AssembleConfig::default())?;
    step(&format!("{} columns decided", table.columns.len()));
    let (mut rows, mut cells) = (0, 0);
    table.each_entity(store.as_mut(), &mut |entity| {
        cells += entity.cells.len();
        rows += entity.rows(&table.columns).count();
        Ok(())
    })?;
    step(&format!("{cells} cells, {rows} rows of values given"));
    println!("all: {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// The most memory that the process has used so far.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    let number = line.split_whitespace().nth(1).and_then(|text| text.parse::<f64>().ok());
    number.unwrap_or_default() / 1024.0
}
