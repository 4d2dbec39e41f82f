//! Clusters contexts into data slots. Bottom-up clustering with single link (paper §4.2), where no
//! cluster may hold two strings of one record. Contexts are clustered, not strings: records of one
//! template share nearly all of them.

use super::distance::Context;

/// A context and the records (sorted) that have a string in it.
pub(crate) struct Member<'a> {
    pub(crate) context: &'a Context,
    pub(crate) records: &'a [u32],
}

/// The cluster of each context; numbers rise in the order of first members.
pub(crate) fn cluster(members: &[Member<'_>]) -> Vec<usize> {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (one, member) in members.iter().enumerate() {
        for (two, other) in members.iter().enumerate().skip(one + 1) {
            // Most pairs stand in one record and can never be one slot; that is quickly seen.
            if meet(member.records, other.records) {
                continue;
            }
            let distance = member.context.distance_within(other.context);
            pairs.extend(distance.map(|distance| (distance, one, two)));
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut cluster: Vec<usize> = (0..members.len()).collect();
    let mut records: Vec<Vec<u32>> = members.iter().map(|member| member.records.to_vec()).collect();
    for (_, one, two) in pairs {
        let (a, b) = (cluster[one].min(cluster[two]), cluster[one].max(cluster[two]));
        if a == b || meet(&records[a], &records[b]) {
            continue;
        }
        let moved = std::mem::take(&mut records[b]);
        records[a].extend(moved);
        records[a].sort_unstable();
        for own in &mut cluster {
            if *own == b {
                *own = a;
            }
        }
    }
    let mut numbers: Vec<usize> = cluster.clone();
    numbers.sort_unstable();
    numbers.dedup();
    cluster.iter().map(|own| numbers.partition_point(|number| number < own)).collect()
}

/// Whether two sorted lists have a member in common.
fn meet(one: &[u32], other: &[u32]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.iter().any(|record| long.binary_search(record).is_ok())
}
