//! `quarry records FOLDER` without the rest of the program: reads a folder of HTML files as the
//! pages of one site and prints a JSON line for each.

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use quarry_dom::{Document, Limits};
use quarry_extract::explain::explain;
use quarry_extract::find::{Method, PageInput, RecordsConfig, find_records};
use quarry_extract::lines::unit_line;
use quarry_extract::region::thor::ThorConfig;
use quarry_extract::template::{TemplateConfig, learn};
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_some_and(|verb| verb == "records") {
        arguments.next();
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut config = RecordsConfig::default();
    let mut explained = false;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--regions" => {
                config.max_regions = arguments.next().ok_or("--regions needs a number")?.parse()?;
            }
            "--overlapping" => (config.overlapping, config.min_score) = (true, 0.0),
            "--thor" => config.method = Method::Thor(ThorConfig::default()),
            "--explain" => explained = true,
            "--urls" | "--format" => {
                arguments.next();
            }
            _ => folders.push(argument.into()),
        }
    }
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for folder in &folders {
        list(folder, folder, &mut files)?;
    }
    files.sort();
    let documents = files.par_iter().map(|(_, path)| parse(path)).collect::<Result<Vec<_>, _>>()?;
    let pages: Vec<PageInput<'_>> = files
        .iter()
        .zip(&documents)
        .map(|((id, _), document)| PageInput { id, document, cluster: None })
        .collect();
    let found = find_records(&pages, &config);
    let refs: Vec<&Document> = documents.iter().collect();
    let model = learn(&refs, &found, &TemplateConfig::default());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (found, document) in found.iter().zip(&documents) {
        if explained {
            out.write_all(explain(document, found).as_bytes())?;
            continue;
        }
        serde_json::to_writer(&mut out, &unit_line(document, found, &model))?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

#[allow(clippy::disallowed_methods)] // An example reads files; the library does not.
fn parse(path: &Path) -> std::io::Result<Document> {
    Ok(Document::parse(&std::fs::read(path)?, None, &Limits::default()))
}

fn list(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> std::io::Result<()> {
    if folder.is_file() {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((name, folder.to_owned()));
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() {
            list(root, &path, files)?;
        } else if ["html", "htm", "xhtml", "testhtml"].contains(&ending) {
            let id = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            files.push((id, path));
        }
    }
    Ok(())
}
