//! Distribution functions and quantiles of the normal, beta, t and binomial laws, each held by some
//! thirty reference values.
//!
//! # Why they are written here
//!
//! * `statrs` (0.19) takes `ln`, `exp` and `sqrt` from `num_traits::Float`. Without the feature
//!   `num-traits/std` that is libm; as soon as any crate of the build switches it on (plotters and
//!   proptest do) it is the platform's own mathematics, and quantiles can change in the last bit.
//! * `special` (0.14) uses libm, but its beta quantile does not return for p = 1e-300 with shapes 5
//!   and 135 (in a debug build it panics), and its CDF subtracts log-gammas: it is off by 5e-12 at
//!   shapes of 2e4 and by 1e-6 at 1e8. Here the first is good to 1e-14, the second to 1e-11.
//!
//! Probabilities are relative-accurate in both tails: ask for the upper tail by name instead of
//! subtracting a CDF from one. Arguments outside a law's range give NaN, never a panic.

pub mod beta;
pub mod binomial;
pub(crate) mod logit;
pub mod normal;
pub mod student;

pub use beta::{beta_cdf, beta_quantile, beta_upper};
pub use binomial::{binomial_cdf, binomial_pmf, binomial_upper};
pub use normal::{normal_density, normal_quantile, phi, phi_upper};
pub use student::{t_quantile, t_tail};
