"""One dataset or many: choose the test of each pair of systems, run it, add the interval, say what limits both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace

import numpy as np
from scipy.special import ndtri

from reportkit.finding import Finding
from reportkit.language import PROPORTIONS, p_value_text
from reportkit.scores.sample import Details, Sample, joined_details
from reportkit.scores.scores import Scores
from reportkit.scores.together import FEWEST_DATASETS
from reportkit.settings import Profile, Settings
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, entry_for
from reportkit.significance.cautions import SMALL_SAMPLE, caution, shape_findings, small_sample
from reportkit.significance.choose import Differences, choose, choose_plain, shape_of
from reportkit.significance.entry import NO_VARIANCE, ResamplingPlan, SignificanceTest
from reportkit.significance.outcome import Interval, Outcome, tail_level
from reportkit.significance.resamples import UNSTABLE, straddles
from reportkit.significance.standard_errors import cluster_details, standard_error
from reportkit.significance.units import estimate_mean

AT_ONCE = 512
"""Pairs whose p-values are computed together."""

_DIFFERENCES = 1 << 19  # of several pairs, held at once, so that they stay near the processor

TOO_FEW_CLUSTERS = 6
"""With fewer, no sign flip of whole clusters reaches .05 two-sided: 2^-5 = .031."""

TEST_BASED = " with a test-based end"
"""Added to the name of an interval one of whose ends the test has set."""

_SMALLEST_END = 1e-10
"""An end that has to lie beyond 0 is at least this part of the estimate."""

Place = tuple[Scores, str, str]
"""A dataset, A and B."""


def assess_pairs(
    places: Sequence[Place],
    plan: ResamplingPlan,
    settings: Settings,
    *,
    intervals: bool = True,
    done: Callable[[int], None] = lambda number: None,
) -> list[Outcome]:
    """Test pairs of systems on datasets, many at once where the test allows it.

    Parameters
    ----------
    places : sequence of (Scores, str, str)
        Datasets, each with two of its systems.
    plan : ResamplingPlan
        Resamples, seed and thresholds.
    settings : Settings
        Profile or test, missing instances, level of the intervals.
    intervals : bool
        Whether to add intervals.
    done : callable
        Called with a number of places that are done.

    Returns
    -------
    list of Outcome
        In the order of the places, read one-sided in favour of A. No outcome depends on the other places.
    """
    np.empty(4_000_000)  # freeing 32 MB once makes glibc keep the memory of each batch for the next one
    found: dict[int, Outcome] = {} if intervals else _by_counting(places, plan, settings)
    done(len(found))
    level = 1 - settings.primary_alpha if intervals else None
    for batch in _batches([index for index in range(len(places)) if index not in found], places):
        samples = [paired_as_set(*places[index], settings) for index in batch]
        outcomes = assess_together(samples, plan, profile=settings.profile, test=settings.test, level=level)
        found |= zip(batch, outcomes, strict=True)
        done(len(batch))
    return [found[index] for index in range(len(places))]


def by_instances(block: Scores, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Sort pairs of systems by their number of common instances; pairs with the same number share more of the work."""
    presence = block.presence().astype(np.float64)
    if len(pairs) < 2 or presence.all():
        return pairs
    in_common = presence @ presence.T
    return sorted(pairs, key=lambda both: -in_common[block.position(both[0]), block.position(both[1])])


def _batches(indices: Sequence[int], places: Sequence[Place]) -> Iterator[list[int]]:
    """Yield places in batches whose differences fit into memory."""
    batch: list[int] = []
    size = 0
    for index in indices:
        n = places[index][0].n_instances
        if batch and (len(batch) == AT_ONCE or size + n > _DIFFERENCES):
            yield batch
            batch, size = [], 0
        batch.append(index)
        size += n
    if batch:
        yield batch


def paired_as_set(block: Scores, system_a: str, system_b: str, settings: Settings) -> Sample:
    """Put two systems on one dataset side by side, as the settings say; see `Scores.pair`."""
    return block.pair(
        system_a,
        system_b,
        missing=settings.missing,
        score_range=settings.score_range,
        pairing=settings.pairing,
        runs=settings.runs,
    )


def _by_counting(places: Sequence[Place], plan: ResamplingPlan, settings: Settings) -> dict[int, Outcome]:
    """Test all pairs of a dataset whose scores are right or wrong, complete and alone, from one product of matrices."""
    by_block: dict[int, list[int]] = {}
    for index, (block, *_) in enumerate(places):
        by_block.setdefault(id(block), []).append(index)
    found: dict[int, Outcome] = {}
    for indices in by_block.values():
        block = places[indices[0]][0]
        if block.kind != "binary" or not block.plain or block.n_instances < SMALL_SAMPLE:
            continue
        entry = SIGNIFICANCE_TESTS.get(settings.test or choose_plain(block, settings.profile))
        if settings.pairing == "paired" and entry is not None and entry.columns is not None:
            found |= _counted(block, {n: places[n][1:] for n in indices}, entry, plan, settings)
    return found


def _counted(
    block: Scores,
    pairs: Mapping[int, tuple[str, str]],
    entry: SignificanceTest,
    plan: ResamplingPlan,
    settings: Settings,
) -> dict[int, Outcome]:
    """Return the outcomes of the pairs that differ anywhere."""
    row = {system: index for index, system in enumerate(block.systems)}
    a, b = (np.array([row[pair[side]] for pair in pairs.values()]) for side in (0, 1))
    right = (block.scores == block.scores.max()).astype(np.float64)
    only = (right @ (1.0 - right).T).astype(np.int64)
    differ = np.flatnonzero(only[a, b] + only[b, a])
    if entry.columns is None or not differ.size:
        return {}
    columns = entry.columns(only[a, b][differ], only[b, a][differ], block.n_instances)
    score = dict(zip(block.systems, map(block.as_given, block.scores.mean(axis=1).tolist()), strict=True))
    numbers = [*pairs]
    indices = [numbers[place] for place in differ]
    sample = paired_as_set(block, *pairs[indices[0]], settings)
    first = assess(sample, plan, profile=settings.profile, test=settings.test, level=None)
    shared = {item.name: getattr(first, item.name) for item in fields(first)}
    found: dict[int, Outcome] = {}
    for index, values in zip(indices, zip(*columns.values(), strict=True), strict=True):
        system_a, system_b = pairs[index]
        shared |= {"system_a": system_a, "system_b": system_b, "score_a": score[system_a], "score_b": score[system_b]}
        shared |= zip(columns, values, strict=True)
        found[index] = Outcome(**shared)
    return found


def assess(
    sample: Sample,
    plan: ResamplingPlan,
    *,
    profile: Profile = "recommended",
    test: str | None = None,
    level: float | None = 0.95,
) -> Outcome:
    """Test A against B on one dataset.

    Parameters
    ----------
    sample : Sample
        Both systems on one dataset.
    plan : ResamplingPlan
        Resamples, seed and the thresholds that matter, for tests that need random resamples.
    profile : {"recommended", "dror2017"}
        Decision table that chooses the test.
    test : str, optional
        Name of a test to use instead.
    level : float or None
        Confidence level of the interval; None to leave it out.

    Returns
    -------
    Outcome
        Read one-sided in favour of A.

    Raises
    ------
    DesignError
        If a named test does not fit the scores.
    """
    return assess_together([sample], plan, profile=profile, test=test, level=level)[0]


def assess_together(
    samples: Sequence[Sample], plan: ResamplingPlan, *, profile: Profile, test: str | None, level: float | None
) -> list[Outcome]:
    """Test many pairs as `assess` does one, those of one test together."""
    shapes = [shape_of(sample) if sample.shape == "paired" and sample.of_a_mean else None for sample in samples]
    entries = [_entry_of(sample, profile, test, shape) for sample, shape in zip(samples, shapes, strict=True)]
    outcomes: dict[int, Outcome] = {}
    plan = replace(plan, level=level)
    for entry in {entry.name: entry for entry, _ in entries}.values():
        own = [index for index, (other, _) in enumerate(entries) if other is entry]
        units = [shape.units if (shape := shapes[index]) else None for index in own]
        outcomes |= zip(own, entry.run_all([samples[index] for index in own], plan, units), strict=True)
    return [
        _completed(entry, reason, sample, outcomes[index], plan, shape)
        for index, (sample, (entry, reason), shape) in enumerate(zip(samples, entries, shapes, strict=True))
    ]


def _completed(
    entry: SignificanceTest,
    reason: str,
    sample: Sample,
    outcome: Outcome,
    plan: ResamplingPlan,
    shape: Differences | None,
) -> Outcome:
    """Add the interval, the standard error, details and findings."""
    details, findings = _details(entry, sample, outcome), _findings(entry, sample, outcome, plan, shape)
    if sample.shape == "paired" and entry.effect == "mean":
        error = (estimate_mean(sample) if shape is None else shape.units).standard_error
    else:
        error = standard_error(sample, effect=entry.effect)
    interval = None if plan.level is None else interval_for(entry, sample, outcome, plan.level, plan.seed)
    if plan.level is not None and interval is None:
        silence = entry.interval.silence(sample, plan.level)
        if silence != NO_VARIANCE:  # where the variance is unknown, other findings say so
            findings.append(caution("no-interval", sample.label, test=outcome.title, why=silence))
    return replace(
        outcome,
        standard_error=error,
        interval=interval,
        reason=reason,
        in_percent=outcome.in_percent or _is_share(outcome, sample.own_metric or sample.metric),
        details=details,
        findings=tuple(findings),
    )


def interval_for(entry: SignificanceTest, sample: Sample, outcome: Outcome, level: float, seed: int) -> Interval | None:
    """Return the confidence interval that goes with an outcome of a test; they never contradict each other.

    Parameters
    ----------
    entry : SignificanceTest
        The test.
    sample : Sample
        What was tested.
    outcome : Outcome
        What was found.
    level : float
        Confidence level, in (0, 1): the interval excludes 0 exactly where one of the one-sided p-values is at most
        (1 - level) / 2.
    seed : int
        Seed of random resamples, the same as for the test.

    Returns
    -------
    Interval or None
        None if none belongs to the test, or the data allow none; `interval.silence` says why.
    """
    p_values = (outcome.p_greater, outcome.p_less)
    found = outcome.interval
    if found is None or found.level != level:
        found = entry.interval.interval(sample, level, seed, p_values)
    if found is None:
        return None
    found = agreeing(found, outcome.estimate, *p_values, matched=entry.interval.matched)
    return found.within(sample.largest_difference)


def agrees(interval: Interval, p_greater: float, p_less: float) -> bool:
    """Return whether an interval excludes 0 on either side exactly where the one-sided test rejects at (1 - level) / 2.

    Examples
    --------
    >>> interval = Interval(low=0.0, high=0.2, level=0.95, title="interval", citation="")
    >>> agrees(interval, 0.03, 0.97), agrees(interval, 0.02, 0.98)
    (True, False)
    """
    alpha = tail_level(interval.level)
    return (interval.low > 0) == (p_greater <= alpha) and (interval.high < 0) == (p_less <= alpha)


def agreeing(interval: Interval, estimate: float, p_greater: float, p_less: float, *, matched: bool) -> Interval:
    """Let the test decide on which side of 0 an end lies; an end that would contradict it becomes the test-based one.

    Parameters
    ----------
    interval : Interval
        Two-sided.
    estimate : float
        Estimate of the difference that the interval is for.
    p_greater, p_less : float
        One-sided p-values of a difference of 0.
    matched : bool
        Whether the interval is the inversion of the test, so that only the rounding of random resamples can tell them
        apart; its name is then left as it is.

    Returns
    -------
    Interval
        The same, if nothing contradicts.

    Notes
    -----
    The test-based end is estimate x (1 - z_level / z_p): on the other side of 0 exactly where p is below the level.
    Miettinen (1976), "Estimability and estimation in case-referent studies".

    Examples
    --------
    >>> welch = Interval(low=0.01, high=0.31, level=0.95, title="Welch interval", citation="")
    >>> found = agreeing(welch, 0.16, 0.03, 0.97, matched=False)
    >>> round(found.low, 4), found.high, found.title
    (-0.0067, 0.31, 'Welch interval with a test-based end')
    """
    if agrees(interval, p_greater, p_less):
        return interval
    low = _low(interval.low, estimate, p_greater, interval.level)
    high = -_low(-interval.high, -estimate, p_less, interval.level)
    return replace(
        interval,
        low=low,
        high=high,
        title=interval.title if matched or TEST_BASED in interval.title else interval.title + TEST_BASED,
    )


def _low(low: float, estimate: float, p_value: float, level: float) -> float:
    """Move a lower end to the side of 0 that the test decides for, if it is not there and can be."""
    alpha = tail_level(level)
    rejected = p_value <= alpha
    if (low > 0) == rejected or estimate <= 0:
        return low
    z_level, z_p = -float(ndtri(alpha)), -float(ndtri(p_value))
    if rejected:
        return max(estimate * (1.0 - z_level / z_p), _SMALLEST_END * estimate)
    return min(max(estimate * (1.0 - z_level / z_p), -low), 0.0) if z_p > 0 else 0.0


def _entry_of(
    sample: Sample, profile: Profile, test: str | None, shape: Differences | None
) -> tuple[SignificanceTest, str]:
    """Return the test of a sample, named or chosen, and the reason."""
    if test is None:
        choice = choose(sample, profile, shape)
        return SIGNIFICANCE_TESTS.built_in[choice.test], choice.reason
    if sample.identical:
        return SIGNIFICANCE_TESTS["identical"], "the two systems score the same on every instance"
    return entry_for(test, sample), "named by the user"


def _details(entry: SignificanceTest, sample: Sample, outcome: Outcome) -> Details:
    details = joined_details(sample.details, {} if entry.details is None else entry.details(sample, outcome))
    if entry.uses_clusters and sample.shape in ("paired", "corpus") and sample.clusters is not None:
        details = joined_details(details, cluster_details(sample, entry.effect))
    return details


def _findings(
    entry: SignificanceTest, sample: Sample, outcome: Outcome, plan: ResamplingPlan, shape: Differences | None
) -> list[Finding]:
    where = sample.label
    if outcome.test == "identical":
        return [caution("identical-systems", where, n=sample.n, unit=sample.unit)]
    found: list[Finding] = []
    if sample.unit == "instance" and sample.n < SMALL_SAMPLE:
        found.append(small_sample(sample, outcome, entry.if_skewed, plan.thresholds, shape))
    if sample.unit == "dataset" and sample.n < FEWEST_DATASETS:
        smallest = p_value_text(outcome.p_min)
        found.append(caution("few-datasets", f"{where} (n = {sample.n})", limit=FEWEST_DATASETS, smallest=smallest))
    if sample.n_clusters is not None and not entry.uses_clusters:
        found.append(
            caution(
                "clusters-ignored" if sample.cluster_noun == "cluster" else "clusters-ignored/raters",
                where,
                n=sample.n_clusters,
                test=outcome.title,
                instead="'correlation-jackknife-t', which leaves out whole clusters"
                if sample.shape == "correlation"
                else "'sign-flip', which flips whole clusters",
            )
        )
    if sample.shape == "paired":
        found.extend(shape_findings(sample, outcome, entry.if_skewed, plan.thresholds, shape))
        found.extend(_few_clusters(sample, outcome, plan.thresholds))
    if entry.remarks is not None:
        found.extend(entry.remarks(sample, outcome))
    if entry.size_remarks is not None:
        found.extend(entry.size_remarks(sample, outcome, plan.thresholds))
    if outcome.n_resamples is not None and straddles(outcome, plan.thresholds):
        found.append(caution(UNSTABLE, where, n=outcome.n_resamples, more=10 * outcome.n_resamples + 9))
    return found


def _few_clusters(paired: Sample, outcome: Outcome, thresholds: Sequence[float]) -> list[Finding]:
    """Warn of fewer than six clusters, and say whether any level can be reached at all."""
    if outcome.n_clusters is None or outcome.n_clusters >= TOO_FEW_CLUSTERS:
        return []
    limits = ""
    if outcome.method != "asymptotic":
        limits = f", so no one-sided p-value can be below {p_value_text(outcome.p_min)}"
    if thresholds and outcome.p_min > max(thresholds):
        limits += f"; after the correction, {max(thresholds):.3g} would be needed"
    return [caution("few-clusters", paired.label, n=outcome.n_clusters, limits=limits)]


def _is_share(outcome: Outcome, metric: str) -> bool:
    """Return whether the metric is a proportion by its name, and the scores of both systems lie between 0 and 1."""
    low, high = sorted((outcome.score_a, outcome.score_b))
    return low >= 0 and high <= 1 and outcome.shape != "correlation" and metric.strip().casefold() in PROPORTIONS
