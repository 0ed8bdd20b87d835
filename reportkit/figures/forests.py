"""Forest plots of several claims on one axis: small multiples with one key and one caption."""

from __future__ import annotations

from dataclasses import replace

from reportkit.figures.forest import FOREST, forest_alt_text
from reportkit.figures.forest_content import ForestsContent


def forests_alt_text(content: ForestsContent) -> str:
    """Say in words what each of the forest plots shows."""
    return " ".join(map(forest_alt_text, content.panels))


FORESTS = replace(FOREST, kind="forests", content=ForestsContent, alt_text=forests_alt_text, wide=False)
