"""Compute something of a sample once, and remember it with the sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def remembered(known: dict[str, Any], name: str, compute: Callable[[], T]) -> T:
    """Look something up, or compute it the first time that it is asked for.

    Parameters
    ----------
    known : dict
        What has been computed, by name; it is changed. It goes when the sample that holds it goes.
    name : str
        Always that of the same quantity, of the same type.
    compute : callable
        Without arguments.

    Examples
    --------
    >>> known = {}
    >>> remembered(known, "answer", lambda: 42), remembered(known, "answer", lambda: 0)
    (42, 42)
    """
    if name not in known:
        known[name] = compute()
    found: T = known[name]
    return found
