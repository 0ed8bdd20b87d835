"""Figures that are not in every report: drawn when a user asks for them by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from reportkit.appearance.appearance import Appearance
from reportkit.errors import DesignError
from reportkit.registry import Registry
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.replicability.score_matrix import friedman_of
from reportkit.report.illustrations import critical_difference_figure, matrix_figure, p_value_dots, pair_matrix_figure
from reportkit.report.model import Figure
from reportkit.report.shown_analysis import dressed


def all_pairs_figure(analysis: ReplicabilityAnalysis) -> Figure:
    """Matrix of all pairs: k-hat over several datasets, differences on one; of the primary metric.

    Raises
    ------
    DesignError
        If one pair of systems was compared, or claims that have nothing to do with each other.
    """
    family = analysis.parts[0].family
    if family.design not in ("all-pairs", "baselines"):
        raise DesignError(
            "a matrix of all pairs needs more than one pair of systems",
            where=", ".join(f"{a} > {b}" for a, b in family.pairs[:3]),
            remedy="compare all systems, .compare() without names, or all with a baseline, .compare(baseline=...)",
        )
    return matrix_figure(family) if len(family.datasets) > 1 else pair_matrix_figure(family)


def critical_difference(analysis: ReplicabilityAnalysis) -> Figure:
    """Critical-difference diagram of the mean scores by dataset, of the primary metric."""
    return critical_difference_figure(analysis.friedman or friedman_of(analysis.parts[0]))


def p_values(analysis: ReplicabilityAnalysis) -> Figure:
    """Sorted p-values of one comparison with Holm's thresholds, of the primary metric.

    Raises
    ------
    DesignError
        If there is one dataset, or another correction.
    """
    figures = p_value_dots(analysis.parts[0], analysis.family)
    if not figures:
        raise DesignError(
            "a plot of p-values with Holm's thresholds needs several datasets, and Holm's procedure: no closed testing "
            "over independent datasets, no gatekeeping",
            where=", ".join(analysis.family.datasets[:3]),
            remedy="see .outcomes, which has every p-value, adjusted and not",
        )
    return figures[0]


REQUESTED: Registry[Callable[[ReplicabilityAnalysis], Figure]] = Registry("figure")
REQUESTED.register("all-pairs", all_pairs_figure)
REQUESTED.register("critical-difference", critical_difference)
REQUESTED.register("p-values", p_values)


def requested_figure(analysis: ReplicabilityAnalysis, look: Appearance, name: str) -> Figure:
    """One of the figures that are drawn on request, for the venue and with the labels of an appearance.

    Raises
    ------
    UnknownNameError
        If there is no such figure.
    DesignError
        If the analysis does not allow it.
    """
    shown, _ = dressed(analysis, look)
    return dataclasses.replace(REQUESTED[name](shown), name=name, venue=look.venue, widths=look.widths)
