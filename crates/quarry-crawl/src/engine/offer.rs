//! How do found addresses reach the frontier? Filtered by what was offered just now, by depth and
//! by the growth of their space, then added in one batch.

use quarry_model::{Candidate, Frontier, Request, Role, SkipReason};

use super::Engine;
use crate::Address;
use crate::link::date_shape;
use crate::reader::Reading;
use crate::strategy::PageView;
use crate::ticket::Reaction;

/// Sitemaps are read before pages.
pub(super) const SITEMAP_PRIORITY: i32 = -10;

impl Engine {
    /// Shows a page to the strategy and offers what it proposes.
    pub(super) fn follow<F: Frontier>(
        &mut self,
        frontier: &mut F,
        page: &Address,
        depth: u32,
        reading: &Reading,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let Self { strategy, rules, growth, offered, counted, .. } = self;
        let mut batch = Batch::default();
        let view = PageView { address: page, depth, links: &reading.links };
        strategy.observe(&view, &mut |proposal| {
            let (address, depth) = (proposal.address, proposal.depth);
            let fingerprint = address.fingerprint();
            if offered.knows(fingerprint, depth) {
                return;
            }
            let date = date_shape(address);
            let judged = rules.bounds.judge_depth(depth).and_then(|()| {
                if growth.is_trap(address, date) { Err(SkipReason::Trap) } else { Ok(()) }
            });
            if let Err(reason) = judged {
                if !counted.knows(fingerprint, 0) {
                    reaction.skip(reason);
                }
                return;
            }
            let list = if date.is_some() { &mut batch.dated } else { &mut batch.others };
            list.push(Candidate {
                request: Request::get(address.as_str()),
                host: address.host().to_owned(),
                role: Role::Page,
                depth,
                priority: proposal.priority,
                via: Some(page.as_str().to_owned()),
            });
        });
        let elsewhere = self.add(frontier, &batch.others, reaction)?;
        self.add(frontier, &batch.dated, reaction)?;
        if let Some(shape) = date_shape(page) {
            self.growth.dated_page(shape, elsewhere > 0);
        }
        Ok(())
    }

    /// Offers addresses without asking the strategy: targets of redirects, pages of sitemaps.
    pub(super) fn offer_all<'a, F: Frontier>(
        &mut self,
        frontier: &mut F,
        addresses: impl Iterator<Item = &'a Address>,
        depth: u32,
        via: &Address,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let mut batch = Vec::new();
        for address in addresses {
            let fingerprint = address.fingerprint();
            if self.offered.knows(fingerprint, depth) {
                continue;
            }
            if let Err(reason) = self.rules.bounds.judge_depth(depth) {
                if !self.counted.knows(fingerprint, 0) {
                    reaction.skip(reason);
                }
                continue;
            }
            batch.push(Candidate {
                request: Request::get(address.as_str()),
                host: address.host().to_owned(),
                role: Role::Page,
                depth,
                priority: 0,
                via: Some(via.as_str().to_owned()),
            });
        }
        self.add(frontier, &batch, reaction)?;
        Ok(())
    }

    /// Adds candidates and wakes their hosts. Returns how many were new.
    pub(super) fn add<F: Frontier>(
        &mut self,
        frontier: &mut F,
        batch: &[Candidate],
        reaction: &mut Reaction,
    ) -> Result<usize, F::Error> {
        if batch.is_empty() {
            return Ok(0);
        }
        let added = frontier.add(batch)?;
        reaction.discovered += added.new as u64;
        if added.new == 0 {
            return Ok(0);
        }
        let mut last = "";
        for candidate in batch {
            if candidate.host != last {
                let id = self.host_id(frontier, &candidate.host)?;
                self.hosts[id.0 as usize].has_work = true;
                self.plan(id);
                last = &candidate.host;
            }
        }
        Ok(added.new)
    }

    /// Counts addresses that the rules left out, each once as far as memory goes.
    pub(super) fn skip_links(&mut self, reading: &Reading, reaction: &mut Reaction) {
        for (fingerprint, reason) in &reading.skipped {
            if !self.counted.knows(*fingerprint, 0) {
                reaction.skip(*reason);
            }
        }
    }
}

/// What one page leads to: further dates apart, for they may be a calendar.
#[derive(Default)]
struct Batch {
    dated: Vec<Candidate>,
    others: Vec<Candidate>,
}
