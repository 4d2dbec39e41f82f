//! Notices groups of addresses that only set a cookie and lead back to the page that linked to them, as links do that
//! change something (add to a list, switch a setting) and return. What such a request did is done; further ones of the group are not sent.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::Address;

/// Requests of a group that led back, with none that led elsewhere, after which the group is left alone. One may be
/// a session that begins, two an accident.
const MIN_BOUNCED: u32 = 3;
/// Most groups that are remembered; sites have a few hundred.
const MAX_GROUPS: usize = 50_000;

/// What became of the requests of each group: led back, led elsewhere.
#[derive(Debug, Default)]
pub(super) struct Bounced {
    groups: BTreeMap<u64, (u32, u32)>,
}

impl Bounced {
    /// Records where a request led.
    pub(super) fn record(&mut self, address: &Address, led_back: bool) {
        let group = group_of(address);
        if self.groups.len() >= MAX_GROUPS && !self.groups.contains_key(&group) {
            return;
        }
        let (back, elsewhere) = self.groups.entry(group).or_default();
        if led_back { *back += 1 } else { *elsewhere += 1 }
    }

    /// Whether the requests of the address's group have only led back.
    pub(super) fn only_lead_back(&self, address: &Address) -> bool {
        let seen = self.groups.get(&group_of(address));
        seen.is_some_and(|&(back, elsewhere)| back >= MIN_BOUNCED && elsewhere == 0)
    }
}

/// Addresses with the same host, the same path but for numbers, and the same names of parameters are a group.
fn group_of(address: &Address) -> u64 {
    let mut shape = String::with_capacity(address.as_str().len());
    shape.push_str(address.host());
    for c in address.path().chars().filter(|c| !c.is_ascii_digit()) {
        shape.push(c);
    }
    let mut names: Vec<&str> = address.parameters().map(|(name, _)| name).collect();
    names.sort_unstable();
    for name in names {
        shape.push('&');
        shape.push_str(name);
    }
    xxh3_64(shape.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_only_leads_back_is_left_alone() {
        let address = |text: &str| Address::normalise(text).unwrap();
        let mut bounced = Bounced::default();
        for n in 0..3 {
            assert!(!bounced.only_lead_back(&address("http://a.example/keep/9?x=1")));
            bounced.record(&address(&format!("http://a.example/keep/{n}?x={n}")), true);
        }
        assert!(bounced.only_lead_back(&address("http://a.example/keep/9?x=1")));
        assert!(!bounced.only_lead_back(&address("http://a.example/keep/9?y=1")));
        assert!(!bounced.only_lead_back(&address("http://a.example/item/9?x=1")));
        bounced.record(&address("http://a.example/keep/7?x=7"), false);
        assert!(!bounced.only_lead_back(&address("http://a.example/keep/9?x=1")));
    }
}
