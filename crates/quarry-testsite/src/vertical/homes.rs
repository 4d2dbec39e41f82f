//! Houses and flats for sale: almost everything is learned from the filters only.

use super::{AttributeDef as A, Definition, Source};
use crate::format::Unit;
use crate::text::NameKind;

pub(crate) static HOMES: Definition = Definition {
    noun: ("home", "homes"),
    root: "homes",
    site_names: &["{} Homes", "{} & Partners Estate", "Key of {}"],
    slogans: &["Find your front door", "Homes with room to think", "Moving, made calm"],
    title: "{Address}",
    sentences: &[
        "A [bright|quiet|characterful|newly painted] place [close to|a short walk from] the [market|river|tram].",
        "The [living room|kitchen|hall] [faces south|opens to the garden|has its old tiles].",
        "Offered at {Price}, [viewings by appointment|open house on Sunday].",
        "[Schools|Bakeries|Two parks] are [around the corner|within ten minutes].",
        "With {Floor area} there is [room for a desk|space for guests|a place for everything].",
        "The [roof|heating|wiring] was [renewed|checked|replaced] [recently|two winters ago].",
        "[Neighbours|The sellers|Previous owners] [planted the pear tree|restored the stairs|kept every receipt].",
    ],
    action: "Arrange a viewing",
    constant: "For sale",
    glyph: "M40 64L80 30L120 64H110V96H50V64Z",
    schema: "Residence",
    attributes: &[
        A::new("City", Source::Invented { kind: NameKind::Town, least: 5, per: 300, most: 30 })
            .facet(),
        A::new(
            "Neighborhood",
            Source::Invented { kind: NameKind::Quarter, least: 8, per: 80, most: 80 },
        )
        .facet()
        .aliases(&["Area", "District"]),
        A::new("Address", Source::Address { town: "City" }).spec().aliases(&["Location"]),
        A::new(
            "Property type",
            Source::One(&["Apartment", "Single family", "Townhouse", "Condo", "Loft", "Farmhouse"]),
        )
        .facet()
        .aliases(&["Type of home"]),
        A::new(
            "Bedrooms",
            Source::One(&[
                "2 bedrooms",
                "3 bedrooms",
                "1 bedroom",
                "4 bedrooms",
                "Studio",
                "5 bedrooms",
            ]),
        )
        .facet()
        .aliases(&["Beds"]),
        A::new("Bathrooms", Source::One(&["1 bath", "2 baths", "3 baths", "4 baths"]))
            .facet()
            .aliases(&["Baths"]),
        A::new(
            "Features",
            Source::Several {
                of: &[
                    "Balcony",
                    "Garage",
                    "Garden",
                    "Fireplace",
                    "Elevator",
                    "Pool",
                    "Cellar",
                    "Air conditioning",
                    "Sea view",
                    "Solar roof",
                    "Doorman",
                    "Pets allowed",
                ],
                min: 1,
                max: 5,
            },
        )
        .facet()
        .aliases(&["Amenities"]),
        A::new(
            "Condition",
            Source::One(&["Move-in ready", "Renovated", "Needs work", "New build"]),
        )
        .facet()
        .missing(0.15),
        A::new(
            "Heating",
            Source::One(&["Gas", "Heat pump", "District heating", "Wood", "Electric"]),
        )
        .facet()
        .missing(0.2),
        A::new("Price", Source::Money { low: 9_500_000, high: 190_000_000, by: "Neighborhood" })
            .list()
            .spec()
            .aliases(&["Asking price"]),
        A::new(
            "Price range",
            Source::Band { of: "Price", edges: &[20_000_000, 40_000_000, 80_000_000, 120_000_000] },
        )
        .facet(),
        A::new(
            "Floor area",
            Source::Number { low: 32_000, high: 420_000, step: 1000, unit: Unit::SquareFoot },
        )
        .list()
        .spec()
        .aliases(&["Living space", "Size"]),
        A::new("Listed", Source::Date { from: 2025, to: 2026 })
            .spec()
            .aliases(&["On the market since"]),
        A::new("Reference", Source::Code("@@-#####")).spec().aliases(&["Listing ID"]),
    ],
};
