//! The command as a person types it: what it says, what it writes, and how it ends.
#![cfg(feature = "cli")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "cli/allocate.rs"]
mod allocate;
#[path = "cli/analyses.rs"]
mod analyses;
#[path = "cli/certify.rs"]
mod certify;
#[path = "cli/desk.rs"]
mod desk;
#[path = "cli/detect.rs"]
mod detect;
#[path = "cli/fuzz.rs"]
mod fuzz;
#[path = "cli/gates.rs"]
mod gates;
#[path = "cli/input.rs"]
mod input;
#[path = "cli/interrupt.rs"]
mod interrupt;
#[path = "cli/other.rs"]
mod other;
#[path = "cli/places.rs"]
mod places;
#[path = "cli/precision.rs"]
mod precision;
#[path = "cli/report.rs"]
mod report;
#[path = "cli/results.rs"]
mod results;
