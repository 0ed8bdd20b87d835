"""Choices of a user about scores, and kinds of columns.

Nothing is imported, so that the help of the command costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Kind = Literal["binary", "continuous", "ordinal", "count"]
KINDS: tuple[Kind, ...] = get_args(Kind)
DeclaredKind = Kind | Mapping[str, Kind] | None
Missing = Literal["error", "drop", "worst"]
Pairing = Literal["paired", "unpaired"]
Runs = Literal["random", "fixed"]

LONG_REQUIRED = ("system", "dataset", "instance", "score")
LONG_OPTIONAL = ("metric", "seed", "cluster", "gold", "weight", "fold", "rater", "k", "n")
PRINTED_REQUIRED = ("dataset", "score_a", "score_b", "p_value")
PRINTED_OPTIONAL = ("n", "system_a", "system_b")
LONG_ROLES = (*LONG_REQUIRED, *LONG_OPTIONAL)
"""Roles for which the command line has options."""

ROLES = tuple(dict.fromkeys((*LONG_REQUIRED, *LONG_OPTIONAL, *PRINTED_REQUIRED, *PRINTED_OPTIONAL)))
COLUMN_ROLES = (*ROLES, "repeat", "replicate", "token", "prediction", "estimator", "value")
"""All that a frame may hold, those of re-partitions of a corpus included."""
