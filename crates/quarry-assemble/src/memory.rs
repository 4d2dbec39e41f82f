//! Evidence in memory: the [`EvidenceStore`] of tests and of small jobs.

use std::collections::BTreeMap;

use quarry_model::{EntityEvidence, Evidence, EvidenceStore, PortError, canonical_address};

/// Site and canonical address.
type Key = (String, String);

/// Evidence in memory, without a bound.
#[derive(Clone, Debug, Default)]
pub struct MemoryEvidence {
    entities: BTreeMap<Key, Vec<Evidence>>,
    /// The key of an address, and that of the entity it belongs to.
    joined: BTreeMap<Key, Key>,
}

impl MemoryEvidence {
    fn push(&mut self, evidence: Evidence) {
        let key = key(&evidence.site, &evidence.entity);
        let key = self.joined.get(&key).cloned().unwrap_or(key);
        self.entities.entry(key).or_default().push(evidence);
    }
}

fn key(site: &str, address: &str) -> Key {
    (site.to_owned(), canonical_address(address).to_owned())
}

impl EvidenceStore for MemoryEvidence {
    fn add(&mut self, evidence: Evidence) -> Result<(), PortError> {
        self.push(evidence);
        Ok(())
    }

    fn forget_site(&mut self, site: &str) -> Result<(), PortError> {
        self.entities.retain(|(own, _), _| own != site);
        Ok(())
    }

    fn join(&mut self, site: &str, from: &str, to: &str) -> Result<(), PortError> {
        let (from, to) = (key(site, from), key(site, to));
        if from != to {
            if let Some(moved) = self.entities.remove(&from) {
                self.entities.entry(to.clone()).or_default().extend(moved);
            }
            self.joined.insert(from, to);
        }
        Ok(())
    }

    fn each_entity(
        &mut self,
        site: Option<&str>,
        visit: &mut dyn FnMut(EntityEvidence) -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        let wanted = self.entities.iter().filter(|((own, _), _)| site.is_none_or(|s| s == own));
        for ((site, _), evidence) in wanted {
            visit(EntityEvidence::new(site, evidence.clone()))?;
        }
        Ok(())
    }
}

impl Extend<Evidence> for MemoryEvidence {
    fn extend<T: IntoIterator<Item = Evidence>>(&mut self, all: T) {
        for evidence in all {
            self.push(evidence);
        }
    }
}

impl FromIterator<Evidence> for MemoryEvidence {
    fn from_iter<T: IntoIterator<Item = Evidence>>(all: T) -> Self {
        let mut store = Self::default();
        store.extend(all);
        store
    }
}
