//! Which titles are the text of a button ("View", "Show") in the list that entities were read from: those that many entities share.

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::{Evidence, EvidenceRole};

/// Entities that share such a text at the least: two things may well have one name.
const MIN_ENTITIES: usize = 5;
/// The same as a share of all entities.
const MIN_SHARE: f64 = 0.05;

/// Texts that name no entity, because too many have them for a title; `entities` is the evidence of each.
pub(crate) fn shared_titles(entities: &[Vec<Evidence>]) -> BTreeSet<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entity in entities {
        let titles = entity.iter().filter(|own| own.role == EvidenceRole::Title);
        let titles: BTreeSet<&str> = titles.map(|own| own.value.as_str()).collect();
        for title in titles {
            *counts.entry(title).or_default() += 1;
        }
    }
    let least = (MIN_SHARE * entities.len() as f64).max(MIN_ENTITIES as f64);
    let shared = counts.into_iter().filter(|(_, count)| *count as f64 >= least);
    shared.map(|(title, _)| title.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use quarry_model::conformance::evidence::evidence;

    use super::*;

    #[test]
    fn the_text_of_a_button_names_no_entity() {
        let entity = |n: usize| {
            let title = |text: &str| Evidence {
                role: EvidenceRole::Title,
                ..evidence("http://h", &format!("/borl/{n}"), "title", text)
            };
            let pair = ["Wex 1".to_owned(), format!("Wex {n}")];
            vec![title("Zib"), title(&pair[usize::from(n > 2)])]
        };
        let entities: Vec<Vec<Evidence>> = (1..=20).map(entity).collect();
        assert_eq!(shared_titles(&entities).into_iter().collect::<Vec<_>>(), ["Zib"]);
        assert!(shared_titles(&entities[..4]).is_empty(), "four may have one name");
    }
}
