//! Recognises addresses of the same entity. Parts of an entity's address that say from which list it was
//! reached, and do not change what is shown, are not part of its identity.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use url::Url;

/// The parts of entity addresses that depend on the referring list, as learned on one site.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EntityIdentity {
    /// Names of address parameters that carry the referring list.
    pub(crate) parameters: BTreeSet<String>,
    /// Paths of lists that stand before the entity's own part of the path, and what stands there in
    /// the address of the same entity elsewhere.
    pub(crate) folders: BTreeMap<String, String>,
}

impl EntityIdentity {
    /// Whether every address is an identity of its own.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.folders.is_empty()
    }

    /// Adds what was learned elsewhere on the site.
    pub fn extend(&mut self, other: &Self) {
        self.parameters.extend(other.parameters.iter().cloned());
        let folders = other.folders.iter();
        self.folders.extend(folders.map(|(from, to)| (from.clone(), to.clone())));
    }

    /// Names of address parameters that carry the referring list.
    #[must_use]
    pub fn parameters(&self) -> &BTreeSet<String> {
        &self.parameters
    }

    /// The address of an entity without what says from where it was reached.
    #[must_use]
    pub fn canonical<'a>(&self, address: &'a str) -> Cow<'a, str> {
        if self.is_empty() {
            return Cow::Borrowed(address);
        }
        let Ok(mut url) = Url::parse(address) else { return Cow::Borrowed(address) };
        let mut changed = false;
        if url.query_pairs().any(|(name, _)| self.parameters.contains(&*name)) {
            remove_parameters(&mut url, &self.parameters);
            changed = true;
        }
        if let Some((folder, entity)) = url.path().trim_end_matches('/').rsplit_once('/')
            && let Some(other) = self.folders.get(folder)
        {
            let slash = if url.path().ends_with('/') { "/" } else { "" };
            let path = format!("{other}/{entity}{slash}");
            url.set_path(&path);
            changed = true;
        }
        if changed { Cow::Owned(url.into()) } else { Cow::Borrowed(address) }
    }
}

/// Takes parameters out of an address, and leaves the spelling of the others as it is.
pub(crate) fn remove_parameters(url: &mut Url, names: &BTreeSet<String>) {
    let Some(query) = url.query() else { return };
    let keeps = |pair: &&str| {
        let name = url::form_urlencoded::parse(pair.as_bytes()).next();
        name.is_none_or(|(name, _)| !names.contains(&*name))
    };
    let kept: Vec<&str> = query.split('&').filter(keeps).collect();
    let kept = kept.join("&");
    url.set_query((!kept.is_empty()).then_some(kept.as_str()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_referring_list_adds_is_left_out() {
        let identity = EntityIdentity {
            parameters: BTreeSet::from(["from".to_owned()]),
            folders: BTreeMap::from([("/red".to_owned(), "/item".to_owned())]),
        };
        let check = |address: &str, expect: &str| {
            assert_eq!(
                identity.canonical(&format!("http://a.test{address}")),
                format!("http://a.test{expect}")
            );
        };
        check("/item/5?from=a%3Db&x=%20", "/item/5?x=%20");
        check("/item/5?from=a", "/item/5");
        check("/red/5", "/item/5");
        check("/red/5/", "/item/5/");
        check("/blue/5", "/blue/5");
        let none = EntityIdentity::default();
        assert_eq!(none.canonical("http://a.test/item/5?from=a"), "http://a.test/item/5?from=a");
    }
}
