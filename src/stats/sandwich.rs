//! Errors of a likelihood fit that hold when rows of a cluster depend on each other.
//!
//! CR2 (Bell and `McCaffrey` 2002; Pustejovsky & Tipton 2018, Journal of Business & Economic Statistics 36, 672-683) divides
//! each cluster's residuals by the root of what the fit left of them, in the metric of the working weights, and gives each
//! coefficient the degrees of freedom by which its variance estimate would match a chi-square (Satterthwaite). With
//! Q = W^1/2 X L of a cluster and g = Q Q' all of it takes place in as many dimensions as the cluster has rows, and sums are
//! added up by the regressors that the cluster has, so a wide design of many small clusters costs little. W may join several
//! answers of one row, as it does where ties are an answer.

use super::dense::{Matrix, dot, eigen};
use super::interval::Interval;
use super::special::{t_quantile, t_tail};

/// Which errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Of the model: every row independent.
    Model,
    /// Clustered, without a correction (Liang & Zeger 1986), normal limits.
    Cr0,
    /// Clustered, with the correction of Bell and `McCaffrey` and Satterthwaite's degrees of freedom.
    Cr2,
}

/// A coefficient with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Robust {
    /// The coefficient, in log-odds.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// The degrees of freedom of its t distribution; infinity for a normal one.
    pub df: f64,
}

impl Robust {
    /// The t interval; `level` in (0, 1).
    #[must_use]
    pub fn interval(&self, level: f64) -> Interval {
        let half = t_quantile(0.5 + level / 2.0, self.df) * self.error;
        Interval { low: self.value - half, high: self.value + half }
    }

    /// The two-sided p-value of a null value.
    #[must_use]
    pub fn p_value(&self, null: f64) -> f64 {
        t_tail((self.value - null) / self.error, self.df)
    }
}

/// Fewer clusters cannot vary.
const FEW: &str = "fewer than two clusters";
/// A cluster that decides a coefficient alone.
const ALONE: &str = "one cluster alone decides a coefficient";
/// All clusters say the same.
const NO_SPREAD: &str = "the clusters do not vary";

/// What one cluster brings, by the regressors that it has.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The regressors.
    places: Vec<usize>,
    /// Rows of W^1/2 X, one behind the other: the sum of their squares is the cluster's information.
    halves: Vec<f64>,
    /// Its score.
    score: Vec<f64>,
}

impl Part {
    /// Forgets the cluster.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.halves.clear();
        self.score.clear();
    }

    /// Takes note of a regressor, before there are rows.
    pub(crate) fn touch(&mut self, place: usize) {
        if !self.places.contains(&place) {
            self.places.push(place);
            self.score.push(0.0);
        }
    }

    /// Begins a row.
    pub(crate) fn half(&mut self) {
        self.halves.resize(self.halves.len() + self.places.len(), 0.0);
    }

    /// Adds to a regressor of the last row, and to its score.
    pub(crate) fn add(&mut self, place: usize, half: f64, score: f64) {
        if let Some(k) = self.places.iter().position(|it| *it == place) {
            let row = self.halves.len() - self.places.len();
            self.halves[row + k] += half;
            self.score[k] += score;
        }
    }

    /// As few rows with the same squares: at most as many as there are regressors.
    fn few_rows(&self) -> Option<Vec<f64>> {
        let width = self.places.len();
        if self.halves.len() <= width * width {
            return None;
        }
        let mut squares = vec![vec![0.0; width]; width];
        for row in self.halves.chunks(width) {
            for (line, x) in squares.iter_mut().zip(row) {
                line.iter_mut().zip(row).for_each(|(sum, y)| *sum += x * y);
            }
        }
        let (values, vectors) = eigen(&squares);
        let rows = values.iter().zip(&vectors).filter(|it| 0.0 < *it.0);
        Some(rows.flat_map(|(value, v)| v.iter().map(|x| value.sqrt() * x)).collect())
    }
}

/// A sum over clusters, and sums for each contrast that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Sandwich {
    errors: Errors,
    clusters: f64,
    root: Matrix,
    /// L L', the inverse information, line by line.
    inverse: Vec<f64>,
    /// Directions that one cluster decides alone, in the basis of L: its answers say nothing about their error.
    alone: Vec<Vec<f64>>,
    /// The sum of the squares of corrected scores.
    meat: Vec<f64>,
    along: Vec<Along>,
    room: Room,
}

/// Sums along one contrast c.
#[derive(Clone, Debug)]
struct Along {
    /// L'c.
    unit: Vec<f64>,
    /// L L'c.
    seen: Vec<f64>,
    variance: f64,
    trace: f64,
    squares: f64,
    outer: Vec<f64>,
}

/// Room for one cluster, reused by the next: products with `few` rows and columns.
#[derive(Clone, Debug, Default)]
struct Room {
    /// W^1/2 X (X'WX)^-1 of the cluster's regressors.
    turned: Vec<f64>,
    /// g = Q Q'.
    gram: Vec<f64>,
    /// (I - g)^-1/2.
    inner: Vec<f64>,
    /// ((I - g)^-1/2 - I) / g.
    outer: Vec<f64>,
    square: Vec<f64>,
    cube: Vec<f64>,
    /// Directions among the rows that are the cluster's alone.
    alone: Vec<Vec<f64>>,
    score: Vec<f64>,
    by_row: Vec<f64>,
    other: Vec<f64>,
    by_place: Vec<f64>,
}

/// A cluster with no more of the information than this is small: powers of g beyond the third are rounding.
const SMALL: f64 = 1e-4;
/// With no more than this the third is too.
const TINY: f64 = 1e-5;
/// A direction of which a cluster has all but this is its own alone.
const OWN: f64 = 1e-9;

impl Sandwich {
    /// For contrasts c, and L with L L' the inverse information.
    pub(crate) fn new(errors: Errors, root: &Matrix, contrasts: &[Vec<f64>]) -> Self {
        let width = root.len();
        let inverse: Vec<f64> =
            root.iter().flat_map(|a| root.iter().map(move |b| dot(a, b))).collect();
        let along = |c: &Vec<f64>| {
            let turned = |k: usize| c.iter().zip(root).map(|(c, line)| c * line[k]).sum();
            let unit: Vec<f64> = (0..width).map(turned).collect();
            let seen = root.iter().map(|line| dot(line, &unit)).collect();
            let outer = vec![0.0; width * width];
            Along { unit, seen, variance: 0.0, trace: 0.0, squares: 0.0, outer }
        };
        Self {
            errors,
            clusters: 0.0,
            root: root.clone(),
            inverse,
            alone: Vec::new(),
            meat: vec![0.0; width * width],
            along: contrasts.iter().map(along).collect(),
            room: Room::default(),
        }
    }

    /// Adds so many clusters that bring the same.
    pub(crate) fn add(&mut self, part: &Part, times: f64) {
        self.clusters += times;
        let (places, width, corrected) =
            (&part.places, self.root.len(), self.errors == Errors::Cr2);
        let room = &mut self.room;
        room.score.clone_from(&part.score);
        let fewer = if corrected { part.few_rows() } else { None };
        let halves = fewer.as_ref().unwrap_or(&part.halves);
        if corrected {
            room.look(places, halves, &self.inverse, width);
            room.correct(halves);
            let own = room.alone.iter();
            self.alone.extend(own.map(|it| direction(it, halves, places, &self.root)));
        }
        add_square(&mut self.meat, width, places, &room.score, times);
        for it in &mut self.along {
            let x: f64 = places.iter().zip(&room.score).map(|(k, s)| it.seen[*k] * s).sum();
            it.variance += times * x * x;
            if corrected {
                it.add(places, halves, room, times);
            }
        }
    }

    /// The value of the contrast at a place, with its error.
    pub(crate) fn robust(&self, place: usize, value: f64) -> Result<Robust, &'static str> {
        let it = &self.along[place];
        if self.errors == Errors::Model {
            return Ok(Robust { value, error: dot(&it.unit, &it.unit).sqrt(), df: f64::INFINITY });
        }
        self.told(&it.unit)?;
        if it.variance <= 1e-24 * dot(&it.unit, &it.unit) {
            return Err(NO_SPREAD);
        }
        let df = if self.errors == Errors::Cr2 {
            let between: f64 = self.turned(&it.outer).iter().flatten().map(|x| x * x).sum();
            it.trace * it.trace / (it.squares + between)
        } else {
            f64::INFINITY
        };
        Ok(Robust { value, error: it.variance.sqrt(), df })
    }

    /// The covariance of all coefficients in the basis of L; the unit matrix for the errors of the model. It holds for contrasts
    /// that [`Sandwich::told`] passes.
    pub(crate) fn meat(&self) -> Matrix {
        if self.errors == Errors::Model {
            let width = self.root.len();
            let unit = |j: usize| (0..width).map(|k| f64::from(u8::from(j == k))).collect();
            return (0..width).map(unit).collect();
        }
        self.turned(&self.meat)
    }

    /// L'SL of a square matrix S, given line by line.
    fn turned(&self, square: &[f64]) -> Matrix {
        let width = self.root.len();
        let right: Matrix =
            square.chunks(width.max(1)).map(|line| self.times_root(|k| line[k])).collect();
        let columns: Matrix = (0..width).map(|j| self.times_root(|k| right[k][j])).collect();
        (0..width).map(|j| columns.iter().map(|it| it[j]).collect()).collect()
    }

    /// L'x.
    fn times_root(&self, x: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut out = vec![0.0; self.root.len()];
        for (k, line) in self.root.iter().enumerate() {
            let x = x(k);
            out.iter_mut().zip(line).for_each(|(out, entry)| *out += entry * x);
        }
        out
    }

    /// Whether a contrast, given as L'c, has an error at all.
    pub(crate) fn told(&self, unit: &[f64]) -> Result<(), &'static str> {
        if self.errors != Errors::Model && self.clusters < 2.0 {
            return Err(FEW);
        }
        let size = dot(unit, unit).sqrt();
        let decides = |axis: &Vec<f64>| 1e-6 * size < dot(axis, unit).abs();
        if self.alone.iter().any(decides) { Err(ALONE) } else { Ok(()) }
    }
}

impl Room {
    /// Looks at a cluster: g, and what is made of it.
    fn look(&mut self, places: &[usize], halves: &[f64], inverse: &[f64], width: usize) {
        let (own, rows) = (places.len(), halves.len() / places.len().max(1));
        self.turned.clear();
        self.gram.clear();
        self.alone.clear();
        for row in halves.chunks(own.max(1)) {
            for place in places {
                let line = &inverse[place * width..][..width];
                self.turned.push(places.iter().zip(row).map(|(k, x)| line[*k] * x).sum());
            }
        }
        for row in halves.chunks(own.max(1)) {
            self.gram.extend(self.turned.chunks(own.max(1)).map(|it| dot(it, row)));
        }
        let trace: f64 = (0..rows).map(|k| self.gram[k * rows + k]).sum();
        if trace < SMALL { self.by_powers(rows, trace) } else { self.by_axes(rows) }
    }

    /// (1 - x)^-1/2 = 1 + x/2 + 3/8 x^2 + 5/16 x^3 + 35/128 x^4 + ...
    fn by_powers(&mut self, rows: usize, trace: f64) {
        let Self { gram, square, cube, inner, outer, .. } = self;
        product(gram, gram, rows, square);
        if trace < TINY {
            cube.clear();
            cube.resize(rows * rows, 0.0);
        } else {
            product(square, gram, rows, cube);
        }
        let powers = || gram.iter().zip(&*square).zip(&*cube).map(|((x, y), z)| [*x, *y, *z]);
        inner.clear();
        inner.extend(powers().map(|[x, y, z]| 0.5 * x + 0.375 * y + 0.3125 * z));
        outer.clear();
        outer.extend(powers().map(|[x, y, z]| 0.375 * x + 0.3125 * y + 0.273_437_5 * z));
        for k in 0..rows {
            inner[k * rows + k] += 1.0;
            outer[k * rows + k] += 0.5;
        }
    }

    fn by_axes(&mut self, rows: usize) {
        let gram: Matrix = self.gram.chunks(rows).map(<[f64]>::to_vec).collect();
        let (values, vectors) = eigen(&gram);
        for it in [&mut self.inner, &mut self.outer] {
            it.clear();
            it.resize(rows * rows, 0.0);
        }
        for (value, axis) in values.into_iter().zip(vectors) {
            if 1.0 - OWN < value {
                self.alone.push(axis);
                continue;
            }
            let rest = (1.0 - value).sqrt();
            for (k, x) in axis.iter().enumerate() {
                for (j, y) in axis.iter().enumerate() {
                    self.inner[k * rows + j] += x * y / rest;
                    // (1 / rest - 1) / value without cancellation.
                    self.outer[k * rows + j] += x * y / (rest * (1.0 + rest));
                }
            }
        }
    }

    /// Corrects the score s: (I - G)^-1/2 s = s + Q' ((I - g)^-1/2 - I) / g Q s, without the directions that the cluster has
    /// alone.
    fn correct(&mut self, halves: &[f64]) {
        let own = self.score.len();
        self.by_row.clear();
        self.by_row.extend(self.turned.chunks(own.max(1)).map(|it| dot(it, &self.score)));
        times(&self.outer, &self.by_row, &mut self.other);
        for (row, x) in halves.chunks(own.max(1)).zip(&self.other) {
            self.score.iter_mut().zip(row).for_each(|(score, half)| *score += x * half);
        }
    }
}

impl Along {
    /// `(sum |u_g|^2)^2 / sum (u_g' u_h)^2` over pairs of clusters, under independent working residuals: `u_g' u_h` is
    /// `-b_g' b_h` between clusters and `a_g' a_g - b_g' b_g` within one, with `b = (I - G)^-1/2 G L'c = Q' (I - g)^-1/2 t` and
    /// `a'a = t' (I - g)^-1 t` for `t = Q L'c`; the difference within is `t't`.
    fn add(&mut self, places: &[usize], halves: &[f64], room: &mut Room, many: f64) {
        let Room { by_row, other, by_place, gram, inner, alone, .. } = room;
        let seen =
            |row: &[f64]| -> f64 { places.iter().zip(row).map(|(k, x)| self.seen[*k] * x).sum() };
        by_row.clear();
        by_row.extend(halves.chunks(places.len().max(1)).map(seen));
        for axis in alone {
            let along = dot(axis, by_row);
            by_row.iter_mut().zip(&*axis).for_each(|(t, x)| *t -= along * x);
        }
        let within = dot(by_row, by_row);
        times(inner, by_row, other);
        times(gram, other, by_row);
        let own = dot(by_row, other);
        by_place.clear();
        by_place.resize(places.len(), 0.0);
        for (row, x) in halves.chunks(places.len().max(1)).zip(&*other) {
            by_place.iter_mut().zip(row).for_each(|(sum, half)| *sum += x * half);
        }
        self.trace += many * within;
        self.squares += many * (within * within - own * own);
        let width = self.seen.len();
        add_square(&mut self.outer, width, places, by_place, many);
    }
}

/// Adds the square of a vector that has these places.
fn add_square(to: &mut [f64], width: usize, places: &[usize], x: &[f64], times: f64) {
    for (place, a) in places.iter().zip(x) {
        let line = &mut to[place * width..][..width];
        places.iter().zip(x).for_each(|(k, b)| line[*k] += times * a * b);
    }
}

/// The product of two square matrices with so many rows.
fn product(a: &[f64], b: &[f64], rows: usize, out: &mut Vec<f64>) {
    out.clear();
    out.resize(rows * rows, 0.0);
    for (out, a) in out.chunks_mut(rows.max(1)).zip(a.chunks(rows.max(1))) {
        for (b, a) in b.chunks(rows.max(1)).zip(a) {
            out.iter_mut().zip(b).for_each(|(sum, b)| *sum += a * b);
        }
    }
}

/// A square matrix times a vector.
fn times(a: &[f64], x: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(a.chunks(x.len().max(1)).map(|line| dot(line, x)));
}

/// A direction among a cluster's rows in the basis of L: Q'x.
fn direction(x: &[f64], halves: &[f64], places: &[usize], root: &Matrix) -> Vec<f64> {
    let mut out = vec![0.0; root.len()];
    for (row, x) in halves.chunks(places.len().max(1)).zip(x) {
        for (place, half) in places.iter().zip(row) {
            out.iter_mut().zip(&root[*place]).for_each(|(out, entry)| *out += x * half * entry);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Powers of a small g and its axes give the same.
    #[test]
    fn powers_are_as_good_as_axes() {
        for size in [2e-5, 3e-6] {
            let gram = [1.0, 0.3, -0.2, 0.3, 0.8, 0.1, -0.2, 0.1, 0.5].map(|it| it * size).to_vec();
            let mut by_axes = Room { gram: gram.clone(), ..Room::default() };
            by_axes.by_axes(3);
            let mut by_powers = Room { gram, ..Room::default() };
            by_powers.by_powers(3, 2.3 * size);
            let both = |it: &Room| [it.inner.clone(), it.outer.clone()].concat();
            for (a, b) in both(&by_axes).iter().zip(both(&by_powers)) {
                assert!((a - b).abs() < 2e-15, "{a} and {b}");
            }
        }
    }

    /// More rows than regressors become as many as there are regressors, with the same squares.
    #[test]
    fn many_rows_are_few() {
        let mut part = Part::default();
        for place in [4, 1] {
            part.touch(place);
        }
        for (a, b) in [(1.0, 0.5), (-1.0, 2.0), (0.5, 0.25), (3.0, -1.0)] {
            part.half();
            part.add(4, a, 0.0);
            part.add(1, b, 0.0);
        }
        let few = part.few_rows().unwrap();
        assert_eq!(few.len(), 4);
        let squares = |rows: &[f64], j: usize, k: usize| -> f64 {
            rows.chunks(2).map(|row| row[j] * row[k]).sum()
        };
        for (j, k) in [(0, 0), (0, 1), (1, 1)] {
            let (a, b) = (squares(&few, j, k), squares(&part.halves, j, k));
            assert!((a - b).abs() < 1e-13, "{a} and {b}");
        }
    }
}
