"""Numbers, names and nested values as evaluation tools write them."""

from __future__ import annotations

import csv
import hashlib
import json
import math
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

MALFORMED = (
    *(LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, NotImplementedError),
    *(OSError, EOFError, zlib.error, zipfile.BadZipFile, csv.Error),
)
"""Exceptions of reading damaged or unexpected content; `ReadingError` is a `ValueError`."""

SYSTEMS = frozenset({"model", "models", "model_name", "system", "systems", "method", "llm", "agent"})
"""Columns that name systems: a table with one of them says more than a tool would write."""


def number(value: object, words: Mapping[str, float] | None = None) -> float | None:
    """Return a score; None where there is none (null, NaN).

    Parameters
    ----------
    value : object
        Number, truth value, text of a number, or one of the words.
    words : mapping of str to float, optional
        What the tool writes for numbers, such as "C" for 1; words in lower case stand for any case.

    Raises
    ------
    ValueError
        If it stands for no number.

    Examples
    --------
    >>> number(True), number("0.5"), number("Yes", {"yes": 1.0}), number(float("nan"))
    (1.0, 0.5, 1.0, None)
    """
    if value is None:
        return None
    if isinstance(value, str) and words:
        value = words.get(value, words.get(value.lower(), value))
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ValueError(f"{str(value)[:40]!r} is no number") from None
    if math.isinf(found):
        raise ValueError(f"{found} is not a score")
    return None if math.isnan(found) else found


def name_of(value: object) -> str:
    """Return a name or an id as a text: 7 and 7.0 are "7".

    Raises
    ------
    ValueError
        If it is empty, or no name.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or not str(value).strip():
        raise ValueError(f"{str(value)[:40]!r} is not a name")
    return str(value).strip()


def inside(content: object, *keys: str) -> Any:
    """Return what is at a path of keys, or None."""
    for key in keys:
        content = content.get(key) if isinstance(content, Mapping) else None
    return content


def digest(value: object) -> str:
    """Return a short text that is the same for equal values; an empty one for none."""
    if value in (None, "", [], {}):
        return ""
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
