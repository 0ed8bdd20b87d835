"""The number of resamples is too small for the corrected threshold.

What it does
------------
Reports p-values from B random resamples where 1 / (B + 1), the smallest that they can show, is above a tenth of the
first threshold of the correction (alpha divided by the size of the family), and bootstraps in which most resamples
could not be used.

Why
---
With 1,000 resamples no p-value is below .001: after a correction for 60 hypotheses at .05 no difference can ever be
found. ACL Rolling Review, guideline R5; Phipson and Smyth (2010), "Permutation p-values should never be zero".

Example
-------
    "n_resamples": 999, "p_value": 0.001, with 60 hypotheses

Instead
-------
    Draw at least 10 N / alpha resamples: 12,000 for N = 60 at alpha = .05.

When it is wrong
----------------
If the p-value is far above the threshold: more resamples change nothing then. Such p-values are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule
from reportkit.checker.verdicts import Verdict, verdicts


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each number of resamples that is too small."""
    found = verdicts(context)
    if found is not None:
        coarse = [item for item in found.items if _is_coarse(item, found.first_threshold)]
        for number in sorted({item.n_resamples or 0 for item in coarse}):
            items = [item for item in coarse if item.n_resamples == number]
            yield RULE.about(
                f"{number:,} resamples show no p-value below {1 / (number + 1):.2g}; the first threshold of "
                f"the correction is {found.first_threshold:.2g} ({found.n_hypotheses:,} hypotheses).",
                where=_places(items),
                remedy=f"draw at least {10 / found.first_threshold:,.0f}",
            )
    yield from reported(context, RULE)


def _is_coarse(item: Verdict, threshold: float) -> bool:
    """Whether the resamples cannot show a tenth of the threshold, and more of them could change the verdict."""
    if item.n_resamples is None or "bound of the tail" in item.algorithm or "tilted" in item.algorithm:
        return False
    least = 1 / (item.n_resamples + 1)
    near = least * (1 - 1e-9) <= item.p_value <= max(10 * least, threshold)
    return near and least > threshold / 10 * (1 + 1e-9)


def _places(items: list[Verdict]) -> str:
    shown = "; ".join(item.where for item in items[:5])
    return shown + (f"; and {len(items) - 5:,} more" if len(items) > 5 else "")


RULE = Rule(
    code="RK602",
    name="too-few-resamples",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
