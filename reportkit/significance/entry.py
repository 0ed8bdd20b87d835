"""A significance test with its interval and margin, and what it says about itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.scores.checks import detect_kind
from reportkit.scores.choices import Kind
from reportkit.scores.refusals import refusal
from reportkit.scores.sample import Details, Sample, Shape
from reportkit.settings import Alternative
from reportkit.significance.hypotheses import Hypotheses
from reportkit.significance.interval import Estimate, MarginTest
from reportkit.significance.outcome import Interval, Outcome, Tails
from reportkit.significance.resamples import clopper_pearson, hash64, is_unstable

Effect = Literal["mean", "sign"]
"""The mean difference, or the share of wins minus the share of losses."""

PValues = tuple[float, float]
"""One-sided p-values of no difference: that A is better, and that B is."""

NO_VARIANCE = "the data hold no information on the variance"

IfSkewed = Literal["nothing", "off level", "other claim", "allowed for"]
"""Effect of skewed differences on a test.

`nothing`: the claim is about something else, or the test is exact whatever the shape; `off level`: its size is off
where units are few, and right for many; `other claim`: it tests something else than the mean, and rejects equal means
the more often, the more units there are; `allowed for`: its distribution is that of skewed differences.
"""

SIZE_ERROR = 0.110
"""Size error of a one-sided test at .05 by |skewness| / sqrt(n): (2 z^2 + 1) phi(z) / 6 at z = 1.645."""

TOLERATED_SIZE_ERROR = 0.01


def edgeworth_error(alpha: float) -> float:
    """Return the size error of a one-sided test of a mean, per unit of its skewness: (2 z^2 + 1) phi(z) / 6.

    Examples
    --------
    >>> [round(edgeworth_error(alpha), 3) for alpha in (0.05, 0.01, 0.001)]
    [0.11, 0.053, 0.011]
    """
    if alpha == 0.05:
        return SIZE_ERROR
    z = float(ndtri(1 - alpha))
    return (2 * z * z + 1) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi) / 6


EffectWords = Literal["difference", "wins", "superiority"]

MEASURED: frozenset[Kind] = frozenset({"binary", "continuous", "count"})
"""Kinds of scores whose mean means something: all but ordinal ones."""

ANY_KIND: frozenset[Kind] = MEASURED | {"ordinal"}

INDEPENDENT_INSTANCES = "instances are independent of each other"
SAMPLED_DATASETS = "the datasets are a random sample of those that the claim is about"
INDEPENDENT_RATED = "instances are independent of each other (ratings of one need not be)"
INDEPENDENT_CLUSTERS = "clusters are independent of each other (instances within one need not be)"

_OF_TAILS = tuple(field.name for field in fields(Tails))
_OF_SAMPLE = (
    *("system_a", "system_b", "dataset", "metric", "kind", "shape", "unit"),
    *("higher_is_better", "n", "n_dropped", "n_imputed", "in_percent"),
)

Draw = Callable[[int], tuple[int, int]]

RESOLUTION = 10
"""The smallest p-value that can be shown is this many times below the smallest threshold, where p may be below that."""

ENOUGH_BEYOND = 400
"""This many resamples beyond the observed value give a p-value with a Monte Carlo error of 5%."""


@dataclass(frozen=True, slots=True)
class ResamplingPlan:
    """The number of resamples, the seed, and the thresholds that the p-values will be compared with.

    A test draws `n_resamples`. While the 99.9% Clopper-Pearson interval of either one-sided p-value holds a threshold,
    it goes on within `max_resamples`: to as many as can show a tenth of the smallest threshold, as 1 / (b + 1), and
    then to ten times as many at a time. It also goes on while a p-value whose level depends on other p-values has a
    Monte Carlo error above 5%. Further resamples continue the same stream and the first ones are kept, so that the last
    p-value is from all resamples. The probability that stopping early changes the verdict at a threshold is at most
    about .001 per stage.

    Parameters
    ----------
    n_resamples : int
        Fewest random resamples.
    seed : int
        Seed of all streams, at least 0.
    thresholds : tuple of float
        Levels that matter for one-sided p-values, each in (0, 1): alpha divided by the size of the family, for example.
        Kept in falling order.
    max_resamples : int
        Bound on escalation.
    steps_up_to : float
        Largest of the levels between thresholds that depend on other p-values, such as those of Holm's further steps;
        0 if there are none.
    level : float or None
        Confidence level of the intervals that will be asked for; a test adds its interval if that uses its resamples.

    Examples
    --------
    >>> list(ResamplingPlan().stages())
    [9999, 99999, 999999]
    >>> list(ResamplingPlan(thresholds=(0.05, 0.05 / 200)).stages())
    [9999, 39999, 399999, 999999]
    """

    n_resamples: int = 9_999
    seed: int = 0
    thresholds: tuple[float, ...] = ()
    max_resamples: int = 1_000_000
    steps_up_to: float = 0.0
    level: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "thresholds", tuple(sorted(self.thresholds, reverse=True)))

    def rng(self, sample: Sample) -> np.random.Generator:
        """Return the stream of one pair of systems on one dataset and metric.

        It depends neither on other pairs and datasets, nor on the order of work, nor on which of the two is called A.
        """
        pair = sorted((sample.system_a, sample.system_b))
        return np.random.default_rng(
            np.random.SeedSequence([self.seed, hash64(*pair), hash64(sample.dataset), hash64(sample.metric)])
        )

    def stages(self) -> Iterator[int]:
        """Yield growing numbers of resamples, after each of which the plan decides whether more are needed."""
        *_, last = self.ladder()
        stage = self.n_resamples
        while stage < last:
            yield stage
            stage = self.enough if stage < self.enough else RESOLUTION * (stage + 1) - 1
        yield last

    @property
    def enough(self) -> int:
        """Resamples that can show a tenth of the smallest threshold: none beyond the observed value settles it."""
        if not self.thresholds:
            return self.n_resamples
        *_, last = self.ladder()
        return min(max(self.n_resamples, math.ceil(RESOLUTION / self.thresholds[-1] * (1 - 1e-12)) - 1), last)

    def ladder(self) -> Iterator[int]:
        """Yield all numbers of resamples within the bounds, growing, whatever the thresholds are."""
        n_resamples = self.n_resamples
        while (further := RESOLUTION * (n_resamples + 1) - 1) <= self.max_resamples:
            yield n_resamples
            n_resamples = further
        yield n_resamples

    def count(self, draw: Draw) -> tuple[int, int, int]:
        """Draw resamples until nothing is left open, or until the plan allows no more.

        Parameters
        ----------
        draw : callable
            Draws a given number of further resamples and says how many of them are at least as far in favour
            of A, and how many at least as far in favour of B, as the observed value.

        Returns
        -------
        tuple of int
            Both counts, and the number of resamples drawn.
        """
        for_a = for_b = done = 0
        for stage in self.stages():
            more_a, more_b = draw(stage - done)
            for_a, for_b, done = for_a + more_a, for_b + more_b, stage
            if not (self.is_open(for_a, stage) or self.is_open(for_b, stage)):
                break
        return for_a, for_b, done

    def is_open(self, count: int, n_resamples: int) -> bool:
        """Return whether further resamples could change the verdict on a p-value."""
        low, high = clopper_pearson(count, n_resamples)
        between = count < ENOUGH_BEYOND and low < self.steps_up_to and high >= min(self.thresholds, default=0.0)
        return between or is_unstable(count, n_resamples, self.thresholds)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalMethod:
    """The interval that belongs to a test, and the same test of a difference other than 0.

    Parameters
    ----------
    interval : callable
        (sample, level, seed, p-values) -> interval of the estimand; None where the data allow none.
    margin : callable
        (sample, margin, seed) -> the test of the difference against a margin; None if the variance is not known.
    matched : bool
        Whether the interval inverts the test, so that only the rounding of random resamples can tell them apart.
    silence : callable
        (sample, level) -> why there is no interval, as a clause.
    """

    interval: Callable[[Any, float, int, PValues], Interval | None]
    margin: Callable[[Any, float, int], MarginTest | None]
    matched: bool = True
    silence: Callable[[Any, float], str] = lambda sample, level: NO_VARIANCE


def no_margin(sample: Sample, margin: float, seed: int) -> MarginTest | None:
    """Refuse a margin where no shifted test is known."""
    raise refusal("no-margin", dataset=sample.dataset, shape=sample.shape, kind=sample.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignificanceTest:
    """A test of A against B on one dataset, and the words about it.

    Parameters
    ----------
    name : str
        Name in the registry, such as "mcnemar".
    title : str
        Name in prose, in lower case, such as "exact McNemar test".
    function : callable
        (sample, plan) -> Outcome with both one-sided p-values; the sample is of the shape.
    kinds : frozenset of str
        Kinds of scores it is meaningful for. A test for binary scores alone takes any scores that are right or wrong.
    uses_weights : bool
        Whether it takes weights; if not, weighted instances are refused.
    interval : IntervalMethod
        Which interval belongs to the test, and the same test of a margin.
    estimand : str
        The quantity the test is about.
    hypotheses : Hypotheses
        Null hypothesis and alternative in favour of A, in the words of a paper.
    effect_words : {"difference", "wins", "superiority"}
        How a text says what `estimand` is: as a difference of scores; as the share of instances on which A is better
        minus the share on which B is; or as the probability that an instance of A scores better than one of B, minus
        that of worse. `effect` is "mean" of a difference, else "sign".
    ties_count : bool
        Whether instances on which both systems score the same enter the p-value.
    any_pairing : bool
        Whether the p-value is valid whichever answers of the two systems belong together, where that is not known.
    tests_nothing : bool
        Whether it stands for two systems with the same scores, so that nothing is tested.
    assumptions : tuple of str
        Conditions under which the p-value is valid besides independent instances or clusters, each a clause.
    citation : str
        BibTeX key of the source.
    summary : str
        One sentence for lists of tests.
    title_with_clusters : str
        Name in prose where clusters are the units; empty if the test ignores clusters: `uses_clusters`.
    shape : str
        What the test needs to know of each system; see `reportkit.scores.sample.Shape`.
    independent_units : str
        What has to be independent where there are no clusters, as a clause.
    remarks : callable, optional
        (sample, outcome) -> findings that only this test has to make.
    size_remarks : callable, optional
        (sample, outcome, thresholds) -> findings that speak of the size of this test at the levels used.
    details : callable, optional
        (sample, outcome) -> further numbers, for `Outcome.details`.
    together : callable, optional
        (samples, plan, units that are known) -> outcomes: many pairs at once, as `function` does one, but faster.
    columns : callable, optional
        (wins, losses, number of instances) -> lists of p_greater, p_less, p_min, estimate, statistic, n_nonzero and
        standard_error of many pairs of right-or-wrong scores that differ, as `function` would find them.
    resamples : bool
        Whether its null distribution is that of random resamples or permutations, of which infinitely many are taken
        where the p-value is exact.
    if_skewed : {"nothing", "off level", "other claim", "allowed for"}
        What skewed differences do to it; see `IfSkewed`.
    """

    name: str
    title: str
    function: Callable[[Any, ResamplingPlan], Outcome]
    kinds: frozenset[Kind]
    interval: IntervalMethod
    estimand: str
    hypotheses: Hypotheses
    assumptions: tuple[str, ...]
    citation: str
    summary: str
    uses_weights: bool = False
    title_with_clusters: str = ""
    shape: Shape = "paired"
    independent_units: str = INDEPENDENT_INSTANCES
    remarks: Callable[[Any, Outcome], Iterable[Finding]] | None = None
    size_remarks: Callable[[Any, Outcome, Sequence[float]], Iterable[Finding]] | None = None
    details: Callable[[Any, Outcome], Details] | None = None
    together: Callable[[Sequence[Any], ResamplingPlan, Sequence[Any]], list[Outcome]] | None = None
    columns: Callable[[NDArray[np.int64], NDArray[np.int64], int], Mapping[str, list[Any]]] | None = None
    resamples: bool = False
    if_skewed: IfSkewed = "nothing"
    effect_words: EffectWords = "difference"
    ties_count: bool = True
    any_pairing: bool = False
    tests_nothing: bool = False

    @property
    def uses_clusters(self) -> bool:
        """Return whether it takes clusters as the independent units; if not, it ignores them."""
        return bool(self.title_with_clusters)

    @property
    def effect(self) -> Effect:
        """Whether `estimand` is a mean difference, or a share of wins; the interval has to be for the same."""
        return "mean" if self.effect_words == "difference" else "sign"

    def run(self, sample: Sample, plan: ResamplingPlan, alternative: Alternative = "greater") -> Outcome:
        """Check that kind, values and weights of the scores fit, then run the test.

        Raises
        ------
        DesignError
            If they do not; the message says which value, and what would fit.
        """
        self.check(sample)
        return self.function(sample, plan).towards(alternative)

    def run_all(self, samples: Sequence[Sample], plan: ResamplingPlan, units: Sequence[Any] = ()) -> list[Outcome]:
        """Run the test on many pairs, each checked first; units that are known are not sorted again."""
        for sample in samples:
            self.check(sample)
        if self.together is not None:
            return self.together(samples, plan, units or [None] * len(samples))
        return [self.function(sample, plan) for sample in samples]

    def check(self, sample: Sample) -> None:
        """Raise DesignError if the test does not fit kind, values or weights of scores of its shape."""
        if self.kinds == {"binary"} and sample.shape in ("paired", "unpaired"):
            _check_right_or_wrong(self, sample)
        elif sample.kind not in self.kinds:
            instead = "mann-whitney" if self.shape == "unpaired" else "sign-test"
            raise refusal("means-of-ordinal", sample.label, test=self.name, kind=sample.kind, instead=instead)
        if sample.shape == "paired" and sample.weights is not None and not self.uses_weights:
            low, high = float(sample.weights.min()), float(sample.weights.max())
            raise refusal("no-weights", sample.label, test=self.name, low=low, high=high)

    def outcome(
        self,
        sample: Sample,
        tails: Tails,
        *,
        statistic: float | None = None,
        statistic_name: str,
        n_nonzero: int | None = None,
        estimate: float | None = None,
        interval: Interval | None = None,
    ) -> Outcome:
        """Put what was computed together with what the test says about itself.

        Parameters
        ----------
        sample : Sample
            What was tested.
        tails : Tails
            Both one-sided p-values.
        statistic, statistic_name
            Observed test statistic, positive in favour of A, and its name; by default the difference of the values.
        n_nonzero : int or None
            Units on which A and B differ; None if nothing is paired.
        estimate : float, optional
            Observed value of the estimand; the difference of the values of A and B if not given.
        interval : Interval, optional
            Where it was computed with the test.
        """
        clustered = self.uses_clusters and sample.n_clusters is not None
        rated = clustered and sample.cluster_noun == "instance"
        title = f"{self.title} with all ratings of an instance together" if rated else self.title_with_clusters
        weighted, difference = "" if sample.weights is None else "weighted ", sample.value_difference
        return Outcome(
            **{name: getattr(tails, name) for name in _OF_TAILS},
            **{name: getattr(sample, name) for name in _OF_SAMPLE},
            score_a=sample.as_given(sample.value_a),
            score_b=sample.as_given(sample.value_b),
            test=self.name,
            title=title if clustered else self.title,
            statistic=(difference if statistic is None else statistic) + 0.0,
            statistic_name=statistic_name,
            estimand=weighted + self.estimand,
            estimate=(difference if estimate is None else estimate) + 0.0,
            n_nonzero=n_nonzero,
            n_clusters=sample.n_clusters if clustered and not rated else None,
            assumptions=(_independence(self, sample, clustered), *self.assumptions),
            citation=self.citation,
            tested=not self.tests_nothing,
            interval=interval,
        )

    def t_outcome(self, sample: Sample, estimate: Estimate, *, digits: int = 0, instead: str = "") -> Outcome:
        """Return the outcome of a t-test; p = 1 where nothing differs. `digits` are those of the degrees of freedom.

        Raises
        ------
        DesignError
            If nothing is known of the variance, and `instead` says what to do; p = 1 if it says nothing.
        """
        if estimate.t is None and instead:
            raise DesignError(
                f"{self.name!r} cannot estimate a variance: {estimate.unknown}", where=sample.label, remedy=instead
            )
        t, freedom = estimate.t, estimate.degrees_of_freedom
        return self.outcome(
            sample,
            Tails.of_t(t, freedom, identical=estimate.n_nonzero == 0, digits=digits),
            statistic=t or 0.0,
            statistic_name="t" if t is None else f"t({freedom:.{digits}f})",
            n_nonzero=estimate.n_nonzero,
            estimate=estimate.mean,
        )


def _independence(test: SignificanceTest, sample: Sample, clustered: bool) -> str:
    if sample.unit == "dataset":
        return SAMPLED_DATASETS
    if clustered:
        return INDEPENDENT_RATED if sample.cluster_noun == "instance" else INDEPENDENT_CLUSTERS
    return test.independent_units


def _check_right_or_wrong(test: SignificanceTest, sample: Sample) -> None:
    means, ordinal = ("sign-flip", "sign-test") if sample.shape == "paired" else ("welch", "mann-whitney")
    for system, scores in ((sample.system_a, sample.a), (sample.system_b, sample.b)):
        if detect_kind(scores) != "binary":
            other = scores[(scores != 0) & (np.abs(scores) != 1)]
            score = sample.as_given(float((other if other.size else scores)[0]))
            raise refusal(
                "not-right-or-wrong",
                sample.label,
                test=test.name,
                system=system,
                score=score,
                means=means,
                ordinal=ordinal,
            )
