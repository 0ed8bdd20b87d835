"""Null distributions of sums of paired differences, and random resamples of statistics that are no sums.

Works on NumPy arrays only and knows nothing of systems, datasets or reports.
"""

from reportkit.null_distributions.nulls import SMALLEST_P_VALUE, RowTail, draw_end, draw_tails, flip_ends, flip_tails

__all__ = ["SMALLEST_P_VALUE", "RowTail", "draw_end", "draw_tails", "flip_ends", "flip_tails"]
