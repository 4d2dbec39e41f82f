//! Does the library give the same tables as the program, byte for byte? By the library's own example.

#[path = "../../../quarry-harvest/examples/harvest.rs"]
mod example;

use quarry_testsite::SiteSpec;

use crate::program::{Folder, front, run, serve};

/// The tables that do not say when pages were fetched.
const TABLES: [&str; 4] = ["entities", "values", "columns", "queries"];

#[test]
fn the_example_gives_the_tables_of_the_program() {
    for preset in ["shop", "books"] {
        let server = serve(SiteSpec { entities: 40, ..SiteSpec::preset(preset).unwrap() });
        let url = front(&server);
        let (by_program, by_library) = (Folder::new(), Folder::new());
        let (program, library) = (by_program.join("p"), by_library.join("p"));
        run(["harvest", &url, "-p", program.to_str().unwrap()]).ended(0);
        let harvested = example::harvest(&url, &library).unwrap();
        assert_eq!(harvested.ending, quarry_harvest::JobOutcome::Done, "{preset}");
        for table in TABLES {
            for ending in ["jsonl", "csv", "parquet"] {
                let name = format!("tables/{table}.{ending}");
                let read = |folder: &std::path::Path| std::fs::read(folder.join(&name)).unwrap();
                let (program, library) = (read(&program), read(&library));
                assert!(!program.is_empty(), "{preset}: {name} is empty");
                assert!(program == library, "{preset}: {name} differs");
            }
        }
    }
}
