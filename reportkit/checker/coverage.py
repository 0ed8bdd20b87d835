"""Count the compared numbers of a paper, and the reasons for the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from reportkit.checker.labels import p_heading
from reportkit.checker.paper.document import Document
from reportkit.checker.paper.printed_number import located_numbers
from reportkit.checker.paper.source import Span
from reportkit.checker.printed_test import P_VALUE, STATISTIC
from reportkit.checker.vocabulary import is_results
from reportkit.language import short_repr
from reportkit.rendering.text.escaping import visible

Key = tuple[int, Span]
"""Number of the paper, and place of a number."""
MOST_REASONS = 4


@dataclass(eq=False)
class Coverage:
    """A record of everything that rules looked at.

    Parameters
    ----------
    documents : sequence of Document
        The papers.
    data : bool
        Whether there is something to compare with besides the papers.
    off : sequence of str
        Codes of rules that are not selected.

    Examples
    --------
    >>> from reportkit.checker.engine import check_documents
    >>> from reportkit.checker.paper.reading import document_of
    >>> paper = document_of("It grew, $t(28) = 2.20$, $p = .036$. It fell ($p = .2$).")
    >>> print(check_documents([paper]).coverage.text())
    read 4 numbers, 2 of them p-values, and no table
    compared: 1 p-value, which agrees
    not compared: 1 p-value without a statistic and its degrees of freedom
    """

    documents: Sequence[Document] = ()
    data: bool = False
    off: Sequence[str] = ()
    _compared: dict[Key, tuple[str, bool]] = field(default_factory=dict)
    _claims: set[Key] = field(default_factory=set)
    _unlinked: dict[Key, str] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    _p_values: dict[Key, bool] = field(default_factory=dict)
    tables: list[tuple[set[Key], bool]] = field(default_factory=list)
    _numbers: set[Key] = field(default_factory=set)

    __repr__ = short_repr

    def __post_init__(self) -> None:
        for paper, document in enumerate(self.documents):
            self._numbers |= {(paper, number.span) for number in document.numbers}
            for sentence in document.sentences:
                text = sentence.text.text
                ends = {match.end("p") for match in P_VALUE.finditer(text)} if sentence.numbers else set()
                bare = bool(ends) and STATISTIC.search(text) is None
                for _, end, number in located_numbers(sentence.text) if ends else ():
                    if end in ends:
                        self._p_values[paper, number.span] = bare
            for table in document.tables:
                keys = {(paper, number.span) for cell in table.body() for number in cell.numbers}
                self.tables.append((keys, is_results(table)))
                for line in table.lines:
                    if any(p_heading(table, text) for text in line.headings[-1:]):
                        spans = [cell.number.span for cell in line.cells if cell.number is not None]
                        self._p_values.update(((paper, span), True) for span in spans)

    def compared(self, paper: int, span: Span, kind: str, *, agrees: bool) -> None:
        """Note that a number was compared with its right value, and whether it agreed."""
        kind, before = self._compared.get((paper, span), (kind, True))
        self._compared[paper, span] = kind, agrees and before
        self._unlinked.pop((paper, span), None)

    def claim(self, paper: int, span: Span) -> None:
        """Note that a claim in words was looked at."""
        self._claims.add((paper, span))

    def unlinked(self, paper: int, span: Span, reason: str) -> None:
        """Note why a number could not be linked to the data."""
        if (paper, span) not in self._compared:
            self._unlinked[paper, span] = visible(reason)

    def note(self, text: str) -> None:
        """Note something about the whole paper that is not a finding."""
        self.notes[visible(text)] = None

    @property
    def kinds(self) -> dict[str, tuple[int, int]]:
        """Return, for each kind, how many values were compared and how many agree."""
        found: dict[str, list[bool]] = {}
        for kind, agrees in self._compared.values():
            found.setdefault(kind, []).append(agrees)
        return {kind: (len(agree), sum(agree)) for kind, agree in found.items()}

    @property
    def reasons(self) -> dict[str, int]:
        """Return the reasons why numbers were not compared, the most frequent first."""
        done = self._compared.keys()
        listed = Counter(reason for key, reason in self._unlinked.items() if key not in done)
        alone = sum(bare for key, bare in self._p_values.items() if key not in done)
        if alone and "RK107" not in self.off:
            listed[f"p-value{'s' * (alone > 1)} without a statistic and its degrees of freedom"] += alone
        return dict(sorted(listed.items(), key=lambda item: (-item[1], item[0])))

    def listing(self) -> list[tuple[str, int, int, str, str, bool]]:
        """List everything that was compared: file, line, column, printed text, kind, and whether it agrees."""
        found = []
        for (paper, span), (kind, agrees) in sorted(self._compared.items()):
            document = self.documents[paper]
            path, line, column, *_ = document.location(span)
            found.append((path.as_posix(), line, column, document.source(span), kind, agrees))
        return found

    def text(self) -> str:
        """Return a few lines for the end of a run."""
        if not self.documents:
            return "no paper was given: only the results were checked"
        n = len(self._p_values)
        p_values = f", {n:,} of them {'a p-value' if n == 1 else 'p-values'}," if n else ""
        results = sum(scores for _, scores in self.tables)
        tables = f"{_count(len(self.tables), 'table')}, {results:,} of results" if len(self.tables) else "no table"
        lines = [f"read {_count(len(self._numbers), 'number')}{p_values} and {tables}"]
        parts = [
            f"{_count(n, kind)}, {_agreeing(n, agree)}"
            for kind, (n, agree) in sorted(self.kinds.items(), key=lambda item: -item[1][0])
        ]
        if self._claims:
            parts.append(_count(len(self._claims), "claim"))
        lines.append(f"compared: {'; '.join(parts)}" if parts else "compared: nothing")
        if self.data and self._results:
            linked = sum(kind.endswith("data") for key, (kind, _) in self._compared.items() if key in self._results)
            n = len(self._results)
            lines.append(f"linked {linked:,} of {n:,} numbers of results tables ({linked / n:.0%})")
        reasons = list(self.reasons.items())
        if reasons:
            shown = [f"{count:,} {reason}" for reason, count in reasons[:MOST_REASONS]]
            rest = sum(count for _, count in reasons[MOST_REASONS:])
            lines.append("not compared: " + "; ".join([*shown, *([f"{rest:,} for other reasons"] if rest else [])]))
        if self.off:
            named = f" ({', '.join(self.off)})" if len(self.off) <= MOST_REASONS else ""
            lines.append(f"off: {_count(len(self.off), 'rule')}{named}; --select ALL turns all on")
        return "\n".join([*lines, *self.notes])

    @property
    def _results(self) -> set[Key]:
        """Numbers of tables that print scores, or are compared with the data."""
        linked = {key for key, (kind, _) in self._compared.items() if kind.endswith("data")}
        return {key for keys, scores in self.tables if scores or keys & linked for key in keys}

    def to_dict(self) -> dict[str, object]:
        """Return the counts for machines."""
        done = self._compared.keys()
        return {
            "numbers": len(self._numbers),
            "numbers_checked": len(self._numbers & done),
            "tables": len(self.tables),
            "results_numbers": len(self._results),
            "results_numbers_checked": len(self._results & done),
            "p_values": len(self._p_values),
            "p_values_checked": len(self._p_values.keys() & self._compared.keys()),
            "claims_checked": len(self._claims),
            "compared": [{"kind": kind, "n": n, "agree": agree} for kind, (n, agree) in self.kinds.items()],
            "not_linked": self.reasons,
            "rules_off": list(self.off),
            "notes": list(self.notes),
        }


def _agreeing(n: int, agree: int) -> str:
    if agree == n:
        return "which agrees" if n == 1 else "all agree"
    return f"{agree:,} agree" if agree else ("which does not agree" if n == 1 else "none agrees")


def _count(number: int, noun: str) -> str:
    """Write a number with its noun: "3 numbers of a table with the data"."""
    if number == 1:
        return f"1 {noun}"
    head, *rest = re.split(r"(?= (?:of|in|with) )", noun, maxsplit=1)
    return f"{number:,} {head}s{''.join(rest)}"
