"""Bootstrap-t: Student's t with the quantiles of its bootstrap distribution, for skewed differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.interval import Interval
from reportkit.intervals.means.student_t import estimate_mean, student_t_interval
from reportkit.intervals.means.units import Units, sorted_units
from reportkit.null_distributions.random.streams import hash64
from reportkit.null_distributions.random.studentized import studentized_means, studentized_rows
from reportkit.scores.shapes.paired_scores import PairedScores, remembered_ahead
from reportkit.scores.shapes.sample import remembered

N_RESAMPLES = 9_999
"""Resamples of an interval."""

FEWEST_VALID = 200
"""With fewer resamples that hold a variance (or fewer than half of those drawn), Student's t distribution is used."""


@dataclass(frozen=True, slots=True, eq=False)
class StudentizedResamples:
    """The resamples of one pair of systems, in the direction of the system that comes first by name.

    Parameters
    ----------
    units : Units
        What is resampled.
    key : tuple of int
        Stream: of seed, dataset and metric, the same for all pairs of systems.
    known : dict
        What the pair remembers: the first resamples serve both the test and the interval.
    """

    units: Units
    key: tuple[int, ...]
    known: dict[str, Any]

    @classmethod
    def of(cls, paired: PairedScores, seed: int) -> StudentizedResamples:
        """Name the stream of a pair; the draws are those of every other pair on the dataset and metric."""
        key = (seed, hash64("bootstrap-t"), hash64(paired.dataset), hash64(paired.metric))
        return cls(sorted_units(paired), key, paired.known)

    @property
    def equal_sizes(self) -> bool:
        """Whether all units count alike."""
        return bool((self.units.sizes == self.units.sizes[0]).all())

    def t(self, start: int, stop: int) -> NDArray[np.float64]:
        """Student's t of resamples start to stop, without those that hold no variance."""
        if (start, stop) != (0, N_RESAMPLES):
            return self._drawn(start, stop)
        return remembered(self.known, _known_as(self.key[0]), lambda: self._drawn(start, stop))

    def _drawn(self, start: int, stop: int) -> NDArray[np.float64]:
        sizes = None if self.equal_sizes else self.units.sizes
        return studentized_means(self.units.sums, sizes, key=self.key, start=start, stop=stop)


def resampled_ahead(samples: Sequence[PairedScores], seed: int) -> None:
    """Draw the first resamples of many pairs at once, where the test and `bootstrap_t_interval` find them.

    Parameters
    ----------
    samples : sequence of PairedScores
        Pairs of systems, on any datasets.
    seed : int
        Of the resamples.
    """
    by_key: dict[tuple[int, ...], list[PairedScores]] = {}
    for paired in samples:
        if paired.clusters is None and paired.weights is None:
            by_key.setdefault(StudentizedResamples.of(paired, seed).key, []).append(paired)
    for key, together in by_key.items():
        remembered_ahead(
            together,
            _known_as(seed),
            lambda paired: sorted_units(paired).sums,
            partial(studentized_rows, key=key, start=0, stop=N_RESAMPLES),
        )


def _known_as(seed: int) -> str:
    return f"bootstrap-t of seed {seed}"


def enough_valid(n_valid: int, n_drawn: int) -> bool:
    """Whether so many resamples with a variance tell the distribution of t.

    Examples
    --------
    >>> enough_valid(9_990, 9_999), enough_valid(150, 9_999), enough_valid(99, 99)
    (True, False, True)
    """
    return n_valid >= min(FEWEST_VALID, n_drawn / 2)


def bootstrap_t_interval(paired: PairedScores, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Bootstrap-t interval for the (weighted) mean difference: [d - t*_high se, d - t*_low se].

    t* = (d* - d) / se* over resampled instances, or whole clusters with the cluster-robust standard error in each
    resample; t*_low and t*_high are its quantiles at (1 - level) / 2 and (1 + level) / 2.

    Parameters
    ----------
    paired : PairedScores
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Of the resamples, 9,999 of them.

    Returns
    -------
    Interval or None
        Student's t interval where fewer than 200 resamples hold a variance; None where the data hold none.

    Notes
    -----
    Assumes independent units. Its two ends are not equally far from d, as skewness asks for; coverage is right to
    order 1 / n, that of Student's t interval to order 1 / sqrt(n) at each end. Efron (1982), section 10.10; Hall
    (1988), "Theoretical comparison of bootstrap confidence intervals".

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.arange(1.0, 31.0) ** 4 / 1e5, b=np.zeros(30))
    >>> interval = bootstrap_t_interval(paired)
    >>> interval.title, interval.high - 1.81 > 1.81 - interval.low
    ('bootstrap-t interval of the mean', True)
    """
    estimate = estimate_mean(paired)
    if estimate.standard_error is None:
        return None
    resamples = StudentizedResamples.of(paired, seed)
    t = resamples.t(0, N_RESAMPLES)
    if not enough_valid(t.size, N_RESAMPLES):
        return student_t_interval(paired, confidence_level)
    # Weibull's quantiles: those of sorted values by hand, as sorting takes a third of the time of `np.quantile`
    places = np.array([0.5 - confidence_level / 2, 0.5 + confidence_level / 2]) * (t.size + 1)
    low, high = np.interp(places, np.arange(1, t.size + 1), np.sort(t))
    if resamples.units.swapped:
        low, high = -high, -low
    weighted = "" if paired.weights is None else "weighted "
    clustered = "" if paired.clusters is None else "cluster-robust "
    return Interval(
        low=estimate.mean - float(high) * estimate.standard_error,
        high=estimate.mean - float(low) * estimate.standard_error,
        level=confidence_level,
        title=f"{clustered}bootstrap-t interval of the {weighted}mean",
        citation="hall1988comparison",
    )
