"""What is said beside every test of runs: a single run of one system, few runs, runs that failed, and their spread."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from reportkit.finding import Finding
from reportkit.intervals.effect_sizes.stochastic_order import stochastic_order
from reportkit.language.numerals import percent_text
from reportkit.scores.shapes.sample import Details, Sample, SideDetails
from reportkit.significance.cautions.size_wording import LEVEL, levels_used, size_at, sizes_text
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

_NO_SPREAD = 1e-9
"""Runs whose spread is below this part of the largest score are alike."""

SIZES_OF_FEW_RUNS: Mapping[int, Mapping[float, float]] = {
    2: {0.05: 0.084, 0.01: 0.047, 0.005: 0.041, 0.001: 0.031},
    3: {0.05: 0.063, 0.01: 0.025, 0.005: 0.019, 0.001: 0.0098},
    4: {0.05: 0.057, 0.01: 0.017, 0.005: 0.011, 0.001: 0.0051},
}
"""One-sided sizes of a t-test over runs by the fewest runs and the level: the largest simulated ones."""

_TOLERATED = 1.2
"""Sizes up to this many times the level are not worth a word."""

_UNSEEN_RATE = 0.25
"""Where more than this part of all trainings can fail without a trace in the runs at hand, it is a warning."""

_FAR_OFF = 0.01
"""Chance that one of the runs of two systems stands as far off as the one that is called far off, if all are normal."""


def few_run_findings(
    numbers: Mapping[str, int], where: str, outcome: Outcome | None = None, thresholds: Sequence[float] = ()
) -> Iterator[Finding]:
    """Warn of a system whose runs are several, but few.

    Parameters
    ----------
    numbers : mapping of str to int
        Runs of each system.
    where : str
        Pair and dataset.
    outcome : Outcome, optional
        Of a t-test, whose size is said where it exceeds a level; nothing is said of other tests.
    thresholds : sequence of float
        Levels that p-values are compared with.

    Examples
    --------
    >>> [finding.where for finding in few_run_findings({"a": 3, "b": 10}, "a v b on cb")]
    ['a v b on cb (3 and 10 runs)']
    """
    fewest = _fewest(numbers)
    if fewest < FEW_RUNS:
        size = ""
        if outcome is not None and outcome.method == "asymptotic":
            sizes = SIZES_OF_FEW_RUNS[fewest]
            over = [level for level in levels_used(outcome, thresholds) if size_at(level, sizes) > _TOLERATED * level]
            if over:
                said = sizes_text([(level, size_at(level, sizes)) for level in dict.fromkeys((LEVEL, over[-1]))])
                size = (
                    ", and the t-test may call a system better that is not: for instance, with normal scores and the "
                    f"least favourable variances, {said}"
                )
        yield Finding(
            "few-runs",
            "warning",
            f"{fewest} runs of a system hardly show how much it varies, so differences that matter are easily missed"
            f"{size}.",
            where=f"{where} ({' and '.join(map(str, numbers.values()))} runs)",
            remedy=f"train {FEW_RUNS} runs or more",
        )


def run_size_findings(
    runs: Sample,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    outcome: Outcome,
    thresholds: Sequence[float],
) -> Iterator[Finding]:
    """Say what few runs do to a test, and what they cannot show.

    Parameters
    ----------
    runs : Sample
        What was tested.
    a, b : numpy.ndarray
        Score of each run of A and of B.
    outcome, thresholds
        As for `few_run_findings`.
    """
    where = runs.label
    scores = {runs.system_a: a, runs.system_b: b}
    yield from few_run_findings({system: values.size for system, values in scores.items()}, where, outcome, thresholds)
    given = {system: np.array([runs.as_given(value) for value in values]) for system, values in scores.items()}
    yield from failed_run_findings(given, where)


def failed_run_findings(runs: Mapping[str, NDArray[np.float64]], where: str) -> Iterator[Finding]:
    """Point out a run far off the others, or say how often a training may fail without a trace in so few runs.

    A run is far off if a t-test against the mean and the spread of the other runs of its system finds it so with
    p <= .01 after Bonferroni's correction over all runs and both sides. If a failure strikes a share q of all
    trainings, m runs show none with probability (1 - q)^m, so that q up to 1 - .05^(1 / m) is compatible with having
    seen none, at 95% confidence.

    Parameters
    ----------
    runs : mapping of str to ndarray
        Score of each run of each system.
    where : str
        Pair and dataset.

    Notes
    -----
    Assumes normal scores of the runs that did not fail. The limit is that of Clopper and Pearson (1934) for no event.

    Examples
    --------
    >>> import numpy as np
    >>> good = np.array([0.71, 0.72, 0.70, 0.73, 0.71])
    >>> [finding.code for finding in failed_run_findings({"a": good, "b": good + 0.1}, "a v b on cb")]
    ['unseen-failures']
    >>> [finding.code for finding in failed_run_findings({"a": good, "b": np.append(good, 0.1)}, "a v b on cb")]
    ['outlying-run']
    """
    several = {system: scores for system, scores in runs.items() if scores.size > 1}
    n_runs = sum(scores.size for scores in several.values())
    seen = False
    for system, scores in several.items():
        if (run := _far_off(scores, n_runs)) is None:
            continue
        seen = True
        rest = np.delete(scores, run)
        yield Finding(
            "outlying-run",
            "warning",
            f"One run of {system!r} lies far from the others ({_written(scores[run])}; the others: "
            f"{_written(rest.min())} to {_written(rest.max())}). If training sometimes fails, so few runs do not show "
            "how often, and the p-value is not reliable.",
            where=where,
            remedy="find out what happened in this run. If it is part of the training procedure, keep it, and train "
            "many more runs of both systems",
        )
    if seen or not several:
        return
    m = min(scores.size for scores in several.values())
    rate = 1 - 0.05 ** (1 / m)
    yield Finding(
        "unseen-failures",
        "warning" if rate > _UNSEEN_RATE else "info",
        f"No run lies far from the others, but {m} runs of a system are too few to rule out a failure in up to "
        f"{percent_text(float(f'{rate:.2g}'))} of its trainings (95% confidence). The p-value does not allow for one "
        "system failing more often than the other.",
        where=where,
        remedy="train more runs if trainings can fail or collapse",
    )


def _written(score: float) -> str:
    return f"{score:.3g}".replace("-", "−")


def _far_off(scores: NDArray[np.float64], n_runs: int) -> int | None:
    """Position of the run that is furthest off the others of its system, if that is too far for chance."""
    m = scores.size
    if m < 3:
        return None
    found = []
    for run in range(m):
        rest = np.delete(scores, run)
        spread = max(float(rest.std(ddof=1)), _NO_SPREAD * float(np.abs(scores).max()))
        distance = abs(float(scores[run] - rest.mean()))
        found.append(distance / (spread * math.sqrt(1 + 1 / (m - 1))) if distance > 0 else 0.0)
    furthest = int(np.argmax(found))
    p_value = 2 * n_runs * float(stdtr(m - 2, -found[furthest]))
    return furthest if p_value <= _FAR_OFF else None


def _fewest(numbers: Mapping[str, int]) -> int:
    """Runs of the system with the fewest, of those that have several."""
    return min((number for number in numbers.values() if number > 1), default=FEW_RUNS)


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
