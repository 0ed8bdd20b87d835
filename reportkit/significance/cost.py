"""What a test costs: how much of a processor's time it takes for the pairs of systems of one dataset."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Milliseconds of one processor, as orders of magnitude.

    They were measured once, on one core of a server, with the interval and the records beside the test. They are
    constants, so what is expected of a comparison is the same on any machine.

    Parameters
    ----------
    pair : float
        For each pair of systems.
    thousand : float
        For each pair and each 1,000 instances.
    resampled : float
        For each pair and each 1,000 resamples.
    drawn : float
        Once for all pairs of a dataset, for each million of instances drawn: resamples times instances.
    in_columns : tuple of float, optional
        (pair, thousand) where the test finds the p-values of many pairs at once; None if it does not.
    instead : str
        Name of a cheaper test of the same null hypothesis; empty if there is none.
    """

    pair: float = 1.5
    thousand: float = 0.5
    resampled: float = 0.0
    drawn: float = 0.0
    in_columns: tuple[float, float] | None = None
    instead: str = ""


ORDINARY = Cost()
"""Of a test that says nothing else of itself."""
