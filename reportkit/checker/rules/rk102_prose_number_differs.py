r"""A number in the text is not the one of the data that it names.

What it does
------------
In sentences that name one system and one dataset of the data, and say that one reaches one score on the other, compares
the score with the data, or with a report, with regard to rounding. In sentences that name two systems and one dataset,
gains in points, p-values (p = ...) and intervals are recomputed in the same way; they are warnings, and p-values and
intervals only if they differ by more than another valid method would. So are averages of a system, and average gains
of one over another, in sentences that name no dataset: the mean over the datasets or over all instances. Where the
numbers of a report are read by `\input{rknumbers}`, a typed number that is nearly that of the key is reported as out
of date, and one that is equal as typed by hand (info).

Why
---
ACL Rolling Review, guideline R1. Text is written once, and tables are built anew until the deadline.

Example
-------
    Ours reaches 93.1 on SST-2.  The data say 92.1.

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

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import Labels, normalised
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.prose_tests import AVERAGED, differing
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
    r"at least|at most|up to|above|below|more than|less than|about|around|roughly|nearly|almost|under|would|could|if|"
    r"over(?=\s+\d+(?:\.\d|\s?%))|"
    r"without|ablat\w*|"
    r"when|after|before|epoch|human|respectively|single|subset|few-shot|zero-shot|with only)\b",
    re.IGNORECASE,
)
SHARE_NEAR = 0.5
MOST_UNITS = 30
"""A typed number that is further from the key's (in units of its last digit) is another number."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each number in the text that its source does not have."""
    labels = _labels(context)
    keys = _keys(context)
    for sentence in context.paper.sentences:
        if sentence.place in ("reference", "heading") or not sentence.numbers:
            continue
        if labels is not None and not LEFT_ALONE.search(sentence.text.text):
            yield from _of_tests(context, sentence, labels)
        stated = stated_score(sentence)
        if stated is None:
            continue
        number, text = stated
        words = f" {normalised(text)} "
        message = _of_keys(context, number, words, keys)
        if message is not None:
            yield message
            continue
        if labels is not None:
            yield from _in_data(context, number, text, labels)


def stated_score(sentence: Sentence) -> tuple[PrintedNumber, str] | None:
    """The one score that a sentence says something reaches, and its clause; the sentence if it has no other number."""
    if LEFT_ALONE.search(sentence.text.text) or AVERAGED.search(sentence.text.text):
        return None
    located = [
        (start, number)
        for start, _, number in located_numbers(sentence.text)
        if (number.decimals > 0 or number.percent) and number.role == "value"
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


def near(value: float, others: list[float]) -> bool:
    """Whether a value may be meant for one of others, in percent or as proportions."""
    return any(
        abs(value - scale * other) <= SHARE_NEAR * abs(value) for other in others for scale in (1.0, 100.0, 0.01)
    )


def _labels(context: CheckContext) -> Labels | None:
    if context.evidence is None and context.report_data is None:
        return None
    evidence = context.scored
    if not evidence.scores or len(evidence.metrics) != 1:
        return None
    return Labels(evidence.system_names, evidence.dataset_names, evidence.metrics, context.config.labels)


def _in_data(context: CheckContext, number: PrintedNumber, text: str, labels: Labels) -> Iterator[Diagnostic]:
    systems, datasets = labels.mentioned(text, "system"), labels.mentioned(text, "dataset")
    if len(systems) != 1 or len(datasets) != 1:
        return
    score = context.scored.scores.get((context.scored.metrics[0], systems[0], datasets[0]))
    if score is None or not near(number.value, [score[0]]):
        return
    context.coverage.checked(context.number, number.span)
    scale = min((1.0, 100.0), key=lambda factor: abs(number.value - factor * score[0]))
    if not number.stands_for(score[0], scale=scale):
        yield RULE.at(
            context.paper,
            number.span,
            f"{number.text} is printed, and the score in {context.scored.name} is "
            f"{scale * score[0]:.{number.decimals + 2}f}.",
            where=f"{systems[0]!r} on {datasets[0]!r}",
            remedy="find out which of the two is out of date",
            replacement=f"{scale * score[0]:.{number.decimals}f}",
            safe=False,
        )


def _of_tests(context: CheckContext, sentence: Sentence, labels: Labels) -> Iterator[Diagnostic]:
    """Gains, p-values and intervals of two systems on one dataset, and averages over all."""
    for item in differing(sentence, context.scored, labels):
        number = item if isinstance(item, PrintedNumber) else item.number
        context.coverage.checked(context.number, number.span)
        if not isinstance(item, PrintedNumber):
            yield RULE.at(
                context.paper,
                number.span,
                f"{number.text} is printed, and the {item.noun} from {context.scored.name} is {item.computed}.",
                where=item.where,
                remedy=item.remedy,
                severity="warning",
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
    also={
        "info": "the number is right, and typed by hand where a key is",
        "warning": "the number is a gain, an average, a p-value or an interval, which depends on the settings",
    },
    sources="ARR R1",
)
