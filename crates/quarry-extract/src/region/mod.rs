//! region
