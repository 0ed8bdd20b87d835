"""What is said beside every test of runs: a single run of one system, and how the runs of both are spread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.intervals.stochastic_order import stochastic_order
from reportkit.results.details import Details, SideDetails
from reportkit.results.sample import Sample
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan


def single_run_findings(numbers: Mapping[str, int], where: str) -> Iterator[Finding]:
    """Warn of a system with one run beside one with several.

    Parameters
    ----------
    numbers : mapping of str to int
        Runs of each system.
    where : str
        Pair and dataset.
    """
    for system, number in numbers.items():
        if number == 1:
            yield Finding(
                "single-run",
                "warning",
                f"{system!r} has a single run, which is taken as given: nothing is said about it trained anew. "
                "If it is the best of several, the p-value is not valid.",
                where=where,
                remedy="give all runs of both systems",
            )


FEW_RUNS = 5
"""Fewer runs than this hardly tell a spread."""

_SIZES = {2: ".09", 3: ".07", 4: ".06"}
"""One-sided size at .05 of a t-test where one system has so many runs, its spread rules, and the other has many."""


def few_run_findings(numbers: Mapping[str, int], where: str, *, exact: bool = False) -> Iterator[Finding]:
    """Warn of a system whose runs are several, but few.

    Parameters
    ----------
    numbers : mapping of str to int
        Runs of each system.
    where : str
        Pair and dataset.
    exact : bool
        Whether the test keeps its level all the same.

    Examples
    --------
    >>> [finding.where for finding in few_run_findings({"a": 3, "b": 10}, "a v b on cb")]
    ['a v b on cb (3 and 10 runs)']
    """
    fewest = min((number for number in numbers.values() if number > 1), default=FEW_RUNS)
    if fewest < FEW_RUNS:
        size = "" if exact else f", and the one-sided size of the t-test at .05 can reach {_SIZES[fewest]}"
        yield Finding(
            "few-runs",
            "warning",
            f"{fewest} runs of a system hardly show its spread: differences that matter can easily be missed{size}.",
            where=f"{where} ({' and '.join(map(str, numbers.values()))} runs)",
            remedy=f"train {FEW_RUNS} runs or more",
        )


def order_of_runs(sample: Sample, a: NDArray[np.float64], b: NDArray[np.float64], outcome: Outcome) -> Details:
    """Almost stochastic order of the runs, both ways, as a description; nothing where a system has a single run.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    a, b : ndarray of shape (n_runs,)
        Score of each run.
    outcome : Outcome
        Of the test beside; the bootstrap has its seed.
    """
    if min(a.size, b.size) < 2:
        return Details()
    swapped = sample.system_b < sample.system_a
    rng = ResamplingPlan(seed=outcome.seed or 0).rng(sample)
    order = stochastic_order(b, a, rng) if swapped else stochastic_order(a, b, rng)
    if swapped:
        order = order.swapped()
    of_a, of_b = (
        SideDetails(stochastic_order_epsilon=one.epsilon, stochastic_order_epsilon_min=one.least())
        for one in (order, order.swapped())
    )
    return Details(a=of_a, b=of_b)
