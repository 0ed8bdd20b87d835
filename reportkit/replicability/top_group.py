"""The best system against each other one: what is tested where all pairs are too many.

The best system is chosen by the scores that are tested, so its tests are corrected as part of the family of all pairs:
those that are not made count as p = 1, which no choice can make too small. Every statement then holds together with
all others, with probability 1 - alpha, whichever system was chosen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.replicability.claims import Claims
from reportkit.replicability.comparison import values_of
from reportkit.replicability.expected_work import MOST_TESTS, ExpectedWork, expected_work
from reportkit.replicability.replicability_analysis import TOP_GROUP
from reportkit.scores.shapes.block import Block
from reportkit.settings import Settings


def against_the_best(
    claims: Claims, blocks: Sequence[Block], settings: Settings, expected: ExpectedWork
) -> tuple[Claims, ExpectedWork, tuple[Finding, ...]]:
    """The claims about the best system, with what they cost and a finding, where those of all pairs are too many.

    Parameters
    ----------
    claims : Claims
        Who is compared with whom.
    blocks : sequence of Block
        Datasets, by metric.
    settings : Settings
        As for `expected_work`.
    expected : ExpectedWork
        That of the claims.

    Raises
    ------
    SettingsError
        If there is no best system: of several metrics, of scores that are not in memory, and where pairs were named.
    """
    one_metric = len({block.metric for block in blocks}) == 1
    if claims.design != "all-pairs" or not one_metric or any(block.head is not None for block in blocks):
        expected.refuse_too_much()
    names = list(dict.fromkeys(chain(*claims.pairs)))
    best = _best(names, blocks, settings)
    fewer = replace(claims, pairs=tuple((best, name) for name in names if name != best))
    cheaper = expected_work(fewer, blocks, settings)
    cheaper.refuse_too_much()
    fewer = replace(fewer, untested=2 * (expected.n_tests - cheaper.n_tests))
    finding = Finding(
        TOP_GROUP,
        "warning",
        f"All {counted(len(claims.pairs), 'pair')} of {counted(len(names), 'system')} would take {expected.n_tests:,} "
        f"tests, and at most {MOST_TESTS:,} are run: {best}, which has the best mean rank, is compared with each other "
        "system instead. Those that are not shown to be worse than it are the top group. Pairs that are not tested "
        "count as p = 1 in the correction: it does not matter that the best system was chosen by the same scores.",
        remedy=f"to compare other pairs, {expected.cheaper}",
    )
    return fewer, cheaper, (finding,)


def _best(names: Iterable[str], blocks: Sequence[Block], settings: Settings) -> str:
    """The system with the best mean rank among those on most datasets; of equals, the first."""
    oriented = {}
    for block in blocks:
        sign = 1.0 if block.higher_is_better else -1.0
        oriented[block.dataset] = {name: sign * value for name, (value, _) in values_of(block, settings).items()}
    ranks = mean_ranks(oriented)
    n_datasets = {name: sum(name in scores for scores in oriented.values()) for name in names}
    return min(n_datasets, key=lambda name: (-n_datasets[name], ranks.get(name, float("inf"))))


def mean_ranks(oriented: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Mean rank of each system over the datasets it was scored on, 1 for the best; ties share the better rank.

    Parameters
    ----------
    oriented : mapping of str to mapping of str to float
        By dataset and system, a score of which larger is better.

    Examples
    --------
    >>> mean_ranks({"cb": {"a": 0.5, "b": 0.7}, "copa": {"a": 0.9, "b": 0.9}})
    {'a': 1.5, 'b': 1.0}
    """
    ranks: dict[str, list[int]] = {}
    for scores in oriented.values():
        worst_first = sorted(scores.values())
        for name, value in scores.items():
            ranks.setdefault(name, []).append(1 + len(scores) - bisect_right(worst_first, value))
    return {name: sum(values) / len(values) for name, values in ranks.items()}
