//! What a person sees of a page: the reasons in words, and the copy with frames.

use std::fmt::Write;
use std::path::Path;

use crate::program::{Folder, run};

/// A page of a search site: a menu, `count` answers about `topic`, and what a copy must not keep.
fn answers(topic: &str, count: usize) -> String {
    let mut html = String::from(
        "<html><head><title>Results</title><script>track()</script></head><body onload='go()'>\
         <ul class='menu'><li><a href='/a'>Home</a><li><a href='/b'>Help and contact</a></ul><div id='results'>",
    );
    for n in 1..=count {
        write!(
            html,
            "<div class='hit'><h3><a href='/{topic}/{n}'>{topic} number {n}</a></h3>\
             <p>What is known about {topic} {n}, in a few words of its own</p></div>"
        )
        .unwrap();
    }
    html + "</div><iframe src='http://ads.example/'></iframe></body></html>"
}

fn write(folder: &Path, name: &str, html: &str) -> String {
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, html).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn the_reasons_are_told_and_drawn() {
    let folder = Folder::new();
    let site = folder.join("site");
    let page = write(&site, "1.html", &answers("granite", 6));
    write(&site, "2.html", &answers("basalt", 9));
    let site = site.to_str().unwrap();
    let copy = folder.join("copy.html");
    let copy = copy.to_str().unwrap();

    let alone = run(["inspect", &page]).ended(0);
    assert!(
        alone.out.contains("charset") && alone.out.contains("looked at alone"),
        "{}",
        alone.out
    );
    let told =
        run(["inspect", &page, "--with", site, "--show", "records", "--html", copy]).ended(0);
    for part in [
        "region 1: /html/body/div, score ",
        "6 records",
        "each record is one element (div)",
        "h3/a (6 of 6)",
        "looked at beside 1 other page",
    ] {
        assert!(told.out.contains(part), "{part} is missing:\n{}", told.out);
    }
    let copy = std::fs::read_to_string(copy).unwrap();
    assert!(copy.contains("<div id=\"results\" data-quarry=\"answer\""), "{copy}");
    assert_eq!(copy.matches("class=\"hit\" data-quarry=").count(), 6);
    assert!(!copy.contains("track()") && !copy.contains("onload") && !copy.contains("ads.example"));
    let refused = run(["inspect", &page, "--html", "/no/such/folder/copy.html"]).ended(2);
    assert!(refused.err.contains("cannot write /no/such/folder/copy.html"), "{}", refused.err);
}

#[test]
fn a_page_without_answers_says_so() {
    let folder = Folder::new();
    let page = write(&folder.join("site"), "none.html", "<p>Nothing was found for your query</p>");
    let copy = folder.join("copy.html");
    let told =
        run(["inspect", &page, "--show", "records", "--html", copy.to_str().unwrap()]).ended(0);
    assert!(told.out.contains("no region") && told.out.contains("nothing repeats"), "{}", told.out);
    let copy = std::fs::read_to_string(copy).unwrap();
    assert!(copy.contains("no list of records is more likely an answer than not"));
}
