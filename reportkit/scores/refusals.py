"""Errors and findings about scores, in the words of `refusals.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from reportkit import errors
from reportkit.errors import ReportkitError
from reportkit.finding import Finding


@cache
def words_of(code: str) -> dict[str, Any]:
    """Return the words of the refusal that a code names."""
    found: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))[code]
    return found


def refusal(code: str, where: str | None = None, *, of: tuple[int, int] | None = None, **values: object) -> Exception:
    """Return the error that a code names.

    Parameters
    ----------
    code : str
        Name of the refusal in `refusals.toml`.
    where : str, optional
        Place of the fault, if `refusals.toml` does not say it.
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
    >>> print(refusal("weights", "lines 2 and 4", of=(2, 9), shown="0 and 0").args[0])
    2 of 9 weights are not positive: 0 and 0
    """
    words = {part: text.format(**values) for part, text in words_of(code).items()}
    if of is not None:
        number, total = of
        words["problem"] = f"{number:,} of {total:,} {words['one' if number == 1 else 'many']}{words.get('more', '')}"
    error: type[ReportkitError] = getattr(errors, words["error"])
    return error(words["problem"], where=where or words.get("where"), remedy=words["remedy"])


def notice(code: str, where: str = "", **values: object) -> Finding:
    """Return the finding of a code.

    Examples
    --------
    >>> notice("unequal-sizes", "'cb' and 'mnli'", low=56, high=9_832).message
    'Datasets have from 56 to 9,832 instances; a count of datasets treats them alike.'
    """
    words = words_of(code)
    message, remedy = (words.get(part, "").format(**values) for part in ("message", "remedy"))
    return Finding(code, words["severity"], message, where=where, remedy=remedy)
