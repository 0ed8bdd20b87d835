"""Numbers that a sentence states of a system whose name it gives: a score, a gain over another, an average."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from reportkit.checker.labels import normalised
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.patterns import patterns

RE = patterns("statements")
MOST_NAMES = 200
SHORTEST = 2


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
            for form in dict.fromkeys((name, RE["parentheses"].sub(" ", name).strip())):
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


@dataclass(frozen=True, slots=True)
class Stated:
    """A number that a sentence states.

    Parameters
    ----------
    kind : {"score", "gain", "relative"}
        A score of `system`, or how far it is ahead of `other`, in points or in percent of the other's score.
    number : PrintedNumber
        As printed.
    system, other : str
        As the names have them.
    dataset : str
        The one that the clause names; empty for an average.
    """

    kind: Literal["score", "gain", "relative"]
    number: PrintedNumber
    system: str
    other: str
    dataset: str


def may_state(sentence: Sentence) -> list[tuple[int, int, PrintedNumber]]:
    """Numbers of a sentence that are said to be reached or gained, whoever it is about; a first look for `stated`."""
    text = sentence.text.text
    if not sentence.numbers or RE["left_alone"].search(text):
        return []
    return [
        (start, end, number)
        for start, end, number in located_numbers(sentence.text)
        if number.role == "value" and number.relation == "=" and (number.decimals or number.percent)
        and any(pattern.search(text[max(0, start - 80) : start]) for pattern in (RE["reaches"], RE["gain"], RE["by"]))
    ]  # fmt: skip


def stated(
    text: str, numbers: Sequence[tuple[int, int, PrintedNumber]], systems: Names, datasets: Names
) -> Iterator[Stated]:
    """Find statements of a sentence, with its numbers by `may_state`, about systems on one dataset or on average."""
    who = systems.mentions(text) if numbers else []
    where = datasets.mentions(text) if who else []
    if not who or not (where or RE["averaged"].search(text)):
        return
    subjects = [item for item in who if not RE["no_subject"].search(text[max(0, item.start - 12) : item.start])]
    cuts = [match.start() for match in RE["clause"].finditer(text)]
    for start, end, number in numbers:
        begin = max((cut for cut in cuts if cut < start), default=0)
        stop = min((cut for cut in cuts if cut >= end), default=len(text))
        dataset = _dataset(text, where, begin, stop)
        before = text[begin:start]
        if dataset is None:
            continue
        if RE["reaches"].search(before) and not number.sign:
            subject = _subject(subjects, begin, start)
            if subject:
                yield Stated("score", number, subject, "", dataset)
            continue
        gain, ahead = RE["gain"].search(before), RE["ahead"].match(text, end)
        if ahead is None or (gain is None and not RE["by"].search(before)):
            continue
        relative = bool((gain and gain["relative"]) or ahead["relative"])
        pair = _pair(text, who, begin, start, ahead.end()) if relative or ahead["unit"] else None
        if pair:
            yield Stated("relative" if relative else "gain", number, *pair, dataset)


def _dataset(text: str, where: list[Mention], begin: int, stop: int) -> str | None:
    """Return the dataset of a clause, else of the sentence; "" for an average, None if that is not certain."""
    inside = {item.name for item in where if begin <= item.start < stop}
    names = inside or {item.name for item in where}
    if RE["averaged"].search(text):
        return "" if not names else None
    return next(iter(names)) if len(names) == 1 else None


def _subject(who: list[Mention], begin: int, start: int) -> str:
    """Return the one system before a number in its clause, else in the sentence; empty if there is not one."""
    before = [item for item in who if item.end <= start]
    names = {item.name for item in before if item.start >= begin} or {item.name for item in before}
    return next(iter(names)) if len(names) == 1 else ""


def _pair(text: str, who: list[Mention], begin: int, start: int, after: int) -> tuple[str, str] | None:
    """Return who is ahead of whom: "A outperforms B by 2", "A gains 2 over B"."""
    behind = next((item for item in who if item.start == after), None)
    if behind is not None:
        names = {item.name for item in who if item.end <= start} - {behind.name}
        return (names.pop(), behind.name) if len(names) == 1 else None
    verb = RE["beats"].search(text, begin, start)
    if verb is None:
        return None
    first = {item.name for item in who if item.end <= verb.start()}
    second = {item.name for item in who if verb.end() <= item.start and item.end <= start}
    return (first.pop(), second.pop()) if len(first) == len(second) == 1 and first != second else None
