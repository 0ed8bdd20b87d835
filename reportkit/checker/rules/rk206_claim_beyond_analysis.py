""" "On all datasets" or "on most" is more than the replicability analysis supports.

What it does
------------
Reports "better on all datasets", "on most", "on 3 of 4" about two systems of the data where the replicability
analysis supports fewer: k-hat at the level of the settings. Sentences that speak of observed scores, of "at least",
or of averages are left alone.

Why
---
A claim about N datasets is N claims. k-hat is the number for which the data vouch with confidence 1 - alpha. Dror et
al. (2017); ACL Rolling Review, guidelines R2 and R5.

Example
-------
    Our parser outperforms the baseline on all four languages.  where k-hat = 2

Instead
-------
    Our parser is better on at least 2 of 4 languages, with 95% confidence; its observed score is higher on all four.

When it is wrong
----------------
If the sentence is about other systems or datasets than the data. Where the data hold several pairs of systems, a
sentence that names neither is not checked.
"""  # noqa: D210

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import Labels
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import COLLECTIONS, NUMERAL, number_of

if TYPE_CHECKING:
    from reportkit.replicability.comparison import Comparison

COUNT = re.compile(
    rf"\b(?:on|in|for|across|over) (?:(?P<all>all|every|each)(?: of)?|(?P<most>most|the majority|a majority|"
    rf"more than half)(?: of)?|"
    rf"(?P<k>{NUMERAL}) (?:out )?of)(?: the| our| these)?(?: (?P<n>{NUMERAL}))? (?:\w+ )?{COLLECTIONS}\b",
    re.IGNORECASE,
)
CLAIM = re.compile(
    r"\b(?:outperform|surpass|beat|exceed|improv|superior|better|best|win|wins|significan)\w*", re.IGNORECASE
)
MODEST = re.compile(
    r"\bat least\b|\bobserved\b|\bnumerical|\bdescriptiv|\baverage|\bmean\b|\bscores? (?:is|are) higher|"
    r"\bhigher scores?\b|\blower bound|\bnot\b|\bk̂|\bclaim that\b|\bhypothes[ie]s\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each claim about more datasets than the analysis supports."""
    for item in context.prose.own:
        match = COUNT.search(item.text)
        if match is None or not CLAIM.search(item.text) or MODEST.search(item.text) or item.hypothetical:
            continue
        comparison = _comparison(context, item.text)
        if comparison is None:
            continue
        context.coverage.claim(context.number, item.sentence.span)
        total = comparison.n_datasets
        if match["n"] and number_of(match["n"]) != total:
            continue
        claimed = total if match["all"] else total // 2 + 1 if match["most"] else number_of(match["k"])
        supported = _supported(context, comparison)
        if claimed > supported:
            yield RULE.at(
                context.paper,
                item.span(match),
                f"{match[0]!r} claims {claimed} of {total}, and the analysis supports "
                f"{f'at least {supported}' if supported else 'none'} (k-hat).",
                where=f"{comparison.system_a!r} against {comparison.system_b!r}",
                remedy=(f'say "on at least {supported} of {total}", or ' if supported else "say ")
                + "that the observed scores are higher",
            )


def _supported(context: CheckContext, comparison: Comparison) -> int:
    """The bound that the report gives at the level of the settings; p-values at or below the level may be more."""
    analysis = context.data.analysis
    return 0 if analysis is None else comparison.k_hat[max(analysis.alpha)].recommended


def _comparison(context: CheckContext, text: str) -> Comparison | None:
    """The comparison that a sentence is about: the only one, or the one whose systems it names."""
    analysis = context.data.analysis
    if analysis is None:
        return None
    pairs = analysis.comparisons
    if len(pairs) == 1:
        return pairs[0]
    data = context.data
    named = Labels(data.system_names, data.dataset_names, data.metrics, context.config.labels).mentioned(text, "system")
    if len(named) != 2:
        return None
    fitting = [pair for pair in pairs if {pair.system_a, pair.system_b} == set(named)]
    plain = text.casefold()
    ordered = [
        pair for pair in fitting if 0 <= plain.find(pair.system_a.casefold()) < plain.find(pair.system_b.casefold())
    ]
    found = fitting if len(fitting) == 1 else ordered
    return found[0] if len(found) == 1 else None


RULE = Rule(
    code="RK206",
    name="claim-beyond-analysis",
    severity="error",
    needs=frozenset({"paper", "data"}),
    check=check,
    sources="ARR R2, R5",
)
