"""P-values under the null hypothesis, from a user's own results: whether the test keeps its level on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.nulls import (
    flipped_samples,
    paired_by_instances,
    recentred_samples,
    replicated_p_values,
    selected_test,
)
from reportkit.calibration.plan import StudyPlan, stream
from reportkit.calibration.shares import Proportion
from reportkit.calibration.verdict import Verdict, dkw_band, judge, largest_excess
from reportkit.errors import DesignError, UnknownNameError
from reportkit.language import fixed
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.choose import shape_of
from reportkit.significance.entry import TOLERATED_SIZE_ERROR
from reportkit.significance.outcome import rejection_level

Null = Literal["signflip", "recentre"]

Side = Literal["greater", "less", "both"]
"""Claims that A is better, claims that B is, or both kinds together."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Calibration:
    """P-values of a test where the null hypothesis is true.

    Parameters
    ----------
    dataset, metric : str
        Names.
    system_a, system_b : str
        Who is compared.
    null : {"signflip", "recentre"}
        How the null hypothesis was made true.
    test, title : str
        Name of the test, and its name in prose.
    n : int
        Instances.
    n_clusters : int or None
        Clusters.
    p_greater, p_less : ndarray of shape (n_replicates,)
        One-sided p-values in favour of A, and of B.
    n_without_variance : int
        Replicates on which the test could not be computed, counted as p = 1.
    alpha, level : float
        Level of the test, and of the intervals.
    seed, n_resamples : int
        Of the simulation, and random resamples of a test that draws them.
    reasons : tuple of str
        What is known to spoil this test here, as clauses.
    n_judged : int
        Simulations that are judged together, which share the probability of a false alarm.
    """

    dataset: str
    metric: str
    system_a: str
    system_b: str
    null: Null
    test: str
    title: str
    n: int
    n_clusters: int | None
    p_greater: NDArray[np.float64]
    p_less: NDArray[np.float64]
    n_without_variance: int
    alpha: float
    level: float
    seed: int
    n_resamples: int
    reasons: tuple[str, ...] = ()
    n_judged: int = 1

    @property
    def n_replicates(self) -> int:
        """Number of simulated data sets."""
        return int(self.p_greater.size)

    @property
    def band(self) -> float:
        """Half-width of the band around the distribution function of the p-values (Dvoretzky-Kiefer-Wolfowitz)."""
        return dkw_band(self.n_replicates, self.level)

    @property
    def symmetric(self) -> bool:
        """Whether p-values of both directions have the same distribution, by the way the null hypothesis was made."""
        return self.null != "recentre"

    def p_values(self, side: Side = "greater") -> NDArray[np.float64]:
        """Return the p-values in favour of A ("greater"), of B ("less"), each of shape (n_replicates,), or both."""
        sides = {"greater": (self.p_greater,), "less": (self.p_less,), "both": (self.p_greater, self.p_less)}
        if side not in sides:
            raise UnknownNameError("side", side, sides)
        return np.concatenate(sides[side])

    def size(self, side: Side = "greater", alpha: float | None = None) -> Proportion:
        """Return the share of p-values that are at most alpha, with Wilson's interval.

        A replicate is rejected in one direction at most, for alpha below .5, so that both directions together are at
        least as good as two independent replicates.
        """
        rejected = self.p_values(side) <= rejection_level(self.alpha if alpha is None else alpha)
        return Proportion(count=int(rejected.sum()), total=rejected.size, level=self.level)

    @property
    def verdict(self) -> Verdict:
        """Whether the test keeps its level here, and if not, why."""
        sides: tuple[Side, ...] = ("both",) if self.symmetric else ("greater", "less")
        # skewness of the differences at hand need not be that of the population
        chance = not self.symmetric and SIGNIFICANCE_TESTS[self.test].if_skewed == "off level" and not self.reasons
        return judge(
            [(side, self.size(side), largest_excess(self.p_values(side))) for side in sides],
            alpha=self.alpha,
            band=dkw_band(self.n_replicates, 1 - (1 - self.level) / (len(sides) * self.n_judged)),
            reasons=self.reasons,
            n_judged=self.n_judged,
            tolerance=TOLERATED_SIZE_ERROR if chance else 0.0,
        )


def calibrate(
    block: Scores,
    system_a: str,
    system_b: str,
    null: Null = "signflip",
    plan: StudyPlan | None = None,
) -> Calibration:
    """Simulate p-values of the test that is used for two systems, where neither is better.

    Parameters
    ----------
    block : Scores
        One dataset.
    system_a, system_b : str
        Two systems of it.
    null : {"signflip", "recentre"}
        "signflip": a fair coin decides for each instance (whole cluster) whether A and B change places; differences are
        then symmetric, so that this null hypothesis cannot show what skewness does. "recentre": differences minus their
        mean, drawn with replacement (whole clusters): they keep their skewness.
    plan : StudyPlan, optional
        Test, levels, seed and numbers: 2,000 replicates give the size at .05 to within .01.

    Returns
    -------
    Calibration

    Raises
    ------
    DesignError
        If the systems are identical, if the test does not fit, or if the scores do not allow this null hypothesis.

    Notes
    -----
    Recentring makes the mean 0, nothing else. The sign-flip test is exact under sign flips by construction;
    `null="recentre"` is what can find it wanting. What the results do not tell, such as
    clusters that no column names, no simulation from them can show.

    Examples
    --------
    >>> from reportkit.scores.scores import Scores
    >>> scores = np.random.default_rng(0).normal(size=(2, 100))
    >>> block = Scores(dataset="cb", metric="f1", systems=("a", "b"), kind="continuous", scores=scores,
    ...                instances=np.arange(100).astype(object))
    >>> calibrate(block, "a", "b", plan=StudyPlan(n_replicates=500)).verdict.status
    'calibrated'
    """
    plan = plan or StudyPlan()
    makers = {"signflip": flipped_samples, "recentre": recentred_samples}
    if null not in makers:
        raise UnknownNameError("null hypothesis", null, makers)
    sample = paired_by_instances(block.pair(system_a, system_b, missing=plan.missing))
    name = selected_test(sample, plan)
    if null == "recentre" and SIGNIFICANCE_TESTS[name].if_skewed == "other claim":
        raise DesignError(
            "a signed-rank test is one of symmetry about 0, which recentred differences need not have",
            where=sample.label,
            remedy="choose null='signflip', or a test of the mean",
        )
    rng = stream(plan.rng, "null", null, sample.dataset, sample.metric, *sorted((system_a, system_b)))
    found = replicated_p_values(makers[null](sample, rng), name, plan.n_replicates, plan.n_resamples, plan.rng)
    return _calibration(sample, found, null, name, plan)


def _calibration(
    sample: Sample,
    found: tuple[NDArray[np.float64], int],
    null: Null,
    test: str,
    plan: StudyPlan,
) -> Calibration:
    entry = SIGNIFICANCE_TESTS[test]
    clustered = entry.uses_clusters and sample.n_clusters is not None
    return Calibration(
        dataset=sample.dataset,
        metric=sample.metric,
        system_a=sample.system_a,
        system_b=sample.system_b,
        null=null,
        test=test,
        title=entry.title_with_clusters if clustered else entry.title,
        n=sample.n,
        n_clusters=sample.n_clusters,
        p_greater=found[0][0],
        p_less=found[0][1],
        n_without_variance=found[1],
        alpha=plan.alpha,
        level=plan.confidence_level,
        seed=plan.rng,
        n_resamples=plan.n_resamples,
        reasons=tuple(known_reasons(sample, test, null)),
    )


def known_reasons(sample: Sample, test: str, null: Null) -> list[str]:
    """Return what is known to spoil a test on these data, as clauses."""
    found = []
    if sample.n_clusters is not None and not SIGNIFICANCE_TESTS[test].uses_clusters:
        what = "ratings of an instance" if sample.cluster_noun == "instance" else "instances of a cluster"
        found.append(
            f"clusters are ignored (the test takes {what} as independent; there are {sample.n_clusters:,} "
            f"{sample.cluster_noun}s)"
        )
    off_level = null == "recentre" and SIGNIFICANCE_TESTS[test].if_skewed == "off level"
    if off_level and sample.shape == "paired" and (shape := shape_of(sample)).matters:
        gamma = fixed(shape.skewness, 2)
        found.append(f"the differences are too skewed (skewness {gamma}) for this test of the mean at this n")
    return found
