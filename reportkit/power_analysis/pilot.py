"""Plan from earlier results: the design of the next comparison, and the effect that they could have shown.

It takes the precision of the difference from the results, never the difference itself.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from reportkit.errors import DesignError
from reportkit.power_analysis.designs import Design, MeanDifference, PairedAccuracy, UnpairedAccuracy, always
from reportkit.power_analysis.planned_error import (
    PlannedError,
    error_over_runs,
    run_components,
)
from reportkit.scores.sample import RightOf, Sample, Shape
from reportkit.significance.outcome import Outcome
from reportkit.significance.standard_errors import ESTIMATES, standard_error
from reportkit.significance.tests.two_way_t import estimate_two_way
from reportkit.significance.units import as_wins

_GROWING: tuple[Shape, ...] = ("paired", "corpus", "correlation", "unpaired")
"""Shapes whose error falls with more instances as that of a mean."""

"""Steps of p-values below this part of the level do not matter."""


def design_of(sample: Sample, n_runs: int | None = None) -> Design:
    """Take the design of the next comparison from this one.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    n_runs : int, optional
        Planned runs of each system, for instances with several runs; as many as there are by default.

    Returns
    -------
    Design
        For right-or-wrong scores, from the rate of discordant instances, or the accuracy over both samples. For others,
        from the standard error and degrees of freedom at hand, scaled to n instances: the size of clusters and the
        ratio of the two samples stay as they are. For several runs, from the variance components.

    Raises
    ------
    DesignError
        If the data hold no information on the variance, or `n_runs` does not fit.
    """
    if n_runs is not None and sample.shape != "runs":
        raise DesignError(
            "a number of runs was given, and these are no scores of several runs by instance",
            where=f"dataset {sample.dataset!r}",
            remedy="leave out n_runs (--n-runs), or give results with a column of seeds",
        )
    paired = _plain_right_or_wrong(sample)
    if paired is not None:
        rate = sum(paired.wins_and_losses) / paired.n
        if rate == 0:
            raise _unknown(sample, "discordant (--discordant), the share of instances on which the systems disagree")
        return PairedAccuracy(partial(always, rate), rate)
    if sample.shape in ("unpaired", "counts") and sample.binary and sample.kind != "ordinal":
        return _of_shares(sample.right)
    error = standard_error(sample)
    if error is None:
        raise _unknown(sample, "sd (--sd), the standard deviation of the differences")
    known = PlannedError(error, degrees_of_freedom(sample))
    return MeanDifference(partial(_error_at, sample, known, n_runs))


def _error_at(sample: Sample, known: PlannedError, n_runs: int | None, n: int) -> PlannedError:
    if (n, n_runs) == (sample.n, None):
        return known
    if sample.shape == "runs":
        return _over_runs(sample, n, n_runs)
    if sample.shape in _GROWING:
        return known.scaled(n / sample.n)
    raise DesignError(
        "these results do not say what other numbers of instances would do",
        where=f"dataset {sample.dataset!r}",
        remedy="leave out n (--n) and ask for the smallest effect or the power, or give scores by instance",
    )


def _plain_right_or_wrong(sample: Sample) -> Sample | None:
    """Return right-or-wrong scores that need no more than their wins and losses: no clusters, no weights; else None."""
    if sample.shape != "paired":
        return None
    paired = as_wins(sample) if sample.kind == "ordinal" else sample
    return paired if paired.kind == "binary" and paired.clusters is None and paired.weights is None else None


def degrees_of_freedom(sample: Any) -> float:
    """Return the degrees of freedom of the difference; inf where it is taken as normal."""
    if sample.shape in ("corpus", "correlation"):
        return float((sample.n if sample.n_clusters is None else sample.n_clusters) - 1)
    if (sample.shape == "unpaired" and (sample.kind == "ordinal" or sample.binary)) or sample.shape == "counts":
        return math.inf
    return float(ESTIMATES[sample.shape](sample).degrees_of_freedom)


def _of_shares(right: RightOf) -> UnpairedAccuracy:
    """Plan with the accuracy over both samples and the ratio of their sizes as they are."""
    total = right.n_a + right.n_b
    overall, share_a = (right.a + right.b) / total, right.n_a / total
    return UnpairedAccuracy(
        partial(_shares_at, overall, share_a),
        min((1 - overall) / (1 - share_a), overall / share_a),
        partial(_sizes_at, right.n_a, right.n_b),
    )


def _shares_at(overall: float, share_a: float, effect: float) -> tuple[float, float]:
    return min(1.0, overall + effect * (1 - share_a)), max(0.0, overall - effect * share_a)


def _sizes_at(n_a: int, n_b: int, n: int) -> tuple[int, int]:
    smaller = min(n_a, n_b)
    return round(n * n_a / smaller), round(n * n_b / smaller)


def _over_runs(sample: Any, n: int, n_runs: int | None) -> PlannedError:
    m_a, m_b = len(sample.a), len(sample.b)
    if min(m_a, m_b) < 2:
        raise DesignError(
            "a single run of a system says nothing about how its runs vary",
            where=f"dataset {sample.dataset!r}",
            remedy="give results with two runs or more of each system, or leave out n (--n) and n_runs (--n-runs)",
        )
    units = sample.n if sample.n_clusters is None else sample.n_clusters
    components = run_components(estimate_two_way(sample), units, m_a, m_b)
    return error_over_runs(components, max(2, round(units * n / sample.n)), n_runs or m_a, n_runs or m_b)


def _unknown(sample: Sample, needed: str) -> DesignError:
    return DesignError(
        "the results do not say how much the difference varies",
        where=f"dataset {sample.dataset!r}",
        remedy=f"plan without the results, from numbers: give {needed} that you expect",
    )


def instances_needed(item: Outcome, effect: float, *, level: float, power: float = 0.8) -> int | None:
    """Return the instances with which a comparison like this one shows a true difference with a given power.

    Parameters
    ----------
    item : Outcome
        A and B on one dataset. Its observed difference is not used.
    effect : float
        True difference to plan for, above 0, in units of the score.
    level : float
        Level of the one-sided test, in (0, 1).
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
    if item.unit != "instance" or item.shape not in (*_GROWING, "counts") or not item.n or not item.tested:
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
