//! Decides what collections lead to, by what their sampled pages turned out to be, and revises that when
//! more of the site is known.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::PageKind;

use super::IndexSettings;
use super::collection::{LinkPosition, Role, Verdict};
use super::judge::Template;
use super::walk::Walk;

impl Walk {
    /// Reads pages again that were taken for targets and are not, now that more of the site is known:
    /// the first category page may list nothing but categories.
    pub(super) fn reconsider(&mut self, settings: &IndexSettings) {
        for (asked, via, page, kind) in self.samples.judged_again() {
            if kind != PageKind::Entity && self.roles.get(&asked) == Some(&Role::Target) {
                self.counts.targets -= 1;
                let role = self.read_member(&page, via, kind, settings);
                self.roles.insert(asked, role);
                self.templates.remove(&via);
            }
        }
        for at in 0..self.collections.list.len() {
            let collection = &self.collections.list[at];
            let roles = collection.roles(&self.roles);
            let targets = roles.iter().filter(|role| **role == Role::Target).count();
            let others = roles.iter().filter(|role| matches!(role, Role::Index { .. } | Role::Hub));
            if collection.verdict == Verdict::Targets && others.count() > targets {
                let kind = collection.key.address.clone();
                self.target_kinds.remove(&kind);
                self.main_template = None;
                for other in &mut self.collections.list {
                    if other.key.address == kind && other.verdict == Verdict::Targets {
                        other.verdict = Verdict::Unknown;
                    }
                }
            }
        }
    }

    /// Decides what unknown collections lead to, as far as their sampled pages show it.
    pub(super) fn judge(&mut self, settings: &IndexSettings) {
        let mixed = self.kinds_of_indexes();
        for at in 0..self.collections.list.len() {
            let collection = &self.collections.list[at];
            if collection.verdict != Verdict::Unknown {
                continue;
            }
            if self.target_kinds.contains(&collection.key.address) {
                self.collections.list[at].verdict = Verdict::Targets;
                continue;
            }
            let roles = collection.roles(&self.roles);
            let count =
                |wanted: fn(&Role) -> bool| roles.iter().filter(|role| wanted(role)).count();
            let fresh = count(|role| matches!(role, Role::Index { fresh: true }));
            let indexes = count(|role| matches!(role, Role::Index { .. }));
            let targets = count(|role| *role == Role::Target);
            let hubs = count(|role| *role == Role::Hub);
            let looked = roles.len();
            let enough = looked >= settings.samples || looked == collection.links.len();
            let category = indexes > 0 || (targets > 0 && mixed.contains(&collection.key.address));
            if fresh > 0 || (category && collection.position != LinkPosition::BesideList) {
                self.collections.mark_as_indexes(Some(at));
            } else if targets > 0 && enough {
                self.judge_target_collection(at);
            } else if enough && hubs == 0 {
                self.collections.list[at].verdict = Verdict::Nothing;
            }
        }
    }

    /// Kinds of addresses that more indexes than targets have, over all collections.
    fn kinds_of_indexes(&self) -> BTreeSet<String> {
        let mut counts: BTreeMap<&String, (usize, usize)> = BTreeMap::new();
        for collection in &self.collections.list {
            let count = counts.entry(&collection.key.address).or_default();
            for role in collection.roles(&self.roles) {
                count.0 += usize::from(matches!(role, Role::Index { .. }));
                count.1 += usize::from(role == Role::Target);
            }
        }
        let indexes = counts.into_iter().filter(|(_, (indexes, targets))| indexes > targets);
        indexes.map(|(kind, _)| kind.clone()).collect()
    }

    /// Decides whether the pages of a collection, which are about one thing each, are wanted.
    fn judge_target_collection(&mut self, at: usize) {
        let Some(template) = self.templates.get(&at).cloned() else {
            // Its pages were reached through another collection.
            self.collections.list[at].verdict = Verdict::Targets;
            return;
        };
        if !self.is_wanted(&template) {
            self.reject_targets(at);
            return;
        }
        if self.main_template.as_ref().is_none_or(|main| template.has_price && !main.has_price) {
            self.main_template = Some(template);
            self.reject_unlike_main();
        }
        let collection = &mut self.collections.list[at];
        collection.verdict = Verdict::Targets;
        let kind = collection.key.address.clone();
        let parent = collection.parent;
        self.collections.mark_as_indexes(parent);
        let leads_on = |verdict: Verdict| verdict == Verdict::Indexes;
        let shared =
            self.collections.list.iter().any(|c| c.key.address == kind && leads_on(c.verdict));
        let vague = kind.contains("//") && kind.ends_with('?');
        if self.category.is_none() && !shared && !vague {
            self.target_kinds.insert(kind);
        }
    }

    /// Whether pages with this template are wanted: products have a price, or the template of those
    /// that have one; articles have neither.
    fn is_wanted(&self, template: &Template) -> bool {
        let main = self.main_template.as_ref();
        main.is_none_or(|main| template.has_price || !main.has_price || main.is_similar(template))
    }

    /// Rejects collections that were taken for targets before the first product was found.
    fn reject_unlike_main(&mut self) {
        for at in 0..self.collections.list.len() {
            let template = self.templates.get(&at);
            if self.collections.list[at].verdict == Verdict::Targets
                && template.is_some_and(|template| !self.is_wanted(template))
            {
                self.reject_targets(at);
            }
        }
    }

    /// Rejects a collection whose pages are about one thing each, but not about what is wanted.
    fn reject_targets(&mut self, at: usize) {
        let kind = self.collections.list[at].key.address.clone();
        self.target_kinds.remove(&kind);
        for (other, collection) in self.collections.list.iter_mut().enumerate() {
            let unproved = collection.key.address == kind && !self.templates.contains_key(&other);
            if other == at || (unproved && collection.verdict == Verdict::Targets) {
                collection.verdict = Verdict::Nothing;
            }
        }
        // Counted as one useless page, however many were read.
        self.counts.useless += 1;
        for link in &self.collections.list[at].links {
            if let Some(role) = self.roles.get_mut(&link.address)
                && *role == Role::Target
            {
                *role = Role::Leaf;
                self.counts.targets -= 1;
            }
        }
    }
}
