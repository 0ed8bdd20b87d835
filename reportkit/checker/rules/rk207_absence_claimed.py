""" "No difference" or "on par" from a large p, without an equivalence margin.

What it does
------------
Reports "no difference", "equivalent", "on par", "as good as", "comparable", "identical" and the like where the same
sentence, or the one before it, gives a p above .05 or says that something was not significant, and no equivalence
margin, no region of practical equivalence and no Bayes factor is named in the paragraph.

Why
---
Absence of evidence is no evidence of absence: with few instances every difference has a large p. ACL Rolling Review,
guideline R3 (speculation as conclusion); Sadat Azer et al. (2020), section 4. An equivalence test asks the question
that is meant.

Example
-------
    The two parsers perform equally well (p = .41).

Instead
-------
    The difference between the two parsers is 0.3 points (95% interval -0.9 to 1.5; p = .41), so that a loss of
    more than
    one point is not excluded. Or, with a margin fixed in advance: the parsers are equivalent within one point (two
    one-sided tests, p = .01).

When it is wrong
----------------
If the equivalence rests on something that stands in another paragraph. "No statistically significant difference" is
what a test says, and is not reported; nor are null hypotheses, questions and denials.
"""  # noqa: D210

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.prose import Statement
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import EQUIVALENCE, INTERVAL, P_NUMBER

CLAIM = re.compile(
    r"\b(?:no|without(?: any)?|not? (?:make )?any|zero) (?:real |actual |discernible |true |clear |meaningful |"
    r"notable |"
    r"measurable |practical |performance )*(?:difference|effect|gain|improvement|degradation|change)s?\b"
    r"|\b(?:do|does|did|are|is|was|were) not (?:differ|different)\b|\bequivalent(?:ly)?\b(?! to (?:the |"
    r"a )?\w+ing)|\bon (?:a )?par\b"
    r"|\bas (?:good|accurate|strong|effective) as\b"
    r"|\b(?:perform|work|do|far|scor|generali[sz])\w*(?: \w+){0,2} as well as\b|\b(?:did|done) as well as\b"
    r"|\bequally (?:good|well|accurate|"
    r"strong|effective)\b"
    r"|\b(?<!statistically )indistinguishable\b|\b(?:identical|equal|the same|comparable|"
    r"similar) (?:performance|accuracy|quality|"
    r"results?|scores?)\b(?! (?:in|for|on) [^.;]{0,20}\d\s?%)"
    r"|\b(?:perform|performs|performed) (?:identically|comparably|similarly|the same)\b"
    r"|\bmatch(?:es|ed)? (?:the )?(?:performance|accuracy|quality)\b",
    re.IGNORECASE,
)
NOT_SIGNIFICANT = re.compile(
    r"\b(?:not|n['’]t|never|no longer) (?:(?!very|so|too)\w+ ){0,2}significan"
    r"|\binsignifican|\bnon-?significan|\bn\.\s?s\.|"
    r"\bfails? to reach sign"
    r"|\bno (?:statistically )?significan|\b(?:not|n['’]t|cannot) (?:be )?reject(?:ed)?\b|\bfail(?:s|ed)? to reject",
    re.IGNORECASE,
)
DENIED = re.compile(
    r"\b(?:no|not|never|nor|cannot|little|n['’]t) (?:\w+ ){0,4}(?:evidence|mean|imply|show|conclude|prove|"
    r"establish|demonstrate|"
    r"say|claim|that)\b|\bneed not\b|\bH_?0\b|\bnull\b|\bwhether\b|\bif\b|\bwould\b|\bhypothes|\bassum|\?|"
    r"\balternative",
    re.IGNORECASE,
)
FOLLOWS = re.compile(
    r"^\W*(?:thus|hence|therefore|so|this|that|these|accordingly|consequently|in other words|both|they)\b",
    re.IGNORECASE,
)
"""How a sentence begins that draws a conclusion from the one before."""
LEVEL_OF_TEST = 0.05


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each sentence that concludes sameness from a large p."""
    prose = context.prose
    for item in prose.own:
        match = CLAIM.search(item.text)
        if match is None or DENIED.search(item.text):
            continue
        grounds = _grounds(item, prose.near(item, after=0) if FOLLOWS.search(item.text) else "")
        if grounds is None or EQUIVALENCE.search(prose.around(item)) or INTERVAL.search(prose.near(item, after=0)):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        yield RULE.at(
            context.paper,
            item.span(match),
            f"{match[0]!r} is concluded from {grounds}, which does not show that they are equal.",
            remedy=(
                "give the difference with its interval, or test for equivalence within a margin that was fixed in "
                "advance"
            ),
        )


def _grounds(item: Statement, near: str) -> str | None:
    """What the conclusion rests on: a large p, or a test that did not reject."""
    for text in (item.text, near):
        for match in P_NUMBER.finditer(text):
            if match["relation"] in ("<", "≤", "<="):
                continue
            value = float(match["p"]) if re.fullmatch(r"[\d.]+", match["p"]) else 0.0
            if LEVEL_OF_TEST < value <= 1 or (match["relation"] in (">", "≥", ">=") and value >= LEVEL_OF_TEST):
                return f"p {match['relation'] or '='} {match['p']}"
    return "a test that did not reject" if NOT_SIGNIFICANT.search(item.text) else None


RULE = Rule(
    code="RK207",
    name="absence-claimed",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R3; Sadat Azer et al. 2020",
)
