//! Well-known names: the flat tables behind [`Tag`] and [`Attr`]: the elements of
//! the HTML standard (current and obsolete), the SVG and MathML elements that turn up on most
//! pages, and the usual attributes. A name that is not here works just as well; it only takes a
//! slot in the document's own table.

use html5ever::{LocalName, local_name};

use super::{Attr, Tag};

macro_rules! known {
    ($type:ident, $index:ident, $names:ident, $atoms:ident, [$(($constant:ident, $name:tt),)*]) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy)]
        #[repr(u16)]
        enum $index { $($constant),* }

        impl $type {
            $(
                #[doc = concat!("`", $name, "`")]
                pub const $constant: $type = $type($index::$constant as u16);
            )*
        }

        pub(super) static $names: &[&str] = &[$($name),*];
        pub(super) static $atoms: &[LocalName] = &[$(local_name!($name)),*];
    };
}

#[rustfmt::skip]
known!(Tag, TagIndex, TAG_NAMES, TAG_ATOMS, [
    (A, "a"), (ABBR, "abbr"), (ACRONYM, "acronym"), (ADDRESS, "address"), (APPLET, "applet"),
    (AREA, "area"), (ARTICLE, "article"), (ASIDE, "aside"), (AUDIO, "audio"), (B, "b"),
    (BASE, "base"), (BASEFONT, "basefont"), (BDI, "bdi"), (BDO, "bdo"), (BGSOUND, "bgsound"),
    (BIG, "big"), (BLINK, "blink"), (BLOCKQUOTE, "blockquote"), (BODY, "body"), (BR, "br"),
    (BUTTON, "button"), (CANVAS, "canvas"), (CAPTION, "caption"), (CENTER, "center"),
    (CITE, "cite"), (CODE, "code"), (COL, "col"), (COLGROUP, "colgroup"), (DATA, "data"),
    (DATALIST, "datalist"), (DD, "dd"), (DEL, "del"), (DETAILS, "details"), (DFN, "dfn"),
    (DIALOG, "dialog"), (DIR, "dir"), (DIV, "div"), (DL, "dl"), (DT, "dt"), (EM, "em"),
    (EMBED, "embed"), (FIELDSET, "fieldset"), (FIGCAPTION, "figcaption"), (FIGURE, "figure"),
    (FONT, "font"), (FOOTER, "footer"), (FORM, "form"), (FRAME, "frame"), (FRAMESET, "frameset"),
    (H1, "h1"), (H2, "h2"), (H3, "h3"), (H4, "h4"), (H5, "h5"), (H6, "h6"), (HEAD, "head"),
    (HEADER, "header"), (HGROUP, "hgroup"), (HR, "hr"), (HTML, "html"), (I, "i"),
    (IFRAME, "iframe"), (IMAGE, "image"), (IMG, "img"), (INPUT, "input"), (INS, "ins"),
    (ISINDEX, "isindex"), (KBD, "kbd"), (KEYGEN, "keygen"), (LABEL, "label"), (LEGEND, "legend"),
    (LI, "li"), (LINK, "link"), (LISTING, "listing"), (MAIN, "main"), (MAP, "map"),
    (MARK, "mark"), (MARQUEE, "marquee"), (MENU, "menu"), (MENUITEM, "menuitem"), (META, "meta"),
    (METER, "meter"), (MULTICOL, "multicol"), (NAV, "nav"), (NEXTID, "nextid"), (NOBR, "nobr"),
    (NOEMBED, "noembed"), (NOFRAMES, "noframes"), (NOSCRIPT, "noscript"), (OBJECT, "object"),
    (OL, "ol"), (OPTGROUP, "optgroup"), (OPTION, "option"), (OUTPUT, "output"), (P, "p"),
    (PARAM, "param"), (PICTURE, "picture"), (PLAINTEXT, "plaintext"), (PRE, "pre"),
    (PROGRESS, "progress"), (Q, "q"), (RB, "rb"), (RP, "rp"), (RT, "rt"), (RTC, "rtc"),
    (RUBY, "ruby"), (S, "s"), (SAMP, "samp"), (SCRIPT, "script"), (SEARCH, "search"),
    (SECTION, "section"), (SELECT, "select"), (SELECTEDCONTENT, "selectedcontent"),
    (SLOT, "slot"), (SMALL, "small"), (SOURCE, "source"), (SPACER, "spacer"), (SPAN, "span"),
    (STRIKE, "strike"), (STRONG, "strong"), (STYLE, "style"), (SUB, "sub"), (SUMMARY, "summary"),
    (SUP, "sup"), (TABLE, "table"), (TBODY, "tbody"), (TD, "td"), (TEMPLATE, "template"),
    (TEXTAREA, "textarea"), (TFOOT, "tfoot"), (TH, "th"), (THEAD, "thead"), (TIME, "time"),
    (TITLE, "title"), (TR, "tr"), (TRACK, "track"), (TT, "tt"), (U, "u"), (UL, "ul"),
    (VAR, "var"), (VIDEO, "video"), (WBR, "wbr"), (XMP, "xmp"), (SVG, "svg"), (MATH, "math"),
    (PATH, "path"), (G, "g"), (USE, "use"), (RECT, "rect"), (CIRCLE, "circle"), (LINE, "line"),
    (POLYGON, "polygon"), (POLYLINE, "polyline"), (ELLIPSE, "ellipse"), (DEFS, "defs"),
    (SYMBOL, "symbol"), (TEXT, "text"), (TSPAN, "tspan"), (LINEAR_GRADIENT, "linearGradient"),
    (STOP, "stop"), (DESC, "desc"), (MASK, "mask"), (FILTER, "filter"), (CLIP_PATH, "clipPath"),
    (FOREIGN_OBJECT, "foreignObject"), (METADATA, "metadata"), (PATTERN, "pattern"),
    (RADIAL_GRADIENT, "radialGradient"), (MI, "mi"), (MO, "mo"), (MN, "mn"), (MROW, "mrow"),
    (MTEXT, "mtext"), (ANNOTATION_XML, "annotation-xml"),
]);

#[rustfmt::skip]
known!(Attr, AttrIndex, ATTR_NAMES, ATTR_ATOMS, [
    (ABBR, "abbr"), (ACCEPT, "accept"), (ACCEPT_CHARSET, "accept-charset"),
    (ACCESSKEY, "accesskey"), (ACTION, "action"), (ALIGN, "align"), (ALLOW, "allow"),
    (ALLOWFULLSCREEN, "allowfullscreen"), (ALT, "alt"), (ARIA_CONTROLS, "aria-controls"),
    (ARIA_DESCRIBEDBY, "aria-describedby"), (ARIA_EXPANDED, "aria-expanded"),
    (ARIA_HASPOPUP, "aria-haspopup"), (ARIA_HIDDEN, "aria-hidden"), (ARIA_LABEL, "aria-label"),
    (ARIA_LABELLEDBY, "aria-labelledby"), (ARIA_LEVEL, "aria-level"), (ARIA_LIVE, "aria-live"),
    (ARIA_SELECTED, "aria-selected"), (ARIA_CURRENT, "aria-current"), (ASYNC, "async"),
    (AUTOCOMPLETE, "autocomplete"), (AUTOFOCUS, "autofocus"), (AUTOPLAY, "autoplay"),
    (BACKGROUND, "background"), (BGCOLOR, "bgcolor"), (BORDER, "border"),
    (CELLPADDING, "cellpadding"), (CELLSPACING, "cellspacing"), (CHARSET, "charset"),
    (CHECKED, "checked"), (CITE, "cite"), (CLASS, "class"), (CLEAR, "clear"), (COLOR, "color"),
    (COLS, "cols"), (COLSPAN, "colspan"), (CONTENT, "content"),
    (CONTENTEDITABLE, "contenteditable"), (CONTROLS, "controls"), (COORDS, "coords"),
    (CROSSORIGIN, "crossorigin"), (D, "d"), (DATA, "data"), (DATETIME, "datetime"),
    (DECODING, "decoding"), (DEFER, "defer"), (DIR, "dir"), (DISABLED, "disabled"),
    (DOWNLOAD, "download"), (DRAGGABLE, "draggable"), (ENCTYPE, "enctype"), (FACE, "face"),
    (FILL, "fill"), (FILL_RULE, "fill-rule"), (FOR, "for"), (FORM, "form"),
    (FORMACTION, "formaction"), (FORMENCTYPE, "formenctype"), (FORMMETHOD, "formmethod"),
    (FORMNOVALIDATE, "formnovalidate"), (FORMTARGET, "formtarget"), (FRAMEBORDER, "frameborder"),
    (HEADERS, "headers"), (HEIGHT, "height"), (HIDDEN, "hidden"), (HREF, "href"),
    (HREFLANG, "hreflang"), (HSPACE, "hspace"), (HTTP_EQUIV, "http-equiv"), (ID, "id"),
    (IMAGESIZES, "imagesizes"), (IMAGESRCSET, "imagesrcset"), (INTEGRITY, "integrity"),
    (ITEMID, "itemid"), (ITEMPROP, "itemprop"), (ITEMREF, "itemref"), (ITEMSCOPE, "itemscope"),
    (ITEMTYPE, "itemtype"), (LABEL, "label"), (LANG, "lang"), (LANGUAGE, "language"),
    (LIST, "list"), (LOADING, "loading"), (LOOP, "loop"), (MARGINHEIGHT, "marginheight"),
    (MARGINWIDTH, "marginwidth"), (MAX, "max"), (MAXLENGTH, "maxlength"), (MEDIA, "media"),
    (METHOD, "method"), (MIN, "min"), (MINLENGTH, "minlength"), (MULTIPLE, "multiple"),
    (MUTED, "muted"), (NAME, "name"), (NONCE, "nonce"), (NOSHADE, "noshade"),
    (NOVALIDATE, "novalidate"), (NOWRAP, "nowrap"), (ONBLUR, "onblur"), (ONCHANGE, "onchange"),
    (ONCLICK, "onclick"), (ONERROR, "onerror"), (ONFOCUS, "onfocus"), (ONLOAD, "onload"),
    (ONMOUSEOUT, "onmouseout"), (ONMOUSEOVER, "onmouseover"), (ONSUBMIT, "onsubmit"),
    (ONKEYUP, "onkeyup"), (ONKEYDOWN, "onkeydown"), (OPEN, "open"), (PATTERN, "pattern"),
    (PING, "ping"), (PLACEHOLDER, "placeholder"), (POINTS, "points"), (POSTER, "poster"),
    (PRELOAD, "preload"), (PROPERTY, "property"), (READONLY, "readonly"),
    (REFERRERPOLICY, "referrerpolicy"), (REL, "rel"), (REQUIRED, "required"), (REV, "rev"),
    (ROLE, "role"), (ROWS, "rows"), (ROWSPAN, "rowspan"), (RULES, "rules"), (SANDBOX, "sandbox"),
    (SCOPE, "scope"), (SCROLLING, "scrolling"), (SELECTED, "selected"), (SHAPE, "shape"),
    (SIZE, "size"), (SIZES, "sizes"), (SLOT, "slot"), (SPAN, "span"), (SPELLCHECK, "spellcheck"),
    (SRC, "src"), (SRCDOC, "srcdoc"), (SRCLANG, "srclang"), (SRCSET, "srcset"), (START, "start"),
    (STROKE, "stroke"), (STROKE_WIDTH, "stroke-width"), (STYLE, "style"), (SUMMARY, "summary"),
    (TABINDEX, "tabindex"), (TARGET, "target"), (TEXT, "text"), (TITLE, "title"),
    (TRANSFORM, "transform"), (TRANSLATE, "translate"), (TYPE, "type"), (USEMAP, "usemap"),
    (VALIGN, "valign"), (VALUE, "value"), (VERSION, "version"), (VIEW_BOX, "viewBox"),
    (VLINK, "vlink"), (VSPACE, "vspace"), (WIDTH, "width"), (WRAP, "wrap"), (XMLNS, "xmlns"),
    (X, "x"), (Y, "y"), (X1, "x1"), (X2, "x2"), (Y1, "y1"), (Y2, "y2"), (CX, "cx"), (CY, "cy"),
    (R, "r"), (RX, "rx"), (RY, "ry"), (STROKE_LINECAP, "stroke-linecap"),
    (STROKE_LINEJOIN, "stroke-linejoin"), (CLIP_PATH, "clip-path"),
]);
