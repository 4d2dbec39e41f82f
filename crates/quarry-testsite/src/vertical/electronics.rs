//! A shop for electronics: three levels of categories, facets that make sense for some of them
//! only, and hundreds of attribute values.

use super::{AttributeDef as A, Definition, Source};
use crate::format::Unit;
use crate::text::NameKind;

const SCREENS: &[&str] = &["Televisions", "Monitors", "Projectors", "Laptops", "Tablets"];
const SOUND: &[&str] = &["Headphones", "Speakers", "Amplifiers", "Turntables"];
const COMPUTERS: &[&str] = &["Laptops", "Desktops", "Tablets"];

pub(crate) static ELECTRONICS: Definition = Definition {
    noun: ("product", "products"),
    root: "electronics",
    site_names: &["{} Electronics", "Circuit & {}", "{} Direct"],
    slogans: &["Things that work", "Plugged in since 1988", "Good gear, fair prices"],
    title: "{Brand} {Model} {Type}",
    sentences: &[
        "The {Brand} {Model} is [built for daily use|made to be repaired|tuned by ear].",
        "[Setting it up|Getting started] takes [five minutes|one cable|no account].",
        "Its {~Color} finish [resists scratches|hides dust|matches most rooms].",
        "It draws {Power} [at most|under load|when busy].",
        "Comes with {Connections} [and a long cable|out of the box|on the back].",
        "[Testers|Our staff|Early buyers] [liked|noticed] the [quiet fan|solid hinge|clear manual].",
        "The {~Warranty} warranty covers [parts and labour|the battery too|everything but water].",
    ],
    action: "Add to cart",
    constant: "In stock",
    glyph: "M36 32H124V84H88V92H104V98H56V92H72V84H36Z",
    schema: "Product",
    attributes: &[
        A::new(
            "Department",
            Source::One(&[
                "Computers",
                "Television",
                "Audio",
                "Photography",
                "Home",
                "Accessories",
            ]),
        )
        .facet()
        .spec(),
        A::new(
            "Type",
            Source::Under {
                parent: "Department",
                tree: &[
                    (
                        "Computers",
                        &["Laptops", "Desktops", "Tablets", "Monitors", "Printers", "Routers"],
                    ),
                    ("Television", &["Televisions", "Projectors", "Streaming boxes", "Soundbars"]),
                    (
                        "Audio",
                        &["Headphones", "Speakers", "Amplifiers", "Turntables", "Microphones"],
                    ),
                    ("Photography", &["Cameras", "Lenses", "Tripods", "Flashes", "Camera bags"]),
                    ("Home", &["Vacuum cleaners", "Kettles", "Coffee machines", "Fans", "Lamps"]),
                    ("Accessories", &["Cables", "Chargers", "Cases", "Batteries", "Memory cards"]),
                ],
            },
        )
        .facet()
        .spec()
        .aliases(&["Category", "Product type"])
        .after("Department"),
        A::new(
            "Line",
            Source::Under {
                parent: "Type",
                tree: &[
                    ("Laptops", &["Ultralight", "Gaming laptops", "Workstations", "Convertibles"]),
                    ("Televisions", &["OLED", "LED", "Outdoor televisions"]),
                    ("Headphones", &["In-ear", "Over-ear", "Studio headphones"]),
                    ("Cameras", &["Compact", "Mirrorless", "Instant", "Action cameras"]),
                    ("Speakers", &["Bookshelf", "Portable", "Floor-standing"]),
                ],
            },
        )
        .facet()
        .spec()
        .after("Type"),
        A::new("Brand", Source::Invented { kind: NameKind::Brand, least: 30, per: 12, most: 400 })
            .facet()
            .list()
            .spec()
            .aliases(&["Manufacturer", "Make"]),
        A::new("Model", Source::Name(NameKind::Model)).spec().aliases(&["Model name"]),
        A::new(
            "Color",
            Source::Several {
                of: &[
                    "Black", "White", "Silver", "Grey", "Blue", "Red", "Copper", "Green", "Walnut",
                    "Gold", "Pink", "Orange",
                ],
                min: 1,
                max: 3,
            },
        )
        .facet()
        .aliases(&["Colour", "Finish"]),
        A::new("Series", Source::Owned { kind: NameKind::Model, by: "Brand", each: 2 })
            .facet()
            .missing(0.5)
            .after("Brand"),
        A::new("Screen", Source::Number { low: 700, high: 8500, step: 100, unit: Unit::Inch })
            .spec()
            .when("Type", SCREENS)
            .aliases(&["Screen size", "Diagonal"])
            .group("Picture"),
        A::new("Screen class", Source::Band { of: "Screen", edges: &[1500, 2700, 4000, 5500] })
            .facet()
            .when("Type", SCREENS),
        A::new("Resolution", Source::One(&["Full HD", "4K", "QHD", "8K", "HD ready"]))
            .facet()
            .spec()
            .when("Type", SCREENS)
            .group("Picture"),
        A::new("Panel", Source::One(&["IPS", "VA", "OLED", "TN", "E-ink"]))
            .facet()
            .spec()
            .when("Type", SCREENS)
            .missing(0.2)
            .group("Picture"),
        A::new(
            "Processor",
            Source::Invented { kind: NameKind::Model, least: 18, per: 80, most: 60 },
        )
        .facet()
        .spec()
        .when("Type", COMPUTERS)
        .aliases(&["CPU"])
        .group("Computing"),
        A::new("Memory", Source::One(&["16 GB", "8 GB", "32 GB", "64 GB", "4 GB"]))
            .facet()
            .spec()
            .when("Type", COMPUTERS)
            .aliases(&["RAM"])
            .group("Computing"),
        A::new("Storage", Source::One(&["512 GB", "256 GB", "1 TB", "2 TB", "128 GB", "4 TB"]))
            .facet()
            .spec()
            .when("Type", COMPUTERS)
            .group("Computing"),
        A::new("Impedance", Source::One(&["32 ohm", "16 ohm", "8 ohm", "4 ohm", "250 ohm"]))
            .facet()
            .spec()
            .when("Type", SOUND)
            .group("Sound"),
        A::new("Noise cancelling", Source::One(&["Yes", "No", "Adaptive"]))
            .facet()
            .spec()
            .when("Type", &["Headphones"])
            .group("Sound"),
        A::new("Sensor", Source::One(&["Full frame", "APS-C", "Micro", "One inch"]))
            .facet()
            .spec()
            .when("Type", &["Cameras", "Lenses"])
            .group("Picture"),
        A::new("Mount", Source::One(&["K mount", "R9", "Vela", "Universal", "Q-lock"]))
            .facet()
            .spec()
            .when("Type", &["Cameras", "Lenses"])
            .group("Picture"),
        A::new("Cable length", Source::One(&["1 m", "2 m", "0.5 m", "3 m", "5 m", "10 m"]))
            .facet()
            .spec()
            .when("Type", &["Cables", "Chargers"]),
        A::new(
            "Connections",
            Source::Several {
                of: &[
                    "USB-C",
                    "HDMI",
                    "Bluetooth",
                    "Wi-Fi",
                    "Ethernet",
                    "USB-A",
                    "Optical",
                    "Phono",
                    "DisplayPort",
                    "NFC",
                ],
                min: 0,
                max: 4,
            },
        )
        .facet()
        .spec()
        .aliases(&["Ports", "Interfaces"]),
        A::new("Energy class", Source::One(&["A", "B", "C", "D", "E", "F"])).facet().missing(0.3),
        A::new("Warranty", Source::One(&["2 years", "1 year", "3 years", "5 years"]))
            .facet()
            .spec()
            .missing(0.1),
        A::new("Power", Source::Number { low: 100, high: 240_000, step: 500, unit: Unit::Watt })
            .spec()
            .missing(0.3)
            .aliases(&["Power consumption"]),
        A::new("Weight", Source::Number { low: 20, high: 4200, step: 10, unit: Unit::Pound })
            .spec()
            .missing(0.1),
        A::new("Price", Source::Money { low: 900, high: 240_000, by: "Type" }).list().spec(),
        A::new(
            "Price range",
            Source::Band { of: "Price", edges: &[5000, 15_000, 40_000, 100_000] },
        )
        .facet(),
        A::new("Article number", Source::Code("@##-####")).spec().aliases(&["SKU", "MPN"]),
        A::new("EAN", Source::Ean("50")).spec().missing(0.1).aliases(&["GTIN"]),
        A::new("Rating", Source::Number { low: 250, high: 500, step: 10, unit: Unit::Star })
            .list()
            .missing(0.3),
    ],
};
