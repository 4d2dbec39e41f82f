//! Small sets of pages for one question each, with their truth: what a whole generated site is too regular for.
//!
//! A set is written as a folder of HTML files and `urls.jsonl`, ready for `quarry harvest FOLDER --urls FOLDER/urls.jsonl`.

mod details;
mod kinds;
mod records;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// A page of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetPage {
    /// Its path, from `/`.
    pub path: String,
    /// What it is.
    pub html: String,
}

/// What is true of an entity of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetEntity {
    /// What kind of entity it is.
    pub kind: &'static str,
    /// The path of its page; of its list where it has none.
    pub path: String,
    /// What it is called.
    pub title: String,
    /// Its values by attribute.
    pub values: BTreeMap<&'static str, Vec<String>>,
}

/// Pages with their truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSet {
    /// The pages.
    pub pages: Vec<SetPage>,
    /// The entities.
    pub entities: Vec<SetEntity>,
}

/// Name, purpose, and what makes it.
type Maker = (&'static str, &'static str, fn() -> PageSet);

const SETS: [Maker; 6] = [
    ("three-kinds", "films, people and studios, all laid out alike", kinds::three_kinds),
    ("unlabelled", "values at fixed places without labels", details::unlabelled),
    ("embedded", "nothing shown but the name; the data is in a script", details::embedded),
    ("disagreement", "embedded prices that differ from the shown ones", details::disagreement),
    ("modern", "utility and hashed classes, custom elements, deep divs", details::modern),
    ("no-links", "records without links on three pages", records::no_links),
];

impl PageSet {
    /// The names of all sets, and what each is for.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        SETS.iter().map(|(name, purpose, _)| (*name, *purpose))
    }

    /// The set of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        SETS.iter().find(|(own, ..)| *own == name).map(|(_, _, make)| make())
    }

    /// Writes the pages and `urls.jsonl` into a folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut urls = String::new();
        for page in &self.pages {
            let name = page.path.trim_matches('/').replace(['/', '?', '='], "-");
            let name = if name.is_empty() { "index".to_owned() } else { name };
            fs::write(folder.join(format!("{name}.html")), &page.html)?;
            let line = serde_json::json!({
                "file": format!("{name}.html"),
                "url": format!("http://set.example{}", page.path),
            });
            urls.push_str(&format!("{line}\n"));
        }
        fs::write(folder.join("urls.jsonl"), urls)
    }
}

/// A whole page.
fn page(title: &str, head: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>{head}</head>\n<body>{body}</body></html>\n"
    )
}

/// The values of an entity, each alone.
fn values<const N: usize>(own: [(&'static str, String); N]) -> BTreeMap<&'static str, Vec<String>> {
    own.into_iter().map(|(name, value)| (name, vec![value])).collect()
}
