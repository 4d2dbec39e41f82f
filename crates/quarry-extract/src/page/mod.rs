//! The pages of one template: which they are, and how rare each text of a page is among them.

mod echo;
pub(crate) mod marks;
pub(crate) mod rated;
pub(crate) mod template;

pub(crate) use quarry_dom::key as hash;
pub(crate) use rated::RatedPage;
