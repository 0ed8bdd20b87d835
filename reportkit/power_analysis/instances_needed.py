"""How many instances would show a difference, from what one comparison says of how well differences are known."""

from __future__ import annotations

from reportkit.power_analysis.designs import Design, MeanDifference, PairedAccuracy
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.scores.shapes.sample import Shape
from reportkit.significance.outcome import Outcome

GROWING: tuple[Shape, ...] = ("paired", "corpus", "correlation", "unpaired", "counts")
"""Shapes whose error falls with more instances as that of a mean does."""


def instances_needed(item: Outcome, effect: float, *, level: float, power: float = 0.8) -> int | None:
    """Instances with which a comparison like this one shows a true difference with a given power.

    Parameters
    ----------
    item : Outcome
        A and B on one dataset. Its observed difference is not used.
    effect : float
        True difference to plan for, above 0, in units of the score.
    level : float
        Of the one-sided test, in (0, 1).
    power : float
        In (0, 1).

    Returns
    -------
    int or None
        For right-or-wrong scores on the same instances, from the share on which exactly one system is right, by the
        exact McNemar test; for others, from the standard error, by a t test. None where instances are not what is
        sampled, or nothing is known of the variance.

    Notes
    -----
    With clusters and weights, more instances are taken to come in as large clusters with such weights.
    """
    if item.unit != "instance" or item.shape not in GROWING or not item.n or not item.tested:
        return None
    design: Design
    differing = item.n_nonzero
    if item.kind == "binary" and item.shape == "paired" and differing and item.n_clusters is None:
        rate = min(1.0, max(differing / item.n, effect))
        design = PairedAccuracy(lambda _: rate, rate)
    elif item.standard_error:
        n, known = item.n, PlannedError(item.standard_error, max(1, (item.n_clusters or item.n) - 1))
        design = MeanDifference(lambda size: known.scaled(size / n))
    else:
        return None
    return design.sample_size(effect, power, level)
