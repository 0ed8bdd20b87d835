"""Figures that several test files need."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def xue_table_4():
    """(SNR, reproducibility) of each task and method, as printed by Xue et al. (2023), Table 4; 1,000 re-splits."""
    return {
        "SRL": {"ST": (0.181, 0.636), "RS": (0.414, 0.665), "Avg": (0.465, 0.659), "Vote": (0.645, 0.694),
                "Mixture": (0.684, 0.714)},
        "NER": {"ST": (0.510, 0.678), "RS": (1.258, 0.893), "Avg": (0.889, 0.830), "Vote": (1.179, 0.900),
                "Mixture": (1.421, 0.940)},
        "Chunking": {"ST": (0.195, 0.590), "RS": (0.483, 0.665), "Avg": (3.200, 1.000), "Vote": (1.818, 0.960),
                     "Mixture": (3.063, 1.000)},
    }  # fmt: skip
