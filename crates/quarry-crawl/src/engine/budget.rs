//! Which budget ends a session: pages, requests, bytes or time.

use quarry_model::Timestamp;

use super::Engine;
use crate::settings::Spent;
use crate::ticket::BudgetKind;

impl Engine {
    pub(super) fn is_full(&self) -> bool {
        let pages = self.spent.pages + self.pages_in_flight;
        self.flights.len() >= self.settings.politeness.max_in_flight as usize
            || self.settings.budget.pages.is_some_and(|most| pages >= most)
    }

    /// When the time budget ends, without what is kept of it for later work.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        let Spent { pages, bytes, time, .. } = self.spent;
        let left = self.settings.budget.crawl_time(pages, bytes)?.saturating_sub(time);
        Some(self.started.plus(left))
    }

    pub(super) fn used_up(&self, now: Timestamp) -> Option<BudgetKind> {
        let budget = &self.settings.budget;
        if budget.pages.is_some_and(|most| self.spent.pages >= most) {
            Some(BudgetKind::Pages)
        } else if self.budget.is_used_up() {
            Some(BudgetKind::Requests)
        } else if budget.bytes.is_some_and(|most| self.spent.bytes >= most) {
            Some(BudgetKind::Bytes)
        } else if self.deadline().is_some_and(|deadline| now >= deadline) {
            Some(BudgetKind::Time)
        } else {
            None
        }
    }
}
