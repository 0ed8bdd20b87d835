"""Intervals of the difference of a corpus metric."""
