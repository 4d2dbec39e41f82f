//! Which sites are ready to use? Named specifications.

use crate::spec::{SiteSpec, SpecError};

/// A named specification.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    make: fn() -> SiteSpec,
}

const PRESETS: &[Preset] =
    &[Preset { name: "shop", purpose: "a shoe shop: the demonstration", make: SiteSpec::default }];

impl Preset {
    /// The specification.
    #[must_use]
    pub fn spec(&self) -> SiteSpec {
        (self.make)()
    }
}

impl SiteSpec {
    /// All presets.
    #[must_use]
    pub fn presets() -> &'static [Preset] {
        PRESETS
    }

    /// The preset of a name.
    ///
    /// # Errors
    /// When there is none.
    pub fn preset(name: &str) -> Result<Self, SpecError> {
        let found = PRESETS.iter().find(|p| p.name == name);
        let found = found.ok_or_else(|| SpecError::UnknownPreset { name: name.to_owned() })?;
        Ok(found.spec())
    }
}
