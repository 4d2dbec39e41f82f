//! How fast is the join? Made-up records (name, address, telephone) against made-up texts of nodes, two
//! in a hundred of them noisy variants of seed values; or against the lines of a file, for instance the
//! texts of the nodes of real pages. With a folder, the vectors of the seeds and of
//! the first strings are written there for the peer. `bench/simjoin.py` runs both.
//!
//! ```text
//! cargo run --release -p quarry-simjoin --example join_speed -- pages|different|FILE SEEDS STRINGS [SAMPLE FOLDER]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

#[path = "../../../bench/measure.rs"]
mod measure;

use std::io::Write as _;
use std::path::Path;

use measure::cpu_seconds;
use quarry_simjoin::{SeedColumn, SeedIndex, Weigher};

#[path = "../tests/it/generate.rs"]
#[allow(unreachable_pub, dead_code)]
mod generate;

use generate::{Record, World};

const THRESHOLD: f64 = 0.5;
const ATTRIBUTES: [&str; 3] = ["name", "address", "phone"];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|text| text.parse::<usize>().ok());
    let (Some(kind), Some(seeds), Some(count)) = (args.first(), number(1), number(2)) else {
        println!("usage: join_speed pages|different|FILE SEEDS STRINGS [SAMPLE FOLDER]");
        std::process::exit(2);
    };
    let mut world = World::new(2010);
    let records: Vec<Record> = (0..seeds).map(|_| world.record()).collect();
    let strings = match kind.as_str() {
        "pages" => world.nodes(&records, count),
        "different" => world.strings(&records, count),
        file => {
            let text = std::fs::read_to_string(file).expect("a file of lines in UTF-8");
            text.lines().take(count).map(str::to_owned).collect()
        }
    };
    let inputs_mb = memory("VmRSS");

    let began = cpu_seconds();
    let columns = [0, 1, 2].map(|at| {
        let values = (0u32..).zip(records.iter().map(|record| record[at].as_str()));
        SeedColumn::new(ATTRIBUTES[at], values)
    });
    let index = SeedIndex::build(&columns);
    let built = cpu_seconds();
    let joined = index.join(&strings, THRESHOLD);
    let ended = cpu_seconds();
    let groups = joined.groups().iter().max().map_or(0, |last| last + 1);
    let peak_mb = memory("VmHWM");

    let sample = number(3).unwrap_or(0).min(strings.len());
    let in_sample: usize = (0..sample).map(|at| joined.of(at).len()).sum();
    if let Some(folder) = args.get(4) {
        write_vectors(&index, &records, &strings[..sample], Path::new(folder));
    }
    println!(
        "{{\"seeds\":{seeds},\"strings\":{},\"different\":{groups},\"build_s\":{},\"join_s\":{},\
         \"matches\":{},\"sample_matches\":{in_sample},\"peak_mb\":{peak_mb},\"inputs_mb\":{inputs_mb}}}",
        strings.len(),
        built - began,
        ended - built,
        joined.matches().len(),
    );
}

/// For each attribute: unit vectors of the different seed values and of the strings, as rows of
/// `u32 length, u32 grams…, f64 weights…`. The peer computes the same cosines from them.
fn write_vectors(index: &SeedIndex, records: &[Record], strings: &[String], folder: &Path) {
    let mut weigher = Weigher::new(index);
    for (attribute, name) in (0u32..).zip(ATTRIBUTES) {
        let values = (0..index.value_count(attribute) as u32).map(|value| {
            let record = index.records(attribute, value)[0];
            records[record as usize][attribute as usize].as_str()
        });
        write_rows(&folder.join(format!("{name}.seeds")), &mut weigher, attribute, values);
        let strings = strings.iter().map(String::as_str);
        write_rows(&folder.join(format!("{name}.strings")), &mut weigher, attribute, strings);
    }
}

fn write_rows<'a>(
    file: &Path,
    weigher: &mut Weigher<'_>,
    attribute: u32,
    texts: impl Iterator<Item = &'a str>,
) {
    let mut out = std::io::BufWriter::new(std::fs::File::create(file).expect("can be written"));
    for text in texts {
        let vector = weigher.vector(attribute, text);
        let length = vector.iter().map(|(_, w)| w * w).sum::<f64>().sqrt();
        let mut bytes = (vector.len() as u32).to_le_bytes().to_vec();
        bytes.extend(vector.iter().flat_map(|(gram, _)| gram.to_le_bytes()));
        bytes.extend(vector.iter().flat_map(|(_, weight)| (weight / length).to_le_bytes()));
        out.write_all(&bytes).expect("can be written");
    }
    out.flush().expect("can be written");
}

/// A line of /proc/self/status, in MB.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) / 1024
}
