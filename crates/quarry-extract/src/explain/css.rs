//! The styles that the copy of a page may keep. All that need nothing from elsewhere.

/// Functions and rules that fetch, in the order in which they are looked for at a place.
const FETCHING: [&str; 8] =
    ["@import", "@namespace", "url(", "src(", "image(", "image-set(", "expression(", "behavior:"];

/// A style sheet or declaration with what fetches made void. `url(data:…)` stays. Escaped letters
/// become a space, because `u\72l(` is `url(`, too.
///
/// This is the second wall: the copy's content security policy forbids the same.
pub(crate) fn harmless_css(css: &str) -> String {
    let bare = without_escaped_letters(css);
    let mut kept = String::with_capacity(bare.len());
    let mut rest = bare.as_str();
    while !rest.is_empty() {
        if let Some(word) = FETCHING.iter().find(|word| starts_with(rest, word)) {
            let after = rest[word.len()..].trim_start_matches([' ', '\t', '\n', '"', '\'']);
            let embedded = *word == "url(" && starts_with(after, "data:");
            if !embedded {
                kept.push_str("no-");
                kept.push_str(word.trim_start_matches('@'));
                rest = &rest[word.len()..];
                continue;
            }
        }
        if let Some(after) = after_fixed(rest) {
            kept.push_str("position:static");
            rest = after;
            continue;
        }
        let next = rest.chars().next().map_or(rest.len(), char::len_utf8);
        kept.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    kept
}

/// What follows `position: fixed`. Banners that scripts would close must not cover the page for good.
fn after_fixed(css: &str) -> Option<&str> {
    let word = "position";
    let after = starts_with(css, word).then(|| css[word.len()..].trim_start())?;
    let after = after.strip_prefix(':')?.trim_start();
    starts_with(after, "fixed").then(|| &after["fixed".len()..])
}

/// What is kept of a style sheet. Nothing is left of a text that could end its `style` element.
pub(crate) fn harmless_sheet(css: &str) -> String {
    if css.contains("</") || css.contains("<!") { String::new() } else { harmless_css(css) }
}

fn starts_with(text: &str, word: &str) -> bool {
    text.as_bytes()
        .get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// CSS Syntax §4.3.7: a backslash, then up to six hexadecimal digits and one white space, or any
/// other character. Escaped punctuation, as in `.sm\:flex`, makes no name that fetches and stays.
fn without_escaped_letters(css: &str) -> String {
    let mut kept = String::with_capacity(css.len());
    let mut letters = css.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            kept.push(letter);
            continue;
        }
        match letters.peek() {
            Some(next) if next.is_ascii_hexdigit() => {
                let mut digits = 0;
                while digits < 6 && letters.next_if(char::is_ascii_hexdigit).is_some() {
                    digits += 1;
                }
                letters.next_if(char::is_ascii_whitespace);
                kept.push(' ');
            }
            Some(next) if next.is_alphanumeric() => {
                letters.next();
                kept.push(' ');
            }
            Some(&next) => {
                letters.next();
                kept.push('\\');
                kept.push(next);
            }
            None => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{harmless_css, harmless_sheet};

    #[test]
    fn what_fetches_is_void() {
        let check = |css: &str, kept: &str| assert_eq!(harmless_css(css), kept, "{css}");
        check("p{color:red}", "p{color:red}");
        check("p{background:url(http://x/a.png)}", "p{background:no-url(http://x/a.png)}");
        check("p{background:URL( 'a.png')}", "p{background:no-url( 'a.png')}");
        check(
            "p{background:url(\"data:image/png;base64,AA\")}",
            "p{background:url(\"data:image/png;base64,AA\")}",
        );
        check("p{Position : FIXED;top:0}", "p{position:static;top:0}");
        check("@import 'a.css';", "no-import 'a.css';");
        check(r"p{background:u\72l(a)}", "p{background:u l(a)}");
        check(r"p{background:u\rl(a)}", "p{background:u l(a)}");
        check(r".sm\:flex{display:flex}", r".sm\:flex{display:flex}");
        check(r"i::before{content:'\f101'}", "i::before{content:' '}");
        assert_eq!(harmless_sheet("p{}</style><script>"), "");
        check("a{width:image-set('x.png' 1x)}", "a{width:no-image-set('x.png' 1x)}");
    }
}
