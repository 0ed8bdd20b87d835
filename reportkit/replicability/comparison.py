"""A against B on all datasets: on how many is A better, and on which; and what each system scores on each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.language import short_repr
from reportkit.replicability.multiple_testing.combination import rejection_level
from reportkit.replicability.multiple_testing.correction import METHOD, Correction, JointClaim
from reportkit.replicability.score_spread import ScoreSpread, printed_spread
from reportkit.scores.results import Results, taken_together
from reportkit.scores.sample import Sample
from reportkit.settings import Settings
from reportkit.significance.assess import paired_as_set
from reportkit.significance.outcome import Outcome


@dataclass(frozen=True, slots=True)
class KHat:
    """Estimates of the number of datasets on which A is better, at one level.

    Parameters
    ----------
    count : int
        Datasets with p <= alpha, uncorrected: no guarantee.
    bonferroni : int
        Lower bound under any dependence between the datasets; equals the number identified by Holm's procedure.
    fisher : int or None
        Lower bound for independent datasets; None unless independence was declared and nothing speaks against it, or
        if there is one dataset. It and the names by Holm's procedure have the whole level each, and need not hold
        together.
    joint : int or None
        Lower bound for independent datasets from the closed test that names datasets too; never below their number.
        None where datasets are not counted and named by it.
    """

    count: int
    bonferroni: int
    fisher: int | None = None
    joint: int | None = None

    @property
    def recommended(self) -> int:
        """Return the bound to report: of the closed test; else Fisher's where it may be used, else Bonferroni's."""
        found = self.fisher if self.joint is None else self.joint
        return self.bonferroni if found is None else found

    @property
    def method(self) -> str:
        """Return the name of the combination behind `recommended`."""
        if self.joint is not None:
            return METHOD
        return "bonferroni" if self.fisher is None else "fisher"


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """One directional claim, "A is better than B", by one metric over all datasets.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better than B.
    metric : str
        Name of the metric.
    datasets : tuple of str
        Names of the datasets.
    assessments : sequence of Outcome
        One per dataset, read one-sided in favour of A.
    p_values, differences, score_differences : ndarray of shape (n_datasets,)
        One-sided p-values for A better than B; observed differences of what the test is about, and of the mean scores,
        oriented.
    adjusted_p_values : ndarray of shape (n_datasets,)
        Adjusted for the whole declared family by `correction`; compare with alpha.
    share : int or None
        The level of this comparison's own k-hat by Fisher is alpha / share: the number of directional comparisons
        among which the level is split. None if it has no share of its own, because its level is passed on to it.
    k_hat : mapping of float to KHat
        By alpha.
    partial_conjunction : mapping of str to ndarray of shape (n_datasets,)
        Partial-conjunction p-values for u = 1..N by method ("bonferroni"; "fisher" and "fisher-bonferroni" where they
        may be used), with the correction for the family included; compare with alpha.
    stepwise_p_values : ndarray of shape (n_datasets,)
        Adjusted by Holm's procedure, or by the graphical one, whatever `correction` is.
    joint : JointClaim or None
        The closed test that counts and names; None where another procedure does.
    exploratory : bool
        Whether it is outside the family: it gets no marks.
    correction : {"Holm", "graph", "closed testing"}
        What adjusted the p-values: Holm's procedure, the graphical one, or closed testing.
    """

    system_a: str
    system_b: str
    metric: str
    datasets: tuple[str, ...]
    assessments: Sequence[Outcome]
    p_values: NDArray[np.float64]
    differences: NDArray[np.float64]
    score_differences: NDArray[np.float64]
    adjusted_p_values: NDArray[np.float64]
    share: int | None
    k_hat: Mapping[float, KHat]
    partial_conjunction: Mapping[str, NDArray[np.float64]]
    stepwise_p_values: NDArray[np.float64]
    joint: JointClaim | None = None
    exploratory: bool = False
    correction: Correction = "Holm"

    __repr__ = short_repr

    @property
    def n_datasets(self) -> int:
        """Return the number of datasets."""
        return len(self.datasets)

    def identified(self, alpha: float) -> NDArray[np.bool_]:
        """Return which datasets the correction identifies at this level, shape (n_datasets,)."""
        return identified_in([self], alpha)

    def marked(self, alpha: float) -> NDArray[np.bool_]:
        """Return which datasets get a mark: identified, and the observed difference has the claimed sign.

        Both the estimate of the test and the difference of the mean scores, which a table prints, must have it.
        An exploratory comparison has no marks.
        """
        return marked_in([self], alpha)


def identified_in(comparisons: Sequence[Comparison], alpha: float) -> NDArray[np.bool_]:
    """Return `Comparison.identified` of several comparisons, one after the other."""
    return np.concatenate([one.adjusted_p_values for one in comparisons]) <= rejection_level(alpha)


def marked_in(comparisons: Sequence[Comparison], alpha: float) -> NDArray[np.bool_]:
    """Return `Comparison.marked` of several comparisons, one after the other."""
    marked = identified_in(comparisons, alpha)
    marked &= np.concatenate([one.differences for one in comparisons]) > 0
    marked &= np.concatenate([one.score_differences for one in comparisons]) > 0
    outside = [one.exploratory for one in comparisons]
    if any(outside):
        marked &= ~np.repeat(outside, [one.n_datasets for one in comparisons])
    return marked


@dataclass(frozen=True, slots=True)
class SystemScore:
    """The score of one system on one dataset.

    Parameters
    ----------
    mean : float
        (Weighted) mean, BLEU, correlation, ..., as given, over the instances that the system was scored on.
    n : int or None
        Number of these instances; None if a paper does not print it.
    higher_is_better : bool
        Direction of the metric.
    spread : callable
        Computes standard deviation, standard error and interval of the score, which few tables show; on the instances
        that `common` systems have, too, and for `among` systems at once: see `spread_of`.
    name : str
        Name of the system in the data, whatever it is printed as.
    """

    mean: float
    n: int | None
    higher_is_better: bool
    spread: Callable[..., ScoreSpread] = field(default=printed_spread, compare=False, repr=False)
    name: str = field(default="", compare=False, repr=False)


def samples_of(
    results: Results, system_a: str, system_b: str, metric: str, settings: Settings, dataset: str | None = None
) -> tuple[Sample, ...]:
    """Put two systems side by side on every dataset that both have, or on one.

    Parameters
    ----------
    results : Results
        Of one metric or several.
    system_a, system_b : str
        Two of its systems.
    metric : str
        Which metric.
    settings : Settings
        Missing instances, pairing, seeds, and whether the means of the datasets are the sample.
    dataset : str, optional
        One of them, so that no other has to be brought into memory.

    Returns
    -------
    tuple of Sample
        In the order of the datasets; the same that the tests of `reportkit.compare` saw.

    Raises
    ------
    UnknownNameError
        If a system does not occur in the results.
    """
    for name in (system_a, system_b):
        if name not in results.systems:
            raise UnknownNameError("system", name, results.systems)
    chosen = results.select(metric=(metric,), systems=(system_a, system_b))
    if settings.across_datasets:
        chosen = taken_together(chosen, missing=settings.missing, score_range=settings.score_range)
        dataset = None  # its name counts the datasets of all systems, of which two may have fewer
    both = [
        block
        for block in chosen.datasets
        if dataset in (None, block.dataset) and {system_a, system_b} <= set(block.systems)
    ]
    return tuple(paired_as_set(block, system_a, system_b, settings) for block in both)
