"""What an analysis found, as data: who is better than whom, on how many and on which datasets, by how much, how surely.

Counts and names hold together, with the confidence of the verdict, where one procedure gave both: Holm's, the
graphical one, closed testing. Where counts are Fisher's and names are Holm's (`joint` is false), each of the two has
that confidence and the two together need not (see docs/joint-statements.md). Exploratory claims have it one by one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import compress, islice
from typing import Any

from reportkit.errors import ReportkitError
from reportkit.language.short_repr import short_repr
from reportkit.replicability.comparison import Comparison, marked_in
from reportkit.replicability.multiple_testing.correction import FamilyDesign
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.ranking import by_mean_rank
from reportkit.scores.shapes.sample import remembered
from reportkit.significance.catalogue import effect_words
from reportkit.significance.outcome import Outcome

POWER = 0.8
ONE_POINT = 0.01
"""The difference that a plan is made for where none was declared and scores are shares: one percentage point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """That A is better than B: on how many datasets it is shown, and on which.

    Parameters
    ----------
    system_a, system_b, metric : str
        A is claimed to be better than B by this metric.
    compared_on : tuple of str
        Datasets; one where the datasets are the sample.
    at_least : int
        Lower bound for the number of datasets on which A is better, k-hat; 0 where it is shown on none.
    datasets : tuple of str
        Those that are named, in the order of the data: significant after the correction, and A scores better.
    mean_difference : float or None
        Mean over all datasets of the observed differences, positive in favour of A, in units of the score; None where
        a mean of them says nothing.
    p_value : float or None
        Adjusted, where there is one p-value.
    exploratory : bool
        Whether it stands outside what is confirmed.
    """

    __repr__ = short_repr

    system_a: str
    system_b: str
    metric: str
    compared_on: tuple[str, ...]
    at_least: int
    datasets: tuple[str, ...]
    mean_difference: float | None
    p_value: float | None
    exploratory: bool = False

    @property
    def n_datasets(self) -> int:
        """Number of datasets on which the two were compared."""
        return len(self.compared_on)

    @property
    def shown(self) -> bool:
        """Whether A is shown to be better on at least one dataset."""
        return self.at_least > 0


_OF_CLAIM = tuple(item.name for item in fields(Claim))


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """The largest difference that the data leave possible: the largest upper end of the intervals.

    Parameters
    ----------
    system_a, system_b, dataset : str
        By how much A may be better than B, where.
    difference : float
        In units of the score.
    level : float
        Of the interval, which is for one comparison on one dataset.
    """

    system_a: str
    system_b: str
    dataset: str
    difference: float
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many instances a dataset needs, so that a difference of this size is shown on it.

    Parameters
    ----------
    difference : float
        In units of the score: `rope` where it was declared, else one percentage point.
    declared : bool
        Whether it was.
    n_instances : int
        On the most demanding dataset.
    power : float
        With which it is shown, at the first threshold of the correction.
    """

    difference: float
    declared: bool
    n_instances: int
    power: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an analysis found by one metric.

    Parameters
    ----------
    metric : str
        Its name.
    by_metric : bool
        Whether there are other metrics.
    higher_is_better : bool
        Direction of the metric.
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        See `ReplicabilityAnalysis`.
    n_sampled : int
        How many datasets there are where they are the sample; else 0.
    adjusted : bool
        Whether p-values are adjusted.
    confidence : float
        1 - alpha, for the largest alpha: of all claims together, unless `joint` is false or a claim is exploratory.
    joint : bool
        Whether counts and names hold together.
    claims : tuple of Claim
        All of them, those of better systems first.
    systems : tuple of str
        All that are compared, the best mean rank first.
    unbeaten : tuple of str
        Where all pairs are compared, systems that none is shown to be better than on any dataset. Every other one is
        worse than some system on some dataset, with the confidence of the verdict.
    possible : Possible or None
        Where no claim is shown, the largest difference that is still possible.
    plan : Plan or None
        Where no claim is shown, how many instances would show a difference.
    """

    __repr__ = short_repr

    metric: str
    by_metric: bool
    higher_is_better: bool
    design: FamilyDesign
    n_sampled: int
    adjusted: bool
    confidence: float
    joint: bool
    claims: tuple[Claim, ...]
    systems: tuple[str, ...]
    unbeaten: tuple[str, ...] = ()
    possible: Possible | None = None
    plan: Plan | None = None

    @property
    def datasets(self) -> tuple[str, ...]:
        """All on which two systems were compared."""
        return tuple(dict.fromkeys(name for claim in self.claims for name in claim.compared_on))

    @property
    def shown(self) -> tuple[Claim, ...]:
        """Claims that are shown on at least one dataset."""
        return tuple(claim for claim in self.claims if claim.shown)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, of the claims those that are shown."""
        claims = [{name: getattr(claim, name) for name in _OF_CLAIM} for claim in self.shown]
        return {**asdict(replace(self, claims=())), "claims": claims}


def verdict_of(analysis: ReplicabilityAnalysis) -> tuple[Verdict, ...]:
    """Say what was found, by each metric, the primary one first.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of any design.
    """
    return remembered(analysis.known, "verdict", lambda: tuple(map(_of_metric, analysis.parts)))


def _of_metric(part: ReplicabilityAnalysis) -> Verdict:
    alpha = part.alpha[0]
    systems = by_mean_rank(part)
    place = {name: index for index, name in enumerate(systems)}
    comparisons = sorted(part.comparisons, key=lambda item: (place[item.system_a], place[item.system_b]))
    if part.design == "separate":
        comparisons = list(part.comparisons)
    # of shares of wins, and of scores in several units, there is no mean
    one_measure, one_unit = len(set(part.measures.values())) <= 1, _in_one_unit(part.kinds)
    with_mean = (one_measure and (one_unit or _in_one_unit(item.assessments)) for item in comparisons)
    marked = iter(marked_in(comparisons, alpha).tolist())
    claims = tuple(
        _claim(item, alpha, [*islice(marked, item.n_datasets)], mean=mean)
        for item, mean in zip(comparisons, with_mean, strict=True)
    )
    nothing = not any(claim.shown for claim in claims)
    beaten = {claim.system_b for claim in claims if claim.shown}
    return Verdict(
        metric=part.comparisons[0].metric,
        by_metric=part.several_metrics,
        higher_is_better=part.kinds[0].higher_is_better,
        design=part.design,
        n_sampled=max(item.n or 0 for item in part.kinds) if part.across_datasets else 0,
        adjusted=part.n_hypotheses > 1 or part.sides == 2 or part.comparisons[0].metric != part.metrics[0],
        confidence=1 - alpha,
        joint=not part.counted_apart,
        claims=claims,
        systems=systems,
        unbeaten=tuple(name for name in systems if name not in beaten) if part.design == "all-pairs" else (),
        possible=_possible(comparisons) if nothing else None,
        plan=_plan(part, part.settings.rope) if nothing else None,
    )


def _claim(comparison: Comparison, alpha: float, marked: Sequence[bool], *, mean: bool) -> Claim:
    one = comparison.n_datasets == 1
    return Claim(
        system_a=comparison.system_a,
        system_b=comparison.system_b,
        metric=comparison.metric,
        compared_on=comparison.datasets,
        at_least=comparison.k_hat[alpha].recommended,
        datasets=tuple(compress(comparison.datasets, marked)),
        mean_difference=math.fsum(comparison.differences.tolist()) / comparison.n_datasets if mean else None,
        p_value=float(comparison.adjusted_p_values[0]) if one else None,
        exploratory=comparison.exploratory,
    )


def _in_one_unit(items: Sequence[Outcome]) -> bool:
    """Whether all are differences of scores, and in percent all or none."""
    if any(effect_words(item) != "difference" for item in items if item.tested):
        return False
    return len({item.percent for item in items}) == 1


def _possible(comparisons: Sequence[Comparison]) -> Possible | None:
    found = [
        Possible(
            system_a=comparison.system_a,
            system_b=comparison.system_b,
            dataset=item.dataset,
            difference=item.interval.high,
            level=item.interval.level,
        )
        for comparison in comparisons
        if _in_one_unit(comparison.assessments)
        for item in comparison.assessments
        if item.interval is not None and math.isfinite(item.interval.high)
    ]
    return max(found, key=lambda one: one.difference, default=None)


def _plan(family: ReplicabilityAnalysis, rope: float | None) -> Plan | None:
    """Instances for the declared difference, or for one percentage point where scores are shares."""
    items = family.assessments
    shares = all(item.kind == "binary" or item.in_percent for item in items)
    difference = rope or (ONE_POINT if shares else None)
    if difference is None:
        return None
    from reportkit.power_analysis.pilot import instances_needed  # only where nothing is shown

    level = family.alpha[0] / (family.n_hypotheses * (2 if family.design == "both" else 1))
    try:
        needed = [instances_needed(item, difference, level=level, power=POWER) for item in items]
    except ReportkitError:  # more than a billion
        return None
    known = [n for n in needed if n is not None]
    if len(known) < len(items):
        return None
    return Plan(difference=difference, declared=bool(rope), n_instances=max(known), power=POWER)
