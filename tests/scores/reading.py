"""Validate frames that are written as tests like them, and read files as a command does."""

from __future__ import annotations

import shlex
from typing import Any

import pandas as pd

from reportkit.cli.inspect import inspect_command, inspected
from reportkit.scores.building import laid_out
from reportkit.scores.checks import judged
from reportkit.scores.reading import Reading
from reportkit.scores.scores import Results
from reportkit.scores.table import Asked

_ROLES = {"model": "system", "task": "dataset", "id": "instance", "qid": "instance", "acc": "score", "doc": "cluster"}
_ROLES |= {"accuracy": "score", "correct_or_not": "score", "run": "seed", "measure": "metric", "algorithm": "system"}
_LONG = {"system", "dataset", "instance", "metric", "seed", "cluster", "weight", "fold", "rater", "gold", "k", "n"}


def results_of(frame: pd.DataFrame, *, columns: dict[str, str] | None = None, **options: Any) -> Results:
    """Bring a frame into the long form, and validate its scores."""
    said = {name: role for role, name in (columns or {}).items()}
    known = {name: role for name, role in _ROLES.items() if role not in frame} | said
    frame = frame.rename(columns=known)
    if "system" not in frame:
        frame = frame.melt([name for name in frame if name in _LONG], var_name="system", value_name="score")
        frame = frame.dropna(subset=["score"], ignore_index=True)
    datasets, scales = options.pop("datasets", None), options.pop("mixed_scales", "error")
    asked = Asked(columns=columns or {}, **options)
    return judged(laid_out(frame, asked, datasets=datasets), asked, mixed_scales=scales)


def as_typed(command: str) -> Reading:
    """Read as `reportkit inspect ...` does."""
    words = shlex.split(command)
    with inspect_command.make_context("inspect", words[2:], obj=words[1:]) as context:
        return inspected(context.params["paths"], context.params)
