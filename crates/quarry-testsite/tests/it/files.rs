//! Sites on disk.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use quarry_testsite::{Site, SiteSpec};

use crate::small;

fn hrefs(html: &str) -> Vec<String> {
    html.split(" href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn a_written_site_links_to_its_own_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut spec = small("shop");
    spec.entities = 30;
    let site = Site::generate(spec);
    let pages = site.write_static(folder.path()).unwrap();
    let index = fs::read_to_string(folder.path().join("urls.jsonl")).unwrap();
    assert_eq!(index.lines().count(), pages);
    let home = fs::read_to_string(folder.path().join("index.html")).unwrap();
    let exists = |href: &str| folder.path().join(href.trim_start_matches('/')).is_file();
    let list = hrefs(&home).into_iter().find(|h| h.starts_with("/shoes")).unwrap();
    assert!(exists(&list), "{list}");
    let list = fs::read_to_string(folder.path().join(&list[1..])).unwrap();
    assert!(hrefs(&list).iter().filter(|h| h.starts_with("/shoe/")).all(|h| exists(h)));
    assert!(exists("/assets/site.css") && exists("/img/0.svg") && exists("/robots.txt"));
}

#[test]
fn a_flat_site_is_written_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::generate(SiteSpec { entities: 200, ..SiteSpec::preset("flat").unwrap() });
    assert_eq!(site.write_static(folder.path()).unwrap(), 201);
    for n in 0..200 {
        let html = fs::read_to_string(folder.path().join(format!("p/{n}.html"))).unwrap();
        assert!(hrefs(&html).iter().all(|h| folder.path().join(&h[1..]).is_file()));
    }
}

#[test]
fn the_truth_is_written_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::generate(small("changing"));
    site.write_truth(folder.path()).unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for line in read("truth.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        for field in ["url", "title", "facets", "attributes", "hidden", "specs"] {
            assert!(row.get(field).is_some(), "{field}");
        }
    }
    assert_eq!(read("truth.jsonl").lines().count(), 120);
    assert_ne!(read("truth.jsonl"), read("truth_end.jsonl"));
    let spec: SiteSpec = serde_json::from_str(&read("spec.json")).unwrap();
    assert_eq!(spec, *site.spec());
}

#[test]
fn a_warc_file_holds_every_page_and_is_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut spec = small("shop");
    spec.entities = 25;
    let site = Site::generate(spec);
    let write = |name: &str| {
        let path = folder.path().join(name);
        let pages = site.write_warc(&path).unwrap();
        (pages, fs::read(path).unwrap())
    };
    let (pages, bytes) = write("a.warc.gz");
    assert!(bytes == write("b.warc.gz").1);
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap();
    let text = String::from_utf8_lossy(&text);
    let uris: BTreeSet<&str> =
        text.lines().filter_map(|l| l.strip_prefix("WARC-Target-URI: ")).collect();
    assert_eq!(uris.len(), pages);
    assert_eq!(text.matches("WARC-Type: response").count(), pages);
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let site = Site::generate(small("shop"));
    assert!(site.write_static(Path::new("/dev/null/x")).is_err());
    assert!(site.write_warc(Path::new("/dev/null/x.warc.gz")).is_err());
}
