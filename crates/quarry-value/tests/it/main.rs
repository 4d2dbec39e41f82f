//! Tests of `quarry-value`.

mod values;
