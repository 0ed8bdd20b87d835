"""What the marks of a table say, read from its caption, and what the data say of the same differences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from reportkit.checker.context import CheckContext
from reportkit.checker.labels import Labels
from reportkit.checker.linked import LinkedCell, LinkedTable
from reportkit.checker.paper.document import Cell, Document, Table
from reportkit.checker.vocabulary import COLLECTIONS, CORRECTION, SIDES, TEST
from reportkit.checker.vocabulary import LEVEL as SAYS_LEVEL

if TYPE_CHECKING:
    from reportkit.analysis.analysis import Analysis
    from reportkit.significance.outcome import Outcome

Direction = Literal["better", "worse", "either"]
BOLD = "bold"
EVEN = 0.5
"""A one-sided p-value above it speaks for the other system."""

LEVEL = re.compile(
    r"(?:(?:\bα|\balpha|\bp)\s*(?:=|<|≤|<=)|\bat(?=\s+0?\.[01]))\s*(?P<level>0?\.\d+)|(?P<percent>\d+(?:\.\d+)?)\s?%\s+level",
    re.I,
)
MARK = re.compile(r"\*{1,3}|[†‡§¶]+|(?<![\w)])\+(?=[\s,\]):]|$)")
SIGNIFICANT = re.compile(r"\b(?:statistical(?:ly)?\s+)?significan|(?<![\w-])p\s*[<≤]", re.IGNORECASE)
_NEXT = re.compile(r";\s*(?=\^?[*†‡§¶]|bold)", re.IGNORECASE)
_BOLD = re.compile(r"\bbold(?:face|faced|ed)?\b", re.IGNORECASE)
_BEST = re.compile(r"\b(?:best|highest|lowest|top)\b", re.IGNORECASE)
_AGAINST = re.compile(
    r"\b(?:than|over|against|versus|vs\.?|compared (?:to|with)|relative to|from|with respect to|w\.r\.t\.?|"
    r"outperform\w*)(?=\s)",
    re.IGNORECASE,
)
_END = re.compile(r"[;:(\[]|\.(?=\s|$)|\s(?:at|by|with|using|in|on|under|for)\s", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:and|or|all|any|both|best|each|every|either|other|others|second|strongest|next|previous|baselines|rest)\b|/",
    re.IGNORECASE,
)
_FAMILY = re.compile(
    rf"\s*(?:(?:all|the|these|our)\s+)*(?:[\d,]+\s+)?(?:tests|comparisons|hypotheses|instances|queries|{COLLECTIONS})\b",
    re.IGNORECASE,
)
"""What is corrected over, or tested over: no system."""
_OTHER = re.compile(r"\s*the other (?:system|model|method)\s*", re.IGNORECASE)
_BASELINE = re.compile(r"\bbaseline\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not?|non|never|insignifican\w*|n\.s\.)(?![\w])", re.IGNORECASE)
_BETTER = re.compile(r"\b(?:better|improv|outperform|superior|gain|surpass|beat)", re.IGNORECASE)
_WORSE = re.compile(r"\b(?:worse|inferior|degrad)", re.IGNORECASE)
_EITHER = re.compile(r"\bdiffer", re.IGNORECASE)
_OF_TEST = (TEST, CORRECTION, SIDES, SAYS_LEVEL)
_REPEATS = re.compile(r"\b(?:over|across|between)\s+(?:\S+\s+){0,2}(?:seed|run|fold|split)s\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Legend:
    """What one mark says.

    Parameters
    ----------
    mark : str
        As cells print it; "bold" for bold type.
    baseline : str
        Against which system of the data; empty for the other one of two.
    level : float
        Largest p-value that is marked.
    direction : {"better", "worse", "either"}
        What the marked system is said to be.
    """

    mark: str
    baseline: str
    level: float
    direction: Direction

    def on(self, cell: Cell) -> bool:
        """Whether a cell carries the mark."""
        return cell.bold if self.mark == BOLD else self.mark in cell.marks

    def against(self, system: str, systems: Sequence[str]) -> str:
        """Against which system a marked one is."""
        return self.baseline or next(name for name in systems if name != system)


@dataclass(frozen=True, slots=True)
class MarkedScore:
    """A score that a legend is about, with the p-values of the same difference in the data.

    Parameters
    ----------
    cell : LinkedCell
        As printed.
    legend : Legend
        The mark.
    baseline : str
        The other system.
    p_value : float
        Without a correction, in the direction that the legend claims; two-sided if it claims none.
    adjusted : float
        By Holm's procedure, over all scores of the table that the legend is about.
    strictest : float
        The same of two-sided p-values.
    n_hypotheses : int
        How many these are.
    title : str
        Name of the test in prose.
    """

    cell: LinkedCell
    legend: Legend
    baseline: str
    p_value: float
    adjusted: float
    strictest: float
    n_hypotheses: int
    title: str

    @property
    def marked(self) -> bool:
        """Whether the score carries the mark."""
        return self.legend.on(self.cell.cell)


def marked_scores(context: CheckContext, table: LinkedTable) -> list[list[MarkedScore]] | str:
    """Find the scores that the marks of a table are about.

    Parameters
    ----------
    context : CheckContext
        With a paper and data.
    table : LinkedTable
        A table of results.

    Returns
    -------
    list of list of MarkedScore, or str
        A list for each mark that is explained and used, of all scores of the systems that carry it somewhere; or why
        what the marks say cannot be compared with the data.
    """
    legends = _legends(context, table)
    if isinstance(legends, str):
        return legends
    if not legends:
        return []
    if any(legend.mark in cell.text.text for legend in legends for cell in table.table.cells() if cell.header):
        return "they stand beside names, too"
    if context.data.results is None or (analysis := context.data.analysis) is None:
        return f"the data cannot be compared ({context.data.analysis_error or 'they are printed results'})"
    about = " ".join(words_about(context.paper, table.table))
    listed = []
    for legend in legends:
        scores = _scores(table, legend, analysis, context.data.system_names, about)
        if isinstance(scores, str):
            return scores
        listed.append(scores)
    marked = [item for scores in listed for item in scores if item.marked]
    if marked and all(item.p_value > EVEN for item in marked):
        return "every one of them speaks against the direction that the metric has in the data"
    return listed


# legends


def _legends(context: CheckContext, table: LinkedTable) -> list[Legend] | str:
    """What the marks of a table say, or why that is not clear; the caption and the notes come before the text."""
    beside = [*(item.text.text for item in context.paper.caption_of(table.table)), *_notes(table)]
    used = {mark for item in _scored(table) for mark in item.cell.marks}
    for sentences in (beside, words_about(context.paper, table.table)):
        found = _explained([text.replace("∗", "*") for text in sentences], used, context)
        if found:
            return found
    if any(MARK.fullmatch(mark) for mark in used):
        return "neither a caption nor a note says that they are about significance"
    return []


def _notes(table: LinkedTable) -> list[str]:
    return [note.text for note in table.table.notes]


def _explained(sentences: list[str], used: set[str], context: CheckContext) -> list[Legend] | str:
    """Legends of the marks that are used, in some sentences; or what is not clear in them."""
    evidence = context.data
    labels = Labels(evidence.system_names, evidence.dataset_names, evidence.metrics, context.config.labels)
    found: dict[str, Legend] = {}
    for clause in (part for text in sentences for part in _NEXT.split(text) if _says_a_test(part)):
        said = list(dict.fromkeys(match[0] for match in MARK.finditer(clause)))
        if not said and _BOLD.search(clause) and not _BEST.search(clause):
            said = [BOLD]
        marks = [mark for mark in said if mark in used or mark == BOLD]
        if not marks:
            continue
        if _NEGATED.search(clause):
            return "the caption says what is not significant"
        baseline = _baseline(clause, labels, evidence.baselines)
        if baseline is None:
            return "the caption does not say against which one system of the data they are"
        levels = _levels(clause, said, sentences)
        if levels is None:
            return "the caption does not say at which level they are"
        for mark in marks:
            legend = Legend(mark, baseline, levels[mark], _direction(clause))
            if found.setdefault(mark, legend) != legend:
                return f"the caption explains {mark} twice"
    return list(found.values())


def _says_a_test(clause: str) -> bool:
    return SIGNIFICANT.search(clause) is not None or TEST.search(clause) is not None


def _baseline(clause: str, labels: Labels, baselines: tuple[str, ...]) -> str | None:
    """The one system that a clause compares with, empty for the other of two; None if none, several or others."""
    found: set[str] = set()
    for match in _AGAINST.finditer(clause):
        if _FAMILY.match(clause, match.end()):
            continue
        first, *more = _END.split(clause[match.end() :], maxsplit=1)[0].split(",")
        named = labels.mentioned(first, "system")
        if not named and _BASELINE.search(first) and len(baselines) == 1:
            named = baselines
        others = any(part.strip() and not any(words.search(part) for words in _OF_TEST) for part in more)
        if not named and _OTHER.fullmatch(first) and len(labels.systems) == 2:
            named = ("",)
        elif _SEVERAL.search(first) or (named and others):
            return None
        found.update(named)
    return found.pop() if len(found) == 1 else None


def _levels(clause: str, marks: list[str], sentences: list[str]) -> dict[str, float] | None:
    """Levels of the marks of a clause: as many as marks; for one mark, the one level of the whole legend."""
    levels = levels_of_marks([clause])
    if set(marks) <= levels.keys():
        return levels if len({levels[mark] for mark in marks}) == len(marks) else None
    for text in (clause, " ".join(sentences)) if len(marks) == 1 else ():
        said = {float(match["level"] or float(match["percent"]) / 100) for match in LEVEL.finditer(text)}
        if said:
            return {marks[0]: said.pop()} if len(said) == 1 else None
    return None


def _direction(clause: str) -> Direction:
    better, worse = bool(_BETTER.search(clause)), bool(_WORSE.search(clause))
    if better == worse or _EITHER.search(clause):
        return "either"
    return "better" if better else "worse"


# the data


def _scored(table: LinkedTable) -> list[LinkedCell]:
    """Scores that stand alone in their cell: beside another one, a mark may be of either."""
    return [item for item in table.scores() if sum(number.role == "value" for number in item.cell.numbers) == 1]


def _scores(
    table: LinkedTable, legend: Legend, analysis: Analysis, systems: Sequence[str], about: str
) -> list[MarkedScore] | str:
    """Scores of the systems that carry a mark, with their p-values, or why they have none."""
    from reportkit.replicability.multiple_testing.partial_conjunction import holm

    marked = {item.system for item in _scored(table) if legend.on(item.cell)}
    if legend.baseline in marked:
        return f"the system that they are against, {legend.baseline!r}, is marked itself"
    printed = {(item.metric, item.system, item.dataset): item for item in table.scores()}
    outcomes = _outcomes(analysis)
    tested: list[tuple[LinkedCell, str, Outcome]] = []
    p_values: list[tuple[float, float]] = []
    for item in _scored(table):
        if item.system not in marked:
            continue
        baseline = legend.against(item.system, systems)
        against = printed.get((item.metric, baseline, item.dataset), item)
        if not item.agrees or not against.agrees:
            return "the printed scores are not those of the data"
        one = outcomes.get((item.metric, item.system, baseline, item.dataset))
        if one is None:
            return f"the analysis of the data does not compare {item.system!r} with {baseline!r}"
        if _REPEATS.search(about) and not _REPEATS.search(f"over {one.unit}s"):
            return f"the paper speaks of runs, seeds, folds or splits there, and the data are tested over {one.unit}s"
        other = outcomes.get((item.metric, baseline, item.system, item.dataset))
        tested.append((item, baseline, one))
        p_values.append(_p_values(one, other, legend.direction))
    if not tested:
        return []
    adjusted, strictest = (holm([pair[side] for pair in p_values]) for side in (0, 1))
    return [
        MarkedScore(
            item, legend, baseline, p_values[i][0], float(adjusted[i]), float(strictest[i]), len(tested), one.title
        )
        for i, (item, baseline, one) in enumerate(tested)
    ]


def _p_values(one: Outcome, other: Outcome | None, direction: Direction) -> tuple[float, float]:
    """In the direction of a legend, and two-sided for that direction."""
    reverse = other.p_value if other is not None else 1 - one.p_value
    if direction == "either":
        both = min(1.0, 2 * min(one.p_value, reverse))
        return both, both
    p_value = one.p_value if direction == "better" else reverse
    return p_value, min(1.0, 2 * p_value)


def _outcomes(analysis: Analysis) -> dict[tuple[str, str, str, str], Outcome]:
    return {
        (item.metric, comparison.system_a, comparison.system_b, item.dataset): item
        for comparison in analysis.comparisons
        for item in comparison.assessments
    }


def words_about(document: Document, table: Table) -> list[str]:
    """Sentences of the caption and the notes of a table, and of the paragraphs that refer to it."""
    texts, referring = _paragraphs(document)
    parts = list(texts.get(table.paragraph, ())) if table.paragraph >= 0 else [table.caption.text]
    parts += [note.text for note in table.notes]
    for number in referring.get(table.label, ()) if table.label else ():
        parts += texts[number]
    return [part for part in parts if part]


@lru_cache(maxsize=2)
def _paragraphs(document: Document) -> tuple[dict[int, list[str]], dict[str, list[int]]]:
    """Texts of the sentences of each paragraph, and the paragraphs that refer to each label."""
    texts: dict[int, list[str]] = {}
    places: list[tuple[int, int, int, int]] = []
    for sentence in document.sentences:
        texts.setdefault(sentence.paragraph, []).append(sentence.text.text)
        span = sentence.span
        places.append((span.file, span.start, span.end, sentence.paragraph))
    places.sort()
    referring: dict[str, list[int]] = {}
    for label in document.labels:
        if not label.use:
            continue
        at = bisect_right(places, (label.span.file, label.span.start, 10**12, 0)) - 1
        if at >= 0 and places[at][0] == label.span.file and places[at][2] >= label.span.start:
            numbers = referring.setdefault(label.name, [])
            if places[at][3] not in numbers:
                numbers.append(places[at][3])
    return texts, referring


def levels_of_marks(sentences: Sequence[str]) -> dict[str, float]:
    """Levels that a legend gives to marks: as many levels as marks in one sentence, in the same order.

    Examples
    --------
    >>> levels_of_marks(["* and + indicate domains identified by Holm with α = 0.05 and α = 0.01."])
    {'*': 0.05, '+': 0.01}
    """
    found: dict[str, float] = {}
    for sentence in sentences:
        marks = list(dict.fromkeys(match[0] for match in MARK.finditer(sentence)))
        levels = [
            float(match["level"]) if match["level"] else float(match["percent"]) / 100
            for match in LEVEL.finditer(sentence)
        ]
        if marks and len(marks) == len(levels):
            found.update(zip(marks, levels, strict=True))
    return found
