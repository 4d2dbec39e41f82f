//! How a site prints prices, dates, phone numbers and lengths. The same value looks
//! different on every site of a family; [`ValueFormat`] is one site's house style.

/// A typed value behind the site, before it is printed.
#[derive(Debug, Clone, PartialEq)]
pub enum SiteValue {
    /// Words.
    Text(String),
    /// A number with a unit, in hundredths.
    Number {
        /// The number times 100.
        hundredths: i64,
        /// What it counts.
        unit: Unit,
    },
    /// Money in cents.
    Money(i64),
    /// A day.
    Date {
        /// Year, four digits.
        year: i64,
        /// 1 to 12.
        month: i64,
        /// 1 to 28.
        day: i64,
    },
    /// Ten digits.
    Phone(u64),
    /// Where it is.
    Address {
        /// House number.
        number: i64,
        /// "Mill Street".
        street: String,
        /// "Port Ellery".
        town: String,
        /// Five digits.
        zip: i64,
    },
    /// Names of people, "First Last".
    People(Vec<String>),
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A bare number.
    None,
    /// Inches, or centimetres.
    Inch,
    /// Pounds, or kilograms.
    Pound,
    /// Ounces, or grams.
    Ounce,
    /// Square feet, or square metres.
    SquareFoot,
    /// Miles, or kilometres.
    Mile,
    /// Minutes.
    Minute,
    /// Hours.
    Hour,
    /// Gigabytes.
    Gigabyte,
    /// Milliampere hours.
    MilliampHour,
    /// Megapixels.
    Megapixel,
    /// Watts.
    Watt,
    /// Hertz.
    Hertz,
    /// Pages.
    Page,
    /// Kilocalories.
    Calorie,
    /// Stars out of five.
    Star,
}

/// One site's house style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ValueFormat {
    /// Prices.
    pub price: PriceFormat,
    /// Dates.
    pub date: DateFormat,
    /// Phone numbers.
    pub phone: PhoneFormat,
    /// Imperial or metric.
    pub units: Units,
    /// Addresses.
    pub address: AddressFormat,
    /// Names of people.
    pub people: PeopleFormat,
    /// Titles of entities.
    pub title: TitleFormat,
    /// Which synonym names an attribute: 0 is its own name, 1 the first synonym, and so on.
    pub labels: usize,
}

macro_rules! choices {
    ($(#[$meta:meta])* $name:ident { $(#[$first_meta:meta])* $first:ident $(, $(#[$item_meta:meta])* $item:ident)* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $(#[$first_meta])* #[default] $first $(, $(#[$item_meta])* $item)* }
        impl $name {
            /// Every choice, the default first.
            pub const ALL: &'static [Self] = &[Self::$first $(, Self::$item)*];
        }
    };
}
pub(crate) use choices;

choices! {
    /// Prices.
    PriceFormat {
        /// `$1,234.50`
        Dollar,
        /// `1.234,50 €`
        EuroAfter,
        /// `USD 1234.50`
        CodeBefore,
        /// `£1,234.50`
        Pound,
    }
}
choices! {
    /// Dates.
    DateFormat {
        /// `12 March 2024`
        Long,
        /// `2024-03-12`
        Iso,
        /// `03/12/2024`
        Slash,
        /// `Mar 12, 2024`
        Short,
    }
}
choices! {
    /// Phone numbers.
    PhoneFormat {
        /// `(415) 555-0132`
        Parentheses,
        /// `415-555-0132`
        Dashes,
        /// `415.555.0132`
        Dots,
        /// `+1 415 555 0132`
        International,
    }
}
choices! {
    /// Imperial or metric.
    Units {
        /// Inches, pounds, square feet.
        Imperial,
        /// Centimetres, kilograms, square metres.
        Metric,
    }
}
choices! {
    /// Addresses.
    AddressFormat {
        /// `12 Mill Street, Port Ellery 94103`
        Full,
        /// `12 Mill St., Port Ellery`
        Abbreviated,
        /// `Mill Street 12, 94103 Port Ellery`
        NumberLast,
        /// `12 MILL ST, PORT ELLERY 94103`
        Upper,
    }
}
choices! {
    /// Names of people.
    PeopleFormat {
        /// `Mira Halloway`
        FirstLast,
        /// `Halloway, Mira`
        LastFirst,
        /// `M. Halloway`
        Initial,
    }
}
choices! {
    /// Titles of entities.
    TitleFormat {
        /// As generated.
        Plain,
        /// `&` for "and", "The" dropped, common words shortened.
        Abbreviated,
        /// The first word moved to the end after a comma.
        CommaLast,
        /// Capitals.
        Upper,
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl ValueFormat {
    /// The value as this site prints it.
    #[must_use]
    pub fn print(&self, value: &SiteValue) -> String {
        match value {
            SiteValue::Text(text) => text.clone(),
            SiteValue::Number { hundredths, unit } => self.number(*hundredths, *unit),
            SiteValue::Money(cents) => self.money(*cents),
            SiteValue::Date { year, month, day } => self.day(*year, *month, *day),
            SiteValue::Phone(digits) => self.dial(*digits),
            SiteValue::Address { number, street, town, zip } => {
                self.place(*number, street, town, *zip)
            }
            SiteValue::People(names) => {
                let separator = if self.people == PeopleFormat::LastFirst { "; " } else { ", " };
                names.iter().map(|n| self.person(n)).collect::<Vec<_>>().join(separator)
            }
        }
    }

    /// Money as this site prints it.
    #[must_use]
    pub fn money(&self, cents: i64) -> String {
        let (whole, part) = (cents / 100, cents % 100);
        // Nobody prints the cents of a house.
        if whole >= 10_000 && part == 0 {
            return match self.price {
                PriceFormat::Dollar => format!("${}", grouped(whole, ',')),
                PriceFormat::EuroAfter => format!("{} €", grouped(whole, '.')),
                PriceFormat::CodeBefore => format!("USD {whole}"),
                PriceFormat::Pound => format!("£{}", grouped(whole, ',')),
            };
        }
        match self.price {
            PriceFormat::Dollar => format!("${}.{part:02}", grouped(whole, ',')),
            PriceFormat::EuroAfter => format!("{},{part:02} €", grouped(whole, '.')),
            PriceFormat::CodeBefore => format!("USD {whole}.{part:02}"),
            PriceFormat::Pound => format!("£{}.{part:02}", grouped(whole, ',')),
        }
    }

    /// The ISO code of the currency that prices are printed in.
    #[must_use]
    pub fn currency(&self) -> &'static str {
        match self.price {
            PriceFormat::Dollar | PriceFormat::CodeBefore => "USD",
            PriceFormat::EuroAfter => "EUR",
            PriceFormat::Pound => "GBP",
        }
    }

    /// A title as this site prints it.
    #[must_use]
    pub fn title(&self, title: &str) -> String {
        match self.title {
            TitleFormat::Plain => title.to_owned(),
            TitleFormat::Upper => title.to_uppercase(),
            TitleFormat::Abbreviated => {
                let title = title.strip_prefix("The ").unwrap_or(title);
                title
                    .replace(" and ", " & ")
                    .replace(" with ", " w/ ")
                    .replace("Restaurant", "Rest.")
                    .replace("Street", "St.")
                    .replace("Bedroom", "BR")
                    .replace("Kitchen", "Kitch.")
            }
            TitleFormat::CommaLast => match title.split_once(' ') {
                Some((first, rest)) => format!("{rest}, {first}"),
                None => title.to_owned(),
            },
        }
    }

    fn number(&self, hundredths: i64, unit: Unit) -> String {
        let metric = self.units == Units::Metric;
        // Conversion factors in thousandths keep the arithmetic whole, hence equal everywhere.
        let (factor, suffix) = match (unit, metric) {
            (Unit::None, _) => (1000, ""),
            (Unit::Inch, false) => (1000, " in"),
            (Unit::Inch, true) => (2540, " cm"),
            (Unit::Pound, false) => (1000, " lb"),
            (Unit::Pound, true) => (454, " kg"),
            (Unit::Ounce, false) => (1000, " oz"),
            (Unit::Ounce, true) => (28350, " g"),
            (Unit::SquareFoot, false) => (1000, " sq ft"),
            (Unit::SquareFoot, true) => (93, " m²"),
            (Unit::Mile, false) => (1000, " mi"),
            (Unit::Mile, true) => (1609, " km"),
            (Unit::Minute, _) => (1000, " min"),
            (Unit::Hour, _) => (1000, " h"),
            (Unit::Gigabyte, _) => (1000, " GB"),
            (Unit::MilliampHour, _) => (1000, " mAh"),
            (Unit::Megapixel, _) => (1000, " MP"),
            (Unit::Watt, _) => (1000, " W"),
            (Unit::Hertz, _) => (1000, " Hz"),
            (Unit::Page, _) => (1000, " pages"),
            (Unit::Calorie, _) => (1000, " kcal"),
            (Unit::Star, _) => (1000, ""),
        };
        let mut value = hundredths * factor / 1000;
        if factor != 1000 && value >= 10_000 {
            value = value / 100 * 100;
        }
        let (whole, part) = (value / 100, value % 100);
        let whole = if whole >= 10_000 { grouped(whole, ',') } else { whole.to_string() };
        match part {
            0 => format!("{whole}{suffix}"),
            p if p % 10 == 0 => format!("{whole}.{}{suffix}", p / 10),
            p => format!("{whole}.{p:02}{suffix}"),
        }
    }

    fn day(&self, year: i64, month: i64, day: i64) -> String {
        let name = MONTHS[(month - 1) as usize];
        match self.date {
            DateFormat::Long => format!("{day} {name} {year}"),
            DateFormat::Iso => format!("{year}-{month:02}-{day:02}"),
            DateFormat::Slash => format!("{month:02}/{day:02}/{year}"),
            DateFormat::Short => format!("{} {day}, {year}", &name[..3]),
        }
    }

    fn dial(&self, digits: u64) -> String {
        let (area, middle, last) = (digits / 10_000_000, digits / 10_000 % 1000, digits % 10_000);
        match self.phone {
            PhoneFormat::Parentheses => format!("({area:03}) {middle:03}-{last:04}"),
            PhoneFormat::Dashes => format!("{area:03}-{middle:03}-{last:04}"),
            PhoneFormat::Dots => format!("{area:03}.{middle:03}.{last:04}"),
            PhoneFormat::International => format!("+1 {area:03} {middle:03} {last:04}"),
        }
    }

    fn place(&self, number: i64, street: &str, town: &str, zip: i64) -> String {
        let short = || {
            street
                .replace("Street", "St.")
                .replace("Avenue", "Ave.")
                .replace("Boulevard", "Blvd.")
                .replace("Road", "Rd.")
                .replace("Drive", "Dr.")
        };
        match self.address {
            AddressFormat::Full => format!("{number} {street}, {town} {zip:05}"),
            AddressFormat::Abbreviated => format!("{number} {}, {town}", short()),
            AddressFormat::NumberLast => format!("{street} {number}, {zip:05} {town}"),
            AddressFormat::Upper => {
                format!("{number} {}, {town} {zip:05}", short().replace('.', "")).to_uppercase()
            }
        }
    }

    fn person(&self, name: &str) -> String {
        let Some((first, last)) = name.split_once(' ') else { return name.to_owned() };
        match self.people {
            PeopleFormat::FirstLast => name.to_owned(),
            PeopleFormat::LastFirst => format!("{last}, {first}"),
            PeopleFormat::Initial => {
                format!("{}. {last}", first.chars().next().expect("split at a space after a name"))
            }
        }
    }
}

/// A whole number with a separator every three digits.
pub(crate) fn grouped(n: i64, separator: char) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_forms() {
        let home = ValueFormat::default();
        let abroad = ValueFormat {
            price: PriceFormat::EuroAfter,
            date: DateFormat::Iso,
            phone: PhoneFormat::International,
            units: Units::Metric,
            address: AddressFormat::Abbreviated,
            people: PeopleFormat::LastFirst,
            title: TitleFormat::CommaLast,
            labels: 1,
        };
        let cases: Vec<(SiteValue, &str, &str)> = vec![
            (SiteValue::Money(123_450), "$1,234.50", "1.234,50 €"),
            (SiteValue::Date { year: 2024, month: 3, day: 12 }, "12 March 2024", "2024-03-12"),
            (SiteValue::Phone(4_155_550_132), "(415) 555-0132", "+1 415 555 0132"),
            (SiteValue::Number { hundredths: 1000, unit: Unit::Inch }, "10 in", "25.4 cm"),
            (SiteValue::Number { hundredths: 1050, unit: Unit::None }, "10.5", "10.5"),
            (
                SiteValue::Address {
                    number: 12,
                    street: "Mill Street".into(),
                    town: "Port Ellery".into(),
                    zip: 4103,
                },
                "12 Mill Street, Port Ellery 04103",
                "12 Mill St., Port Ellery",
            ),
            (
                SiteValue::People(vec!["Mira Hartley".into(), "Emil Rook".into()]),
                "Mira Hartley, Emil Rook",
                "Hartley, Mira; Rook, Emil",
            ),
        ];
        for (value, here, there) in cases {
            assert_eq!(home.print(&value), here);
            assert_eq!(abroad.print(&value), there);
        }
        assert_eq!(abroad.title("The Copper Fig"), "Copper Fig, The");
    }
}
