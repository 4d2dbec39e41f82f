//! Shows people what was found, and why. As text ([`explain`], [`explain_choice`]), and as a
//! harmless copy of the page with frames drawn around regions and records ([`draw`]).

mod allow;
mod css;
mod draw;
mod fields;
mod frame;
mod text;

pub use draw::draw;
pub use frame::{Frame, FrameRole, Note, legend, record_frames};
pub use text::{explain, explain_choice};
