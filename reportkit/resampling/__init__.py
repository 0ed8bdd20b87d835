"""Null distributions of sums of paired differences: exact tails, and fast Monte Carlo where there is no other way.

Works on NumPy arrays only and knows nothing of systems, datasets or reports; depends on NumPy and `scipy.fft`.
"""

from reportkit.resampling.null_distribution import bootstrap_tail, sign_flip_tail
from reportkit.resampling.tail_probability import TailProbability

__all__ = ["TailProbability", "bootstrap_tail", "sign_flip_tail"]
