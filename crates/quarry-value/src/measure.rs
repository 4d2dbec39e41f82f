//! Parses quantities: a number with its unit, a range, or several dimensions (`10 × 20 cm`).

use serde::Serialize;

use crate::number::{Reading, signed, unsigned};
use crate::scan::Cursor;
use crate::unit::{unit, unit_at_end};

/// The most sides that a thing is given with.
const MAX_SIDES: usize = 4;

/// One number or several, in one unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quantity {
    /// The number; two for a range; one per side for dimensions.
    pub numbers: Vec<f64>,
    /// How the numbers belong together.
    pub shape: Shape,
    /// The unit in its usual sign (`kg`, `in`, `cd/m²`).
    pub unit: Option<&'static str>,
}

/// How the numbers of a quantity belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// `27 inch`
    One,
    /// `10–20 W`
    Range,
    /// `10 x 20 x 3 cm`
    Sides,
}

/// A quantity as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Written {
    readings: [Reading; MAX_SIDES],
    len: usize,
    shape: Shape,
    unit: Option<&'static str>,
    /// A count in brackets, or a number with a mark of doubt: a number, but not surely this one.
    loose: bool,
}

impl Written {
    pub(super) fn quantity(self, decimal_mark: Option<char>) -> Option<Quantity> {
        if self.loose {
            return None;
        }
        let numbers: Option<Vec<f64>> =
            self.readings().iter().map(|reading| reading.value(decimal_mark)).collect();
        Some(Quantity { numbers: numbers?, shape: self.shape, unit: self.unit })
    }

    pub(super) fn readings(&self) -> &[Reading] {
        &self.readings[..self.len]
    }
}

/// Reads a text that is a quantity and nothing else.
pub(super) fn quantity(mut at: Cursor<'_, '_>) -> Option<Written> {
    let mut loose = false;
    if at.eat_mark(&['(']).is_some() {
        let reading = unsigned(&mut at)?;
        at.eat_mark(&[')'])?;
        let one = Written {
            readings: [reading; MAX_SIDES],
            len: 1,
            shape: Shape::One,
            unit: None,
            loose: true,
        };
        return at.is_done().then_some(one);
    }
    if at.eat_mark(&['~', '≈', '<', '>', '≤', '≥']).is_some() {
        at.eat_space();
        loose = true;
    }
    let first = signed(&mut at)?;
    let mut written =
        Written { readings: [first; MAX_SIDES], len: 1, shape: Shape::One, unit: None, loose };
    if at.is_done() {
        return Some(written);
    }
    let mut rest = at;
    let mut unit_before = unit(&mut rest);
    if unit_before.is_none() {
        rest = at;
    }
    if let Some(more) = sides(rest, unit_before, written) {
        return Some(more);
    }
    if unit_before.is_some() && rest.is_done() {
        written.unit = unit_before;
        return Some(written);
    }
    let mut end = rest;
    let hyphen = end.rest().starts_with('-');
    if eat_to(&mut end)
        && let Some(to) = signed(&mut end)
    {
        written.readings[1] = to;
        written.len = 2;
        written.shape = Shape::Range;
        if !end.is_done() {
            let after = unit_at_end(&mut end)?;
            if unit_before.is_some_and(|before| before != after) {
                return None;
            }
            unit_before = Some(after);
        }
        written.unit = unit_before;
        written.loose |= doubtful_range(&written, hyphen);
        return Some(written);
    }
    written.unit = Some(unit_at_end(&mut at)?);
    Some(written)
}

/// `6-5` may be a score, feet and inches, or part of a number: a range has a unit or a dash of its own, and its
/// ends in order.
fn doubtful_range(written: &Written, hyphen: bool) -> bool {
    let turned = match (written.readings[0], written.readings[1]) {
        (Reading::Certain { value: low, .. }, Reading::Certain { value: high, .. }) => low > high,
        _ => false,
    };
    turned || (hyphen && written.unit.is_none())
}

/// `10 x 20 x 3 cm`, `10cm × 20cm`, `1920x1080`.
fn sides(
    mut at: Cursor<'_, '_>,
    mut unit_seen: Option<&'static str>,
    mut written: Written,
) -> Option<Written> {
    loop {
        let mut to = at;
        to.eat_space();
        if to.eat_mark(&['×', '*']).is_none() && !to.eat_one_of(&["x", "by"]) {
            break;
        }
        to.eat_space();
        let Some(reading) = unsigned(&mut to) else { break };
        if written.len == MAX_SIDES {
            return None;
        }
        written.readings[written.len] = reading;
        written.len += 1;
        let mut after = to;
        if let Some(found) = unit(&mut after) {
            if unit_seen.is_some_and(|seen| seen != found) {
                return None;
            }
            unit_seen = Some(found);
            to = after;
        }
        at = to;
    }
    if written.len < 2 || !at.is_done() {
        return None;
    }
    written.shape = Shape::Sides;
    written.unit = unit_seen;
    Some(written)
}

/// What stands between the ends of a range.
pub(super) fn eat_to(cursor: &mut Cursor<'_, '_>) -> bool {
    let mut at = *cursor;
    at.eat_space();
    let mark = at.eat_mark(&['-', '–', '—', '~', '…']).is_some();
    if !mark && !at.eat_one_of(&["to", "bis", "à", "a", "hasta", "tot", "do", "до"]) {
        return false;
    }
    at.eat_space();
    *cursor = at;
    true
}
