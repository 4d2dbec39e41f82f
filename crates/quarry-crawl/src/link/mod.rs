//! Judges a link by its address alone: files that are not pages, links that could change something and
//! endless address spaces are not followed.

mod file_kind;
mod shape;

pub use shape::ShapeLimits;
pub(crate) use shape::{DateShape, date_shape};

use quarry_extract::action::address_action;
use quarry_model::SkipReason;

use crate::Address;

/// Judges an address by its own text: the rules that need no memory of other addresses.
pub fn judge_address(address: &Address, limits: &ShapeLimits) -> Result<(), SkipReason> {
    judge(address, limits, false)
}

/// [`judge_address`], where links that could change something may be allowed.
pub(crate) fn judge(
    address: &Address,
    limits: &ShapeLimits,
    follow_actions: bool,
) -> Result<(), SkipReason> {
    if file_kind::is_not_a_page(address) {
        return Err(SkipReason::NotAPage);
    }
    if !follow_actions && address_action(address.path(), address.query()).is_some() {
        return Err(SkipReason::Unsafe);
    }
    if shape::looks_endless(address, limits) {
        return Err(SkipReason::Trap);
    }
    Ok(())
}
