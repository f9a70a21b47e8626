//! Powers and sample sizes by normal approximation, as published. They are approximations and are named so wherever they
//! are printed; exact sums stand beside them.
//!
//! Each power is a function of the effect and of a real number of items; [`needed`] and the formulas themselves turn it
//! into a number of items. `za` is the normal quantile of the test (1.96 for two sides at .05).

use super::special::phi;

/// Cases for a paired difference `delta` of two shares that differ on a share `psi` of the cases, one item each:
/// `n = (za sqrt psi + zb sqrt(psi - delta^2))^2 / delta^2`, turned into a power.
///
/// R. J. Connor (1987), Biometrics 43, 207-211.
#[must_use]
pub fn connor(psi: f64, delta: f64, n: f64, za: f64) -> f64 {
    let spread = libm::sqrt((psi - delta * delta).max(0.0));
    at(libm::fabs(delta) * libm::sqrt(n) - za * libm::sqrt(psi), spread)
}

/// A sign test of `theta` among `n f` pairs that differ: `m = (za/2 + zb sqrt(theta (1 - theta)))^2 / (theta - 1/2)^2`.
///
/// J. J. Schlesselman (1982), Case-Control Studies, eq. 6.10.
#[must_use]
pub fn sign_test(share: f64, theta: f64, n: f64, za: f64) -> f64 {
    let spread = libm::sqrt(theta * (1.0 - theta));
    at(libm::fabs(theta - 0.5) * libm::sqrt(n * share) - za / 2.0, spread)
}

/// Two independent shares, `n` items each: `n = (za sqrt(2 p q) + zb sqrt(p1 q1 + p2 q2))^2 / (p1 - p2)^2`, where p is
/// their mean (R's `power.prop.test`).
#[must_use]
pub fn two_shares(p: [f64; 2], n: f64, za: f64) -> f64 {
    let mean = f64::midpoint(p[0], p[1]);
    let pooled = libm::sqrt(2.0 * mean * (1.0 - mean));
    let spread = libm::sqrt(p.iter().map(|p| p * (1.0 - p)).sum());
    at(libm::fabs(p[0] - p[1]) * libm::sqrt(n) - za * pooled, spread)
}

/// One share `p` against a fixed `null`: `n = (za sqrt(p0 q0) + zb sqrt(p q))^2 / (p - p0)^2`.
#[must_use]
pub fn one_share(null: f64, p: f64, n: f64, za: f64) -> f64 {
    let spread = libm::sqrt(p * (1.0 - p));
    at(libm::fabs(p - null) * libm::sqrt(n) - za * libm::sqrt(null * (1.0 - null)), spread)
}

/// A mean of `n` values with this mean and standard deviation, tested against 0 with its own error.
#[must_use]
pub fn mean(mean: f64, sd: f64, n: f64, za: f64) -> f64 {
    let z = libm::fabs(mean) * libm::sqrt(n) / sd;
    if sd > 0.0 { phi(z - za) + phi(-z - za) } else { f64::from(u8::from(mean != 0.0)) }
}

/// Two one-sided tests that (FF - SS)/2n lies within a margin, of `n` pairs of which a share flips, where it is 0:
/// `n = (za + z(1 - beta/2))^2 f / (4 margin^2)`; `za` is one-sided.
#[must_use]
pub fn equivalence(share: f64, margin: f64, n: f64, za: f64) -> f64 {
    let z = 2.0 * margin * libm::sqrt(n / share) - za;
    (2.0 * phi(z) - 1.0).max(0.0)
}

/// Two raters who share a prevalence or have one each, and agree with a kappa: both positive, first only, second only,
/// both negative; none where no such table exists.
#[must_use]
pub fn raters(rates: [f64; 2], kappa: f64) -> Option<[f64; 4]> {
    let [p, q] = rates;
    let chance = p * q + (1.0 - p) * (1.0 - q);
    let agreed = chance + kappa * (1.0 - chance);
    // Agreement is both + neither, and both - neither = p + q - 1.
    let both = (agreed + p + q - 1.0) / 2.0;
    let table = [both, p - both, q - both, 1.0 - p - q + both];
    table.iter().all(|it| -1e-12 <= *it).then(|| table.map(|it| it.max(0.0)))
}

/// n times the large-sample variance of Cohen's kappa on a table of probabilities, as [`raters`] gives it.
///
/// J. L. Fleiss, J. Cohen, B. S. Everitt (1969), Psychological Bulletin 72, 323-327, in the form of A. B. Cantor (1996).
#[must_use]
pub fn kappa_variance([both, first, second, neither]: [f64; 4]) -> f64 {
    let (p, q) = (both + first, both + second);
    let (agreed, chance) = (both + neither, p * q + (1.0 - p) * (1.0 - q));
    let (off, rest) = (1.0 - agreed, 1.0 - chance);
    let square = |x: f64| x * x;
    let numerator = both * square(rest - (p + q) * off)
        + neither * square(rest - (2.0 - p - q) * off)
        + square(off) * (first * square(q + 1.0 - p) + second * square(p + 1.0 - q))
        - square(agreed * chance - 2.0 * chance + agreed);
    numerator.max(0.0) / square(square(rest))
}

/// Cohen's kappa against a null: `n = ((za sqrt Q0 + zb sqrt Q1) / (k1 - k0))^2`; none where a table does not exist.
///
/// A. B. Cantor (1996), Psychological Methods 1, 150-153.
#[must_use]
pub fn cantor(rates: [f64; 2], null: f64, kappa: f64, n: f64, za: f64) -> Option<f64> {
    let [q0, q1] = [null, kappa].map(|it| raters(rates, it).map(kappa_variance));
    let reach = libm::fabs(kappa - null) * libm::sqrt(n) - za * libm::sqrt(q0?);
    Some(at(reach, libm::sqrt(q1?)))
}

/// Items for the goodness-of-fit test of a kappa, two raters with one prevalence: the non-centrality over
/// `sum_j (P_j(k1) - P_j(k0))^2 / P_j(k0)`. A chi-square with one degree of freedom has two sides.
///
/// A. Donner, M. Eliasziw (1992), Statistics in Medicine 11, 1511-1519.
#[must_use]
pub fn donner_eliasziw(prevalence: f64, null: f64, kappa: f64, za: f64, zb: f64) -> f64 {
    let law = |kappa: f64| {
        let mixed = prevalence * (1.0 - prevalence);
        let both = prevalence * prevalence + mixed * kappa;
        [both, 2.0 * mixed * (1.0 - kappa), 1.0 - both - 2.0 * mixed * (1.0 - kappa)]
    };
    let each = law(null).into_iter().zip(law(kappa));
    let away: f64 = each.map(|(p0, p1)| (p1 - p0) * (p1 - p0) / p0).sum();
    // Of a chi-square with one degree of freedom the other tail is nothing at any power worth having.
    (za + zb) * (za + zb) / away
}

/// The power at which `reach` standard deviations of `spread` lie beyond the border.
fn at(reach: f64, spread: f64) -> f64 {
    if spread > 0.0 { phi(reach / spread) } else { f64::from(u8::from(0.0 < reach)) }
}

/// The number of items, as a real number, at which a power that rises with them reaches the target; infinite if none below
/// 10^12 does.
#[must_use]
pub fn needed(target: f64, power: impl Fn(f64) -> f64) -> f64 {
    let mut high = 1.0;
    while power(high) < target {
        high *= 2.0;
        if 1e12 < high {
            return f64::INFINITY;
        }
    }
    let mut low = high / 2.0;
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if power(middle) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::special::normal_quantile;

    const TWO: f64 = 1.959_963_984_540_054;
    const ONE: f64 = 1.644_853_626_951_472_2;

    fn close(got: f64, want: f64, by: f64) {
        assert!((got - want).abs() < by, "{got} is not {want}");
    }

    /// R (`power.prop.test`), PASS and the papers' own tables.
    #[test]
    fn published_sizes() {
        close(needed(0.9, |n| two_shares([0.5, 0.75], n, TWO)), 76.706_93, 1e-4);
        for (p10, p01, want, sign) in
            [(0.20, 0.10, 233.10, 227.45), (0.15, 0.05, 154.60, 144.60), (0.30, 0.10, 76.09, 72.30)]
        {
            close(needed(0.8, |n| connor(p10 + p01, p10 - p01, n, TWO)), want, 6e-3);
            close(needed(0.8, |n| sign_test(p10 + p01, p10 / (p10 + p01), n, TWO)), sign, 6e-3);
        }
        close(needed(0.8, |n| equivalence(0.35, 0.05, n, ONE)), 299.73, 0.01);
    }

    /// irr (`N.cohen.kappa`, one-sided) and Cantor's cases, one-sided and two-sided; Donner and Eliasziw's.
    #[test]
    fn kappas() {
        let cantor = |p: f64, k0: f64, k1: f64, za: f64| {
            needed(0.8, |n| cantor([p, p], k0, k1, n, za).unwrap())
        };
        close(cantor(0.5, 0.85, 0.7, ONE), 95.7, 0.3);
        close(cantor(0.5, 0.7, 0.85, ONE), 116.354, 1e-3);
        for (p, k0, k1, one, two) in [
            (0.5, 0.4, 0.6, 118.900_5, 152.477_3),
            (0.3, 0.6, 0.8, 99.538_4, 128.995_9),
            (0.25, 0.7, 0.85, 157.729_2, 204.677_6),
        ] {
            close(cantor(p, k0, k1, ONE), one, 1e-3);
            close(cantor(p, k0, k1, TWO), two, 1e-3);
        }
        let zb = normal_quantile(0.8);
        for (p, k0, k1, want) in
            [(0.3, 0.4, 0.6, 190.455), (0.5, 0.4, 0.6, 164.826), (0.3, 0.6, 0.8, 148.007)]
        {
            close(donner_eliasziw(p, k0, k1, TWO, zb), want, 5e-3);
        }
        assert!(raters([0.9, 0.2], 0.9).is_none());
    }
}
