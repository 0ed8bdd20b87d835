"""Every kind of figure; the files of this folder are the list.

A figure is drawn from its content alone, so that one that was stored is drawn again without the data.
"""

from __future__ import annotations

from reportkit.figures.drawing.entry import Drawing
from reportkit.registry import Registry, defined_in

DRAWINGS: Registry[Drawing] = Registry("kind of figure")

for _entry in defined_in("reportkit.figures", Drawing):
    DRAWINGS.register(_entry.kind, _entry)
