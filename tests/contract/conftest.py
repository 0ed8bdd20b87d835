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
)
"""Calls of more than a second; their rooms have shorter ones of the same kinds."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the long calls as slow."""
    for item in items:
        if item.name.endswith(tuple(f"[{name}]" for name in LONG)) and item.path.parent.name == "contract":
            item.add_marker("slow")
