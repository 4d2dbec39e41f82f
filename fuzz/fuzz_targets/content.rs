//! libFuzzer's way into `quarry_fuzz::content`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| quarry_fuzz::content(data));
