"""May the datasets be taken as independent? What speaks against it, in the data themselves.

Dror et al. (2017, footnote 4) take test statistics as independent if the datasets share no samples and none is a
transformation of another. Nobody can prove that from scores; but ids, clusters and scores can disprove it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from reportkit.results.block import Block
from reportkit.results.dataset_scores import DatasetScores
from reportkit.settings import Dependence

_RUNNING_NUMBER = re.compile(r"[+-]?\d{1,7}")
_FEWEST_TELLING = 10  # so many scores off the most common one make equality by chance incredible


@dataclass(frozen=True, slots=True, kw_only=True)
class IndependenceAudit:
    """What was declared about the datasets, and what their ids, clusters and scores say.

    Parameters
    ----------
    declared : {"independent", "dependent", "unknown"}
        By the user.
    evidence : tuple of str
        Sentences, each a reason against independence.
    blind : str
        Why shared instances could not be looked for, as a clause; empty if they could.
    """

    declared: Dependence
    evidence: tuple[str, ...] = ()
    blind: str = ""

    @property
    def independent(self) -> bool:
        """Whether methods that need independence may be used: declared, and nothing found against it."""
        return self.declared == "independent" and not self.evidence


def audit_independence(datasets: Sequence[Block], declared: Dependence) -> IndependenceAudit:
    """Look for instances, clusters and scores that datasets have in common.

    Ids that are running numbers (1, 2, 3, ...) recur in unrelated datasets and count as no evidence; identical scores
    of all common systems on many instances do, whatever the ids are.

    Parameters
    ----------
    datasets : sequence of Block
        Of one metric.
    declared : {"independent", "dependent", "unknown"}
        What the user says.

    Returns
    -------
    IndependenceAudit
    """
    telling = {block.dataset: _telling_ids(block) for block in datasets}
    clusters = {block.dataset: _telling(block.cluster_names) for block in datasets}
    evidence: list[str] = []
    for first, second in combinations(datasets, 2):
        evidence.extend(_in_common(first, second, telling, clusters))
    blind = ""
    if not all(block.n_instances for block in datasets):
        blind = "no instances are known"
    elif not all(telling.values()):
        blind = "instance ids are running numbers, which recur in unrelated datasets"
    return IndependenceAudit(declared=declared, evidence=tuple(evidence), blind=blind)


def _in_common(
    first: Block, second: Block, telling: dict[str, frozenset[str]], clusters: dict[str, frozenset[str]]
) -> list[str]:
    one, other = first.dataset, second.dataset
    shared = telling[one] & telling[other]
    if shared:
        smaller, larger = sorted((first, second), key=lambda block: block.n_instances)
        if len(shared) == smaller.n_instances == larger.n_instances:
            return [f"{one} and {other} have the same {_number(shared, 'instance')}"]
        if len(shared) == smaller.n_instances:
            return [f"all {_number(shared, 'instance')} of {smaller.dataset} are also in {larger.dataset}"]
        return [f"{one} and {other} share {_number(shared, 'instance')} (such as {min(shared)!r})"]
    if clusters[one] & clusters[other]:
        common = clusters[one] & clusters[other]
        return [f"{one} and {other} share {_number(common, 'cluster')} (such as {min(common)!r})"]
    if _same_scores(first, second):
        return [f"all systems have the same scores on {one} and {other}"]
    return []


def _number(names: frozenset[str], noun: str) -> str:
    return f"{len(names):,} {noun}" + ("" if len(names) == 1 else "s")


def _telling_ids(block: Block) -> frozenset[str]:
    return _telling(tuple(map(str, block.instances)))


def _telling(names: tuple[str, ...]) -> frozenset[str]:
    """Ids that would not recur by chance: none, if they are mere running numbers."""
    if all(_RUNNING_NUMBER.fullmatch(name) for name in names):
        return frozenset()
    return frozenset(names)


def _same_scores(first: Block, second: Block) -> bool:
    """Whether every system scores the same on each instance, and not merely because nearly all scores are equal."""
    if not (isinstance(first, DatasetScores) and isinstance(second, DatasetScores)):
        return False
    if first.systems != second.systems or not np.array_equal(first.scores, second.scores, equal_nan=True):
        return False
    rarest_mode = min(int(np.unique(row, return_counts=True)[1].max()) for row in first.scores)
    return first.n_instances - rarest_mode >= _FEWEST_TELLING
