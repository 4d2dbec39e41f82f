//! What a generated web says of itself holds: each product page of the truth answers, and shows the product.

use std::collections::BTreeSet;

use quarry_testsite::{SiteRequest, TestWeb, WebSpec};
use url::Url;

use crate::parse;

#[test]
fn every_product_page_of_the_truth_answers() {
    let web = TestWeb::generate(WebSpec { seed: 3, sites: 120, ..WebSpec::default() });
    let mut categories = BTreeSet::new();
    for product in web.products() {
        // As a client asks for it.
        let url = Url::parse(&product.url).unwrap();
        let request = SiteRequest {
            host: url.host_str().unwrap().to_owned(),
            ..SiteRequest::get(&url[url::Position::BeforePath..])
        };
        let response = web.respond(&request);
        assert_eq!(response.status, 200, "{url}");
        if categories.insert(product.category) {
            let text = parse(&response).folded_text(quarry_dom::NodeId::ROOT).to_lowercase();
            assert!(text.contains(&product.title.to_lowercase()), "{} in {text}", product.title);
            let shown = |name: &str| {
                let values = product.attributes.get(name).map(|values| values.texts().to_vec());
                values.unwrap_or_default().iter().all(|own| text.contains(&own.to_lowercase()))
            };
            assert!(shown("Model") && shown("EAN"), "{:?} in {text}", product.attributes);
        }
    }
    assert_eq!(categories.len(), 9);
}
