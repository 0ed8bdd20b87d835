"""JSON that harnesses write, with messages that say what is wrong in which file; and what was chosen of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.readers.choosing import choose_metrics
from reportkit.readers.source import Source
from reportkit.readers.understood import Request, counted, listed, shell

BROKEN = "check that the file was written to its end, and that nobody changed it"


def member_of(source: Source, value: Any, kind: type, where: str) -> Any:
    """The value itself, if it is of a type.

    Raises
    ------
    ReadingError
        If it is of another one.
    """
    if isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool):
        return value
    wanted = {dict: "an object", list: "a list", str: "a text", float: "a number"}.get(kind, kind.__name__)
    raise ReadingError(f"{source.name!r} holds {shown(value)} where {wanted} belongs", where=where, remedy=BROKEN)


def text_at(source: Source, record: Mapping[str, Any], key: str, where: str) -> str:
    """A text of a record that has to be there and not be empty; whole numbers count as texts.

    Raises
    ------
    ReadingError
        If it is not there.
    """
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value:
        return value
    said = f"no {key!r}" if key not in record else f"{shown(value)} as {key!r}"
    raise ReadingError(f"{source.name!r} holds a record with {said}", where=where, remedy=BROKEN)


def score_at(source: Source, value: Any, where: str) -> float | None:
    """A score as a number; None of null and of NaN, which are not scored.

    Raises
    ------
    ReadingError
        If it is something else.
    """
    if value is None:
        return None
    if isinstance(value, (bool, int, float)):
        try:
            score = float(value)
        except OverflowError:
            score = math.inf
        if math.isnan(score):
            return None
        if math.isfinite(score):
            return score
    raise ReadingError(f"{source.name!r} holds {shown(value)} as a score", where=where, remedy=BROKEN)


def shown(value: Any) -> str:
    """A value in a message, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def metrics_taken(
    request: Request, available: Iterable[str], preferred: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], list[Finding]]:
    """The metrics to take, those that could be taken instead, and what to say of the choice.

    What the user names; else the first of the preferred ones that is there, else the first of all.

    Raises
    ------
    UnknownNameError
        If a metric is asked for that is not there.
    """
    known = list(dict.fromkeys(available))
    default = next((name for name in preferred if name in known), known[0])
    known = [default, *(name for name in known if name != default)]
    chosen = choose_metrics({"": known}, request)
    return chosen.metrics[""], chosen.others, list(chosen.notes)


def one_metric(
    request: Request, available: Iterable[str], preferred: Sequence[str], *, any_case: bool = False
) -> tuple[str, tuple[str, ...], list[Finding]]:
    """The one metric to take, the others, and what to say; for formats that are read by one metric at a time.

    Raises
    ------
    UnknownNameError
        If a metric is asked for that is not there.
    SettingsError
        If several are asked for.
    """
    if len(request.metrics) > 1:
        raise SettingsError(
            f"{len(request.metrics)} metrics were requested, but these files are read one metric at a time",
            remedy=f"name one: --metric {shell(request.metrics[0])}",
        )
    available = list(available)
    if any_case and request.metrics:
        asked = next((name for name in available if name.casefold() == request.metrics[0].casefold()), None)
        request = dataclasses.replace(request, metrics=(asked or request.metrics[0],))
    (metric,), others, notes = metrics_taken(request, available, preferred)
    return metric, others, notes


def filter_taken(
    request: Request, systems_by_filter: Mapping[str, set[str]], noun: str
) -> tuple[str, tuple[str, ...], list[Finding]]:
    """The one filter (judge, annotator, split) to take: what is asked for, or what most systems have.

    Raises
    ------
    UnknownNameError
        If one is asked for that is not there.
    SettingsError
        If it cannot be told which is meant.
    """
    known = list(systems_by_filter)
    if request.filter is not None:
        if request.filter not in known:
            raise UnknownNameError(noun, request.filter, known)
        return request.filter, tuple(name for name in known if name != request.filter), []
    most = max(map(len, systems_by_filter.values()))
    taken, *more = (name for name in known if len(systems_by_filter[name]) == most)
    if more:
        raise SettingsError(
            f"the files hold results of {counted(len(more) + 1, noun)}: {listed([taken, *more])}",
            where="they are not averaged",
            remedy=f"choose one: --filter {shell(taken)} or --filter {shell(more[0])} (in Python filter={taken!r})",
        )
    others = tuple(name for name in known if name != taken)
    said = f"The {noun} is {taken}, which most systems have; others are {listed(others)}."
    remedy = f"for another one: --filter {shell(others[0])}" if others else ""
    return taken, others, [Finding(f"{noun}-chosen", "info", said, remedy=remedy)] if others else []


def unscored(n: int, what: str, where: str = "", remedy: str = "") -> list[Finding]:
    """What to say of answers without a score, if there are any."""
    if not n:
        return []
    said = "1 answer has no score and is" if n == 1 else f"{n:,} answers have no score and are"
    return [
        Finding("unscored", "warning", f"{said} left out, not counted as wrong: {what}.", where=where, remedy=remedy)
    ]


def without_rows(what: str, where: str) -> ReadingError:
    """What to say of files of a format in which there is nothing to compare."""
    return ReadingError(f"no {what} is left to compare", where=where, remedy="check that the evaluation was finished")


def long_frame(rows: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Columns of equal length as a frame, texts as categoricals; columns without a value are left out."""
    return pd.DataFrame(
        {
            name: pd.Categorical(values) if any(isinstance(value, str) for value in values) else list(values)
            for name, values in rows.items()
            if any(value is not None for value in values)
        }
    )
