//! How right are merged columns on generated catalogues? One line a vertical and level of noise.
//!
//! ```text
//! cargo run --release -p quarry-assemble --example assemble_eval -- [ENTITIES] [SEEDS] [--verbose]
//! ```
#![allow(clippy::print_stdout)]

#[path = "../tests/it/score.rs"]
#[allow(unreachable_pub)]
mod score;
#[path = "../tests/it/views.rs"]
#[allow(unreachable_pub)]
mod views;

use quarry_testsite::Vertical;
use score::score;
use views::{Noise, views};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let verbose = args.iter().any(|arg| arg == "--verbose");
    let numbers: Vec<u64> = args.iter().filter_map(|arg| arg.parse().ok()).collect();
    let entities = numbers.first().copied().unwrap_or(300) as usize;
    let seeds = numbers.get(1).copied().unwrap_or(3);
    println!("{entities} entities, {seeds} seeds");
    for (name, noise) in [
        ("clean", Noise { missing: 0.0, wrong: 0.0 }),
        ("noise", Noise { missing: 0.2, wrong: 0.03 }),
        ("heavy", Noise { missing: 0.5, wrong: 0.06 }),
    ] {
        let (mut all_shared, mut all_right, mut all_wrong) = (0, 0, 0);
        for vertical in Vertical::ALL {
            let (mut shared, mut right, mut wrong, mut columns, mut sources) = (0, 0, 0, 0, 0);
            for seed in 1..=seeds {
                let found = score(&views(*vertical, entities, seed, noise));
                shared += found.shared;
                right += found.right;
                wrong += found.wrong.len();
                columns += found.columns;
                sources += found.sources;
                if verbose {
                    found.wrong.iter().for_each(|line| println!("  wrong: {line}"));
                    println!("  split: {:?}", found.split);
                }
            }
            println!(
                "{name} {vertical:?}: {sources} columns in, {columns} out, merged right {right} of {shared}, wrong merges {wrong}"
            );
            all_shared += shared;
            all_right += right;
            all_wrong += wrong;
        }
        let share = f64::from(all_right as u32) / f64::from(all_shared as u32);
        println!(
            "{name} all: merged right {share:.3} ({all_right} of {all_shared}), wrong merges {all_wrong}"
        );
    }
}
