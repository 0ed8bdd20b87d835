"""Random streams of calibration: each depends on the seed and on what is simulated, never on the order of work."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reportkit.errors import SettingsError
from reportkit.null_distributions.random.streams import hash64

Progress = Callable[[int, int], None]
"""Called with (done, total) after each block of work."""


def stream(seed: int, *names: str) -> np.random.Generator:
    """Random stream that belongs to a seed and to names.

    Raises
    ------
    SettingsError
        If the seed is not a whole number of at least 0.

    Examples
    --------
    >>> stream(0, "null", "news").integers(100, size=3) - stream(0, "null", "news").integers(100, size=3)
    array([0, 0, 0])
    """
    return np.random.default_rng(np.random.SeedSequence([check_number("seed", seed, 0), hash64(*names)]))


def check_number(name: str, value: object, lowest: int) -> int:
    """A whole number of at least `lowest`, or an error that says what is expected.

    Raises
    ------
    SettingsError
        If it is anything else.

    Examples
    --------
    >>> check_number("n_replicates", 200, 1)
    200
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
        raise SettingsError(f"{name} is {value!r}", remedy=f"give a whole number of at least {lowest}")
    return value


def silent(done: int, total: int) -> None:
    """Report no progress."""
