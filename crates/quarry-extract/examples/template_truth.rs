//! Where does template mining break? Every combination of parts, with false records, in every theme of generated
//! sites: prints a table, and with `--why` what is wrong in each case.
//!
//! `cargo run --release -p quarry-extract --example template_truth [-- --why]`

#![allow(clippy::print_stdout)]

#[path = "../tests/it/template_truth.rs"]
mod template_truth;

use quarry_testsite::Vertical;
use rayon::prelude::*;
use template_truth::{Parts, THEMES, Verdict, site, verdict};

/// Shares of false records among the records.
const NOISE: [f64; 4] = [0.0, 0.05, 0.1, 0.2];

fn main() {
    let why = std::env::args().any(|arg| arg == "--why");
    let mut totals = [[0_usize; 3]; NOISE.len()];
    println!("| parts | 0 % | 5 % | 10 % | 20 % |\n|---|---|---|---|---|");
    for parts in Parts::all() {
        let mut row = format!("| {} |", parts.name());
        for (noise, total) in NOISE.into_iter().zip(&mut totals) {
            let verdicts: Vec<Verdict> = THEMES
                .par_iter()
                .map(|&theme| verdict(&site(parts, theme, Vertical::Books, noise)))
                .collect();
            let signs: String = verdicts
                .iter()
                .map(|verdict| match verdict {
                    Verdict::Exact => '=',
                    Verdict::SameGraph(_) => '~',
                    Verdict::Alike(_) => '≈',
                    Verdict::Different(_) => '·',
                })
                .collect();
            total[0] += signs.matches('=').count();
            total[1] += signs.matches('~').count();
            total[2] += signs.matches('≈').count();
            row.push_str(&format!(" {signs} |"));
            for (theme, verdict) in THEMES.iter().zip(&verdicts).filter(|_| why) {
                if let Verdict::SameGraph(notes)
                | Verdict::Alike(notes)
                | Verdict::Different(notes) = verdict
                {
                    println!("{theme:?}, {}, {noise}: {}", parts.name(), notes.join("; "));
                }
            }
        }
        println!("{row}");
    }
    let cases = THEMES.len() * 32;
    let [a, b, c, d] =
        totals.map(|[exact, same, alike]| format!("{exact} + {same} + {alike} of {cases}"));
    println!("| exact (=), the same graph (~), alike (≈) | {a} | {b} | {c} | {d} |");
}
