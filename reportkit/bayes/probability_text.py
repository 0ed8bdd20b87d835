"""Posterior probabilities as a sentence writes them."""

from __future__ import annotations


def probability_text(value: float) -> str:
    """Write a probability with three decimals; never as 0 or 1, which no posterior is.

    Examples
    --------
    >>> probability_text(0.97249), probability_text(1e-9), probability_text(0.99996)
    ('.972', 'below .001', 'above .999')
    """
    if value < 0.001:
        return "below .001"
    return "above .999" if value > 0.999 else f"{value:.3f}".removeprefix("0")
