//! libFuzzer's way into `quarry_fuzz::url`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| quarry_fuzz::url(data));
