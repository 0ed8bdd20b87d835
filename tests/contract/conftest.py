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
    "twenty_by_twelve",
)
"""Calls and reports of more than a second; there are shorter ones of the same kinds."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the long ones as slow."""
    long = (*(f"[{name}]" for name in LONG), "test_independent_instances_are_rarely_suspected")
    for item in items:
        if item.name.endswith(long) and item.path.parent.name == "contract":
            item.add_marker("slow")
