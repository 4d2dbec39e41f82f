//! Groups of hosts that keep the pause together: those of one registered domain, those at one IP address. The frontier says which they are.

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::Timestamp;

use super::Engine;
use crate::host::{GroupId, HostId};

/// Out of turn, a host may be asked so many times before another one that waits for several groups at once; then these wait for it.
const MAX_PASSED_OVER: u32 = 2;

/// Hosts that are asked as if they were one.
#[derive(Debug, Default)]
struct PaceGroup {
    not_before: Timestamp,
    in_flight: u32,
    hosts: BTreeSet<HostId>,
    /// The host that has the next turn: it was passed over.
    reserved: Option<HostId>,
}

/// All groups that the frontier has named.
#[derive(Debug, Default)]
pub(super) struct PaceGroups {
    groups: Vec<PaceGroup>,
    names: BTreeMap<String, GroupId>,
}

impl PaceGroups {
    /// Puts a host into groups, and out of those that it was in.
    fn join(&mut self, host: HostId, old: &[GroupId], names: &[String]) -> Vec<GroupId> {
        for group in old {
            self.groups[group.0 as usize].hosts.remove(&host);
        }
        let mut joined = Vec::with_capacity(names.len());
        for name in names {
            let id = match self.names.get(name) {
                Some(id) => *id,
                None => {
                    let id = GroupId(self.groups.len() as u32);
                    self.groups.push(PaceGroup::default());
                    self.names.insert(name.clone(), id);
                    id
                }
            };
            self.groups[id.0 as usize].hosts.insert(host);
            joined.push(id);
        }
        joined
    }

    /// When a host of these groups that is due then may be asked; not at all, while so many requests to its groups are in flight.
    pub(super) fn due(
        &self,
        host: HostId,
        own: &[GroupId],
        due: Timestamp,
        width: u32,
    ) -> Option<Timestamp> {
        own.iter().map(|id| &self.groups[id.0 as usize]).try_fold(due, |due, group| {
            let is_open = group.reserved.is_none_or(|other| other == host);
            (is_open && group.in_flight < width).then(|| due.max(group.not_before))
        })
    }

    /// Has the groups of a host wait for it, unless they wait for another one already.
    fn reserve(&mut self, host: HostId, own: &[GroupId]) {
        if own.iter().all(|id| self.groups[id.0 as usize].reserved.is_none()) {
            own.iter().for_each(|id| self.groups[id.0 as usize].reserved = Some(host));
        }
    }

    /// The groups of a host need not wait for it any more.
    fn release(&mut self, host: HostId, own: &[GroupId]) {
        for id in own {
            let group = &mut self.groups[id.0 as usize];
            group.reserved = group.reserved.filter(|other| *other != host);
        }
    }

    /// A request to a host of these groups goes out.
    pub(super) fn asked(&mut self, own: &[GroupId], not_before: Timestamp) {
        for id in own {
            let group = &mut self.groups[id.0 as usize];
            group.in_flight += 1;
            group.not_before = group.not_before.max(not_before);
        }
    }

    /// Its answer has come.
    pub(super) fn answered(&mut self, own: &[GroupId], not_before: Timestamp) {
        for id in own {
            let group = &mut self.groups[id.0 as usize];
            group.in_flight = group.in_flight.saturating_sub(1);
            group.not_before = group.not_before.max(not_before);
        }
    }

    /// The other hosts of a host's groups.
    fn others(&self, id: HostId, own: &[GroupId]) -> BTreeSet<HostId> {
        let hosts = own.iter().flat_map(|group| &self.groups[group.0 as usize].hosts);
        hosts.copied().filter(|other| *other != id).collect()
    }
}

impl Engine {
    /// Puts a host into the groups that the frontier names.
    pub(super) fn join_groups(&mut self, id: HostId, names: &[String]) {
        let old = std::mem::take(&mut self.hosts[id.0 as usize].groups);
        self.groups.release(id, &old);
        self.hosts[id.0 as usize].groups = self.groups.join(id, &old, names);
    }

    /// Notes that a host is asked now, perhaps before others of its groups whose turn it was: they were not free of another group.
    pub(super) fn take_turn(&mut self, id: HostId, now: Timestamp) {
        let (last, own) =
            (self.hosts[id.0 as usize].last_ticket, self.hosts[id.0 as usize].groups.clone());
        self.groups.release(id, &own);
        for other in self.groups.others(id, &own) {
            let host = &mut self.hosts[other.0 as usize];
            let due = host.due(&self.settings.politeness, &self.settings.retry);
            if (host.last_ticket, other) < (last, id) && due.is_some_and(|due| due <= now) {
                host.passed_over += 1;
                if host.passed_over >= MAX_PASSED_OVER {
                    self.groups.reserve(other, &host.groups);
                }
            }
        }
        let host = &mut self.hosts[id.0 as usize];
        (host.last_ticket, host.passed_over) = (self.tickets, 0);
    }

    /// Puts a host, and those that share a pause with it, where they now belong in the schedule. Of these the one that was asked longest
    /// ago has the first turn.
    pub(super) fn plan_groups(&mut self, id: HostId) {
        let host = &self.hosts[id.0 as usize];
        if host.groups.is_empty() {
            return self.plan(id);
        }
        if host.due(&self.settings.politeness, &self.settings.retry).is_none() {
            // It has nothing to ask, or an answer is still to come.
            self.groups.release(id, &host.groups);
        }
        let mut hosts = self.groups.others(id, &host.groups);
        hosts.insert(id);
        hosts.into_iter().for_each(|own| self.plan(own));
    }
}
