"""Intervals of the difference of two correlations with the same gold score."""
