//! A bookshop: authors, ISBNs, several subjects per book.

use super::{AttributeDef as A, Definition, Source};
use crate::format::Unit;
use crate::text::NameKind;

pub(crate) static BOOKS: Definition = Definition {
    noun: ("book", "books"),
    root: "books",
    site_names: &["{} Books", "The {} Shelf", "{} & Daughters, Booksellers"],
    slogans: &["Books that stay with you", "Read slowly", "A shelf for everyone"],
    title: "{Name}",
    sentences: &[
        "{Author} [returns|arrives|begins] with a [quiet|sprawling|restless|funny] book about [loss|work|the sea|siblings].",
        "First published by {Publisher}, it [sold out in weeks|found its readers slowly|won over critics].",
        "At {Pages} it is [short enough for a train ride|a book for long evenings|perfect for a weekend].",
        "Readers of {~Subject} will [recognise the landscape|feel at home|find new questions].",
        "The {~Format} edition has [deckled edges|a new foreword|notes by the translator].",
        "[Every chapter|The last page|One letter] [changes the story|asks to be read again|is set in winter].",
        "It was translated from {Original language} [with great care|for the first time|by two friends].",
    ],
    action: "Add to basket",
    constant: "Ships within two days",
    glyph: "M42 32Q62 24 80 34Q98 24 118 32V90Q98 82 80 92Q62 82 42 90Z",
    schema: "Book",
    attributes: &[
        A::new("Name", Source::Name(NameKind::Book)),
        A::new("Author", Source::People { pool: 160, max: 2 })
            .list()
            .spec()
            .aliases(&["Written by", "Authors"]),
        A::new(
            "Subject",
            Source::Several {
                of: &[
                    "Fiction",
                    "History",
                    "Science",
                    "Travel",
                    "Biography",
                    "Cooking",
                    "Crime",
                    "Poetry",
                    "Art",
                    "Philosophy",
                    "Gardening",
                    "Music",
                    "Economics",
                    "Children",
                ],
                min: 1,
                max: 3,
            },
        )
        .facet()
        .aliases(&["Topic", "Category", "Genre"]),
        A::new("Format", Source::One(&["Paperback", "Hardcover", "E-book", "Audiobook"]))
            .facet()
            .list()
            .spec()
            .aliases(&["Binding"]),
        A::new(
            "Publisher",
            Source::Invented { kind: NameKind::Brand, least: 10, per: 80, most: 90 },
        )
        .facet()
        .spec()
        .aliases(&["Published by", "Imprint"]),
        A::new(
            "Language",
            Source::One(&["English", "German", "French", "Spanish", "Italian", "Dutch", "Polish"]),
        )
        .facet()
        .spec(),
        A::new(
            "Original language",
            Source::One(&["French", "Japanese", "Russian", "Portuguese", "Norwegian", "Arabic"]),
        )
        .facet()
        .missing(0.7),
        A::new(
            "Reading age",
            Source::One(&["Adult", "Young adult", "8 to 12", "5 to 8", "Under 5"]),
        )
        .facet()
        .missing(0.1),
        A::new(
            "Award",
            Source::One(&[
                "Silver Quill",
                "Lantern Prize",
                "City Readers' Medal",
                "First Page Award",
            ]),
        )
        .facet()
        .missing(0.85),
        A::new("Price", Source::Money { low: 499, high: 6900, by: "Format" })
            .list()
            .spec()
            .aliases(&["Our price", "List price"]),
        A::new("Price range", Source::Band { of: "Price", edges: &[1000, 2000, 3500] }).facet(),
        A::new("Pages", Source::Number { low: 4800, high: 96_000, step: 100, unit: Unit::Page })
            .spec()
            .missing(0.06)
            .aliases(&["Length", "Number of pages"]),
        A::new("Published", Source::Date { from: 1978, to: 2026 })
            .list()
            .spec()
            .aliases(&["Publication date", "Release date"]),
        A::new("Edition", Source::Phrase("[First|Second|Third|Revised|Anniversary] edition"))
            .spec()
            .missing(0.3),
        A::new("ISBN", Source::Ean("978"))
            .spec()
            .missing(0.04)
            .aliases(&["ISBN-13"])
            .group("Trade"),
        A::new("Weight", Source::Number { low: 400, high: 4200, step: 10, unit: Unit::Ounce })
            .spec()
            .missing(0.3)
            .group("Trade"),
        A::new("Rating", Source::Number { low: 220, high: 500, step: 10, unit: Unit::Star })
            .list()
            .missing(0.3),
    ],
};
