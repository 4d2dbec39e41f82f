//! Chooses the column of each attribute. Positions and entities are found in turns: an anchor says
//! who the pages are, agreement says where the attributes stand, and these say again who the pages
//! are.

use quarry_dom::Document;

use super::columns::SiteTexts;
use super::evidence::{ColumnEvidence, EvidenceFeatures, NAMES};
use super::lexicon::Lexicon;
use super::link::{Compared, Links};
use super::place::SitePlacement;
use super::result::{MatchConfig, SiteMatch};
use super::seed::{SeedAttributeId, SeedDb};
use super::weights::{NONE, WEIGHTS, score};
use crate::page::hash;
use crate::parallel;

/// Finds the attributes of the seed on the pages of one site. The order of the pages does not matter.
pub fn match_site(
    site: &str,
    documents: &[&Document],
    seeds: &SeedDb,
    config: &MatchConfig,
) -> SiteMatch {
    let order = in_order(documents);
    let documents: Vec<&Document> = order.iter().map(|page| documents[*page]).collect();
    let documents = documents.as_slice();
    let lexicon = Lexicon::of(seeds);
    let texts = SiteTexts::of(documents, &lexicon);
    let compared = Compared::of(&lexicon, &texts, seeds);
    let evidence = ColumnEvidence::of(&compared, seeds, documents);
    let (links, features) = weigh(&compared, &evidence, seeds, config);
    let found =
        SitePlacement { site, documents, seeds, texts: &texts, compared: &compared, links: &links };
    found.result(&evidence, &features, config).renumbered(&order)
}

/// The pages in an order that depends on what they say only: where some of many are looked at, they are the same ones.
fn in_order(documents: &[&Document]) -> Vec<usize> {
    let said = |document: &&Document| {
        let texts = document.all().filter(|node| document.is_text(*node));
        texts.fold(0, |sum, node| hash::then(sum, hash::of(document.text(node))))
    };
    let keys: Vec<u64> = parallel::map(documents, said);
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|page| keys[*page]);
    order
}

/// A position that was weighed for an attribute: for fitting weights and for looking closer.
#[derive(Clone, Debug)]
pub struct ColumnCandidate {
    /// The attribute.
    pub attribute: SeedAttributeId,
    /// The evidence, in the order of [`figure_names`].
    pub features: Vec<f64>,
    /// Page and text, one per page.
    pub cells: Vec<(usize, String)>,
}

/// Names of the features of evidence.
pub fn figure_names() -> &'static [&'static str] {
    &NAMES
}

/// The weights that are built in, in the order of [`figure_names`].
pub fn built_in_weights() -> &'static [f64] {
    &WEIGHTS
}

/// All positions that [`match_site`] weighs in its last round.
pub fn candidates(
    documents: &[&Document],
    seeds: &SeedDb,
    config: &MatchConfig,
) -> Vec<ColumnCandidate> {
    let lexicon = Lexicon::of(seeds);
    let texts = SiteTexts::of(documents, &lexicon);
    let compared = Compared::of(&lexicon, &texts, seeds);
    let evidence = ColumnEvidence::of(&compared, seeds, documents);
    let (_, features) = weigh(&compared, &evidence, seeds, config);
    let mut all = Vec::new();
    for (attribute, features) in (0..).map(SeedAttributeId).zip(&features) {
        for (column, features) in texts.columns.iter().zip(features) {
            let text = |cell: &(u32, u32)| (cell.0 as usize, texts.text(*cell).text.clone());
            let cells = column.cells.iter().map(text).collect();
            all.push(ColumnCandidate { attribute, features: features.to_vec(), cells });
        }
    }
    all
}

/// Links pages and weighs columns in turns.
fn weigh(
    compared: &Compared<'_>,
    evidence: &ColumnEvidence<'_>,
    seeds: &SeedDb,
    config: &MatchConfig,
) -> (Links, Vec<Vec<EvidenceFeatures>>) {
    let mut links: Links = match compared.anchor() {
        Some((attribute, column, _)) => compared.link_by(attribute, column),
        None => vec![Vec::new(); compared.site.pages.len()],
    };
    let all: Vec<SeedAttributeId> = seeds.attribute_ids().collect();
    let mut features: Vec<Vec<EvidenceFeatures>> = Vec::new();
    for round in 0..=config.rounds {
        features = parallel::map(&all, |&attribute| evidence.features(attribute, &links, None));
        if round < config.rounds {
            let placed = anchors(&features, compared.lexicon);
            links = compared.link_by_all(&placed);
        }
    }
    (links, features)
}

/// The best column of each attribute that agrees with the records so far, and how much it tells.
fn anchors(
    features: &[Vec<EvidenceFeatures>],
    lexicon: &Lexicon,
) -> Vec<(SeedAttributeId, usize, f64)> {
    let mut anchors = Vec::new();
    for (attribute, features) in (0..).map(SeedAttributeId).zip(features) {
        let Some((column, best)) = best(features) else { continue };
        let lift = features[column][0];
        let values = lexicon.attributes[attribute.index()].values.len() as f64;
        if best > NONE && lift > 0.1 {
            anchors.push((attribute, column, lift * (1.0 + values).ln()));
        }
    }
    anchors
}

/// The column with the best score.
pub(super) fn best(features: &[EvidenceFeatures]) -> Option<(usize, f64)> {
    let scored = features.iter().map(score).enumerate();
    scored.reduce(|a, b| if b.1 > a.1 { b } else { a })
}
