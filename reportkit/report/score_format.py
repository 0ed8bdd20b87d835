"""How scores are written: digits, units, intervals, p-values; and decimals that promise more than the data hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TYPE_CHECKING

from reportkit.language.numerals import (
    decimals_for,
    fixed,
    interval_end,
    interval_text,
)
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.sample import remembered
from reportkit.significance.outcome import Outcome, unswapped

if TYPE_CHECKING:
    from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """Factor and decimals of one metric.

    Parameters
    ----------
    factor : float
        100 for proportions, which are printed in percent; 1 otherwise.
    decimals : int
        Of what is about several datasets, such as an average.
    noun : str
        Noun for differences that are not in percent; empty if they have no unit, as those of correlations.
    by_dataset : mapping of str to ScoreScale
        Of single datasets, where they are not printed like the others.
    """

    factor: float
    decimals: int
    noun: str = "points"
    by_dataset: Mapping[str, ScoreScale] = field(default_factory=dict, hash=False)

    def on(self, dataset: str) -> ScoreScale:
        """How a number of one dataset is printed."""
        return self.by_dataset.get(dataset, self)

    def score(self, value: float) -> str:
        """Write a score as given."""
        return fixed(value * self.factor, self.decimals)

    def difference(self, value: float) -> str:
        """Write a difference with its sign; with further decimals where it would be written as 0 and is not."""
        return interval_end(value * self.factor, self.decimals)

    end = difference

    def interval(self, low: float, high: float) -> str:
        """Write an interval of a difference: `[+0.4, +3.1]`."""
        return interval_text(low * self.factor, high * self.factor, self.decimals)

    @property
    def unit(self) -> str:
        """`%` or nothing, for captions and headers."""
        return "%" if self.factor == 100 else ""

    @property
    def points(self) -> str:
        """Noun for differences."""
        return "percentage points" if self.factor == 100 else self.noun

    @property
    def points_after(self) -> str:
        """The same to follow a number, with the space before it."""
        return f" {self.points}" if self.points else ""


def _is_correlation(item: Outcome) -> bool:
    """Whether the scores are correlations with gold scores, of instances or taken from several datasets."""
    return item.shape == "correlation" or (item.unit == "dataset" and named_coefficient(item.metric) is not None)


def scale_for(assessments: Iterable[Outcome], errors: Iterable[tuple[str, float | None]] | None = None) -> ScoreScale:
    """Choose percent for proportions, and decimals no finer than the data support.

    Percentages have one decimal. Of other scores, the last decimal is the one that a usual standard error of a
    difference reaches (the median one, so that a pair of systems that are nearly alike changes nothing); the same for
    all datasets, unless some need at least two decimals more or less than that. Correlations have two at least.
    Decimals that a paper prints, or that a user asks for, come before.

    Parameters
    ----------
    assessments : iterable of Outcome
        Of one metric, over all datasets and systems.
    errors : iterable of (str, float or None), optional
        Datasets, and the standard errors there, where the assessments are only one of each kind.

    Examples
    --------
    Scores of right or wrong answers: `72.3`; latencies of seconds beside some of milliseconds: `31,117` and `0.0021`.
    """
    items = list(assessments)
    by_name: dict[str, list[Outcome]] = {}
    for item in items:
        by_name.setdefault(item.dataset, []).append(item)
    known: dict[str, list[float]] = {name: [] for name in by_name}
    for name, error in errors or ((item.dataset, item.standard_error) for item in items):
        if error:
            known[name].append(error)
    common = _scale_of(items, [error for name in known for error in known[name]], percent=bool(items))
    own = {name: _scale_of(here, known[name], percent=True) for name, here in by_name.items()}
    together = all(abs(one.decimals - common.decimals) < _FAR_APART for one in own.values())
    if together and all(one.factor == common.factor for one in own.values()):
        return common
    fewest = min(one.decimals for one in own.values())
    return replace(common, decimals=fewest, by_dataset=own)


def scale_of(analysis: ReplicabilityAnalysis) -> ScoreScale:
    """The scale of all scores of an analysis, or of the part of a metric; asked for by most sentences."""
    return remembered(analysis.known, "scale", lambda: _scale_of_kinds(analysis))


def _scale_of_kinds(analysis: ReplicabilityAnalysis) -> ScoreScale:
    items = (item for comparison in analysis.comparisons for item in unswapped(comparison.assessments))
    return scale_for(analysis.kinds, ((item.dataset, item.standard_error) for item in items))


_FAR_APART = 2
_MOST_DECIMALS = 6


def _scale_of(items: Sequence[Outcome], errors: Sequence[float], *, percent: bool) -> ScoreScale:
    percent = percent and all(item.percent for item in items)
    correlation = bool(items) and all(map(_is_correlation, items))
    given = [item.decimals for item in items if item.decimals is not None]
    if correlation:
        decimals = max(2, decimals_for(median(errors))) if errors else 2
    else:
        decimals = 1 if percent else _decimals_of(median(errors)) if errors else 2
    return ScoreScale(
        factor=100.0 if percent and not correlation else 1.0,
        decimals=max(given) if given else decimals,
        noun="" if correlation else "points",
    )


def _decimals_of(error: float) -> int:
    """As many as the standard error reaches; none of large numbers, which are whole enough."""
    return 0 if error >= _WHOLE else decimals_for(error, most=_MOST_DECIMALS)


_WHOLE = 10.0
