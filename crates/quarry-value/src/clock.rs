//! Parses times of day.

use crate::date::number;
use crate::scan::Cursor;

/// Zones named by pages; only those at Greenwich give an offset, the others depend on the country.
const ZONES: [&str; 18] = [
    "utc", "gmt", "z", "cet", "cest", "est", "edt", "pst", "pdt", "cst", "cdt", "mst", "mdt",
    "bst", "ist", "jst", "eet", "et",
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    pub(super) time: (u8, u8, u8),
    pub(super) offset: Option<i16>,
}

/// Reads `10:30`, `10:30:45.123`, `10.30 am`, `10am`, `10h30`, `10:30 Uhr`, with a zone.
pub(super) fn clock(cursor: &mut Cursor<'_, '_>) -> Option<Clock> {
    let mut at = *cursor;
    let mut hour = number(at.eat_digits(1..=2)?);
    let mut minute = 0;
    let mut second = 0;
    let mut exact = false;
    if at.eat_mark(&[':']).is_some() || at.eat_one_of(&["h"]) {
        minute = number(at.eat_digits(2..=2)?);
        exact = true;
        let mut to = at;
        if to.eat_mark(&[':']).is_some() {
            second = number(to.eat_digits(2..=2)?);
            let mut fraction = to;
            if fraction.eat_mark(&['.', ',']).is_some() && fraction.eat_digits(1..=9).is_some() {
                to = fraction;
            }
            at = to;
        }
    }
    let mut to = at;
    to.eat_space();
    if let Some(afternoon) = half(&mut to) {
        if !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + if afternoon { 12 } else { 0 };
        exact = true;
        at = to;
    } else if exact && to.eat_one_of(&["uhr", "h", "hrs", "ч"]) {
        at = to;
    }
    if !exact || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let offset = zone(&mut at);
    *cursor = at;
    Some(Clock { time: (hour as u8, minute as u8, second as u8), offset })
}

/// `AM`, `p.m.`: whether it is the afternoon.
fn half(at: &mut Cursor<'_, '_>) -> Option<bool> {
    if let Some(afternoon) = at.eat_word(|word| match word {
        "am" => Some(false),
        "pm" => Some(true),
        _ => None,
    }) {
        return Some(afternoon);
    }
    let mut to = *at;
    let afternoon = to.eat_word(|word| match word {
        "a" => Some(false),
        "p" => Some(true),
        _ => None,
    })?;
    to.eat_mark(&['.'])?;
    to.eat_space();
    to.eat_one_of(&["m"]).then_some(())?;
    to.eat_mark(&['.'])?;
    *at = to;
    Some(afternoon)
}

fn zone(cursor: &mut Cursor<'_, '_>) -> Option<i16> {
    let mut at = *cursor;
    at.eat_space();
    let greenwich =
        at.eat_word(|word| ZONES.contains(&word).then_some(matches!(word, "utc" | "gmt" | "z")));
    if let Some(greenwich) = greenwich {
        *cursor = at;
        if !greenwich {
            return None;
        }
    }
    let mut to = at;
    let Some(sign) = to.eat_mark(&['+', '-', '\u{2212}']) else { return greenwich.map(|_| 0) };
    let mut minutes = None;
    if let Some(digits) = to.eat_digits(4..=4) {
        minutes = Some(number(&digits[..2]) * 60 + number(&digits[2..]));
    } else if let Some(hours) = to.eat_digits(1..=2) {
        let mut more = to;
        let extra = match more.eat_mark(&[':']).and_then(|_| more.eat_digits(2..=2)) {
            Some(digits) => {
                to = more;
                number(digits)
            }
            None => 0,
        };
        minutes = Some(number(hours) * 60 + extra);
    }
    // Zones lie between twelve hours west and fourteen hours east of Greenwich.
    let minutes = minutes.filter(|&minutes| minutes <= 14 * 60)? as i16;
    *cursor = to;
    Some(if sign == '+' { minutes } else { -minutes })
}
