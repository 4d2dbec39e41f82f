//! Judges an address: whether requesting it could change something on the site.
//!
//! 1. Path and query are cut into parts, decoded and looked up ([`Part`]).
//! 2. A token against forged requests (`_wpnonce`, `sesskey`) marks a request that changes something,
//!    in every language.
//! 3. A verb that acts on its own (log out, delete, vote) counts as a whole part of the path, as the
//!    name of a parameter, or as the value of one that names an action.
//! 4. Other verbs (add, update, like, report) count together with an object: `/cart/add`,
//!    `?controller=cart&add=1`, `/comment/5/report`.
//!
//! A title is not taken for an action: `/how-to-delete-a-file` has words that are no part of one, and
//! `/films/delete` stands directly below the name of a collection, with nothing that could be deleted.

use super::lexicon::{ACT, DROP, LEAVE, OBJECT, PUT};
use super::names::{
    ACTION_PARAMETERS, COLLECTIONS, DATA_PARAMETERS, FORGERY_TOKENS, NOUNISH, READING, SCRIPTS,
    SHORT_ACTION_PARAMETERS, SOCIAL,
};
use super::part::{Part, decode};

/// A part of the path or a parameter that says what following the link does.
pub(super) struct ActionWord {
    /// As it stands in the address, decoded.
    pub(super) word: String,
    /// A token against forged requests, not a word.
    pub(super) is_token: bool,
}

/// An address, looked up.
pub(super) struct Parts {
    /// Segments of the path, those with marks inside (`Special:Logout`) cut there.
    path: Vec<(String, Part)>,
    parameters: Vec<Parameter>,
    has_script: bool,
}

struct Parameter {
    name: String,
    name_part: Part,
    values: Vec<(String, Part)>,
    value: String,
}

/// Longest path and query that are looked up part by part; no link is longer that may be requested.
const MAX_PARTS: usize = 64;

impl Parts {
    pub(super) fn of(path: &str, query: Option<&str>) -> Self {
        let mut parts = Self { path: Vec::new(), parameters: Vec::new(), has_script: false };
        for segment in path.split('/').filter(|segment| !segment.is_empty()).take(MAX_PARTS) {
            let text = decode(segment);
            let stem = match text.rsplit_once('.') {
                Some((stem, ending)) if ending.len() <= 6 && !stem.is_empty() => {
                    parts.has_script |=
                        SCRIPTS.iter().any(|known| ending.eq_ignore_ascii_case(known));
                    stem
                }
                _ => &text,
            };
            parts.path.extend(cut(stem, |c| {
                matches!(c, ',' | ';' | ':' | '=' | '|' | '!' | '$' | '@' | '/' | '&')
            }));
        }
        let query = query.unwrap_or_default();
        for parameter in query.split(['&', ';']).filter(|part| !part.is_empty()).take(MAX_PARTS) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let (name, value) = (decode(name).into_owned(), decode(value).into_owned());
            parts.parameters.push(Parameter {
                name_part: Part::of(&name),
                values: cut(&value, |c| {
                    matches!(c, '/' | '.' | ':' | ',' | '|' | '!' | ';' | '\\' | '@')
                })
                .collect(),
                name,
                value,
            });
        }
        parts
    }

    /// What in the address says that requesting it could change something.
    pub(super) fn find(&self) -> Option<ActionWord> {
        self.find_token().or_else(|| self.find_in_path()).or_else(|| self.find_in_parameters())
    }

    fn find_token(&self) -> Option<ActionWord> {
        let is_token = |parameter: &&Parameter| {
            let name = parameter.name_part.folded.as_str();
            // Joomla's are a random name with the value 1.
            let is_random = parameter.value == "1"
                && parameter.name.len() == 32
                && parameter.name.bytes().all(|byte| byte.is_ascii_hexdigit());
            FORGERY_TOKENS.contains(&name) || is_random
        };
        let found = self.parameters.iter().find(is_token)?;
        Some(ActionWord { word: found.name.clone(), is_token: true })
    }

    fn find_in_path(&self) -> Option<ActionWord> {
        let object = self.has_object();
        for (at, (text, part)) in self.path.iter().enumerate() {
            let leaves = (self.is_program_name(part) && part.begins_with(LEAVE))
                || (part.ends_with(LEAVE) && (self.is_program_name(part) || part.words() == 2));
            if part.is_only(LEAVE) && !self.is_title(at, true)
                || leaves && !self.is_title(at, false)
            {
                return Some(ActionWord::of(text));
            }
            let acts = part.is_only(DROP)
                || part.joins_verb_and_object()
                || part
                    .known
                    .is_some_and(|known| known & (LEAVE | DROP) != 0 && part.known_words > 1)
                || (self.is_program_name(part)
                    && (part.begins_with(DROP) || part.ends_with(DROP) && part.words() == 2));
            if acts && !self.is_title(at, false) {
                return Some(ActionWord::of(text));
            }
            if part.is_only(PUT) && object {
                return Some(ActionWord::of(text));
            }
            if part.is_only(ACT) && self.acts_on_object(at) {
                return Some(ActionWord::of(text));
            }
        }
        None
    }

    fn find_in_parameters(&self) -> Option<ActionWord> {
        let object = self.has_object();
        for parameter in &self.parameters {
            let Parameter { name, name_part, values, value } = parameter;
            let folded = name_part.folded.as_str();
            let is_data =
                DATA_PARAMETERS.contains(&folded) || name.len() == 1 && !is_short_action(name);
            let number = values.iter().any(|(_, part)| part.is_id);
            let by_name = name_part.is_only(LEAVE | DROP)
                || name_part.joins_verb_and_object()
                || (name_part.is_only(PUT) && (object || number))
                || (folded == "add" && !matches!(value.as_str(), "" | "0" | "no" | "false"))
                || (SOCIAL.contains(&folded) && folded != "bookmark" && number);
            if by_name && !is_data {
                return Some(ActionWord::of(name));
            }
            // A wiki's own pages stand in the title: `title=Special:UserLogout`.
            let is_special = |(_, part): &(String, Part)| part.is(LEAVE) || part.ends_with(LEAVE);
            if folded == "title" && values.len() > 1 && values[1..].iter().any(is_special) {
                return Some(ActionWord::of(value));
            }
            if is_data {
                continue;
            }
            let names_action = ACTION_PARAMETERS.contains(&folded) || is_short_action(name);
            let strong = values.iter().any(|(_, part)| {
                part.is_only(LEAVE | DROP)
                    || part.joins_verb_and_object()
                    || (names_action
                        && (part.begins_with(LEAVE | DROP | PUT) || part.ends_with(LEAVE | DROP)))
            });
            let weak = names_action
                && match values.as_slice() {
                    [(_, only)] => only.is_only(PUT | ACT) || is_nounish(only),
                    many => {
                        many.iter().any(|(_, part)| part.is_only(PUT) && object)
                            || many
                                .windows(2)
                                .any(|pair| pair[0].1.is(OBJECT) && pair[1].1.is_only(ACT))
                            || many.last().is_some_and(|(_, part)| part.is_only(PUT))
                    }
                };
            if strong || weak {
                return Some(ActionWord::of(value));
            }
        }
        None
    }

    /// Whether a part of the path or a parameter is an object that is acted on.
    fn has_object(&self) -> bool {
        let is_object = |part: &Part| part.is_only(OBJECT) && part.known_words == 1;
        self.path.iter().any(|(_, part)| is_object(part))
            || self.parameters.iter().any(|parameter| {
                is_object(&parameter.name_part)
                    || (!DATA_PARAMETERS.contains(&parameter.name_part.folded.as_str())
                        && parameter.values.iter().any(|(_, part)| is_object(part)))
            })
    }

    /// Whether the verb at this place of the path stands behind an object, with a number beside it.
    fn acts_on_object(&self, at: usize) -> bool {
        let is_id = |at: usize| self.path.get(at).is_some_and(|(_, part)| part.is_id);
        let is_object = |at: usize| self.path.get(at).is_some_and(|(_, part)| part.is(OBJECT));
        let by_parameter =
            || self.parameters.iter().any(|p| p.values.iter().any(|(_, part)| part.is_id));
        let beside = at > 0 && is_id(at - 1) || is_id(at + 1);
        let word = self.path[at].1.folded.as_str();
        (at > 0 && is_object(at - 1) && (is_id(at + 1) || by_parameter()))
            || (at > 1 && is_object(at - 2) && is_id(at - 1))
            || (is_object(at + 1) && is_id(at + 2))
            || (beside && SOCIAL.contains(&word))
    }

    /// Whether the last part of the path is a title below the name of a collection, and nothing in the
    /// address names a thing that could be acted on.
    fn is_title(&self, at: usize, reading_only: bool) -> bool {
        if at == 0 || at + 1 != self.path.len() || !self.parameters.is_empty() || self.has_script {
            return false;
        }
        if self.path.iter().any(|(_, part)| part.is_id) {
            return false;
        }
        let above = self.path[at - 1].1.folded.as_str();
        self.path[..at].iter().any(|(_, part)| READING.contains(&part.folded.as_str()))
            || (!reading_only && COLLECTIONS.contains(&above))
    }

    fn is_program_name(&self, part: &Part) -> bool {
        part.is_identifier || self.has_script
    }

    /// Whether the address leads to something to read: below the name of a collection, or with a title of
    /// several words at its end. Such an address is not doubted because of what its link says.
    pub(super) fn looks_like_content(&self) -> bool {
        let above = |(_, part): &(String, Part)| {
            READING.contains(&part.folded.as_str()) || COLLECTIONS.contains(&part.folded.as_str())
        };
        let last = self.path.last();
        self.path.iter().rev().skip(1).any(above)
            || last.is_some_and(|(_, part)| {
                part.known.is_none() && part.words() > 1 && !part.is_identifier
            })
    }

    /// Whether a parameter has this folded text as its value.
    pub(super) fn has_value(&self, folded: &str) -> bool {
        self.parameters.iter().any(|parameter| super::lexicon::fold(&parameter.value) == folded)
    }

    /// Whether a verb stands somewhere in the address, though not so that it decides alone.
    pub(super) fn has_weak_verb(&self) -> bool {
        let weak = |part: &Part| part.is_only(PUT | ACT) || is_nounish(part);
        self.path.iter().any(|(_, part)| weak(part))
            || self.parameters.iter().any(|p| {
                weak(&p.name_part)
                    || p.name_part.folded == "token"
                    || p.values.iter().any(|(_, part)| weak(part))
            })
    }
}

impl ActionWord {
    fn of(text: &str) -> Self {
        Self { word: text.to_owned(), is_token: false }
    }
}

fn cut<'a>(text: &'a str, mark: fn(char) -> bool) -> impl Iterator<Item = (String, Part)> + 'a {
    text.split(mark)
        .filter(|piece| !piece.is_empty())
        .take(MAX_PARTS)
        .map(|piece| (piece.to_owned(), Part::of(piece)))
}

fn is_short_action(name: &str) -> bool {
    SHORT_ACTION_PARAMETERS.contains(&name)
}

/// Verbs that are nouns as often: they count only as the value of a parameter that names an action.
fn is_nounish(part: &Part) -> bool {
    NOUNISH.contains(&part.folded.as_str())
}
