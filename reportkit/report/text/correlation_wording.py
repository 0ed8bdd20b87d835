"""The sentence that says what a correlation is of, with what, and which way round it is better."""

from __future__ import annotations

from reportkit.language.counts_and_lists import listed
from reportkit.metrics.correlation.coefficients import TITLES
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose


def what_is_correlated(family: Family) -> Prose:
    """Say that a score is a correlation of predictions with gold scores; nothing if it is none.

    Parameters
    ----------
    family : Family
        All comparisons.
    """
    items = [item for comparison in family.comparisons for item in comparison.assessments]
    correlated = {item.metric: item.higher_is_better for item in items if item.shape == "correlation"}
    if not correlated:
        return ()
    names = [TITLES.get(metric, metric) for metric in correlated]
    lower = not any(correlated.values())
    return prose(
        "{whose} of a system on a dataset is the {names} of its predictions with the gold scores{direction}.",
        whose="The score" if len(names) == 1 else "A score",
        names=listed(names, last="or"),
        direction=", and the lower it is the better, as predictions are distances" if lower else "",
    )
