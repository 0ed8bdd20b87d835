"""Every kind of figure; the files of this folder are the list, and each is loaded when its kind is asked for.

A figure is drawn from its content alone, so that one that was stored is drawn again without the data.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

import reportkit.figures
from reportkit.figures.drawing.entry import Drawing
from reportkit.registry import Registry


class _Kinds(Registry[Drawing]):
    """The kind "k-hat-matrix" is defined in `k_hat_matrix.py`."""

    def _find(self, name: object) -> None:
        if isinstance(name, str) and name not in self._entries and name in _FILES:
            module = import_module(f"reportkit.figures.{_FILES[name]}")
            for value in vars(module).values():
                if isinstance(value, Drawing) and value.kind == name:
                    self.register(name, value)

    def _complete(self) -> dict[str, Drawing]:
        for name in _FILES:
            self._find(name)
        return self._entries

    def __getitem__(self, name: str) -> Drawing:
        self._find(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._find(name)
        return name in self._entries


_FILES = {found.name.replace("_", "-"): found.name for found in pkgutil.iter_modules(reportkit.figures.__path__)}

DRAWINGS: Registry[Drawing] = _Kinds("kind of figure")
