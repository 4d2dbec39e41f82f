//! Does a crawl survive `kill -9`? Fifty times, at moments drawn by lot.

use std::collections::BTreeMap;
use std::process::Stdio;

use quarry_store::warc::{ReadLimits, RecordType, read_warc};
use quarry_testsite::SiteSpec;

use crate::program::{Folder, crawl, front, pages, quarry, report, run, serve};

/// Moments at which the process is killed.
const KILLS: usize = 50;
/// Pages of the crawl: enough that the last kill comes before the end.
const PAGES: &str = "400";

/// Numbers drawn by lot, the same in every run of the test (splitmix64).
pub(crate) struct Lot(pub(crate) u64);

impl Lot {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

#[test]
fn killed_fifty_times_and_nothing_lost() {
    let folder = Folder::new();
    let server = serve(SiteSpec::preset("shop").unwrap());
    let url = front(&server);

    let calm = folder.join("calm");
    run(crawl(&url, &calm, &["--limit", PAGES, "--per-host", "1"])).ended(0);

    let shaken = folder.join("shaken");
    let arguments = crawl(
        &url,
        &shaken,
        &["--limit", PAGES, "--per-host", "1", "--commit-every", "10ms", "--quiet"],
    );
    let mut lot = Lot(7);
    for kill in 0..KILLS {
        let mut child = quarry(&arguments).stdout(Stdio::null()).spawn().unwrap();
        let until = server.requests() + 1 + lot.below(12);
        while server.requests() < until {
            assert!(child.try_wait().unwrap().is_none(), "the crawl ended before kill {kill}");
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run(&arguments).ended(0);

    assert_eq!(pages(&shaken), pages(&calm), "the tables differ from an undisturbed run's");
    assert_eq!(report(&shaken)["pages"], report(&calm)["pages"]);
    assert_each_page_once(&shaken);
    check_with_warcio(&shaken);
}

/// The archive reads to its end without a complaint and holds every page once.
fn assert_each_page_once(project: &std::path::Path) {
    let mut responses: BTreeMap<String, u32> = BTreeMap::new();
    for file in archive(project) {
        for record in read_warc(&file, &ReadLimits::default()).unwrap() {
            let record = record.unwrap_or_else(|issue| panic!("{issue:?}"));
            if matches!(record.kind(), RecordType::Response | RecordType::Revisit) {
                *responses.entry(record.headers.target().unwrap().to_owned()).or_default() += 1;
            }
        }
    }
    for (url, _, _) in pages(project) {
        assert_eq!(responses.get(&url), Some(&1), "{url}");
    }
}

fn archive(project: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(project.join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "gz"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// What the reference implementation thinks, where it is installed (`QUARRY_WARCIO` names it).
pub(crate) fn check_with_warcio(project: &std::path::Path) {
    let Some(warcio) = std::env::var_os("QUARRY_WARCIO") else { return };
    for file in archive(project) {
        let checked =
            std::process::Command::new(&warcio).args(["check", "-v"]).arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&checked.stdout);
        assert!(checked.status.success(), "{said}");
        assert!(said.contains("digest pass"), "{said}");
    }
}
