//! What came of the crawl's strategy? Kept in the project, shown by `crawl` and `report`.

use anyhow::{Context, Result};
use quarry_crawl::{Account, ProbeAccount};
use quarry_store::Project;

use crate::printer::{Printer, thousands};

/// The file in the project's `models`.
const FILE: &str = "strategy.json";

/// Keeps the account in the project.
pub(crate) fn write(project: &Project, account: &Account) -> Result<()> {
    if *account == Account::All {
        return Ok(());
    }
    let text = serde_json::to_string_pretty(account).context("cannot print the account")?;
    Ok(project.write_model(FILE, &text)?)
}

/// The account of the last run.
pub(crate) fn read(project: &Project) -> Result<Account> {
    let Some(text) = project.read_model(FILE)? else { return Ok(Account::All) };
    serde_json::from_str(&text).with_context(|| {
        let path = project.model_path(FILE);
        format!("{} is damaged; remove it, the next crawl writes it anew", path.display())
    })
}

/// Shows it as a short table.
pub(crate) fn show(printer: &mut Printer, account: &Account) -> Result<()> {
    match account {
        Account::All => Ok(()),
        Account::Probe(sites) => sites.iter().try_for_each(|site| show_probe(printer, site)),
    }
}

fn show_probe(printer: &mut Printer, site: &ProbeAccount) -> Result<()> {
    let number = |n: usize| thousands(n as u64);
    let mut rows = vec![("probed", site.host.clone())];
    if let Some(form) = &site.form {
        rows.push(("search form", form.clone()));
        let queries = site.listed + site.seen + site.nonsense;
        rows.push((
            "queries",
            format!(
                "{}: {} listed words, {} seen on its pages, {} nonsense",
                number(queries),
                number(site.listed),
                number(site.seen),
                number(site.nonsense)
            ),
        ));
        let classes: Vec<String> = site.classes.iter().map(|&pages| number(pages)).collect();
        let text = match classes.as_slice() {
            [] => "none".to_owned(),
            classes => format!(
                "{} in {} classes of pages ({})",
                number(site.answers),
                classes.len(),
                classes.join(", ")
            ),
        };
        rows.push(("answers", text));
    }
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    printer.line("")?;
    printer.table(&[], &[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))?;
    Ok(())
}
