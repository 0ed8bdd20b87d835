"""Where a file comes from."""

from __future__ import annotations

from reportkit.rendering.text.origin import origin
from tests.rendering.conftest import SIGNATURE


def test_with_and_without_a_signature() -> None:
    """A table for a notebook has no data to name."""
    assert origin("table main", SIGNATURE) == (
        "reportkit 0.1.0 | table main | data results_v2%.csv sha256:3f9c3f9c3f9c | do not edit: reportkit overwrites it"
    )
    assert origin("table main", None) == "reportkit | table main"
