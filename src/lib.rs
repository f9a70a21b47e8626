//! placeholder
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
pub mod world;
