//! Recognises units of measure.

use crate::scan::{Cursor, Folded, look_up};

/// Spellings and the sign they stand for. A spelling in lower case is found in any case; one with
/// capitals only as it is (mW and MW differ). Sorted.
#[rustfmt::skip]
const UNITS: &[(&str, &str)] = &[
    ("\"", "in"), ("%", "%"), ("'", "ft"), ("''", "in"), (":1", ":1"), ("A", "A"), ("Ah", "Ah"),
    ("GB/s", "GB/s"), ("Gb/s", "Gbit/s"), ("K", "K"), ("L", "l"), ("Liter", "l"),
    ("MB/s", "MB/s"), ("MW", "MW"), ("Mb/s", "Mbit/s"), ("N", "N"), ("Nm", "Nm"), ("PS", "hp"),
    ("ac", "ac"), ("acre", "ac"), ("acres", "ac"), ("amp", "A"), ("amps", "A"), ("anni", "a"),
    ("ans", "a"), ("años", "a"), ("bar", "bar"), ("bhp", "hp"), ("bit", "bit"), ("bits", "bit"),
    ("byte", "B"), ("bytes", "B"), ("cal", "cal"), ("calories", "cal"), ("cc", "cm³"),
    ("ccm", "cm³"), ("cd/m2", "cd/m²"), ("cd/m^2", "cd/m²"), ("cd/m²", "cd/m²"),
    ("centimeter", "cm"), ("centimeters", "cm"), ("centimetre", "cm"), ("centimetres", "cm"),
    ("cl", "cl"), ("cm", "cm"), ("cm3", "cm³"), ("cm²", "cm²"), ("cm³", "cm³"), ("cup", "cup"),
    ("cups", "cup"), ("day", "d"), ("days", "d"), ("db", "dB"), ("db(a)", "dB(A)"),
    ("dba", "dB(A)"), ("deg", "°"), ("degrees", "°"), ("dl", "dl"), ("dpi", "dpi"),
    ("días", "d"), ("feet", "ft"), ("fl oz", "fl oz"), ("fl oz.", "fl oz"),
    ("fl. oz.", "fl oz"), ("fl.oz.", "fl oz"), ("foot", "ft"), ("fps", "fps"), ("ft", "ft"),
    ("ft.", "ft"), ("ft²", "ft²"), ("g", "g"), ("gal", "gal"), ("gallon", "gal"),
    ("gallons", "gal"), ("gb", "GB"), ("gbit/s", "Gbit/s"), ("gbps", "Gbit/s"), ("ghz", "GHz"),
    ("gib", "GB"), ("giorni", "d"), ("gr", "g"), ("grad", "°"), ("gram", "g"), ("gramm", "g"),
    ("grammes", "g"), ("grams", "g"), ("h", "h"), ("ha", "ha"), ("heures", "h"), ("horas", "h"),
    ("hour", "h"), ("hours", "h"), ("hp", "hp"), ("hpa", "hPa"), ("hr", "h"), ("hrs", "h"),
    ("hz", "Hz"), ("in", "in"), ("in.", "in"), ("inch", "in"), ("inch.", "in"),
    ("inches", "in"), ("jahre", "a"), ("joule", "J"), ("joules", "J"), ("jours", "d"),
    ("kb", "kB"), ("kb/s", "kbit/s"), ("kbit/s", "kbit/s"), ("kbps", "kbit/s"),
    ("kcal", "kcal"), ("kg", "kg"), ("kgs", "kg"), ("khz", "kHz"), ("kib", "kB"),
    ("kilo", "kg"), ("kilogram", "kg"), ("kilograms", "kg"), ("kilometer", "km"),
    ("kilometers", "km"), ("kilometre", "km"), ("kilometres", "km"), ("kj", "kJ"), ("km", "km"),
    ("km/h", "km/h"), ("km2", "km²"), ("kmh", "km/h"), ("km²", "km²"), ("kpa", "kPa"),
    ("kph", "km/h"), ("kv", "kV"), ("kw", "kW"), ("kwh", "kWh"), ("kwh/1000h", "kWh/a"),
    ("kwh/annum", "kWh/a"), ("kwh/jahr", "kWh/a"), ("kwh/year", "kWh/a"), ("l", "l"),
    ("l/100km", "l/100km"), ("l/min", "l/min"), ("lb", "lb"), ("lb.", "lb"), ("lbs", "lb"),
    ("lbs.", "lb"), ("liter", "l"), ("liters", "l"), ("litre", "l"), ("litres", "l"),
    ("lm", "lm"), ("lumen", "lm"), ("lumens", "lm"), ("lux", "lx"), ("lx", "lx"), ("m", "m"),
    ("m/s", "m/s"), ("m2", "m²"), ("m3", "m³"), ("mL", "ml"), ("mV", "mV"), ("mW", "mW"),
    ("ma", "mA"), ("mah", "mAh"), ("mb", "MB"), ("mbit/s", "Mbit/s"), ("mbps", "Mbit/s"),
    ("megapixel", "MP"), ("megapixels", "MP"), ("meses", "mo"), ("mesi", "mo"), ("meter", "m"),
    ("meters", "m"), ("metre", "m"), ("metres", "m"), ("mg", "mg"), ("mhz", "MHz"),
    ("mi", "mi"), ("mib", "MB"), ("mile", "mi"), ("miles", "mi"), ("milliliter", "ml"),
    ("millimeter", "mm"), ("millimeters", "mm"), ("millimetre", "mm"), ("millimetres", "mm"),
    ("millisecond", "ms"), ("milliseconds", "ms"), ("min", "min"), ("min.", "min"),
    ("mins", "min"), ("minute", "min"), ("minuten", "min"), ("minutes", "min"), ("ml", "ml"),
    ("mm", "mm"), ("mm²", "mm²"), ("mo", "mo"), ("mois", "mo"), ("monate", "mo"),
    ("month", "mo"), ("months", "mo"), ("mp", "MP"), ("mph", "mph"), ("mpx", "MP"),
    ("mq", "m²"), ("ms", "ms"), ("msec", "ms"), ("m²", "m²"), ("m³", "m³"), ("mètres", "m"),
    ("nit", "cd/m²"), ("nits", "cd/m²"), ("ns", "ns"), ("ohm", "Ω"), ("ohms", "Ω"),
    ("ore", "h"), ("ounce", "oz"), ("ounces", "oz"), ("oz", "oz"), ("oz.", "oz"), ("pa", "Pa"),
    ("pc", "pcs"), ("pcs", "pcs"), ("percent", "%"), ("piece", "pcs"), ("pieces", "pcs"),
    ("pint", "pt"), ("pints", "pt"), ("pixel", "px"), ("pixels", "px"), ("pollici", "in"),
    ("pouces", "in"), ("pound", "lb"), ("pounds", "lb"), ("ppi", "ppi"), ("prozent", "%"),
    ("psi", "psi"), ("pulgadas", "in"), ("px", "px"), ("qm", "m²"), ("rpm", "rpm"), ("s", "s"),
    ("sec", "s"), ("second", "s"), ("seconds", "s"), ("secs", "s"), ("sek", "s"),
    ("sekunden", "s"), ("set", "set"), ("sets", "set"), ("sf", "ft²"), ("sq ft", "ft²"),
    ("sq m", "m²"), ("sq. ft.", "ft²"), ("sq.ft", "ft²"), ("sq.ft.", "ft²"), ("sq.m.", "m²"),
    ("sqft", "ft²"), ("sqm", "m²"), ("square feet", "ft²"), ("std", "h"), ("stk", "pcs"),
    ("stunden", "h"), ("stück", "pcs"), ("t", "t"), ("tablespoon", "tbsp"),
    ("tablespoons", "tbsp"), ("tage", "d"), ("tb", "TB"), ("tbsp", "tbsp"), ("teaspoon", "tsp"),
    ("teaspoons", "tsp"), ("tib", "TB"), ("tonnes", "t"), ("tons", "t"), ("tsp", "tsp"),
    ("u/min", "rpm"), ("v", "V"), ("va", "VA"), ("volt", "V"), ("volts", "V"), ("w", "W"),
    ("watt", "W"), ("watts", "W"), ("week", "wk"), ("weeks", "wk"), ("wh", "Wh"),
    ("wochen", "wk"), ("x", "×"), ("yard", "yd"), ("yards", "yd"), ("yd", "yd"), ("year", "a"),
    ("years", "a"), ("yr", "a"), ("yrs", "a"), ("zentimeter", "cm"), ("zoll", "in"), ("°", "°"),
    ("°c", "°C"), ("°f", "°F"), ("µs", "µs"), ("×", "×"), ("Ω", "Ω"), ("μs", "µs"),
    ("’’", "in"), ("”", "in"), ("′", "ft"), ("″", "in"), ("℃", "°C"), ("℉", "°F"),
];

/// Reads a unit that the text ends with, after any space.
pub(super) fn unit_at_end(cursor: &mut Cursor<'_, '_>) -> Option<&'static str> {
    let mut at = *cursor;
    if !at.eat_space() {
        // 27-inch
        at.eat_mark(&['-']);
    }
    let unit = by_name(at.rest())?;
    at.skip_bytes(at.rest().len());
    *cursor = at;
    Some(unit)
}

/// Reads a unit and leaves what comes after it, for texts such as `10 cm x 20 cm`.
pub(super) fn unit(cursor: &mut Cursor<'_, '_>) -> Option<&'static str> {
    let mut at = *cursor;
    at.eat_space();
    let start = at;
    at.peek()?;
    at.skip(1);
    let end = start.rest().len() - at.rest().len();
    let unit = by_name(&start.rest()[..end]).filter(|&unit| unit != "×")?;
    *cursor = at;
    Some(unit)
}

fn by_name(name: &str) -> Option<&'static str> {
    look_up(UNITS, name).or_else(|| look_up(UNITS, Folded::new(name)?.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(UNITS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
