//! Several sites with partly the same entities: a family draws its entities from one world; each
//! site has its own selection, mark-up, labels and printed forms, and lacks some attributes.

use serde::{Deserialize, Serialize};

use crate::catalogue::CatalogueEntityId;
use crate::format::{
    AddressFormat, DateFormat, PeopleFormat, PhoneFormat, PriceFormat, TitleFormat, Units,
    ValueFormat,
};
use crate::prng::{Rng, hash};
use crate::site::{Site, World};
use crate::spec::{PagingStyle, SiteSpec, SpecStyle, UrlStyle};
use crate::theme::Theme;
use crate::vertical::definition;

/// What a family is made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FamilySpec {
    /// The site that all are variations of: seed, vertical, entities per site, knobs.
    pub base: SiteSpec,
    /// How many sites.
    pub sites: usize,
    /// Share of a site's entities that another site has too, about.
    pub overlap: f64,
    /// Share of the attributes that a site does not have, about.
    pub missing: f64,
    /// Give every site but the first its own theme, addresses, paging and specification style.
    pub vary_markup: bool,
    /// Give every site but the first its own printed forms and labels.
    pub vary_format: bool,
}

impl Default for FamilySpec {
    fn default() -> Self {
        Self {
            base: SiteSpec::default(),
            sites: 3,
            overlap: 0.4,
            missing: 0.1,
            vary_markup: true,
            vary_format: true,
        }
    }
}

/// Sites over one world.
///
/// ```
/// use quarry_testsite::{FamilySpec, SiteFamily};
/// let family = SiteFamily::generate(&FamilySpec::default());
/// assert_eq!(family.sites.len(), 3);
/// assert!(!family.shared(0, 1).is_empty());
/// ```
#[derive(Debug)]
pub struct SiteFamily {
    /// The sites.
    pub sites: Vec<Site>,
}

impl SiteFamily {
    /// Generates the sites.
    #[must_use]
    pub fn generate(spec: &FamilySpec) -> Self {
        let each = spec.base.entities;
        // Two samples of n from a world of W share n²/W entities, hence W = n / overlap.
        let size = (each as f64 / spec.overlap.clamp(0.01, 1.0)) as usize;
        let world = World { seed: spec.base.seed, entities: size.max(each) };
        let sites = (0..spec.sites).map(|i| site(spec, world, i)).collect();
        Self { sites }
    }

    /// The entities that two sites have in common, by their places in each.
    #[must_use]
    pub fn shared(&self, a: usize, b: usize) -> Vec<(CatalogueEntityId, CatalogueEntityId)> {
        let of = |site: &Site| {
            let mut places: Vec<(u64, u32)> =
                site.catalogue().bases.iter().copied().zip(0u32..).collect();
            places.sort_unstable();
            places
        };
        let (first, second) = (of(&self.sites[a]), of(&self.sites[b]));
        let shared = first.iter().filter_map(|(base, at)| {
            let found = second.binary_search_by_key(base, |(b, _)| *b).ok()?;
            Some((CatalogueEntityId(*at), CatalogueEntityId(second[found].1)))
        });
        shared.collect()
    }
}

fn site(family: &FamilySpec, world: World, number: usize) -> Site {
    let mut rng = Rng::of(world.seed, "family", number as u64);
    let mut spec = family.base.clone();
    spec.seed = hash(world.seed, "family site", number as u64);
    spec.name.clear();
    if number > 0 && family.vary_markup {
        spec.theme = Theme::ALL[number % Theme::ALL.len()];
        spec.specs = SpecStyle::ALL[(number * 3) % SpecStyle::ALL.len()];
        spec.urls = UrlStyle::ALL[number % UrlStyle::ALL.len()];
        spec.paging.style = *rng.pick(&[
            PagingStyle::Numbered,
            PagingStyle::NextOnly,
            PagingStyle::Offset,
            PagingStyle::Keyset,
        ]);
        spec.markup.json_ld = rng.chance(0.3);
        spec.markup.microdata = rng.chance(0.3);
    }
    if number > 0 && family.vary_format {
        spec.format = ValueFormat {
            price: *rng.pick(PriceFormat::ALL),
            date: *rng.pick(DateFormat::ALL),
            phone: *rng.pick(PhoneFormat::ALL),
            units: *rng.pick(Units::ALL),
            address: *rng.pick(AddressFormat::ALL),
            people: *rng.pick(PeopleFormat::ALL),
            title: *rng.pick(&[
                TitleFormat::Plain,
                TitleFormat::Plain,
                TitleFormat::Abbreviated,
                TitleFormat::CommaLast,
                TitleFormat::Upper,
            ]),
            labels: rng.below(3),
        };
    }
    let mut without = Vec::new();
    for attribute in definition(spec.vertical).attributes {
        if number > 0 && rng.chance(family.missing) {
            without.push(attribute.name.to_owned());
        }
    }
    let mut bases: Vec<u64> = (0..world.entities as u64).collect();
    rng.shuffle(&mut bases);
    bases.truncate(spec.entities);
    // Changes would need entities of their own; a family stands still.
    spec.changes.every = 0;
    let start = bases.len();
    Site::from_world(spec, world, start, &bases, &without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vertical::Vertical;

    #[test]
    fn the_overlap_is_about_what_was_asked_for() {
        for overlap in [0.05, 0.2, 0.8] {
            let base =
                SiteSpec { entities: 300, vertical: Vertical::Restaurants, ..SiteSpec::default() };
            let family = SiteFamily::generate(&FamilySpec {
                base,
                sites: 2,
                overlap,
                ..FamilySpec::default()
            });
            let share = family.shared(0, 1).len() as f64 / 300.0;
            assert!((share - overlap).abs() < 0.1, "{share} for {overlap}");
        }
    }

    #[test]
    fn shared_entities_are_the_same_behind_the_print() {
        let base =
            SiteSpec { entities: 60, vertical: Vertical::Restaurants, ..SiteSpec::default() };
        let spec = FamilySpec { base, sites: 2, missing: 0.0, ..FamilySpec::default() };
        let family = SiteFamily::generate(&spec);
        let phone = |site: &Site, e| {
            let id = site.catalogue().find("Phone").unwrap();
            site.catalogue().value(id, e).cloned()
        };
        for (a, b) in family.shared(0, 1) {
            assert_eq!(phone(&family.sites[0], a), phone(&family.sites[1], b));
        }
    }
}
