//! Forms, their controls, labels and options.

use std::fmt::Write as _;

use quarry_dom::{Control, ControlLabelSource, Document};
use url::Url;

fn page() -> Url {
    Url::parse("https://shop.example/dir/page?x=1").unwrap()
}

/// One line per form and control.
fn show(html: &str) -> String {
    let document = Document::from_html(html);
    let mut shown = String::new();
    for form in document.forms(&page()) {
        let action = form.action.as_ref().map_or("none", Url::as_str);
        writeln!(shown, "{} {:?} {:?} {action}", form.index, form.method, form.enctype).unwrap();
        for control in &form.controls {
            writeln!(shown, "  {}", show_control(control)).unwrap();
        }
    }
    shown
}

fn show_control(control: &Control<'_>) -> String {
    let mut line = format!("{} {}={:?}", control.kind.as_str(), control.name, control.value);
    if let Some(label) = &control.label {
        write!(line, " {:?} ({:?})", label.text, label.source).unwrap();
    }
    let marks = [
        (control.checked, "checked"),
        (control.disabled, "disabled"),
        (control.readonly, "readonly"),
        (control.required, "required"),
        (control.multiple, "multiple"),
    ];
    for (_, mark) in marks.iter().filter(|(set, _)| *set) {
        write!(line, " {mark}").unwrap();
    }
    for option in &control.options {
        write!(line, " [{}|{}", option.value, option.label).unwrap();
        write!(line, "{}", option.group.map(|group| format!("|{group}")).unwrap_or_default())
            .unwrap();
        write!(
            line,
            "{}{}]",
            if option.selected { "*" } else { "" },
            if option.disabled { "-" } else { "" }
        )
        .unwrap();
    }
    line
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(show(html).trim_end(), expected.trim_start(), "{html}");
}

#[test]
fn where_and_how_forms_are_sent() {
    check("<form></form>", "0 Get UrlEncoded https://shop.example/dir/page?x=1");
    check(
        "<form method=POST enctype=Multipart/form-data action='go?y'>",
        "0 Post Multipart https://shop.example/dir/go?y",
    );
    check(
        "<base href=/b/><form action=go method=dialog>",
        "0 Dialog UrlEncoded https://shop.example/b/go",
    );
    check(
        "<base href=/b/><form method=put enctype=text/plain>",
        "0 Get TextPlain https://shop.example/dir/page?x=1",
    );
    check("<form action='http://['>", "0 Get UrlEncoded none");
    check("<p>no form", "");
}

#[test]
fn controls_of_every_type() {
    check(
        "<form><input name=a><input name=b type=SEARCH value=v required><input type=nonsense name=c readonly>
         <input type=checkbox name=d checked><input type=radio name=e value=1><input type=hidden name=f value=g>
         <textarea name=h>\nx y</textarea><button name=i value=j>Go <b>now</b></button><input type=submit value=Send>
         <input type=image alt=Find src=x><button type=button>More</button><input type=number name=n disabled>",
        r#"
0 Get UrlEncoded https://shop.example/dir/page?x=1
  text a=""
  search b="v" required
  text c="" readonly
  checkbox d="on" checked
  radio e="1"
  hidden f="g"
  textarea h="x y"
  submit i="j" "Go now" (Content)
  submit ="Send" "Send" (Content)
  image ="" "Find" (Content)
  button ="" "More" (Content)
  number n="" disabled"#,
    );
}

#[test]
fn options_of_selects_and_lists() {
    check(
        "<form><select name=a><option>One<option value=2 label=Two>2</select>
         <select name=b><option disabled value=''>Choose<option>x</select>
         <select name=c multiple><option selected>p<option>q<option selected>r</select>
         <select name=d><optgroup label=G disabled><option>g</optgroup><option value=h selected>H<option selected> i  j </select>
         <select name=e size=3><option>k</select>
         <input name=f list=l><datalist id=l><option value=m><option>n</datalist>",
        r#"
0 Get UrlEncoded https://shop.example/dir/page?x=1
  select a="One" [One|One*] [2|Two]
  select b="x" [|Choose-] [x|x*]
  select c="p" multiple [p|p*] [q|q] [r|r*]
  select d="i j" [g|g|G-] [h|H] [i j|i j*]
  select e="" [k|k]
  text f="" [m|] [n|n]"#,
    );
}

#[test]
fn labels_in_the_order_of_trust() {
    let label = |html: &str| {
        let document = Document::from_html(&format!("<form>{html}</form>"));
        let forms = document.forms(&page());
        let control = forms[0].controls.iter().find(|control| control.name == "x").unwrap();
        control.label.as_ref().map(|label| (label.text.clone().into_owned(), label.source))
    };
    let check = |html: &str, text: &str, source: ControlLabelSource| {
        assert_eq!(label(html), Some((text.to_owned(), source)), "{html}");
    };
    check(
        "<label for=i> Full <b>name</b> </label><p>no<input id=i name=x title=no>",
        "Full name",
        ControlLabelSource::For,
    );
    check(
        "<label>Sort by <select name=x><option>price</select> now</label>",
        "Sort by now",
        ControlLabelSource::Wrapping,
    );
    check(
        "<label><input type=checkbox name=x> In stock</label>",
        "In stock",
        ControlLabelSource::Wrapping,
    );
    check("no <input name=x aria-label='Your town'>", "Your town", ControlLabelSource::AriaLabel);
    check(
        "<b id=p>Price</b><i id=q>from</i><input name=x aria-labelledby='p q gone'>",
        "Price from",
        ControlLabelSource::AriaLabelledby,
    );
    check(
        "no <input name=x placeholder=' Search … '>",
        "Search …",
        ControlLabelSource::Placeholder,
    );
    check("no <input name=x title=Zip>", "Zip", ControlLabelSource::Title);
    check("Zip: <input type=hidden name=h><input name=x>", "Zip:", ControlLabelSource::TextBefore);
    check(
        "<table><tr><td>Your <b>name</b>:<td><input name=x></table>",
        "Your name:",
        ControlLabelSource::TextBefore,
    );
    check("<p>Size</p><div><input name=x></div>", "Size", ControlLabelSource::TextBefore);
    check(
        "<input type=radio name=y> red <input type=radio name=x> blue <br> green",
        "blue",
        ControlLabelSource::TextBehind,
    );
    check(
        "Newsletter <input type=checkbox name=x><br>other",
        "Newsletter",
        ControlLabelSource::TextBefore,
    );
    assert_eq!(label("<input name=y> <input name=x>"), None);
    assert_eq!(
        label("a<input name=y><input name=x>"),
        None,
        "the text belongs to the other control"
    );
    assert_eq!(label(&format!("<p>{}</p><input name=x>", "long ".repeat(40))), None);
    assert_eq!(label("<style>no</style><input name=x>"), None);
}

#[test]
fn controls_find_their_form() {
    // By attribute, even outside of any form; an unknown id means none.
    check(
        "<input name=a form=f><form id=f><input name=b><input name=c form=g><input name=d form=none></form><form id=g></form>",
        r#"
0 Get UrlEncoded https://shop.example/dir/page?x=1
  text a=""
  text b=""
1 Get UrlEncoded https://shop.example/dir/page?x=1
  text c="""#,
    );
    // A form that is opened in a table is closed at once, but the parser remembers it.
    check(
        "<table><form action=t><tr><td><input name=a></form></table>",
        "0 Get UrlEncoded https://shop.example/dir/t\n  text a=\"\"",
    );
    // A form in a form is ignored.
    check(
        "<form action=o><input name=a><form action=i><input name=b></form><input name=c>",
        "0 Get UrlEncoded https://shop.example/dir/o\n  text a=\"\"\n  text b=\"\"",
    );
}

#[test]
fn disabled_fieldsets_disable_all_but_their_legend() {
    check(
        "<form><fieldset disabled><legend><input name=a></legend><input name=b></fieldset><input name=c>",
        r#"
0 Get UrlEncoded https://shop.example/dir/page?x=1
  text a=""
  text b="" disabled
  text c="""#,
    );
}
