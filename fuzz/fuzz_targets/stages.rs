//! libFuzzer's way into `quarry_fuzz::stages`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| quarry_fuzz::stages(data));
