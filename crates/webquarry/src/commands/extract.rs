//! `quarry extract`: the values of new pages of a known site, read with what a harvest has learned; nothing is learned anew.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use quarry_extract::site::SiteFit;
use quarry_harvest::JobOutcome;
use quarry_harvest::assemble::ColumnNames;
use quarry_harvest::learn::{LearnedSite, read_learned};
use quarry_harvest::pages::{PageInputs, sites};
use quarry_harvest::read::read_pages;
use quarry_harvest::text::shorten;
use quarry_model::{Evidence, EvidenceRole, ValueRow};
use quarry_store::{Project, StoreSettings};

use crate::args::ExtractArgs;
use crate::printer::Printer;
use crate::screen::write_line;
use crate::stage::Lines;

pub(crate) fn run(args: &ExtractArgs, quiet: bool, printer: &mut Printer) -> Result<JobOutcome> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let names = ColumnNames::read(&project)?;
    let input = quarry_store::open_input(&args.stage.input, args.stage.urls.as_deref())?;
    let sources = [PageInputs::new(input)];
    let mut out = Lines::new(&args.stage, printer)?;
    let mut shown: Vec<ValueRow> = Vec::new();
    let mut is_drifted = false;
    for site in sites(&sources) {
        let Some(LearnedSite { model, .. }) = read_learned(&project, &site.name)? else {
            bail!(
                "{} has learned nothing of {}; `quarry harvest` learns it",
                args.project.display(),
                site.name
            )
        };
        let mut fit = SiteFit::default();
        let mut written = Ok(());
        site.each(&mut |pages| {
            let read = read_pages(&site.name, &pages, &model, &mut fit);
            let is_kind = |found: &&Evidence| found.role == EvidenceRole::Kind;
            let kinds: BTreeMap<String, String> = read
                .iter()
                .filter(is_kind)
                .map(|found| (found.entity.clone(), found.value.clone()))
                .collect();
            for found in read {
                let kind = kinds.get(&found.entity).map_or("", String::as_str);
                let Some(row) = names.row(found, kind) else { continue };
                if out.as_table() {
                    shown.push(row);
                } else if written.is_ok() {
                    written = out.write(&row);
                }
            }
            Ok(())
        })?;
        written?;
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
    let ending = if is_drifted { JobOutcome::WithFailures } else { JobOutcome::Done };
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
