//! Which words tell a specification from the rest of a page? Word lists of the main languages: headings of
//! specifications, names of attributes, names that belong to other things, class names of names and values.

/// Signs that stand for yes or no.
pub(crate) const YES_NO_SIGNS: &[char] = &['✓', '✔', '☑', '✅', '✗', '✘', '✕', '✖', '❌', '☒', '●', '○'];

/// Classes that only count rows.
pub(crate) const COUNTING_CLASSES: &[&str] = &[
    "odd", "even", "first", "last", "alt", "alternate", "altrow", "rowalt", "row-odd", "row-even", "is-odd",
    "is-even", "hidden", "active",
];

/// What a class of an icon says.
pub(crate) fn yes_no_class(class: &str) -> Option<&'static str> {
    let words = |list: &[&str]| class.split(['-', '_']).any(|word| list.contains(&word));
    if words(&["no", "false", "cross", "times", "xmark", "unchecked", "minus"]) {
        Some("no")
    } else if words(&["yes", "true", "check", "checked", "checkmark", "tick"]) {
        Some("yes")
    } else {
        None
    }
}

/// Beginnings of words that head a specification, or name its box.
const SPEC_STEMS: &[&str] = &[
    "specification", "specs", "spec-", "spez", "techni", "datasheet", "datenblatt", "data-sheet", "attribut",
    "propert", "eigenschaft", "merkmal", "produktdetail", "productdetail", "product-detail", "productinfo",
    "caract", "karakt", "parametr", "parameter", "especific", "specifi", "kenmerk", "dane techniczne", "scheda tecnica",
    "характерист", "параметр", "規格", "仕様", "规格", "参数", "사양", "opmeting", "vlastnost", "tuotetied", "teknisk",
    "ficha", "fiche", "additional information", "zusätzliche information", "extradata", "extradaten", "factsheet",
    "facts", "at a glance", "details", "feature", "about this", "quick info", "infobox", "bibliogr", "vital",
];

/// Words of names of attributes, as they stand alone or in compounds; compared with the words of a name.
const ATTRIBUTE_WORDS: &[&str] = &[
    // English
    "weight", "height", "width", "depth", "length", "size", "dimensions", "dimension", "color", "colour", "material",
    "brand", "manufacturer", "model", "type", "capacity", "resolution", "display", "screen", "memory", "storage",
    "processor", "battery", "power", "voltage", "frequency", "speed", "temperature", "warranty", "interface",
    "connector", "ports", "port", "weight:", "volume", "diameter", "thickness", "series", "format", "publisher",
    "author", "isbn", "isbn-10", "isbn-13", "ean", "gtin", "upc", "mpn", "sku", "language", "pages", "binding", "edition",
    "genre", "genres", "director", "runtime", "rating", "country", "year", "engine", "transmission", "fuel", "mileage",
    "horsepower", "torque", "seats", "doors", "drivetrain", "wheelbase", "sensor", "lens", "zoom", "aperture", "iso", "shutter",
    "megapixels", "compatibility", "wireless", "bluetooth", "connectivity", "included", "contents", "ingredients", "energy",
    "consumption", "efficiency", "style", "pattern", "shape", "finish", "age", "birthplace", "born", "position", "college",
    "enrollment", "tuition", "founded", "cuisine", "bedrooms", "bathrooms", "area", "condition", "origin", "operating",
    "system", "graphics", "card", "audio", "video", "output", "input", "range", "max", "min", "number", "release",
    "released", "part", "item", "certification", "compliance", "features", "package", "form", "factor", "cable",
    // German
    "gewicht", "höhe", "breite", "tiefe", "länge", "größe", "abmessungen", "maße", "farbe", "material", "marke",
    "hersteller", "modell", "typ", "produkttyp", "kapazität", "auflösung", "bildschirm", "bildschirmdiagonale", "speicher",
    "prozessor", "akku", "leistung", "spannung", "frequenz", "geschwindigkeit", "temperatur", "garantie", "anschlüsse",
    "anschluss", "schnittstellen", "volumen", "durchmesser", "serie", "verlag", "autor", "sprache", "seiten",
    "artikelnummer", "herstellernummer", "energieeffizienzklasse", "stromverbrauch", "leistungsaufnahme", "helligkeit",
    "kontrast", "reaktionszeit", "besonderheiten", "zubehör", "lieferumfang", "produktlinie", "bildformat", "anzahl",
    // French, Italian, Spanish, Portuguese, Dutch, Polish
    "poids", "hauteur", "largeur", "profondeur", "longueur", "taille", "couleur", "matière", "marque", "fabricant",
    "modèle", "garantie", "capacité", "puissance", "peso", "altezza", "larghezza", "profondità", "colore", "materiale",
    "marca", "produttore", "modello", "garanzia", "potenza", "altura", "anchura", "ancho", "profundidad", "color",
    "fabricante", "modelo", "garantía", "potencia", "largura", "comprimento", "cor", "garantia", "hoogte", "breedte",
    "diepte", "kleur", "merk", "fabrikant", "waga", "wysokość", "szerokość", "głębokość", "kolor", "producent", "gwarancja",
];

/// Words of names that belong to carts, forums, comments, shipping and sign-in forms.
const OTHER_WORDS: &[&str] = &[
    "email", "e-mail", "password", "passwort", "username", "login", "quantity", "menge", "qty", "cart", "warenkorb",
    "total", "subtotal", "summe", "shipping", "versand", "versandkosten", "delivery", "lieferung", "lieferzeit", "posted",
    "published", "updated", "comments", "replies", "views", "author:", "by", "tags", "filed", "categories", "category",
    "kategorie", "share", "follow", "subscribe", "newsletter", "copyright", "telefon", "phone", "fax", "tel", "hotline",
    "address", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "cookie", "cookies", "provider", "anbieter", "purpose", "zweck",
    "laufzeit", "expiry", "datenschutz", "privacy", "search", "suche", "sort", "price", "preis", "page", "from", "to",
    "date", "joined", "location", "messages", "re", "reply", "sponsored", "reviews", "votes", "bid", "seller", "url",
    "source", "relevance", "cached", "similar", "results", "next", "previous", "home", "help", "contact",
];

/// Words in class names of the part that holds a name.
const NAME_CLASSES: &[&str] = &["label", "name", "key", "title", "term", "attribute", "property", "head", "heading", "caption"];
/// Words in class names of the part that holds a value.
const VALUE_CLASSES: &[&str] = &["value", "val", "data", "content", "desc", "description", "info", "text", "stat", "figure", "number"];

/// Whether a text or class name speaks of a specification.
pub(crate) fn speaks_of_specs(text: &str) -> bool {
    let text = text.to_lowercase();
    SPEC_STEMS.iter().any(|stem| text.contains(stem))
}

/// Whether a name has a word that attributes have.
pub(crate) fn names_an_attribute(name: &str) -> bool {
    any_word(name, ATTRIBUTE_WORDS)
}

/// Whether a name has a word that other things have.
pub(crate) fn names_something_else(name: &str) -> bool {
    any_word(name, OTHER_WORDS)
}

fn any_word(name: &str, list: &[&str]) -> bool {
    let name = name.to_lowercase();
    let words = name.split(|char: char| !char.is_alphanumeric() && char != '-');
    words.filter(|word| !word.is_empty()).any(|word| list.contains(&word))
}

/// Whether a class says that its element holds names (`Some(true)`) or values (`Some(false)`).
pub(crate) fn class_role(class: &str) -> Option<bool> {
    let class = class.to_lowercase();
    // The last word of a compound counts: `property-value` is a value.
    let last = class.rsplit(['-', '_']).next().unwrap_or(&class);
    let says = |list: &[&str]| list.iter().any(|word| last == *word || (last.len() > 4 && last.ends_with(word)));
    if says(NAME_CLASSES) {
        Some(true)
    } else if says(VALUE_CLASSES) {
        Some(false)
    } else {
        None
    }
}

/// Words of boxes that accompany a page's subject.
const FURNITURE: &[&str] = &[
    "nav", "navbar", "navigation", "menu", "footer", "foot", "header", "breadcrumb", "breadcrumbs", "sidebar", "cookie", "consent",
    "modal", "newsletter", "social", "share", "login", "cart", "basket", "comment", "comments", "review", "reviews", "related",
    "recommend", "crossselling", "similar", "filter", "facet", "facets", "pager", "pagination", "banner", "ad", "ads",
    "shipping", "payment", "results", "listing",
];

/// Whether a class or id says that its box accompanies the page's subject.
pub(crate) fn speaks_of_furniture(class: &str) -> bool {
    let class = class.to_lowercase();
    class.split(['-', '_']).any(|word| FURNITURE.contains(&word))
}
