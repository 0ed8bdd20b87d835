"""What tests of two correlations with the same gold score have in common: conditions, remarks, and Fisher's z."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.intervals.correlations.correlation_jackknife import differing_instances
from reportkit.metrics.correlation.coefficients import TITLES, standardised
from reportkit.scores.shapes.predictions import PairedPredictions
from reportkit.scores.shapes.sample import Details
from reportkit.significance.outcome import Outcome

FEWEST = 10
"""Correlations over fewer instances are not tested."""

UNRELATED_INSTANCES = "instances are independent of each other (word pairs that share a word, for one, are not)"

_AT_ITS_LIMIT = 1e-12
"""A correlation nearer than this to 1 or -1 is taken for it."""

_ALIKE = 1e-10
"""Where the correlation of A with B is nearer than this to 1, formulas with 1 minus it have no digit right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlations:
    """The three correlations of two systems and the gold score, of the system that comes first by name first.

    Parameters
    ----------
    first, second : float
        With the gold score, oriented.
    between : float
        Of the two systems with each other.
    n : int
        Number of instances.
    swapped : bool
        Whether the first system is B.
    n_differing : int
        Instances on which the systems differ; 0 if no gold score can tell them apart.
    """

    first: float
    second: float
    between: float
    n: int
    swapped: bool
    n_differing: int


def correlations_of(sample: PairedPredictions) -> Correlations:
    """The three correlations, the system that comes first by name as the first.

    So every statistic of A against B is exactly that of B against A with its sign turned round.
    """
    swapped = sample.system_b < sample.system_a
    values = sample.value_a, sample.value_b
    return Correlations(
        first=values[1] if swapped else values[0],
        second=values[0] if swapped else values[1],
        between=sample.between,
        n=sample.n,
        swapped=swapped,
        n_differing=differing_instances(sample),
    )


def refuse_few_instances(name: str, sample: PairedPredictions) -> None:
    """Raise DesignError for fewer than ten instances."""
    if sample.n < FEWEST:
        raise DesignError(
            f"{name!r} compares correlations over {FEWEST} instances or more, and there are {sample.n}",
            where=sample.label,
            remedy="leave the rows of this dataset out; or give a score of each prediction, such as the negative "
            "absolute error,\nand compare their means (without metric=..., --metric)",
        )


def refuse_degenerate(name: str, sample: PairedPredictions, r: Correlations) -> None:
    """Raise DesignError where Fisher's z of a correlation, or its standard error, does not exist."""
    instead = "choose 'correlation-jackknife-t', which does without"
    if 1 - abs(r.between) < _ALIKE and r.between > 0:
        raise DesignError(
            f"{name!r} divides by 1 minus the correlation of the two systems with each other, which is "
            f"{1 - r.between:.1g}",
            where=sample.label,
            remedy=instead,
        )
    for system, value in ((sample.system_a, sample.value_a), (sample.system_b, sample.value_b)):
        if 1 - abs(value) < _AT_ITS_LIMIT:
            raise DesignError(
                f"{name!r} takes Fisher's z of each correlation, which is infinite: the {TITLES[sample.coefficient]} "
                f"of {system!r} with the gold score is {value:.0f}",
                where=sample.label,
                remedy=instead,
            )


def same_order(sample: PairedPredictions, outcome: Outcome) -> Iterator[Finding]:
    """Say so if no gold score can tell the two systems apart, though their predictions are not the same."""
    if outcome.n_nonzero == 0:
        how = (
            "The predictions of one system are those of the other in other units"
            if sample.coefficient == "pearson"
            else "The two systems put all instances in the same order"
        )
        yield Finding(
            "same-order",
            "warning",
            f"{how}: their {TITLES[sample.coefficient]} with any gold score is the same; p = 1.",
            where=sample.label,
        )


def normal_theory_remarks(sample: PairedPredictions, outcome: Outcome) -> Iterator[Finding]:
    """Warn where a test that is derived for normal Pearson correlations is used for others (rule T8).

    In simulations with lognormal or heavy-tailed data, the size of these tests at .05 was .24 to .50.
    """
    yield from same_order(sample, outcome)
    where = sample.label
    remedy = "use the recommended profile, or the test 'correlation-jackknife-t', which needs no distribution"
    if sample.coefficient != "pearson":
        yield Finding(
            "normal-theory",
            "warning",
            f"The {outcome.title} is derived for Pearson correlations of normally distributed values, not for the "
            f"{TITLES[sample.coefficient]}; its size at .05 was .052 to .084 for rank correlations in simulations.",
            where=where,
            remedy=remedy,
        )
        return
    names = {sample.system_a: sample.a, sample.system_b: sample.b, "the gold score": sample.gold}
    strange = [f"{name} ({found})" for name, values in names.items() if (found := _not_normal(values))]
    if strange:
        yield Finding(
            "normal-theory",
            "warning",
            f"The {outcome.title} is derived for normally distributed values; its size at .05 was .24 to .50 in "
            "simulations with skewed or heavy-tailed ones. Clearly not normal: " + "; ".join(strange) + ".",
            where=where,
            remedy=remedy,
        )


def _not_normal(values: NDArray[np.float64]) -> str:
    """Skewness or excess kurtosis, if it is large and beyond 2.6 standard errors; else nothing."""
    unit = standardised(values)
    if unit is None:
        return ""
    n = values.size
    z = unit * math.sqrt(n)
    skewness, kurtosis = math.fsum(z**3) / n, math.fsum(z**4) / n - 3
    if abs(skewness) > max(1.0, 2.6 * math.sqrt(6 / n)):
        return f"skewness {skewness:.1f}".replace("-", "−")
    if kurtosis > max(2.0, 2.6 * math.sqrt(24 / n)):
        return f"excess kurtosis {kurtosis:.1f}"
    return ""


def correlation_details(sample: PairedPredictions, outcome: Outcome) -> Details:
    """What a reader needs to repeat a test from printed numbers: the coefficient, and the third correlation."""
    return Details(coefficient=sample.coefficient, correlation_between_systems=sample.between)
