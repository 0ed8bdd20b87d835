"""All claims by all metrics, corrected together: who stands in one family with whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.replicability.multiple_testing.gatekeeping import divisors, gate
from reportkit.replicability.multiple_testing.joint_closed_test import JointClaim, joint_closed_test
from reportkit.settings import Gatekeeping
from reportkit.significance.outcome import Assessment

FamilyDesign = Literal["declared", "both", "baselines", "all-pairs", "separate"]

Part = tuple[str, tuple[str, str]]
"""Metric, and the claim that the first system is better than the second."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Corrected:
    """Adjusted p-values, and of how many hypotheses.

    Parameters
    ----------
    adjusted : mapping of (str, (str, str)) to ndarray
        By metric and claim; compare with alpha.
    sizes : mapping of str to int
        By metric, how many p-values were corrected together at its stage; of the largest family, if there are several.
    first : mapping of str to int
        By metric, by what the level is divided where one of its hypotheses is tested first.
    n_hypotheses : int
        How many p-values were corrected together in all.
    """

    adjusted: Mapping[Part, NDArray[np.float64]]
    sizes: Mapping[str, int]
    first: Mapping[str, int]
    n_hypotheses: int


def correct_together(
    design: FamilyDesign,
    metrics: tuple[str, ...],
    parts: Mapping[Part, tuple[Assessment, ...]],
    gatekeeping: Gatekeeping,
) -> Corrected:
    """Correct the claims together that stand in one family: each by itself in "both" and "separate".

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        How the claims share the level; see `reportkit.replicability.family`.
    metrics : tuple of str
        The primary one first.
    parts : mapping of (str, (str, str)) to tuple of Assessment
        By metric and claim, metric by metric.
    gatekeeping : {"none", "serial", "by-dataset", "exploratory"}
        How the metrics share it; see `reportkit.replicability.multiple_testing.gatekeeping`.

    Raises
    ------
    InputError
        If, by dataset, a secondary metric has a dataset that the primary one does not have.
    """
    adjusted: dict[Part, NDArray[np.float64]] = {}
    sizes, first, largest = dict.fromkeys(metrics, 0), dict.fromkeys(metrics, 0), 0
    for group in _groups(design, parts):
        inside = {metric: [claim for claim in group if (metric, claim) in parts] for metric in metrics}
        present = [metric for metric in metrics if inside[metric]]
        values = [np.array([i.p_value for c in inside[m] for i in parts[m, c]]) for m in present]
        units = [[(c, i.dataset) for c in inside[m] for i in parts[m, c]] for m in present]
        for metric, together in zip(present, gate(values, units, gatekeeping), strict=True):
            ends = np.cumsum([len(parts[metric, claim]) for claim in inside[metric]])[:-1]
            for claim, own in zip(inside[metric], np.split(together, ends), strict=True):
                adjusted[metric, claim] = np.minimum(1.0, 2.0 * own) if design == "both" else own
        numbers = [each.size for each in values]
        total = numbers[0] if gatekeeping == "exploratory" else sum(numbers)
        stages = divisors(numbers, numbers[0], gatekeeping)
        largest = max(largest, total)
        for metric, stage in zip(present, stages, strict=True):
            first[metric] = max(first[metric], stage)
            sizes[metric] = max(sizes[metric], total if gatekeeping == "by-dataset" else stage)
    return Corrected(adjusted=adjusted, sizes=sizes, first=first, n_hypotheses=largest)


def close_together(
    design: FamilyDesign,
    metrics: tuple[str, ...],
    parts: Mapping[Part, tuple[Assessment, ...]],
    gatekeeping: Gatekeeping,
) -> Mapping[Part, JointClaim]:
    """Close the same families over independent datasets, for counts and names that hold together.

    Takes what `correct_together` takes. Empty where there is no such closed test: with gatekeeping by dataset, whose
    level is passed on by names, and where no claim has more than one dataset: there it is Holm's procedure.
    """
    if gatekeeping == "by-dataset" or all(len(items) == 1 for items in parts.values()):
        return {}
    times = 2 if design == "both" else 1
    found: dict[Part, JointClaim] = {}
    for group in _groups(design, parts):
        inside = [[(metric, claim) for claim in group if (metric, claim) in parts] for metric in metrics]
        primary: tuple[JointClaim, ...] = ()
        for together in _stages(inside, gatekeeping):
            values = [np.array([item.p_value for item in parts[part]]) for part in together]
            closed = joint_closed_test(values, times=times, after=primary if gatekeeping == "serial" else ())
            primary = primary or closed
            found.update(zip(together, closed, strict=True))
    return found


def _stages(by_metric: list[list[Part]], gatekeeping: Gatekeeping) -> list[list[Part]]:
    """Claims and metrics that share a level, one family after the other."""
    if gatekeeping == "exploratory":
        return by_metric
    first = 1 if gatekeeping == "serial" else len(by_metric)
    stages = ([part for metric in some for part in metric] for some in (by_metric[:first], by_metric[first:]))
    return [stage for stage in stages if stage]


def _groups(design: FamilyDesign, parts: Mapping[Part, tuple[Assessment, ...]]) -> list[list[tuple[str, str]]]:
    """Claims that share a level, in all metrics: each has one of its own in "both" and "separate"."""
    claims = list(dict.fromkeys(claim for _, claim in parts))
    return [[claim] for claim in claims] if design in ("both", "separate") else [claims]


def share_of_fisher(
    design: FamilyDesign,
    metrics: tuple[str, ...],
    parts: Mapping[Part, tuple[Assessment, ...]],
    gatekeeping: Gatekeeping,
) -> int | None:
    """Among how many counts by Fisher the level is split; None where it is passed on by names."""
    if len(metrics) > 1 and gatekeeping in ("serial", "by-dataset"):
        return None
    if design == "separate":
        return 1
    return len({claim for _, claim in parts}) if gatekeeping == "exploratory" else len(parts)
