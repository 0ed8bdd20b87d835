"""Intervals of the difference of two means."""
