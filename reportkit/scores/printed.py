"""What a paper prints: two scores and a p-value per dataset, kept as they are written."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from reportkit.errors import InputError, MissingScoresError, ScoreValueError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.choices import PRINTED_OPTIONAL, PRINTED_REQUIRED
from reportkit.scores.rounding_cell import NUMBER, P_VALUE_REMEDY, p_value_cell, parsed_p_value
from reportkit.scores.table.names import refuse_half_characters
from reportkit.scores.table.row_numbers import LISTED, names_text, quoted, rows_text, share
from reportkit.scores.table.score_values import MISSING_SPELLINGS

_DEFAULT_SYSTEMS = ("A", "B")
_LONGEST_SCORE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """One row of a table: system A against system B on one dataset.

    Parameters
    ----------
    dataset, system_a, system_b : str
        Names.
    score_a, score_b, p_value : str
        As printed: "0.050" and "0.05" were not rounded in the same way.
    n : int, optional
        Number of instances.
    """

    dataset: str
    system_a: str
    system_b: str
    score_a: str
    score_b: str
    p_value: str
    n: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedResults:
    """A table of a paper, in its own order.

    Parameters
    ----------
    rows : tuple of PrintedRow
        As printed.
    higher_is_better : bool
        Direction of the scores.
    columns : dict of str to str
        Role to column name in the input.
    unused_columns : tuple of str
        Columns of the input that play no role.
    findings : tuple of Finding
        What was noticed.
    source : str
        Name of the file or "DataFrame".
    p_values : tuple of str
        The column of p-values, of all rows of the input: how finely they are printed.
    """

    rows: tuple[PrintedRow, ...]
    higher_is_better: bool = True
    columns: dict[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    source: str = "DataFrame"
    p_values: tuple[str, ...] = ()

    @property
    def cells(self) -> list[tuple[float, float, float]]:
        """Of each row, the p-values that would have been printed like its own: lowest, the one to use, highest."""
        return [p_value_cell(row.p_value, self.p_values) for row in self.rows]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """(system_a, system_b), each pair once, in order."""
        return tuple(dict.fromkeys((row.system_a, row.system_b) for row in self.rows))

    def select(self, *, datasets: Iterable[str] | None = None) -> PrintedResults:
        """Keep some datasets, in their order.

        Raises
        ------
        UnknownNameError
            If a name does not occur.
        """
        if datasets is None:
            return self
        wanted = frozenset(datasets)
        known = tuple(dict.fromkeys(row.dataset for row in self.rows))
        for name in sorted(wanted.difference(known)):
            raise UnknownNameError("dataset", name, known)
        return replace(self, rows=tuple(row for row in self.rows if row.dataset in wanted))

    def digest(self) -> str:
        """SHA-256 of everything that is printed, 64 hexadecimal digits."""
        total = hashlib.sha256(str(self.higher_is_better).encode())
        for row in self.rows:
            texts = [row.dataset, row.system_a, row.system_b, row.score_a, row.score_b, row.p_value, str(row.n)]
            total.update("\x1f".join(texts).encode("utf-8", "surrogatepass") + b"\x1e")
        return total.hexdigest()


def printed_from_frame(
    frame: pd.DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    system_a: str | None = None,
    system_b: str | None = None,
    higher_is_better: bool = True,
    source: str = "DataFrame",
) -> PrintedResults:
    """Read a table with one row per dataset: `dataset, score_a, score_b, p_value`.

    Parameters
    ----------
    frame : DataFrame
        With columns under the names of their roles; `n`, `system_a` and `system_b` may be among them. Texts are
        kept as they are; numbers are written in the shortest way.
    columns : dict of str to str, optional
        Role to the name of the column in the input, for messages.
    system_a, system_b : str, optional
        Names of the systems, if no columns name them ("A" and "B" if nothing does); otherwise, the pair to keep.
    higher_is_better : bool
        Direction of the scores.
    source : str
        Name of the file, or "DataFrame".

    Returns
    -------
    PrintedResults

    Raises
    ------
    MissingScoresError
        If a cell is empty.
    ScoreValueError
        If a score is not a number, or a p-value not one between 0 and 1.
    InputError
        If a dataset occurs twice for one pair of systems.
    UnknownNameError
        If `system_a` and `system_b` name no pair of the table.

    Examples
    --------
    >>> frame = pd.DataFrame({"dataset": ["BC"], "score_a": ["90.73"], "score_b": ["89.05"], "p_value": ["0.0001"]})
    >>> printed_from_frame(frame, system_a="Mate", system_b="SpaCy").rows[0].p_value
    '0.0001'
    """
    said = {role: (columns or {}).get(role, role) for role in (*PRINTED_REQUIRED, *PRINTED_OPTIONAL) if role in frame}
    texts = {role: _texts(frame[role], role, name, source) for role, name in said.items()}
    for role in ("score_a", "score_b"):
        texts[role] = [text.replace("−", "-") for text in texts[role]]  # a minus as typesetters write it
        _refuse(
            [place for place, text in enumerate(texts[role]) if not _is_score(text)],
            texts[role],
            ("scores is not a number", "scores are not numbers"),
            where=(said[role], source),
            remedy="write scores as plain numbers with a point: 93.1, without marks, percent signs or bold",
        )
    _refuse(
        [place for place, text in enumerate(texts["p_value"]) if parsed_p_value(text) is None],
        texts["p_value"],
        ("p-values is not a number from 0 to 1", "p-values are not numbers from 0 to 1"),
        where=(said["p_value"], source),
        remedy=P_VALUE_REMEDY,
    )
    rows = [
        PrintedRow(
            dataset=texts["dataset"][place],
            system_a=texts["system_a"][place] if "system_a" in texts else system_a or _DEFAULT_SYSTEMS[0],
            system_b=texts["system_b"][place] if "system_b" in texts else system_b or _DEFAULT_SYSTEMS[1],
            score_a=texts["score_a"][place],
            score_b=texts["score_b"][place],
            p_value=texts["p_value"][place],
            n=_count(texts["n"][place], place, said["n"], source) if "n" in texts else None,
        )
        for place in range(len(frame))
    ]
    _refuse_repeated(rows, source)
    return PrintedResults(
        rows=tuple(_chosen(rows, texts, system_a, system_b)),
        higher_is_better=higher_is_better,
        columns=said,
        findings=tuple(_findings(rows)),
        source=source,
        p_values=tuple(texts["p_value"]),
    )


def _texts(series: pd.Series[Any], role: str, name: str, source: str) -> list[str]:
    cells = [_text(cell) for cell in series]
    refuse_half_characters(cells, f"{role}s", f"column {name!r}")
    named = role in ("dataset", "system_a", "system_b")  # a system may be called "NA"
    absent = {""} if named else MISSING_SPELLINGS
    empty = [place for place, cell in enumerate(cells) if cell.casefold() in absent]
    if empty and role != "n":
        raise MissingScoresError(
            share(len(empty), len(cells), f"rows has no {role}", f"rows have no {role}")
            + f": column {name!r} is empty there",
            where=rows_text(empty, source),
            remedy="complete the rows, or remove the datasets with nothing printed",
        )
    return cells


def _text(cell: Any) -> str:
    if cell is None or cell is pd.NA or (isinstance(cell, float) and np.isnan(cell)):
        return ""
    return (str(cell) if not isinstance(cell, np.floating) else repr(cell.item())).strip()


def _refuse(
    bad: Sequence[int], texts: Sequence[str], words: tuple[str, str], *, where: tuple[str, str], remedy: str
) -> None:
    """Refuse cells that are no numbers, if there are any."""
    if bad:
        examples = list(dict.fromkeys(quoted(texts[place]) for place in bad))
        raise ScoreValueError(
            f"{share(len(bad), len(texts), *words)}: column {where[0]!r} holds {listed(examples, LISTED)}",
            where=rows_text(bad, where[1]),
            remedy=remedy,
        )


def _is_score(text: str) -> bool:
    return bool(len(text) <= _LONGEST_SCORE and re.fullmatch(NUMBER, text) and math.isfinite(float(text)))


def _count(text: str, place: int, name: str, source: str) -> int | None:
    if text.casefold() in MISSING_SPELLINGS:
        return None
    number = text.removesuffix(".0")  # a column of whole numbers with an empty cell is one of floats
    if not re.fullmatch(r"0*[1-9][0-9]{0,14}", number):
        raise ScoreValueError(
            f"the number of instances is {quoted(text)}: column {name!r}",
            where=rows_text([place], source),
            remedy="write a whole number of at least 1, without commas, or leave the cell empty",
        )
    return int(number)


def _refuse_repeated(rows: Sequence[PrintedRow], source: str) -> None:
    places: dict[tuple[str, str, str], list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault((row.dataset, row.system_a, row.system_b), []).append(place)
    repeated = {key: found for key, found in places.items() if len(found) > 1}
    if repeated:
        (dataset, a, b), found = next(iter(repeated.items()))
        raise InputError(
            counted(len(repeated), "dataset occurs", "datasets occur") + " more than once for a pair of systems",
            where=f"{quoted(dataset)}, {quoted(a)} against {quoted(b)}: {rows_text(found, source)}",
            remedy="keep one row per dataset and pair; name the systems of other pairs in columns system_a, system_b",
        )


def _chosen(
    rows: Sequence[PrintedRow], texts: Mapping[str, Sequence[str]], system_a: str | None, system_b: str | None
) -> Sequence[PrintedRow]:
    """Rows of the pair that was asked for, if the table names its systems."""
    if "system_a" in texts and system_a is not None:
        rows = _of(rows, "system_a", system_a)
    if "system_b" in texts and system_b is not None:
        rows = _of(rows, "system_b", system_b)
    return rows


def _of(rows: Sequence[PrintedRow], role: str, name: str) -> Sequence[PrintedRow]:
    kept = [row for row in rows if getattr(row, role) == name]
    if not kept:
        raise UnknownNameError(role.replace("_", " "), name, dict.fromkeys(getattr(row, role) for row in rows))
    return kept


def _findings(rows: Sequence[PrintedRow]) -> Iterator[Finding]:
    zeros = [row.dataset for row in rows if (parsed := parsed_p_value(row.p_value)) is not None and parsed[2] == 0]
    if zeros:
        yield Finding(
            "printed-zero",
            "info",
            "A p-value is never 0: a printed 0 is read as the largest p-value that rounds to it.",
            where=f"datasets {names_text(zeros)}",
        )
