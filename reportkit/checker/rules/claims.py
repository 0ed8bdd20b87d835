"""Claims of the text against the paper's own tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import AVERAGES, normalised, quantity_of
from reportkit.checker.paper.document import Document, Line, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.patterns import patterns
from reportkit.checker.prose import Statement
from reportkit.checker.rule import Rule, rule
from reportkit.checker.rules.gains import difference, gain_fits, relative_change
from reportkit.checker.statements import Grid, Names, Stated, may_state, stated
from reportkit.checker.vocabulary import higher_is_better, is_results, metrics_in, words_of

RE = patterns("claims")
MOST_TABLES = 40
"""Most tables that a sentence is compared with: those of the main text come first."""
BEHIND = 60
"""Characters after a claim in which an exception may stand."""
FARTHEST = 0.3
"""From this relative distance on, two numbers are different quantities."""


@dataclass(frozen=True, eq=False)
class OwnTable:
    """A table of results, read with the systems in its rows or in its columns.

    Parameters
    ----------
    table : Table
        As read.
    systems, datasets : Names
        Headings of the lines, and of the lines across them.
    scores : mapping of str to mapping of str to float
        By system and dataset; only scores, no averages.
    means : mapping of str to float
        Printed average of each system, or the mean of its scores.
    words : str
        Caption, notes and headings.
    """

    table: Table
    systems: Names
    datasets: Names
    scores: Mapping[str, Mapping[str, float]]
    means: Mapping[str, float]
    words: str

    def higher(self, dataset: str = "") -> bool | None:
        """Return whether more is better on a dataset, or in the table."""
        return higher_is_better(dataset, self.table.caption.text, self.words)


def _scores(table: Table, line: Line) -> dict[str, float]:
    return {
        across[-1]: number.value
        for number, across in line.numbers()
        if across
        and quantity_of(table, across[-1]) in (None, "score")
        and normalised(across[-1]) not in AVERAGES
        and not RE["no_score"].search(across[-1])
    }


@lru_cache(maxsize=2)
def own_tables(document: Document) -> tuple[OwnTable, ...]:
    """Return the tables of results, each read with systems in rows and with systems in columns."""
    found: list[OwnTable] = []
    for table in (table for table in document.tables if is_results(table) or table.caption):
        decimals = sum(cell.number is not None and cell.number.decimals > 0 for cell in table.body())
        if decimals < 2 or RE["other_split"].search(table.caption.text):
            continue
        for lines, others in ((table.rows, table.columns), (table.columns, table.rows)):
            systems = [line.name for line in lines if normalised(line.name) not in AVERAGES]
            if len(systems) > 1 and len(found) < MOST_TABLES:
                single = [line for line in lines if systems.count(line.name) == 1]
                scores = {line.name: _scores(table, line) for line in single}
                means = {name: sum(of.values()) / len(of) for name, of in scores.items() if len(of) > 1}
                means |= {line.name: number.value for line in single if (number := average_of(line)) is not None}
                datasets = Names(line.name for line in others)
                found.append(OwnTable(table, Names(systems), datasets, scores, means, words_of(table)))
    return tuple(found)


@lru_cache(maxsize=2)
def _printed(document: Document) -> Sequence[PrintedNumber]:
    """Return every number in a table."""
    return [number for table in document.tables for cell in table.cells() for number in cell.numbers]


@rule("RK116", "text-contradicts-table", "warning")
def text_contradicts_table(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A number in the text differs from the number in the table that it names.

    In sentences that name one line of a table (in full, without its parentheses, or as "we" and "our model" where one
    is called ours) and one column, or an average, compares the score that the line is said to reach, its gain over
    another line in points, and a relative gain. Nothing is said where the printed number stands anywhere in a table,
    or if several tables could be meant and one agrees. Sentences about a development set, with a citation or with words
    such as "about" are left alone.

    Found::

        On MNLI, ours reaches an accuracy of 86.9\%.

        \begin{table}\caption{Accuracy (\%).}\begin{tabular}{lcc} System & SST-2 & MNLI \\ \hline
        Baseline & 90.1 & 84.2 \\ Ours & 91.2 & 85.0 \end{tabular}\end{table}

    Not found::

        On MNLI, ours reaches an accuracy of 85.0\%.

        \begin{table}\caption{Accuracy (\%).}\begin{tabular}{lcc} System & SST-2 & MNLI \\ \hline
        Baseline & 90.1 & 84.2 \\ Ours & 91.2 & 85.0 \end{tabular}\end{table}

    Source: ARR R1.
    """
    yield from against_tables(context, text_contradicts_table, abstract=False)


def against_tables(context: CheckContext, of: Rule, *, abstract: bool) -> Iterator[Diagnostic]:
    """Compare the numbers of the abstract, or of the rest, with those of the tables that they name."""
    paper, tables = context.paper, _grids(context.paper)
    for item in context.prose.results if tables else ():
        sentence = item.sentence
        if (sentence.place == "abstract") != abstract or sentence.place == "caption":
            continue
        numbers = may_state(sentence)
        found: dict[PrintedNumber, list[tuple[Table, Stated, float, bool]]] = {}
        for table, grid in tables if numbers else ():
            for said in stated(sentence.text.text, numbers, grid):
                compared = _compare(table, said)
                if compared is not None and _same_metric(table, sentence):
                    found.setdefault(said.number, []).append((table, said, *compared))
        agreeing = {number: any(fits for *_, fits in candidates) for number, candidates in found.items()}
        if 2 * sum(agreeing.values()) < len(found) - 1:
            continue  # not about this table
        for number, candidates in found.items():
            table, said, value, _ = candidates[0]
            known = said.kind == "score" and any(stands(number, other) for other in _printed(paper))
            what = {"score": "the score", "gain": "the difference", "relative": "the relative change"}[said.kind]
            yield from of.compare(
                context,
                "number of the text with a table",
                number.span,
                agreeing[number] or known,
                f"{number.text} is printed, and by {paper.name_of(table)} {what} is "
                f"{value:.{max(number.decimals, 1)}f}.",
                "find out which of the two is out of date",
                where=_where(table, said),
            )


@lru_cache(maxsize=2)
def _grids(document: Document) -> list[tuple[Table, Grid]]:
    """Yield tables with scores, and the names of their rows and columns, without tables about development data."""
    return [
        (table, Grid([line.headings for line in table.rows], [line.headings for line in table.columns]))
        for table in document.tables
        if not RE["other_split"].search(table.caption.text)
        and sum(cell.number is not None and cell.number.decimals > 0 for cell in table.body()) > 1
    ][:MOST_TABLES]


def stands(one: PrintedNumber, other: PrintedNumber) -> bool:
    """Return whether a number is printed elsewhere, perhaps with more digits, or as a proportion."""
    scale = 100 if one.percent and abs(other.value) <= 1 else 1
    return one.decimals <= other.decimals and abs(abs(one.value) - scale * abs(other.value)) <= one.unit / 2 + 1e-9


def _where(table: Table, said: Stated) -> str:
    """Name the rows and columns of a statement."""
    sides = table.rows, table.columns
    one, other = (
        " on ".join(lines[at].name for lines, at in zip(sides, cell, strict=True) if at >= 0)
        for cell in (said.cell, said.other)
    )
    return f"{one} against {other}" if other else one


def _same_metric(table: Table, sentence: Sentence) -> bool:
    """Return whether the sentence names no metric, or one of those that the table names."""
    here, there = metrics_in([sentence.text.text]), metrics_in([words_of(table)])
    return not here or not there or bool(here & there)


def _number(table: Table, cell: tuple[int, int]) -> PrintedNumber | None:
    """Return the number of a cell, or the printed average of a row or column."""
    row, column = cell
    line = table.rows[row] if row >= 0 else table.columns[column]
    return line.cells[column].number if row >= 0 <= column else average_of(line)


def average_of(line: Line) -> PrintedNumber | None:
    """Return the only printed average of a row or column."""
    averages = [number for number, across in line.numbers() if across and normalised(across[-1]) in AVERAGES]
    return averages[0] if len(averages) == 1 else None


def _compare(table: Table, said: Stated) -> tuple[float, bool] | None:
    """Return the value by the table, and whether the printed number agrees with it."""
    one, number = _number(table, said.cell), said.number
    if one is None:
        return None
    if said.kind == "score":
        scale = 100.0 if number.percent and abs(one.value) <= 1 else 1.0
        value, room = scale * one.value, max(number.unit, scale * one.unit)
        if abs(number.value - value) > FARTHEST * abs(value) or not one.decimals:
            return None  # another quantity, or another unit
        return value, abs(number.value - value) <= room + 1e-9
    other = _number(table, said.other)
    if other is None or not other.value:
        return None
    bounds = (relative_change if said.kind == "relative" else difference)(other, one)
    return sum(bounds) / 2, gain_fits(number, *bounds)


@rule("RK123", "claim-contradicts-table", "warning")
def claim_contradicts_table(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A claim about the paper's own table is not what the table shows.

    Compares claims in words with the numbers: "best on all datasets", "consistently outperforms X", "on average, X
    outperforms Y", "the highest F1 on X", "the gap between X and Y is largest on Z", "all models drop from X to Y".
    Ties count for the claim. All names have to be headings of one table; if several tables have them, the claim has to
    be wrong by each. Sentences with "except", "most", "almost" and the like are left alone, and so are comparisons in a
    metric whose direction is not known. A claim in a caption is about its own table.

    Found::

        Ours is the best on all datasets.

        \begin{table}\caption{Accuracy (\%).}\begin{tabular}{lcc} System & SST-2 & MNLI \\ \hline
        Baseline & 90.1 & 85.2 \\ Ours & 91.2 & 85.0 \end{tabular}\end{table}

    Not found::

        Ours is the best on all datasets.

        \begin{table}\caption{Accuracy (\%).}\begin{tabular}{lcc} System & SST-2 & MNLI \\ \hline
        Baseline & 90.1 & 84.2 \\ Ours & 91.2 & 85.0 \end{tabular}\end{table}

    Source: ARR R1.
    """
    tables = own_tables(context.paper)
    for item in context.prose.results if tables else ():
        if item.sentence.place == "note" or item.hypothetical:
            continue
        for pattern, claim in CLAIMS:
            match = pattern.search(item.text)
            if match is None or RE["modest"].search(item.text[: match.end() + BEHIND]):
                continue
            referred = _referred(context, item, tables)
            verdicts = [verdict for own in referred if (verdict := claim(own, item.text, match)) is not None]
            if not verdicts:
                continue
            wrong = list(filter(None, verdicts))
            message = f"{match[0]!r} is not what the table shows: {wrong[0]}." if len(wrong) == len(verdicts) else ""
            remedy = "say what the table shows, or correct the table"
            yield from claim_contradicts_table.claim(context, item.span(match), message, remedy)
            break


def _referred(context: CheckContext, item: Statement, tables: Sequence[OwnTable]) -> Sequence[OwnTable]:
    """Return the tables that a sentence refers to, or whose caption it is in; all, if there are none."""
    if item.sentence.place == "caption":
        return [own for own in tables if own.table.paragraph == item.sentence.paragraph]
    span = item.sentence.span
    used = {
        label.name
        for label in context.paper.labels
        if label.use and label.span.file == span.file and span.start <= label.span.start <= span.end
    }
    named = [own for own in tables if own.table.label and own.table.label in used]
    return named or tables


def _best_on_all(own: OwnTable, text: str, match: re.Match[str]) -> str | None:
    """Return why a claim is wrong; empty if it is right, None if unknown. The functions below return the same."""
    system = _before(own, text, match.start())
    return _all_columns(own, system, list(own.scores)) if system else None


def _all_columns(own: OwnTable, system: str, others: Sequence[str]) -> str | None:
    """Compare a system with others on every dataset; None if a direction is not known."""
    mine = own.scores.get(system, {})
    directions = {dataset: own.higher(dataset) for dataset in mine}
    if len(mine) < 2 or None in directions.values():
        return None
    for other in (name for name in others if name != system and not RE["reference"].search(name)):
        for dataset, value in own.scores[other].items():
            if dataset in mine and (value > mine[dataset] if directions[dataset] else value < mine[dataset]):
                return f"on {dataset}, {other} has {value:g} and {system} has {mine[dataset]:g}"
    return ""


def _beats_on_all(own: OwnTable, text: str, match: re.Match[str]) -> str | None:
    pair = _two(own, text, match)
    return _all_columns(own, pair[0], [pair[1]]) if pair else None


def _beats_on_average(own: OwnTable, text: str, match: re.Match[str]) -> str | None:
    pair = _two(own, text, match) if "on average" in text.lower() else None
    higher = own.higher()
    if pair is None or higher is None or len(metrics_in([own.words])) > 1:
        return None
    one, two = own.means.get(pair[0]), own.means.get(pair[1])
    if one is None or two is None or own.scores[pair[0]].keys() != own.scores[pair[1]].keys():
        return None
    wrong = (one < two) if higher else (one > two)
    return f"on average, {pair[0]} has {one:.4g} and {pair[1]} has {two:.4g}" if wrong else ""


def _two(own: OwnTable, text: str, match: re.Match[str]) -> tuple[str, str] | None:
    """Return the only system before a verb and the only one after it."""
    found = own.systems.mentions(text)
    before = {item.name for item in found if item.end <= match.start()}
    behind = {item.name for item in found if item.start >= match.end()}
    return (before.pop(), behind.pop()) if len(before) == len(behind) == 1 and before != behind else None


def _before(own: OwnTable, text: str, start: int) -> str:
    names = {item.name for item in own.systems.mentions(text) if item.end <= start + 1}
    return names.pop() if len(names) == 1 else ""


def _superlative(own: OwnTable, text: str, match: re.Match[str]) -> str | None:
    system = _before(own, text, match.start())
    told = match["of"] if match["here"] else text[match.end() - 1 :]
    where = {item.name for item in own.datasets.mentions(told)} if system else set()
    metric, word = metrics_in([match["of"]]), match["word"].lower()
    if len(where) != 1 or re.search(r"\band\b|,", text[match.end() : match.end() + 30]):
        return None
    (dataset,) = where
    names = [name for name in own.scores if not RE["reference"].search(name)]
    values = {name: own.scores[name].get(dataset) for name in names}
    known = {name: value for name, value in values.items() if value is not None}
    higher = own.higher(dataset)
    if system not in known or len(known) < 2 or (word == "best" and higher is None):
        return None
    if metric and not metric & metrics_in([own.words]):
        return None
    lowest = word == "lowest" or (word == "best" and higher is False)
    winner = (min if lowest else max)(known, key=known.__getitem__)
    wrong = known[winner] != known[system]
    return f"on {dataset}, {winner} has {known[winner]:g} and {system} has {known[system]:g}" if wrong else ""


def _gap(own: OwnTable, text: str, match: re.Match[str]) -> str | None:
    names = list(dict.fromkeys(item.name for item in own.systems.mentions(match["pair"])))
    where = {item.name for item in own.datasets.mentions(match["where"])} if len(names) == 2 else set()
    if len(where) != 1:
        return None
    one, two = own.scores.get(names[0], {}), own.scores.get(names[1], {})
    gaps = {dataset: abs(one[dataset] - two[dataset]) for dataset in one if dataset in two}
    (dataset,) = where
    if dataset not in gaps or len(gaps) < 2:
        return None
    end = (min if match["word"].lower() in ("smallest", "lowest") else max)(gaps, key=gaps.__getitem__)
    wrong = abs(gaps[end] - gaps[dataset]) > 1e-9
    return f"it is {gaps[end]:.4g} on {end} and {gaps[dataset]:.4g} on {dataset}" if wrong else ""


def _all_move(own: OwnTable, text: str, match: re.Match[str]) -> str | None:
    ends = [{item.name for item in own.datasets.mentions(match[side])} for side in ("one", "two")]
    if len(ends[0]) != 1 or len(ends[1]) != 1 or ends[0] == ends[1]:
        return None
    one, two = ends[0].pop(), ends[1].pop()
    down = RE["down"].search(match["verb"]) is not None
    for system, scores in own.scores.items():
        if one in scores and two in scores and (scores[two] > scores[one]) == down and scores[two] != scores[one]:
            return f"{system} has {scores[one]:g} on {one} and {scores[two]:g} on {two}"
    return ""


CLAIMS = (
    (RE["best_on_all"], _best_on_all),
    (RE["beats_on_all"], _beats_on_all),
    (RE["superlative"], _superlative),
    (RE["gap"], _gap),
    (RE["all_move"], _all_move),
    (RE["beats"], _beats_on_average),
)
