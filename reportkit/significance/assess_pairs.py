"""Many pairs of systems: what can be computed for all of them at once is, and everything else when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np

from reportkit.language.metric_names import is_proportion
from reportkit.scores.missing_bounds import BoundedPair, bounded_pair
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import DatasetScores, PairedScores
from reportkit.scores.shapes.sample import Sample
from reportkit.settings import Settings
from reportkit.significance.assess import assess, assess_with_bounds, chosen, entry_of, within_0_and_1
from reportkit.significance.assessed import KEYS, Assessed, Rows, columns_of
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.choose import choose_plain
from reportkit.significance.entry import SignificanceTest
from reportkit.significance.interval import Interval, agreeing
from reportkit.significance.outcome import Outcome
from reportkit.significance.plain_pairs import Part, PlainPairs
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.skewness import SMALL_SAMPLE, shapes_ahead
from reportkit.significance.units import estimates_ahead, units_ahead

Pairs = Sequence[tuple[str, str]]

_DIFFERENCES = 1 << 20  # held at once, of several pairs
_PAIRS = 256  # held at once
_TOGETHER = 256
"""Datasets of which pairs are tested at once."""

MANY = 8
"""Pairs from which on columns pay."""


def assess_pairs(
    block: Block,
    pairs: Pairs,
    plan: ResamplingPlan,
    settings: Settings,
    tick: Callable[[], None] | None = None,
    ahead: Ahead | None = None,
    *,
    verdicts_only: bool = False,
) -> Assessed:
    """Assess pairs of systems that all have scores on one dataset.

    Parameters
    ----------
    block : Block
        One dataset.
    pairs : sequence of (str, str)
        A and B of each pair.
    plan : ResamplingPlan
        Resamples, seed and thresholds.
    settings : Settings
        Profile or test, missing instances, level of the intervals.
    tick : callable, optional
        Called once for each pair.
    ahead : Ahead, optional
        What was computed of these pairs before, together with those on other datasets.
    verdicts_only : bool
        Whether to leave out intervals and findings.

    Returns
    -------
    Assessed
        In the order of the pairs, read one-sided in favour of A.
    """
    pairs, tick = tuple(pairs), tick or (lambda: None)
    rows, ready = ahead or Ahead(_rows_of([block], [pairs], plan, settings)[0], {})
    others = [index for index in range(len(pairs)) if index not in rows.at]
    known: dict[int, Outcome] = {}

    def later(index: int) -> Interval | None:
        return found.interval(index)

    def of_some(part: Sequence[int]) -> dict[int, Outcome]:
        samples = [ready.get(index) or paired_as_set(block, *pairs[index], settings) for index in part]
        if not ready:
            _look_ahead(samples, settings, plan)
        return {
            index: _verdict(block, sample, plan, settings)
            if verdicts_only
            else _assess(block, sample, plan, settings, partial(later, index))
            for index, sample in zip(part, samples, strict=True)
        }

    for some in map(of_some, _batches(others, block.n_instances)):
        known |= some
        for _ in some:
            tick()
    here, of_known = rows.columns(), columns_of([*known.values()])
    order = np.argsort([*rows.at, *known]).tolist()
    columns = {name: [both[place] for place in order] for name in KEYS for both in [here[name] + of_known[name]]}
    for _ in rows.at:
        tick()

    def make(indices: Sequence[int]) -> Iterator[Outcome]:
        return (rows.outcome(index, interval=partial(later, index)) for index in indices)

    @cache
    def in_arrays() -> PlainPairs:
        return PlainPairs.of([cast("DatasetScores", block)], [pairs])

    def intervals(indices: Sequence[int]) -> dict[int, Interval | None]:
        level = 1 - settings.primary_alpha
        looked_at = len(indices) >= MANY and settings.pairing == "paired" and block.plain
        plain = in_arrays() if looked_at else None
        made = {} if plain is None else _intervals_of_rows(found, indices, plain, level)
        indices = [index for index in indices if index not in made]

        def of_some(part: Sequence[int]) -> dict[int, Interval | None]:
            made: dict[int, Interval | None] = {}
            by_test: dict[str, dict[int, Sample]] = {}
            for index in part:
                by_test.setdefault(found[index].test, {})[index] = paired_as_set(block, *pairs[index], settings)
            for test, samples in by_test.items():
                if plain is not None:
                    plain.units_ahead(samples)
                made |= _intervals(SIGNIFICANCE_TESTS[test], samples, found, level, plan.seed)
            return made

        together = map(of_some, _batches(indices, block.n_instances))
        return made | dict(chain.from_iterable(part.items() for part in together))

    unit = block.unit if not known else next(iter(known.values())).unit  # a test of runs says so, not the dataset
    names = (block.dataset, block.metric, unit)
    found = Assessed(*names, columns, known, make, intervals, rows=rows)
    return found


class Ahead(NamedTuple):
    """What was computed of pairs on one dataset together with those on others.

    Parameters
    ----------
    rows : Rows
        All of the pairs of which nothing but numbers is needed at first.
    samples : mapping of int to Sample
        The others, with the tails of their tests, by their numbers.
    """

    rows: Rows
    samples: Mapping[int, Sample]


def look_ahead(
    blocks: Sequence[Block | None], pairs: Sequence[Pairs], plan: ResamplingPlan, settings: Settings
) -> list[Ahead | None]:
    """Compute at once what many datasets with few pairs each need; no number of a pair depends on the others.

    Parameters
    ----------
    blocks : sequence of Block or None
        Datasets; None where no system is compared.
    pairs : sequence of sequence of (str, str)
        A and B of each pair, for each dataset.
    plan, settings
        As for `assess_pairs`.

    Returns
    -------
    list of Ahead or None
        For each dataset; None where each dataset had better do so itself, of many pairs, or alone.
    """
    places = [place for place, block in enumerate(blocks) if block is not None and 0 < len(pairs[place]) < MANY]
    found: list[Ahead | None] = [None] * len(blocks)
    for start in range(0, len(places) if len(places) > 1 else 0, _TOGETHER):
        here = {place: cast("Block", blocks[place]) for place in places[start : start + _TOGETHER]}
        rows = _rows_of([*here.values()], [pairs[place] for place in here], plan, settings)
        for (place, block), one in zip(here.items(), rows, strict=True):
            others = [index for index in range(len(pairs[place])) if index not in one.at]
            found[place] = Ahead(one, {index: paired_as_set(block, *pairs[place][index], settings) for index in others})
        _look_ahead(
            [sample for place in here for sample in cast("Ahead", found[place]).samples.values()], settings, plan
        )
    return found


def _rows_of(blocks: Sequence[Block], pairs: Sequence[Pairs], plan: ResamplingPlan, settings: Settings) -> list[Rows]:
    """Numbers of the pairs of which nothing else has to be said, for each dataset; see `plain_pairs`."""
    found = [Rows() for _ in blocks]
    alike: dict[tuple[Any, ...], list[int]] = {}
    for place, block in enumerate(blocks):
        if (test := _plain_test(block, settings)) is not None:
            key = (test, block.n_instances, block.kind, block.higher_is_better, block.metric, block.own_metric)
            alike.setdefault(key, []).append(place)
    for (test, *_), places in alike.items():
        if sum(len(pairs[place]) for place in places) >= MANY:
            of = [cast("DatasetScores", blocks[place]) for place in places]
            rows = _rows(test, of, [pairs[place] for place in places], plan, settings)
            for place, one in zip(places, rows, strict=True):
                found[place] = one
    return found


def _plain_test(block: Block, settings: Settings) -> Callable[[PlainPairs], Rows] | None:
    """What tests pairs of which nothing but numbers is needed at first; None where there are no such pairs."""
    if settings.pairing != "paired" or block.n_instances < SMALL_SAMPLE or not block.plain:
        return None
    entry = SIGNIFICANCE_TESTS.get(settings.test or choose_plain(block, settings.profile))
    return None if entry is None or block.kind not in entry.kinds else entry.columns


def _rows(
    test: Callable[[PlainPairs], Rows],
    blocks: Sequence[DatasetScores],
    pairs: Sequence[Pairs],
    plan: ResamplingPlan,
    settings: Settings,
) -> Iterator[Rows]:
    """Rows of each of several datasets that are alike but for their scores."""
    plain = PlainPairs.of(blocks, pairs)
    tested, means = test(plain), plain.means.tolist()
    numbers = [*tested.at]
    shared: Outcome | None = None
    percent, at, end = False, 0, 0
    for block, here in zip(blocks, pairs, strict=True):
        start, end = end, end + len(here)
        first = at
        while at < len(numbers) and numbers[at] < end:
            at += 1
        found = numbers[first:at]
        if not found:
            yield Rows()
            continue
        named = [here[index - start] for index in found]
        if shared is None:
            sample = paired_as_set(block, *named[0], settings)
            percent = sample.in_percent
            shared = _assess(block, sample, plan, settings, lambda: None)
        score_a, score_b = ([block.as_given(means[side][index]) for index in found] for side in (0, 1))
        is_share = is_proportion(block.own_metric or block.metric)
        within = [is_share and within_0_and_1(*both) for both in zip(score_a, score_b, strict=True)]
        yield Rows(
            shared.changed(dataset=block.dataset),
            {index - start: row for row, index in enumerate(found)},
            {
                "system_a": [a for a, _ in named],
                "system_b": [b for _, b in named],
                "score_a": score_a,
                "score_b": score_b,
                "in_percent": [percent or each for each in within],
                **{name: column[first:at] for name, column in tested.values.items()},
            },
        )


def _intervals_of_rows(
    items: Assessed, numbers: Sequence[int], pairs: PlainPairs, level: float
) -> dict[int, Interval | None]:
    """Intervals of those pairs of which they follow from their differences and what is in columns."""
    tests, errors = items.field("test"), items.columns["standard_error"]
    by_test: dict[str, list[int]] = {}
    for number in numbers:
        if errors[number] is not None or pairs.right_or_wrong:
            by_test.setdefault(tests[number], []).append(number)
    made: dict[int, Interval | None] = {}
    for test, some in by_test.items():
        method, here = SIGNIFICANCE_TESTS[test].interval, pairs.some(some)
        estimates, errors_here, *tails = (
            [items.columns[name][number] for number in some]
            for name in ("difference", "standard_error", "p_greater", "p_less")
        )
        p_values = [*zip(*tails, strict=True)]
        intervals: Iterable[Interval | None]
        if pairs.right_or_wrong and method.of_counts is not None:
            intervals = method.of_counts(*here.wins_and_losses(), here.scores.shape[1], level)
        elif not pairs.right_or_wrong and method.of_rows is not None:
            intervals = _of_parts(method.of_rows, here, errors_here, p_values, level)
        else:
            continue
        for number, interval, estimate, both in zip(some, intervals, estimates, p_values, strict=True):
            if interval is not None:
                made[number] = agreeing(interval, estimate, *both, matched=method.matched)
    return made


def _of_parts(
    of_rows: Callable[..., Sequence[Interval | None]],
    pairs: PlainPairs,
    errors: Sequence[float],
    p_values: Sequence[tuple[float, float]],
    level: float,
) -> Iterator[Interval | None]:
    """What a method finds of rows of differences, some at a time."""

    def of_some(part: Part) -> Sequence[Interval | None]:
        here = slice(int(part.here[0]), int(part.here[-1]) + 1)
        return of_rows(part.differences, pairs.swapped[here].tolist(), errors[here], p_values[here], level)

    return chain.from_iterable(pairs.parts(of_some, with_means=False))


def _intervals(
    entry: SignificanceTest, samples: Mapping[int, Sample], items: Assessed, level: float, seed: int
) -> dict[int, Interval | None]:
    """Intervals beside one test, of those pairs of which it is sure that they have one."""
    _estimate_ahead(samples.values())
    sure = {index: sample for index, sample in samples.items() if entry.interval.exists(sample, level)}
    if entry.interval.ahead is not None:
        entry.interval.ahead([*sure.values()], level)
    return {index: entry.interval_beside(sample, items[index], level, seed) for index, sample in sure.items()}


def _batches(indices: Sequence[int], n_instances: int) -> Iterator[Sequence[int]]:
    """So many pairs at a time that their differences, and what is known of each pair, can be held at once."""
    batch = max(min(_DIFFERENCES // max(n_instances, 1), _PAIRS), 1)
    return (indices[first : first + batch] for first in range(0, len(indices), batch))


def paired_as_set(block: Block, system_a: str, system_b: str, settings: Settings) -> Sample:
    """Put two systems on one dataset side by side, as the settings say; see `Block.pair`."""
    return block.pair(
        system_a,
        system_b,
        missing=settings.missing,
        score_range=settings.score_range,
        pairing=settings.pairing,
        runs=settings.runs,
    )


def _bounded(block: Block, sample: Sample, settings: Settings) -> BoundedPair | None:
    """Both extremes of the missing scores, if they are asked for and there are any."""
    if settings.missing != "bounds" or not isinstance(block, DatasetScores) or settings.pairing == "unpaired":
        return None
    return bounded_pair(block, sample.system_a, sample.system_b, score_range=settings.score_range)


def by_instances(block: Block, pairs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Put pairs of systems that have as many instances in common beside each other: they share more of the work.

    Parameters
    ----------
    block : Block
        One dataset, on which all of the systems have scores.
    pairs : sequence of (str, str)
        A and B of each pair.

    Returns
    -------
    sequence of (str, str)
        The same pairs; in their order where nothing is missing.
    """
    if len(pairs) < 2 or block.without_missing():
        return pairs
    presence = block.presence().astype(np.float64)
    in_common = presence @ presence.T
    return sorted(pairs, key=lambda both: -in_common[block.position(both[0]), block.position(both[1])])


def _assess(
    block: Block,
    sample: Sample,
    plan: ResamplingPlan,
    settings: Settings,
    later: Callable[[], Interval | None],
) -> Outcome:
    asked: dict[str, Any] = {
        "profile": settings.profile,
        "test": settings.test,
        "level": 1 - settings.primary_alpha,
    }
    if (bounded := _bounded(block, sample, settings)) is not None:
        return assess_with_bounds(bounded, plan, **asked)
    return assess(sample, plan, **asked, later=later)


def _verdict(block: Block, sample: Sample, plan: ResamplingPlan, settings: Settings) -> Outcome:
    """What the test alone says."""
    if _bounded(block, sample, settings) is not None:
        return _assess(block, sample, plan, settings, lambda: None)
    return entry_of(sample, settings.profile, settings.test)[0].run(sample, plan)


def _estimate_ahead(samples: Iterable[Sample]) -> list[PairedScores]:
    """Sort the differences of all pairs whose means are tested, and estimate these means; return these pairs."""
    paired = (cast("PairedScores", sample) for sample in samples if sample.shape == "paired")
    if means := [sample for sample in paired if sample.of_a_mean]:
        units_ahead(means)
        estimates_ahead(means)
    return means


def _look_ahead(samples: Sequence[Sample], settings: Settings, plan: ResamplingPlan) -> None:
    """Let each test compute for all its pairs at once what it can."""
    if len(samples) < 2:
        return
    if means := _estimate_ahead(samples):
        shapes_ahead(means)
    by_test: dict[str, list[Sample]] = {}
    for sample in samples:
        name = settings.test or chosen(sample, settings.profile).test
        if name in SIGNIFICANCE_TESTS and SIGNIFICANCE_TESTS[name].shape == sample.shape and not sample.identical:
            by_test.setdefault(name, []).append(sample)
    for name, together in by_test.items():
        entry = SIGNIFICANCE_TESTS[name]
        if entry.ahead is not None:
            entry.ahead(together, plan)
