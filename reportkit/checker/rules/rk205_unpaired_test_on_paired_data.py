"""Paired data are tested as unpaired, or the unit of the test is not the sampling unit.

What it does
------------
Reports analyses that compare the systems as independent samples although they have instances in common (`pairing =
"unpaired"`), tests that ignore a declared cluster, and numbers of right answers whose pairing is not known. In a paper
beside the data: names of unpaired tests (Mann-Whitney, Welch, two-sample t) where all systems were scored on the same
instances.

Why
---
Two systems on the same test items are right and wrong on the same ones. An unpaired test throws that away: its p-value
is mostly far too large, and for negatively correlated scores too small. Where raters or sentences of one document stand
as independent units it is too small. ACL Rolling Review, guideline R5; Dror et al. (2018), "The Hitchhiker's Guide".

Example
-------
    We compare the two systems on the 872 sentences of SST-2 with a two-sample t-test.

Instead
-------
    We compare them with the exact McNemar test on the 872 sentences.

When it is wrong
----------------
If the test named is about something else that is not paired: scores of independently trained runs, two groups of
annotators. Sentences that speak of runs, seeds or annotators are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.prose import Prose
from reportkit.checker.rule import Rule

UNPAIRED = re.compile(
    r"\b(?:unpaired|two[- ]sample|independent[- ]samples?|independent two[- ]sample) (?:\w+ )?[tz][- ]?tests?"
    r"|\bMann\s?[–-]+\s?Whitney(?:[- ]U)?(?: tests?)?|\brank[- ]sum(?: tests?)?|\bWelch['’]?s?(?: [tz][- ]?tests?)?"
    r"|\b(?:two|2)[- ]proportions? z?[- ]?tests?|\btests? (?:for|of) two independent proportions",
    re.IGNORECASE,
)
OTHER_UNITS = re.compile(r"\b(?:runs?|seeds?|restarts?|annotators?|raters?|participants?|folds?|groups?)\b", re.I)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield what the analysis says of its pairing, and names of unpaired tests in a paper beside paired data."""
    yield from reported(context, RULE)
    common = _most_common_instances(context)
    if not common:
        return
    dataset, n = common
    for document in context.documents:
        for item in Prose(document).own:
            match = UNPAIRED.search(item.text)
            if match is None or item.negated(match.start()) or OTHER_UNITS.search(item.text):
                continue
            yield RULE.at(
                document,
                item.span(match),
                f"{match[0]} takes the two systems as independent samples; all were scored on the same instances "
                f"({n:,} on {dataset!r}).",
                remedy="choose a paired test: McNemar's for right or wrong answers, else a sign flip",
            )


def _most_common_instances(context: CheckContext) -> tuple[str, int] | None:
    """The dataset with the most instances that all its systems were scored on; None if the data are not paired."""
    results = None if context.evidence is None else context.evidence.results
    if results is None or context.settings.get("pairing") == "unpaired":
        return None
    best: tuple[str, int] | None = None
    for block in results:
        if block.unit == "instance" and block.n_instances and len(block.systems) > 1:
            n = int(block.presence().all(axis=0).sum())
            if n > 1 and (best is None or n > best[1]):
                best = block.dataset, n
    return best


RULE = Rule(
    code="RK205",
    name="unpaired-test-on-paired-data",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
