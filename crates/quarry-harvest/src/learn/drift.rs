//! Tells whether a site has changed its look and whether what was learned anew is right, by the values that are known already.

use std::collections::{BTreeMap, BTreeSet};

use quarry_assemble::ColumnFate;
use quarry_model::{EntityState, Evidence, PortError, TableReader, canonical_address};

/// A new model that confirms less of what is known, in share of what it reads, is doubted.
const CONFIRMS: f64 = 0.5;
/// Columns that are named in a sentence.
const NAMED: usize = 6;

/// What the last harvest knows of some entities: the values of each, by canonical address.
pub(crate) struct KnownValues(BTreeMap<String, BTreeSet<String>>);

impl KnownValues {
    /// What is known of the entities that this evidence is of.
    pub(crate) fn read<'e>(
        tables: &dyn TableReader,
        wanted: impl Iterator<Item = &'e Evidence>,
    ) -> Result<Self, PortError> {
        let wanted: BTreeSet<&str> = wanted.map(|own| canonical_address(&own.entity)).collect();
        let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut add = |entity: &str, value: Option<&str>| {
            let entity = canonical_address(entity);
            if wanted.contains(entity) {
                let values = known.entry(entity.to_owned()).or_default();
                values.extend(value.map(str::to_lowercase));
            }
        };
        tables.each_entity(&mut |row| {
            if row.state != EntityState::Removed {
                add(&row.entity, row.title.as_deref());
            }
            Ok(())
        })?;
        tables.each_value(None, &mut |row| {
            add(&row.entity, Some(&row.value));
            Ok(())
        })?;
        Ok(Self(known))
    }

    /// How much of what was read of known entities is known.
    pub(crate) fn verify(&self, found: &[Evidence]) -> Verified {
        let mut read = BTreeSet::new();
        for found in found {
            let entity = canonical_address(&found.entity);
            if let Some((entity, values)) = self.0.get_key_value(entity) {
                let value = found.value.to_lowercase();
                let is_known = values.contains(&value);
                read.insert((entity, value, is_known));
            }
        }
        let known = read.iter().filter(|(_, _, is_known)| *is_known).count();
        Verified { read: read.len(), known }
    }
}

/// Values of known entities that a model reads, and those among them that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verified {
    pub(crate) read: usize,
    pub(crate) known: usize,
}

impl Verified {
    fn share(self) -> f64 {
        self.known as f64 / self.read.max(1) as f64
    }
}

/// A site that no longer looks as it did.
pub(crate) struct Drift {
    pub(crate) site: String,
    /// Share of the pages that no longer fit.
    pub(crate) share: f64,
    /// What the old model and the one learned anew confirm, on the same pages.
    pub(crate) old: Verified,
    pub(crate) new: Verified,
    /// How well pages fitted with the old model, and with the one that is used now.
    pub(crate) fit: (f64, f64),
}

impl Drift {
    /// Whether the model learned anew is used: it confirms more of what is known.
    pub(crate) fn is_relearned(&self) -> bool {
        self.new.known > self.old.known || (self.old.read == 0 && self.new.read > 0)
    }

    /// Whether the values are in doubt, whichever model is used.
    pub(crate) fn is_doubtful(&self) -> bool {
        let used = if self.is_relearned() { self.new } else { self.old };
        used.share() < CONFIRMS
    }

    /// What happened, in a few lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        let Self { site, share, old, new, fit } = self;
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let mut lines = vec![format!(
            "{site} has changed its look: {} of its pages no longer fit what was learned",
            percent(*share)
        )];
        lines.push(match self.is_relearned() {
            true => format!(
                "learned anew: of {} values read again, {} are known ({}); the old model confirms {}; fit {:.2}, was {:.2}",
                new.read, new.known, percent(new.share()), old.known, fit.1, fit.0
            ),
            false => format!(
                "kept the old model: learned anew, {} values would be confirmed, now {} are",
                new.known, old.known
            ),
        });
        if self.is_doubtful() {
            lines.push(format!(
                "{site}: most values differ from those known; look at report.html before you use them"
            ));
        }
        lines
    }
}

/// Which columns are new, gone, or called otherwise; none if all are as before.
pub(crate) fn columns(fates: &[ColumnFate]) -> Option<String> {
    let (mut gone, mut new, mut renamed) = (Vec::new(), Vec::new(), Vec::new());
    for ColumnFate { before, now } in fates {
        match (before.first(), now.first()) {
            (Some(old), None) => gone.push(old.clone()),
            (None, Some(own)) => new.push(own.clone()),
            (Some(old), Some(own)) if !now.contains(old) => renamed.push(format!("{old} → {own}")),
            _ => {}
        }
    }
    let parts: Vec<String> = [("gone", gone), ("new", new), ("called otherwise", renamed)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| {
            let (first, rest) = names.split_at(names.len().min(NAMED));
            let more =
                if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            format!("{what}: {}{more}", first.join(", "))
        })
        .collect();
    (!parts.is_empty()).then(|| format!("columns {}", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_used_only_if_it_confirms_more() {
        let drift = |old, new| Drift {
            site: "http://shop.test".to_owned(),
            share: 0.9,
            old: Verified { read: 50, known: old },
            new: Verified { read: 50, known: new },
            fit: (0.1, 0.9),
        };
        assert!(drift(5, 48).is_relearned() && !drift(5, 48).is_doubtful());
        assert!(!drift(5, 5).is_relearned() && drift(5, 5).is_doubtful());
        assert!(drift(2, 10).is_relearned() && drift(2, 10).is_doubtful());
        assert_eq!(drift(2, 10).lines().len(), 3);
    }
}
