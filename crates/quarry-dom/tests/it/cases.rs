//! Pages and what the parser makes of them: `tests/cases/NAME.html` and `NAME.txt`. A missing text
//! is written, and the test fails so that somebody reads it.

use std::path::Path;

use quarry_dom::{Document, Limits};

use crate::reference;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

#[test]
fn pages_have_their_dump() {
    let mut pages: Vec<_> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "html"))
        .collect();
    pages.sort();
    assert!(pages.len() >= 10, "the cases are where they were");
    let mut wrong = Vec::new();
    for page in pages {
        let bytes = std::fs::read(&page).unwrap();
        let document = Document::parse(&bytes, None, &Limits::default());
        let dump = document.dump();
        let expected = page.with_extension("txt");
        match std::fs::read_to_string(&expected) {
            Ok(text) if text == dump => {}
            Ok(text) => wrong.push(format!("{}\nexpected\n{text}\ngot\n{dump}", page.display())),
            Err(_) => {
                std::fs::write(&expected, &dump).unwrap();
                wrong.push(format!("{} was missing and is written: read it", expected.display()));
            }
        }
        let html = String::from_utf8_lossy(&bytes);
        wrong.extend(reference::difference(&html).map(|d| format!("{}: {d}", page.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn documents_are_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Document>();
}

#[test]
fn the_same_page_gives_the_same_document() {
    for entry in std::fs::read_dir(folder()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let parse = || Document::parse(&bytes, None, &Limits::default());
        let (one, other) = (parse(), parse());
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }
}
