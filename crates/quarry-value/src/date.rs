//! Parses dates.
//!
//! Whole texts only: "12 Mar 2024, 10:30" is a date, "updated 12 Mar 2024" is text. `12/03/24` may be
//! read in several orders of day, month and year; a column decides (see `column`).

use serde::Serialize;

use crate::calendar::{exists, month_by_name, weekday_by_name};
use crate::scan::{Class, Cursor};

/// Words that may come before a day.
const BEFORE_DAY: [&str; 7] = ["le", "el", "den", "am", "vom", "on", "il"];

/// Whether a date may begin with this word, in lower case.
pub(super) fn begins(word: &str) -> bool {
    month_by_name(word).is_some() || weekday_by_name(word) || BEFORE_DAY.contains(&word)
}

/// A day or a month, as far as the text says. Fields that the text leaves open are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Date {
    /// The year, in full.
    pub year: Option<u16>,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: Option<u8>,
    /// Hour, minute, second.
    pub time: Option<(u8, u8, u8)>,
    /// Minutes east of Greenwich.
    pub offset: Option<i16>,
}

/// In which order a date gives its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// 31/12/24
    DayMonthYear,
    /// 12/31/24
    MonthDayYear,
    /// 24/12/31
    YearMonthDay,
}

impl DateOrder {
    pub(super) const ALL: [DateOrder; 3] =
        [DateOrder::DayMonthYear, DateOrder::MonthDayYear, DateOrder::YearMonthDay];
}

impl std::fmt::Display for Date {
    /// ISO 8601, as far as the date is known: `2024-03-12T10:30:00Z`, `2024-03`, `--03-12`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.year {
            Some(year) => write!(f, "{year:04}-{:02}", self.month)?,
            None => write!(f, "--{:02}", self.month)?,
        }
        if let Some(day) = self.day {
            write!(f, "-{day:02}")?;
        }
        if let Some((hour, minute, second)) = self.time {
            write!(f, "T{hour:02}:{minute:02}:{second:02}")?;
            match self.offset {
                Some(0) => write!(f, "Z")?,
                Some(offset) => {
                    let sign = if offset < 0 { '-' } else { '+' };
                    write!(f, "{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60)?;
                }
                None => {}
            }
        }
        Ok(())
    }
}

/// A date as written: three numbers whose order may be open, or a day named beyond doubt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Written {
    day: Day,
    time: Option<(u8, u8, u8)>,
    offset: Option<i16>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Day {
    Named {
        year: Option<u16>,
        month: u8,
        day: Option<u8>,
    },
    /// Three numbers, the last or first of which may be a year of two digits.
    Numbers {
        numbers: [u16; 3],
        short_year: bool,
    },
    /// `2010-12`: a month, or the years 2010 to 2012.
    Doubtful,
}

impl Written {
    /// The date, if it has one reading in this order of the column, or in any order.
    pub(super) fn date(self, order: Option<DateOrder>) -> Option<Date> {
        let (year, month, day) = match self.day {
            Day::Named { year, month, day } => (year, month, day),
            Day::Doubtful => return None,
            Day::Numbers { .. } => match order {
                Some(order) => self.in_order(order)?,
                None => {
                    let mut found = DateOrder::ALL.iter().filter_map(|&order| self.in_order(order));
                    let first = found.next()?;
                    if found.any(|other| other != first) {
                        return None;
                    }
                    first
                }
            },
        };
        Some(Date { year, month, day, time: self.time, offset: self.offset })
    }

    /// Whether the numbers make a date in this order; none if no order is in question.
    pub(super) fn fits(self, order: DateOrder) -> Option<bool> {
        matches!(self.day, Day::Numbers { .. }).then(|| self.in_order(order).is_some())
    }

    fn in_order(self, order: DateOrder) -> Option<(Option<u16>, u8, Option<u8>)> {
        let Day::Numbers { numbers: [a, b, c], short_year } = self.day else { return None };
        let (year, month, day) = match order {
            DateOrder::DayMonthYear => (c, b, a),
            DateOrder::MonthDayYear => (c, a, b),
            DateOrder::YearMonthDay if short_year => (a, b, c),
            DateOrder::YearMonthDay => return None,
        };
        let year = if short_year { century(year) } else { year };
        exists(Some(year), month, Some(day)).then_some((Some(year), month as u8, Some(day as u8)))
    }
}

/// A year of two digits: from 1970 on, as POSIX `strptime` reads it within one year (69 is 1969).
fn century(year: u16) -> u16 {
    if year < 69 { 2000 + year } else { 1900 + year }
}

/// Reads a text that is a date and nothing else. A first word may name a month or a weekday ("mar" is both).
pub(super) fn date(at: Cursor<'_, '_>) -> Option<Written> {
    whole(at).or_else(|| {
        let mut after = at;
        eat_weekday(&mut after).then(|| whole(after))?
    })
}

fn whole(mut at: Cursor<'_, '_>) -> Option<Written> {
    at.eat_one_of(&BEFORE_DAY).then(|| at.eat_space());
    let mut clock = None;
    if let Some(first) = super::clock::clock(&mut at) {
        eat_between(&mut at).then_some(())?;
        eat_weekday(&mut at);
        clock = Some(first);
    }
    let day = day(&mut at)?;
    if clock.is_none() && !at.is_done() {
        let mut to = at;
        if eat_between(&mut to) {
            clock = Some(super::clock::clock(&mut to)?);
            at = to;
        }
    }
    let (time, offset) = match clock {
        Some(clock) => (Some(clock.time), clock.offset),
        None => (None, None),
    };
    if !at.is_done() {
        // "12. 3. 2024." and "2024. március 12." end in a point.
        at.eat_mark(&['.'])?;
    }
    at.is_done().then_some(Written { day, time, offset })
}

fn eat_weekday(at: &mut Cursor<'_, '_>) -> bool {
    let mut to = *at;
    if to.eat_word(|word| weekday_by_name(word).then_some(())).is_some() {
        to.eat_mark(&['.']);
        to.eat_mark(&[',']);
        if to.eat_space() {
            *at = to;
            return true;
        }
    }
    false
}

/// What stands between a day and a time.
fn eat_between(at: &mut Cursor<'_, '_>) -> bool {
    let mut eaten = at.eat_mark(&[',', ';', '|', '·']).is_some();
    eaten |= at.eat_space();
    if at.eat_mark(&['-', '–', '|', '·', '@']).is_some() {
        return at.eat_space();
    }
    if at.eat_one_of(&["at", "um", "à", "a", "alle", "às", "kl", "o", "в", "om", "ore", "saat"])
    {
        at.eat_mark(&['.']);
        return at.eat_space();
    }
    eaten || at.eat_one_of(&["t"])
}

fn day(at: &mut Cursor<'_, '_>) -> Option<Day> {
    let forms: [fn(&mut Cursor<'_, '_>) -> Option<Day>; 6] =
        [year_first, east_asian, three_numbers, day_then_month, month_then_day, month_of_year];
    forms.iter().find_map(|form| {
        let mut to = *at;
        let day = form(&mut to)?;
        *at = to;
        Some(day)
    })
}

/// `2024-03-12`, `2024/3/12`, `2024. 03. 12`, `2024-Mar-12`, `2024. március 12`.
fn year_first(at: &mut Cursor<'_, '_>) -> Option<Day> {
    let year = year(at)?;
    let mark = at.eat_mark(&['-', '/', '.', ',']);
    let spaced = at.eat_space();
    if mark.is_none() && !spaced {
        return None;
    }
    if let Some((month, _)) = month_name(at) {
        at.eat_mark(&['.', '-', ',']);
        at.eat_space();
        let day = small(at)?;
        return named(Some(year), u16::from(month), Some(day));
    }
    let mark = mark.filter(|&mark| mark != ',')?;
    let month = small(at)?;
    if at.eat_mark(&[mark]).is_none() {
        return month_or_years(year, month, mark, at);
    }
    at.eat_space();
    let day = small(at)?;
    named(Some(year), month, Some(day))
}

/// `2024-03` is a month; `2010-12` may be two years.
fn month_or_years(year: u16, month: u16, mark: char, at: &Cursor<'_, '_>) -> Option<Day> {
    if !at.is_done() || mark == '.' || !(1..=12).contains(&month) {
        return None;
    }
    if mark == '-' && month > year % 100 {
        return Some(Day::Doubtful);
    }
    named(Some(year), month, None)
}

/// `2024年3月12日`, `2024년 3월 12일`.
fn east_asian(at: &mut Cursor<'_, '_>) -> Option<Day> {
    let year = year(at)?;
    at.eat_one_of(&["年", "년"]).then_some(())?;
    at.eat_space();
    let month = small(at)?;
    at.eat_one_of(&["月", "월"]).then_some(())?;
    at.eat_space();
    let Some(day) = small(at) else { return named(Some(year), month, None) };
    at.eat_one_of(&["日", "일"]).then_some(())?;
    named(Some(year), month, Some(day))
}

/// `12.03.2024`, `12/03/24`, `12. 3. 2024`, and `03/2024`. A point means day first, everywhere.
fn three_numbers(at: &mut Cursor<'_, '_>) -> Option<Day> {
    let first = small(at)?;
    let mark = at.eat_mark(&['-', '/', '.'])?;
    if mark == '.' {
        at.eat_space();
    }
    if let Some(year) = year(at) {
        return if mark == '/' { named(Some(year), first, None) } else { None };
    }
    let second = small(at)?;
    at.eat_mark(&[mark])?;
    if mark == '.' {
        at.eat_space();
    }
    let (third, short_year) = match year(at) {
        Some(year) => (year, false),
        None => (number(at.eat_digits(2..=2)?), true),
    };
    if mark == '.' {
        let year = if short_year { century(third) } else { third };
        return named(Some(year), second, Some(first));
    }
    let day = Day::Numbers { numbers: [first, second, third], short_year };
    let written = Written { day, time: None, offset: None };
    DateOrder::ALL.iter().any(|&order| written.in_order(order).is_some()).then_some(day)
}

/// `12 Mar 2024`, `12th of March, 2024`, `12-Mar-24`, `12 de marzo de 2024`, `12 March`.
fn day_then_month(at: &mut Cursor<'_, '_>) -> Option<Day> {
    let day = small(at)?;
    eat_ordinal(at);
    let joined = at.eat_mark(&['-', '/', '.']);
    at.eat_space();
    at.eat_one_of(&["de", "of", "di"]).then(|| at.eat_space());
    let (month, doubtful) = month_name(at)?;
    let mut to = *at;
    to.eat_mark(&['.', ',', '-', '/']);
    to.eat_mark(&[',']);
    to.eat_space();
    to.eat_one_of(&["de", "del", "of"]).then(|| to.eat_space());
    if let Some(year) = year(&mut to).or_else(|| short_year(&mut to)) {
        *at = to;
        return named(Some(year), u16::from(month), Some(day));
    }
    if joined.is_some_and(|mark| mark != '.')
        && let Some(digits) = to.eat_digits(2..=2)
    {
        *at = to;
        return named(Some(century(number(digits))), u16::from(month), Some(day));
    }
    if doubtful {
        return None;
    }
    named(None, u16::from(month), Some(day))
}

/// `March 12, 2024`, `Mar. 12th 2024`, `Mar 12`.
fn month_then_day(at: &mut Cursor<'_, '_>) -> Option<Day> {
    let (month, doubtful) = month_name(at)?;
    at.eat_mark(&['.', '-']);
    at.eat_space();
    let day = small(at)?;
    eat_ordinal(at);
    let mut to = *at;
    to.eat_mark(&[',', '-']);
    to.eat_space();
    if let Some(year) = year(&mut to).or_else(|| short_year(&mut to)) {
        *at = to;
        return named(Some(year), u16::from(month), Some(day));
    }
    if doubtful { None } else { named(None, u16::from(month), Some(day)) }
}

/// `'14`
fn short_year(at: &mut Cursor<'_, '_>) -> Option<u16> {
    let mut to = *at;
    to.eat_mark(&['\'', '’'])?;
    let year = century(number(to.eat_digits(2..=2)?));
    *at = to;
    Some(year)
}

/// `March 2024`, `marzo de 2024`, `Mar-2024`.
fn month_of_year(at: &mut Cursor<'_, '_>) -> Option<Day> {
    let (month, doubtful) = month_name(at)?;
    at.eat_mark(&['.', ',', '-']);
    at.eat_space();
    at.eat_one_of(&["de", "del"]).then(|| at.eat_space());
    let year = year(at)?;
    if doubtful { None } else { named(Some(year), u16::from(month), None) }
}

fn named(year: Option<u16>, month: u16, day: Option<u16>) -> Option<Day> {
    exists(year, month, day).then(|| Day::Named {
        year,
        month: month as u8,
        day: day.map(|day| day as u8),
    })
}

fn month_name(at: &mut Cursor<'_, '_>) -> Option<(u8, bool)> {
    at.eat_word(month_by_name)
}

fn eat_ordinal(at: &mut Cursor<'_, '_>) {
    if at.eat_one_of(&["st", "nd", "rd", "th", "er", "º", "ª"]) {
        return;
    }
    at.eat_mark(&['°']);
}

/// Years that pages speak of as dates.
fn year(at: &mut Cursor<'_, '_>) -> Option<u16> {
    let token = at.peek().filter(|token| token.class == Class::Digits && token.text.len() == 4)?;
    let year = number(token.text);
    (1000..=2199).contains(&year).then(|| {
        at.skip(1);
        year
    })
}

fn small(at: &mut Cursor<'_, '_>) -> Option<u16> {
    at.eat_digits(1..=2).map(number)
}

pub(super) fn number(digits: &str) -> u16 {
    digits.bytes().fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'))
}
