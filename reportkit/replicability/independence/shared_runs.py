"""Are the runs on several datasets the same trained models? Then their p-values share the luck of training."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reportkit.language.counts_and_lists import Named
from reportkit.scores.choices import Runs
from reportkit.scores.shapes.block import Block

_COUNTED = re.compile(r"[A-Za-z_\-. #]*\d{1,7}")
"""A run that is merely counted, or called by its random seed: 3, seed 42, run-0."""

_SHORTEST_TELLING = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRuns:
    """Runs of a system that have the same names on several datasets.

    Parameters
    ----------
    evidence : tuple of Named
        Sentences about names that would not recur by chance.
    possible : bool
        Whether names recur that tell nothing, such as running numbers: the models may be the same, or not.
    """

    evidence: tuple[Named, ...] = ()
    possible: bool = False


def shared_runs(blocks: Sequence[Block], runs: Runs = "random") -> SharedRuns:
    """Look for runs of a system that have the same name on several datasets.

    If runs are random and one trained model was scored on several datasets, a lucky run is lucky on all of them, and
    the p-values depend on each other though the test sets may not. If the claim is about these very runs, or each
    dataset has models of its own, they do not.

    Parameters
    ----------
    blocks : sequence of Block
        Datasets.
    runs : {"random", "fixed"}
        Whether the claim is about the systems trained anew.

    Examples
    --------
    >>> shared_runs([])
    SharedRuns(evidence=(), possible=False)
    """
    if runs == "fixed":
        return SharedRuns()
    places: dict[tuple[str, str], list[str]] = {}
    for block in blocks:
        for system, names in block.runs_by_system():
            for run in names if len(names) > 1 else ():
                datasets = places.setdefault((system, run), [])
                if block.dataset not in datasets:
                    datasets.append(block.dataset)
    recurring = {key: datasets for key, datasets in places.items() if len(datasets) > 1}
    telling: dict[str, tuple[str, list[str]]] = {}
    for (system, run), datasets in recurring.items():
        if len(run) >= _SHORTEST_TELLING and not _COUNTED.fullmatch(run):
            telling.setdefault(system, (run, datasets))
    evidence = tuple(
        Named("{0} has runs of the same names on {1} and {2} (such as {run!r})", (system, *datasets[:2]), {"run": run})
        for system, (run, datasets) in telling.items()
    )
    return SharedRuns(evidence=evidence, possible=bool(recurring) and not evidence)
