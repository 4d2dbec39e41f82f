//! Collects the links of a page: resolved, each address once, judged by scope and rules.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use quarry_extract::action::LinkMarks;
use quarry_model::SkipReason;
use xxhash_rust::xxh3::xxh3_64;

use super::resolve::Base;
use super::{AnswerReader, FoundLink};
use crate::{Address, robots};

/// The links of one page while it is read.
pub(super) struct LinkList<'a> {
    base: Base,
    page: u64,
    own: Address,
    host: &'a str,
    robots: &'a robots::Rules,
    reader: &'a AnswerReader,
    /// Hashes of links as written and fingerprints of addresses, both seen before.
    seen: HashSet<u64, BuildHasherDefault<Itself>>,
    links: Vec<FoundLink>,
    skipped: Vec<(u64, SkipReason)>,
    refused: BTreeMap<u64, String>,
    /// Addresses of links that are written like actions, until it is known whether a plain link leads
    /// there too.
    acting: Vec<u64>,
}

impl<'a> LinkList<'a> {
    /// The links of a page of `host`, whose robots.txt says `robots`.
    pub(super) fn new(
        host: &'a str,
        robots: &'a robots::Rules,
        reader: &'a AnswerReader,
        page: &Address,
    ) -> Self {
        Self {
            base: Base::new(page.clone()),
            page: page.fingerprint(),
            own: page.clone(),
            host,
            robots,
            reader,
            seen: HashSet::default(),
            links: Vec::new(),
            skipped: Vec::new(),
            refused: BTreeMap::new(),
            acting: Vec::new(),
        }
    }

    /// Later links are relative to this address, itself relative to the page.
    pub(super) fn set_base(&mut self, href: &str) {
        if let Ok(base) = self.base.resolve(trim(href)) {
            self.base = Base::new(base);
        }
    }

    /// Takes a link as it is written.
    pub(super) fn add(&mut self, href: &str) {
        let href = trim(href);
        if href.is_empty() || href.starts_with('#') {
            return;
        }
        // Most links of a page stand there more than once, or on every page.
        if !self.seen.insert(xxh3_64(href.as_bytes())) {
            return;
        }
        match self.base.resolve(href) {
            Ok(address) => {
                let fingerprint = address.fingerprint();
                if fingerprint == self.page || !self.seen.insert(!fingerprint) {
                    return;
                }
                match self.reader.rules.judge_from(&address, self.host, self.robots) {
                    Ok(()) => self.links.push(FoundLink { address }),
                    Err(reason) => {
                        if reason == SkipReason::Robots {
                            let line = self.robots.refusing_line(address.path_and_query());
                            self.refused.extend(line.map(|line| (fingerprint, line)));
                        }
                        self.skipped.push((fingerprint, reason));
                    }
                }
            }
            Err(_) => self.skipped.push((xxh3_64(href.as_bytes()), SkipReason::BadUrl)),
        }
    }

    /// Takes a link by its address and by how it is written. What is written like an action is
    /// followed only if a plain link of the page leads to the same address: then requesting that
    /// address is harmless, and the action is what a script does.
    pub(super) fn add_marked(&mut self, href: &str, marks: &LinkMarks) {
        if marks.is_plain() || self.reader.rules.follow_actions {
            return self.add(href);
        }
        let href = trim(href);
        match self.base.resolve(href) {
            Ok(address)
                if (marks.is_certain() || !takes_a_choice_away(&self.own, &address))
                    && marks.judge(address.path(), address.query()).is_some() =>
            {
                self.acting.push(address.fingerprint());
            }
            _ => self.add(href),
        }
    }

    /// Ends the list: links that are written like actions, and to whose address no other link leads,
    /// are left out. Gives the fingerprints of their addresses.
    pub(super) fn leave_out_actions(&mut self) -> BTreeSet<u64> {
        let mut left_out = BTreeSet::new();
        for fingerprint in std::mem::take(&mut self.acting) {
            if fingerprint != self.page && self.seen.insert(!fingerprint) {
                self.skipped.push((fingerprint, SkipReason::Unsafe));
                left_out.insert(fingerprint);
            }
        }
        left_out
    }

    /// Takes a link that the page asks not to follow.
    pub(super) fn add_forbidden(&mut self, href: &str) {
        if let Ok(address) = self.base.resolve(trim(href)) {
            let fingerprint = address.fingerprint();
            if fingerprint != self.page && self.seen.insert(!fingerprint) {
                self.skipped.push((fingerprint, SkipReason::Nofollow));
            }
        }
    }

    /// The lines of robots.txt that refused addresses, by fingerprint.
    pub(super) fn take_refused(&mut self) -> BTreeMap<u64, String> {
        std::mem::take(&mut self.refused)
    }

    pub(super) fn into_parts(self) -> (Vec<FoundLink>, Vec<(u64, SkipReason)>) {
        (self.links, self.skipped)
    }
}

/// Whether a link leads from a narrowed list to a wider one: the same path with no other parameters than the page has, or
/// a folder above it. "Remove" and "Clear all" mean that there.
fn takes_a_choice_away(page: &Address, target: &Address) -> bool {
    if page.host() != target.host() {
        return false;
    }
    let has = |name: &str| page.parameters().any(|(own, _)| own == name);
    let no_others = target.parameters().all(|(name, _)| has(name));
    let above = page.path().strip_prefix(target.path());
    let is_above = above.is_some_and(|rest| target.path().ends_with('/') || rest.starts_with('/'));
    no_others
        && ((page.path() == target.path() && page.query().is_some())
            || (is_above && target.path() != "/"))
}

/// Without white space around it, as the HTML standard strips it.
fn trim(href: &str) -> &str {
    href.trim_matches(|c: char| c.is_ascii_whitespace())
}

/// Hashes a hash as itself.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
