//! Training samples of the detectors. The kinds of tags and the high-frequency texts of a site's
//! records, with their features and where they occur, for whoever has labels.

use quarry_dom::NodeId;

use super::corpus::{corpus, forests};
use super::decorative::{TagSample, tag_samples};
use super::forest::RecordInput;
use super::mine::TemplateConfig;
use super::places::{StringAt, cues_of, groups, members_of, occupied};
use super::texts::{TextSample, text_samples};

/// A kind of tag and the elements of that kind.
#[derive(Clone, Debug)]
pub struct TagExample {
    /// Features.
    pub sample: TagSample,
    /// The page of each occurrence, as an address of its document, and the element.
    pub nodes: Vec<(usize, NodeId)>,
}

/// A high-frequency text and the strings that it was found among.
#[derive(Clone, Debug)]
pub struct TextExample {
    /// Features.
    pub sample: TextSample,
    /// The strings of its group: the page's number, their text nodes, their text.
    pub strings: Vec<(usize, Vec<NodeId>, String)>,
}

/// The kinds of tags of a site's records. `page_of` numbers the page of each record.
pub fn tag_examples(
    records: &[RecordInput<'_>],
    pages: &[&quarry_dom::Document],
) -> Vec<TagExample> {
    let (forests, _) = forests(records);
    let page = |document: &quarry_dom::Document| {
        pages.iter().position(|page| std::ptr::eq(*page, document)).unwrap_or(0)
    };
    tag_samples(&forests)
        .into_iter()
        .map(|sample| {
            let nodes = sample.occurrences.iter().map(|&(record, item)| {
                (page(forests[record].document), forests[record].items[item].node)
            });
            TagExample { nodes: nodes.collect(), sample: sample.clone() }
        })
        .collect()
}

/// The high-frequency texts of a site's records, after decorative tags were removed.
pub fn text_examples(
    records: &[RecordInput<'_>],
    pages: &[&quarry_dom::Document],
    config: &TemplateConfig,
) -> Vec<TextExample> {
    let corpus = corpus(records, config);
    let places = occupied(&corpus, &cues_of(&corpus));
    let group_of = groups(&corpus, &places);
    let page = |document: &quarry_dom::Document| {
        pages.iter().position(|page| std::ptr::eq(*page, document)).unwrap_or(0)
    };
    let mut examples = Vec::new();
    for members in members_of(&places, &group_of) {
        let string = |&(record, string): &StringAt| &corpus.strings[record].strings[string];
        let texts: Vec<&str> = members.iter().map(|member| string(member).text.as_str()).collect();
        let strings: Vec<(usize, Vec<NodeId>, String)> = members
            .iter()
            .map(|member| {
                let page = page(corpus.forests[member.0].document);
                (page, string(member).nodes.clone(), string(member).text.clone())
            })
            .collect();
        for sample in text_samples(&texts) {
            examples.push(TextExample { sample, strings: strings.clone() });
        }
    }
    examples
}
