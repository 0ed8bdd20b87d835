"""Two sums over the same swaps: tails of functions of them, such as F1."""
