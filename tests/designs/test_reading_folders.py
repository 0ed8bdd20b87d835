"""What the documentation says of the speed of reading folders, held against the stored measurement."""

from __future__ import annotations

import json
from pathlib import Path


def test_the_stored_measurement_keeps_what_is_promised(root: Path) -> None:
    """A thousand files of a thousand lines: at most three times the bare parse, under 20 s and 1 GB."""
    measured = json.loads((root / "benchmarks" / "results" / "reading_folders.json").read_text("utf-8"))
    assert (measured["files"], measured["records"]) == (1_000, 1_000)
    cpu = measured["cpu_seconds"]
    assert cpu["reportkit"] <= 3 * cpu["orjson"]
    assert cpu["reportkit"] < 20
    assert measured["peak_gigabytes"]["reportkit"] < 1
