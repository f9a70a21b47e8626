//! A laboratory for the biases of automatic judges (LLM-as-a-judge).
//!
//! It answers three questions. *What could I have seen?* The smallest bias that a protocol detects with the pairs at
//! hand. *What does my protocol cancel, and what not?* Plant a bias, run the protocol, see what is left. *Does my protocol
//! recover what is true?* Plant parameters, estimate them back, and read bias, coverage and power, each with its Monte
//! Carlo standard error.
//!
//! Everything is one pipeline: a [`scenario`] (TOML) becomes a plan of a [`world`], [`judges`] and a [`protocol`]; they give
//! [`evidence`], which [`estimators`] answer on. Evidence comes from the Monte Carlo engine of [`study`], from the exact sums
//! of [`exact`], or from a real file, and an estimator never knows which. [`report`] tells what was found.
//!
//! ```
//! use judgelab::report::Report;
//! use judgelab::scenario::Plan;
//! use judgelab::stream::Words;
//! use judgelab::study::{self, Measure};
//!
//! let plan = Plan::from_toml(
//!     r#"
//!     question = "Does averaging the two orders cancel a position preference?"
//!     seed = 7
//!     replicates = 1000
//!
//!     [world.sampled]
//!     pairs = 140
//!     better = 0.75
//!
//!     [judges.primacy.pairwise]
//!     ability = 2.5
//!     position = 1.2
//!
//!     [estimate]
//!     rules = ["win-rate", "position-effect"]
//!     "#,
//!     &mut |file| Err(format!("no file {file} here")),
//! )?;
//! let range = 0..plan.replicates;
//! let gathered = study::simulate(&plan.tasks, plan.seed, Words::Keyed, range, &plan.settings, &|_| true)
//!     .expect("nothing stops it");
//! let report = Report::new(&plan, &gathered);
//! let averaged = report.results[0].get("win-rate/averaged").expect("the protocol feeds it");
//! assert!((averaged.value(Measure::Estimand).unwrap() - 0.6904).abs() < 1e-4);
//! assert!((averaged.value(Measure::Fair).unwrap() - 0.7121).abs() < 1e-4);
//! # Ok::<(), judgelab::scenario::Mistakes>(())
//! ```
//!
//! What is absent, on purpose: the library opens no file, prints nothing, reads no clock, and has no global generator. A
//! result depends on its scenario and its seed, never on threads, order, shards or platform: transcendental functions come
//! from `libm`, replicates are counted by distinct evidence or summed exactly, and every draw has an [address](stream).

pub mod analysis;
pub mod estimators;
pub mod evidence;
pub mod exact;
pub mod judges;
pub mod protocol;
pub mod quantity;
pub mod report;
pub mod scenario;
pub mod stats;
pub mod stream;
pub mod study;
pub mod verdicts;
pub mod world;
