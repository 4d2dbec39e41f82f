//! `--method paper`: the published algorithms, for comparison. Only a build with the cargo feature `papers` has them, so
//! that the default build stays quick.

use anyhow::Result;
use quarry_extract::attribute::SeedDb;
use quarry_extract::find::PageRecords;
use quarry_extract::spec::Spec;
use quarry_harvest::ParsedPage;
use quarry_harvest::matching::MatchLine;

#[cfg(feature = "papers")]
pub(crate) use with_papers::{match_site, records, specs};
#[cfg(not(feature = "papers"))]
pub(crate) use without_papers::{match_site, records, specs};

#[cfg(feature = "papers")]
mod with_papers {
    use super::*;

    use quarry_dom::Document;
    use quarry_extract::attribute::SeedAttributeId;
    use quarry_extract::find::RecordsConfig;
    use quarry_extract::spec::SpecConfig;
    use quarry_harvest::matching::rounded_confidence;
    use quarry_harvest::stages;
    use quarry_papers::dexter::heuristic_specs;
    use quarry_papers::redundancy::{FindAttrPosConfig, find_attr_pos};
    use quarry_papers::thor::{ThorConfig, thor_records};

    use crate::screen;

    /// THOR's regions and records.
    pub(crate) fn records(pages: &[ParsedPage]) -> Result<Vec<PageRecords>> {
        let inputs = stages::record_inputs(pages);
        Ok(thor_records(&inputs, &RecordsConfig::default(), &ThorConfig::default()))
    }

    /// DEXTER's heuristic for specifications.
    pub(crate) fn specs(pages: &[ParsedPage]) -> Result<Vec<Vec<Spec>>> {
        Ok(heuristic_specs(&stages::spec_inputs(pages), &SpecConfig::default()))
    }

    /// FINDATTRPOS: absolute paths, all or nothing. The site's records are added to the seed if `grow` says so.
    pub(crate) fn match_site(
        site: &str,
        pages: &[ParsedPage],
        seeds: &mut SeedDb,
        grow: bool,
        quiet: bool,
    ) -> Result<Vec<MatchLine>> {
        let documents: Vec<&Document> = pages.iter().map(|page| &page.document).collect();
        let found = find_attr_pos(&documents, seeds, &FindAttrPosConfig::default());
        if !quiet {
            let name = |attribute: SeedAttributeId| seeds.attributes()[attribute.index()].as_str();
            let names: Vec<&str> = found.positions.iter().map(|p| name(p.attribute)).collect();
            screen::write_line(&format!(
                "{site}: {} pages, {} attributes placed with support {}: {}",
                pages.len(),
                names.len(),
                found.support,
                names.join(", ")
            ));
        }
        let values = found.read(&documents);
        let lines = values.iter().map(|value| MatchLine {
            site: site.to_owned(),
            page: pages[value.page].id.clone(),
            attribute: seeds.attributes()[value.attribute.index()].clone(),
            value: value.text.clone(),
            path: value.path.clone(),
            confidence: rounded_confidence(value.confidence),
            seed_record: found.records.get(&value.page).map(|record| record.0),
        });
        let lines = lines.collect();
        for of_page in values.chunk_by(|one, next| one.page == next.page).filter(|_| grow) {
            let pairs = of_page.iter().map(|value| (value.attribute, value.text.clone()));
            seeds.add(site, Some(pages[of_page[0].page].id.clone()), pairs);
        }
        Ok(lines)
    }
}

#[cfg(not(feature = "papers"))]
mod without_papers {
    use super::*;

    use anyhow::bail;

    fn missing<T>() -> Result<T> {
        bail!(
            "this build has no published algorithms; `cargo build --release --features papers` makes one that has --method paper"
        )
    }

    pub(crate) fn records(_: &[ParsedPage]) -> Result<Vec<PageRecords>> {
        missing()
    }

    pub(crate) fn specs(_: &[ParsedPage]) -> Result<Vec<Vec<Spec>>> {
        missing()
    }

    pub(crate) fn match_site(
        _: &str,
        _: &[ParsedPage],
        _: &mut SeedDb,
        _: bool,
        _: bool,
    ) -> Result<Vec<MatchLine>> {
        missing()
    }
}
