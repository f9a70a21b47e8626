//! The command as a person types it.
#[test]
fn placeholder() {}
