//! `quarry forms`: the forms of each page, what each is for and what can be entered.

use anyhow::Result;
use quarry_extract::forms::forms_line;
use quarry_harvest::text::shorten;
use quarry_harvest::{JobOutcome, ParsedPage};
use rayon::prelude::*;

use crate::args::StageArgs;
use crate::printer::Printer;
use crate::stage::{Lines, read};

pub(crate) fn run(args: &StageArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let pages = read(args)?;
    let line = |page: &ParsedPage| forms_line(&page.document, page.known_address(), &page.id);
    let lines: Vec<_> = pages.par_iter().map(line).collect();
    let mut out = Lines::new(args, printer)?;
    if out.as_table() {
        let rows = lines.iter().flat_map(|line| {
            line.forms.iter().map(|form| {
                let fields: Vec<_> = form.fields.iter().map(|field| field.name.as_str()).collect();
                vec![
                    shorten(&line.page, 26),
                    form.index.to_string(),
                    form.kind.as_str().to_owned(),
                    format!("{:.2}", form.score),
                    shorten(form.action.as_deref().unwrap_or(""), 24),
                    shorten(&fields.join(" "), 18),
                ]
            })
        });
        printer.table(&["page", "form", "kind", "score", "action", "fields"], &[1, 3], rows)?;
        return Ok(JobOutcome::Done);
    }
    for line in &lines {
        out.write(line)?;
    }
    out.finish()
}
