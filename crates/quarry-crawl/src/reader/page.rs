//! Reads a page: its links, what the strategy needs, and whether it looks like a missing page.

use std::borrow::Cow;
use std::collections::BTreeSet;

use quarry_dom::{Attr, Document, NodeId, Tag};
use quarry_extract::action::LinkMarks;
use quarry_model::{Response, SkipReason};

use super::links::LinkList;
use super::{AnswerReader, Reading};
use crate::Address;
use crate::missing::Signature;
use crate::robots::Rules;
use crate::strategy::{PageFacts, ParsedPage};
use crate::ticket::{Purpose, Ticket};

pub(super) fn read(
    ticket: &Ticket,
    response: &Response,
    address: &Address,
    reader: &AnswerReader,
    reading: &mut Reading,
) {
    let document = if ticket.purpose == Purpose::Page {
        read_links(response, address, &ticket.robots, reader, reading)
    } else {
        parse(response, reader)
    };
    reading.cut = document.cut();
    if ticket.sign || ticket.missing.is_some() {
        let signature = sign(&document, address);
        reading.looks_missing =
            ticket.missing.as_ref().is_some_and(|missing| missing.is_like(&signature));
        reading.signature = ticket.sign.then_some(signature);
    }
}

/// Links of a page that no strategy follows.
#[derive(Debug, Default)]
struct LeftOut {
    /// The page says so.
    everything: bool,
    /// Fingerprints of addresses whose links are written like actions.
    actions: BTreeSet<u64>,
}

/// Reads the links of a page, and what the strategy needs of it.
pub(super) fn read_links(
    response: &Response,
    address: &Address,
    robots: &Rules,
    reader: &AnswerReader,
    reading: &mut Reading,
) -> Document {
    let document = parse(response, reader);
    let mut links = LinkList::new(address.host(), robots, reader, address);
    let follow = collect(&document, response, reader, &mut links);
    let left_out = LeftOut { everything: !follow, actions: links.leave_out_actions() };
    reading.says_nofollow = !follow;
    reading.notice = notice(&document, response);
    reading.refused = links.take_refused();
    (reading.links, reading.skipped) = links.into_parts();
    reading.is_document = true;
    reading.facts = facts_of(&document, response, address, robots, reader, &left_out);
    document
}

/// What the strategy reads from a page whose links are not followed.
pub(super) fn read_facts(
    response: &Response,
    address: &Address,
    robots: &Rules,
    reader: &AnswerReader,
) -> PageFacts {
    let document = parse(response, reader);
    let left_out =
        LeftOut { everything: !may_follow(&document, response, reader), ..LeftOut::default() };
    facts_of(&document, response, address, robots, reader, &left_out)
}

fn facts_of(
    document: &Document,
    response: &Response,
    address: &Address,
    robots: &Rules,
    reader: &AnswerReader,
    left_out: &LeftOut,
) -> PageFacts {
    let judge = |other: &Address| {
        if left_out.everything {
            return Err(SkipReason::Nofollow);
        }
        if !left_out.actions.is_empty() && left_out.actions.contains(&other.fingerprint()) {
            return Err(SkipReason::Unsafe);
        }
        reader.rules.judge_from(other, address.host(), robots)
    };
    let size = response.content().len();
    reader.rules.strategy.read_facts(&ParsedPage { document, address, size, judge: &judge })
}

fn parse(response: &Response, reader: &AnswerReader) -> Document {
    let content_type = response.headers.get("content-type");
    Document::parse(response.content(), content_type, &reader.rules.document)
}

/// Least length of a part of its own address that a page repeats on purpose.
const ECHOED: usize = 4;

fn sign(document: &Document, address: &Address) -> Signature {
    let title = document.elements(Tag::TITLE).next();
    // A title is never shown in the page, so `folded_text` leaves it out.
    let title = title.map_or(Cow::Borrowed(""), |node| document.text_content(node));
    let text = document.folded_text(NodeId::ROOT);
    // A page for what is missing likes to repeat what was asked for.
    let last = address.segments().last().unwrap_or_default();
    let asked = [address.as_str(), address.path_and_query(), address.path(), last];
    let without = |text: Cow<'_, str>| {
        asked
            .iter()
            .filter(|part| part.len() >= ECHOED)
            .fold(text.into_owned(), |text, part| text.replace(part, " "))
    };
    Signature::new(&without(title), &without(text))
}

/// Longest notice that is kept, in bytes.
const MAX_NOTICE_BYTES: usize = 300;

/// What a page says to robots in `X-Robots-Tag` and meta robots, unless it only says that all is well.
fn notice(document: &Document, response: &Response) -> Option<String> {
    let tags = response.headers.all("x-robots-tag").map(|value| format!("X-Robots-Tag: {value}"));
    let metas = document.elements(Tag::META).filter_map(|node| {
        let name = document.known_attr(node, Attr::NAME)?.trim();
        let content = document.known_attr(node, Attr::CONTENT)?;
        name.eq_ignore_ascii_case("robots").then(|| format!("meta robots: {content}"))
    });
    // `index, follow, max-snippet:-1` allows; a rule that denies has a no in it.
    let denies = |line: &String| {
        let line = line.to_ascii_lowercase();
        line.split([',', ' ', ':']).any(|rule| rule.starts_with("no"))
    };
    let lines: Vec<String> = tags
        .chain(metas)
        .filter(|line| line.len() <= MAX_NOTICE_BYTES && denies(line))
        .take(4)
        .collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// Whether the links of a page may be followed, as far as the page itself says.
fn may_follow(document: &Document, response: &Response, reader: &AnswerReader) -> bool {
    let product = &reader.rules.product;
    !reader.rules.obey_page_nofollow
        || !(says_nofollow(response, product)
            || document.elements(Tag::META).any(|node| is_nofollow_meta(document, node, product)))
}

/// Gives every link of the document to the list, in document order. Says whether the page lets them be followed.
fn collect(
    document: &Document,
    response: &Response,
    reader: &AnswerReader,
    links: &mut LinkList<'_>,
) -> bool {
    let follow = may_follow(document, response, reader);
    let mut based = false;
    let mut found: Vec<(NodeId, &str, bool)> = Vec::new();
    for node in document.all() {
        let Some(tag) = document.tag(node) else { continue };
        let link = match tag {
            Tag::A | Tag::AREA => document.known_attr(node, Attr::HREF),
            Tag::IFRAME | Tag::FRAME => document.known_attr(node, Attr::SRC),
            Tag::LINK if leads_on(rel(document, node)) => document.known_attr(node, Attr::HREF),
            Tag::META => refresh_target(document, node),
            Tag::BASE if !based => {
                if let Some(href) = document.known_attr(node, Attr::HREF) {
                    links.set_base(href);
                    based = true;
                }
                None
            }
            _ => None,
        };
        if let Some(href) = link {
            let marked = !reader.rules.follow_nofollow
                && rel(document, node).split_ascii_whitespace().any(is_nofollow);
            found.push((node, href, !marked));
        }
    }
    for (node, href, allowed) in found {
        match document.tag(node) {
            _ if !follow || !allowed => links.add_forbidden(href),
            Some(Tag::A | Tag::AREA) => links.add_marked(href, &LinkMarks::of(document, node)),
            _ => links.add(href),
        }
    }
    follow
}

fn rel(document: &Document, node: NodeId) -> &str {
    document.known_attr(node, Attr::REL).unwrap_or_default()
}

/// `<link>` elements that name pages: the same page's own address, and its neighbours in a series.
fn leads_on(rel: &str) -> bool {
    rel.split_ascii_whitespace().any(|token| {
        ["canonical", "next", "prev"].iter().any(|known| token.eq_ignore_ascii_case(known))
    })
}

fn is_nofollow(token: &str) -> bool {
    let token = token.trim();
    token.eq_ignore_ascii_case("nofollow") || token.eq_ignore_ascii_case("none")
}

/// `<meta name=robots content="noindex, nofollow">`, also addressed to us by product token.
fn is_nofollow_meta(document: &Document, node: NodeId, product: &str) -> bool {
    let name = document.known_attr(node, Attr::NAME).unwrap_or_default().trim();
    (name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(product))
        && document
            .known_attr(node, Attr::CONTENT)
            .is_some_and(|content| content.split([',', ' ']).any(is_nofollow))
}

/// `X-Robots-Tag: nofollow`, for everyone or addressed to us.
fn says_nofollow(response: &Response, product: &str) -> bool {
    response.headers.all("x-robots-tag").any(|value| {
        let value = match value.split_once(':') {
            Some((agent, rest)) if agent.trim().eq_ignore_ascii_case(product) => rest,
            // `unavailable_after: date` and what is addressed to others.
            Some(_) => return false,
            None => value,
        };
        value.split(',').any(is_nofollow)
    })
}

/// `<meta http-equiv=refresh content="0; url=/next">`
fn refresh_target(document: &Document, node: NodeId) -> Option<&str> {
    let equiv = document.attr(node, "http-equiv")?;
    if !equiv.trim().eq_ignore_ascii_case("refresh") {
        return None;
    }
    let content = document.known_attr(node, Attr::CONTENT)?;
    let (_, target) = content.split_once([';', ','])?;
    let target = target.trim_start();
    let target = match target.get(..3) {
        Some(head) if head.eq_ignore_ascii_case("url") => {
            target[3..].trim_start().strip_prefix('=')?.trim()
        }
        _ => target.trim(),
    };
    let quote = target.chars().next().filter(|c| matches!(c, '"' | '\''));
    Some(match quote {
        Some(quote) => target[1..].split(quote).next().unwrap_or_default(),
        None => target,
    })
}
