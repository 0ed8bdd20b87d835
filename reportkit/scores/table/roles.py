"""What the columns of a file of results may hold, by form of the file."""

from __future__ import annotations

from typing import Literal

Form = Literal["long", "wide", "printed"]

LONG_REQUIRED = ("system", "dataset", "instance", "score")
LONG_OPTIONAL = ("metric", "seed", "cluster", "gold", "weight", "fold", "rater", "k", "n")
WIDE_REQUIRED = ("dataset", "instance")
PRINTED_REQUIRED = ("dataset", "score_a", "score_b", "p_value")
PRINTED_OPTIONAL = ("n", "system_a", "system_b")
LONG_ROLES = (*LONG_REQUIRED, *LONG_OPTIONAL)
"""Roles for which the command line has options."""

ROLES = tuple(dict.fromkeys((*LONG_REQUIRED, *LONG_OPTIONAL, *PRINTED_REQUIRED, *PRINTED_OPTIONAL)))
