//! The stages on whole pages: generated sites, properties, odd input.

mod attribute;
mod attribute_laws;
mod bad_input;
mod cluster;
mod detail;
mod explain;
#[allow(dead_code, unreachable_pub)]
mod family;
mod forms;
mod growth;
mod growth_of_stages;
mod links;
#[allow(unreachable_pub)]
mod links_score;
#[allow(dead_code, unreachable_pub)]
mod probed;
mod records;
mod records_laws;
mod site;
mod spec_pairs;
mod specs;
#[allow(unreachable_pub)]
mod strangers;
mod template;
mod template_laws;
mod template_rules;
mod template_truth;
mod threads;
