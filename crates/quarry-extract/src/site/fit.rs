//! Measures how well pages still fit the model of a site: each is compared with what was usual when it was learned.

use serde::{Deserialize, Serialize};

use super::PageData;
use crate::links::PageKind;

/// A page that gives less than this share of the usual does not fit.
const FITS: f64 = 0.5;
/// More pages than this share that do not fit, and did before: the site has changed its look.
const DRIFTED: f64 = 0.1;
/// Pages that must not fit before a site counts as changed: one or two may be odd pages.
const MIN_MISFIT_PAGES: usize = 3;

/// What the pages of a site gave when it was learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BaselineYield {
    /// Data units of a record that fit the template; the median of lists.
    pub units: f64,
    /// Names and values of an entity's page; the median.
    pub pairs: f64,
    /// Share of the pages that were neither a list nor about an entity.
    pub other: f64,
    /// Share of the lists and entity pages that did not fit.
    pub misfits: f64,
}

impl BaselineYield {
    /// What these pages give.
    #[must_use]
    pub fn of(pages: &[PageData]) -> Self {
        let yields = |kind| pages.iter().filter(move |data| data.kind == kind).map(yielded);
        let mut usual = Self {
            units: median(yields(PageKind::List).collect()),
            pairs: median(yields(PageKind::Entity).collect()),
            ..Self::default()
        };
        let mut fit = SiteFit::default();
        for data in pages {
            fit.add(data, &usual);
        }
        usual.other = fit.share(fit.other());
        usual.misfits = fit.share(fit.misfits);
        usual
    }
}

/// How well the pages of a site fit its model, counted page by page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteFit {
    /// All pages.
    pub pages: usize,
    /// Lists among them.
    pub lists: usize,
    /// Records of the lists.
    pub records: usize,
    /// Pages about one entity.
    pub entity_pages: usize,
    /// Lists and entity pages that give less than half of the usual.
    pub misfits: usize,
    /// Sum of the shares of the usual that lists and entity pages give.
    sum: f64,
    /// Lists by their number of records.
    sizes: std::collections::BTreeMap<usize, usize>,
}

impl SiteFit {
    /// Counts a page, and says how well it fits: from 0 to 1, `None` for a page without data.
    pub fn add(&mut self, data: &PageData, usual: &BaselineYield) -> Option<f64> {
        self.pages += 1;
        let expected = match data.kind {
            PageKind::Other => return None,
            PageKind::List => usual.units,
            PageKind::Entity => usual.pairs,
        };
        match data.kind {
            PageKind::List => {
                self.lists += 1;
                self.records += data.records.len();
                *self.sizes.entry(data.records.len()).or_default() += 1;
            }
            _ => self.entity_pages += 1,
        }
        let fit = if expected > 0.0 { (yielded(data) / expected).min(1.0) } else { 1.0 };
        self.sum += fit;
        self.misfits += usize::from(fit < FITS);
        Some(fit)
    }

    /// How well lists and entity pages fit on average; `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let pages = self.lists + self.entity_pages;
        (pages > 0).then(|| self.sum / pages as f64)
    }

    /// The number of records that as many lists have more than as have fewer.
    #[must_use]
    pub fn records_per_page(&self) -> Option<usize> {
        let mut left = self.lists.div_ceil(2);
        self.sizes.iter().find_map(|(&records, &lists)| {
            left = left.saturating_sub(lists);
            (left == 0 && self.lists > 0).then_some(records)
        })
    }

    /// Pages that are neither a list nor about an entity.
    #[must_use]
    pub fn other(&self) -> usize {
        self.pages - self.lists - self.entity_pages
    }

    /// Share of the pages that did fit once and do not any more, if that is more than chance.
    #[must_use]
    pub fn drift(&self, usual: &BaselineYield) -> Option<f64> {
        let lost = |now: usize, before: f64| {
            let now = self.share(now) - before;
            if now > 0.0 { now } else { 0.0 }
        };
        let share = lost(self.misfits, usual.misfits) + lost(self.other(), usual.other);
        let some = self.misfits + self.other() >= MIN_MISFIT_PAGES;
        (some && share > DRIFTED).then_some(share)
    }

    fn share(&self, pages: usize) -> f64 {
        pages as f64 / self.pages.max(1) as f64
    }
}

/// What a page gives: the units of an average record as far as they fit, or the pairs of an entity.
fn yielded(data: &PageData) -> f64 {
    match data.kind {
        PageKind::Other => 0.0,
        PageKind::Entity => {
            let pairs: usize = data.specs.iter().map(|spec| spec.pairs.len()).sum();
            (pairs + data.matched.len()) as f64
        }
        PageKind::List => {
            let fit = data.records.iter().map(|record| record.fit * record.units.len() as f64);
            fit.sum::<f64>() / data.records.len().max(1) as f64
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists of ten and six records, five pages that are neither.
    fn fit() -> SiteFit {
        let sizes = [(10, 3), (6, 1)].into();
        SiteFit { pages: 9, lists: 4, records: 36, sizes, ..SiteFit::default() }
    }

    #[test]
    fn the_usual_size_of_a_list_is_a_median() {
        assert_eq!(fit().records_per_page(), Some(10));
        assert_eq!(SiteFit::default().records_per_page(), None);
    }

    #[test]
    fn pages_that_never_fitted_are_no_drift() {
        let usual = BaselineYield { other: 5.0 / 9.0, ..BaselineYield::default() };
        assert_eq!(fit().drift(&usual), None);
        assert!(fit().drift(&BaselineYield::default()).is_some_and(|share| share > 0.5));
        let few = SiteFit { pages: 2, ..SiteFit::default() };
        assert_eq!(few.drift(&BaselineYield::default()), None);
    }
}
