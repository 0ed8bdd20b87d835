"""What was looked at, and what could not be: printed after every run, so that silence is not taken for a clean bill."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from reportkit.checker.paper.source import Span
from reportkit.rendering.text.escaping import visible


@dataclass(slots=True)
class Coverage:
    """Counts of numbers, tables and claims.

    Rules report to it while they run; each number, table and claim counts once, whichever rules looked at it.

    Parameters
    ----------
    n_numbers, n_tables : int
        In the papers.
    data : bool
        Whether there were data to check against.
    n_papers : int
        Papers read.

    Examples
    --------
    >>> coverage = Coverage(n_numbers=3, n_tables=1, data=True)
    >>> coverage.checked(0, Span(0, 5, 9))
    >>> coverage.unlinked(0, Span(0, 12, 16), "the label 'Ours' names no system")
    >>> print(coverage.text())
    checked 1 of 3 numbers in 1 table against the data
    not checked against the data:
      1: the label 'Ours' names no system
      1: no rule looked at it
    """

    n_numbers: int = 0
    n_tables: int = 0
    data: bool = False
    n_papers: int = 1
    _checked: set[tuple[int, Span]] = field(default_factory=set)
    _claims: set[tuple[int, Span]] = field(default_factory=set)
    _tables: set[tuple[int, Span]] = field(default_factory=set)
    _unlinked: dict[tuple[int, Span], str] = field(default_factory=dict)
    _notes: dict[str, None] = field(default_factory=dict)

    def checked(self, paper: int, span: Span) -> None:
        """A number was compared with what it has to be."""
        self._checked.add((paper, span))
        self._unlinked.pop((paper, span), None)

    def claim(self, paper: int, span: Span) -> None:
        """A claim in words was checked."""
        self._claims.add((paper, span))

    def table(self, paper: int, span: Span) -> None:
        """At least one cell of a table was checked."""
        self._tables.add((paper, span))

    def unlinked(self, paper: int, span: Span, reason: str) -> None:
        """A number could not be linked to the data."""
        if (paper, span) not in self._checked:
            self._unlinked[paper, span] = visible(reason)

    def note(self, text: str) -> None:
        """Something to know about the whole paper that is no finding."""
        self._notes[visible(text)] = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known and no finding, each once."""
        return tuple(self._notes)

    @property
    def n_checked(self) -> int:
        """Numbers compared with the data or with other numbers."""
        return len(self._checked)

    @property
    def n_claims(self) -> int:
        """Claims in words that were checked."""
        return len(self._claims)

    @property
    def n_tables_checked(self) -> int:
        """Tables of which at least one cell was checked."""
        return len(self._tables)

    @property
    def reasons(self) -> dict[str, int]:
        """Why numbers were not linked, the most frequent reason first."""
        return dict(sorted(Counter(self._unlinked.values()).items(), key=lambda item: (-item[1], item[0])))

    def text(self, most: int = 4) -> str:
        """A few lines for the end of a run."""
        if not self.n_papers:
            return "no paper was given: only the results were checked"
        numbers, tables = _count(self.n_numbers, "number"), _count(self.n_tables, "table")
        against = " against the data" if self.data else ""
        lines = [f"checked {self.n_checked:,} of {numbers} in {tables}{against}"]
        if self.n_claims:
            lines[0] += f", {_count(self.n_claims, 'claim')}"
        counts = dict(list(self.reasons.items())[:most])
        further = sum(self.reasons.values()) - sum(counts.values())
        if further:
            counts[f"{len(self.reasons) - most:,} other reasons"] = further
        rest = self.n_numbers - self.n_checked - len(self._unlinked)
        if rest > 0 and self.data:
            counts["no rule looked at it"] = rest
        if counts:
            width = len(f"{max(counts.values()):,}")
            lines.append("not checked against the data:")
            lines += [f"  {count:>{width},}: {reason}" for reason, count in counts.items()]
        elif not self.data and self.n_numbers:
            lines.append("no data were given: --data results.csv recomputes the numbers of the tables")
        return "\n".join([*lines, *self.notes])

    def to_dict(self) -> dict[str, object]:
        """Return the counts for machines."""
        return {
            "numbers": self.n_numbers,
            "numbers_checked": self.n_checked,
            "tables": self.n_tables,
            "tables_checked": self.n_tables_checked,
            "claims_checked": self.n_claims,
            "not_linked": self.reasons,
            "notes": list(self.notes),
        }


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
