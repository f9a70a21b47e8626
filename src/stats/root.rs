//! The root of a continuous function between two points of opposite sign.

/// A point and the value of a function there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// the argument
    pub x: f64,
    /// the value
    pub y: f64,
}

/// A root of `f` between `a` and `b`, whose values must differ in sign, to within `tolerance`
/// (absolute) or the spacing of the numbers, whichever is larger.
///
/// The end values are taken as given and `f` is not called there, so a caller can state the limit
/// of an indefinite form. Where the signs agree or a value is NaN, the answer is some point of the
/// bracket.
///
/// T. R. Chandrupatla (1997), A new hybrid quadratic/bisection algorithm. Advances in Engineering
/// Software 28, 145-149.
#[must_use]
pub fn bracketed_root(a: Sample, b: Sample, tolerance: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut near, mut far) = (a, b);
    let mut share = 0.5;
    for _ in 0..200 {
        let x = near.x + share * (far.x - near.x);
        let next = Sample { x, y: f(x) };
        let third;
        if (next.y > 0.0) == (near.y > 0.0) {
            third = near;
        } else {
            third = far;
            far = near;
        }
        near = next;
        let best = if near.y.abs() < far.y.abs() { near } else { far };
        let room = (2.0 * f64::EPSILON * best.x.abs() + tolerance) / (far.x - near.x).abs();
        if best.y == 0.0 || room.is_nan() || room > 0.5 {
            return best.x;
        }
        share = interpolated(near, far, third).unwrap_or(0.5).clamp(room, 1.0 - room);
    }
    near.x
}

/// Where, as a share of the way from `near` to `far`, the inverse parabola through three points is
/// zero; nothing where it would not be monotone.
fn interpolated(near: Sample, far: Sample, third: Sample) -> Option<f64> {
    let xi = (near.x - far.x) / (third.x - far.x);
    let phi = (near.y - far.y) / (third.y - far.y);
    if !(phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi) {
        return None;
    }
    let first = near.y / (far.y - near.y) * (third.y / (far.y - third.y));
    let second = (third.x - near.x) / (far.x - near.x)
        * (near.y / (third.y - near.y))
        * (far.y / (third.y - far.y));
    Some(first + second).filter(|share| share.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
        bracketed_root(Sample { x: a, y: f(a) }, Sample { x: b, y: f(b) }, 1e-15, f)
    }

    #[test]
    fn known_roots_are_found_to_the_last_digits() {
        assert!((root(|x| x * x - 2.0, 0.0, 2.0) - 2.0_f64.sqrt()).abs() < 1e-14);
        assert!(
            (root(|x| x * x * x - 2.0 * x - 5.0, 2.0, 3.0) - 2.094_551_481_542_327).abs() < 1e-14
        );
        assert!(
            (root(|x| libm::exp(x) - 1e6, -700.0, 700.0) - 13.815_510_557_964_274).abs() < 1e-12
        );
        assert!((root(|x| 1e-3 - x.powi(9), 0.0, 1.0) - 0.464_158_883_361_277_9).abs() < 1e-12);
    }

    #[test]
    fn it_spends_few_calls() {
        let calls = std::cell::Cell::new(0);
        let f = |x: f64| {
            calls.set(calls.get() + 1);
            libm::exp(-x) - x
        };
        let x = bracketed_root(Sample { x: 0.0, y: 1.0 }, Sample { x: 1.0, y: -0.6 }, 1e-14, f);
        assert!((x - 0.567_143_290_409_783_8).abs() < 1e-13);
        assert!(calls.get() <= 10, "{} calls", calls.get());
    }

    #[test]
    fn a_bad_bracket_returns_a_point_of_it() {
        assert!((0.0..=1.0).contains(&root(|_| 1.0, 0.0, 1.0)));
        assert!((0.0..=1.0).contains(&root(|_| f64::NAN, 0.0, 1.0)));
        assert_eq!(root(|x| x, 0.0, 0.0), 0.0);
    }
}
