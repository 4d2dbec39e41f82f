//! Does any text that is taken as a path lead to a node, or to none?

use std::sync::LazyLock;

use quarry_dom::Document;

/// A page with repeated, lonely, strange and foreign names, texts between them and comments.
const PAGE: &str = "<!doctype html><title>t</title><!-- c --><body class=x>one<br>two<!-- d -->\
    <div><p>a<p>b<b>c</b>d<p></div><div id=y><ul><li>1<li>2<li>3</ul></div>\
    <svg><path d=m></path><title>s</title><foreignObject><p>e</svg><math><mi>f</math>\
    <a:b>g</a:b><x-y>h</x-y><q\"r>i</q\"r><s't>j</s't><u[2]>k</u[2]><v()>l</v()>\
    <table><tr><td>m<td>n<tr><td>o</table><select><option>p<option>q</select>";

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| Document::from_html(PAGE));

/// The bytes are the path.
pub fn xpath(data: &[u8]) {
    let path = String::from_utf8_lossy(data);
    let page = &*DOCUMENT;
    let Some(node) = page.node_at(&path) else { return };
    let own = page.xpath(node);
    assert_eq!(page.node_at(&own), Some(node), "{path} is {own}");
    assert_eq!(page.xpaths().xpath(node), own);
    // Paths are taken as they are written, but for an index of 1 that is not needed.
    assert!(own.len() <= path.len(), "{path} is {own}");
    if path != "/" && !path.ends_with(']') {
        assert_eq!(page.node_at(&format!("{path}[1]")), Some(node));
        assert_eq!(page.node_at(&format!("{path}[2]")), None);
    }
}
