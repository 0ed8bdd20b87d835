"""Cautions about training runs: one alone, few of them, one far from the others, and failures that few cannot show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from reportkit.finding import Finding, Severity
from reportkit.scores.sample import Sample
from reportkit.significance.cautions import LEVEL, caution, levels_used, rounded_percent, sizes_text
from reportkit.significance.outcome import Outcome

FEW_RUNS = 5
"""Fewer runs than this say little about a spread."""

_NO_SPREAD = 1e-9
"""Runs whose spread is below this part of the largest score are alike."""

SIZES_OF_FEW_RUNS: Mapping[int, Mapping[float, float]] = {
    2: {0.05: 0.084, 0.01: 0.047, 0.005: 0.041, 0.001: 0.031},
    3: {0.05: 0.063, 0.01: 0.025, 0.005: 0.019, 0.001: 0.0098},
    4: {0.05: 0.057, 0.01: 0.017, 0.005: 0.011, 0.001: 0.0051},
}
"""One-sided sizes of a t-test over runs by the fewest runs and the level: the largest simulated ones."""

_TOLERATED = 1.2
"""Sizes up to this many times the level are not mentioned."""

_UNSEEN_RATE = 0.25
"""A finding is a warning where more than this part of all trainings can fail without a trace in the given runs."""

_FAR_OFF = 0.01
"""Probability that any run is called far from the others although all runs are normal."""


def run_findings(
    runs: Sample,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    outcome: Outcome,
    thresholds: Sequence[float],
) -> Iterator[Finding]:
    """Warn of tests over few runs, and of failures that few runs cannot show.

    Parameters
    ----------
    runs : Sample
        A and B on one dataset.
    a, b : ndarray of shape (n_runs,)
        Score of each run, oriented.
    outcome : Outcome
        Outcome of a t-test, whose size is said where it exceeds a level; nothing is said of other tests.
    thresholds : sequence of float
        Levels that p-values are compared with.
    """
    scores = {runs.system_a: a, runs.system_b: b}
    for system, values in scores.items():
        if values.size == 1:
            yield caution("single-run", runs.label, system=system)
    several = {system: runs.as_given(1.0) * values for system, values in scores.items() if values.size > 1}
    fewest = min((values.size for values in several.values()), default=FEW_RUNS)
    if fewest < FEW_RUNS:
        where = f"{runs.label} ({a.size} and {b.size} runs)"
        yield caution("few-runs", where, fewest=fewest, size=_size(fewest, outcome, thresholds), limit=FEW_RUNS)
    yield from failed_run_findings(several, runs.label)


def _size(fewest: int, outcome: Outcome, thresholds: Sequence[float]) -> str:
    sizes = SIZES_OF_FEW_RUNS[fewest]
    over = [level for level in levels_used(outcome, thresholds) if size_at(level, sizes) > _TOLERATED * level]
    if outcome.method != "asymptotic" or not over:
        return ""
    said = sizes_text([(level, size_at(level, sizes)) for level in dict.fromkeys((LEVEL, over[-1]))])
    return (
        ", and the t-test may call a system better that is not: for instance, with normal scores and the least "
        f"favourable variances, {said}"
    )


def failed_run_findings(runs: Mapping[str, NDArray[np.float64]], where: str) -> Iterator[Finding]:
    """Point out a run far from the others, or say how often a training may fail without a trace in so few runs.

    Far means that a t-test against the mean and the spread of the other runs of its system finds it so with
    p <= .01 after Bonferroni's correction over all runs and both sides. If a failure strikes a share q of all
    trainings, m runs show none with probability (1 - q)^m, so that q up to 1 - .05^(1 / m) is compatible with having
    seen none, at 95% confidence.

    Parameters
    ----------
    runs : mapping of str to ndarray
        Scores of the runs of each system that has several.
    where : str
        Pair and dataset.

    Notes
    -----
    Assumes normal scores of the runs that did not fail. The limit is that of Clopper and Pearson (1934) for no event.

    Examples
    --------
    >>> good = np.array([0.71, 0.72, 0.70, 0.73, 0.71])
    >>> [finding.code for finding in failed_run_findings({"a": good, "b": good + 0.1}, "a vs. b on cb")]
    ['unseen-failures']
    >>> [finding.code for finding in failed_run_findings({"a": good, "b": np.append(good, 0.1)}, "a vs. b on cb")]
    ['outlying-run']
    """
    n_runs = sum(scores.size for scores in runs.values())
    outlying = {system: run for system, scores in runs.items() if (run := _far_off(scores, n_runs)) is not None}
    for system, run in outlying.items():
        rest = np.delete(runs[system], run)
        score, low, high = (f"{value:.3g}".replace("-", "−") for value in (runs[system][run], rest.min(), rest.max()))
        yield caution("outlying-run", where, system=system, score=score, low=low, high=high)
    if outlying or not runs:
        return
    m = min(scores.size for scores in runs.values())
    rate = 1 - 0.05 ** (1 / m)
    severity: Severity = "warning" if rate > _UNSEEN_RATE else "info"
    yield caution("unseen-failures", where, severity=severity, m=m, rate=rounded_percent(rate))


def _far_off(scores: NDArray[np.float64], n_runs: int) -> int | None:
    """Return the position of the run that is furthest from the others of its system, if that is more than chance."""
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


def size_at(level: float, simulated: Mapping[float, float]) -> float:
    """Interpolate the size at a level between simulated ones.

    Parameters
    ----------
    level : float
        In (0, 1).
    simulated : mapping of float to float
        Sizes by level. Between levels the logarithm of the size is linear in that of the level; outside, the size is in
        the same proportion to the level as at the nearest one.

    Examples
    --------
    >>> round(size_at(0.01, {0.05: 0.08, 0.002: 0.02}), 3), round(size_at(0.001, {0.05: 0.08, 0.002: 0.02}), 3)
    (0.04, 0.01)
    """
    levels = sorted(simulated)
    nearest = min(max(level, levels[0]), levels[-1])
    logs = [math.log(simulated[known]) for known in levels]
    size = math.exp(float(np.interp(math.log(nearest), [math.log(known) for known in levels], logs)))
    return min(1.0, size * level / nearest)
