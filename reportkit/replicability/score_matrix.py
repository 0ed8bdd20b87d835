"""From an analysis to Friedman's test: one score per dataset and system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reportkit.errors import DesignError, SettingsError
from reportkit.finding import Finding
from reportkit.replicability.friedman import FollowUp, FriedmanOutcome, friedman
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis

MOST_NAMED = 5


def friedman_of(
    analysis: ReplicabilityAnalysis, *, follow_up: FollowUp = "sign-flip", alpha: float | None = None
) -> FriedmanOutcome:
    """Run Friedman's test on the mean scores of the systems of an analysis, one per dataset.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of three systems or more; of its primary metric.
    follow_up : {"sign-flip", "wilcoxon"}
        Test of the pairs.
    alpha : float, optional
        Level of the follow-ups; the largest of the settings by default.

    Raises
    ------
    DesignError
        If there are fewer than three systems or two datasets, if a system lacks a dataset and `missing` is "error", or
        if scores are ordinal.
    """
    first = analysis.comparisons[0]
    if any(item.kind == "ordinal" for item in first.assessments):
        raise DesignError(
            "Friedman's test over datasets compares mean scores, and the mean of ordinal scores says nothing",
            where=f"metric {first.assessments[0].metric!r}",
            remedy="declare the scores continuous if their steps are of equal size",
        )
    if alpha is not None and not 0 < alpha < 1:
        raise SettingsError(f"alpha is {alpha!r}", remedy="give a level strictly between 0 and 1, such as 0.05")
    systems = tuple(dict.fromkeys(name for item in analysis.comparisons for name in (item.system_a, item.system_b)))
    together = {item.dataset for item in first.assessments if item.unit == "dataset"}
    known = dict.fromkeys(dataset for system, dataset in analysis.system_scores if system in systems)
    datasets = [dataset for dataset in known if dataset not in together]
    findings: list[Finding] = []
    if analysis.settings.missing != "error":
        complete = [name for name in datasets if all((system, name) in analysis.system_scores for system in systems)]
        left_out = [name for name in datasets if name not in complete]
        if left_out and complete:
            findings.append(_left_out(left_out))
            datasets = complete
    scores = np.array(
        [
            [
                analysis.system_scores[system, dataset].mean if (system, dataset) in analysis.system_scores else np.nan
                for system in systems
            ]
            for dataset in datasets
        ]
    )
    higher = {item.dataset: item.higher_is_better for item in first.assessments}
    if len({*higher.values()}) > 1:  # each dataset by a metric of its own
        scores = np.where([[higher.get(dataset, True)] for dataset in datasets], scores, -scores)
    outcome = friedman(
        scores,
        systems,
        datasets,
        higher_is_better=len({*higher.values()}) > 1 or first.assessments[0].higher_is_better,
        follow_up=follow_up,
        alpha=analysis.alpha[0] if alpha is None else alpha,
        seed=analysis.settings.rng,
    )
    return replace(outcome, findings=(*findings, *outcome.findings))


def _left_out(names: list[str]) -> Finding:
    listed = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    return Finding(
        "friedman-datasets-left-out",
        "warning",
        f"Friedman's test leaves out {len(names)} dataset{'' if len(names) == 1 else 's'} on which a system has no "
        "score.",
        where=listed,
        remedy="complete the results, or name fewer systems",
    )
