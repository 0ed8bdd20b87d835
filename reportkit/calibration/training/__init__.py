"""Training sets drawn anew: many systems from a few learners."""
