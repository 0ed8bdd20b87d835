"""The twelve outcomes of the gallery, which people read: `docs/gallery/outcomes.py` makes them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from reportkit.analysis.analysis import Analysis

FILE = Path(__file__).resolve().parents[3] / "docs" / "gallery" / "outcomes.py"
_SPEC = importlib.util.spec_from_file_location("gallery_of_outcomes", FILE)
assert _SPEC is not None
assert _SPEC.loader is not None
gallery = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = gallery  # dataclasses look for their module there
_SPEC.loader.exec_module(gallery)

OUTCOMES: dict[str, str] = {one.name: one.title for one in gallery.OUTCOMES}


def outcome(name: str) -> Analysis:
    """One of them."""
    found: Analysis = gallery.analysis(name)
    return found
