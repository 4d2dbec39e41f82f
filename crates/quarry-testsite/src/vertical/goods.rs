//! The nine categories of the web's shops, those of the DEXTER paper: what they have in common, and what is their own.

use super::{AttributeDef as A, Definition, Source};
use crate::format::{Unit, choices};
use crate::text::NameKind;

choices! {
    /// What shops of a generated web sell.
    Category {
        /// Cameras.
        Camera,
        /// Kitchen knives.
        Cutlery,
        /// Headphones.
        Headphone,
        /// Monitors.
        Monitor,
        /// Notebooks.
        Notebook,
        /// Software.
        Software,
        /// Sunglasses.
        Sunglass,
        /// Toilets.
        Toilet,
        /// Televisions.
        Television,
    }
}

impl Category {
    /// Its name as shops print it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.definition().noun.1
    }

    /// How common shops for it are, beside others; after the paper's Table 1.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Self::Camera => 4.0,
            Self::Monitor | Self::Television => 3.2,
            Self::Notebook => 2.2,
            Self::Headphone | Self::Sunglass => 1.8,
            Self::Software => 1.6,
            Self::Cutlery => 1.3,
            Self::Toilet => 0.8,
        }
    }

    pub(crate) fn definition(self) -> &'static Definition {
        match self {
            Self::Camera => &CAMERAS,
            Self::Cutlery => &KNIVES,
            Self::Headphone => &HEADPHONES,
            Self::Monitor => &MONITORS,
            Self::Notebook => &NOTEBOOKS,
            Self::Software => &SOFTWARE,
            Self::Sunglass => &SUNGLASSES,
            Self::Toilet => &TOILETS,
            Self::Television => &TELEVISIONS,
        }
    }
}

/// A category: names, prefix of its EANs, range of prices in cents, kinds, and attributes of its own between those that all
/// goods have.
macro_rules! goods {
    ($name:ident, $one:literal, $many:literal, $ean:literal, $low:literal, $high:literal,
     [$($kind:literal),*], [$($attribute:expr),* $(,)?]) => {
        static $name: Definition = Definition {
            noun: ($one, $many),
            root: $many,
            site_names: &["{} Store", "{} & Sons", "The {} Shop", "{} Direct", "{} Online"],
            slogans: &["Good things, fair prices", "Chosen with care since 1981", "Compare before you buy"],
            title: "{Brand} {Model} {Type}",
            sentences: &[
                "The {Brand} {Model} is [made to last|easy to live with|a quiet favourite].",
                "[Buyers|Our staff|Testers] [like|praise|mention] its [finish|manual|packaging].",
                "{Brand} gives {~Warranty} of warranty, [no questions asked|in writing|as usual].",
            ],
            action: "Add to cart",
            constant: "In stock",
            glyph: "M36 32H124V84H88V92H104V98H56V92H72V84H36Z",
            schema: "Product",
            attributes: &[
                A::new("Type", Source::One(&[$($kind),*])).facet().spec()
                    .aliases(&["Category", "Product type"]),
                A::new("Brand", Source::Invented { kind: NameKind::Brand, least: 14, per: 25, most: 40 })
                    .facet().list().spec().aliases(&["Manufacturer", "Maker"]),
                A::new("Model", Source::Name(NameKind::Model)).spec().aliases(&["Model name", "Model number"]),
                $($attribute,)*
                A::new("Color", Source::One(&["Black", "Silver", "White", "Grey", "Blue", "Red"]))
                    .facet().spec().missing(0.1).aliases(&["Colour", "Finish"]),
                A::new("Warranty", Source::One(&["2 years", "1 year", "3 years", "5 years"]))
                    .spec().missing(0.2).aliases(&["Guarantee"]),
                A::new("Price", Source::Money { low: $low, high: $high, by: "Brand" }).list().spec()
                    .aliases(&["Our price"]),
                A::new("EAN", Source::Ean($ean)).spec().missing(0.06).aliases(&["GTIN", "EAN-13"])
                    .group("Identity"),
                A::new("MPN", Source::Code("@@##@###")).spec().missing(0.06)
                    .aliases(&["Part number", "Manufacturer number"]).group("Identity"),
                A::new("Rating", Source::Number { low: 250, high: 500, step: 10, unit: Unit::Star })
                    .list().missing(0.3),
            ],
        };
    };
}

goods!(
    CAMERAS,
    "camera",
    "cameras",
    "40",
    9_900,
    240_000,
    ["Compact camera", "Mirrorless camera", "Action camera", "Instant camera"],
    [
        A::new(
            "Resolution",
            Source::Number { low: 800, high: 6_000, step: 100, unit: Unit::Megapixel }
        )
        .spec()
        .aliases(&["Megapixels", "Effective pixels"])
        .group("Sensor"),
        A::new("Sensor", Source::One(&["APS-C", "Full frame", "Four thirds", "1 inch"]))
            .facet()
            .spec()
            .aliases(&["Sensor format"])
            .group("Sensor"),
        A::new("Zoom", Source::One(&["3x", "5x", "10x", "24x", "None"]))
            .spec()
            .missing(0.1)
            .aliases(&["Optical zoom"])
            .group("Optics"),
        A::new("Lens mount", Source::One(&["Fixed", "E", "RF", "Z", "L"]))
            .facet()
            .spec()
            .group("Optics"),
        A::new("Shutter", Source::One(&["1/4000 s", "1/8000 s", "1/2000 s"]))
            .spec()
            .missing(0.2)
            .aliases(&["Fastest shutter"])
            .group("Sensor"),
    ]
);
goods!(
    KNIVES,
    "knife",
    "knives",
    "41",
    900,
    39_000,
    ["Chef's knife", "Bread knife", "Paring knife", "Santoku"],
    [
        A::new(
            "Blade length",
            Source::Number { low: 300, high: 1_200, step: 50, unit: Unit::Inch }
        )
        .spec()
        .aliases(&["Length of blade"])
        .group("Blade"),
        A::new("Steel", Source::One(&["X50CrMoV15", "VG-10", "SG2", "440A", "Carbon steel"]))
            .facet()
            .spec()
            .aliases(&["Blade steel"])
            .group("Blade"),
        A::new("Hardness", Source::One(&["56 HRC", "58 HRC", "60 HRC", "62 HRC"]))
            .spec()
            .missing(0.2)
            .group("Blade"),
        A::new("Handle", Source::One(&["Oak", "Walnut", "Pakka wood", "Plastic"]))
            .facet()
            .spec()
            .aliases(&["Handle material"]),
        A::new("Dishwasher safe", Source::One(&["No", "Yes"])).spec().missing(0.3),
    ]
);
goods!(
    HEADPHONES,
    "headphone",
    "headphones",
    "42",
    1_900,
    59_000,
    ["In-ear headphones", "Over-ear headphones", "On-ear headphones"],
    [
        A::new("Impedance", Source::One(&["32 ohm", "16 ohm", "64 ohm", "250 ohm"]))
            .spec()
            .group("Sound"),
        A::new("Driver", Source::One(&["40 mm", "50 mm", "10 mm", "6 mm"]))
            .spec()
            .aliases(&["Driver size"])
            .group("Sound"),
        A::new("Noise cancelling", Source::One(&["Yes", "No", "Adaptive"]))
            .facet()
            .spec()
            .group("Sound"),
        A::new(
            "Battery life",
            Source::Number { low: 500, high: 6_000, step: 100, unit: Unit::Hour }
        )
        .spec()
        .missing(0.2)
        .aliases(&["Playing time"])
        .group("Power"),
        A::new("Connection", Source::One(&["Bluetooth", "3.5 mm jack", "USB-C"])).facet().spec(),
    ]
);
goods!(
    MONITORS,
    "monitor",
    "monitors",
    "43",
    8_900,
    150_000,
    ["Office monitor", "Gaming monitor", "Graphics monitor"],
    [
        A::new("Diagonal", Source::Number { low: 1_900, high: 4_900, step: 100, unit: Unit::Inch })
            .spec()
            .aliases(&["Screen size", "Display size"])
            .group("Panel"),
        A::new("Native resolution", Source::One(&["1920 x 1080", "2560 x 1440", "3840 x 2160"]))
            .facet()
            .spec()
            .group("Panel"),
        A::new("Panel type", Source::One(&["IPS", "VA", "TN", "OLED"]))
            .facet()
            .spec()
            .group("Panel"),
        A::new("Response time", Source::One(&["1 ms", "4 ms", "5 ms", "8 ms"]))
            .spec()
            .missing(0.1)
            .group("Panel"),
        A::new("Refresh rate", Source::One(&["60 Hz", "75 Hz", "144 Hz", "240 Hz"])).facet().spec(),
        A::new("VESA mount", Source::One(&["100 x 100", "75 x 75", "None"])).spec().missing(0.2),
    ]
);
goods!(
    NOTEBOOKS,
    "notebook",
    "notebooks",
    "44",
    29_900,
    320_000,
    ["Ultrabook", "Gaming notebook", "Convertible", "Workstation"],
    [
        A::new("Processor", Source::One(&["Corva 5", "Corva 7", "Tessel 400", "Tessel 800"]))
            .facet()
            .spec()
            .aliases(&["CPU"])
            .group("Computing"),
        A::new("Memory", Source::One(&["8 GB", "16 GB", "32 GB", "64 GB"]))
            .facet()
            .spec()
            .aliases(&["RAM"])
            .group("Computing"),
        A::new("Hard drive", Source::One(&["256 GB SSD", "512 GB SSD", "1 TB SSD"]))
            .facet()
            .spec()
            .aliases(&["Storage"])
            .group("Computing"),
        A::new("Graphics", Source::One(&["Integrated", "Vantix 40", "Vantix 60"]))
            .spec()
            .aliases(&["Graphics card"])
            .group("Computing"),
        A::new("Keyboard", Source::One(&["US", "UK", "German", "French"])).spec().missing(0.2),
        A::new("Operating system", Source::One(&["Lumen OS", "Basalt", "None"])).spec(),
    ]
);
goods!(
    SOFTWARE,
    "software title",
    "software",
    "45",
    1_900,
    90_000,
    ["Office software", "Accounting software", "Photo software", "Antivirus software"],
    [
        A::new("Licence", Source::One(&["1 user", "3 users", "5 devices", "Site"]))
            .facet()
            .spec()
            .aliases(&["License type"]),
        A::new("Platform", Source::One(&["Basalt", "Lumen OS", "KeyOS"]))
            .facet()
            .spec()
            .aliases(&["System requirements"]),
        A::new("Language", Source::One(&["English", "German", "French", "Multilingual"]))
            .facet()
            .spec(),
        A::new("Version", Source::One(&["2024", "2025", "2026"])).spec(),
        A::new("Medium", Source::One(&["Download", "DVD", "Key card"]))
            .spec()
            .missing(0.2)
            .aliases(&["Media"]),
    ]
);
goods!(
    SUNGLASSES,
    "pair of sunglasses",
    "sunglasses",
    "46",
    1_500,
    45_000,
    ["Aviator sunglasses", "Round sunglasses", "Sport sunglasses"],
    [
        A::new("Lens", Source::One(&["Polarised", "Mirrored", "Gradient", "Photochromic"]))
            .facet()
            .spec()
            .aliases(&["Lens type"])
            .group("Lens"),
        A::new("UV protection", Source::One(&["UV 400", "UV 380", "100 %"])).spec().group("Lens"),
        A::new("Frame", Source::One(&["Acetate", "Titanium", "Steel", "Nylon"]))
            .facet()
            .spec()
            .aliases(&["Frame material"]),
        A::new("Bridge", Source::One(&["16 mm", "18 mm", "20 mm"]))
            .spec()
            .missing(0.2)
            .aliases(&["Bridge width"]),
        A::new("Gender", Source::One(&["Unisex", "Women", "Men"])).facet().spec(),
    ]
);
goods!(
    TOILETS,
    "toilet",
    "toilets",
    "47",
    7_900,
    190_000,
    ["Wall-hung toilet", "Close-coupled toilet", "One-piece toilet"],
    [
        A::new("Flush", Source::One(&["6/3 l", "4.5/3 l", "6 l"]))
            .spec()
            .aliases(&["Flush volume"])
            .group("Water"),
        A::new("Outlet", Source::One(&["Horizontal", "Vertical"])).facet().spec().group("Water"),
        A::new("Ceramic", Source::One(&["Vitreous china", "Glazed porcelain"])).spec(),
        A::new("Seat", Source::One(&["Soft close", "Standard", "Not included"]))
            .facet()
            .spec()
            .aliases(&["Toilet seat"]),
        A::new("Rimless", Source::One(&["Yes", "No"])).facet().spec().missing(0.1),
    ]
);
goods!(
    TELEVISIONS,
    "television",
    "televisions",
    "48",
    14_900,
    480_000,
    ["LED television", "OLED television", "Outdoor television"],
    [
        A::new(
            "Screen size",
            Source::Number { low: 2_400, high: 8_500, step: 100, unit: Unit::Inch }
        )
        .spec()
        .aliases(&["Diagonal", "Screen diagonal"])
        .group("Picture"),
        A::new("Picture format", Source::One(&["4K", "Full HD", "8K", "HD ready"]))
            .facet()
            .spec()
            .aliases(&["Definition"])
            .group("Picture"),
        A::new("HDR", Source::One(&["HDR10", "HDR10+", "Dolby Vision", "None"]))
            .facet()
            .spec()
            .group("Picture"),
        A::new("Tuner", Source::One(&["DVB-T2", "DVB-C", "DVB-S2", "ATSC"])).spec().missing(0.1),
        A::new("Energy class", Source::One(&["E", "F", "G", "D"])).facet().spec().missing(0.1),
        A::new("Speakers", Source::One(&["2 x 10 W", "2 x 20 W", "2.1"]))
            .spec()
            .missing(0.2)
            .aliases(&["Sound output"]),
    ]
);
