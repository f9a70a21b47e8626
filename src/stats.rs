//! Numerics that never heard of judges: distribution functions, intervals, paired tests, agreement
//! and exact sums. This room imports nothing of the crate.
//!
//! Every transcendental function goes through `libm`, so the same arguments give the same bits on
//! every platform. The incomplete beta function and the normal and t quantiles are written here and
//! not taken from `statrs` or `special`; `special.rs` says why.

pub mod accumulate;
pub mod agreement;
pub mod allocation;
pub mod bootstrap;
pub mod bradley_terry;
pub mod cluster_slope;
pub mod clustered;
pub mod corrected;
pub mod dawid_skene;
pub(crate) mod dense;
pub mod interval;
pub mod kappa;
pub mod logistic;
pub mod mixed;
pub mod multiplicity;
mod newton;
pub mod paired;
pub mod panel;
pub mod planning;
pub mod probit;
pub mod quadrature;
pub mod root;
pub mod sample_size;
mod sandwich;
pub mod special;
pub mod swap_difference;
pub mod transitivity;
pub mod two_shares;
