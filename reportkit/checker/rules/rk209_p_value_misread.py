"""A p-value is described as the probability of a hypothesis or of chance.

What it does
------------
Reports sentences that take p for the probability of the null hypothesis, for the probability that a result is due to
chance, or 1 - p for the probability of the claim ("we are 95% sure"). Definitions that condition on the null
hypothesis ("if the null hypothesis were true", "at least as extreme") are left alone, and so are posteriors.

Why
---
p is the probability of data at least as extreme as those observed, computed as if the null hypothesis were true; it
says nothing about how probable that hypothesis is. Sadat Azer et al. (2020) found this the most frequent misreading
in their survey; ACL Rolling Review, guideline R5.

Example
-------
    With p = .03, the probability that the gain is due to chance is 3%.

Instead
-------
    If the two systems were equally good, a gain at least as large would be seen in 3% of samples (p = .03).

When it is wrong
----------------
In a sentence that explains the mistake without a word such as "misread" or "not". Chance agreement and chance levels
are no business of this rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.prose import Statement
from reportkit.checker.rule import Rule

PROBABILITY = r"(?:probabilit(?:y|ies)|likelihood|chances?|odds)"
P = r"(?<![\w-])p(?:[- ]?values?\b|\s*[=<≤>]\s*[\d.]+)"
OF_HYPOTHESIS = re.compile(
    rf"\b{PROBABILITY} (?:of|that|for) (?:the |an? |this |our |H_?0)?(?:null |alternative |"
    rf"research )?(?:hypothes[ie]s|null|H_?[01])\b"
    rf"(?![^.]{{0,30}}\b(?:test|space|rejected|reject)\b)(?:[^.]{{0,25}}\b(?:true|false|correct|wrong|holds?|"
    rf"holding)\b)?"
    rf"|{P}[^.;]{{0,60}}\b(?:is|are|as|means?|gives?|denotes?|represents?|measures?|quantif\w+|estimates?|"
    rf"reflects?)\b[^.;]{{0,30}}"
    rf"\b{PROBABILITY} (?:of|that|for) [^.;]{{0,60}}\b(?:true|false|correct|wrong|better|random|accident\w*|"
    rf"coinciden\w+|real)\b",
    re.IGNORECASE,
)
DUE_TO_CHANCE = re.compile(
    r"\b(?:due to|because of|attribut\w+ to|explained by|result of|product of) (?:pure |mere |random |sheer |"
    r"statistical )?"
    r"(?:chance|luck|coincidence|accident)\b|\b(?:occur\w*|happen\w*|aris\w+|arose|obtained|observed|produced|"
    r"came about) "
    r"(?:purely |merely |simply |only |just )?by (?:pure |mere |random |sheer )?(?:chance|luck|accident|coincidence)\b",
    re.IGNORECASE,
)
STATISTICAL = re.compile(rf"{P}|\bsignifican|\bnull\b|\bH_?0\b|\b(?<!to )tests?\b(?! set| data| split)", re.IGNORECASE)
SUPPOSED = re.compile(
    r"\b(?:could|can|may|might|would) (?:also )?be (?:due|because|explained|attributed)|\bwhether\b", re.IGNORECASE
)
SURE = re.compile(
    r"\b(?:we|one) (?:are|is|can be|may be) (?:at least |over |more than )?\d+(?:\.\d+)?\s?% (?:sure|certain|"
    r"confident)\b"
    r"|\bwith (?:at least |over |more than )?\d+(?:\.\d+)?\s?% (?:certainty|probability)\b[^.]{0,60}\b(?:better|"
    r"outperform\w*|superior|true|best)\b"
    r"|\b\d+(?:\.\d+)?\s?% (?:probability|likelihood|chance) (?:that|of) [^.]{0,50}"
    r"\b(?:better|outperform\w*|superior|hypothes[ie]s|real|true)\b|\bprobability (?:of|is|"
    r"=) [^.]{0,12}\b1\s?[−–-]\s?p\b",
    re.IGNORECASE,
)
RIGHT = re.compile(
    r"\bat least as\b|\bas extreme\b|\bmore extreme\b|\bunder (?:the |this |an? |that )?(?:null|H_?0|hypothesis|"
    r"assumption)|"
    r"\b(?:if|when|were|given(?: that)?|assuming(?: that)?|provided(?: that)?|conditional on|"
    r"suppos\w+)\b[^.]{0,60}\b(?:null|H_?0|hypothesis|equally|"
    r"no (?:true |real )?(?:difference|effect)|identical|same)|\b(?:null|H_?0)[^.]{0,20}\b(?:were|is) true,|"
    r"\bposterior|\bBayes|\bcredible|\bpriors?\b"
    r"|\b(?:type|false) (?:I|II|1|2|claims?|positives?|discover\w+)\b|\breject\w*|\berror rate|\bagreement|"
    r"\bkappa\b|\bchance level|\bguess\w*"
    r"|\bpower\b|\bprobability of (?:at least )?one\b",
    re.IGNORECASE,
)
NOT_SO = re.compile(
    r"\b(?:not|nor|never|neither|nothing|no|n['’]t)\b(?:\W+[\w-]+){0,6}?\W+(?:mean|imply|show|tell|say|measure|"
    r"give|read|interpret\w*|understood|"
    r"probability|probabilities|likelihood|chance|odds|be|a|as)\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each sentence that misreads p."""
    for item in context.prose.with_words(
        "probab", "likelihood", "chance", "odds", "luck", "accident", "coinciden", "% sure", "% cert", "% conf"
    ):
        found = _misread(item)
        if found is None:
            continue
        match, message = found
        context.coverage.claim(context.number, item.sentence.span)
        yield RULE.at(context.paper, item.span(match), message, remedy=TO_DO)


def _misread(item: Statement) -> tuple[re.Match[str], str] | None:
    """The misreading, if there is one, and what it is."""
    text = item.text
    if RIGHT.search(text):
        return None
    if match := OF_HYPOTHESIS.search(text):
        about = re.search(rf"{P}|\bsignifican|\btest\b|\bconfidence\b|\bnull\b|\bH_?0", text, re.IGNORECASE)
        if about and not NOT_SO.search(text[: match.end()]):
            return match, "A p-value is described as the probability of a hypothesis."
    if (
        (match := DUE_TO_CHANCE.search(text))
        and STATISTICAL.search(text)
        and not SUPPOSED.search(text)
        and not NOT_SO.search(text[: match.start()])
    ):
        return match, "A p-value is described as the probability that a result is due to chance."
    if (match := SURE.search(text)) and not NOT_SO.search(text[: match.start()]):
        return match, "A test is read as the probability that the claim is true."
    return None


TO_DO = (
    "say what was computed: if the null hypothesis were true, differences at least as large would be seen with "
    "probability p; "
    "for the probability of a hypothesis, use a posterior"
)


RULE = Rule(
    code="RK209",
    name="p-value-misread",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5; Sadat Azer et al. 2020",
)
