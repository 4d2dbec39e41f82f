//! A restaurant guide: names, addresses and telephone numbers that every guide spells in its own
//! way.

use super::{AttributeDef as A, Definition, Source};
use crate::format::Unit;
use crate::text::NameKind;

pub(crate) static RESTAURANTS: Definition = Definition {
    noun: ("restaurant", "restaurants"),
    root: "restaurants",
    site_names: &["{} Eats", "Forks of {}", "The {} Guide"],
    slogans: &["Where to eat tonight", "Tables worth the walk", "Eat well, stay long"],
    title: "{Name}",
    sentences: &[
        "{Name} has been [a fixture|a secret|the meeting place] of the {Neighborhood} [for years|since it opened].",
        "The kitchen is {Cuisine}, with [a short menu|a wood oven|a list of wines by the glass].",
        "[Book ahead|Come early|Expect a queue] on [Fridays|market days|summer evenings].",
        "Guests [return for|talk about|photograph] the [dumplings|grilled fish|lemon tart|flatbread].",
        "There are {Seats} seats, [half of them outside|most by the window|around one long table].",
        "Call {Phone} [to reserve|for larger groups|before noon].",
        "The [lunch|tasting menu|set dinner] is [a bargain|generous|worth the detour].",
    ],
    action: "Reserve a table",
    constant: "Open today",
    glyph: "M38 84Q40 44 80 42Q120 44 122 84ZM32 88H128V94H32ZM76 34h8v8h-8Z",
    schema: "Restaurant",
    attributes: &[
        A::new("Name", Source::Name(NameKind::House)),
        A::new(
            "Cuisine",
            Source::One(&[
                "American",
                "Italian",
                "Mexican",
                "Chinese",
                "French",
                "Indian",
                "Thai",
                "Greek",
                "Japanese",
                "Spanish",
                "Lebanese",
                "Korean",
                "Ethiopian",
                "Peruvian",
            ]),
        )
        .facet()
        .list()
        .spec()
        .aliases(&["Food", "Kitchen"]),
        A::new("City", Source::Invented { kind: NameKind::Town, least: 6, per: 200, most: 40 })
            .facet()
            .spec()
            .aliases(&["Town"]),
        A::new(
            "Neighborhood",
            Source::Invented { kind: NameKind::Quarter, least: 14, per: 60, most: 80 },
        )
        .facet()
        .list()
        .spec()
        .aliases(&["Area", "District"]),
        A::new("Address", Source::Address { town: "City" })
            .list()
            .spec()
            .aliases(&["Location", "Where"]),
        A::new("Phone", Source::Phone).list().spec().missing(0.05).aliases(&["Telephone", "Call"]),
        A::new(
            "Price level",
            Source::One(&["Moderate", "Inexpensive", "Expensive", "Very expensive"]),
        )
        .facet()
        .spec()
        .aliases(&["Cost"]),
        A::new(
            "Features",
            Source::Several {
                of: &[
                    "Outdoor seating",
                    "Delivery",
                    "Takeout",
                    "Live music",
                    "Full bar",
                    "Wheelchair access",
                    "Parking",
                    "Private room",
                    "Wi-Fi",
                    "Late night",
                    "Fireplace",
                    "Family friendly",
                ],
                min: 1,
                max: 6,
            },
        )
        .facet()
        .spec()
        .aliases(&["Amenities"]),
        A::new(
            "Meals",
            Source::Several {
                of: &["Dinner", "Lunch", "Brunch", "Breakfast", "Late supper"],
                min: 1,
                max: 3,
            },
        )
        .facet()
        .spec()
        .aliases(&["Served"]),
        A::new(
            "Dietary options",
            Source::Several {
                of: &["Vegetarian", "Vegan", "Gluten-free", "Halal", "Kosher"],
                min: 0,
                max: 2,
            },
        )
        .facet()
        .spec(),
        A::new("Dress", Source::One(&["Casual", "Smart casual", "Formal"]))
            .facet()
            .spec()
            .missing(0.2),
        A::new("Seats", Source::Number { low: 1600, high: 22_000, step: 200, unit: Unit::None })
            .spec()
            .missing(0.2)
            .aliases(&["Capacity"]),
        A::new("Opened", Source::Date { from: 1961, to: 2026 })
            .spec()
            .missing(0.3)
            .aliases(&["Since"]),
        A::new(
            "Hours",
            Source::Phrase("[Mon|Tue|Wed]-[Sat|Sun] [11|12|17]:[00|30]-[22|23]:[00|30]"),
        )
        .spec()
        .missing(0.1)
        .aliases(&["Opening hours"]),
        A::new("Rating", Source::Number { low: 250, high: 500, step: 10, unit: Unit::Star })
            .list()
            .missing(0.1),
    ],
};
