"""How long a comparison will take, from counts alone: said before it starts, and refused where nobody would wait."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import about_seconds, counted, spanned
from reportkit.replicability.claims import Claims, claims_for
from reportkit.scores.shapes.block import Block
from reportkit.settings import Settings
from reportkit.significance.assess_pairs import MANY
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.choose import choose_plain
from reportkit.significance.cost import Cost
from reportkit.significance.entry import SignificanceTest
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.skewness import SMALL_SAMPLE

MOST_TESTS = 250_000
"""Pairs of systems times datasets that are tested at most: all pairs of 700 systems on one dataset."""

LONG_WORK = 60.0
"""Seconds from which on a comparison is announced."""

_REPORT, _REPORT_ON_A_TEST = 2.0, 2e-4
"""Seconds that a report takes whatever it holds, and for each test: intervals, tables, figures and sentences."""

_DATASET = 1.0
"""Milliseconds that a dataset takes beside tests of many pairs at once, which hardly take longer."""

_BYTES_PER_TEST = 15e3
_CHEAPER = 0.75
"""What takes no more than this part of the time is named as cheaper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedWork:
    """What a comparison will cost; the same on every machine, for it is a function of counts.

    Parameters
    ----------
    n_tests : int
        Pairs of systems times datasets on which both are scored.
    seconds : float
        Of one processor for the tests, as an order of magnitude.
    what : str
        What is tested, and what takes longest, as a clause.
    cheaper : str
        What would be cheaper, as a clause with options; this and `what` are empty where the work is not long.
    """

    n_tests: int
    seconds: float
    what: str
    cheaper: str = ""

    def refuse_too_much(self) -> None:
        """Refuse a family that nobody would wait for, nor read.

        Raises
        ------
        SettingsError
            If there are more than `MOST_TESTS` tests.
        """
        if self.n_tests > MOST_TESTS:
            raise SettingsError(
                f"{self.n_tests:,} tests and their report would take {about_seconds(self.with_report)} on one "
                f"processor and about {math.ceil(self.n_tests * _BYTES_PER_TEST / 1e9):,} GB of memory",
                where=f"{self.what}; at most {MOST_TESTS:,} tests are run",
                remedy=self.cheaper,
            )

    @property
    def with_report(self) -> float:
        """Seconds for the tests and for a report on them."""
        return self.seconds + _REPORT + _REPORT_ON_A_TEST * self.n_tests

    def finding(self, *, report: bool = False) -> Finding | None:
        """What to say before the work starts; None where it is not long.

        Parameters
        ----------
        report : bool
            Whether a report will be written, too.
        """
        seconds, work = (self.with_report, "tests and their report") if report else (self.seconds, "tests")
        if seconds <= LONG_WORK:
            return None
        longest = "; the report takes most of it" if seconds > 2 * self.seconds else ""
        message = f"The {work} are expected to take {about_seconds(seconds)} on one processor: {self.what}{longest}."
        return Finding("long-work", "info", message, remedy=self.cheaper)


def expected_work(claims: Claims, blocks: Sequence[Block], settings: Settings) -> ExpectedWork:
    """Estimate a comparison from the numbers of pairs, datasets and instances and the tests that they lead to.

    Parameters
    ----------
    claims : Claims
        Who is compared with whom.
    blocks : sequence of Block
        Datasets, by metric. Scores that are not in memory are not loaded.
    settings : Settings
        Profile or test, pairing, levels and resamples.

    Returns
    -------
    ExpectedWork
        That of the tests of the profile, and of these before any resamples that a p-value near a threshold asks for.
        Differences are taken as not skewed.
    """
    costs = _costs(claims, blocks, settings)
    found = ExpectedWork(n_tests=costs.n_tests, seconds=costs.seconds, what="")
    if found.n_tests <= MOST_TESTS and found.with_report <= LONG_WORK:
        return found
    what = f"{counted(len(claims.pairs), 'pair')} of {counted(len(_names(claims)), 'system')} on {_places(blocks)}"
    if costs.by_test:
        dearest = max(costs.by_test, key=lambda name: costs.by_test[name])
        test, sizes = SIGNIFICANCE_TESTS[dearest].title, spanned(costs.sizes[dearest], blocks[0].unit)
        what += f", by the {test} ({sizes})" if len(costs.by_test) == 1 else f"; the {test} ({sizes}) takes longest"
    return replace(found, what=what, cheaper=_cheaper(claims, blocks, settings, costs))


def resampling_of(settings: Settings, claims: Claims, n_datasets: int) -> ResamplingPlan:
    """Resamples, seed and the thresholds that the smallest p-values of a family are compared with."""
    directions = 2 if claims.both_directions else 1
    n_hypotheses = len(claims.pairs) * directions * n_datasets + claims.untested
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


@dataclass(frozen=True, slots=True)
class _Costs:
    """Tests, milliseconds by the name of the test, and the numbers of instances that each is run on."""

    n_tests: int
    by_test: dict[str, float]
    sizes: dict[str, list[int]]

    @property
    def seconds(self) -> float:
        return math.fsum(self.by_test.values()) / 1e3

    @property
    def with_report(self) -> float:
        return self.seconds + _REPORT + _REPORT_ON_A_TEST * self.n_tests


def _costs(claims: Claims, blocks: Sequence[Block], settings: Settings) -> _Costs:
    names = frozenset(_names(claims))
    n_resamples = resampling_of(settings, claims, max(len(blocks), 1)).enough
    work = [
        (n_pairs, block, *_test_on(block, settings)) for block in blocks if (n_pairs := _pairs_on(claims, names, block))
    ]
    together = Counter[tuple[Any, ...]]()  # pairs on datasets that `look_ahead` puts together
    for n_pairs, block, test, n, plain in work:
        if test and plain and n_pairs < MANY and block.head is None:
            together[test.name, n, block.kind, block.metric] += n_pairs
    found = _Costs(sum(n_pairs for n_pairs, *_ in work), {}, {})
    for n_pairs, block, test, n, plain in work:
        if test is None:  # of a name that nobody knows, which is said by the work itself
            continue
        alike = together[test.name, n, block.kind, block.metric]
        in_columns = plain and max(alike, n_pairs) >= MANY
        drawn = n_resamples if test.resamples else 0
        found.by_test[test.name] = found.by_test.get(test.name, 0.0) + _milliseconds(
            test.cost, n_pairs, n, n_resamples=drawn, in_columns=in_columns
        )
        found.sizes.setdefault(test.name, []).append(n)
    return found


def _milliseconds(cost: Cost, n_pairs: int, n: int, *, n_resamples: int, in_columns: bool) -> float:
    """All pairs of one dataset with n instances, with the fewest resamples that are drawn."""
    if in_columns and cost.in_columns is not None:
        pair, thousand = cost.in_columns
        return _DATASET + n_pairs * (pair + thousand * n / 1e3)
    each = cost.pair + cost.thousand * n / 1e3 + cost.resampled * n_resamples / 1e3
    return n_pairs * each + cost.drawn * n * n_resamples / 1e6


def _pairs_on(claims: Claims, names: frozenset[str], block: Block) -> int:
    """Pairs of which both systems have scores on a dataset."""
    held = names.intersection(block.systems)
    if len(held) == len(names):
        return len(claims.pairs)
    if claims.design == "all-pairs":
        return math.comb(len(held), 2)
    return sum(held.issuperset(pair) for pair in claims.pairs)


def _test_on(block: Block, settings: Settings) -> tuple[SignificanceTest | None, int, bool]:
    """The test that counts lead to, the instances of each system, and whether it can test many pairs at once."""
    n, shape, held = block.n_instances if block.head is None else block.head.n_instances, block.shape, block.head
    if settings.pairing == "unpaired" and block.unit == "instance":
        shape = "unpaired"
        n = n if held is not None else math.ceil(int(block.presence().sum()) / max(len(block.systems), 1))
    elif shape == "runs" and settings.runs == "fixed":
        shape = "paired"
    nested = held is None and block.independent_units is not None
    weighted = held is None and getattr(block, "weights", None) is not None
    name = settings.test or choose_plain(block, settings.profile, shape=shape, clustered=nested, weighted=weighted, n=n)
    test = SIGNIFICANCE_TESTS.get(name)
    if test is None:
        return None, n, False
    if n < SMALL_SAMPLE or shape != "paired" or test.columns is None or block.kind not in test.kinds:
        return test, n, False
    return test, n, held.complete if held is not None else block.plain


def _names(claims: Claims) -> list[str]:
    return list(dict.fromkeys(chain(*claims.pairs)))


def _places(blocks: Sequence[Block]) -> str:
    n_metrics = len({block.metric for block in blocks})
    datasets = counted(len({block.dataset for block in blocks}), "dataset")
    return datasets if n_metrics == 1 else f"{datasets} by {n_metrics} metrics"


def _cheaper(claims: Claims, blocks: Sequence[Block], settings: Settings, costs: _Costs) -> str:
    """What would take much less time, in the options of Python and of the command, with names of these results."""
    names, baselines = _names(claims), list(dict.fromkeys(b for _, b in claims.pairs))
    ways: list[tuple[str, _Costs]] = []
    if claims.design == "all-pairs" or (claims.design == "baselines" and len(baselines) > 1):
        one = names[0] if claims.design == "all-pairs" else baselines[0]
        words = f"name one baseline, such as baseline={one!r} (command: --baseline {shlex.quote(one)})"
        ways.append((words, _costs(claims_for(tuple(names), (), (one,)), blocks, settings)))
    datasets = list(dict.fromkeys(block.dataset for block in blocks))
    if len(datasets) > 1:
        one = datasets[0]
        words = f"name fewer datasets, such as datasets={one!r} (command: --dataset {shlex.quote(one)})"
        ways.append((words, _costs(claims, [block for block in blocks if block.dataset == one], settings)))
    for name in costs.by_test:
        if other := SIGNIFICANCE_TESTS[name].cost.instead:
            words = f"choose test={other!r} (command: --test {other})"
            ways.append((words, _costs(claims, blocks, settings.replace(test=other))))
    few = Settings().n_resamples
    if settings.n_resamples > few:
        words = f"draw fewer resamples, such as n_resamples={few} (command: --n-resamples {few})"
        ways.append((words, _costs(claims, blocks, settings.replace(n_resamples=few))))
    cheaper = [
        f"{words}: {counted(way.n_tests, 'test')}, {about_seconds(way.with_report)}"
        for words, way in ways
        if way.with_report <= _CHEAPER * costs.with_report and way.n_tests <= MOST_TESTS
    ]
    if len(names) > 2:
        cheaper.append("keep the rows of fewer systems")
    return "; or ".join(cheaper)
