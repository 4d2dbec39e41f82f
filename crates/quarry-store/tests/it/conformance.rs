//! Do the stores keep the promises of their ports?

use std::ops::{Deref, DerefMut};

use quarry_model::conformance;
use quarry_model::*;
use quarry_store::{DiskEvidence, MemoryStore, Project, StoreError, StoreSettings};
use tempfile::TempDir;

/// A project in a folder that goes away with it.
struct Scratch {
    project: Project,
    _dir: TempDir,
}

impl Scratch {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let project = Project::create_or_open(dir.path(), &StoreSettings::default()).unwrap();
        Self { project, _dir: dir }
    }
}

impl Deref for Scratch {
    type Target = Project;

    fn deref(&self) -> &Project {
        &self.project
    }
}

impl DerefMut for Scratch {
    fn deref_mut(&mut self) -> &mut Project {
        &mut self.project
    }
}

impl PageStore for Scratch {
    type Error = StoreError;

    fn put(&mut self, capture: &Capture<'_>) -> Result<PageRow, StoreError> {
        self.project.put(capture)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.project.commit()
    }

    fn each(&self, visit: &mut dyn FnMut(PageRow)) -> Result<(), StoreError> {
        self.project.each(visit)
    }

    fn find(&self, key: &str) -> Result<Option<PageRow>, StoreError> {
        self.project.find(key)
    }

    fn read(&self, row: &PageRow) -> Result<Exchange, StoreError> {
        self.project.read(row)
    }
}

impl Frontier for Scratch {
    type Error = StoreError;

    fn add(&mut self, candidates: &[Candidate]) -> Result<Added, StoreError> {
        self.project.add(candidates)
    }

    fn lease(&mut self, host: &str, now: Timestamp) -> Result<Option<Entry>, StoreError> {
        self.project.lease(host, now)
    }

    fn finish(&mut self, id: EntryId, end: &End) -> Result<(), StoreError> {
        self.project.finish(id, end)
    }

    fn put_back(&mut self, id: EntryId, due: Timestamp, tried: bool) -> Result<(), StoreError> {
        self.project.put_back(id, due, tried)
    }

    fn claim(&mut self, candidate: &Candidate) -> Result<bool, StoreError> {
        self.project.claim(candidate)
    }

    fn work(&self) -> Result<Vec<HostWork>, StoreError> {
        self.project.work()
    }

    fn counts(&self) -> Result<FrontierCounts, StoreError> {
        self.project.counts()
    }

    fn release_leases(&mut self) -> Result<u64, StoreError> {
        self.project.release_leases()
    }

    fn host(&self, host: &str) -> Result<Option<HostRecord>, StoreError> {
        self.project.host(host)
    }

    fn save_host(&mut self, record: &HostRecord) -> Result<(), StoreError> {
        self.project.save_host(record)
    }
}

#[test]
fn project_is_a_page_store() {
    conformance::page_store::check(Scratch::new);
}

#[test]
fn memory_store_is_a_page_store() {
    conformance::page_store::check(MemoryStore::default);
}

#[test]
fn project_is_a_frontier() {
    conformance::frontier::check(Scratch::new);
}

/// Evidence in a folder that goes away with it.
struct ScratchEvidence {
    evidence: DiskEvidence,
    _dir: TempDir,
}

impl ScratchEvidence {
    fn new(buffer_bytes: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let evidence = DiskEvidence::create(&dir.path().join("evidence"), buffer_bytes).unwrap();
        Self { evidence, _dir: dir }
    }
}

impl EvidenceStore for ScratchEvidence {
    fn add(&mut self, evidence: Evidence) -> Result<(), PortError> {
        self.evidence.add(evidence)
    }

    fn forget_site(&mut self, site: &str) -> Result<(), PortError> {
        self.evidence.forget_site(site)
    }

    fn join(&mut self, site: &str, from: &str, to: &str) -> Result<(), PortError> {
        self.evidence.join(site, from, to)
    }

    fn each_entity(
        &mut self,
        site: Option<&str>,
        visit: &mut dyn FnMut(EntityEvidence) -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        self.evidence.each_entity(site, visit)
    }
}

#[test]
fn evidence_on_disk_is_an_evidence_store() {
    // All in memory, a few runs, hundreds of runs.
    for buffer_bytes in [1 << 20, 20_000, 2_000] {
        conformance::evidence::check(|| ScratchEvidence::new(buffer_bytes));
    }
}

#[test]
fn runs_are_removed_at_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("evidence");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("0001.run"), "left by a killed process").unwrap();
    let mut store = DiskEvidence::create(&folder, 100).unwrap();
    let site = "http://shop.test";
    for n in 0..9 {
        let entity = format!("/lamp/{n}");
        store.add(conformance::evidence::evidence(site, &entity, "n", "1")).unwrap();
    }
    assert!(store.runs() > 1 && folder.is_dir());
    drop(store);
    assert!(!folder.exists());
}
