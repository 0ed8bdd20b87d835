r"""A number in the text is not the one of the table or of the data that it names.

What it does
------------
In sentences that name one system and one dataset, and say that one reaches one score on the other, looks the score up
in the tables that the paragraph refers to and whose headings are these names, and in the data if they are given, and
reports a number that is none of those found there, with regard to rounding. Where the numbers of a report are read by
`\input{rknumbers}`, a typed number that is nearly that of the key is reported as out of date, and one that is equal as
typed by hand (info).

Why
---
ACL Rolling Review, guideline R1. Text is written once, and tables are built anew until the deadline.

Example
-------
    Ours reaches 93.1 on SST-2.  The table says 92.1.

Instead
-------
    Ours reaches \rk{main/sst2/ours} on SST-2.

When it is wrong
----------------
If the sentence is about another split, another metric or another version than the table. Sentences with a citation,
with several scores, or with words such as "development", "previous", "at least", "up to" are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.checker.comparison import without_marks
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import AVERAGES, QUANTITIES, Labels, normalised
from reportkit.checker.paper.document import Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.rule import Rule
from reportkit.finding import Severity

REACHES = re.compile(
    r"\b(?:reach\w*|achiev\w*|scor(?:es?|ed)|obtain\w*|attain\w*|gets?|yields?|(?:accuracy|F1|BLEU|score|exact "
    r"match|EM)\s+"
    r"(?:is|of|was))\b(?:\s+(?:an?|the|only|just|accuracy|F1|BLEU|score|exact|match|EM|of|is|test|mean))*\s*$",
    re.IGNORECASE,
)
LEFT_ALONE = re.compile(
    r"⟦cite⟧|\b(?:dev|development|validation|training|previous\w*|prior|earlier|original\w*|reported|published|"
    r"at least|at most|"
    r"up to|above|below|more than|less than|about|around|roughly|nearly|almost|over|under|would|could|if|"
    r"without|ablat\w*|"
    r"when|after|before|epoch|human|respectively|average\w*|single|subset|few-shot|zero-shot|with only)\b",
    re.IGNORECASE,
)
SHARE_NEAR = 0.5
COMBINED = re.compile(r"\w \+ \w")
"""Systems that are put together, which are none of the rows that their parts name."""
MOST_UNITS = 30
"""A typed number that is further from the key's (in units of its last digit) is another number."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Scores of one table (or the data) by pairs of names."""

    rows: dict[str, str]
    columns: dict[str, str]
    numbers: dict[tuple[str, str], list[PrintedNumber]]


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each number in the text that its source does not have."""
    sources = {id(table): _source(table) for table in context.paper.tables}
    printed = {
        cell.number.text.rstrip("%")
        for table in context.paper.tables
        for cell in table.body()
        if cell.number is not None
    }
    labels = _labels(context)
    keys = _keys(context)
    for sentence in context.paper.sentences:
        if sentence.place in ("reference", "heading") or not sentence.numbers:
            continue
        stated = stated_score(sentence)
        if stated is None:
            continue
        number, text = stated
        words = f" {normalised(text)} "
        message = _of_keys(context, number, words, keys)
        if message is not None:
            yield message
            continue
        found = None if COMBINED.search(text) else _in_tables(words, _referred(context, sentence, sources))
        if found is not None:
            pair, numbers = found
            context.coverage.checked(context.number, number.span)
            elsewhere = number.text.rstrip("%") in printed  # of another row, part or table, whose name is longer
            if elsewhere or any(_agree(number, other) for other in numbers):
                continue
            if _near(number.value, [o.value for o in numbers]):
                shown = " or ".join(dict.fromkeys(other.text for other in numbers[:3]))
                yield RULE.at(
                    context.paper,
                    number.span,
                    f"{number.text} is printed here, and {shown} in the table, for {pair[0]} and {pair[1]}.",
                    remedy="find out which of the two is out of date",
                    severity="warning",
                )
        elif labels is not None:
            yield from _in_data(context, number, text, labels)


def stated_score(sentence: Sentence) -> tuple[PrintedNumber, str] | None:
    """The one score that a sentence says something reaches, and its clause; the sentence if it has no other number."""
    if LEFT_ALONE.search(sentence.text.text):
        return None
    located = [
        (start, number)
        for start, _, number in located_numbers(sentence.text)
        if number.decimals > 0 and number.role == "value"
    ]
    text = sentence.text.text
    reached = [(start, number) for start, number in located if REACHES.search(text[:start])]
    if len(reached) != 1:
        return None
    start, number = reached[0]
    if len(located) > 1:
        ends = [match.start() for match in re.finditer(r"[,;:](?=\s)", text)]
        begin = max([end + 1 for end in ends if end < start], default=0)
        stop = min([end for end in ends if end > start], default=len(text))
        if sum(begin <= other < stop for other, _ in located) > 1:
            return None
        text = text[begin:stop]
    return None if number.sign or number.relation != "=" else (number, text)


def _referred(context: CheckContext, sentence: Sentence, sources: dict[int, _Source]) -> list[_Source]:
    """The tables that the paragraph refers to; none if it cites others."""
    paragraph = context.paper.paragraph(sentence.paragraph)
    if any("⟦cite⟧" in item.text.text for item in paragraph):
        return []
    names = {
        label.name
        for label in context.paper.labels
        if label.use
        for item in paragraph
        if label.span.file == item.span.file and item.span.start <= label.span.start <= item.span.end
    }
    return [sources[id(table)] for table in context.paper.tables if table.label and table.label in names]


def _source(table: Table) -> _Source:
    rows: dict[str, str] = {}
    columns: dict[str, str] = {}
    numbers: dict[tuple[str, str], list[PrintedNumber]] = {}
    for cell in table.body():
        if cell.number is None:
            continue
        row, column = table.row_header(cell.row), table.column_header(cell.column)
        for one in {_name(text) for text in row} - {""}:
            for other in {_name(text) for text in column} - {""}:
                rows[one], columns[other] = row[-1], column[-1]
                numbers.setdefault((one, other), []).append(cell.number)
    return _Source(rows, columns, numbers)


def _name(text: str) -> str:
    words = normalised(re.sub(r"\s*\(.*?\)", "", without_marks(text)))
    usable = len(words) >= 2 and any(character.isalpha() for character in words)
    return words if usable and words not in AVERAGES and words not in QUANTITIES else ""


def _in_tables(words: str, sources: list[_Source]) -> tuple[tuple[str, str], list[PrintedNumber]] | None:
    """Names of one row and one column of one table that the words hold, and all numbers under both names anywhere."""
    for source in sources:
        rows = _longest([name for name in source.rows if f" {name} " in words])
        columns = _longest([name for name in source.columns if f" {name} " in words])
        if len(rows) == len(columns) == 1 and (rows[0], columns[0]) in source.numbers:
            one, other = rows[0], columns[0]
            numbers = [
                number
                for each in sources
                for pair in ((one, other), (other, one))
                for number in each.numbers.get(pair, ())
            ]
            return (source.rows[one], source.columns[other]), numbers
    return None


def _longest(names: list[str]) -> list[str]:
    """Names that are not part of another of them."""
    return [name for name in names if not any(name != other and f" {name} " in f" {other} " for other in names)]


def _agree(one: PrintedNumber, other: PrintedNumber) -> bool:
    """Whether two printed numbers can stand for one value, in percent or as proportions."""
    for scale in (1.0, 100.0, 0.01):
        if one.low <= scale * other.high + 1e-9 and scale * other.low <= one.high + 1e-9:
            return True
    return False


def _near(value: float, others: list[float]) -> bool:
    return any(
        abs(value - scale * other) <= SHARE_NEAR * abs(value) for other in others for scale in (1.0, 100.0, 0.01)
    )


def _labels(context: CheckContext) -> Labels | None:
    evidence = context.evidence
    if evidence is None or not evidence.scores or len(evidence.metrics) != 1:
        return None
    return Labels(evidence.system_names, evidence.dataset_names, evidence.metrics, context.config.labels)


def _in_data(context: CheckContext, number: PrintedNumber, text: str, labels: Labels) -> Iterator[Diagnostic]:
    systems, datasets = labels.mentioned(text, "system"), labels.mentioned(text, "dataset")
    if len(systems) != 1 or len(datasets) != 1:
        return
    score = context.data.scores.get((context.data.metrics[0], systems[0], datasets[0]))
    if score is None or not _near(number.value, [score[0]]):
        return
    context.coverage.checked(context.number, number.span)
    scale = min((1.0, 100.0), key=lambda factor: abs(number.value - factor * score[0]))
    if not number.stands_for(score[0], scale=scale):
        yield RULE.at(
            context.paper,
            number.span,
            f"{number.text} is printed, and the score in {context.data.name} is "
            f"{scale * score[0]:.{number.decimals + 2}f}.",
            where=f"{systems[0]!r} on {datasets[0]!r}",
            remedy="find out which of the two is out of date",
            replacement=f"{scale * score[0]:.{number.decimals}f}",
            safe=False,
        )


def _keys(context: CheckContext) -> dict[str, tuple[tuple[str, ...], str]]:
    """Keys of scores (design/dataset/system) with the words that a sentence about them holds, and their values."""
    found = {}
    for key, value in context.paper.rk_values.items():
        parts = key.split("/")
        if len(parts) == 3 and parts[-1] not in ("n", "k-hat", "mark") and re.fullmatch(r"\d+\.\d+", value.text):
            found[key] = (tuple(normalised(part) for part in parts[1:]), value.text)
    return found


def _of_keys(
    context: CheckContext, number: PrintedNumber, words: str, keys: dict[str, tuple[tuple[str, ...], str]]
) -> Diagnostic | None:
    if any(use.span == number.span for use in context.paper.rk_keys):
        return None
    fitting = [(key, value) for key, (names, value) in keys.items() if all(f" {name} " in words for name in names)]
    if len(fitting) != 1:
        return None
    key, value = fitting[0]
    context.coverage.checked(context.number, number.span)
    decimals = len(value.partition(".")[2])
    severity: Severity
    if number.text == value:
        severity, message = "info", f"{number.text} is typed by hand, and is the value of \\rk{{{key}}}."
    elif decimals == number.decimals and abs(number.value - float(value)) <= MOST_UNITS * 10**-decimals:
        severity, message = "error", f"{number.text} is typed by hand, and \\rk{{{key}}} is {value}."
    else:
        return None
    return RULE.at(
        context.paper,
        number.span,
        message,
        remedy=f"write \\rk{{{key}}}",
        severity=severity,
        replacement=f"\\rk{{{key}}}" if context.paper.language == "latex" else None,
        safe=False,
    )


RULE = Rule(
    code="RK102",
    name="prose-number-differs",
    severity="error",
    needs=frozenset({"paper"}),
    check=check,
    unseen=(0, 0, 3),
    also={
        "warning": "a table of the paper has another number",
        "info": "the number is right, and typed by hand where a key is",
    },
    sources="ARR R1",
)
