//! Reads known records: seed files, and projects, whose tables are records.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quarry_extract::attribute::SeedDb;
use quarry_harvest::{known, parse_seeds};
use quarry_store::{Project, StoreSettings};

/// The records of all files and projects.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Option<SeedDb>> {
    let mut seeds: Option<SeedDb> = None;
    for path in paths {
        let read = if path.is_dir() { of_project(path)? } else { read_file(path)? };
        match &mut seeds {
            None => seeds = Some(read),
            Some(all) => known::append(all, &read),
        }
    }
    Ok(seeds)
}

/// The records of a file.
pub(crate) fn read_file(path: &Path) -> Result<SeedDb> {
    let bytes =
        std::fs::read(path).with_context(|| format!("cannot read the seed {}", path.display()))?;
    parse_seeds(&bytes).with_context(|| format!("cannot use the seed {}", path.display()))
}

fn of_project(folder: &Path) -> Result<SeedDb> {
    let project = Project::open_read_only(folder, &StoreSettings::default())
        .with_context(|| format!("cannot use {} as a seed", folder.display()))?;
    known::of_project(&project)?.with_context(|| {
        format!("{} has no table yet; harvest it first, then it can be a seed", folder.display())
    })
}
