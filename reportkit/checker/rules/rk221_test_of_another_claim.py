"""A rank test is used for a claim about means.

What it does
------------
Reports a sentence that claims a higher (lower, different) mean or average and rests it on a rank test: Wilcoxon,
Mann-Whitney, the sign test.

Why
---
The signed-rank test is about the pseudo-median of the differences, the sign test about their median, Mann-Whitney
about which score is higher in a random pair. With skewed differences the mean can point the other way. Sadat Azer et
al. (2020), section 3: the null hypothesis should be what is claimed; ACL Rolling Review, guideline R5.

Example
-------
    The mean BLEU is significantly higher (Wilcoxon signed-rank test, p = .01).

Instead
-------
    The mean BLEU is higher by 0.8 (sign-flip test of the mean, p = .02).

When it is wrong
----------------
If the sentence gives a mean only as a description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

RANK_TEST = re.compile(
    r"\bWilcoxon\b|\bsigned[- ]rank\b|\brank[- ]sum\b|\bMann\s?[–-]+\s?Whitney\b|\bsign tests?\b(?!-)|\bU[- ]test\b",
    re.IGNORECASE,
)
MEAN = re.compile(
    r"\b(?:mean|average|averages|means)\b(?! ranks?\b| reciprocal| average precision| squared| absolute|"
    r" opinion| pooling| of ranks)",
    re.IGNORECASE,
)
CLAIM = re.compile(
    r"\b(?:higher|lower|larger|smaller|better|worse|greater|differ\w*|increas\w*|decreas\w*|improv\w*|"
    r"outperform\w*|gains?|rais\w*)\b",
    re.IGNORECASE,
)
KNOWN = re.compile(
    r"\bmedian|\brank(?:s|ed)? (?:of|are|over)|\bHodges|\blocation\b|\bsymmetr|\bshift\b|\bnot (?:about|"
    r"of) (?:the )?means?|\bassum",
    re.IGNORECASE,
)

NO_CLAIM = re.compile(r"\bno (?:[\w-]+ ){0,3}(?:differences?|effects?|changes?|gains?|improvements?)\b", re.IGNORECASE)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each claim about means from a rank test."""
    for item in context.prose.with_words(
        "wilcoxon", "signed-rank", "signed rank", "rank-sum", "rank sum", "whitney", "sign test", "u-test", "u test"
    ):
        match = RANK_TEST.search(item.text)
        mean = MEAN.search(item.text)
        if match is None or mean is None or not CLAIM.search(item.text) or KNOWN.search(item.text) or item.hypothetical:
            continue
        if NO_CLAIM.search(item.text):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if item.negated(match.start()):
            continue
        kind = "signs" if "sign test" in match[0].lower() else "ranks"
        yield RULE.at(
            context.paper,
            item.span(match),
            f"{match[0]!r} is about {kind}, and the claim is about means ({mean[0].lower()!r}).",
            remedy="test the mean (paired t or sign-flip test), or claim what the rank test is about",
        )


RULE = Rule(
    code="RK221",
    name="test-of-another-claim",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5",
)
