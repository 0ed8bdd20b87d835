r"""A mark stands where the difference has the other sign.

What it does
------------
Finds which system is claimed to be better: from the legend of the marks ("† better than BERT"), or from a sentence that
names both systems of the table with a verb such as "outperforms". Reports each marked line on which that system scores
lower.

Why
---
ACL Rolling Review, guidelines R1 and R5. A small p-value of a test in the observed direction, or of a two-sided test,
is marked although it speaks against the claim: in Dror et al. (2017) four of twelve stars of two tables stand where the
claimed winner scores lower.

Example
-------
    Caption: * Ours is better than BERT (Holm, α = .05).   Tamil* & 81.55 & 84.97 \\

Instead
-------
    Leave the star out, or say in the caption that marks stand for a difference in either direction.

When it is wrong
----------------
If marks stand for a difference in either direction. A legend that says "differ", "difference" or "either direction" is
left alone unless it names a winner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from reportkit.checker.comparison import MARK, ComparedLine, PrintedComparison, comparisons, words_about
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import normalised
from reportkit.checker.paper.document import Document
from reportkit.checker.rule import Rule

BETTER = (
    r"(?:outperform\w*|(?:is|was|are|scores?|does|"
    r"performs?)?\s*(?:statistically\s+)?(?:significantly\s+)?(?:better|higher|"
    r"superior|stronger)\s+(?:than|to|on)|beats?|improves?\s+(?:over|on|upon)|exceeds?|surpass\w*|wins? (?:over|"
    r"against))"
)
CLAIMS = re.compile(r"outperform|better|higher|superior|stronger|beat|improve|exceed|surpass|win", re.IGNORECASE)
EITHER = re.compile(r"either direction|in both directions|\bdiffer(?:s|ent|ence|ences)?\b|\btwo-sided\b", re.IGNORECASE)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each marked line on which the claimed winner scores lower."""
    claims = _claims(context.paper)
    for comparison in comparisons(context.paper):
        if not comparison.system_a or not any(line.marks for line in comparison.lines):
            continue
        winner = claimed_winner(context.paper, comparison, claims)
        if winner == 0:
            continue
        better, worse = (comparison.system_a, comparison.system_b)[::winner]
        for line in comparison.lines:
            if line.marks and line.sign is not None:
                context.coverage.claim(context.number, line.span)
                sign = line.sign * (-1 if comparison.lower_is_better else 1)
                if sign == -winner:
                    yield _against(context, comparison, better, worse, line)


def _against(
    context: CheckContext, comparison: PrintedComparison, better: str, worse: str, line: ComparedLine
) -> Diagnostic:
    numbers = [cell.number.text for cell in (line.a, line.b) if cell is not None and cell.number is not None]
    if better == comparison.system_b:
        numbers.reverse()
    return RULE.at(
        context.paper,
        line.span,
        f"{line.dataset} is marked, and {better} is worse than {worse} there: {' against '.join(numbers)}.",
        remedy="leave the mark out, or say that marks stand for a difference in either direction",
    )


def _claims(paper: Document) -> list[str]:
    """Sentences of the paper in which something can be called better."""
    texts = (sentence.text.text for sentence in paper.sentences if sentence.place != "reference")
    return [text for text in texts if CLAIMS.search(text)]


def claimed_winner(paper: Document, comparison: PrintedComparison, claims: Sequence[str]) -> int:
    """1 if the paper claims A to be better, -1 if B, 0 if it claims neither or both."""
    about = words_about(paper, comparison.table)
    legend = " ".join(part for part in about if MARK.search(part))
    in_legend = _winner(legend, comparison)
    if in_legend or EITHER.search(legend):
        return in_legend
    winners = {winner for text in claims if (winner := _winner(text, comparison))}
    return winners.pop() if len(winners) == 1 else 0


def _winner(text: str, comparison: PrintedComparison) -> int:
    """Whom one text calls better than the other."""
    words = _plain(text)
    a, b = _plain(comparison.system_a).strip(), _plain(comparison.system_b).strip()
    if not a or not b or a == b or a not in words or b not in words:
        return 0
    between = r"[^.;]{0,24}?"
    forward = re.search(rf"\b{re.escape(a)}\b{between}\b{BETTER}{between}\b{re.escape(b)}\b", words, re.IGNORECASE)
    backward = re.search(rf"\b{re.escape(b)}\b{between}\b{BETTER}{between}\b{re.escape(a)}\b", words, re.IGNORECASE)
    return bool(forward) - bool(backward)


@lru_cache(maxsize=4_096)
def _plain(text: str) -> str:
    """Words with single spaces; sentence ends kept."""
    parts = re.split(r"([.;])(?=\s|$)", text)
    return " ".join(part if part in (".", ";") else normalised(part) for part in parts)


RULE = Rule(
    code="RK213",
    name="mark-against-sign",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
    sources="ARR R1, R5",
)
