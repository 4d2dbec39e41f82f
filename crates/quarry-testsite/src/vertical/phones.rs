//! A shop for mobile phones: a few facets with many entities behind each value.

use super::{AttributeDef as A, Definition, Source};
use crate::format::Unit;
use crate::text::NameKind;

pub(crate) static PHONES: Definition = Definition {
    noun: ("phone", "phones"),
    root: "phones",
    site_names: &["{} Mobile", "Hello {}", "{} Phones"],
    slogans: &["Phones without the noise", "Talk, text, travel", "More signal, less fuss"],
    title: "{Brand} {Model} {Storage}",
    sentences: &[
        "The {Model} [feels lighter|lasts longer|charges faster] than [its predecessor|most of its class].",
        "A {Display} display [stays readable in the sun|is gentle at night|wakes at a touch].",
        "Its {Main camera} camera [likes low light|captures motion well|needs no tricks].",
        "With {Battery} it [runs for two days|survives a long weekend|outlives its owner's patience].",
        "{Brand} promises updates for [four|five|seven] years.",
        "The {~Color} case [hides fingerprints|is made of recycled glass|feels like stone].",
        "In our test it [survived a fall|connected everywhere|kept its calm].",
    ],
    action: "Add to cart",
    constant: "Free delivery",
    glyph: "M62 22h36a8 8 0 0 1 8 8v64a8 8 0 0 1-8 8h-36a8 8 0 0 1-8-8v-64a8 8 0 0 1 8-8Z",
    schema: "Product",
    attributes: &[
        A::new("Brand", Source::Invented { kind: NameKind::Brand, least: 10, per: 400, most: 40 })
            .facet()
            .list()
            .spec()
            .aliases(&["Manufacturer", "Maker"]),
        A::new("Model", Source::Name(NameKind::Model)).spec().group("Identity"),
        A::new("Storage", Source::One(&["128 GB", "256 GB", "64 GB", "512 GB", "1 TB", "32 GB"]))
            .facet()
            .spec()
            .aliases(&["Memory", "Capacity"]),
        A::new("RAM", Source::One(&["8 GB", "6 GB", "4 GB", "12 GB", "16 GB"]))
            .facet()
            .spec()
            .missing(0.1),
        A::new(
            "Color",
            Source::One(&["Black", "Silver", "Blue", "White", "Green", "Violet", "Gold", "Coral"]),
        )
        .facet()
        .list()
        .aliases(&["Colour"]),
        A::new("Condition", Source::One(&["New", "Refurbished", "Used", "Opened box"])).facet(),
        A::new("Network", Source::Several { of: &["5G", "4G", "3G", "Satellite"], min: 1, max: 3 })
            .facet()
            .spec()
            .group("Connections"),
        A::new("SIM", Source::Several { of: &["Nano-SIM", "eSIM", "Dual SIM"], min: 1, max: 2 })
            .facet()
            .group("Connections"),
        A::new("System", Source::One(&["Lumen OS", "Fennec", "Basalt", "KeyOS"]))
            .facet()
            .spec()
            .aliases(&["Operating system"]),
        A::new(
            "Features",
            Source::Several {
                of: &[
                    "Wireless charging",
                    "Waterproof",
                    "Fingerprint reader",
                    "Headphone jack",
                    "Stylus",
                    "Fast charging",
                    "Replaceable battery",
                    "Memory card slot",
                ],
                min: 0,
                max: 4,
            },
        )
        .facet(),
        A::new("Warranty", Source::One(&["2 years", "1 year", "3 years", "None"]))
            .facet()
            .missing(0.1),
        A::new("Seller", Source::Invented { kind: NameKind::Brand, least: 8, per: 500, most: 40 })
            .facet()
            .aliases(&["Sold by"]),
        A::new("Price", Source::Money { low: 4900, high: 140_000, by: "Brand" }).list().spec(),
        A::new(
            "Price range",
            Source::Band { of: "Price", edges: &[15_000, 30_000, 60_000, 90_000] },
        )
        .facet(),
        A::new("Display", Source::Number { low: 470, high: 700, step: 10, unit: Unit::Inch })
            .spec()
            .aliases(&["Screen size"])
            .group("Display"),
        A::new("Screen size", Source::Band { of: "Display", edges: &[550, 600, 650] })
            .facet()
            .aliases(&["Size class"]),
        A::new("Refresh rate", Source::One(&["60 Hz", "90 Hz", "120 Hz", "144 Hz"]))
            .spec()
            .missing(0.2)
            .group("Display"),
        A::new(
            "Main camera",
            Source::Number { low: 800, high: 20_000, step: 400, unit: Unit::Megapixel },
        )
        .spec()
        .group("Camera"),
        A::new(
            "Battery",
            Source::Number { low: 240_000, high: 620_000, step: 5000, unit: Unit::MilliampHour },
        )
        .spec()
        .aliases(&["Battery capacity"])
        .group("Power"),
        A::new("Weight", Source::Number { low: 450, high: 900, step: 5, unit: Unit::Ounce })
            .spec()
            .group("Body"),
        A::new("EAN", Source::Ean("40")).spec().missing(0.1).aliases(&["GTIN"]).group("Identity"),
        A::new("Released", Source::Date { from: 2019, to: 2026 })
            .spec()
            .missing(0.1)
            .group("Identity"),
        A::new("Rating", Source::Number { low: 250, high: 500, step: 10, unit: Unit::Star })
            .list()
            .missing(0.2),
    ],
};
