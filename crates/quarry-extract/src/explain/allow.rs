//! The elements and attributes that the copy of a page may keep. What stands here, and nothing
//! else: no element that runs or loads something, no attribute that names an address or a script.

use quarry_dom::{Document, Namespace, NodeId};

use super::css::harmless_css;

/// What becomes of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// It is written under its own name.
    Kept,
    /// Its content is written inside an element of this name.
    Renamed(&'static str),
    /// Its content is written without it.
    Unwrapped,
    /// Neither it nor its content is written.
    Dropped,
}

/// HTML elements that show something and do nothing.
#[rustfmt::skip]
const KEPT: &[&str] = &[
    "a", "abbr", "acronym", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br", "button",
    "caption", "center", "cite", "code", "col", "colgroup", "data", "dd", "del", "details", "dfn", "dialog", "dir", "div",
    "dl", "dt", "em", "fieldset", "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hgroup", "hr", "i", "img", "input", "ins", "kbd", "label", "legend", "li", "main", "mark", "menu", "meter", "nav",
    "nobr", "ol", "optgroup", "option", "output", "p", "picture", "pre", "progress", "q", "rp", "rt", "ruby", "s", "samp",
    "search", "section", "select", "small", "span", "strike", "strong", "style", "sub", "summary", "sup", "table",
    "tbody", "td", "textarea", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul", "var", "wbr",
];

/// HTML elements that load or run something, and whose content is for readers that cannot. Any other that
/// is not kept is dropped where it is hidden; what it shows stays.
#[rustfmt::skip]
const DROPPED: &[&str] = &[
    "audio", "base", "canvas", "embed", "frame", "frameset", "head", "iframe", "link", "meta", "noembed", "noframes",
    "script", "template", "title", "video",
];

/// SVG elements that are drawn as they are. Text and what refers to something else is not among
/// them.
const SHAPES: &[&str] =
    &["circle", "ellipse", "g", "line", "path", "polygon", "polyline", "rect", "svg"];

/// The fate of an element. `foreign` says that it stands inside an SVG or MathML element that was kept.
pub(crate) fn fate(document: &Document, node: NodeId, foreign: bool) -> Fate {
    let name = document.tag_name(node);
    match document.namespace(node) {
        // HTML inside of SVG would end the SVG when the copy is read.
        _ if foreign && document.is_hidden(node) => Fate::Dropped,
        Namespace::Svg if SHAPES.contains(&name) && (foreign || name == "svg") => Fate::Kept,
        _ if foreign => Fate::Unwrapped,
        Namespace::Svg | Namespace::MathMl if document.is_hidden(node) => Fate::Dropped,
        Namespace::Svg | Namespace::MathMl => Fate::Renamed("span"),
        Namespace::Html if KEPT.contains(&name) => Fate::Kept,
        Namespace::Html if DROPPED.contains(&name) => Fate::Dropped,
        Namespace::Html if document.is_hidden(node) => Fate::Dropped,
        Namespace::Html => match name {
            "html" | "body" => Fate::Unwrapped,
            "form" | "marquee" => Fate::Renamed("div"),
            "xmp" | "listing" | "plaintext" => Fate::Renamed("pre"),
            name if is_custom(name) => Fate::Kept,
            _ => Fate::Renamed("span"),
        },
    }
}

/// A custom element's name is kept because style sheets speak of it.
fn is_custom(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.contains('-')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !["annotation-xml", "color-profile", "font-face", "missing-glyph"].contains(&name)
}

/// Attributes that change how an element looks.
#[rustfmt::skip]
const LOOKS: &[&str] = &[
    "align", "alt", "bgcolor", "border", "cellpadding", "cellspacing", "checked", "class", "clear", "color", "cols",
    "colspan", "datetime", "dir", "disabled", "face", "height", "hidden", "id", "label", "lang", "link", "max", "min",
    "multiple", "noshade", "nowrap", "open", "placeholder", "readonly", "reversed", "role", "rows", "rowspan", "scope",
    "selected", "size", "span", "start", "text", "title", "type", "valign", "value", "vlink", "width",
];

/// Attributes of shapes.
#[rustfmt::skip]
const DRAWING: &[&str] = &[
    "class", "clip-rule", "cx", "cy", "d", "fill", "fill-opacity", "fill-rule", "height", "hidden", "opacity", "points",
    "preserveAspectRatio", "r", "rx", "ry", "stroke", "stroke-linecap", "stroke-linejoin", "stroke-width", "transform",
    "viewBox", "width", "x", "x1", "x2", "y", "y1", "y2",
];

/// Names of attributes that the copy itself adds begin like this; a page's own are dropped.
const OURS: &str = "data-quarry";

/// The value that an attribute has in the copy, if it is kept.
pub(crate) fn attribute(
    document: &Document,
    node: NodeId,
    name: &str,
    value: &str,
) -> Option<String> {
    let own = Some(value.to_owned());
    if name == "style" {
        return Some(harmless_css(value));
    }
    if document.namespace(node) != Namespace::Html {
        return DRAWING.contains(&name).then(|| harmless_css(value));
    }
    match (document.tag_name(node), name) {
        // A picture that stands in the page itself.
        ("img", "src")
            if value.get(..11).is_some_and(|v| v.eq_ignore_ascii_case("data:image/")) =>
        {
            own
        }
        _ if LOOKS.contains(&name) => own,
        _ if is_said(name) && !name.starts_with(OURS) => own,
        _ => None,
    }
}

/// `data-…` and `aria-…`: style sheets speak of them, nothing else reads them without scripts.
fn is_said(name: &str) -> bool {
    (name.starts_with("data-") || name.starts_with("aria-"))
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
