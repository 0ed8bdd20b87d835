r"""k-hat is worded as an exact number, or datasets are named from it.

What it does
------------
Reports a sentence about k-hat (replicability analysis, partial conjunction) that gives a number of datasets without
"at least", and one that names datasets from k-hat by Fisher's combination.

Why
---
k-hat is a lower confidence bound: the number of datasets on which the claim is true is at least that, with confidence
1 - alpha. Which datasets these are is answered by Holm's procedure, and by Fisher's combination not at all. Dror et
al. (2017), sections 4 and 5; ACL Rolling Review, guideline R5.

Example
-------
    With $\hat{k} = 3$, our parser is better on 3 of 5 languages.

Instead
-------
    With 95% confidence, our parser is better on at least 3 of 5 languages ($\hat{k} = 3$); Holm's procedure
    names Danish and Greek.

When it is wrong
----------------
If the sentence is about the datasets that Holm's procedure identifies, and does not say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.prose import Statement
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import BETTER, COLLECTIONS, NUMERAL, number_of

K_HAT = re.compile(r"k̂|\bk[- ]?hat\b|\breplicability analysis\b|\bpartial[- ]conjunction\b", re.IGNORECASE)
COUNT = re.compile(
    rf"\b(?P<how>(?:on|in|for|across|over) )(?:exactly |only |just |precisely )?(?P<k>{NUMERAL})"
    rf"(?: (?:out )?of (?:the |our )?(?P<n>{NUMERAL}))? (?:\w+ ){{0,2}}?{COLLECTIONS}\b",
    re.IGNORECASE,
)
BOUND = re.compile(
    r"\bat least\b|\bor more\b|\b(?:lower )?bound|≥|\bno fewer\b|\bminimum\b|\bHolm\b|\bidentif|\bnam(?:e|es|"
    r"ed)\b|\bindividual|\btruth\b|\btrue number",
    re.IGNORECASE,
)
CLAIM = re.compile(rf"{BETTER.pattern}|\bsignifican|\bhold(?:s|ing)?\b|\breplicat(?:e|es|ed)\b|\beffect", re.IGNORECASE)
FISHER = re.compile(r"\bFisher\b", re.IGNORECASE)
NAMED = re.compile(
    r"\b(?:namely|i\.e\.,|specifically|these are|those are|which are|identif(?:y|ies|ied|ying))\b|"
    r"k̂[^.;:]{0,30}: (?=\w)",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each sentence about k-hat that says more than it bounds."""
    prose = context.prose
    for item in prose.with_words(
        "k̂", "k-hat", "k hat", "khat", "replicability analysis", "partial conjunction", "partial-conjunction"
    ):
        if K_HAT.search(item.text) is None or item.hypothetical:
            continue
        context.coverage.claim(context.number, item.sentence.span)
        match = COUNT.search(item.text)
        if match and not _all_of_them(match) and CLAIM.search(item.text) and not BOUND.search(item.text):
            yield RULE.at(
                context.paper,
                item.span(match, "k"),
                f"{match[0]!r} is worded as an exact number, and k-hat is a lower bound.",
                remedy='say "on at least", with the confidence',
                replacement=_at_least(item, match),
                safe=False,
            )
        named = NAMED.search(item.text)
        if (
            named
            and FISHER.search(item.text)
            and not item.negated(named.start())
            and not re.search(r"\bHolm\b|\bclosed test|\bnot\b", item.text)
        ):
            yield RULE.at(
                context.paper,
                item.span(named),
                "Datasets are named from k-hat by Fisher's combination, which only counts.",
                remedy="name the datasets that Holm's procedure rejects",
            )


def _all_of_them(match: re.Match[str]) -> bool:
    """Whether the number is that of all datasets, which cannot be more."""
    return match["k"].lower() == "both" or (match["n"] is not None and number_of(match["k"]) == number_of(match["n"]))


def _at_least(item: Statement, match: re.Match[str]) -> str | None:
    """The count as a bound; None where a word such as "exactly" stands before it."""
    return f"at least {match['k']}" if match.end("how") == match.start("k") else None


RULE = Rule(
    code="RK212",
    name="k-hat-worded-exactly",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5; Dror et al. 2017",
)
