"""Null distributions of sums of paired differences: exact tails, and fast Monte Carlo where there is no other way.

Works on NumPy arrays only and knows nothing of systems, datasets or reports; depends on NumPy and `scipy.fft`.
"""

from reportkit.null_distributions.all_pairs import bootstrap_tails, sign_flip_tails
from reportkit.null_distributions.null_distribution import bootstrap_tail, sign_flip_tail
from reportkit.null_distributions.random.monte_carlo import (
    MonteCarloTails,
    bootstrap_monte_carlo,
    sign_flip_monte_carlo,
)
from reportkit.null_distributions.tail_probability import TailProbability

__all__ = [
    "MonteCarloTails",
    "TailProbability",
    "bootstrap_monte_carlo",
    "bootstrap_tail",
    "bootstrap_tails",
    "sign_flip_monte_carlo",
    "sign_flip_tail",
    "sign_flip_tails",
]
