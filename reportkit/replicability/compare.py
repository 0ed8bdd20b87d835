"""From results to a family of comparisons: plan, assess each dataset, combine."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.parallel import Workers, parallel_map
from reportkit.replicability.claims import (
    Claims,
    Pair,
    metrics_for,
    number_of_tests,
    refuse_too_many,
    with_common_datasets,
)
from reportkit.replicability.comparison import values_of
from reportkit.replicability.family import A, build_family
from reportkit.replicability.independence.independence import audit_metrics
from reportkit.replicability.missing_data import missing_findings
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.across_datasets import taken_together
from reportkit.scores.designs import refuse_unequal_instances
from reportkit.scores.ingest import findings_of_chosen
from reportkit.scores.results import Results
from reportkit.scores.scores import Scores
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress
from reportkit.significance.assess import AT_ONCE, assess_places, by_instances
from reportkit.significance.cautions import serial_dependence, serial_findings
from reportkit.significance.outcome import Outcome, Swapped, unswapped
from reportkit.significance.plan import ResamplingPlan

MOST_INTERVALS = 500
"""Pairs times datasets up to which every outcome has its interval; one takes some milliseconds."""

ON_REQUEST = "intervals-on-request"
"""Code of the finding that says that intervals were left out."""

_SMALL = 1 << 20  # differences of datasets that are tested together


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPlan:
    """A plan that is fixed before the first dataset is looked at, so that none can change the numbers of another.

    Parameters
    ----------
    settings : Settings
        Levels, profile, test, missing instances, seed.
    resampling : ResamplingPlan
        Resamples, seed and the thresholds of the whole family of hypotheses: where Monte Carlo tests stop.
    systems : tuple of str
        All systems that are compared.
    metrics : tuple of str
        The primary one first.
    claims : Claims
        Who is compared with whom; all pairs of them have a dataset in common.
    datasets : tuple of Scores
        What is looked at, by metric.
    findings : tuple of Finding
        What was noticed before.
    intervals : bool
        Whether outcomes have intervals: not if there are more than `MOST_INTERVALS`.
    """

    settings: Settings
    resampling: ResamplingPlan
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    claims: Claims
    datasets: tuple[Scores, ...] = ()
    findings: tuple[Finding, ...] = ()
    intervals: bool = True

    def for_one_dataset(self) -> ComparisonPlan:
        """Return the part of the plan that the work on one dataset needs."""
        return replace(self, claims=replace(self.claims, pairs=()), datasets=(), findings=())


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedDataset:
    """A few numbers for each system and each claim, from one dataset.

    Parameters
    ----------
    dataset, metric : str
        Names.
    outcomes : mapping of (str, str) to Outcome
        Of the claims about systems that both have scores here, read one-sided in favour of A.
    scores : mapping of str to (float, int)
        What a table prints of each system, compared or not, and over how many instances.
    n_instances : int or None
        Instances that one of the compared systems was scored on; None where none of them was.
    serial : mapping of (str, str) to ndarray of shape (3,)
        How neighbouring instances depend on each other, for each pair of systems; see `serial_dependence`.
    """

    dataset: str
    metric: str
    outcomes: Mapping[Pair, Outcome] = field(default_factory=dict)
    scores: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    n_instances: int | None = None
    serial: Mapping[Pair, NDArray[np.float64]] = field(default_factory=dict)


def plan_comparison(results: Results, claims: Claims, settings: Settings) -> ComparisonPlan:
    """Fix what is tested, and under which thresholds, before the first score is looked at.

    Parameters
    ----------
    results : Results
        Of one metric, or of several that the settings name.
    claims : Claims
        Who is compared with whom.
    settings : Settings
        Metrics and how they share the level, levels, dependence, profile, test, missing instances, seed.

    Returns
    -------
    ComparisonPlan

    Raises
    ------
    SettingsError
        If the results hold several metrics and the settings do not say which, or their gatekeeping cannot be passed.
    MissingScoresError
        If two systems were not scored on the same instances, and settings do not say what to do.
    """
    metrics = metrics_for(results, settings)
    if len(metrics) > 1 and settings.gatekeeping == "serial" and claims.design == "all-pairs":
        raise SettingsError(
            "gatekeeping 'serial' asks for every hypothesis of the primary metric, and two systems cannot each be "
            "better than the other",
            where=f"{len(claims.pairs)} pairs in both directions",
            remedy="name a baseline, or use gatekeeping='by-dataset' or 'none' (command: --gatekeeping)",
        )
    if len(metrics) > 1 and settings.across_datasets:
        raise SettingsError(
            f"across_datasets is for one metric, and there are {len(metrics)}",
            where=", ".join(map(repr, metrics)),
            remedy=f"choose metric={metrics[0]!r} (command: --metric {metrics[0]})",
        )
    named = tuple(dict.fromkeys(name for both in claims.pairs for name in both))
    given = results.select(metric=metrics)
    results = given.select(systems=named)
    if len(named) < len(given.systems):
        results = replace(results, findings=tuple(findings_of_chosen(results)))
    if settings.missing == "error" and settings.pairing == "paired":
        refuse_unequal_instances(results.datasets)
    if settings.across_datasets:
        given = results = taken_together(results, missing=settings.missing, score_range=settings.score_range)
        if settings.missing == "error":
            refuse_unequal_instances(results.datasets)
    refuse_too_many(claims, results.datasets)
    claims, apart = with_common_datasets(claims, results.datasets)
    n_tests = number_of_tests(claims, results.datasets)
    on_request = [_on_request(n_tests)] if n_tests > MOST_INTERVALS else []
    order = {metric: place for place, metric in enumerate(metrics)}
    return ComparisonPlan(
        settings=settings,
        resampling=_resampling_of(settings, claims, len(results.datasets)),
        systems=named,
        metrics=metrics,
        claims=claims,
        datasets=tuple(sorted(given.datasets, key=lambda block: order[block.metric])),
        findings=(*results.findings, *apart, *on_request),
        intervals=not on_request,
    )


def _on_request(n_tests: int) -> Finding:
    return Finding(
        ON_REQUEST,
        "info",
        f"{n_tests:,} comparisons on datasets are more than {MOST_INTERVALS:,}: their confidence intervals are not "
        "computed.",
        remedy="ask for those that matter: analysis.interval(A, B, dataset) or analysis.intervals(system_a=A, "
        "system_b=B); or compare fewer systems",
    )


def assessed(
    plan: ComparisonPlan, progress: Progress | None = None, workers: Workers | None = None
) -> tuple[AssessedDataset, ...]:
    """Assess all datasets of a plan.

    Parameters
    ----------
    plan : ComparisonPlan
        What is tested.
    progress : callable, optional
        Called with (done, total) after some tests.
    workers : Workers, optional
        Who assesses the datasets; this process, if not given.
    """
    total, n_done = len(plan.claims.pairs) * len(plan.datasets), 0

    def done(number: int) -> None:
        nonlocal n_done
        n_done = min(n_done + number, total)
        if progress is not None:
            progress(n_done, total)

    alone, together = plan.for_one_dataset(), _together(plan)
    if workers is None or len(together) == 1:
        return tuple(part for blocks in together for part in assess_datasets(blocks, plan.claims.pairs, alone, done))
    work = [(blocks, plan.claims.pairs, alone) for blocks in together]
    found: list[AssessedDataset] = []
    for parts in parallel_map(assess_datasets, work, workers):
        found += parts
        done(len(parts) * len(plan.claims.pairs))
    return tuple(found)


def _together(plan: ComparisonPlan) -> list[tuple[Scores, ...]]:
    """Put datasets together that are small, and have few pairs: many p-values at once take less time."""
    groups: list[list[Scores]] = [[]]
    pairs, size = 0, 0
    for block in plan.datasets:
        n = len(plan.claims.pairs) * block.n_instances
        if groups[-1] and (pairs + len(plan.claims.pairs) > AT_ONCE or size + n > _SMALL):
            groups.append([])
            pairs, size = 0, 0
        groups[-1].append(block)
        pairs, size = pairs + len(plan.claims.pairs), size + n
    return [tuple(group) for group in groups if group]


def _resampling_of(settings: Settings, claims: Claims, n_datasets: int) -> ResamplingPlan:
    """Return resamples, seed and the thresholds that the smallest p-values of a family are compared with."""
    directions = 2 if claims.both_directions else 1
    n_hypotheses = len(claims.pairs) * directions * n_datasets
    thresholds, steps_up_to = {alpha / n_hypotheses for alpha in settings.alpha}, max(settings.alpha)
    if len(claims.pairs) == 1:
        thresholds = {alpha / directions / rank for alpha in settings.alpha for rank in range(1, n_datasets + 1)}
        steps_up_to = 0.0
    return ResamplingPlan(
        n_resamples=settings.n_resamples,
        seed=settings.rng,
        thresholds=tuple(sorted(thresholds, reverse=True)),
        steps_up_to=steps_up_to,
    )


def assess_datasets(
    blocks: Sequence[Scores],
    claims: Sequence[Pair],
    plan: ComparisonPlan,
    done: Callable[[int], None] = lambda number: None,
) -> list[AssessedDataset]:
    """Test claims on datasets; a pure function, which no other dataset, claim or order of work can influence.

    Parameters
    ----------
    blocks : sequence of Scores
        Each has all systems on one dataset, by one metric.
    claims : sequence of (str, str)
        A and B of each claim that A is better than B; those about systems without scores here are passed over.
    plan : ComparisonPlan
        Made for all datasets and all claims: see `plan_comparison`.
    done : callable
        Called with a number of tests that are done.

    Returns
    -------
    list of AssessedDataset
        Small, whatever the size of the datasets. `combine` makes an analysis of those of all datasets.

    Raises
    ------
    ReportkitError
        If the scores do not fit what is asked for.
    """
    compared = [block.select(plan.systems) for block in blocks]
    here = [[] if block is None else [claim for claim in claims if {*claim} <= {*block.systems}] for block in compared]
    here = [own if block is None else by_instances(block, own) for block, own in zip(compared, here, strict=True)]
    places = [(block, *claim) for block, own in zip(compared, here, strict=True) if block for claim in own]
    outcomes = iter(assess_places(places, plan.resampling, plan.settings, intervals=plan.intervals, done=done))
    return [
        AssessedDataset(
            dataset=block.dataset,
            metric=block.metric,
            outcomes=dict(zip(own, outcomes, strict=False)),
            scores=values_of(block, plan.settings),
            n_instances=None if mine is None else mine.n_instances,
            serial={} if mine is None or plan.settings.pairing == "unpaired" else serial_dependence(mine, own),
        )
        for block, mine, own in zip(blocks, compared, here, strict=True)
    ]


def combine(
    parts: Sequence[AssessedDataset],
    plan: ComparisonPlan,
    *,
    into: type[A] = ReplicabilityAnalysis,  # type: ignore[assignment] # the numbers alone, unless more is asked for
) -> A:
    """Correct the outcomes of all datasets together, and count.

    Parameters
    ----------
    parts : sequence of AssessedDataset
        Of all datasets of the plan, in this order.
    plan : ComparisonPlan
        Under which they were assessed.
    into : type
        What is made of it: `reportkit.analysis.Analysis`, or the numbers alone.

    Raises
    ------
    SettingsError
        If the gatekeeping cannot be passed.
    """
    settings, claims = plan.settings, plan.claims
    found: dict[Pair, tuple[Outcome, ...]] = {
        claim: tuple(part.outcomes[claim] for part in parts if claim in part.outcomes) for claim in claims.pairs
    }
    assessments: dict[Pair, Sequence[Outcome]] = {}
    for (a, b), items in found.items():
        assessments[a, b] = items
        if claims.both_directions:
            assessments[b, a] = Swapped(items)
    if claims.design == "both" and not claims.named:
        assessments = dict(sorted(assessments.items(), key=lambda item: _lead(item[1]), reverse=True))
    missing: list[Finding] = []
    if settings.missing != "error":
        sizes = {part.dataset: part.n_instances for part in parts if part.n_instances is not None}
        every = chain.from_iterable(map(unswapped, assessments.values()))
        missing = missing_findings(((item.dataset, item.n_dropped + item.n_imputed) for item in every), sizes, settings)
    serial = serial_findings([(part.dataset, part.serial) for part in parts])
    compared = [block for block, part in zip(plan.datasets, parts, strict=True) if part.outcomes]
    mine = [block for block in (each.select(plan.systems) for each in compared) if block is not None]
    audit = audit_metrics(mine, settings.dependence, settings.runs)
    return build_family(
        claims.design,
        assessments,
        settings=settings,
        audit=audit,
        findings=(*plan.findings, *missing, *serial),
        metrics=plan.metrics,
        jointly=settings.profile == "recommended",
        into=into,
    )


def _lead(items: Sequence[Outcome]) -> tuple[int, float]:
    """Return on how many datasets more the first system is ahead than behind, and by how much on average."""
    differences = [item.estimate for item in items]
    return sum((each > 0) - (each < 0) for each in differences), math.fsum(differences)
