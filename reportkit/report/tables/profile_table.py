"""Where the tests of the other profile would lead to another result: a table, or a sentence if there is none."""

from __future__ import annotations

from reportkit.language.numerals import level_text
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import Prose, prose

MOST_DIFFERENCES = 20


def other_tests(analysis: ReplicabilityAnalysis) -> str:
    """What the other profile is called: "the tests of Dror et al. (2017)"."""
    apart = "closed testing" in (analysis.correction, analysis.other and analysis.other.correction)
    return {
        "dror2017": f"the tests{' and names' if apart else ''} of Dror et al. (2017)",
        "recommended": f"the recommended tests{' and closed testing' if apart else ''}",
    }["dror2017" if analysis.other is None else analysis.other.settings.profile]


def same_results(analysis: ReplicabilityAnalysis) -> Prose:
    """Say that the other profile changes nothing."""
    what = "claims hold" if analysis.across_datasets else "datasets are marked"
    if not any(item.marked(analysis.alpha[0]).any() for item in analysis.comparisons):
        what = "claim holds" if analysis.across_datasets else "dataset is marked"
        return prose("With {name}, no {what} either.", name=other_tests(analysis), what=what)
    return prose("With {name}, the same {what} at every level.", name=other_tests(analysis), what=what)


def profile_table(analysis: ReplicabilityAnalysis) -> Table:
    """One row for each result that the other profile would change; there is at least one."""
    differing = analysis.disagreements
    several = analysis.several_metrics
    headers = ("Claim", *(("Metric",) if several else ()), "Dataset")
    results = map(Column.left, ("These tests", "Other tests"))
    columns = (*map(Column.left, headers), Column.right(prose("{alpha}")), *results)
    rows = []
    for a, b, metric, dataset, alpha in differing[:MOST_DIFFERENCES]:
        mine = analysis[a, b, metric]
        shown = mine.marked(alpha)[mine.datasets.index(dataset)]
        words = (f"{a} > {b}", *((metric,) if several else ()), dataset, level_text(alpha))
        here, there = ("better", "–") if shown else ("–", "better")
        rows.append(Row(cells=tuple(map(Cell.of, (*words, here, there)))))
    left = len(differing) - MOST_DIFFERENCES
    return Table(
        name="other-tests",
        caption=prose(
            "Results that differ with {name}{more}.",
            name=other_tests(analysis),
            more=f" (the first {MOST_DIFFERENCES} of {len(differing)})" if left > 0 else "",
        ),
        columns=columns,
        rows=tuple(rows),
    )
