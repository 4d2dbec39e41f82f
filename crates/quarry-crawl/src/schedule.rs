//! The order of hosts: by when they may be asked; of those due at the same moment, the
//! one that was asked longest ago. O(log hosts).

use std::collections::BTreeSet;

use quarry_model::Timestamp;

use crate::host::{Host, HostId};

/// The hosts that have something to ask and room to ask it.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    places: BTreeSet<(Timestamp, u64, HostId)>,
    turns: u64,
}

impl Schedule {
    /// Puts a host where it now belongs, or nowhere.
    pub(crate) fn plan(&mut self, id: HostId, host: &mut Host, due: Option<Timestamp>) {
        match (host.place, due) {
            (Some((at, turn)), Some(due))
                if at == due && (host.groups.is_empty() || turn == host.last_ticket) =>
            {
                return;
            }
            (Some((at, turn)), _) => {
                self.places.remove(&(at, turn, id));
                host.place = None;
            }
            (None, _) => {}
        }
        if let Some(due) = due {
            self.turns += 1;
            // Hosts that share a pause are planned together, again and again: their order must not depend on that.
            let turn = if host.groups.is_empty() { self.turns } else { host.last_ticket };
            host.place = Some((due, turn));
            self.places.insert((due, turn, id));
        }
    }

    /// How many hosts can be asked now or later.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The first in order, with the moment when it may be asked.
    pub(crate) fn first(&self) -> Option<(Timestamp, HostId)> {
        self.places.first().map(|(due, _, id)| (*due, *id))
    }

    /// Takes a host out, so that it goes to the end of those due at the same moment.
    pub(crate) fn take(&mut self, id: HostId, host: &mut Host) {
        self.plan(id, host, None);
    }
}
