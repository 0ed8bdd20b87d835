"""Datasets share instances, and are counted as if they did not.

What it does
------------
Looks for instance ids, clusters and scores that several datasets have in common. An error if the datasets are declared
independent (`dependence = "independent"`), else a warning.

Why
---
Fisher's combination, and with it k-hat by Fisher, needs independent p-values; two datasets with common texts win or
lose together (Dror et al. 2017, section 3 and footnote 4). Without the declaration, k-hat by Bonferroni still holds,
but "on five datasets" says less than it seems to.

Example
-------
    SNLI-hard is a subset of SNLI, and both are rows of the table.

Instead
-------
    Leave the subset out of the count, or take back `dependence = "independent"` and say in the text that they overlap.

When it is wrong
----------------
Ids that are running numbers (1, 2, 3, ...) are no evidence and are ignored. Ids that mean different things in different
datasets although they look alike (`q1`, `q2`) are reported: prefix them with the dataset.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule
from reportkit.finding import Severity

MOST_PAIRS = 6


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each pair of datasets with something in common, and one for all beyond the first six."""
    from reportkit.replicability.independence.independence import audit_metrics

    evidence = context.evidence
    if evidence is None:
        yield from reported(context, RULE)
        return
    if evidence.results is None:
        return
    settings = evidence.settings
    audit = audit_metrics(evidence.results.datasets, settings.dependence, settings.runs)
    declared = settings.dependence == "independent"
    severity: Severity = "error" if declared else "warning"
    sentences: list[str] = list(audit.evidence[:MOST_PAIRS])
    if len(audit.evidence) > MOST_PAIRS:
        sentences.append(f"so do {len(audit.evidence) - MOST_PAIRS:,} more pairs of datasets")
    for sentence in sentences:
        ending = ", and they are declared independent." if declared else "."
        yield RULE.about(
            f"Datasets overlap: {sentence}{ending}",
            where=evidence.name,
            remedy="leave one of the two out" + (', or take back dependence = "independent"' if declared else ""),
            severity=severity,
        )


RULE = Rule(
    code="RK505",
    name="shared-instances",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    also={"warning": "datasets overlap that are not declared independent"},
    sources="ARR R5; Dror et al. 2017",
)
