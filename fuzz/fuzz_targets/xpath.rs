//! libFuzzer's way into `quarry_fuzz::xpath`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| quarry_fuzz::xpath(data));
