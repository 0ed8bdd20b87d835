"""Statistics and p-values as papers print them: in sentences, and in the rows of tables of regressions and tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reportkit.checker.labels import normalised, p_heading
from reportkit.checker.paper.document import Table
from reportkit.checker.paper.printed_number import PrintedNumber, number_in
from reportkit.checker.paper.source import MappedText
from reportkit.checker.patterns import SECTIONS, patterns

STATISTIC, P_VALUE, ESTIMATE, DEGREES = patterns("printed_test").values()
"""A statistic; a p-value; an estimate with its standard error and p; degrees of freedom after a t."""
MOST_BETWEEN = 40
"""Characters between a statistic and its p-value."""
FARTHEST = 60
"""Characters between a coefficient and its statistic, or a statistic and its effect size."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A statistic and the p-value next to it, as printed.

    Parameters
    ----------
    kind : {"t", "F", "r", "z", "chi", "bare"}
        "bare": a t of whatever degrees of freedom.
    degrees : tuple of float
        Degrees of freedom.
    low, high : float
        Smallest and largest statistic that rounds to the printed one.
    text : str
        The statistic as the paper prints it.
    p : PrintedNumber
        As printed.
    """

    kind: str
    degrees: tuple[float, ...]
    low: float
    high: float
    text: str
    p: PrintedNumber

    def p_values(self) -> tuple[float, float]:
        """Return the smallest and largest two-sided p of the statistics that round to the printed one."""
        ends = sorted((abs(self.low), abs(self.high)))
        low, high = (max(self.low, 0.0) if self.low < 0 < self.high or self.kind in ("F", "chi") else ends[0]), ends[1]
        if self.kind == "bare":
            return _p_value("z", high, ()) / 2, _p_value("t", low, (1.0,))  # one-sided or two-sided
        return _p_value(self.kind, high, self.degrees), _p_value(self.kind, low, self.degrees)


def _p_value(kind: str, value: float, degrees: tuple[float, ...]) -> float:
    """Return the two-sided p of a statistic that is not negative."""
    from scipy import special

    if kind == "F":
        return float(special.fdtrc(degrees[0], degrees[1], value))
    if kind == "chi":
        return float(special.chdtrc(degrees[0], value))
    if kind == "z":
        return float(2 * special.ndtr(-value))
    if kind == "r":
        if value >= 1:
            return 0.0
        value *= (degrees[0] / (1 - value * value)) ** 0.5
    return float(2 * special.stdtr(degrees[0], -value))


def reported_results(text: MappedText) -> Iterator[Reported]:
    """Find statistics, or estimates with their standard errors, with a p-value next to them.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> (sentence,) = document_of("The effect holds, $t(28) = 2.20$, $p = .036$.").sentences
    >>> [(item.kind, item.degrees, item.p.text) for item in reported_results(sentence.text)]
    [('t', (28.0,), '.036')]
    """
    content = text.text
    if "=" not in content:
        return
    found = list(STATISTIC.finditer(content))
    for match, following in zip(found, [*found[1:], None], strict=False):
        limit = min(match.end() + MOST_BETWEEN, following.start() if following else len(content))
        p = P_VALUE.search(content, match.end())
        if p is None or p.start() > limit:
            continue
        kind = next(name for name in ("t", "F", "r", "z", "chi", "bare") if match[name])
        named = match.groupdict()
        degrees = tuple(float(named[f"{kind}_{name}"]) for name in ("df", "df1", "df2") if named.get(f"{kind}_{name}"))
        beside = DEGREES.match(content, match.end()) or DEGREES.match(content, p.end())
        if kind == "bare" and beside is not None:
            kind = match["bare"] if match["bare"] in ("t", "r") else "chi"
            degrees = (float(beside["df"]) - (2 if beside["size"] else 0),)
        if match["bare"] not in (None, "t") and (beside is None or (beside["size"] is None) == (kind == "r")):
            continue  # r goes by n, chi-squared by its degrees of freedom
        statistic, printed = number_in(text, match, "value"), number_in(text, p, "p")
        if statistic is not None and printed is not None and all(degree > 0 for degree in degrees):
            yield Reported(kind, degrees, statistic.low, statistic.high, statistic.text, printed)
    for match in ESTIMATE.finditer(content):
        estimate, error, printed = (number_in(text, match, name) for name in ("estimate", "error", "p"))
        if estimate is not None and error is not None and printed is not None and error.low > 0:
            yield Reported("bare", (), *quotient(estimate, error), f"{estimate.text} / {error.text}", printed)


def quotient(one: PrintedNumber, other: PrintedNumber) -> tuple[float, float]:
    """Return the smallest and largest quotient of numbers that round to two printed ones; the second is positive."""
    ends = [end / side for end in (one.low, one.high) for side in (other.low, other.high)]
    return min(ends), max(ends)


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
    """Return the only column with such a heading."""
    found = [
        column
        for column in range(table.n_header_columns, table.n_columns)
        if any(normalised(text) in names for text in table.column_header(column)[-1:])
        and not (names is _COLUMNS["p"] and not any(p_heading(table, t) for t in table.column_header(column)[-1:]))
    ]
    return found[0] if len(found) == 1 else None


def possible(p: PrintedNumber) -> bool:
    """Return whether a printed p-value is possible: not above 1, not below 0."""
    return p.relation not in ("=", "<", "≤") or (p.low <= 1 + 1e-9 and p.high >= 0)


def opposite(one: PrintedNumber, other: PrintedNumber) -> bool:
    """Return whether two numbers have different signs, however they were rounded."""
    return one.high < 0 < other.low or other.high < 0 < one.low
