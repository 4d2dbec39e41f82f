//! `quarry config`: every setting, its value and where that came from.

use anyhow::Result;
use quarry_harvest::JobOutcome;

use crate::args::{ConfigArgs, Global};
use crate::config::{Config, Layer};
use crate::printer::Printer;

pub(crate) fn run(global: &Global, args: ConfigArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let config = Config::load(
        global.config.as_deref(),
        args.project.as_deref(),
        (Layer::default(), args.settings),
    )?;
    if printer.is_terminal() {
        let rows = config.lines.into_iter().map(|line| {
            vec![line.key.to_owned(), line.value.to_string(), line.origin, line.about.to_owned()]
        });
        printer.table(&["setting", "value", "from", "what it is"], &[], rows)?;
    } else {
        for line in &config.lines {
            printer.json(line)?;
        }
    }
    Ok(JobOutcome::Done)
}
