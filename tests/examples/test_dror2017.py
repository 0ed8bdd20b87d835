"""Tables 2 to 5 of Dror et al. (2017): counts of datasets and Holm sets, against truths computed elsewhere."""

from __future__ import annotations

import functools
import json

import pytest

import reportkit
from tests.examples.conftest import EXAMPLES

# file, A, B: key in the truths, whether the paper takes the datasets as independent, rows starred with the wrong sign
TABLES = {
    ("parsing", "Mate", "SpaCy"): ("Mate-SpaCy", True, set()),
    ("parsing", "Mate", "Redshift"): ("Mate-Redshift", True, set()),
    ("pos", "MIMICK", "Char→Tag"): ("POS", True, {"Tamil", "Basque", "Indonesian"}),
    ("sentiment", "AE-SCL-SR", "MSDA"): ("Sent", False, set()),
    ("word-similarity", "W2V", "GloVe"): ("WordSim", False, {"YP-130"}),
}


@pytest.fixture(scope="module")
def truths(shared):
    """Counts and Holm sets by table and level, recomputed from the printed p-values."""
    return json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["tables"]


@functools.cache
def compared(name, dependence):
    """Compare the printed table of one file."""
    return reportkit.compare(EXAMPLES / "dror2017" / f"{name}.csv", dependence=dependence)


def of_claim(frame, a, b):
    """Keep the rows of one claim; the systems are named only where there are several claims."""
    return frame[(frame.system_a == a) & (frame.system_b == b)] if "system_a" in frame else frame


@pytest.mark.parametrize("case", TABLES, ids="-".join)
def test_counts_and_names_are_those_computed_elsewhere(case, truths):
    """Naive count, Bonferroni's and, where datasets are independent, Fisher's k-hat, and Holm's datasets."""
    name, a, b = case
    key, independent, _ = TABLES[case]
    analysis = compared(name, "independent" if independent else "any")
    k_hat, outcomes = of_claim(analysis.k_hat.reset_index(), a, b), of_claim(analysis.outcomes, a, b)
    for alpha, row in k_hat.set_index("alpha").iterrows():
        truth = truths[key]["alpha"][f"{alpha:g}"]
        assert (row["count"], row["bonferroni"]) == (truth["count"], truth["bonferroni"])
        if independent:
            assert row["fisher"] == truth["fisher"]
        identified = set(outcomes[outcomes.adjusted_p_value <= alpha].dataset)
        assert identified == {dataset.replace(">", "→") for dataset in truth["holm"]}


@pytest.mark.parametrize("case", TABLES, ids="-".join)
def test_no_mark_where_the_claimed_winner_scores_lower(case):
    """Four rows that the paper stars have the wrong sign; the tables mark none of them."""
    name, a, b = case
    analysis = compared(name, "any")
    frame = of_claim(analysis.outcomes, a, b)
    wrong = set(frame[(frame.difference < 0) & frame.identified].dataset)
    assert wrong == TABLES[case][2]
    marked = analysis.to_markdown("results")
    for dataset in wrong:
        line = next((line for line in marked.splitlines() if f"| {dataset} " in line), "")
        assert "†" not in line
