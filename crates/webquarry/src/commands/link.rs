//! `quarry link`: which entities of several sites are one thing.

use anyhow::{Result, bail};
use quarry_harvest::text::shorten;
use quarry_harvest::things::{
    LinkConfig, LinkExplanation, LinkInput, Links, PairExplanation, link,
};
use quarry_harvest::{JobOutcome, things};
use quarry_model::{PageStore, TableStore};
use quarry_store::{Project, StoreSettings};

use crate::args::LinkArgs;
use crate::printer::Printer;

/// Columns that are described.
const DESCRIBED: usize = 20;
/// Columns of a pair that are shown.
const COLUMNS_OF_PAIR: usize = 8;

pub(crate) fn run(args: &LinkArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let sources =
        if args.input.is_empty() { std::slice::from_ref(&args.project) } else { &args.input };
    let mut input = LinkInput::default();
    for source in sources {
        let project = Project::open_read_only(source, &StoreSettings::default())?;
        things::add_entities(&project, &mut input)?;
    }
    if input.sites().len() < 2 {
        bail!(
            "the entities are of {} site; linking takes several: harvest them into one project, or name \
             their projects: quarry link PROJECT PROJECT -p DIR",
            input.sites().len()
        );
    }
    let links = link(input, &LinkConfig::default());
    if let Some(address) = &args.explain {
        return explain(&links, address, printer);
    }
    let mut project = Project::create_or_open(&args.project, &StoreSettings::default())?;
    things::write_things(&mut project, &links)?;
    project.write_tables()?;
    PageStore::commit(&mut project)?;
    printer.line(things::summary(&links))?;
    show_columns(&links, printer)?;
    let table = args.project.join("tables").join("things.csv");
    printer.line(format!("table: {}", table.display()))?;
    Ok(JobOutcome::Done)
}

fn show_columns(links: &Links, printer: &mut Printer) -> Result<()> {
    let columns = links.thing_columns();
    let rows = columns.iter().take(DESCRIBED).map(|column| {
        vec![
            shorten(&column.name, 24),
            shorten(&column.printed.join(", "), 40),
            format!("{:.0} %", 100.0 * column.fill),
            column.conflicts.to_string(),
        ]
    });
    printer.table(&["column", "names", "filled", "conflicts"], &[2, 3], rows)?;
    if columns.len() > DESCRIBED {
        printer.line(format!("… and {} more columns", columns.len() - DESCRIBED))?;
    }
    Ok(())
}

fn explain(links: &Links, address: &str, printer: &mut Printer) -> Result<JobOutcome> {
    let Some(found) = links.find(address).and_then(|entity| links.explain(entity)) else {
        bail!("there is no entity {address}; `quarry export --table entities` lists them");
    };
    let LinkExplanation { entity, thing, name, pairs } = found;
    printer.line(format!("{entity} {:?} is the thing {thing}", name.unwrap_or_default()))?;
    if !pairs.iter().any(|pair| pair.is_linked) {
        printer.line("no other entity is the same thing")?;
    }
    pairs.iter().try_for_each(|pair| show_pair(pair, printer))?;
    Ok(JobOutcome::Done)
}

fn show_pair(pair: &PairExplanation, printer: &mut Printer) -> Result<()> {
    let likely = match pair.probability {
        Some(probability) => format!("probability {probability:.3}"),
        None => "by the others of the thing".to_owned(),
    };
    let what = if pair.is_linked { "the same as" } else { "not the same as" };
    let name = pair.name.as_deref().unwrap_or_default();
    printer.line("")?;
    printer.line(format!("{what} {} {name:?}, {likely}", pair.entity))?;
    for (evidence, worth) in &pair.evidence {
        printer.line(format!("    {worth:+6.2} {}", evidence.replace('_', " ")))?;
    }
    for column in pair.columns.iter().take(COLUMNS_OF_PAIR) {
        let (own, other) = (column.values.0.join(" | "), column.values.1.join(" | "));
        printer.line(format!(
            "        {:+6.2} {}: {} — {}",
            column.worth,
            column.column,
            shorten(&own, 40),
            shorten(&other, 40)
        ))?;
    }
    Ok(())
}
