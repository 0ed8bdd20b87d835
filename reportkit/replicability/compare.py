"""Turn results into an analysis: fix the plan, assess each dataset, correct all outcomes together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.metrics.correlation import COEFFICIENTS
from reportkit.parallel import Workers, parallel_map
from reportkit.replicability.coverage import (
    LeftOut,
    datasets_left_out,
    left_out_findings,
    missing_findings,
    on_request,
    too_many,
    with_common_datasets,
)
from reportkit.replicability.family import A, Claims, Pair, build_family, by_severity
from reportkit.replicability.independence.independence import audit_independence
from reportkit.replicability.score_spread import ScoreSpread, printed_spread, spread_of
from reportkit.scores.checks import findings_of_chosen
from reportkit.scores.designs import refuse_unequal_instances
from reportkit.scores.scores import Results, Scores
from reportkit.scores.together import taken_together
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress
from reportkit.significance.assess import AT_ONCE, assess_pairs, by_instances
from reportkit.significance.cautions import serial_dependence, serial_findings
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.outcome import Outcome

MOST_TESTS = 250_000
"""Largest number of pairs of systems times datasets: all pairs of 700 systems on one dataset."""

MOST_INTERVALS = 500
"""Up to this many pairs times datasets, every outcome has its interval, which takes some milliseconds."""
_SMALL = 1 << 20  # differences of datasets that a worker tests together


def claims_for(
    known: tuple[str, ...], systems: Iterable[str], baselines: Iterable[str], *, declared: bool = True
) -> Claims:
    """Turn the systems a user names into claims.

    Parameters
    ----------
    known : tuple of str
        All systems of the results.
    systems : iterable of str
        Systems that are claimed to be better; all others if empty.
    baselines : iterable of str
        Systems they are compared with.
    declared : bool
        Whether the direction was declared before looking at the results; if not, one pair is tested in both directions.

    Raises
    ------
    UnknownNameError
        If a system does not occur in the results.
    SettingsError
        If fewer than two systems are left.
    """
    chosen, against = tuple(dict.fromkeys(systems)), tuple(dict.fromkeys(baselines))
    for name in (*chosen, *against):
        if name not in known:
            raise UnknownNameError("system", name, known)
    if against:
        better = chosen or tuple(name for name in known if name not in against)
        pairs = tuple((a, b) for b in against for a in better if a != b)
        if not pairs:
            raise SettingsError("no system is left to compare with the baseline", remedy="name other systems")
        if len(pairs) == 1:
            return Claims(design="declared" if declared else "both", pairs=pairs)
        if not declared:
            raise SettingsError(
                "alternative='two-sided' is for two systems or all pairs",
                where=f"{len(pairs)} comparisons with a baseline",
                remedy="leave out the baseline to compare all pairs in both directions",
            )
        return Claims(design="baselines", pairs=pairs)
    several = chosen or known
    if len(several) < 2:
        raise SettingsError(
            f"two systems are needed, {len(several)} given",
            where=f"systems of the results: {', '.join(map(repr, known[:20]))}",
            remedy="name another system, or a baseline",
        )
    pairs = tuple(combinations(several, 2))
    return Claims(design="both" if len(pairs) == 1 else "all-pairs", pairs=pairs, named=bool(chosen))


def metrics_for(results: Results, settings: Settings) -> tuple[str, ...]:
    """Return the metrics to compare by, the primary one first.

    Parameters
    ----------
    results : Results
        Results of one metric or several.
    settings : Settings
        `metric` and `primary_metric`.

    Returns
    -------
    tuple of str
        Those that are named; all, if only the primary one is named, or there is but one.

    Raises
    ------
    UnknownNameError
        If a metric does not occur in the results.
    SettingsError
        If there are several and none is named.
    """
    known = results.metrics
    primary = None if settings.primary_metric is None else results.spelt(settings.primary_metric)
    named = tuple(map(results.spelt, settings.metrics))
    results.refuse_uncomputed(named)
    for name in (*named, *(() if primary is None else (primary,))):
        if name not in known:
            raise UnknownNameError("metric", name, dict.fromkeys([*known, *COEFFICIENTS, *CORPUS_METRICS]))
    if named:
        return named
    if primary is not None:
        return tuple(sorted(known, key=lambda name: name != primary))
    if len(known) > 1:
        names = ", ".join(map(repr, known))
        raise SettingsError(
            f"the results hold {len(known)} metrics: {names}",
            remedy=f"select one: metric={known[0]!r} (command: --metric {known[0]}); or several, which are corrected "
            f"together, the primary one first: metric=[{names}], or primary_metric={known[0]!r} for all of them "
            f"(command: --primary-metric {known[0]})",
        )
    return known


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedDataset:
    """A few numbers for each system and each claim, from one dataset.

    Parameters
    ----------
    dataset : str
        Its name.
    outcomes : mapping of (str, str) to Outcome
        Outcomes of the claims about systems that both have scores here, read one-sided in favour of A.
    scores : mapping of str to (float, int)
        Score that a table prints for each system, compared or not, and its number of instances.
    n_instances : int or None
        Instances that one of the compared systems was scored on; None where none of them was.
    serial : mapping of (str, str) to ndarray of shape (3,)
        How neighbouring instances depend on each other, for each pair of systems; see `serial_dependence`.
    """

    dataset: str
    outcomes: Mapping[Pair, Outcome] = field(default_factory=dict)
    scores: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    n_instances: int | None = None
    serial: Mapping[Pair, NDArray[np.float64]] = field(default_factory=dict)


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


def compare_systems(
    results: Results,
    claims: Claims,
    settings: Settings,
    *,
    into: type[A],
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> A:
    """Test all claims on all datasets, correct the outcomes together, and count.

    Parameters
    ----------
    results : Results
        Results of one metric, or of several that the settings name.
    claims : Claims
        Who is compared with whom.
    settings : Settings
        Metrics and how they share the level, levels, dependence, profile, test, missing instances, seed.
    into : type
        Class of the result: `reportkit.analysis.Analysis`, or the numbers alone.
    progress : callable, optional
        Called with (done, total) after some tests.
    workers : Workers, optional
        Processes that assess the datasets; this one alone, if not given.

    Raises
    ------
    SettingsError
        If the results hold several metrics and the settings do not say which, or their gatekeeping cannot be passed.
    MissingScoresError
        If two systems were not scored on the same instances, and settings do not say what to do.
    """
    metrics = metrics_for(results, settings)
    _refuse_several_metrics(metrics, claims, settings)
    every, compared = results.select(metric=metrics), {*claims.systems}
    named = [name for name in every.systems if name in compared]  # the same order, so that nothing is copied
    chosen = every.select(systems=named)
    if len(named) < len(every.systems):
        chosen = replace(chosen, findings=tuple(findings_of_chosen(chosen)))
    if settings.missing == "error" and settings.pairing == "paired":
        refuse_unequal_instances(chosen.datasets)
    single: dict[str, dict[tuple[str, str], SystemScore]] = {metric: {} for metric in metrics}
    if settings.across_datasets:
        single[metrics[0]] = _scores_of([(block, _values_of(block, settings)) for block in every.datasets], settings)
        every = chosen = taken_together(chosen, missing=settings.missing, score_range=settings.score_range)
        if settings.missing == "error":
            refuse_unequal_instances(chosen.datasets)
    blocks, findings = sorted(every.datasets, key=lambda block: metrics.index(block.metric)), [*chosen.findings]
    if len(claims.pairs) * len(blocks) > MOST_TESTS:
        raise too_many(claims.pairs, blocks, MOST_TESTS)
    left_out: tuple[LeftOut, ...] = ()
    if not _complete(results, named):
        pairs, apart = with_common_datasets(claims.pairs, blocks)
        claims, left_out = replace(claims, pairs=pairs), datasets_left_out(results, claims.systems)
        findings += apart
    if (n_tests := len(claims.pairs) * len(blocks)) > MOST_INTERVALS:
        findings.append(on_request(n_tests, MOST_INTERVALS))
    assess = partial(
        assess_datasets,
        pairs=claims.pairs,
        settings=settings,
        resampling=_resampling_of(settings, claims, len(blocks)),
        intervals=n_tests <= MOST_INTERVALS,
    )
    parts = _assessed(blocks, assess, len(claims.pairs), progress, workers)
    for metric in metrics:
        mine = [(block, part.scores) for block, part in zip(blocks, parts, strict=True) if block.metric == metric]
        single[metric] |= _scores_of(mine, settings)
    outcomes = [part.outcomes[pair] for pair in claims.pairs for part in parts if pair in part.outcomes]
    if claims.design == "both" and not claims.named and _lead(outcomes) < (0, 0.0):
        outcomes = [item.swapped() for item in outcomes]  # nobody named the systems: the better one comes first
    if settings.missing != "error":
        sizes = {part.dataset: part.n_instances for part in parts if part.n_instances is not None}
        lost = ((item.dataset, item.n_dropped + item.n_imputed) for item in outcomes)
        findings += missing_findings(lost, sizes, settings)
    findings += serial_findings([(part.dataset, part.serial) for part in parts])
    looked_at = (block.select(named) for block, part in zip(blocks, parts, strict=True) if part.outcomes)
    found = build_family(
        claims.design,
        outcomes,
        settings=settings,
        audit=audit_independence([one for one in looked_at if one is not None], settings.dependence, settings.runs),
        findings=findings,
        metrics=metrics,
        jointly=settings.profile == "recommended",
        board=blocks[0] if settings.across_datasets and settings.profile == "recommended" else None,
        into=into,
    )
    if left_out:
        found = replace(found, findings=by_severity([*found.findings, *left_out_findings(left_out, results)]))
    return replace(
        found,
        system_scores=single.pop(metrics[0]),
        secondary_scores=single,
        left_out=left_out,
        source=results.source,
        digest=results.digest(),
        n_rows=results.n_rows,
        columns=results.columns,
        unused_columns=results.unused_columns,
        named_datasets=results.named_datasets,
        measures=results.measures,
    )


def _complete(results: Results, systems: Sequence[str]) -> bool:
    """Return whether each of some systems has scores on all datasets that the results name."""
    there = {block.dataset for block in results.datasets}
    return there.issuperset(results.named_datasets) and all({*systems} <= {*one.systems} for one in results.datasets)


def _refuse_several_metrics(metrics: Sequence[str], claims: Claims, settings: Settings) -> None:
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


def _scores_of(
    items: Sequence[tuple[Scores, Mapping[str, tuple[float, int]]]], settings: Settings
) -> dict[tuple[str, str], SystemScore]:
    """Return scores by (system, dataset).

    A pair of systems is compared on the instances that both have; a table of many systems shows each on all that it
    has, or with missing scores counted as worst, as the settings say.
    """
    return {
        (system, block.dataset): SystemScore(
            *value, block.higher_is_better, partial(spread_of, block, system, settings), system
        )
        for block, values in items
        for system, value in values.items()
    }


def _values_of(block: Scores, settings: Settings) -> dict[str, tuple[float, int]]:
    """Return the score that a table prints for each system of a dataset, and its number of instances."""
    return {
        system: block.value(system, missing=settings.missing, score_range=settings.score_range)
        for system in block.systems
    }


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


def _assessed(
    blocks: Sequence[Scores],
    assess: Callable[..., list[AssessedDataset]],
    n_pairs: int,
    progress: Progress | None,
    workers: Workers | None,
) -> list[AssessedDataset]:
    """Assess all datasets: together in this process, or one by one by the workers."""
    total, n_done = n_pairs * len(blocks), 0

    def done(number: int) -> None:
        nonlocal n_done
        n_done = min(n_done + number, total)
        if progress is not None:
            progress(n_done, total)

    if workers is None or len(blocks) == 1:
        return assess(blocks, done)
    found: list[AssessedDataset] = []
    largest = max(block.n_instances for block in blocks) * n_pairs
    size = max(1, min(AT_ONCE // n_pairs, _SMALL // max(1, largest)))  # many p-values at once are faster
    pieces = [(blocks[start : start + size],) for start in range(0, len(blocks), size)]
    for parts in parallel_map(assess, pieces, workers):
        found += parts
        done(len(parts) * n_pairs)
    return found


def assess_datasets(
    blocks: Sequence[Scores],
    done: Callable[[int], None] = lambda number: None,
    *,
    pairs: Sequence[Pair],
    settings: Settings,
    resampling: ResamplingPlan,
    intervals: bool,
) -> list[AssessedDataset]:
    """Test the claims on datasets; a pure function: no other dataset or claim and no order of work can change it.

    Parameters
    ----------
    blocks : sequence of Scores
        Each has all systems on one dataset, by one metric.
    done : callable
        Called with a number of tests that are done.
    pairs : sequence of (str, str)
        A and B of all claims; those about systems without scores here are passed over.
    settings : Settings
        Level, profile, test, missing instances.
    resampling : ResamplingPlan
        Resamples, seed and the thresholds of the whole family of hypotheses: where Monte Carlo tests stop.
    intervals : bool
        Whether outcomes have intervals.

    Raises
    ------
    ReportkitError
        If the scores do not fit what is asked for.
    """
    named = frozenset(chain.from_iterable(pairs))
    compared = [block.select([name for name in block.systems if name in named]) for block in blocks]
    here = [[] if block is None else by_instances(block, _pairs_of(block, pairs)) for block in compared]
    places = [(block, *pair) for block, own in zip(compared, here, strict=True) if block for pair in own]
    outcomes = iter(assess_pairs(places, resampling, settings, intervals=intervals, done=done))
    return [
        AssessedDataset(
            dataset=block.dataset,
            outcomes=dict(zip(own, outcomes, strict=False)),
            scores=_values_of(block, settings),
            n_instances=None if mine is None else mine.n_instances,
            serial={} if mine is None or settings.pairing == "unpaired" else serial_dependence(mine, own),
        )
        for block, mine, own in zip(blocks, compared, here, strict=True)
    ]


def _pairs_of(block: Scores, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs whose systems both have scores on a dataset."""
    held = frozenset(block.systems)
    return [pair for pair in pairs if pair[0] in held and pair[1] in held]


def _lead(items: Sequence[Outcome]) -> tuple[int, float]:
    """Return on how many datasets the first system is ahead, minus on how many it is behind, and its mean lead."""
    differences = [item.estimate for item in items]
    return sum((each > 0) - (each < 0) for each in differences), math.fsum(differences)
