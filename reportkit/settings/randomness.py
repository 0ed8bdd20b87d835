"""Randomness as NumPy and SciPy take it (SPEC 7): a whole number, or a generator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportkit.errors import SettingsError

if TYPE_CHECKING:
    from numpy.random import Generator

MOST = 2**32
"""Seeds drawn from a generator are smaller than this."""


def seed_of(rng: int | Generator) -> int:
    """The seed that stands for `rng` in a report, so that everything can be computed again.

    Parameters
    ----------
    rng : int or numpy.random.Generator
        A whole number of at least 0 is its own seed. Of a generator one number is drawn, which moves it on.

    Returns
    -------
    int
        Of at least 0.

    Raises
    ------
    SettingsError
        If it is anything else.

    Notes
    -----
    Scientific Python Ecosystem Coordination, SPEC 7, "Seeding pseudo-random number generation".

    Examples
    --------
    >>> import numpy as np
    >>> seed_of(7), seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))
    (7, True)
    """
    if not isinstance(rng, int) and hasattr(rng, "integers"):  # as a generator has; NumPy need not be there to look
        return int(rng.integers(MOST))
    seed = rng if isinstance(rng, bool) or not hasattr(rng, "__index__") else rng.__index__()
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise SettingsError(f"rng is {rng!r}", remedy="give a whole number of at least 0, or a numpy.random.Generator")
    return seed
