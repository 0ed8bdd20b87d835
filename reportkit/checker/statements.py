"""Numbers that a sentence states of a row and a column whose names it gives: a score, a gain, an average."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from reportkit.checker.labels import AVERAGES, normalised
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.patterns import SECTIONS, patterns

RE = patterns("statements")
MOST_NAMES = 200
SHORTEST = 2
GENERAL = frozenset(SECTIONS["general_headings"]["words"])
"""Headings that sentences also use as common words."""


class Mention(NamedTuple):
    """A name in a text."""

    start: int
    end: int
    name: str


class Names:
    """Names as sentences write them: in full, without parentheses, or by a part that only one of them has.

    Parameters
    ----------
    names : iterable of str
        What is named: headings of a table, systems of the data.
    given : mapping of str to str
        Further labels, each with its name.

    Examples
    --------
    >>> names = Names(["Ours (7B)", "Llama-3-70B", "GPT-4o"])
    >>> [item.name for item in names.mentions("On RTE, ours is better than Llama 3 70B.")]
    ['Ours (7B)', 'Llama-3-70B']
    """

    def __init__(self, names: Iterable[str], given: Mapping[str, str] | None = None) -> None:
        forms: dict[str, set[str]] = {}
        listed = list(dict.fromkeys(names))[:MOST_NAMES]
        for name in listed:
            plain = RE["parentheses"].sub(" ", name).strip()
            for form in dict.fromkeys((name, plain, RE["kind_behind"].sub("", plain), RE["maker"].sub("", plain))):
                forms.setdefault(normalised(form), set()).add(name)
        for label, name in (given or {}).items():
            if name in listed:
                forms[normalised(label)] = {name}
        own = [name for name in listed if RE["ours"].search(name)]
        self.own = own[0] if len(own) == 1 else ""
        self._forms = {
            form.replace(" ", ""): next(iter(found))
            for form, found in forms.items()
            if len(found) == 1 and len(form) >= SHORTEST and not form.isdigit()
        }
        parts = [r"[\W_]{0,3}".join(map(re.escape, form.split())) for form in forms if len(form) >= SHORTEST]
        parts.sort(key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w-])", re.IGNORECASE) if parts else None

    def mentions(self, text: str) -> list[Mention]:
        """Find names in a text, in order; the longest where several fit, none for a name of two things."""
        found = []
        for match in self._pattern.finditer(text) if self._pattern else ():
            name = self._forms.get(normalised(match[0]).replace(" ", ""))
            if name is not None:
                found.append(Mention(match.start(), match.end(), name))
        if self.own and not any(item.name == self.own for item in found):
            found += [Mention(match.start(), match.end(), self.own) for match in RE["we"].finditer(text)]
        return sorted(found)


class Grid:
    """Names of rows and columns: of a table, or of systems and datasets.

    Parameters
    ----------
    rows, columns : sequence of tuple of str
        Headings of each, outermost first.
    names : sequence of Names, optional
        Names of rows and of columns, as a text has them.
    """

    def __init__(
        self, rows: Sequence[tuple[str, ...]], columns: Sequence[tuple[str, ...]], names: Sequence[Names] = ()
    ) -> None:
        self.headings = [[{text for text in line if _tells(text)} for line in lines] for lines in (rows, columns)]
        self.names = names or [Names(sorted(set().union(*lines))) for lines in self.headings]

    def line(self, side: int, names: set[str], said: set[str]) -> int | None:
        """Return the row (side 0) or column with one of `names` and most names of `said`; None if several tie."""
        fitting = {at: len(own & said) for at, own in enumerate(self.headings[side]) if own & names}
        best = [at for at, n in fitting.items() if n == max(fitting.values())]
        return best[0] if len(best) == 1 else None

    def near(
        self, side: int, text: str, mine: Sequence[Mention], clause: tuple[int, int], number: tuple[int, int]
    ) -> tuple[int | None, bool]:
        """Return the row or column of a number, None if it is not certain, and whether its name is next to it."""
        start, end = number
        ahead = [item for item in mine if item.end <= start and RE["between"].fullmatch(text, item.end, start)][-1:]
        if any(RE["joined"].fullmatch(text, item.end, one.start) for one in ahead for item in mine if item < one):
            ahead = []  # "A and B reach 85.0"
        behind = [item for item in mine if item.start >= end and RE["behind"].fullmatch(text, end, item.start)][:1]
        beside = behind if not ahead or (behind and RE["of"].match(text, end)) else ahead
        others = [item for item in mine if not RE["no_subject"].search(text[max(0, item.start - 14) : item.start])]
        inside = [item for item in others if clause[0] <= item.start < clause[1]]
        names = {item.name for item in beside or inside or others}
        if not names and len(self.headings[side]) == 1:
            return 0, False
        return self.line(side, names, {item.name for item in mine}), bool(beside)


def _tells(heading: str) -> bool:
    words = normalised(heading)
    return words not in AVERAGES and words not in GENERAL


@dataclass(frozen=True, slots=True)
class Stated:
    """A number that a sentence states.

    Parameters
    ----------
    kind : {"score", "gain", "relative"}
        What is in `cell`, or how far it is ahead of `other`, in points or in percent of the other.
    number : PrintedNumber
        As printed.
    cell, other : tuple of int
        Row and column; -1 for the average over all rows, or all columns.
    """

    kind: Literal["score", "gain", "relative"]
    number: PrintedNumber
    cell: tuple[int, int]
    other: tuple[int, int] = (-1, -1)


Numbers = Sequence[tuple[int, int, PrintedNumber]]


def may_state(sentence: Sentence) -> Numbers:
    """Return the numbers of a sentence that may be said of something; a quick filter for `stated`."""
    text = sentence.text.text
    if not sentence.numbers or RE["left_alone"].search(text):
        return []
    return [
        (start, end, number)
        for start, end, number in located_numbers(sentence.text)
        if number.role in ("value", "remark") and number.relation == "=" and (number.decimals or number.percent)
        and not RE["hedge"].search(text[max(0, start - 25) : start])
    ]  # fmt: skip


def stated(text: str, numbers: Numbers, grid: Grid) -> Iterator[Stated]:
    """Find statements of a sentence, with its numbers by `may_state`, about one row and one column, or an average.

    A number belongs to the names next to it ("F1 = 85.0", "85.0 on MNLI"); else, after a verb such as "reaches",
    to those in its clause or its sentence. On one side at least, that has to be certain.
    """
    mentions = [names.mentions(text) for names in grid.names] if numbers else []
    if not any(mentions):
        return
    bare = [_blanked(text, mentions[1]), _blanked(text, mentions[0])]
    cuts = [0, *(match.start() for match in RE["clause"].finditer(text)), len(text)]
    averaged = RE["averaged"].search(text) is not None
    for start, end, number in numbers:
        clause = max(at for at in cuts if at <= start), min(at for at in cuts if at >= end)
        found = [grid.near(side, bare[side], mentions[side], clause, (start, end)) for side in (0, 1)]
        lines = [-1 if averaged and not mentions[side] else found[side][0] for side in (0, 1)]
        before = text[clause[0] : start]
        gain, ahead = RE["gain"].search(before), RE["ahead"].match(text, end)
        relative = bool((gain and gain["relative"]) or (ahead and ahead["relative"]))
        points = bool(ahead and ahead["unit"])
        if gain or RE["by"].search(before):
            for side in (0, 1) if relative or points else ():
                pair = _pair(text, mentions[side], clause[0], start, ahead.end() if ahead else end)
                found_lines = [line for name in pair if (line := grid.line(side, {name}, {name})) is not None]
                across = lines[1 - side]
                if len(found_lines) == 2 and across is not None:
                    cells = [(line, across) if side == 0 else (across, line) for line in found_lines]
                    yield Stated("relative" if relative else "gain", number, *cells)
        elif not (number.sign or points or relative) and (found[0][1] or found[1][1] or RE["reaches"].search(before)):
            row, column = lines
            if row is not None and column is not None and (row, column) != (-1, -1):
                yield Stated("score", number, (row, column))


def _blanked(text: str, mentions: Sequence[Mention]) -> str:
    for item in mentions:
        text = text[: item.start] + " " * (item.end - item.start) + text[item.end :]
    return text


def _pair(text: str, who: Sequence[Mention], begin: int, start: int, after: int) -> tuple[str, ...]:
    """Return who is ahead of whom: "A outperforms B by 2", "A gains 2 over B"."""
    behind = next((item for item in who if item.start == after), None)
    if behind is not None:
        names = {item.name for item in who if item.end <= start} - {behind.name}
        return (names.pop(), behind.name) if len(names) == 1 else ()
    verb = RE["beats"].search(text, begin, start)
    if verb is None:
        return ()
    first = {item.name for item in who if item.end <= verb.start()}
    second = {item.name for item in who if verb.end() <= item.start and item.end <= start}
    return (first.pop(), second.pop()) if len(first) == len(second) == 1 and first != second else ()
