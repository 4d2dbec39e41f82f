//! Headings in scope of a node.

use quarry_dom::Document;

/// The headings above the element with id `x`.
fn check(html: &str, expected: &[&str]) {
    let document = Document::from_html(html);
    let node = document.element_by_id("x").unwrap();
    let found: Vec<_> =
        document.headings_for(node).iter().map(|&h| document.folded_text(h)).collect();
    assert_eq!(found, expected, "{html}");
}

#[test]
fn by_rank_in_flat_pages() {
    check("<h1>A</h1><h2>B</h2><p id=x>", &["A", "B"]);
    check("<h1>A</h1><h2>B</h2><h2>C</h2><p id=x>", &["A", "C"]);
    check("<h1>A</h1><h2>B</h2><h1>C</h1><p id=x>", &["C"]);
    check("<h2>A</h2><h4>B</h4><h3>C</h3><p id=x>", &["A", "C"]);
    check("<p id=x><h1>A</h1>", &[]);
    check("<h1>A</h1><h2 id=x>B</h2>", &["A"]);
}

#[test]
fn by_place_in_nested_pages() {
    check("<aside><h3>Side</h3><p>much to read in this side bar of ours</aside><p id=x>", &[]);
    check(
        "<h2>A</h2><div><h1>B</h1><p>some text that is longer than a title</p><p id=x></div>",
        &["A", "B"],
    );
    check(
        "<section><div class=head><h3>Brand</h3> <a>clear</a></div><ul><li id=x>Nike<li>a list with more words in it</ul></section>",
        &["Brand"],
    );
    check(
        "<div><h3>Brand</h3><ul><li>Nike</ul></div><div><h3>Size</h3><ul><li id=x>XL</ul></div>",
        &["Size"],
    );
    check("<div><h3>Brand</h3><ul><li>Nike</ul></div><p id=x>", &[]);
    check("<h1 hidden>A</h1><h2></h2><p id=x>", &[]);
    check("<div role=heading aria-level=3>A</div><p id=x>", &["A"]);
}

#[test]
fn labels_of_groups_terms_and_tables() {
    check(
        "<h2>F</h2><form><fieldset><legend>Colour</legend><label id=x>red</label></fieldset></form>",
        &["F", "Colour"],
    );
    check("<fieldset><legend>Colour</legend></fieldset><p id=x>", &[]);
    check("<dl><dt>A<dd>1<dt>B<dd id=x>2</dl>", &["B"]);
    check("<details><summary>More</summary><p id=x></details>", &["More"]);
    check("<table><caption>T</caption><tr><th>Price<td id=x>3</table>", &["T", "Price"]);
    check(
        "<table><thead><tr><th>A<th colspan=2>B<th>C</thead><tr><td>1<td>2<td><b id=x>3</b><td>4</table>",
        &["B"],
    );
    check("<table><tr><th>A<th>B<tr><th>row<td id=x>1</table>", &["row", "B"]);
    check("<table><tr><th>A<th id=x>B</table>", &[]);
}
