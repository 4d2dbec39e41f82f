//! Is a link worth following, judging by its address alone? No file of another kind, nothing that
//! could change something, no endless space.

mod file_kind;
mod shape;
mod unsafe_words;

pub use shape::ShapeLimits;
pub(crate) use shape::{DateShape, date_shape};

use quarry_model::SkipReason;

use crate::Address;

/// Judges an address by its own text: the rules that need no memory of other addresses.
pub(crate) fn judge(address: &Address, limits: &ShapeLimits) -> Result<(), SkipReason> {
    if file_kind::is_not_a_page(address) {
        return Err(SkipReason::NotAPage);
    }
    if unsafe_words::could_change_something(address) {
        return Err(SkipReason::Unsafe);
    }
    if shape::looks_endless(address, limits) {
        return Err(SkipReason::Trap);
    }
    Ok(())
}
