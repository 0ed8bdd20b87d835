"""`import reportkit` registers `df.replic` without paying for pandas, polars or Dask before somebody needs it.

If the library is there already, the accessor is registered at once; if not, as soon as somebody imports it. This keeps
`reportkit --help` fast, where nobody does.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from importlib.abc import Loader  # for which it loads what makes temporary files and reads archives


def register_accessors() -> None:
    """Register `df.replic` with pandas, polars and Dask now, or right after they are imported."""
    for library in ("pandas", "polars", "dask.dataframe"):
        if library in sys.modules:
            _register(library)
        elif not any(isinstance(finder, _Finder) and finder.library == library for finder in sys.meta_path):
            sys.meta_path.insert(0, _Finder(library))


def _register(library: str) -> None:
    accessor = importlib.import_module("reportkit.accessor")  # which registers itself with pandas
    if library == "polars":
        accessor.register_polars()
    elif library == "dask.dataframe":
        accessor.register_dask()


class _Finder:
    """Finds a library by the usual finders, once, and has the accessor registered after it is loaded."""

    def __init__(self, library: str) -> None:
        self.library = library

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.library:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = cast("Loader", _RegisteringLoader(spec.loader, name))
        return spec


class _RegisteringLoader:
    """Loads with the real loader, then registers the accessor."""

    def __init__(self, loader: Loader, library: str) -> None:
        self._loader = loader
        self._library = library

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        _register(self._library)
