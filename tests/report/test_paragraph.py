"""The recommended-practice paragraph, for each design of a family and each outcome, kept as readable text.

`tests/report/paragraphs.md` holds the expected texts; REPORTKIT_UPDATE_GOLDEN=1 writes it anew, to be read before it
is committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.replicability.compare import claims_for, compare_results
from reportkit.report.paragraph import recommended_paragraph
from reportkit.report.scores import scale_for
from reportkit.report.wording import plain
from reportkit.results.dataset_scores import DatasetScores
from reportkit.results.results import Results
from reportkit.settings import Settings

GOLDEN = Path(__file__).with_name("paragraphs.md")


def _results(gains, *, n=200, kind="binary", clusters=False, missing=False, base_rate=0.5):
    """Systems base, s1, ... on one dataset per column: gains[i][j] instances more right than base; None: equal."""
    blocks = []
    for j in range(len(gains[0])):
        base = np.repeat([1.0, 0.0], [round(base_rate * n), n - round(base_rate * n)])
        rows = [base]
        for row in gains:
            better = base.copy()
            if row[j] is None:
                rows.append(better)
                continue
            wrong = np.flatnonzero(base == 0)[: max(row[j], 0) + 4]
            right = np.flatnonzero(base == 1)[: max(-row[j], 0) + 4]
            better[wrong], better[right] = 1.0, 0.0
            rows.append(better)
        scores = np.array(rows)
        if kind == "continuous":
            scores = scores * 0.5 + np.linspace(0, 0.3, n)
        if missing:
            scores[0, 0] = np.nan
        blocks.append(
            DatasetScores(
                dataset=("tweets", "reviews", "news", "books")[j],
                metric="score",
                systems=("base", *(f"s{i + 1}" for i in range(len(gains)))),
                instances=np.array([f"{j}-{i:03d}" for i in range(n)], dtype=object),
                scores=scores,
                kind=kind,
                clusters=np.arange(n) // 4 if clusters else None,
                cluster_names=tuple(f"{j}/doc{i}" for i in range(n // 4)) if clusters else (),
            )
        )
    return Results(datasets=tuple(blocks))


CASES = {
    "declared, 4 datasets, all": ([[40, 41, 42, 43]], ("s1",), ("base",), {}),
    "declared, 4 datasets, independent, some": ([[40, 12, 11, 3]], ("s1",), ("base",), {"datasets": "independent"}),
    "declared, 4 datasets, dependent, one": ([[40, 1, 1, -3]], ("s1",), ("base",), {"datasets": "dependent"}),
    "declared, 4 datasets, none": ([[1, 1, 0, -2]], ("s1",), ("base",), {}),
    "declared, one dataset, shown": ([[40]], ("s1",), ("base",), {"alpha": 0.05}),
    "declared, one dataset, not shown": ([[2]], ("s1",), ("base",), {"alpha": 0.05}),
    "both directions": ([[40, -41, 3, 0]], ("s1", "base"), (), {}),
    "identical systems": ([[None, 40]], ("s1",), ("base",), {}),
    "two baselines": ([[40, 3], [60, 20]], ("s2",), ("base", "s1"), {}),
    "several systems and a baseline": ([[40, 3], [60, 20], [None, 0]], (), ("base",), {"alpha": 0.01}),
    "all pairs": ([[40, 3], [60, 20], [None, 0]], (), (), {}),
    "tests of Dror et al.": ([[40, 12, 11, 3]], ("s1",), ("base",), {"profile": "dror2017"}),
    "named test with random resamples": ([[40, 12]], ("s1",), ("base",), {"test": "paired-bootstrap", "seed": 3}),
}
OTHER_DATA = {
    "continuous scores": ({"kind": "continuous"}, {}),
    "clusters": ({"clusters": True}, {}),
    "missing scores dropped": ({"missing": True}, {"missing": "drop"}),
    "missing scores counted as worst": ({"missing": True}, {"missing": "worst"}),
}


def _paragraph(results, systems, baselines, changes):
    settings = Settings(**changes)
    family = compare_results(results, claims_for(results.systems, systems, baselines), settings)
    analysis = ReplicabilityAnalysis(family=family, settings=settings, source="results.csv", digest="0" * 64)
    scale = scale_for(item for comparison in family.comparisons for item in comparison.assessments)
    return plain(recommended_paragraph(analysis, scale))


@pytest.fixture(scope="module")
def paragraphs():
    """All paragraphs by the name of their case."""
    texts = {name: _paragraph(_results(gains), a, b, changes) for name, (gains, a, b, changes) in CASES.items()}
    for name, (data, changes) in OTHER_DATA.items():
        texts[name] = _paragraph(_results([[30, 12]], **data), ("s1",), ("base",), changes)
    return texts


def test_paragraphs_read_as_expected(paragraphs):
    """Each text is as in the file that people read."""
    written = "# Paragraphs\n" + "".join(f"\n## {name}\n\n{text}\n" for name, text in paragraphs.items())
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(written, encoding="utf-8")
    assert written == GOLDEN.read_text(encoding="utf-8")


FORBIDDEN = {
    r"(?<!statistically )(?<!practically )significan": "significance without an adjective",
    r"no difference\b": "a large p-value as evidence of equality",
    r"due to chance": "a p-value as probability of chance",
    r"probability (of|that) the null": "a p-value as probability of the hypothesis",
    r"p = 0\b|p = \.000|\.000": "a p-value of zero",
    r"\bnan\b|\binf\b|None": "not a number",
    r"  |\( | \)| ,| \.(?!\d)|\.\.|,,|{|}": "a slip of the typesetter",
    r"\b1 (datasets|instances|systems|claims)\b": "a plural of one",
    r"\b(on|of) \d+ dataset\b": "a singular of many",
}


@pytest.mark.parametrize("pattern", FORBIDDEN)
def test_paragraphs_keep_the_rules_of_wording(paragraphs, pattern):
    """What Sadat Azer et al. (2020, section 3) warn of is never said, in any design."""
    for name, text in paragraphs.items():
        found = re.search(pattern, text, flags=re.I)
        assert found is None, (
            f"{FORBIDDEN[pattern]} in {name!r}: {text[max(0, found.start() - 40) : found.end() + 40]!r}"
        )


def test_a_count_is_a_lower_bound(paragraphs):
    """Wherever k-hat is neither 0 nor N, the sentence says "at least"."""
    for text in paragraphs.values():
        for found in re.finditer(r"With confidence [\d.]+%, \w+ is better than \w+ on ([^(]*)\(k-hat", text):
            assert found.group(1).startswith(("at least", "all ", "both "))
