"""How a command of its own loads what it needs, in one go and no more of it than is used; and what is made at once."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import LazyLoader, find_spec, module_from_spec
from pkgutil import resolve_name
from typing import Any


@contextmanager
def for_good() -> Iterator[None]:
    """Import what stays until the process ends: looking for cycles in it takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def uncollected() -> Iterator[None]:
    """Make what stays, and has no cycles, without the search for cycles: it takes about as long as the work itself."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()


def put_off(*names: str) -> None:
    """Load modules when something in them is asked for, which may be never.

    Parameters
    ----------
    *names : str
        Dotted names below packages that are loaded.
    """
    for name in names:
        spec = find_spec(name)
        if name in sys.modules or spec is None or spec.loader is None:
            continue
        loader = spec.loader = LazyLoader(spec.loader)
        module = sys.modules[name] = module_from_spec(spec)
        loader.exec_module(module)
        package, _, child = name.rpartition(".")
        setattr(sys.modules[package], child, module)


class _NothingSaid:
    """Stands for a docstring that is taken apart and put together again."""

    def __init__(self, *of: object) -> None:
        pass

    def __getitem__(self, section: str) -> list[Any]:
        return []

    def __str__(self) -> str:
        return "\n"


_MANUALS: Mapping[str, Mapping[str, object]] = {
    "scipy": {"scipy._lib._array_api.FunctionDoc": _NothingSaid},
    "pyarrow": {"pyarrow.vendored.docscrape.NumpyDocString": _NothingSaid},
    "matplotlib": {
        "matplotlib.artist.kwdoc": lambda artist: "",
        "matplotlib.artist.Artist._update_set_signature_and_docstring": lambda: None,
    },
}
"""What libraries write docstrings of their functions with while they are loaded, and what takes its place."""


@contextmanager
def without_manuals(*libraries: str) -> Iterator[None]:
    """Load libraries without the docstrings that they write each time, which no command shows.

    Parameters
    ----------
    *libraries : {"scipy", "pyarrow", "matplotlib"}
        Which. A version that does this in another way is loaded as it is.
    """
    before = []
    for place, instead in [named for library in libraries for named in _MANUALS[library].items()]:
        owner, _, name = place.rpartition(".")
        with suppress(ImportError, AttributeError, KeyError):
            home = resolve_name(owner)
            before.append((home, name, vars(home)[name]))
            setattr(home, name, instead)
    try:
        yield
    finally:
        for home, name, writer in before:
            setattr(home, name, writer)
