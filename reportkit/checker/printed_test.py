"""Statistics and p-values as papers print them: in sentences, and in the rows of tables of regressions and tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportkit.checker.labels import normalised, p_heading
from reportkit.checker.paper.document import Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import MappedText
from reportkit.checker.patterns import SECTIONS

NUMBER = r"[+\-−–]?\s?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+\-−]?\d+|\s*[×·]\s*10\^[+\-−]?\d+)?"
_DF = r"(?:\d+(?:\.\d+)?|\.\d+)"
STATISTIC = re.compile(
    r"(?<![\w])(?:"
    rf"(?P<t>t)\s*(?:_?\(\s*(?:df\s*=\s*)?|_)(?P<t_df>{_DF})\)?"
    rf"|(?P<F>F)\s*(?:_?\(|_)\s*(?P<F_df1>{_DF})\s*,\s*(?P<F_df2>{_DF})\)?"
    rf"|(?P<r>r)\s*(?:_?\(\s*(?:df\s*=\s*)?|_)(?P<r_df>{_DF})\)?"
    rf"|(?P<chi>(?:χ|X|chi)(?:\^?2|²|-squared)?)\u200b?\s*(?:_?\(|_)\s*(?P<chi_df>{_DF})\s*(?:,\s*[Nn]\s*=\s*[\d,]+\s*)?\)?"
    r"|(?P<z>[zZ])(?!\s*\()|(?P<bare>t)(?![\w(])"
    rf")\s*=\s*(?P<value>{NUMBER})"
)
P_VALUE = re.compile(
    rf"(?<![\w-])[pP](?:\s*-?\s*values?)?\s*(?:is|of|was)?\s*(?P<relation>[<>=≤≥]|<=|>=)\s*(?P<p>{NUMBER})(?![\d^])"
)
MOST_BETWEEN = 40
"""Characters between a statistic and its p-value."""
FARTHEST = 60
"""Characters between a coefficient and its statistic, or a statistic and its effect size."""
DEGREES = re.compile(rf"[\s,;(]*(?:with )?(?:df|d\.f\.|degrees of freedom)\s*(?:=|of)?\s*(?P<df>{_DF})")


@dataclass(frozen=True, slots=True)
class Reported:
    """A statistic and the p-value beside it, as printed."""

    kind: str
    degrees: tuple[float, ...]
    statistic: PrintedNumber
    p: PrintedNumber

    def p_values(self) -> tuple[float, float]:
        """Smallest and largest two-sided p of the statistics that are printed so."""
        low, high = self.statistic.low, self.statistic.high
        if self.kind in ("F", "chi"):
            low, high = max(low, 0.0), max(high, 0.0)
        elif low < 0 < high:
            low, high = 0.0, max(abs(low), high)
        else:
            low, high = sorted((abs(low), abs(high)))
        if self.kind == "bare":
            return _z(high, ()) / 2, _t(low, (1.0,))  # of whatever degrees of freedom, on one side or both
        tail = _TAILS[self.kind]
        return tail(high, self.degrees), tail(low, self.degrees)


def _t(value: float, degrees: tuple[float, ...]) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(degrees[0], -value))


def _f(value: float, degrees: tuple[float, ...]) -> float:
    from scipy.special import fdtrc

    return float(fdtrc(degrees[0], degrees[1], value))


def _r(value: float, degrees: tuple[float, ...]) -> float:
    value = min(value, 1.0)
    if value == 1.0:
        return 0.0
    return _t(value * (degrees[0] / (1 - value * value)) ** 0.5, degrees)


def _z(value: float, degrees: tuple[float, ...]) -> float:
    from scipy.special import ndtr

    return float(2 * ndtr(-value))


def _chi(value: float, degrees: tuple[float, ...]) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(degrees[0], value))


_TAILS: dict[str, Callable[[float, tuple[float, ...]], float]] = {
    "t": _t, "F": _f, "r": _r, "z": _z, "chi": _chi, "bare": _z,
}  # fmt: skip


def reported_results(text: MappedText) -> Iterator[Reported]:
    """Find statistics with a p-value beside them.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> (sentence,) = document_of("The effect holds, $t(28) = 2.20$, $p = .036$.").sentences
    >>> [(item.kind, item.degrees, item.p.text) for item in reported_results(sentence.text)]
    [('t', (28.0,), '.036')]
    """
    content = text.text
    if "p" not in content and "P" not in content:
        return
    numbers = located_numbers(text)
    found = list(STATISTIC.finditer(content))
    for index, match in enumerate(found):
        limit = min(match.end() + MOST_BETWEEN, found[index + 1].start() if index + 1 < len(found) else len(content))
        p = P_VALUE.search(content, match.end())
        if p is None or p.start() > limit:
            continue
        kind = next(name for name in _TAILS if match[name])
        degrees = tuple(float(match[name]) for name in (f"{kind}_df", f"{kind}_df1", f"{kind}_df2")
                        if name in match.groupdict() and match[name])  # fmt: skip
        beside = DEGREES.match(content, match.end()) if kind == "bare" else None
        if beside is not None:
            kind, degrees = "t", (float(beside["df"]),)
        statistic, printed = number_at(numbers, match.end("value")), number_at(numbers, p.end("p"))
        if statistic is not None and printed is not None and all(degree > 0 for degree in degrees):
            yield Reported(kind, degrees, statistic, printed)


_COLUMNS = {kind: frozenset(names) for kind, names in SECTIONS["test_columns"].items()}


def rows_of_tests(table: Table) -> Iterator[Mapping[str, PrintedNumber]]:
    """Yield coefficient, standard error, t or z, and p of each row of a table of a regression or of tests.

    Parameters
    ----------
    table : Table
        With one column headed t or z; others yield nothing.

    Yields
    ------
    mapping of {"coefficient", "error", "t", "z", "p"} to PrintedNumber
        What a row holds of them.
    """
    columns = {kind: _column(table, names) for kind, names in _COLUMNS.items()}
    if columns["t"] is None and columns["z"] is None:
        return
    for row in range(table.n_header_rows, table.n_rows):
        cells = {name: table.grid[row][at] for name, at in columns.items() if at is not None}
        numbers = {name: cell.lone for name, cell in cells.items() if cell.n_columns == 1}
        yield {name: number for name, number in numbers.items() if number is not None}


def _column(table: Table, names: frozenset[str]) -> int | None:
    """The one column with such a heading."""
    found = [
        column
        for column in range(table.n_header_columns, table.n_columns)
        if any(normalised(text) in names for text in table.column_header(column)[-1:])
        and not (names is _COLUMNS["p"] and not any(p_heading(table, t) for t in table.column_header(column)[-1:]))
    ]
    return found[0] if len(found) == 1 else None


def number_at(numbers: Sequence[tuple[int, int, PrintedNumber]], end: int) -> PrintedNumber | None:
    """The number that ends at a place of a text."""
    return next((number for _, stop, number in numbers if stop == end), None)


def possible(p: PrintedNumber) -> bool:
    """Whether a p-value can be printed so: not above 1, not below 0."""
    return p.relation not in ("=", "<", "≤") or (p.low <= 1 + 1e-9 and p.high >= 0)


def opposite(one: PrintedNumber, other: PrintedNumber) -> bool:
    """Whether two numbers have different signs, however they were rounded."""
    return one.high < 0 < other.low or other.high < 0 < one.low
