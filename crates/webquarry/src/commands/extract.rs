//! `quarry extract`: what do new pages of a known site say? Read with what a harvest has learned; nothing is learned anew.

use anyhow::{Result, bail};
use quarry_extract::site::SiteFit;
use quarry_model::ValueRow;
use quarry_store::{Project, StoreSettings};

use super::Ending;
use super::harvest::gather::values;
use super::harvest::learned::{self, Learned};
use super::harvest::names::Names;
use super::harvest::pages::{Source, sites};
use super::stage::Lines;
use crate::args::ExtractArgs;
use crate::printer::{Printer, shorten};
use crate::screen::write_line;

pub(crate) fn run(args: &ExtractArgs, quiet: bool, printer: &mut Printer) -> Result<Ending> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let names = Names::read(&project)?;
    let input = quarry_store::open_input(&args.stage.input, args.stage.urls.as_deref())?;
    let sources = [Source::of(input)];
    let mut out = Lines::new(&args.stage, printer)?;
    let mut shown: Vec<ValueRow> = Vec::new();
    let mut is_drifted = false;
    for site in sites(&sources) {
        let Some(Learned { model, .. }) = learned::read(&project, &site.name)? else {
            bail!(
                "{} has learned nothing of {}; `quarry harvest` learns it",
                args.project.display(),
                site.name
            )
        };
        let mut fit = SiteFit::default();
        site.each(&mut |pages| {
            for seen in values(&site.name, &pages, &model, &mut fit) {
                let Some((row, slot)) = seen.into_row() else { continue };
                let Some(row) = names.name(row, slot.as_deref()) else { continue };
                if out.as_table() {
                    shown.push(row);
                } else {
                    out.write(&row)?;
                }
            }
            Ok(())
        })?;
        if let Some(share) = fit.drift(&model.usual) {
            is_drifted = true;
            if !quiet {
                write_line(&format!(
                    "{}: {:.0} % of the pages do not look like those it was learned from; `quarry harvest` learns them",
                    site.name,
                    100.0 * share
                ));
            }
        }
    }
    let ending = if is_drifted { Ending::WithFailures } else { Ending::Done };
    if out.as_table() {
        let rows = shown.iter().map(|row| {
            let entity = row.entity.strip_prefix(&row.site).unwrap_or(&row.entity);
            let value = shorten(&row.value, 36);
            vec![
                shorten(entity, 32),
                shorten(&row.attribute, 18),
                value,
                row.source.as_str().to_owned(),
            ]
        });
        printer.table(&["entity", "attribute", "value", "source"], &[], rows)?;
        return Ok(ending);
    }
    out.finish()?;
    Ok(ending)
}
