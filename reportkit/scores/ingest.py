"""Turn the long form into validated results, and note everything that a reader has to know about them.

What depends on which systems are compared is left to the pairing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.finding import Finding
from reportkit.language import listed
from reportkit.scores.building import build
from reportkit.scores.choices import ROLES
from reportkit.scores.codes import LISTED, counts_text, names_text, quoted
from reportkit.scores.detection import (
    GOLD_REMEDY,
    design_of,
    refuse_mixed_scales,
    refuse_wrong_kinds,
    with_right_as_one,
)
from reportkit.scores.refusals import notice
from reportkit.scores.results import Results
from reportkit.scores.scores import Scores
from reportkit.scores.table import Asked, table_of

CONSTANT_SYSTEM = "constant-system"
_ABOUT_SYSTEMS = frozenset({CONSTANT_SYSTEM, "similar-names"})

SMALL = 20
"""Fewer instances than this hardly allow a verdict."""

UNEQUAL = 10
"""k-hat counts a dataset of ten times the size as one, like any other."""


def laid_out(frame: pd.DataFrame, asked: Asked, *, datasets: Sequence[str] | None = None) -> Results:
    """Validate the scores of some datasets, and lay them out as one matrix per (metric, dataset), higher the better.

    What only all datasets together can show is left to `judged`. Whether two systems were scored on the same instances
    is asked when they are paired: systems that nobody compares may be incomplete.

    Parameters
    ----------
    frame : DataFrame
        All rows of some datasets, one per score: `system, dataset, instance, score` and what else
        `reportkit.scores.reading.Reading` names.
    asked : Asked
        What the user says. With another `missing` than "error", a row without a score is left out here, and `pair`
        then leaves out the instance, or counts the worst score.
    datasets : sequence of str, optional
        Those that are looked at; of the others only the names are.

    Returns
    -------
    Results
        In an order that no order of rows changes: metrics, datasets and systems in natural order ("bleu2" before
        "bleu10") or that of an ordered categorical, instances sorted. Names and ids are texts.

    Raises
    ------
    ReportkitError
        If scores cannot be used: names or scores are missing, repeated, or no finite numbers; each message names the
        rows and a remedy.

    Examples
    --------
    >>> rows = {"system": ["a", "a", "b", "b"], "dataset": "cb", "instance": [2, 1, 1, 2], "score": [0, 1, 1, 0]}
    >>> results = laid_out(pd.DataFrame(rows), Asked())
    >>> results.systems, results.datasets[0].scores
    (('a', 'b'), array([[1., 0.],
           [1., 0.]]))
    """
    table = table_of(frame, asked)
    named = table.present("dataset")
    if datasets is not None:
        if unknown := [name for name in datasets if name not in named]:
            raise UnknownNameError("dataset", unknown[0], named)
        coded = table.names["dataset"]
        table = table.where(np.isin(coded.names.astype(str), [*datasets])[coded.codes])
    shape = design_of(table)
    blocks, findings = build(table, shape)
    if "fold" in frame and shape != "folds":
        findings.append(notice("folds-unused", table.columns_text("fold")))
    return Results(
        datasets=tuple(blocks),
        columns={role: role for role in ROLES if role in frame},
        n_rows=len(frame),
        findings=tuple(findings),
        source=asked.source,
        named_datasets=tuple(named),
    )


def judged(results: Results, asked: Asked, *, mixed_scales: Literal["error", "accept"] = "error") -> Results:
    """Judge what only all datasets can show: scales, names, sizes.

    Parameters
    ----------
    results : Results
    asked : Asked
        What the user says.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may be mixed.

    Raises
    ------
    ScoreValueError
        If percentages and proportions are mixed, or scores do not fit the declared kind.
    """
    shapes = {block.shape for block in results}
    gold = asked.columns.get("gold", "gold") if "gold" in results.columns else None
    decided: list[Finding] = []
    blocks = results.datasets
    if not asked.across_datasets:
        blocks, decided = with_right_as_one(blocks, asked.kind)
    matrices = [matrix for block in blocks if (matrix := block.matrix()) is not None]
    if mixed_scales == "error":
        kept = [block.matrix() for block, old in zip(blocks, results, strict=True) if block is old]
        refuse_mixed_scales([one for one in kept if one is not None], gold)
    refuse_wrong_kinds(asked.kind, matrices, results.named_datasets)
    unused = ("rater",) if "rater" in results.columns and not any(block.unit == "rating" for block in blocks) else ()
    remedy = GOLD_REMEDY.format("the gold values").replace("\n", " ")
    unused_gold = [notice("gold-unused", f"column {gold!r}", remedy=remedy)]
    sized = [] if asked.across_datasets else [block for block in blocks if block.n_instances]
    return replace(
        results,
        datasets=blocks,
        columns={role: role for role in results.columns if role not in unused},
        unused_columns=unused,
        findings=(
            *(unused_gold if gold and "correlation" not in shapes else ()),
            *decided,
            *results.findings,
            *name_findings(list(dict.fromkeys(system for block in blocks for system in block.systems)), "system"),
            *name_findings(list(dict.fromkeys(block.dataset for block in blocks)), "dataset"),
            *(nesting_findings(sized) if "cluster" not in results.columns else ()),
            *(size_findings(sized) if sized else ()),
            *(constant_findings(matrices) if not shapes & {"run-scores", "folds"} else ()),
        ),
    )


# --- what has to be known ------------------------------------------------------------------------------------------


def name_findings(names: Sequence[str], role: str) -> Iterator[Finding]:
    """Warn of names that differ only in case, spaces, form of letters or invisible characters: probably the same."""
    groups: dict[str, list[str]] = {}
    for name in names:
        seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
        groups.setdefault(" ".join(unicodedata.normalize("NFKC", seen).casefold().split()), []).append(name)
    alike = [group for group in groups.values() if len(group) > 1]
    if alike:
        shown = [" and ".join(map(ascii, group)) for group in alike[:LISTED]]
        yield notice("similar-names", listed(shown, total=len(alike)), role=role)


def size_findings(blocks: Sequence[Scores]) -> Iterator[Finding]:
    """Warn of datasets with few instances, and note datasets of very different size."""
    sizes: dict[str, int] = {}
    for block in blocks:
        sizes[block.dataset] = max(sizes.get(block.dataset, 0), block.n_instances)
    if small := [(name, size) for name, size in sizes.items() if size < SMALL]:
        have = "has" if len(small) == 1 else "have"
        yield notice("small-dataset", counts_text(small), n=len(small), total=len(sizes), have=have, limit=SMALL)
    largest, smallest = max(sizes, key=lambda name: sizes[name]), min(sizes, key=lambda name: sizes[name])
    if sizes[largest] > UNEQUAL * sizes[smallest]:
        where = f"{quoted(smallest)} and {quoted(largest)}"
        yield notice("unequal-sizes", where, low=sizes[smallest], high=sizes[largest])


def findings_of_chosen(results: Results) -> Iterator[Finding]:
    """Keep the findings of results that concern the compared systems."""
    for finding in results.findings:
        if finding.code not in _ABOUT_SYSTEMS:
            yield finding
    yield from name_findings(results.systems, "system")
    yield from name_findings(results.dataset_names, "dataset")
    matrices = [matrix for block in results.datasets if (matrix := block.matrix()) is not None]
    if any(finding.code == CONSTANT_SYSTEM for finding in results.findings):
        yield from constant_findings(matrices)


def constant_findings(blocks: Sequence[Scores]) -> Iterator[Finding]:
    """Warn of systems with the same score on every instance of a dataset."""
    constant = [
        f"{quoted(block.systems[row])} on {quoted(block.dataset)} (always {scores[row, ~np.isnan(scores[row])][0]:g})"
        for block in blocks
        if block.n_instances > 1
        for scores in [block.as_given(block.scores)]
        for row in np.flatnonzero(np.nanmin(scores, axis=1) == np.nanmax(scores, axis=1))
    ]
    if constant:
        often = "A" if len(constant) == 1 else f"{len(constant):,} times a"
        yield notice(CONSTANT_SYSTEM, listed(constant, LISTED), often=often)


_PART = re.compile(r"(?P<document>.*[^_:/\-.])[_:/\-.]+(?P<word>[A-Za-z]{0,9})[0-9]{1,9}")


def nesting_findings(blocks: Sequence[Scores]) -> Iterator[Finding]:
    """Say which instances seem to be parts of documents, where no column says which document."""
    names = {block.dataset: block.instance_names for block in reversed(blocks)}
    looked = {name: documents_of(ids) for name, ids in reversed(names.items())}
    shown = [
        f"{quoted(name)}: {len(names[name]):,} instances in {len(found):,} documents such as {names_text(found[:3])}"
        for name, found in looked.items()
        if found
    ]
    if shown:
        yield notice("nested-instances", listed(shown, LISTED))


def documents_of(ids: Sequence[str] | NDArray[np.object_]) -> list[str]:
    """Return the documents that ids look like parts of: a prefix, one of `_ : / - .`, and a number.

    They do if nine in ten ids have this form, there are at least three prefixes and on average 2 to 150 instances per
    prefix, and four in five instances share theirs. One prefix for all (`tweets/17`), numbers alone, hashes and words
    do not; nor do a few prefixes, if no two differ in their numbers alone: `QALD2_te-12` and `INEX_LD-7` come
    from test sets, and are no parts of documents.

    Parameters
    ----------
    ids : sequence of str
        Ids of the instances of one dataset, each once.

    Examples
    --------
    >>> documents_of([f"nyt/{document}_{sentence}" for document in range(1, 21) for sentence in range(1, 11)])[:3]
    ['nyt/1', 'nyt/2', 'nyt/3']
    >>> documents_of([f"tweets/{number}" for number in range(200)])
    []
    """
    found = [match for one in ids if (match := _PART.fullmatch(one))]
    if len(found) < 0.9 * len(ids) or len({match["word"] for match in found}) > 1:
        return []
    sizes = Counter(match["document"] for match in found)
    shared = sum(size for size in sizes.values() if size > 1)
    n_forms = len({re.sub("[0-9]+", "#", name) for name in sizes})
    fits = len(sizes) >= 3 and 2 * len(sizes) <= sizes.total() <= 150 * len(sizes) and shared >= 0.8 * sizes.total()
    return [*sizes] if fits and (len(sizes) >= 20 or 2 * n_forms <= len(sizes)) else []
