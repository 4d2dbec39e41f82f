//! A shoe shop: departments with categories below them, brands with price levels, several colours
//! per shoe.

use super::{AttributeDef as A, Definition, Source};
use crate::format::Unit;
use crate::text::NameKind;

pub(crate) static SHOES: Definition = Definition {
    noun: ("shoe", "shoes"),
    root: "shoes",
    site_names: &["{} Shoes", "Stride & {}", "{} Footwear", "The {} Sole"],
    slogans: &["Shoes for every road", "Well made, well worn", "Step out since 1974"],
    title: "{Brand} {Model} {Category}",
    sentences: &[
        "The {Model} is a [light|sturdy|quietly elegant|no-nonsense] {~Category} for {~Occasion}.",
        "Its upper is made of {~Material}, with a lining that [breathes|keeps its shape|stays dry].",
        "[Choose|Pick|Wear] it in {~Color}.",
        "A {~Closure} closure holds the foot [firmly|gently|without pressure].",
        "[Customers|Walkers|Reviewers] praise the [cushioned insole|even stitching|grip on wet stone].",
        "{Brand} has [resoled|repaired|refined] this last [over many seasons|since its first shop].",
        "The {~Heel} heel is [capped with rubber|stacked by hand|set slightly back].",
        "[Runs true to size|Take half a size more|Fits narrow feet well], say [most|nine in ten] buyers.",
    ],
    action: "Add to cart",
    constant: "In stock",
    glyph: "M30 80Q34 52 62 58L92 72Q118 76 128 84Q130 92 124 92H34Q28 90 30 80Z",
    schema: "Product",
    attributes: &[
        A::new("Department", Source::One(&["Women", "Men", "Girls", "Boys"])).facet().spec(),
        A::new(
            "Category",
            Source::Under {
                parent: "Department",
                tree: &[
                    (
                        "Women",
                        &["Boots", "Sneakers", "Sandals", "Pumps", "Flats", "Loafers", "Slippers"],
                    ),
                    ("Men", &["Sneakers", "Boots", "Oxfords", "Loafers", "Sandals", "Slippers"]),
                    ("Girls", &["Sneakers", "Sandals", "Ballerinas", "Boots"]),
                    ("Boys", &["Sneakers", "Boots", "Sandals", "Clogs"]),
                ],
            },
        )
        .facet()
        .spec()
        .aliases(&["Type", "Style"])
        .after("Department"),
        A::new("Brand", Source::Invented { kind: NameKind::Brand, least: 12, per: 60, most: 120 })
            .facet()
            .list()
            .spec()
            .aliases(&["Manufacturer", "Label", "Make"]),
        A::new("Model", Source::Name(NameKind::Model)).spec(),
        A::new(
            "Color",
            Source::Several {
                of: &[
                    "Black", "Brown", "White", "Navy", "Grey", "Red", "Tan", "Green", "Pink",
                    "Beige", "Burgundy", "Silver", "Yellow", "Purple",
                ],
                min: 1,
                max: 3,
            },
        )
        .facet()
        .list()
        .aliases(&["Colour", "Shade"]),
        A::new(
            "Material",
            Source::One(&[
                "Leather",
                "Suede",
                "Canvas",
                "Mesh",
                "Textile",
                "Rubber",
                "Cork",
                "Wool felt",
            ]),
        )
        .facet()
        .spec()
        .missing(0.08)
        .aliases(&["Upper material", "Fabric"])
        .group("Construction"),
        A::new("Price", Source::Money { low: 1900, high: 26_000, by: "Brand" })
            .list()
            .spec()
            .aliases(&["Our price", "Cost"]),
        A::new("Price range", Source::Band { of: "Price", edges: &[3000, 6000, 10_000, 15_000] })
            .facet()
            .aliases(&["Budget"]),
        A::new(
            "Size",
            Source::Several {
                of: &["38", "39", "40", "37", "41", "42", "36", "43", "44", "45", "35", "46"],
                min: 2,
                max: 7,
            },
        )
        .facet()
        .aliases(&["Available sizes"]),
        A::new(
            "Occasion",
            Source::Several {
                of: &[
                    "Everyday", "Office", "Hiking", "Running", "Party", "Travel", "Wedding", "Work",
                ],
                min: 0,
                max: 2,
            },
        )
        .facet()
        .aliases(&["Use"]),
        A::new("Closure", Source::One(&["Lace-up", "Slip-on", "Zip", "Buckle", "Hook and loop"]))
            .facet()
            .spec()
            .missing(0.15)
            .group("Construction"),
        A::new("Heel", Source::One(&["Flat", "Low", "Block", "Wedge", "Stiletto", "Kitten"]))
            .facet()
            .spec()
            .when("Category", &["Pumps", "Boots", "Sandals"])
            .aliases(&["Heel type"])
            .group("Construction"),
        A::new("Width", Source::One(&["Medium", "Wide", "Narrow", "Extra wide"]))
            .facet()
            .missing(0.3)
            .aliases(&["Fit"]),
        A::new("Weight", Source::Number { low: 600, high: 4800, step: 10, unit: Unit::Ounce })
            .spec()
            .missing(0.2)
            .group("Measures"),
        A::new("Shaft height", Source::Number { low: 300, high: 1800, step: 25, unit: Unit::Inch })
            .spec()
            .when("Category", &["Boots"])
            .group("Measures"),
        A::new("Rating", Source::Number { low: 260, high: 500, step: 10, unit: Unit::Star })
            .list()
            .missing(0.25),
        A::new("Article number", Source::Code("@@####-##"))
            .spec()
            .aliases(&["SKU", "Item no."])
            .group("Order"),
        A::new("EAN", Source::Ean("40")).spec().missing(0.1).aliases(&["GTIN"]).group("Order"),
        A::new("Available from", Source::Date { from: 2022, to: 2026 })
            .spec()
            .missing(0.4)
            .group("Order"),
    ],
};
