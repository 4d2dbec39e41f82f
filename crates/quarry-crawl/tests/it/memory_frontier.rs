//! Does the frontier in memory keep the port's promises?

use quarry_crawl::MemoryFrontier;

#[test]
fn passes_the_conformance_suite() {
    quarry_model::conformance::frontier::check(MemoryFrontier::default);
}
