"""Forest plots of several claims on one axis: small multiples with one key and one caption."""

from __future__ import annotations

from dataclasses import replace

from reportkit.figures.forest import DRAWING as FOREST
from reportkit.figures.forest import ForestsContent, forest_alt_text


def forests_alt_text(content: ForestsContent) -> str:
    """Say in words what each of the forest plots shows."""
    return " ".join(map(forest_alt_text, content.panels))


DRAWING = replace(FOREST, kind="forests", content=ForestsContent, alt_text=forests_alt_text, wide=False)
