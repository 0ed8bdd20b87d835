"""Alignment error rate."""

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.metrics.corpus.alignment import AER, no_links


def counts_of(links, sure, possible):
    """The three counts of one sentence, from sets of pairs of words."""
    return [len(links & sure) + len(links & possible), len(links), len(sure)]


def test_it_is_that_of_the_definition():
    """Och and Ney (2003), from sets of links, summed over sentences; 0 for the sure links, 1 for none of them."""
    rng = np.random.default_rng(4)
    total, hits, size = np.zeros(3), 0, 0
    for _ in range(30):
        possible = {(int(i), int(j)) for i, j in rng.integers(0, 8, (20, 2))}
        sure = {link for link in possible if rng.random() < 0.6}
        links = {(int(i), int(j)) for i, j in rng.integers(0, 8, (15, 2))}
        total += counts_of(links, sure, possible)
        hits += sum(link in sure for link in links) + sum(link in possible for link in links)
        size += len(links) + len(sure)
        assert AER(np.array(counts_of(sure, sure, possible), float)) == pytest.approx(0.0)
    assert AER(total) == pytest.approx(1 - hits / size)
    assert AER(np.zeros(3)) == 0.0
    assert AER(no_links(np.array([[7.0, 4.0, 4.0]]))[0]) == 1.0


def test_fewer_errors_are_better():
    """In a comparison, by name."""
    rng = np.random.default_rng(5)
    rows = [
        {"system": name, "dataset": "d", "instance": i, "matched": matched, "proposed": 10, "sure": 8}
        for name, mean in (("ours", 16), ("base", 12))
        for i, matched in enumerate(np.minimum(rng.poisson(mean, 60), 18))
    ]
    found = reportkit.compare(pd.DataFrame(rows), "ours", "base", metric="aer")
    (row,) = found.outcomes.to_dict("records")
    assert row["ci_low"] > 0
