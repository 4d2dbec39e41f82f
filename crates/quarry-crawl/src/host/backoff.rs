//! The wait before the next attempt: doubling, with jitter drawn from the seed.

use std::time::Duration;

use crate::settings::Retry;

/// The wait after `attempts` attempts have failed (1 and up). `key` tells requests apart.
pub(crate) fn backoff(retry: &Retry, attempts: u32, seed: u64, key: u64) -> Duration {
    let doublings = attempts.saturating_sub(1).min(20);
    let wait = retry.wait.saturating_mul(1 << doublings).min(retry.max_wait);
    let drawn = splitmix(seed ^ splitmix(key) ^ u64::from(attempts));
    let share = (drawn >> 11) as f64 / (1_u64 << 53) as f64;
    wait.mul_f64(1.0 + retry.jitter.clamp(0.0, 1.0) * share)
}

/// Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
pub(crate) fn splitmix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_within_its_jitter_and_limit() {
        let retry = Retry::default();
        for key in 0..100 {
            for (attempts, base) in [(1, 2.0), (2, 4.0), (3, 8.0), (30, 600.0)] {
                let wait = backoff(&retry, attempts, 7, key).as_secs_f64();
                assert!((base..=base * 1.25).contains(&wait), "{attempts}: {wait}");
            }
        }
        assert_eq!(backoff(&retry, 2, 7, 9), backoff(&retry, 2, 7, 9));
        assert_ne!(backoff(&retry, 2, 7, 9), backoff(&retry, 2, 8, 9));
        assert_ne!(backoff(&retry, 2, 7, 9), backoff(&retry, 2, 7, 10));
    }
}
