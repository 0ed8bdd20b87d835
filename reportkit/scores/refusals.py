"""Errors about scores that cannot be used, in the words of `refusals.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from reportkit import errors
from reportkit.errors import ReportkitError


@cache
def words_of(code: str) -> dict[str, Any]:
    """Return the words of a code."""
    found: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))[code]
    return found


def refusal(code: str, where: str | None = None, *, of: tuple[int, int] | None = None, **values: object) -> Exception:
    """Return the error of a code.

    Parameters
    ----------
    code : str
        In the file.
    where : str, optional
        If it is not that of the file.
    of : tuple of int, optional
        How many of how many rows, where the words are said of rows.
    values : object
        What stands in braces.

    Examples
    --------
    >>> print(refusal("no-row", "results.csv"))
    no row is left
      where: results.csv
      to do: select other systems, datasets or metrics
    >>> print(refusal("other-scores", "lines 2 and 4", of=(2, 9)).args[0])
    2 of 9 scores are not k / n
    """
    words = {part: text.format(**values) for part, text in words_of(code).items()}
    if of is not None:
        number, total = of
        words["problem"] = f"{number:,} of {total:,} {words['one' if number == 1 else 'many']}{words.get('more', '')}"
    error: type[ReportkitError] = getattr(errors, words["error"])
    return error(words["problem"], where=where or words.get("where"), remedy=words["remedy"])
