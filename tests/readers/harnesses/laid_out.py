"""Small folders of results, for tests of single harnesses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

import reportkit
from reportkit.readers.understood import Reading

FIXTURES = Path(__file__).parent / "fixtures"


def put(path: Path, content: Any) -> Path:
    """Write a text, or an object as JSON, with the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def means(reading: Reading) -> pd.Series:
    """Mean score by system and dataset."""
    frame = reading.frame.astype({"system": str, "dataset": str})
    return frame.groupby(["system", "dataset"])["score"].mean()


def codes(reading: Reading) -> set[str]:
    """Codes of the notes of a reading."""
    return {note.code for note in reading.notes}


inspect = reportkit.inspect
