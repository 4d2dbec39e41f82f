//! `cluster`, `records` and `forms` on input that nobody meant: a clear answer, and a status that says how it went.

use std::fmt::Write;
use std::path::Path;

use crate::program::{Folder, run};

const STAGES: [&str; 3] = ["cluster", "records", "forms"];
const SEARCH: &str = "<form action=/find><input type=search name=q><button>Search</button></form>";

fn write(folder: &Path, name: &str, html: &str) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(name), html).unwrap();
}

#[test]
fn an_empty_folder_is_named() {
    let folder = Folder::new();
    let empty = folder.join("empty");
    std::fs::create_dir(&empty).unwrap();
    for stage in STAGES {
        for path in [empty.to_str().unwrap(), "no-such-folder"] {
            let ran = run([stage, path]).ended(2);
            assert!(ran.err.contains(path) && ran.out.is_empty(), "{stage} says: {}", ran.err);
        }
    }
}

#[test]
fn one_page_and_pages_of_unrelated_sites_each_get_a_line() {
    let folder = Folder::new();
    let (one, mixed) = (folder.join("one"), folder.join("mixed"));
    let mut list = SEARCH.to_owned();
    for n in 0..8 {
        write!(
            list,
            "<div><h3><a href=/{n}>The stone of {n} colours</a></h3><p>Found in 18{n}2</p></div>"
        )
        .unwrap();
    }
    write(&one, "list.html", &list);
    write(&mixed, "list.html", &list);
    write(
        &mixed,
        "essay.html",
        "<h1>An essay</h1><p>One long thought that repeats nothing at all.</p>",
    );
    write(&mixed, "broken.html", "<table><tr><td <b>&#0;</table></table><svg><p>");
    write(&mixed, "empty.html", "");
    for stage in STAGES {
        let lines = run([stage, one.to_str().unwrap()]).ended(0).lines();
        assert_eq!(lines.len(), 1);
        let lines = run([stage, mixed.to_str().unwrap()]).ended(0).lines();
        let pages: Vec<&str> = lines.iter().map(|line| line["page"].as_str().unwrap()).collect();
        assert_eq!(pages, ["broken.html", "empty.html", "essay.html", "list.html"], "{stage}");
        if stage == "records" {
            let counts: Vec<usize> = lines
                .iter()
                .map(|line| line["regions"][0]["records"].as_array().map_or(0, Vec::len))
                .collect();
            assert_eq!(counts, [0, 0, 0, 8]);
        }
    }
}

#[test]
fn a_page_of_50_megabytes_is_read_up_to_the_limit() {
    let folder = Folder::new();
    let site = folder.join("site");
    let mut html = format!("{SEARCH}<table>");
    let words = "granite basalt and marble from quarries near the river ".repeat(8);
    let mut n = 0;
    while html.len() < 50 << 20 {
        write!(html, "<tr><td><a href='/{n}'>Stone {n}</a></td><td>{words}{n}</td></tr>").unwrap();
        n += 1;
    }
    write(&site, "large.html", &html);
    let site = site.to_str().unwrap();
    let records = run(["records", site]).ended(0).lines();
    let found = records[0]["regions"][0]["records"].as_array().unwrap().len();
    assert!(found > 30_000 && found < n, "{found} of {n} records");
    assert_eq!(run(["cluster", site]).ended(0).lines()[0]["rank"], 1);
    assert_eq!(run(["forms", site]).ended(0).lines()[0]["forms"][0]["kind"], "search");
    let page = format!("{site}/large.html");
    let shown = run(["inspect", &page]).ended(0);
    assert!(shown.out.contains("cut at") && shown.out.contains("region 1: "), "{}", shown.out);
}

#[test]
fn a_page_with_100_000_equal_rows_is_answered() {
    let folder = Folder::new();
    let site = folder.join("site");
    let rows = "<tr><td>equal</td><td>row</td></tr>".repeat(100_000);
    write(&site, "rows.html", &format!("{SEARCH}<table>{rows}</table>"));
    for stage in STAGES {
        let lines = run([stage, site.to_str().unwrap()]).ended(0).lines();
        assert_eq!(lines[0]["page"], "rows.html", "{stage}");
    }
}

#[test]
fn published_algorithms_answer_or_say_how_to_build_them() {
    let folder = Folder::new();
    let pages = folder.join("pages");
    write(&pages, "a.html", "<table><tr><th>Height<td>3 m<tr><th>Width<td>2 m</table>");
    let path = pages.to_str().unwrap();
    for stage in ["records", "specs"] {
        let ran = run([stage, path, "--method", "paper"]);
        if cfg!(feature = "papers") {
            assert_eq!(ran.ended(0).lines().len(), 1, "{stage}");
        } else {
            assert!(
                ran.ended(2).err.contains("cargo build --release --features papers"),
                "{stage}"
            );
        }
    }
}
