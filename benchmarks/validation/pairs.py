"""Compare samples of one cell by reportkit's public call, and by the tests that are used otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from alternatives import Answers, alternatives
from designs import Cell, null

import reportkit
from reportkit.scores.sample import Sample

BLOCK = 250
"""Samples that have a random stream of their own."""

TOGETHER = 5
"""Samples that are the datasets of one frame; findings name no more datasets than these."""

SHARED = 50
"""Samples that share the resamples of the other tests."""

OURS = "reportkit"
LEVEL = 0.05 * (1 + 1e-9)
"""One-sided."""

SYSTEMS = {"new": "a", "old": "b"}

Tally = Counter[str]


def long_form(samples: Sequence[Sample]) -> pd.DataFrame:
    """Return samples as a user has them: a row for each score, in the order in which the instances were drawn."""
    return pd.concat(
        [
            pd.DataFrame({"dataset": f"d{place}", "system": system, **_columns(sample, side)})
            for place, sample in enumerate(samples)
            for system, side in SYSTEMS.items()
        ],
        ignore_index=True,
    )


def _columns(sample: Sample, side: str) -> dict[str, Any]:
    """Return the scores of one system, and what identifies them."""
    scores: np.ndarray = getattr(sample, side)
    numbers = np.arange(len(scores))
    match sample.shape:
        case "counts":
            return {"k": [int(scores.sum())], "n": [scores.size]}
        case "run-scores":
            return {"run": numbers, "score": scores}
        case "runs" | "folds":
            row, column = (places.ravel() for places in np.indices(scores.shape))
            names = ("run", "instance") if sample.shape == "runs" else ("repetition", "fold")
            return {names[0]: row, names[1]: column, "score": scores.ravel()}
        case "corpus":
            return {"instance": numbers, **dict(zip(("tp", "fp", "fn"), scores.astype(int).T, strict=True))}
        case "unpaired":
            return {"instance": [f"{side}{number}" for number in numbers], "score": scores}
    further = {"gold": sample.gold, "cluster": sample.clusters, "weight": sample.weights}
    known = {name: values for name, values in further.items() if values is not None}
    return {"instance": numbers, "score": scores, **known}


def options_of(sample: Sample) -> dict[str, Any]:
    """Return what a user has to say about such scores."""
    said: dict[str, Any] = {}
    if sample.kind in ("ordinal", "count"):
        said["kind"] = sample.kind
    if sample.shape in ("corpus", "correlation"):
        said["metric"] = sample.metric
    if sample.shape == "unpaired":
        said["pairing"] = "unpaired"
    return said


def compared(samples: Sequence[Sample], seed: int) -> Iterator[tuple[float, float, frozenset[str]]]:
    """Compare samples as the datasets of one frame; yield both p-values of each, and the codes of its warnings.

    P-values are those of the dataset alone, before the correction for several datasets. A warning is about a dataset
    if it stands on its outcome, or names the dataset.
    """
    analysis = reportkit.compare(long_form(samples), *SYSTEMS, rng=seed, **options_of(samples[0]))
    for outcome in analysis[tuple(SYSTEMS)].assessments:
        naming = [one for one in analysis.findings if re.search(rf"\b{outcome.dataset}\b", one.where)]
        yield outcome.p_greater, outcome.p_less, null.size_warnings([*outcome.findings, *naming])


def tallied(answers: Answers, warnings: Sequence[frozenset[str]] = ()) -> Tally:
    """Count rejections in both directions, those without a warning, and the samples with each warning."""
    tally = Tally({"draws": answers.greater.size, "warned": sum(map(bool, warnings))})
    for side, p in (("a", answers.greater), ("b", answers.less)):
        hits = p <= LEVEL
        tally[side] = int(hits.sum())
        tally[f"silent {side}"] = sum(hit and not codes for hit, codes in zip(hits.tolist(), warnings, strict=False))
    return tally + Tally(code for codes in warnings for code in codes)


def simulated(cell: Cell, block: int, size: int = BLOCK) -> Mapping[str, Tally]:
    """Count the answers of reportkit and of every alternative to the same samples: one block of one cell."""
    samples = cell.samples(block, size)
    ours = [
        answer
        for first in range(0, size, TOGETHER)
        for answer in compared(samples[first : first + TOGETHER], seed=(block * BLOCK + first) // TOGETHER)
    ]
    greater, less, warnings = zip(*ours, strict=True)
    found = {OURS: tallied(Answers(np.array(greater), np.array(less)), warnings)}
    for first in range(0, size, SHARED):
        rng = cell.stream(f"alternatives {block} {first}")
        for method, answers in alternatives(samples[first : first + SHARED], rng).items():
            found.setdefault(method, Tally()).update(tallied(answers))
    return found
