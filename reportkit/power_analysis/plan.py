"""The three questions of planning, on each dataset: how many instances, how small an effect, how much power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from reportkit.errors import ReportkitError
from reportkit.power_analysis.designs import Design
from reportkit.power_analysis.exact import type_s_m
from reportkit.replicability.multiple_testing.partial_conjunction import k_hat
from reportkit.significance.nulls import SMALLEST_P_VALUE

Question = Literal["n", "effect", "power"]
"""The open quantity, which is computed from the other two."""

_LARGEST_SHIFT = 40.0
"""A power of 1 counts as an effect of this many standard errors, and a power of 0 as its negative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDataset:
    """One line of a plan: the comparison on one dataset.

    Parameters
    ----------
    dataset : str
        Its name; "" where there is but one, or all are alike.
    disagreement : str
        What is supposed about how often the two systems disagree, where it is not known; else "".
    n : int
        Instances (of each system, where they have different ones).
    effect : float or None
        Difference, in units of the score; None if no difference has the power.
    power : float
        Probability to show it at level alpha; on a dataset without an effect, 0.
    in_family : float or None
        The answer again, at level alpha / N: the worst that Holm's procedure asks of a dataset that is named.
    discordant : float or None
        Share of the instances on which exactly one system is right, where the test depends on it.
    type_s, exaggeration : float or None
        Of estimates that are significant at level alpha: how many have the wrong sign, and by which factor they
        overstate the difference on average.
    """

    dataset: str
    disagreement: str
    n: int
    effect: float | None
    power: float
    in_family: float | None
    discordant: float | None
    type_s: float | None
    exaggeration: float | None


def plan_dataset(
    design: Design,
    question: Question,
    *,
    n: int,
    effect: float,
    power: float,
    level: float,
    n_datasets: int,
    two_sided: bool,
    dataset: str = "",
    disagreement: str = "",
) -> PlannedDataset:
    """Answer the question for one dataset.

    Parameters
    ----------
    design : Design
        What is compared.
    question : {"n", "effect", "power"}
        What is computed; it is not read, while the other two are.
    n, effect, power
        As planned; the one in question is not read.
    level : float
        Level of the one-sided test.
    n_datasets : int
        N.
    two_sided : bool
        Whether a difference in the other direction may be found, too.
    dataset, disagreement : str
        Names.

    Raises
    ------
    ReportkitError
        If the numbers make no sense; says which dataset.
    """
    levels = (level, level / n_datasets)
    found: float | None = effect
    worst: float | None
    try:
        if question == "n":
            n, worst = (design.sample_size(effect, power, one) for one in levels)
        elif question == "effect":
            found, worst = (design.minimum_effect(n, power, one) for one in levels)
        else:
            power, worst = (design.power(n, effect, one) if effect else 0.0 for one in levels)
        type_s = exaggeration = None
        if found and (error := design.error(n, found)).degrees_of_freedom > 1:
            type_s, exaggeration = type_s_m(found, error, level, two_sided=two_sided)
        return PlannedDataset(
            dataset=dataset,
            disagreement=disagreement,
            n=n,
            effect=found,
            power=power,
            in_family=worst,
            discordant=design.discordant(found) if found else None,
            type_s=type_s,
            exaggeration=exaggeration,
        )
    except ReportkitError as error:
        if not dataset or error.where:
            raise
        raise error.within(f"dataset {dataset!r}") from error


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class KHatPower:
    """Simulated distribution of k-hat.

    Parameters
    ----------
    chances : ndarray of shape (n_datasets + 1,)
        Share of simulations in which k-hat is 0, 1, ..., n_datasets.
    n_better : int
        Number of datasets with a planned effect above 0: what k-hat is a lower bound of.
    n_simulations : int
        As asked for.
    """

    chances: NDArray[np.float64]
    n_better: int
    n_simulations: int

    def at_least(self, k: int) -> float:
        """Estimate P(k-hat >= k): the power to claim that A is better on at least k datasets.

        Parameters
        ----------
        k : int
            From 0 to the number of datasets.
        """
        return float(self.chances[k:].sum())

    @property
    def mean(self) -> float:
        """Mean of k-hat."""
        return float(np.arange(self.chances.size) @ self.chances)


def plan_k_hat(
    rows: Sequence[PlannedDataset],
    *,
    level: float,
    independent: bool,
    n_simulations: int = 10_000,
    rng: int | np.random.Generator,
) -> KHatPower:
    """Simulate k-hat for the powers of several datasets.

    Parameters
    ----------
    rows : sequence of PlannedDataset
        Plans whose `in_family` is the power at `level` / N; effect 0 where none is expected.
    level : float
        Level of k-hat.
    independent : bool
        Whether datasets are independent, so that k-hat is counted by Fisher's method; else by Bonferroni's.
    n_simulations : int
        10,000 leave a standard error of at most .005.
    rng : int or numpy.random.Generator
        A seed, which gives the same numbers each time; or the generator itself.

    Notes
    -----
    Each test is taken as a normal test that has the same power at level / N, where a dataset is named. The datasets are
    drawn independently; shared instances or runs usually make k-hat vary more. k-hat: Dror et al. (2017), section 4.
    """
    worst = level / len(rows)
    shifts = np.array([_shift(row.in_family or 0.0, worst) if row.effect else 0.0 for row in rows])
    z = shifts + np.random.default_rng(rng).standard_normal((n_simulations, len(rows)))
    method = "fisher" if independent else "bonferroni"
    found = np.asarray(k_hat(np.clip(ndtr(-z), SMALLEST_P_VALUE, 1.0), level, method))
    return KHatPower(
        chances=np.bincount(found, minlength=len(rows) + 1) / n_simulations,
        n_better=sum(bool(row.effect) for row in rows),
        n_simulations=n_simulations,
    )


def _shift(power: float, level: float) -> float:
    """Return the difference in standard errors with which a normal test at this level has the power."""
    return float(np.clip(ndtri(power) - ndtri(level), -_LARGEST_SHIFT, _LARGEST_SHIFT))
