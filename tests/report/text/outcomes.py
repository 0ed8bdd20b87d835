"""The gallery, which people read: `docs/gallery/make.py` makes its pictures, `outcomes.py` the twelve outcomes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from reportkit.analysis.analysis import Analysis

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "gallery"


def _loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"gallery_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for their module there
    spec.loader.exec_module(module)
    return module


gallery, pictures = _loaded("outcomes"), _loaded("make")

OUTCOMES: dict[str, str] = {one.name: one.title for one in gallery.OUTCOMES}


def outcome(name: str) -> Analysis:
    """One of them."""
    found: Analysis = gallery.analysis(name)
    return found
