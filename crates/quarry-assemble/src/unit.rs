//! Converts units of measure.

/// Unit, what it measures (by the unit that the factor leads to), factor. Units are those of `quarry_value`.
#[rustfmt::skip]
const UNITS: &[(&str, &str, f64)] = &[
    ("A", "A", 1.0), ("Ah", "Ah", 1.0), ("B", "B", 1.0), ("GB", "B", 1e9), ("GB/s", "B/s", 1e9),
    ("GHz", "Hz", 1e9), ("Gbit/s", "bit/s", 1e9), ("Hz", "Hz", 1.0), ("MB", "B", 1e6),
    ("MB/s", "B/s", 1e6), ("MHz", "Hz", 1e6), ("MW", "W", 1e6), ("Mbit/s", "bit/s", 1e6),
    ("Pa", "Pa", 1.0), ("TB", "B", 1e12), ("V", "V", 1.0), ("W", "W", 1.0), ("Wh", "Wh", 1.0),
    ("ac", "m²", 4_046.856_422_4), ("bar", "Pa", 1e5), ("cl", "l", 0.01), ("cm", "m", 0.01),
    ("cm²", "m²", 1e-4), ("cm³", "l", 0.001), ("d", "s", 86_400.0), ("dl", "l", 0.1),
    ("fl oz", "l", 0.029_573_529_562_5), ("ft", "m", 0.3048), ("ft²", "m²", 0.092_903_04),
    ("g", "g", 1.0), ("gal", "l", 3.785_411_784), ("h", "s", 3600.0), ("hPa", "Pa", 100.0),
    ("ha", "m²", 1e4), ("in", "m", 0.0254), ("kB", "B", 1e3), ("kHz", "Hz", 1e3),
    ("kWh", "Wh", 1e3), ("kbit/s", "bit/s", 1e3), ("kg", "g", 1e3), ("km", "m", 1e3),
    ("kW", "W", 1e3), ("l", "l", 1.0), ("lb", "g", 453.592_37), ("m", "m", 1.0),
    ("mA", "A", 1e-3), ("mAh", "Ah", 1e-3), ("mV", "V", 1e-3), ("mW", "W", 1e-3),
    ("mg", "g", 1e-3), ("mi", "m", 1_609.344), ("min", "s", 60.0), ("ml", "l", 1e-3),
    ("mm", "m", 1e-3), ("mm²", "m²", 1e-6), ("ms", "s", 1e-3), ("m²", "m²", 1.0),
    ("m³", "l", 1e3), ("oz", "g", 28.349_523_125), ("psi", "Pa", 6_894.757_293),
    ("pt", "l", 0.473_176_473), ("s", "s", 1.0), ("t", "g", 1e6), ("wk", "s", 604_800.0),
    ("yd", "m", 0.9144),
];

/// The unit that a unit is a multiple of, and how many of them it is; itself if nothing else is known.
pub(crate) fn base(unit: &'static str) -> (&'static str, f64) {
    let known = UNITS.iter().find(|(name, ..)| *name == unit);
    known.map_or((unit, 1.0), |&(_, base, factor)| (base, factor))
}

/// A number of one unit in another, if both measure the same.
pub(crate) fn convert(number: f64, from: &'static str, to: &'static str) -> Option<f64> {
    if from == to {
        return Some(number);
    }
    let ((from, times), (to, by)) = (base(from), base(to));
    (from == to).then(|| number * times / by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_one_measure_convert() {
        assert_eq!(convert(27.0, "in", "cm").map(|cm| (cm * 100.0).round()), Some(6858.0));
        assert_eq!(convert(1.0, "TB", "GB"), Some(1000.0));
        assert_eq!(convert(1.0, "kg", "cm"), None);
        assert_eq!(convert(3.0, "fps", "fps"), Some(3.0));
        assert_eq!(convert(2860.0, "ft²", "ft²"), Some(2860.0));
    }
}
