//! Writes a site to disk: a folder of pages whose links work without a server, the truth
//! beside it, or a WARC file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use serde::Serialize;

use crate::catalogue::FacetPredicate;
use crate::site::{Site, SiteRequest};
use crate::warc::WarcWriter;

/// A file of a written site and the address that it stands for.
#[derive(Debug, Serialize)]
struct FileLine<'a> {
    file: &'a str,
    url: String,
}

impl Site {
    /// The addresses of the pages that a visitor needs to see everything once: home, information,
    /// every page of the whole list and of every single-facet list, every entity. On a flat site,
    /// every page.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        let mut all = vec!["/".to_owned()];
        if self.flat_pages() > 0 {
            all.extend((0..self.flat_pages()).map(|n| format!("/p/{n}.html")));
            return all;
        }
        all.extend(crate::site::INFO.iter().map(|(path, _)| (*path).to_owned()));
        all.extend(self.shop_addresses());
        if !self.spec.search.required {
            all.extend(self.list_addresses(&[]));
            for (id, attribute) in self.catalogue.facets() {
                if !self.by_links() {
                    break;
                }
                for word in (0u32..).zip(attribute.words()).filter(|(_, w)| !w.entities.is_empty())
                {
                    all.extend(
                        self.list_addresses(&[FacetPredicate { attribute: id, word: word.0 }]),
                    );
                }
            }
        }
        let entities = self.catalogue.entities().filter(|e| self.there(*e));
        all.extend(entities.map(|e| self.entity_url(e)));
        all
    }

    /// Writes pages, pictures, style sheet, robots.txt and sitemap into a folder, and says how many
    /// pages there are. Links between written pages are changed to their files; `urls.jsonl` says
    /// which address each file has.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write_static(&self, folder: &Path) -> io::Result<usize> {
        let pages: BTreeSet<String> = self.addresses().into_iter().collect();
        let mut files: BTreeMap<String, String> =
            pages.iter().map(|url| (url.clone(), file_name(url))).collect();
        let mut assets = BTreeSet::new();
        fs::create_dir_all(folder)?;
        let mut index = BufWriter::new(File::create(folder.join("urls.jsonl"))?);
        for url in ["/assets/site.css", "/robots.txt", "/sitemap.xml"] {
            assets.insert(url.to_owned());
            files.insert(url.to_owned(), url[1..].to_owned());
        }
        for url in &pages {
            let response = self.respond(&SiteRequest::get(url.clone()));
            let html = rewrite_links(&response.text(), |address| {
                let address = address.replace("&amp;", "&");
                if address.starts_with("/img/") {
                    assets.insert(address);
                    return None;
                }
                files.get(&address).map(|file| format!("/{file}").replace('?', "%3F"))
            });
            let file = &files[url];
            write(folder, file, html.as_bytes())?;
            let line = FileLine { file, url: url.clone() };
            serde_json::to_writer(&mut index, &line)?;
            index.write_all(b"\n")?;
        }
        for url in &assets {
            let response = self.respond(&SiteRequest::get(url.clone()));
            if response.status == 200 {
                write(folder, &url[1..], &response.body)?;
            }
        }
        index.flush()?;
        Ok(pages.len())
    }

    /// Writes the pages of [`Site::addresses`] into a WARC file, and says how many there are. The
    /// same site gives the same bytes.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_warc(&self, path: &Path) -> io::Result<usize> {
        let host = "testsite.example";
        let mut writer = WarcWriter::new(BufWriter::new(File::create(path)?), self.spec.seed)?;
        let addresses = self.addresses();
        for url in &addresses {
            let request = SiteRequest { host: host.to_owned(), ..SiteRequest::get(url.clone()) };
            writer.response(&format!("http://{host}{url}"), &self.respond(&request))?;
        }
        writer.finish()?.flush()?;
        Ok(addresses.len())
    }

    /// Writes `truth.jsonl`, `attributes.jsonl`, `template.json`, `least_requests.json` and
    /// `spec.json` into a folder; `truth_end.jsonl` too when the site changes.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write_truth(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        lines(&folder.join("truth.jsonl"), self.truth())?;
        if !self.changes().is_empty() {
            let end = self.changes().len() as u32;
            lines(&folder.join("truth_end.jsonl"), self.truth_at(end))?;
        }
        lines(&folder.join("attributes.jsonl"), self.attributes().into_iter())?;
        pretty(&folder.join("template.json"), &self.template())?;
        pretty(&folder.join("least_requests.json"), &self.least_requests())?;
        pretty(&folder.join("spec.json"), &self.spec)
    }

    /// Writes what each page of [`Site::addresses`] holds, one line a page.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_pages_truth(&self, file: &Path) -> io::Result<()> {
        let pages = self.addresses();
        lines(file, pages.into_iter().map(|url| self.page_truth(&SiteRequest::get(url))))
    }
}

fn lines<T: Serialize>(path: &Path, rows: impl Iterator<Item = T>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for row in rows {
        serde_json::to_writer(&mut file, &row)?;
        file.write_all(b"\n")?;
    }
    file.flush()
}

fn pretty<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    fs::write(path, text)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, bytes)
}

/// The file of an address: `/shoes?brand=norva&page=2` is `shoes,brand=norva,page=2.html`.
fn file_name(url: &str) -> String {
    let name = url.trim_start_matches('/').replace(['?', '&'], ",");
    match name.as_str() {
        "" => "index.html".to_owned(),
        name if name.ends_with(".html") => name.to_owned(),
        name => format!("{name}.html"),
    }
}

/// Rewrites the addresses in `href`, `src` and `action` attributes. `None` leaves one as it is.
pub(crate) fn rewrite_links(html: &str, mut to: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut rest = html;
    while let Some(at) = rest.find("=\"") {
        let start = at + 2;
        let Some(len) = rest[start..].find('"') else { break };
        out.push_str(&rest[..start]);
        let before = &rest[..at];
        let address = &rest[start..start + len];
        let is_link = [" href", " src", " action"].iter().any(|name| before.ends_with(name));
        match is_link.then(|| to(address)).flatten() {
            Some(new) => out.push_str(&new),
            None => out.push_str(address),
        }
        out.push('"');
        rest = &rest[start + len + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_are_rewritten() {
        let html = "<a class=\"x\" href=\"/a\">=\"no\"</a><img src=\"/b\"><p data-href=\"/c\">";
        let new = rewrite_links(html, |a| Some(format!("!{a}")));
        assert_eq!(
            new,
            "<a class=\"x\" href=\"!/a\">=\"no\"</a><img src=\"!/b\"><p data-href=\"/c\">"
        );
    }

    #[test]
    fn files_of_addresses() {
        for (url, file) in [
            ("/", "index.html"),
            ("/p/3.html", "p/3.html"),
            ("/shoes?a=b&page=2", "shoes,a=b,page=2.html"),
        ] {
            assert_eq!(file_name(url), file);
        }
    }
}
