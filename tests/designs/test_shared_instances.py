"""Datasets declared independent that share instances, as simulated by benchmarks/shared_instances.py."""

from __future__ import annotations

import csv
import math

import pytest


@pytest.fixture(scope="module")
def table(root):
    """The committed table, by design, n and r."""
    with (root / "benchmarks" / "results" / "shared_instances.csv").open(encoding="utf-8") as file:
        return {(row["design"], int(row["n"]), row["r"]): row for row in csv.DictReader(file)}


def test_independent_datasets_are_believed_and_shared_instances_are_noticed(table):
    """From r = .2 with 200 instances, and r = .1 with 1,000; at most 1 of 400 independent ones is warned of."""
    for (design, n, r), row in table.items():
        noticed, claimed = float(row["noticed"]), float(row["claimed_by_fisher"])
        if r in ("", "0.0"):
            assert noticed <= 1 / 400
            assert claimed <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / int(row["replicates"]))
        elif design == "criteria, continuous" and n >= 200 and n * float(r) ** 2 > 7.9:
            assert noticed > 0.7


def test_the_documentation_shows_the_data(table, root):
    """Each line of the table of docs/explanation/designs.md."""
    text = (root / "docs" / "explanation" / "designs.md").read_text("utf-8")
    section = text[text.index("### Datasets that share instances") : text.index("### Every default test")]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| .")]
    assert len(lines) == 9
    for r, n, *shares in lines:
        row = table["criteria, continuous", int(n.replace(",", "")), f"0{r}"]
        for shown, column in zip(shares, ("noticed", "claimed_by_fisher"), strict=True):
            assert float(shown) == pytest.approx(float(row[column]), abs=0.00051)
