//! Opens the input of a stage: pages of a project, of WARC files or of folders of HTML, read one by one
//! or by name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quarry_content::{Coding, decode};
use quarry_model::{CrawlStore, InputPage, PageSource, PortError};
use serde::Deserialize;

use crate::catalog::{Capture, Catalog};
use crate::warc::{ReadLimits, WarcIssue};
use crate::{Project, StoreError, StoreSettings};

/// Names that HTML files end in, each also with `.gz` after it.
const HTML: [&str; 4] = ["html", "htm", "xhtml", "testhtml"];

/// Pages to work on. Files come in the order of their names, archived pages in the order in which they
/// were first archived. Of an archive, those pages count that were answered with success, hold HTML, and are
/// the newest of their address.
pub struct Input {
    pages: Vec<(String, Place)>,
    by_id: BTreeMap<String, usize>,
    projects: Vec<Project>,
    catalog: Catalog,
    urls: BTreeMap<String, String>,
}

enum Place {
    File(PathBuf),
    /// Number of the project, and the page's row in it.
    Row(usize, i64),
    Capture(Capture),
}

/// A line of the list of addresses.
#[derive(Deserialize)]
struct Address {
    file: String,
    url: String,
}

/// Opens the inputs of a stage. `urls` is a file of `{"file": …, "url": …}` lines that gives HTML
/// files their addresses.
///
/// ```
/// use quarry_store::open_input;
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("lamp.html"), "<h1>Arc lamp</h1>")?;
/// let input = open_input(&[folder.path().to_owned()], None)?;
/// for page in input.pages() {
///     let page = page?;
///     assert_eq!((page.id.as_str(), page.bytes.as_slice()), ("lamp.html", &b"<h1>Arc lamp</h1>"[..]));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_input(paths: &[PathBuf], urls: Option<&Path>) -> Result<Input, StoreError> {
    let mut input = Input {
        pages: Vec::new(),
        by_id: BTreeMap::new(),
        projects: Vec::new(),
        catalog: Catalog::default(),
        urls: urls.map(read_urls).transpose()?.unwrap_or_default(),
    };
    let mut archives = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(StoreError::io("open", path))?;
        if metadata.is_dir() && path.join("state.sqlite").is_file() {
            input.add_project(path)?;
        } else if metadata.is_dir() {
            input.add_folder(path, &mut archives)?;
        } else if is_warc(path) {
            archives.push(path.clone());
        } else if is_html(path) {
            let id = path.to_string_lossy().into_owned();
            input.pages.push((id, Place::File(path.clone())));
        } else {
            return Err(StoreError::UnknownInput { path: path.clone() });
        }
    }
    if !archives.is_empty() {
        input.add_archives(&archives)?;
    }
    for (number, (id, _)) in input.pages.iter().enumerate() {
        if input.by_id.insert(id.clone(), number).is_some() {
            return Err(StoreError::SameId { id: id.clone() });
        }
    }
    Ok(input)
}

impl Input {
    /// How many pages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The names of the pages, in their order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().map(|(id, _)| id.as_str())
    }

    /// Where the page with this name came from, as far as that can be told without reading it.
    pub fn address<'a>(&'a self, id: &'a str) -> Option<&'a str> {
        match &self.pages[*self.by_id.get(id)?].1 {
            Place::File(_) => self.urls.get(id).map(String::as_str),
            // The key of a request has the method before the address where it is not GET.
            Place::Row(..) | Place::Capture(_) => id.split(' ').find(|part| part.contains("://")),
        }
    }

    /// The pages, in their order.
    pub fn pages(&self) -> impl Iterator<Item = Result<InputPage, StoreError>> {
        self.pages.iter().map(|(id, place)| self.read(id, place))
    }

    /// The page with this name.
    pub fn get(&self, id: &str) -> Result<Option<InputPage>, StoreError> {
        let place = self.by_id.get(id).map(|&number| &self.pages[number].1);
        place.map(|place| self.read(id, place)).transpose()
    }

    /// What was wrong with archive files.
    #[must_use]
    pub fn issues(&self) -> &[WarcIssue] {
        &self.catalog.issues
    }

    fn add_project(&mut self, dir: &Path) -> Result<(), StoreError> {
        let project = Project::open_read_only(dir, &StoreSettings::default())?;
        let number = self.projects.len();
        let pages = project.html_pages()?;
        if pages.is_empty() {
            let expected = "pages that were answered with success and hold HTML";
            return Err(StoreError::NoPages { path: dir.to_owned(), expected });
        }
        self.pages.extend(pages.into_iter().map(|(row, key)| (key, Place::Row(number, row))));
        self.projects.push(project);
        Ok(())
    }

    fn add_folder(&mut self, dir: &Path, archives: &mut Vec<PathBuf>) -> Result<(), StoreError> {
        let (mut html, mut warc) = (Vec::new(), Vec::new());
        walk(dir, &mut |path| {
            if is_html(path) {
                html.push((relative(path, dir), path.to_owned()));
            } else if is_warc(path) {
                warc.push(path.to_owned());
            }
        })?;
        if html.is_empty() && warc.is_empty() {
            let expected = "files that end in .html, .htm, .xhtml or .testhtml (also with .gz), or \
                            .warc files";
            return Err(StoreError::NoPages { path: dir.to_owned(), expected });
        }
        if html.is_empty() {
            warc.sort();
            archives.append(&mut warc);
        }
        html.sort();
        self.pages.extend(html.into_iter().map(|(id, path)| (id, Place::File(path))));
        Ok(())
    }

    fn add_archives(&mut self, files: &[PathBuf]) -> Result<(), StoreError> {
        self.catalog = Catalog::scan(files, &ReadLimits::default())?;
        let before = self.pages.len();
        for capture in self.catalog.newest() {
            let is_html = matches!(capture.mime, "text/html" | "application/xhtml+xml");
            if is_html && capture.is_page && (200..300).contains(&capture.status) {
                self.pages.push((capture.key.clone(), Place::Capture(capture.clone())));
            }
        }
        if self.pages.len() == before {
            let expected = "pages that were answered with success and hold HTML";
            return Err(StoreError::NoPages { path: files[0].clone(), expected });
        }
        Ok(())
    }

    fn read(&self, id: &str, place: &Place) -> Result<InputPage, StoreError> {
        let exchange = match place {
            Place::File(path) => {
                let bytes = read_html(path)?;
                let url = self.urls.get(id).cloned();
                return Ok(InputPage { id: id.to_owned(), url, content_type: None, bytes });
            }
            Place::Row(project, row) => self.projects[*project].read_page(*row)?,
            Place::Capture(capture) => self.catalog.read(capture)?,
        };
        let response = exchange.response;
        Ok(InputPage {
            id: id.to_owned(),
            url: Some(exchange.request.url),
            content_type: response.headers.get("content-type").map(str::to_owned),
            bytes: match response.rendering {
                Some(rendering) => rendering.document,
                None => response.decoded.unwrap_or(response.body),
            },
        })
    }
}

impl PageSource for Input {
    fn ids(&self) -> Vec<&str> {
        Self::ids(self).collect()
    }

    fn address<'a>(&'a self, id: &'a str) -> Option<&'a str> {
        Self::address(self, id)
    }

    fn get(&self, id: &str) -> Result<Option<InputPage>, PortError> {
        Ok(Self::get(self, id)?)
    }

    fn part(&self, key: &str) -> Result<Option<Vec<u8>>, PortError> {
        for project in &self.projects {
            let found = CrawlStore::archived_answer(project, key)?;
            let found = found.filter(|found| (200..300).contains(&found.response.status));
            if let Some(found) = found {
                return Ok(Some(found.response.decoded.unwrap_or(found.response.body)));
            }
        }
        Ok(None)
    }
}

/// File name without `.gz`, in lower case.
fn plain_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.strip_suffix(".gz").map(str::to_owned).unwrap_or(name)
}

fn is_html(path: &Path) -> bool {
    plain_name(path).rsplit_once('.').is_some_and(|(_, ending)| HTML.contains(&ending))
}

fn is_warc(path: &Path) -> bool {
    plain_name(path).ends_with(".warc")
}

/// A path below a folder, with `/` between its parts.
fn relative(path: &Path, dir: &Path) -> String {
    let parts = path.strip_prefix(dir).unwrap_or(path).components();
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// Every file below a folder. Links to folders are not followed: they may lead in circles.
fn walk(dir: &Path, visit: &mut dyn FnMut(&Path)) -> Result<(), StoreError> {
    let entries = fs::read_dir(dir).map_err(StoreError::io("read the folder", dir))?;
    for entry in entries {
        let entry = entry.map_err(StoreError::io("read the folder", dir))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(StoreError::io("look at", &path))?;
        if kind.is_dir() {
            walk(&path, visit)?;
        } else if kind.is_file() || path.is_file() {
            visit(&path);
        }
    }
    Ok(())
}

fn read_html(path: &Path) -> Result<Vec<u8>, StoreError> {
    let bytes = fs::read(path).map_err(StoreError::io("read", path))?;
    let is_gzip = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    if !is_gzip {
        return Ok(bytes);
    }
    Ok(decode(&[Coding::Gzip], &bytes, ReadLimits::default().decoded).bytes)
}

fn read_urls(path: &Path) -> Result<BTreeMap<String, String>, StoreError> {
    let text = fs::read_to_string(path).map_err(StoreError::io("read", path))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let address: Address = serde_json::from_str(line).map_err(|source| {
                StoreError::UrlList { path: path.to_owned(), line: number + 1, source }
            })?;
            Ok((address.file, address.url))
        })
        .collect()
}
