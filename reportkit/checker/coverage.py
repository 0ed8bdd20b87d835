"""What was looked at, and what could not be: printed after every run, so that silence is not taken for a clean bill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from reportkit.checker.paper.source import Span
from reportkit.rendering.text.escaping import visible

Place = Literal["results", "table", "text", "p-value"]
Key = tuple[int, Span]
"""Number of the paper, and where in it."""

_ELSEWHERE = "nothing in the paper says what it has to be"
_ALONE = "p-value without its statistic and degrees of freedom"
_WITHOUT_DATA: Mapping[Place, str] = {
    "results": "in a table of results: --data results.csv recomputes it",
    "table": f"in another table: {_ELSEWHERE}",
    "text": f"in the text: {_ELSEWHERE}",
    "p-value": _ALONE,
}
_WITH_DATA: Mapping[Place, str] = {
    "results": "no rule looked at it",
    "table": "no rule looked at it",
    "text": "in the text: its sentence names no system and dataset of the data",
    "p-value": _ALONE,
}


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
    n_results_tables : int
        Those of the tables that print scores.
    places : dict of (int, Span) to str
        Where each number stands; a p-value is one wherever it stands.

    Examples
    --------
    >>> spans = Span(0, 5, 9), Span(0, 12, 16), Span(0, 20, 23)
    >>> places = {(0, span): place for span, place in zip(spans, ("results", "results", "text"), strict=True)}
    >>> coverage = Coverage(n_numbers=3, n_tables=1, n_results_tables=1, data=True, places=places)
    >>> coverage.checked(0, spans[0])
    >>> coverage.unlinked(0, spans[1], "the label 'Ours' names no system")
    >>> print(coverage.text())
    checked 1 of 3 numbers; read 1 table, 1 of results
    linked 1 of 2 numbers of results tables (50%)
    not checked:
      1: in the text: its sentence names no system and dataset of the data
      1: the label 'Ours' names no system
    """

    n_numbers: int = 0
    n_tables: int = 0
    data: bool = False
    n_papers: int = 1
    n_results_tables: int = 0
    places: dict[Key, Place] = field(default_factory=dict)
    _checked: set[Key] = field(default_factory=set)
    _claims: set[Key] = field(default_factory=set)
    _tables: set[Key] = field(default_factory=set)
    _unlinked: dict[Key, str] = field(default_factory=dict)
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

    def results(self, paper: int, spans: Iterable[Span]) -> None:
        """A table prints scores of the data: its numbers stand in a table of results, whatever its words are."""
        others = [(paper, span) for span in spans if self.places.get((paper, span)) == "table"]
        self.places.update(dict.fromkeys(others, "results"))
        self.n_results_tables += bool(others)

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
        """Why numbers were not checked, the most frequent reason first."""
        listed = Counter(self._unlinked.values())
        said = self._checked | self._unlinked.keys()
        for key, place in self.places.items():
            if key not in said:
                listed[_WITH_DATA[place] if self.data else _WITHOUT_DATA[place]] += 1
        return dict(sorted(listed.items(), key=lambda item: (-item[1], item[0])))

    def of_place(self, place: Place) -> tuple[int, int]:
        """How many numbers of a place were checked, and how many there are."""
        keys = {key for key, where in self.places.items() if where == place}
        return len(keys & self._checked), len(keys)

    def text(self, most: int = 4) -> str:
        """A few lines for the end of a run."""
        if not self.n_papers:
            return "no paper was given: only the results were checked"
        parts = [f"checked {self.n_checked:,} of {_count(self.n_numbers, 'number')}"]
        p_values, n_p_values = self.of_place("p-value")
        if n_p_values:
            parts.append(f"{p_values:,} of {_count(n_p_values, 'p-value')}")
        if self.n_claims:
            parts.append(_count(self.n_claims, "claim"))
        tables = _count(self.n_tables, "table") if self.n_tables else "no table"
        with_results = f", {self.n_results_tables:,} of results" if self.n_tables else ""
        lines = [f"{', '.join(parts)}; read {tables}{with_results}"]
        linked, of_results = self.of_place("results")
        if self.data and of_results:
            lines.append(f"linked {linked:,} of {of_results:,} numbers of results tables ({linked / of_results:.0%})")
        counts = dict(list(self.reasons.items())[:most])
        further = sum(self.reasons.values()) - sum(counts.values())
        if further:
            counts[f"{len(self.reasons) - most:,} other reasons"] = further
        if counts:
            width = len(f"{max(counts.values()):,}")
            lines.append("not checked:")
            lines += [f"  {count:>{width},}: {reason}" for reason, count in counts.items()]
        return "\n".join([*lines, *self.notes])

    def to_dict(self) -> dict[str, object]:
        """Return the counts for machines."""
        places = {place: self.of_place(place) for place in ("results", "p-value")}
        return {
            "numbers": self.n_numbers,
            "numbers_checked": self.n_checked,
            "tables": self.n_tables,
            "tables_checked": self.n_tables_checked,
            "results_tables": self.n_results_tables,
            "results_numbers": places["results"][1],
            "results_numbers_checked": places["results"][0],
            "p_values": places["p-value"][1],
            "p_values_checked": places["p-value"][0],
            "claims_checked": self.n_claims,
            "not_linked": self.reasons,
            "notes": list(self.notes),
        }


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
