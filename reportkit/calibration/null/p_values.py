"""P-values under the null hypothesis, from a user's own results: whether the test keeps its level on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.asymmetry import asymmetry_p_value
from reportkit.calibration.null.null_samples import (
    flipped_samples,
    paired_by_instances,
    recentred_samples,
)
from reportkit.calibration.null.replicates import ReplicatedPValues, replicated_p_values, selected_test
from reportkit.calibration.proportion import Proportion
from reportkit.calibration.streams import Progress, check_number, silent, stream
from reportkit.calibration.verdict import Verdict, dkw_band, judge, largest_excess
from reportkit.errors import UnknownNameError
from reportkit.intervals.means.skewness import TOLERATED_SIZE_ERROR, size_error, skewness
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import fixed, p_value_text
from reportkit.replicability.multiple_testing.p_values import check_alpha, rejection_level
from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Sample
from reportkit.settings import Profile
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

Null = Literal["signflip", "recentre", "seeds"]
Side = Literal["greater", "less", "both"]
"""Claims that A is better, claims that B is, or both kinds together."""


_CHANCE = 0.01
"""Asymmetry of the observed differences with a larger p-value than this could be chance; the p-value is approximate."""

_HOW = {"signflip": "signs flipped", "recentre": "recentred differences drawn", "seeds": "runs of one system compared"}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Calibration:
    """P-values of a test where the null hypothesis is true.

    Parameters
    ----------
    dataset, metric : str
        Names.
    system_a, system_b : str
        Who is compared; for runs, words for both sets of runs.
    null : {"signflip", "recentre", "seeds"}
        How the null hypothesis was made true.
    test, title : str
        Name of the test, and its name in prose.
    n : int
        Instances.
    n_clusters : int or None
        Clusters.
    p_greater, p_less : ndarray of shape (n_replicates,)
        One-sided p-values in favour of A, and of B.
    n_independent : int
        Replicates that count as independent: all of them if they are simulated; for runs, the disjoint comparisons.
    n_without_variance : int
        Replicates on which the test could not be computed, counted as p = 1.
    alpha, level : float
        Level of the test, and of the intervals.
    seed, n_resamples : int
        Of the simulation, and random resamples of a test that draws them.
    reasons : tuple of str
        What is known to spoil this test here, as clauses.
    asymmetry : float or None
        For signed-rank tests and recentred differences: p-value of the hypothesis that the observed differences are
        symmetric about their mean.
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
    n_independent: int
    n_without_variance: int
    alpha: float
    level: float
    seed: int
    n_resamples: int
    reasons: tuple[str, ...] = ()
    asymmetry: float | None = None
    n_judged: int = 1

    @property
    def n_replicates(self) -> int:
        """Number of simulated data sets."""
        return int(self.p_greater.size)

    @property
    def band(self) -> float:
        """Half-width of the band around the distribution function of the p-values (Dvoretzky-Kiefer-Wolfowitz)."""
        return dkw_band(self.n_independent, self.level)

    @property
    def symmetric(self) -> bool:
        """Whether p-values of both directions have the same distribution, by the way the null hypothesis was made."""
        return self.null != "recentre"

    def p_values(self, side: Side = "greater") -> NDArray[np.float64]:
        """P-values in favour of A ("greater"), of B ("less"), each of shape (n_replicates,), or both together."""
        sides = {"greater": (self.p_greater,), "less": (self.p_less,), "both": (self.p_greater, self.p_less)}
        if side not in sides:
            raise UnknownNameError("side", side, sides)
        return np.concatenate(sides[side])

    def size(self, side: Side = "greater", alpha: float | None = None) -> Proportion:
        """Share of p-values that are at most alpha, with Wilson's interval.

        A replicate is rejected in one direction at most, for alpha below .5, so that both directions together are at
        least as good as two independent replicates.
        """
        rejected = self.p_values(side) <= rejection_level(self.alpha if alpha is None else alpha)
        return Proportion(
            count=int(rejected.sum()),
            total=rejected.size,
            level=self.level,
            n_independent=self.n_independent * (2 if side == "both" else 1),
        )

    @property
    def _may_be_skewed_by_chance(self) -> bool:
        """Whether this is a test of the mean of recentred differences, whose skewness need not be the population's."""
        return self.null == "recentre" and SIGNIFICANCE_TESTS[self.test].if_skewed == "off level" and not self.reasons

    @property
    def verdict(self) -> Verdict:
        """Whether the test keeps its level here, and if not, why."""
        sides: dict[str, Side] = {"over both directions": "both"}
        if not self.symmetric:
            sides = {f"in favour of {self.system_a!r}": "greater", f"in favour of {self.system_b!r}": "less"}
        found = judge(
            [(where, self.size(side), largest_excess(self.p_values(side))) for where, side in sides.items()],
            alpha=self.alpha,
            band=dkw_band(self.n_independent, 1 - (1 - self.level) / (len(sides) * self.n_judged)),
            what=f"on {self.dataset} ({counted(self.n_replicates, 'replicate')}, {_HOW[self.null]}), the {self.title}",
            reasons=self.reasons,
            n_judged=self.n_judged,
            tolerance=TOLERATED_SIZE_ERROR if self._may_be_skewed_by_chance else 0.0,
        )
        if found.status == "too liberal" and not self.reasons and self.asymmetry is not None:
            return _left_open(found, self.asymmetry)
        return found


def _left_open(found: Verdict, asymmetry: float) -> Verdict:
    """A signed-rank test is judged by the differences at hand, whose asymmetry could be chance."""
    said = found.sentence.removeprefix("Not calibrated, too liberal: ")
    return Verdict(
        status="undecided",
        sentence=f"Undecided, as the asymmetry of the observed differences could be chance "
        f"(p = {p_value_text(asymmetry)}): if their distribution is that of the population, {said}",
    )


def calibrate(
    block: Block,
    system_a: str,
    system_b: str,
    *,
    null: Literal["signflip", "recentre"] = "signflip",
    test: str | None = None,
    profile: Profile = "recommended",
    missing: Missing = "error",
    alpha: float = 0.05,
    level: float = 0.95,
    n_replicates: int = 2_000,
    n_resamples: int = 999,
    seed: int = 0,
    progress: Progress = silent,
) -> Calibration:
    """Simulate p-values of the test that is used for two systems, where neither is better.

    Parameters
    ----------
    block : Block
        One dataset.
    system_a, system_b : str
        Two systems of it.
    null : {"signflip", "recentre"}
        "signflip": a fair coin decides for each instance (whole cluster) whether A and B change places; differences are
        then symmetric, so that this null hypothesis cannot show what skewness does. "recentre": differences minus their
        mean, drawn with replacement (whole clusters): they keep their skewness.
    test : str, optional
        Name of a test; what the decision table chooses for the observed data, if not given.
    profile : {"recommended", "dror2017"}
        Which decision table.
    missing : {"error", "drop", "worst", "bounds"}
        As for `Block.pair`.
    alpha, level : float
        Level of the test, and of the intervals.
    n_replicates : int
        Simulated data sets; 2,000 give the size at .05 to within .01.
    n_resamples : int
        Random resamples of a test that draws them; sign flips of 31 to 44 units, whose exact p-values take long, are
        drawn too.
    seed : int
        Seed of everything.
    progress : callable
        Called with (done, total).

    Returns
    -------
    Calibration

    Raises
    ------
    DesignError
        If the systems are identical, if the test does not fit, or if the scores do not allow this null hypothesis.

    Notes
    -----
    Recentring makes the mean 0, nothing else. A signed-rank test is then judged by an asymmetry that could be chance:
    unless the differences at hand show that it is none, the verdict is left open. The sign-flip test is exact under
    sign flips by construction; `null="recentre"` is what can find it wanting. What the results do not tell, such as
    clusters that no column names, no simulation from them can show.

    Examples
    --------
    >>> from reportkit.scores.shapes.paired_scores import DatasetScores
    >>> scores = np.random.default_rng(0).normal(size=(2, 100))
    >>> block = DatasetScores(dataset="cb", metric="f1", systems=("a", "b"), kind="continuous", scores=scores,
    ...                       instances=np.arange(100).astype(object))
    >>> calibrate(block, "a", "b", n_replicates=500).verdict.status
    'calibrated'
    """
    makers = {"signflip": flipped_samples, "recentre": recentred_samples}
    if null not in makers:
        raise UnknownNameError("null hypothesis", null, makers, where="runs of one system: calibrate_runs")
    check_alpha(alpha)
    check_number("n_replicates", n_replicates, 1)
    sample = paired_by_instances(block.pair(system_a, system_b, missing=missing))
    name = selected_test(sample, test, profile)
    rng = stream(seed, "null", null, sample.dataset, sample.metric, *sorted((system_a, system_b)))
    found = replicated_p_values(
        makers[null](sample, rng),
        name,
        n_replicates=n_replicates,
        n_resamples=n_resamples,
        seed=seed,
        progress=progress,
    )
    asymmetry = None
    if null == "recentre" and SIGNIFICANCE_TESTS[name].if_skewed == "other claim" and isinstance(sample, PairedScores):
        asymmetry = asymmetry_p_value(sample.differences, rng)
    return calibration_of(
        sample,
        found,
        null=null,
        test=name,
        n_independent=n_replicates,
        alpha=alpha,
        level=level,
        seed=seed,
        n_resamples=n_resamples,
        reasons=known_reasons(sample, name, null, 1.0 if asymmetry is None else asymmetry),
        asymmetry=asymmetry,
    )


def calibration_of(
    sample: Sample,
    found: ReplicatedPValues,
    *,
    null: Null,
    test: str,
    n_independent: int,
    alpha: float,
    level: float,
    seed: int,
    n_resamples: int,
    reasons: Sequence[str],
    asymmetry: float | None = None,
) -> Calibration:
    """Put simulated p-values together with what is known about the test; see `Calibration` for the parameters."""
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
        p_greater=found.p_greater,
        p_less=found.p_less,
        n_independent=n_independent,
        n_without_variance=found.n_without_variance,
        alpha=alpha,
        level=level,
        seed=seed,
        n_resamples=n_resamples,
        reasons=tuple(reasons),
        asymmetry=asymmetry,
    )


def known_reasons(sample: Sample, test: str, null: Null, asymmetry: float = 1.0) -> list[str]:
    """What is known to spoil a test on these data, as clauses; `asymmetry` is the p-value of symmetry."""
    found = []
    if sample.n_clusters is not None and not SIGNIFICANCE_TESTS[test].uses_clusters:
        what = "ratings of an instance" if sample.cluster_noun == "instance" else "instances of a cluster"
        found.append(
            f"clusters are ignored (the test takes {what} as independent; there are {sample.n_clusters:,} "
            f"{sample.cluster_noun}s)"
        )
    if null == "recentre" and isinstance(sample, PairedScores):
        gamma = fixed(skewness(sample), 2)
        if_skewed = SIGNIFICANCE_TESTS[test].if_skewed
        if if_skewed == "other claim" and asymmetry <= _CHANCE:
            found.append(
                f"the differences are not symmetric about their mean (skewness {gamma}), and a signed-rank test is one "
                "of symmetry about 0, not of the mean"
            )
        elif if_skewed == "off level" and size_error(sample) > TOLERATED_SIZE_ERROR:
            found.append(f"the differences are too skewed (skewness {gamma}) for this test of the mean at this n")
    return found
