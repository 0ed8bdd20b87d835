"""Names of estimators: how they are written, and in which order a table has them."""

from __future__ import annotations

import re

from reportkit.errors import DesignError, UnknownNameError

MIXTURES = ("Mixture (A over B)", "Mixture (B over A)")
ESTIMATORS = ("ST", "RS", "Avg", "Vote")
"""Estimators that a table may hold; RS6 is the mean of six random hold-outs."""

_NAMES = {"holdout": "ST", "average": "Avg", "repeatedholdout": "RS"} | {name.lower(): name for name in ESTIMATORS}


def method_rank(name: str) -> tuple[int, int]:
    """Return the place of an estimator in a table: ST, RS by its number of splits, Avg, Vote, both mixtures.

    Examples
    --------
    >>> sorted(["Vote", "RS12", "Avg", "RS6", "ST"], key=method_rank)
    ['ST', 'RS6', 'RS12', 'Avg', 'Vote']
    """
    if (splits := repeated_splits(name)) is not None:
        return 1, splits
    return ("ST", "RS", "Avg", "Vote", *MIXTURES).index(name), 0


def repeated_splits(name: str) -> int | None:
    """Return the number of hold-outs in a repeated one, `RS6`; None where the name says none.

    Examples
    --------
    >>> repeated_splits("RS6"), repeated_splits("RS"), repeated_splits("ST")
    (6, None, None)
    """
    found = re.fullmatch(r"RS([1-9]\d*)", name)
    return int(found[1]) if found else None


def estimator_name(given: str) -> str:
    """Return the name of an estimator as the table has it, however it is written.

    Raises
    ------
    DesignError
        For a mixture, which is computed from vote and average.
    UnknownNameError
        If there is no such estimator.

    Examples
    --------
    >>> estimator_name("average"), estimator_name("hold-out"), estimator_name("rs6")
    ('Avg', 'ST', 'RS6')
    """
    folded = re.sub(r"[-_. ]", "", given.strip().casefold())
    if folded in _NAMES:
        return _NAMES[folded]
    if repeated_splits(folded.upper()) is not None:
        return folded.upper()
    if folded.startswith("mix"):
        raise DesignError(
            "the mixture is computed from vote and average, in both directions", remedy="leave its rows out"
        )
    raise UnknownNameError("estimator", given, (*ESTIMATORS, "RS6"))
