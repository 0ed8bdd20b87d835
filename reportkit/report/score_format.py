"""Factor and decimals with which the scores of a metric are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from reportkit.language import decimals_for
from reportkit.metrics.correlation import named_coefficient
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.records import Scale
from reportkit.significance.outcome import Outcome

_FAR_APART = 2
_MOST_DECIMALS = 6
_WHOLE = 10.0
"""Scores with a larger standard error than this need no decimals."""


def scales_of(part: ReplicabilityAnalysis) -> tuple[Scale, dict[str, Scale]]:
    """Return the scale of all scores of a metric, and those of datasets that are not printed like the others.

    Percentages have one decimal. Of other scores, the last decimal is the one that a usual standard error of a
    difference reaches (the median one, so that a pair of systems that are nearly alike changes nothing); the same for
    all datasets, unless some need at least two decimals more or less than that. Correlations have two at least.
    Decimals that a paper prints, or that a user asks for, come before.
    """
    items = list(part.kinds)
    known: dict[str, list[float]] = {item.dataset: [] for item in items}
    for comparison in part.comparisons:
        for item in comparison.assessments:
            if item.standard_error:
                known[item.dataset].append(item.standard_error)
    common = _scale(items, [error for errors in known.values() for error in errors])
    own = {name: _scale([item for item in items if item.dataset == name], known[name]) for name in known}
    together = all(abs(one.decimals - common.decimals) < _FAR_APART for one in own.values())
    if together and all(one.factor == common.factor for one in own.values()):
        return common, {}
    return replace(common, decimals=min(one.decimals for one in own.values())), own


def _scale(items: Sequence[Outcome], errors: Sequence[float]) -> Scale:
    percent = all(item.percent for item in items)
    correlation = all(map(_is_correlation, items))
    given = [item.decimals for item in items if item.decimals is not None]
    if correlation:
        decimals = max(2, decimals_for(median(errors))) if errors else 2
    elif percent:
        decimals = 1
    else:
        error = median(errors) if errors else 0.01
        decimals = 0 if error >= _WHOLE else decimals_for(error, most=_MOST_DECIMALS)
    return Scale(
        factor=100.0 if percent and not correlation else 1.0,
        decimals=max(given) if given else decimals,
        noun="" if correlation else "points",
    )


def _is_correlation(item: Outcome) -> bool:
    """Return whether the scores are correlations with gold scores, of instances or taken from several datasets."""
    return item.shape == "correlation" or (item.unit == "dataset" and named_coefficient(item.metric) is not None)
