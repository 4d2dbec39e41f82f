//! Measures links on entities with known truth, and fits their weights.
//!
//! ```text
//! link_eval labels FOLDER                   labels of swde's pages, weights fitted to the other verticals
//! link_eval harvest FOLDER VERTICAL TABLES  the same entities as a harvest read them; weights as for labels
//! link_eval families                        generated sites, with ids and without
//! link_eval fit FOLDER                      prints weights fitted to all of them
//! link_eval vary FOLDER                     the weights that ship, those set by hand three tenths smaller and larger
//! ```
//! FOLDER is `swde` of the labelled data. `wrong` as last argument lists pairs that are wrong or missing.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

mod linking;

use std::error::Error;
use std::path::Path;

use linking::fit::fit;
use linking::{Collection, GENERATED, LABELLED, generated, harvested, labelled};
use quarry_assemble::link::{LinkWeights, Links};

/// Seeds of generated sites for fitting; measurements use others.
const FIT_SEED: u64 = 101;
const EVAL_SEED: u64 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wrong = arguments.last().is_some_and(|last| last == "wrong");
    let folder = || arguments.get(1).map(Path::new).ok_or("name the folder of swde");
    match arguments.first().map(String::as_str) {
        Some("labels") => labels(folder()?, wrong),
        Some("harvest") => {
            let (Some(vertical), Some(tables)) = (arguments.get(2), arguments.get(3)) else {
                return Err("name a vertical and the folder of its tables".into());
            };
            let weights = fit(&training(folder()?, vertical)?);
            let collection = harvested(folder()?, vertical, Path::new(tables))?;
            report(&collection, &collection.link(&weights), wrong);
            Ok(())
        }
        Some("families") => {
            families(wrong);
            Ok(())
        }
        Some("fit") => {
            let weights = fit(&training(folder()?, "")?);
            print!("{}", weights.lines());
            Ok(())
        }
        Some("vary") => vary(folder()?),
        _ => Err("say labels, harvest, families, fit or vary".into()),
    }
}

/// All collections but those of one vertical.
fn training(folder: &Path, without: &str) -> Result<Vec<Collection>, Box<dyn Error>> {
    let mut collections = Vec::new();
    for (name, ..) in LABELLED.iter().filter(|(name, ..)| *name != without) {
        collections.push(labelled(folder, name)?);
    }
    let same_kind = format!("{without}s");
    for (at, (name, vertical)) in
        GENERATED.iter().enumerate().filter(|(_, (name, _))| *name != same_kind)
    {
        collections.push(generated(name, *vertical, at % 2 == 0, FIT_SEED, 0.3));
    }
    Ok(collections)
}

fn labels(folder: &Path, wrong: bool) -> Result<(), Box<dyn Error>> {
    for (name, ..) in LABELLED {
        let weights = fit(&training(folder, name)?);
        let collection = labelled(folder, name)?;
        report(&collection, &collection.link(&weights), wrong);
    }
    Ok(())
}

fn families(wrong: bool) {
    let weights = LinkWeights::default();
    for (name, vertical) in GENERATED {
        for overlap in [0.1, 0.4] {
            for with_ids in [true, false] {
                let collection = generated(name, vertical, with_ids, EVAL_SEED, overlap);
                println!("overlap {overlap}, {} ids", if with_ids { "with" } else { "without" });
                report(&collection, &collection.link(&weights), wrong);
            }
        }
    }
}

/// Weights that no collection decides: see `weights.txt`.
const HAND_SET: [&str; 3] = ["code_equal", "code_differs", "no_name"];

/// F1 of pairs with the weights that ship, and with those that were set by hand smaller and larger: labels, generated sites
/// with ids, and the same with ids and without names.
fn vary(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut collections = Vec::new();
    for (name, ..) in LABELLED {
        collections.push(labelled(folder, name)?);
    }
    for (name, vertical) in GENERATED {
        let family = generated(name, vertical, true, EVAL_SEED, 0.4);
        let mut nameless = family.clone();
        nameless.samples.iter_mut().for_each(|sample| sample.name = None);
        nameless.name = format!("{name}, no names");
        collections.extend([family, nameless]);
    }
    let shipped = LinkWeights::default();
    let score = |weights: &LinkWeights| -> Vec<f64> {
        collections.iter().map(|own| own.score(&own.link(weights), false).f1()).collect()
    };
    let names: Vec<&str> = collections.iter().map(|own| own.name.as_str()).collect();
    println!("F1 of pairs: {}", names.join("; "));
    let show = |what: &str, figures: &[f64]| {
        let figures: Vec<String> = figures.iter().map(|own| format!("{own:.3}")).collect();
        println!("{what:24} {}", figures.join(" "));
    };
    show("as shipped", &score(&shipped));
    for name in HAND_SET {
        for by in [0.7, 1.3] {
            let lines = shipped.lines();
            let changed = lines.lines().map(|line| match line.split_once(' ') {
                Some((own, weight)) if own == name => {
                    let weight: f64 = weight.parse().unwrap_or_default();
                    format!("{own} {}\n", weight * by)
                }
                _ => format!("{line}\n"),
            });
            show(
                &format!("{name} × {by}"),
                &score(&LinkWeights::parse(&changed.collect::<String>())),
            );
        }
    }
    Ok(())
}

fn report(collection: &Collection, links: &Links, wrong: bool) {
    let name = &collection.name;
    println!("{name}: {} entities of {} sites", collection.samples.len(), links.sites().len());
    println!("{name}: pairs, equal names {}", collection.score(links, false));
    println!("{name}: pairs, names alike {}", collection.score(links, true));
    println!("{name}: columns {}", collection.score_columns(links));
    if wrong {
        show_wrong(collection, links);
    }
}

fn show_wrong(collection: &Collection, links: &Links) {
    let mut thing_of = vec![0; collection.samples.len()];
    for (at, thing) in links.things().iter().enumerate() {
        thing.iter().for_each(|own| thing_of[*own as usize] = at);
    }
    let pairs = links.pairs();
    let show = |what: &str, a: u32, b: u32| {
        let pair = pairs.iter().find(|pair| pair.entities == (a, b));
        let odds =
            pair.map(|pair| format!("{:.1} {:.1} {:.1}", pair.base, pair.margin, pair.log_odds));
        println!("{what} {}", odds.unwrap_or_else(|| "not compared".to_owned()));
        for own in [a, b] {
            let sample = &collection.samples[own as usize];
            let values: Vec<String> =
                sample.values.iter().map(|(name, text)| format!("{name}={text}")).collect();
            let shown: String = values.join("; ").chars().take(220).collect();
            println!("    {} {:?} {:?} {shown}", sample.site, sample.name, sample.truth);
        }
    };
    for a in 0..collection.samples.len() as u32 {
        for b in a + 1..collection.samples.len() as u32 {
            let site = |own: u32| &collection.samples[own as usize].site;
            let linked = thing_of[a as usize] == thing_of[b as usize];
            match (collection.is_one(a, b, false), collection.is_one(a, b, true)) {
                _ if site(a) == site(b) => {}
                (_, Some(false)) if linked => show("WRONG", a, b),
                (Some(true), _) if !linked => show("MISSING", a, b),
                _ => {}
            }
        }
    }
    for aligned in links.aligned() {
        let names = aligned.columns.iter().map(|own| {
            let column = &links.site_columns()[own.0 as usize];
            let site = links.sites()[column.site as usize].clone();
            let truth = collection.attributes.get(&(site.clone(), column.attribute.clone()));
            format!(
                "{site}/{}={}",
                column.attribute,
                truth.map_or_else(|| "?".to_owned(), |own| format!("{own:?}"))
            )
        });
        let names: Vec<String> = names.collect();
        println!("COLUMN {:.2} {:.2} {}", aligned.agree, aligned.chance, names.join(", "));
    }
}
