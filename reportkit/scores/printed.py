"""Printed results: two scores and a p-value per dataset, kept as they are written."""

from __future__ import annotations

import hashlib
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, field, replace
from decimal import Decimal

import pandas as pd

from reportkit.errors import ScoreValueError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language import counted
from reportkit.scores.choices import PRINTED_ROLES
from reportkit.scores.codes import MISSING_SPELLINGS, names_text, quoted, rows_text
from reportkit.scores.refusals import notice, refusal, words_of

SMALLEST = sys.float_info.min
"""Lower end of a cell that reaches down to 0; no p-value is 0."""

_NUMBER = r"[+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_P_VALUE = re.compile(rf"\s*(?P<sign>[<>=]|<=|>=|≤|≥)?\s*(?P<number>{_NUMBER})\s*")
_NAMES = ("dataset", "system_a", "system_b")


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
    findings: tuple[Finding, ...] = ()
    source: str = "DataFrame"
    p_values: tuple[str, ...] = ()

    @property
    def cells(self) -> list[tuple[float, float, float]]:
        """For each row, the lowest p-value that would be printed like its own, the one to use, and the highest."""
        return [p_value_cell(row.p_value, self.p_values) for row in self.rows]

    def select(self, role: str, names: Iterable[str] | None) -> PrintedResults:
        """Keep the rows of some datasets, or of one system, in their order; all rows, if None.

        Raises
        ------
        UnknownNameError
            If a name does not occur.
        """
        if names is None:
            return self
        wanted, known = list(names), dict.fromkeys(getattr(row, role) for row in self.rows)
        for name in wanted:
            if name not in known:
                raise UnknownNameError(role.replace("_", " "), name, known)
        return replace(self, rows=tuple(row for row in self.rows if getattr(row, role) in wanted))

    def digest(self) -> str:
        """Return the SHA-256 of everything that is printed, 64 hexadecimal digits."""
        total = hashlib.sha256(str(self.higher_is_better).encode())
        for row in self.rows:
            total.update("\x1f".join(map(str, astuple(row))).encode("utf-8", "surrogatepass") + b"\x1e")
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
    said = {role: (columns or {}).get(role, role) for role in PRINTED_ROLES if role in frame}
    texts = {role: ["" if pd.isna(cell) else str(cell).strip() for cell in frame[role]] for role in said}
    if "n" in texts:  # numbers with decimals, if a cell is empty
        texts["n"] = ["" if cell.casefold() in MISSING_SPELLINGS else cell.removesuffix(".0") for cell in texts["n"]]

    def refuse(code: str, role: str, is_wrong: Callable[[str], object]) -> None:
        cells = texts.get(role, [])
        places = [place for place, cell in enumerate(cells) if is_wrong(cell)]
        if places:
            examples = names_text(list(dict.fromkeys(cells[place] for place in places)))
            more = {"role": role, "column": said[role], "examples": examples}
            raise refusal(code, rows_text(places, source), of=(len(places), len(cells)), **more)

    for role in _NAMES:  # one may be called "NA"
        refuse("empty-cell", role, lambda cell: not cell)
    for role in ("score_a", "score_b", "p_value"):
        refuse("empty-cell", role, lambda cell: cell.casefold() in MISSING_SPELLINGS)
    for role in ("score_a", "score_b"):
        refuse("printed-score", role, lambda cell: not re.fullmatch(rf"-?{_NUMBER}", cell) or float(cell) == math.inf)
    refuse("printed-p", "p_value", lambda cell: _parsed(cell) is None)
    refuse("printed-n", "n", lambda cell: not re.fullmatch("|0*[1-9][0-9]{0,14}", cell))
    own = {"system_a": [system_a or "A"] * len(frame), "system_b": [system_b or "B"] * len(frame)} | texts
    sizes = [int(cell) if cell else None for cell in own.pop("n", [""] * len(frame))]
    each = zip(sizes, zip(*own.values(), strict=True), strict=True)
    rows = [PrintedRow(n=n, **dict(zip(own, cells, strict=True))) for n, cells in each]
    keys = [(row.dataset, row.system_a, row.system_b) for row in rows]
    repeated = [key for key, number in Counter(keys).items() if number > 1]
    if repeated:
        number = counted(len(repeated), "dataset occurs", "datasets occur")
        dataset, a, b = map(quoted, repeated[0])
        where = rows_text([place for place, key in enumerate(keys) if key == repeated[0]], source)
        raise refusal("printed-twice", number=number, dataset=dataset, a=a, b=b, rows=where)
    zeros = [row.dataset for row in rows if (one := _parsed(row.p_value)) and one[2] == 0]
    found = PrintedResults(
        rows=tuple(rows),
        higher_is_better=higher_is_better,
        columns=said,
        findings=(notice("printed-zero", f"datasets {names_text(zeros)}"),) if zeros else (),
        source=source,
        p_values=tuple(texts["p_value"]),
    )
    found = found.select("system_a", None if system_a is None else [system_a])
    return found.select("system_b", None if system_b is None else [system_b])


# --- the p-values that are printed alike -----------------------------------------------------------------------------


def p_value_cell(text: str, column_texts: Iterable[str] = ()) -> tuple[float, float, float]:
    """Return the lowest p-value that would be printed like this, the one to use, and the highest.

    A printed 0 stands for the upper end of its cell, and so does "<1e-4": a p-value is never 0, and the upper end never
    claims too much. A bare "0" or "0.0" shows no resolution of its own; that of its column is taken: in a column with
    0.0001 it was rounded from at most 0.00005. Where no number that is written out shows
    more decimals than the 0, the coarsest number in scientific notation says it: four decimals with 1e-4 and 2.1e-5.

    Parameters
    ----------
    text : str
        As printed: "0.0376", "2.1e-05", "0.0", "<.001", ">.99".
    column_texts : iterable of str
        The whole column, for the resolution of a bare 0.

    Returns
    -------
    tuple of float
        (low, value, high), in (0, 1]; low is 2.2e-308 where the cell reaches down to 0.

    Raises
    ------
    ScoreValueError
        If it is not a number between 0 and 1.

    Examples
    --------
    >>> p_value_cell("0.0376")
    (0.03755, 0.0376, 0.03765)
    >>> p_value_cell("0.0", ["0.0", "0.0001", "0.2123"])[1:]
    (5e-05, 5e-05)
    >>> p_value_cell("<1e-4")[1:]
    (0.0001, 0.0001)
    """
    parsed = _parsed(text)
    if parsed is None:
        raise ScoreValueError(f"{quoted(text)} is not a p-value", remedy=words_of("printed-p")["remedy"])
    sign, number, value = parsed
    if sign in ("<", "<=", "≤"):
        return SMALLEST, value, value
    if sign in (">", ">=", "≥"):
        return max(value, SMALLEST), 1.0, 1.0
    last = _last_place(number)
    if value == 0 and "e" not in number and last >= -1:
        found = [one for cell in column_texts if (one := _parsed(cell)) and one[0] in ("", "=") and one[2] > 0]
        finest = min((_last_place(one[1]) for one in found if "e" not in one[1]), default=0)
        coarsest = max((_last_place(one[1]) for one in found if "e" in one[1]), default=0)
        last = min(last, finest if finest < -1 else coarsest)
    exact, half = Decimal(number), Decimal(5).scaleb(last - 1)  # without the noise of binary fractions
    low, high = max(float(exact - half), SMALLEST), min(max(float(exact + half), SMALLEST), 1.0)
    return low, value or high, high


def _parsed(text: str) -> tuple[str, str, float] | None:
    """Return sign, digits and value of a p-value between 0 and 1, else None."""
    match = _P_VALUE.fullmatch(text.replace("−", "-"))  # a minus as typesetters write it
    if match is None:
        return None
    sign, number = match["sign"] or "", match["number"].casefold()
    value, digits = float(number), number.partition("e")[0]
    if value > 1 or (value == 0 and (sign in ("<", "<=", "≤") or re.search("[1-9]", digits))):  # 1e-400 is not a float
        return None
    return sign, number, value


def _last_place(number: str) -> int:
    """Return the exponent of the last printed digit: -4 for 0.0376, -6 for 2.1e-05."""
    return int(Decimal(number).as_tuple().exponent)
