//! Generated sites with a search form.

use quarry_testsite::{FacetStyle, OneMatch, SearchForm, SiteSpec, Theme, Traps, Vertical};

/// A search site; every vertical, theme, method, answer to one match, and more to look past.
pub(crate) fn spec(seed: u64) -> SiteSpec {
    let mut spec = SiteSpec { seed: 2_000 + seed, entities: 300, ..SiteSpec::default() };
    spec.vertical = Vertical::ALL[seed as usize % Vertical::ALL.len()];
    spec.theme = Theme::ALL[seed as usize % Theme::ALL.len()];
    spec.search.one_match =
        if seed.is_multiple_of(3) { OneMatch::Redirect } else { OneMatch::Page };
    spec.search.form = if seed % 4 == 3 { SearchForm::Post } else { SearchForm::Get };
    spec.search.required = seed % 5 == 4;
    spec.search.field = ["q", "query", "s", "words"][seed as usize % 4].to_owned();
    spec.facets.style =
        [FacetStyle::Links, FacetStyle::GetForm, FacetStyle::None][seed as usize % 3];
    spec.listing.promotions = (seed % 3) as usize;
    spec.traps = Traps { actions: true, forms: true, ..Traps::default() };
    spec
}
