//! The coordinates of a lattice: which of a reading's sums vary on their own, and how the others follow from them.

use crate::evidence::Sums;

/// Two coordinates at most; a law that varies along one line has only columns.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    /// The sums that are coordinates, rows first.
    axes: Vec<Axis>,
    /// How every sum that the test reads follows from the pairs and the coordinates.
    sums: Vec<(usize, Affine)>,
}

/// A sum as a coordinate: `(sum - low) / unit` a pair.
#[derive(Clone, Copy, Debug)]
struct Axis {
    lane: usize,
    low: i64,
    unit: i64,
}

/// `(pairs * constant + row * by_row + column * by_column) / divisor`.
#[derive(Clone, Copy, Debug)]
struct Affine {
    constant: i64,
    by: [i64; 2],
    divisor: i64,
}

impl Axes {
    /// The coordinates of steps, of which the test reads some sums; none if more than two vary on their own.
    pub(super) fn of(steps: &[Sums], lanes: &[usize]) -> Option<Self> {
        let mut it = Self { axes: Vec::new(), sums: Vec::new() };
        for lane in lanes {
            let values: Vec<i64> = steps.iter().map(|step| step.0[*lane]).collect();
            if it.follows(steps, &values).is_none() {
                if it.axes.len() == 2 {
                    return None;
                }
                let low = values.iter().copied().min()?;
                let unit = values.iter().fold(0, |unit, value| gcd(unit, value - low));
                it.axes.push(Axis { lane: *lane, low, unit });
            }
        }
        // One coordinate runs along columns: rows come first only where there are two.
        for lane in lanes {
            let values: Vec<i64> = steps.iter().map(|step| step.0[*lane]).collect();
            let affine = it.follows(steps, &values)?;
            it.sums.push((*lane, affine));
        }
        Some(it)
    }

    /// Row and column that a step adds.
    pub(super) fn place(&self, step: &Sums) -> [i64; 2] {
        let of = |axis: &Axis| (step.0[axis.lane] - axis.low) / axis.unit;
        match self.axes.as_slice() {
            [row, column] => [of(row), of(column)],
            [column] => [0, of(column)],
            _ => [0, 0],
        }
    }

    /// Writes the sums of so many pairs at a place over those of another; others stay 0.
    pub(super) fn fill(&self, pairs: i64, [row, column]: [i64; 2], sums: &mut Sums) {
        for (lane, it) in &self.sums {
            let whole = pairs * it.constant + row * it.by[0] + column * it.by[1];
            sums.0[*lane] = match it.divisor {
                1 => whole,
                -1 => -whole,
                divisor => whole / divisor,
            };
        }
    }

    /// How values, one for each step, follow from the coordinates so far; none if they do not, or are too large.
    fn follows(&self, steps: &[Sums], values: &[i64]) -> Option<Affine> {
        let at: Vec<[i128; 2]> =
            steps.iter().map(|step| self.place(step).map(i128::from)).collect();
        let v: Vec<i128> = values.iter().map(|it| i128::from(*it)).collect();
        let (origin, v0) = (at.first()?, v.first()?);
        let d: Vec<[i128; 3]> = at
            .iter()
            .zip(&v)
            .map(|(at, v)| [at[0] - origin[0], at[1] - origin[1], v - v0])
            .collect();
        let (by, divisor) = match self.axes.len() {
            0 => ([0, 0], 1),
            1 => {
                let one = d.iter().find(|it| it[1] != 0)?;
                ([0, one[2]], one[1])
            }
            _ => {
                let pairs = d.iter().flat_map(|a| d.iter().map(move |b| (a, b)));
                let cross =
                    |a: &[i128; 3], b: &[i128; 3], i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
                let (a, b) = pairs.into_iter().find(|(a, b)| cross(a, b, 0, 1) != 0)?;
                ([cross(a, b, 2, 1), cross(a, b, 0, 2)], cross(a, b, 0, 1))
            }
        };
        let fits = d.iter().all(|it| it[2] * divisor == it[0] * by[0] + it[1] * by[1]);
        let constant = divisor * v0 - by[0] * origin[0] - by[1] * origin[1];
        // In lowest terms nearly every divisor is 1.
        let common = [by[0], by[1], constant].iter().fold(divisor, |a, b| gcd_of(a, *b)).max(1);
        let (by, constant, divisor) =
            ([by[0] / common, by[1] / common], constant / common, divisor / common);
        let small = |x: i128| i64::try_from(x).ok().filter(|x| x.abs() < 1 << 40);
        fits.then_some(())?;
        Some(Affine {
            constant: small(constant)?,
            by: [small(by[0])?, small(by[1])?],
            divisor: small(divisor)?,
        })
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn gcd_of(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd_of(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::LANES;

    fn at(axes: &Axes, pairs: i64, place: [i64; 2]) -> Sums {
        let mut sums = Sums::default();
        axes.fill(pairs, place, &mut sums);
        sums
    }

    fn sums(values: &[i64]) -> Sums {
        let mut sums = [0; LANES];
        sums[..values.len()].copy_from_slice(values);
        Sums(sums)
    }

    /// Gaps of four half points: pairs and weights are constant, cross products follow the gaps.
    #[test]
    fn sums_and_squares_are_two_coordinates() {
        let steps: Vec<Sums> =
            [-4, -2, 0, 2, 4].iter().map(|x| sums(&[1, 4, *x, x * x, 4 * x, 16])).collect();
        let axes = Axes::of(&steps, &[0, 1, 2, 3, 4, 5]).unwrap();
        assert_eq!(axes.place(&steps[0]), [0, 4]);
        assert_eq!(axes.place(&steps[3]), [3, 1]);
        let total = steps[0].plus(steps[3]).plus(steps[4]);
        let places = [0, 3, 4].map(|k: usize| axes.place(&steps[k]));
        let place = [0, 1].map(|k: usize| places.iter().map(|it| it[k]).sum());
        assert_eq!(at(&axes, 3, place), total);
        // Nothing is left to divide by: verdicts are asked millions of times.
        assert!(axes.sums.iter().all(|it| it.1.divisor.abs() == 1));
    }

    #[test]
    fn lines_points_and_solids() {
        let line = [sums(&[1, 1]), sums(&[1, 0])];
        assert_eq!(Axes::of(&line, &[0, 1]).unwrap().place(&line[0]), [0, 1]);
        let point = [sums(&[1, 3])];
        assert_eq!(at(&Axes::of(&point, &[0, 1]).unwrap(), 7, [0, 0]), sums(&[7, 21]));
        let solid = [sums(&[1]), sums(&[0, 1]), sums(&[0, 0, 1]), sums(&[0])];
        assert!(Axes::of(&solid, &[0, 1, 2]).is_none());
        assert!(Axes::of(&solid, &[0, 2]).is_some());
    }
}
