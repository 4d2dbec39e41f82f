//! Decides how the values of a column are written: order of day and month, decimal mark.
//!
//! One value may be read in two ways, a column seldom: somewhere stands a day above 12 or a number with
//! both marks.

use std::cmp::Ordering;

use serde::Serialize;

use crate::date::DateOrder;
use crate::number::Reading;
use crate::{Read, Value, ValueKind, parse_in, read};

/// The share of values that an order of day and month must fit: a few values of a column are noise.
const FITTING_SHARE: f64 = 0.9;
/// So many different numbers of the form `1,226`, and none of any other form, are thousands: decimals
/// would vary in length.
const MIN_GROUPED: usize = 3;
/// A bare number from here on shows that thousands are not grouped.
const FIRST_GROUPED: f64 = 1000.0;

/// How the values of a column are to be read where one value leaves it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Format {
    /// `.` or `,`.
    pub decimal_mark: Option<char>,
    /// The order of day, month and year in dates of numbers.
    pub date_order: Option<DateOrder>,
}

/// The kind of most values of a column, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ColumnReading {
    /// The most frequent kind; text if the column is empty.
    pub kind: ValueKind,
    /// The share of values of that kind.
    pub share: f64,
    /// How they are written.
    pub format: Format,
}

impl ColumnReading {
    /// Looks at all values of a column; their order does not matter.
    pub fn of<'a>(values: impl IntoIterator<Item = &'a str>) -> ColumnReading {
        let mut kinds = [0_usize; 5];
        let mut marks = Marks::default();
        let mut orders = Orders::default();
        let mut total = 0;
        for text in values {
            let read = read(text);
            let kind = read.as_ref().map_or(ValueKind::Text, Read::kind);
            kinds[kind as usize] += 1;
            total += 1;
            match read {
                Some(Read::Date(written)) => orders.see(|order| written.fits(order)),
                Some(Read::Price(written)) => {
                    written.readings().for_each(|reading| marks.see(written.settle(reading)));
                }
                Some(Read::Quantity(written)) => {
                    written.readings().iter().for_each(|&reading| marks.see(reading));
                }
                Some(Read::Link | Read::Phone) | None => {}
            }
        }
        let all = [
            ValueKind::Text,
            ValueKind::Number,
            ValueKind::Date,
            ValueKind::Price,
            ValueKind::Link,
        ];
        let most = kinds.iter().copied().max().unwrap_or(0);
        let kind = all.into_iter().find(|&kind| kinds[kind as usize] == most).unwrap_or_default();
        let share = if total == 0 { 0.0 } else { most as f64 / total as f64 };
        ColumnReading {
            kind,
            share,
            format: Format { decimal_mark: marks.decide(), date_order: orders.decide() },
        }
    }

    /// What a value of this column says.
    pub fn parse(&self, text: &str) -> Option<Value> {
        parse_in(text, &self.format)
    }
}

/// What the numbers seen so far say about the decimal mark.
#[derive(Default)]
struct Marks {
    comma: usize,
    point: usize,
    /// Up to [`MIN_GROUPED`] different values of the form `1,226`, and `1.226`.
    open_comma: Vec<f64>,
    open_point: Vec<f64>,
    bare_thousands: usize,
}

impl Marks {
    fn see(&mut self, reading: Reading) {
        match reading {
            Reading::Certain { decimal: Some(','), .. } => self.comma += 1,
            Reading::Certain { decimal: Some(_), .. } => self.point += 1,
            Reading::Certain { value, decimal: None } => {
                self.bare_thousands += usize::from(value.abs() >= FIRST_GROUPED);
            }
            Reading::Either { grouped, mark, .. } => {
                let open = if mark == ',' { &mut self.open_comma } else { &mut self.open_point };
                if open.len() < MIN_GROUPED && !open.contains(&grouped) {
                    open.push(grouped);
                }
            }
            Reading::Code => {}
        }
    }

    fn decide(&self) -> Option<char> {
        match (self.comma, self.point) {
            (0, 0) => self.decide_by_form(),
            (_, 0) => Some(','),
            (0, _) => Some('.'),
            _ => None,
        }
    }

    /// No value is certain: thousands if there are several and no thousand stands without its mark.
    fn decide_by_form(&self) -> Option<char> {
        let (mark, other, open) = match (self.open_comma.len(), self.open_point.len()) {
            (_, 0) => (',', '.', &self.open_comma),
            (0, _) => ('.', ',', &self.open_point),
            _ => return None,
        };
        match (open.len(), self.bare_thousands) {
            (0, _) => None,
            (_, 1..) => Some(mark),
            (MIN_GROUPED.., 0) => Some(other),
            _ => None,
        }
    }
}

/// How many dates fit each order.
#[derive(Default)]
struct Orders {
    fitting: [usize; 3],
    total: usize,
}

impl Orders {
    fn see(&mut self, fits: impl Fn(DateOrder) -> Option<bool>) {
        for (count, order) in self.fitting.iter_mut().zip(DateOrder::ALL) {
            match fits(order) {
                Some(fits) => *count += usize::from(fits),
                None => return,
            }
        }
        self.total += 1;
    }

    /// The order that fits most dates, if it fits nearly all, and more than any other. A short year in
    /// front is rare, and nearly every date could be read so: only where no other order fits.
    fn decide(&self) -> Option<DateOrder> {
        let enough = |count: usize| count as f64 >= FITTING_SHARE * self.total as f64;
        let [day_first, month_first, year_first] = self.fitting;
        let (order, most) = match day_first.cmp(&month_first) {
            Ordering::Greater => (DateOrder::DayMonthYear, day_first),
            Ordering::Less => (DateOrder::MonthDayYear, month_first),
            Ordering::Equal if enough(day_first) => return None,
            Ordering::Equal => (DateOrder::YearMonthDay, year_first),
        };
        let (order, most) =
            if enough(most) { (order, most) } else { (DateOrder::YearMonthDay, year_first) };
        (self.total > 0 && enough(most)).then_some(order)
    }
}
