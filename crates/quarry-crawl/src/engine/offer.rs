//! Adds found addresses to the frontier: filtered by recent offers, depth and the growth of their
//! address space, then added in one batch.

use std::collections::BTreeSet;

use quarry_model::{Candidate, Frontier, Request, RequestRole, SkipReason};

use super::{Engine, Refusal};
use crate::Address;
use crate::address::fingerprint;
use crate::growth::Growth;
use crate::link::date_shape;
use crate::reader::Reading;
use crate::recent::Recent;
use crate::rules::Rulebook;
use crate::strategy::{PageView, Proposal};
use crate::ticket::Reaction;

/// Sitemaps are read before pages.
pub(super) const SITEMAP_PRIORITY: i32 = -10;

impl Engine {
    /// Shows a page to the strategy and offers what it proposes.
    pub(super) fn follow<F: Frontier>(
        &mut self,
        frontier: &mut F,
        view: &PageView<'_>,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let Self { strategy, rules, growth, offered, counted, guesses, .. } = self;
        let mut batch = Batch::default();
        let page = view.address;
        let mut filter = Filter { rules, growth, offered, counted, guesses };
        strategy.observe(view, &mut |proposal| {
            filter.put(&proposal, Some(page), &mut batch, reaction);
        });
        let elsewhere = self.add(frontier, &batch.others, reaction)?;
        self.add(frontier, &batch.dated, reaction)?;
        if let Some(shape) = date_shape(page) {
            self.growth.dated_page(shape, elsewhere > 0);
        }
        Ok(())
    }

    /// Asks the strategy for more, now that nothing is left. True if it had something new.
    pub(super) fn ask_strategy<F: Frontier>(&mut self, frontier: &mut F) -> Result<bool, F::Error> {
        let mut notes = std::mem::take(&mut self.notes);
        let mut new = 0;
        let mut proposed = true;
        while new == 0 && proposed {
            proposed = false;
            let Self { strategy, rules, growth, offered, counted, guesses, .. } = self;
            let mut batch = Batch::default();
            let mut filter = Filter { rules, growth, offered, counted, guesses };
            strategy.idle(&mut |proposal| {
                proposed = true;
                filter.put(&proposal, None, &mut batch, &mut notes);
            });
            new += self.add(frontier, &batch.others, &mut notes)?;
            new += self.add(frontier, &batch.dated, &mut notes)?;
        }
        self.notes = notes;
        Ok(new > 0)
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
                role: RequestRole::Page,
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
    pub(super) fn skip_links(&mut self, host: &str, reading: &Reading, reaction: &mut Reaction) {
        for (fingerprint, reason) in &reading.skipped {
            if !self.counted.knows(*fingerprint, 0) {
                reaction.skip(*reason);
                if let Some(line) = reading.refused.get(fingerprint) {
                    let (host, line) = (host.to_owned(), line.clone());
                    *self.refusals.entry(Refusal::Robots { host, line }).or_default() += 1;
                }
            }
        }
    }
}

/// What keeps a proposal from the frontier.
struct Filter<'e> {
    rules: &'e Rulebook,
    growth: &'e mut Growth,
    offered: &'e mut Recent,
    counted: &'e mut Recent,
    guesses: &'e mut BTreeSet<u64>,
}

impl Filter<'_> {
    /// Puts a proposal into the batch, unless it was offered just now or is not to be asked.
    fn put(
        &mut self,
        proposal: &Proposal<'_>,
        via: Option<&Address>,
        batch: &mut Batch,
        reaction: &mut Reaction,
    ) {
        let (address, depth) = (&*proposal.address, proposal.depth);
        let fingerprint = match &proposal.body {
            None => address.fingerprint(),
            Some(_) => fingerprint(&proposal.request().key()),
        };
        if proposal.is_guess {
            self.guesses.insert(fingerprint);
        } else {
            self.guesses.remove(&fingerprint);
        }
        if self.offered.knows(fingerprint, depth) {
            return;
        }
        let date = date_shape(address);
        // Links were judged when their page was read. What a strategy has thought of, or kept of a list, was not.
        let in_depth = self.rules.bounds.judge_depth(depth);
        let judged = in_depth.and_then(|()| self.rules.judge(address)).and_then(|()| {
            if self.growth.is_trap(address, date) { Err(SkipReason::Trap) } else { Ok(()) }
        });
        if let Err(reason) = judged {
            if !self.counted.knows(fingerprint, 0) {
                reaction.skip(reason);
            }
            return;
        }
        let list = if date.is_some() { &mut batch.dated } else { &mut batch.others };
        list.push(Candidate {
            request: proposal.request(),
            host: address.host().to_owned(),
            role: RequestRole::Page,
            depth,
            priority: proposal.priority,
            via: via.map(|page| page.as_str().to_owned()),
        });
    }
}

/// What one page leads to: further dates apart, for they may be a calendar.
#[derive(Default)]
struct Batch {
    dated: Vec<Candidate>,
    others: Vec<Candidate>,
}
