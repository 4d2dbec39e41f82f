//! Proposes some links of the seeds and no further: enough to see what kind of site it is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quarry_extract::links::names_action;

use super::{PageView, Proposal};
use crate::Address;

/// Proposes some links of the seeds: the first of each kind of address, then the second of each, and so on,
/// since links of one kind lead to pages of one kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeedLinks {
    left: usize,
}

impl SeedLinks {
    pub(super) fn new(most: usize) -> Self {
        Self { left: most }
    }

    pub(super) fn observe<'a>(
        &mut self,
        page: &PageView<'a>,
        propose: &mut dyn FnMut(Proposal<'a>),
    ) {
        if page.depth > 0 {
            return;
        }
        let links = page.links.iter().filter(|link| !names_action(link.address.as_str()));
        let mut addresses: Vec<&Address> = links.map(|link| &link.address).collect();
        by_turns(&mut addresses);
        for address in addresses {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let address = Cow::Borrowed(address);
            propose(Proposal { address, body: None, depth: 1, priority: 0, is_guess: false });
        }
    }
}

/// Orders addresses so that those of every family take turns; within a family as they stand in the document.
fn by_turns(addresses: &mut [&Address]) {
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    addresses.sort_by_cached_key(|address| {
        let turn = met.entry(family(address.as_str())).or_default();
        *turn += 1;
        *turn
    });
}

/// What addresses of one family share: the folder, whatever its numbers are, and the names of the parameters.
fn family(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let folder = path.trim_end_matches('/').rsplit_once('/').map_or(path, |(folder, _)| folder);
    let folder = if query.is_empty() { folder } else { path };
    let names: Vec<&str> =
        query.split('&').map(|pair| pair.split('=').next().unwrap_or(pair)).collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> =
        folder.split('/').map(|part| if is_number(&part) { "#" } else { part }).collect();
    format!("{}?{}", parts.join("/"), names.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_folders_make_no_family() {
        assert_eq!(family("https://a.example/t/1/gost"), family("https://a.example/t/22/fam"));
        assert_ne!(family("https://a.example/t/1/gost"), family("https://a.example/c/1/gost"));
        assert_ne!(family("https://a.example/t/v1/gost"), family("https://a.example/t/v2/gost"));
    }

    #[test]
    fn families_take_turns() {
        let texts = [
            "https://a.example/t/1",
            "https://a.example/t/2",
            "https://a.example/t/3",
            "https://a.example/all",
            "https://a.example/all?c=1",
            "https://a.example/all?c=2",
        ];
        let known: Vec<Address> =
            texts.iter().map(|text| Address::normalise(text).unwrap()).collect();
        let mut addresses: Vec<&Address> = known.iter().collect();
        by_turns(&mut addresses);
        let order: Vec<&str> = addresses.iter().map(|address| address.as_str()).collect();
        assert_eq!(order, [texts[0], texts[3], texts[4], texts[1], texts[5], texts[2]]);
    }
}
