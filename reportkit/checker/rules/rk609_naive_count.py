"""Datasets are counted or marked by unadjusted p-values, or marks do not follow from the data at all.

What it does
------------
Compares what a paper says ("significantly better on 5 of 7 datasets") and marks in its tables with the analysis of the
data, or with the report: where the number is that of the p-values at most alpha without a correction, and Holm's
procedure identifies fewer, and where marks stand on datasets whose adjusted p-value is above the level.

Where the caption says against which one system of the data a mark is and at which level, every score that agrees with
the data is tested again. A mark is reported (as a warning) if even the one-sided p-value without a correction is more
than twice the level. A missing mark is reported (for information) if the two-sided p-value is at most half the level
even by Holm's procedure over all scores of the systems that carry the mark somewhere in the table. Where the caption
leaves something open, the closing lines say that the marks were not checked, and why.

Why
---
Among 20 datasets without any difference, one is expected to have p <= .05. A count of unadjusted p-values has no level;
Dror et al. (2017) show it to be wrong more often than not as the number of datasets grows. ACL Rolling Review,
guideline R5.

Example
-------
    Ours is significantly better on 10 of 12 datasets (p < .05 each).

Instead
-------
    Ours is better on at least 6 of 12 datasets (partial conjunction, Bonferroni); Holm's procedure names them.

When it is wrong
----------------
If the paper corrects in another way that its settings do not know (a smaller family, say): declare it in
`reportkit.toml`. Of marks that do not follow: if the paper's test is about something else than that of the settings
(the variation between runs, say), which the factor of two does not cover.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.bolding import also_bold
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.linked import LinkedTable
from reportkit.checker.marking import with_mark, without_mark
from reportkit.checker.marks import BOLD, Direction, MarkedScore, marked_scores
from reportkit.checker.paper.document import Cell
from reportkit.checker.prose_tests import MOST_FACTOR
from reportkit.checker.rule import Rule
from reportkit.checker.verdicts import Verdict, Verdicts, verdicts
from reportkit.checker.vocabulary import COLLECTIONS, NUMERAL, number_of

SIGNIFICANT = re.compile(r"\b(?:significan\w+|reject\w*|p\s*[<≤]|identif\w+|marked)", re.IGNORECASE)
OF = re.compile(
    rf"\b(?P<k>{NUMERAL})\s+(?:out\s+)?of\s+(?:the\s+|all\s+|our\s+)?(?P<n>{NUMERAL})\s+(?:\w+\s+)?{COLLECTIONS}",
    re.IGNORECASE,
)
UNADJUSTED = re.compile(r"\b(?:unadjusted|uncorrected|before (?:any )?correct\w+|without (?:any )?correct\w+)", re.I)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each count and each table that rest on unadjusted p-values, and for each wrong mark."""
    found = verdicts(context)
    if found is not None:
        yield from _counted(context, found)
    for table, listed in _explained_marks(context) if context.evidence is not None else ():
        if found is not None and not UNADJUSTED.search(context.prose.beside(table.table)):
            yield from _unadjusted(context, found, listed)
        yield from _not_following(context, listed)


def _counted(context: CheckContext, found: Verdicts) -> Iterator[Diagnostic]:
    """Counts of the text."""
    claims = list(found.of_claims().values())
    for item in context.prose.with_words("of"):
        match = OF.search(item.text)
        if match is None or not SIGNIFICANT.search(item.text) or UNADJUSTED.search(item.text):
            continue
        k, n = number_of(match["k"]), number_of(match["n"])
        context.coverage.claim(context.number, item.span(match))
        counts = [_counts(claim, found.alpha) for claim in claims if len(claim) == n]
        naive = [(count, kept) for count, kept in counts if count == k and kept < k]
        if naive and not any(kept == k for _, kept in counts):
            yield RULE.at(
                context.paper,
                item.span(match),
                f"{k} of {n} is the number of datasets with p at most {found.alpha:g} before any correction; corrected "
                f"for {found.n_hypotheses:,} hypotheses, {naive[0][1]} are left.",
                remedy=f'write "on at least {naive[0][1]}", or name the datasets that the correction leaves',
            )


def _counts(items: list[Verdict], alpha: float) -> tuple[int, int]:
    """Datasets with p at most alpha, and those that the correction leaves."""
    return sum(item.p_value <= alpha for item in items), sum(item.identified for item in items)


def _explained_marks(context: CheckContext) -> Iterator[tuple[LinkedTable, list[list[MarkedScore]]]]:
    """Tables whose marks can be compared with the data; of the others, a note says why not."""
    unclear: dict[str, list[str]] = {}
    for table in context.linked_tables:
        listed = marked_scores(context, table) if table.scores() else []
        if isinstance(listed, str):
            unclear.setdefault(listed, []).append(context.paper.name_of(table.table))
        elif listed:
            yield table, listed
    for reason, tables in unclear.items():
        context.coverage.note(f"marks not checked against the data ({', '.join(tables)}): {reason}")


def _unadjusted(context: CheckContext, found: Verdicts, listed: list[list[MarkedScore]]) -> Iterator[Diagnostic]:
    """Marks on scores whose difference from the only baseline does not survive the correction."""
    if found.sides != 1 or len({item.system_b for item in found.items}) != 1:
        return
    known = {(item.metric, item.system_a, item.system_b, item.dataset): item for item in found.items}
    for scores in listed:
        marked = [
            (one.cell, known[key])
            for one in scores
            if one.marked and one.legend.direction != "worse" and one.legend.level <= found.alpha
            and (key := (one.cell.metric, one.cell.system, one.baseline, one.cell.dataset)) in known
        ]  # fmt: skip
        wrong = [(cell, item) for cell, item in marked if item.p_value <= found.alpha and not item.identified]
        if len(marked) > 1 and wrong:
            cell, item = wrong[0]
            yield RULE.at(
                context.paper,
                cell.cell.span,
                f"{len(wrong)} of {len(marked)} marks stand where only the unadjusted p-value is at most "
                f"{found.alpha:g}; this one, on {item.dataset!r}, has p = {item.p_value:.2g}, and "
                f"{found.n_hypotheses:,} hypotheses are tested.",
                where="; ".join(one.dataset for _, one in wrong[:6]),
                remedy="mark what the correction leaves",
            )


def _not_following(context: CheckContext, listed: list[list[MarkedScore]]) -> Iterator[Diagnostic]:
    """Marks that are wrong with and without a correction, and those that are missing with and without one."""
    for item in (item for scores in listed for item in scores):
        context.coverage.claim(context.number, item.cell.cell.span)
        others = any(one.marked and one.cell is item.cell for scores in listed for one in scores)
        if item.marked and item.p_value > MOST_FACTOR * item.legend.level:
            yield _wrong(context, item)
        elif not others and MOST_FACTOR * item.strictest <= item.legend.level:
            yield _missing(context, item, [one.cell.cell for scores in listed for one in scores if one.marked])


_CLAIMS: dict[Direction, str] = {
    "better": "better than",
    "worse": "worse than",
    "either": "different from",
}


def _wrong(context: CheckContext, item: MarkedScore) -> Diagnostic:
    mark = item.legend.mark
    return RULE.at(
        context.paper,
        item.cell.cell.span,
        f"{item.cell.number.text} {'is bold' if mark == BOLD else f'is marked {mark}'} ({_said(item)}), but p = "
        f"{item.p_value:.2g} without a correction and {item.adjusted:.2g} with Holm's procedure over "
        f"{item.n_hypotheses:,} scores ({item.title}).",
        where=item.cell.where,
        remedy="take the mark away, or say in the caption which test it is of",
        severity="warning",
        edits=without_mark(context.paper, item.cell.cell, mark),
        safe=False,
    )


def _missing(context: CheckContext, item: MarkedScore, others: list[Cell]) -> Diagnostic:
    mark = item.legend.mark
    return RULE.at(
        context.paper,
        item.cell.cell.span,
        f"{item.cell.number.text} {'is not bold' if mark == BOLD else f'is not marked {mark}'} ({_said(item)}), but "
        f"p = {item.p_value:.2g} without a correction, and {item.strictest:.2g} two-sided with Holm's procedure over "
        f"{item.n_hypotheses:,} scores ({item.title}).",
        where=item.cell.where,
        remedy="set the mark, or say in the caption which differences are tested",
        severity="info",
        edits=also_bold(context.paper, item.cell.cell, others)
        if mark == BOLD
        else with_mark(context.paper, item.cell.cell, mark, others),
        safe=False,
    )


def _said(item: MarkedScore) -> str:
    """What the mark claims."""
    legend = item.legend
    return f"{_CLAIMS[legend.direction]} {item.baseline!r} at level {legend.level:g}"


RULE = Rule(
    code="RK609",
    name="naive-count",
    severity="error",
    needs=frozenset({"paper", "data or report"}),
    check=check,
    also={
        "warning": "the mark of a score does not follow from the data even without a correction",
        "info": "a mark is missing that follows even with one",
    },
    sources="ARR R5; Dror et al. 2017",
)
