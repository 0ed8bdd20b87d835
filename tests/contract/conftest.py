"""What takes long in the contract."""

import pytest

LONG = (
    "power: how many instances: unpaired",
    "corpus: F1: baseline",
    "corpus: precision and recall",
    "corpus: word error rate",
    "calibration: thresholds of gains",
    "calibration: bins",
    "calibration: toy simulations of Dror et al.",
    "unpaired: k of n: all pairs",
    "unpaired: k of n: baseline",
    "bayes: Bayes factor: within two points",
    "k of n",
    "calibration",
    "calibration: null: continuous",
    "twenty_by_twelve",
    "several_metrics",
    "all_pairs_of_8",
    "nothing_shown",
    "posteriors",
    "reproducibility",
    "update",
    "F1",
    "BLEU",
    "25",
    "ted-zhen",
    "real: WMT 2017: BLEU against a baseline",
    "real: compare-mt: BLEU",
    "corpus: BLEU: all pairs",
    "corpus: F1: both directions",
    "unpaired: k of n",
    "bayes: posterior: k of n",
    "bayes: posterior: unpaired, right or wrong",
    "bayes: Bayes factor: continuous",
    "bayes: four answers: within a point",
)
"""Calls and reports of more than a second; there are shorter ones of the same kinds."""

LONG_TESTS = (
    "test_independent_instances_are_rarely_suspected",
    "test_an_update_changes_the_table_and_the_numbers_and_nothing_else",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the long ones as slow."""
    long = (*(f"[{name}]" for name in LONG), *LONG_TESTS)
    for item in items:
        if item.name.endswith(long) and item.path.parent.name == "contract":
            item.add_marker("slow")
