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

_KEYS = ("system", "dataset", "instance")
LONG_ROLES = (*_KEYS, "score", "metric", "seed", "cluster", "gold", "weight", "fold", "rater", "k", "n")
"""Roles for which the command line has options."""

PRINTED_ROLES = ("dataset", "score_a", "score_b", "p_value", "n", "system_a", "system_b")
ROLES = tuple(dict.fromkeys((*LONG_ROLES, *PRINTED_ROLES)))
COLUMN_ROLES = (*ROLES, "repeat", "replicate", "token", "prediction", "estimator", "value")
"""All that a frame may hold, those of re-partitions of a corpus included."""
