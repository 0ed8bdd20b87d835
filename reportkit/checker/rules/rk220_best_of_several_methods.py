r"""Several ways of combining p-values are tried, and the best count is reported.

What it does
------------
Reports a paragraph about counting datasets that names two or more ways of combining p-values (Fisher, Bonferroni,
Holm, Stouffer, Simes, ...) and says that the larger or largest count is reported.

Why
---
Each way holds its level by itself; the largest of several counts does not. The choice follows from what is known
about the dependence of the datasets, not from the result. ACL Rolling Review, guideline R1 (presenting the best of
several trials); Dror et al. (2017), section 4.

Example
-------
    Fisher gives $\hat{k} = 5$ and Bonferroni 3; we report the larger count.

Instead
-------
    The datasets are independent, so we use Fisher's combination ($\hat{k} = 5$), as fixed in advance.

When it is wrong
----------------
If the larger count is only described.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

METHODS = re.compile(r"\b(Fisher|Bonferroni|Holm|Stouffer|Simes|[SŠ]id[aá]k|Tippett|Hommel|Pearson|Edgington|Cauchy)\b")
BEST = re.compile(
    r"\b(?:report|use|take|cho(?:o|se)\w*|pick\w*|keep|present|select)\w*\b[^.;]{0,40}\b(?:larger|largest|higher|"
    r"highest|max(?:imum|imal)?|best|greater|"
    r"greatest|more powerful|most favou?rable)\b[^.;]{0,40}(?:k̂|\bk-hat|\bcounts?\b|\bnumbers?\b|\bof (?:the|"
    r"these) (?:two|three|methods)|\bestimates?\b|\bresults?\b)"
    r"|\bwhichever\b[^.;]{0,60}\b(?:larger|largest|higher|highest|more|most|better|best)\b|\bk̂\s*=\s*max",
    re.IGNORECASE,
)
ABOUT = re.compile(
    r"k̂|\bk[- ]hat\b|\bcombin|\bnumber of (?:\w+ )?(?:datasets|domains|languages|tasks)|\bcounts?\b", re.IGNORECASE
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each sentence that chooses the largest count."""
    prose = context.prose
    for item in prose.with_words("larg", "high", "max", "best", "great", "whichever", "favo", "powerful"):
        match = BEST.search(item.text)
        if match is None or item.negated(match.start()):
            continue
        around = prose.around(item)
        methods = sorted({found.group(1) for found in METHODS.finditer(around)})
        if len(methods) < 2 or not ABOUT.search(around):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        yield RULE.at(
            context.paper,
            item.span(match),
            f"Of several ways to combine p-values ({', '.join(methods)}), the one with the largest count is reported.",
            remedy=(
                "choose by what is known about the dependence of the datasets, and report that one; others may stand "
                "beside it"
            ),
        )


RULE = Rule(
    code="RK220",
    name="best-of-several-methods",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R1",
)
