"""Intervals of right-or-wrong scores."""
