"""Counts by rule."""

from __future__ import annotations

from collections import Counter

from reportkit.checker.outputs.statistics import rows
from reportkit.checker.outputs.summary import written


def test_counts_are_those_of_the_findings(report):
    """Each rule once, the most frequent first; the summary has each rule's first finding."""
    counts = Counter(item.code for item in report)
    read = {line.split()[1]: int(line.split()[0]) for line in rows(report)}
    assert read == counts
    assert list(read.values()) == sorted(counts.values(), reverse=True)
    for code in counts:
        assert f"[{code}]" in written(report)
