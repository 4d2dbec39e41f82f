//! `quarry template`: the record templates of a site, as lines or as a picture of the graph.

use std::io::Write;

use anyhow::{Context, Result};
use quarry_extract::template::line::{TemplateLine, template_line};
use quarry_harvest::text::shorten;
use quarry_harvest::{JobOutcome, draw, stages};
use quarry_store::write_whole;

use crate::args::{TemplateArgs, TemplateFormat};
use crate::printer::Printer;
use crate::stage::read_pages;

pub(crate) fn run(args: &TemplateArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let pages = read_pages(&args.input, args.urls.as_deref())?;
    let found = stages::find_records(&pages);
    let model = stages::learn_templates(&pages, &found);
    let lines: Vec<TemplateLine> = model.templates.iter().map(template_line).collect();
    let format = match args.format {
        Some(format) => format,
        None if args.output.is_none() && printer.is_terminal() => TemplateFormat::Table,
        None => TemplateFormat::Jsonl,
    };
    let mut text: Vec<u8> = Vec::new();
    match format {
        TemplateFormat::Table => {
            for line in &lines {
                show(line, printer)?;
            }
            return Ok(JobOutcome::Done);
        }
        TemplateFormat::Jsonl => {
            for line in &lines {
                serde_json::to_writer(&mut text, line).context("cannot print a line")?;
                text.push(b'\n');
            }
        }
        TemplateFormat::Dot => text.extend(draw::dot(&draw::templates(&lines)).into_bytes()),
        TemplateFormat::Svg => text.extend(draw::svg(&draw::templates(&lines)).into_bytes()),
    }
    match &args.output {
        None => printer.writer().write_all(&text).context("cannot print the templates")?,
        Some(path) => write_whole(path, &text)?,
    }
    Ok(JobOutcome::Done)
}

fn show(line: &TemplateLine, printer: &mut Printer) -> Result<()> {
    let TemplateLine { template, cluster, records, .. } = line;
    printer.line(format!("template {template} (cluster {cluster}): {records} records"))?;
    let rows = line.slots.iter().map(|slot| {
        vec![
            slot.slot.clone(),
            shorten(slot.label.as_deref().unwrap_or(""), 24),
            slot.kind.to_string(),
            slot.support.to_string(),
            if slot.optional { "optional" } else { "" }.to_owned(),
            slot.attribute.clone().unwrap_or_default(),
            shorten(&slot.samples.join(" | "), 36),
        ]
    });
    let header = ["slot", "label", "kind", "records", "", "attribute", "samples"];
    Ok(printer.table(&header, &[3], rows)?)
}
