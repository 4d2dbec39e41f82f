//! Recognises elements that an inline style hides, by what a `style` attribute says for certain. Style sheets are
//! read by `sheet.rs`.

/// Whether the declarations contain `display: none` or `visibility: hidden` (or `collapse`) as
/// their last word on that property.
pub(crate) fn style_hides(style: &str) -> bool {
    // Most styles do neither, and this test is much cheaper than splitting them.
    if !mentions(style, b"none") && !mentions(style, b"hidden") && !mentions(style, b"collapse") {
        return false;
    }
    let (mut display, mut visibility) = (Declared::default(), Declared::default());
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let (value, important) = match value.split_once('!') {
            Some((value, flag)) => (value, flag.trim().eq_ignore_ascii_case("important")),
            None => (value, false),
        };
        let (property, value) = (property.trim(), value.trim());
        if property.eq_ignore_ascii_case("display") {
            display.set(value.eq_ignore_ascii_case("none"), important);
        } else if property.eq_ignore_ascii_case("visibility") {
            let hidden = ["hidden", "collapse"].iter().any(|word| value.eq_ignore_ascii_case(word));
            visibility.set(hidden, important);
        }
    }
    display.hides || visibility.hides
}

/// Whether the declarations say how the element is shown.
pub(crate) fn style_shows(style: &str) -> bool {
    mentions(style, b"display") && !style_hides(style)
}

/// The last declaration wins, an important one over all others.
#[derive(Default)]
struct Declared {
    hides: bool,
    important: bool,
}

impl Declared {
    fn set(&mut self, hides: bool, important: bool) {
        if important >= self.important {
            *self = Self { hides, important };
        }
    }
}

fn mentions(style: &str, word: &[u8]) -> bool {
    style.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::style_hides;

    #[test]
    fn styles_that_hide() {
        let check = |style: &str, hides: bool| assert_eq!(style_hides(style), hides, "{style:?}");
        check("display:none", true);
        check("color: red; DISPLAY : None ;", true);
        check("display:none!important", true);
        check("display: none ! important; display: block", true);
        check("visibility:hidden", true);
        check("visibility: collapse", true);
        check("display:none;display:block", false);
        check("display:block", false);
        check("overflow:hidden", false);
        check("border:none", false);
        check("background:none;display:inline", false);
        check("display:none-such", false);
        check("", false);
        check(";;:;", false);
    }
}
