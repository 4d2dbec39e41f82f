//! A curve that never falls through points: pool adjacent violators, over groups of points that are large enough to have a share.

/// Points of one step of the curve, at least.
const GROUP: usize = 12;

/// Knots of the curve: mean of both coordinates over each group.
pub fn fit(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Sums of both coordinates, and the count.
    let mut groups: Vec<(f64, f64, f64)> = Vec::new();
    for group in points.chunks(GROUP) {
        let sum = |of: fn(&(f64, f64)) -> f64| group.iter().map(of).sum::<f64>();
        groups.push((sum(|point| point.0), sum(|point| point.1), group.len() as f64));
        while let [.., before, last] = groups.as_slice()
            && before.1 / before.2 >= last.1 / last.2
        {
            let both = (before.0 + last.0, before.1 + last.1, before.2 + last.2);
            groups.truncate(groups.len() - 2);
            groups.push(both);
        }
    }
    groups.iter().map(|(x, y, count)| (x / count, y / count)).collect()
}

/// The curve between its knots.
pub fn at(knots: &[(f64, f64)], x: f64) -> f64 {
    let (Some(first), Some(last)) = (knots.first(), knots.last()) else { return x };
    let Some(next) = knots.iter().position(|knot| knot.0 >= x) else { return last.1 };
    if next == 0 {
        return first.1 * x / first.0.max(f64::MIN_POSITIVE);
    }
    let ((from, low), (to, high)) = (knots[next - 1], knots[next]);
    low + (high - low) * (x - from) / (to - from).max(f64::MIN_POSITIVE)
}

/// Points by what the curve predicts: count, mean prediction, mean outcome.
pub fn reliability(knots: &[(f64, f64)], points: &[(f64, f64)]) -> Vec<(usize, f64, f64)> {
    const BOUNDS: [f64; 7] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98];
    let mut rows = vec![(0usize, 0.0, 0.0); BOUNDS.len() + 1];
    for (x, y) in points {
        let predicted = at(knots, *x);
        let row = &mut rows[BOUNDS.iter().filter(|bound| predicted >= **bound).count()];
        *row = (row.0 + 1, row.1 + predicted, row.2 + y);
    }
    rows.retain(|row| row.0 > 0);
    rows.iter().map(|(n, p, r)| (*n, p / *n as f64, r / *n as f64)).collect()
}
