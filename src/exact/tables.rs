//! Powers on tables of two raters.
