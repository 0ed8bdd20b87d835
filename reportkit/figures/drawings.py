"""Every kind of figure; the files of this folder are the list, and each is loaded when its kind is asked for.

A figure is drawn from its content alone, so that one that was stored is drawn again without the data.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

import reportkit.figures
from reportkit.errors import UnknownNameError
from reportkit.figures.drawing.entry import Drawing

KINDS = tuple(
    found.name.replace("_", "-")
    for found in pkgutil.iter_modules(reportkit.figures.__path__)
    if found.name not in ("drawing", "drawings")
)


def drawing(kind: str) -> Drawing:
    """Return a kind of figure: that of "k-hat-matrix" is `DRAWING` in `k_hat_matrix.py`.

    Raises
    ------
    UnknownNameError
        If there is no such kind.
    """
    if kind not in KINDS:
        raise UnknownNameError("kind of figure", kind, KINDS)
    found: Drawing = import_module(f"reportkit.figures.{kind.replace('-', '_')}").DRAWING
    return found
