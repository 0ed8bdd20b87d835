"""A against B on all datasets: on how many is A better, and on which; and what each system scores on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.language import short_repr
from reportkit.replicability.multiple_testing.correction import METHOD, JointClaim
from reportkit.replicability.multiple_testing.partial_conjunction import discoveries, partial_conjunction
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Results
from reportkit.scores.together import taken_together
from reportkit.settings import Settings
from reportkit.significance.assess import paired_as_set
from reportkit.significance.outcome import Outcome, rejection_level


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
        Adjusted for the whole declared family; compare with alpha.
    share : int or None
        The level of this comparison's own k-hat by Fisher is alpha / share: the number of directional comparisons
        among which the level is split. None if it has no share of its own, because its level is passed on to it.
    k_hat : mapping of float to KHat
        By alpha.
    partial_conjunction : mapping of str to ndarray of shape (n_datasets,)
        Partial-conjunction p-values for u = 1..N by method ("bonferroni"; "fisher" and "fisher-bonferroni" where they
        may be used), with the correction for the family included; compare with alpha.
    stepwise_p_values : ndarray of shape (n_datasets,)
        Adjusted by Holm's procedure, by the graphical one or by the maximum statistic.
    joint : JointClaim or None
        The closed test that counts and names; None where another procedure does.
    exploratory : bool
        Whether it is outside the family: it gets no marks.
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

    __repr__ = short_repr

    @property
    def n_datasets(self) -> int:
        """Return the number of datasets."""
        return len(self.datasets)

    def identified(self, alpha: float) -> NDArray[np.bool_]:
        """Return which datasets the correction identifies at this level, shape (n_datasets,)."""
        return self.adjusted_p_values <= rejection_level(alpha)

    def marked(self, alpha: float) -> NDArray[np.bool_]:
        """Return which datasets get a mark: identified, and the observed difference has the claimed sign.

        Both the estimate of the test and the difference of the mean scores, which a table prints, must have it.
        An exploratory comparison has no marks.
        """
        ahead = (self.differences > 0) & (self.score_differences > 0)
        return self.identified(alpha) & ahead & (not self.exploratory)


def curves_of(
    p_values: NDArray[np.float64], stepwise: NDArray[np.float64], share: int | None, joint: JointClaim | None
) -> dict[str, NDArray[np.float64]]:
    """Return the partial-conjunction p-values of one claim by method, for u = 1..N; compare with alpha.

    Parameters
    ----------
    p_values, stepwise : ndarray of shape (n_datasets,)
        One-sided, and adjusted for the family.
    share : int or None
        The level of a count by Fisher is alpha / share; None where none is given.
    joint : JointClaim or None
        The closed test that counts and names, if there is one.
    """
    curves = {"bonferroni": np.sort(stepwise)}
    if share is not None and p_values.size > 1:
        curves["fisher"] = np.minimum(1.0, share * partial_conjunction(p_values, "fisher"))
    return curves if joint is None else {**curves, METHOD: joint.curve}


def comparisons_in(
    frame: pd.DataFrame,
    counts: pd.DataFrame,
    outcomes: Sequence[Outcome],
    closed: Mapping[int, JointClaim],
    share: int | None,
    *,
    independent: bool,
) -> tuple[Comparison, ...]:
    """Return the comparisons in some rows of an analysis; the arguments are fields of `ReplicabilityAnalysis`.

    Parameters
    ----------
    independent : bool
        Whether methods that need independent datasets may be used.
    """
    columns = {name: frame[name].to_numpy() for name in frame.columns}
    starts = np.flatnonzero(np.diff(columns["claim"], prepend=-1))
    numbers = counts[["count", "bonferroni", "fisher", "joint"]].astype(object).replace(pd.NA, None)
    k_hats = list(zip(counts["alpha"], (KHat(*row) for row in numbers.to_numpy()), strict=True))
    n_levels, found = len(k_hats) // starts.size, []
    for place, (start, end) in enumerate(zip(starts, [*starts[1:], len(frame)], strict=True)):
        own = {name: column[start:end] for name, column in columns.items()}
        joint, p_values, stepwise = closed.get(int(own["claim"][0])), own["p_value"], own["stepwise_p_value"]
        assessments = tuple(outcomes[row] for row in own["outcome"])
        found.append(
            Comparison(
                system_a=own["system_a"][0],
                system_b=own["system_b"][0],
                metric=own["metric"][0],
                datasets=tuple(own["dataset"]),
                assessments=tuple(one.swapped() for one in assessments) if own["turned"][0] else assessments,
                p_values=p_values,
                differences=own["difference"],
                score_differences=own["score_difference"],
                adjusted_p_values=own["adjusted_p_value"],
                stepwise_p_values=stepwise,
                joint=joint,
                share=share,
                k_hat=dict(k_hats[place * n_levels : (place + 1) * n_levels]),
                partial_conjunction=curves_of(p_values, stepwise, share if independent else None, joint),
                exploratory=bool(own["exploratory"][0]),
            )
        )
    return tuple(found)


def discovered(comparison: Comparison, subset: Sequence[str], alpha: float) -> int:
    """Return the least number of datasets of a subset on which A is better, valid for all subsets at once.

    Parameters
    ----------
    comparison : Comparison
        A against B.
    subset : sequence of str
        Names of datasets, chosen before or after looking at the results.
    alpha : float
        Level. The local tests are those behind the recommended k-hat.

    Raises
    ------
    UnknownNameError
        If a dataset does not occur.
    """
    names = comparison.datasets
    for name in subset:
        if name not in names:
            raise UnknownNameError("dataset", name, names)
    chosen = np.isin(names, list(subset))
    if comparison.joint is not None:
        return comparison.joint.discoveries(chosen, alpha)
    if "fisher" in comparison.partial_conjunction:
        return discoveries(comparison.p_values, chosen, alpha / (comparison.share or 1), "fisher")
    return int((comparison.stepwise_p_values <= rejection_level(alpha))[chosen].sum())


def samples_of(
    results: Results, system_a: str, system_b: str, metric: str, settings: Settings, dataset: str | None = None
) -> tuple[Sample, ...]:
    """Put two systems side by side on every dataset that both have, or on one.

    Parameters
    ----------
    results : Results
        Results of one metric or several.
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
    across = settings.across_datasets  # a name then counts the datasets of all systems, of which two may have fewer
    datasets = None if dataset is None or across else (dataset,)
    chosen = results.select(metric=(metric,), datasets=datasets, systems=(system_a, system_b))
    if across:
        chosen = taken_together(chosen, missing=settings.missing, score_range=settings.score_range)
    both = [block for block in chosen.datasets if {system_a, system_b} <= set(block.systems)]
    return tuple(paired_as_set(block, system_a, system_b, settings) for block in both)
