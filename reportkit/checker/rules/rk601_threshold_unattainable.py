"""The smallest attainable p-value is above the corrected threshold.

What it does
------------
Reports datasets on which no outcome could have reached the first threshold of the correction (alpha divided by the size
of the family), because too few instances differ, there are too few runs, or too few clusters. An error if that is so of
all datasets of a claim: nothing could have been found.

Why
---
Of six instances that differ, even six wins give .016: after a correction for four hypotheses at .05 no result counts. A
"not significant" there is known before the experiment, and says nothing of the systems. ACL Rolling Review, guideline
R5.

Example
-------
    Three runs of each system, compared by an exact rank test: p is at least .05.

Instead
-------
Collect more instances (runs, documents), or leave the dataset out of the family, before the results are looked at, and
say so.

When it is wrong
----------------
Later steps of Holm's procedure have larger thresholds; such a dataset may still be found if others are found first.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import engine_findings, reported
from reportkit.checker.rule import Rule
from reportkit.checker.verdicts import verdicts
from reportkit.language.numerals import p_value_text


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for datasets out of reach, and one for claims of which all datasets are."""
    if not any(item.code == "unattainable-level" for item in engine_findings(context)):
        return
    found = verdicts(context)
    hopeless = []
    for (a, b, _), items in ({} if found is None else found.of_claims()).items():
        if found is not None and all(item.p_min > found.first_threshold for item in items):
            hopeless.append((f"{a} > {b}", min(item.p_min for item in items)))
    if hopeless and found is not None and len(hopeless) == len(found.of_claims()):
        yield RULE.about(
            f"On no dataset could any claim have been shown: the smallest possible p-value is "
            f"{p_value_text(min(p for _, p in hopeless))}, and the first threshold of the correction is "
            f"{found.first_threshold:.2g} ({found.n_hypotheses:,} hypotheses).",
            where="; ".join(name for name, _ in hopeless[:5]) + ("; ..." if len(hopeless) > 5 else ""),
            remedy="collect more instances, runs or clusters, or compare fewer systems",
        )
        return
    yield from reported(context, RULE, severity="warning")


RULE = Rule(
    code="RK601",
    name="threshold-unattainable",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    also={"warning": "some claims are within reach"},
    sources="ARR R5",
)
