"""A report in the place of the data: the same numbers are linked, with the same values."""

from __future__ import annotations

import json

import pytest

import reportkit
from reportkit.checker.engine import check_text
from reportkit.checker.linking import linked_tables
from reportkit.checker.paper.reading import document_of
from reportkit.checker.reported import Reported
from reportkit.checker.user_data import Evidence
from tests.checker.test_linking import frame

TABLES = r"""
\begin{tabular}{lccccc} \toprule Dataset & $n$ & Difference & 95\% CI & $p$ & adjusted $p$ \\ \midrule
sst2 & 40 & 0.101 & [0.102, 0.103] & .104 & .105 \\ amazon\_reviews & 40 & 0.201 & [0.202, 0.203] & .204 & .205 \\
\bottomrule \end{tabular}
\begin{tabular}{lcc} \toprule System & SST-2 & Amazon \\ \midrule new & 61.1 & 62.2 \\ old & 63.3 & 64.4 \\ \bottomrule
\end{tabular}
"""


@pytest.fixture
def report(tmp_path):
    """A report of one pair of systems, and its data."""
    data = frame()
    (tmp_path / "report").mkdir()
    content = reportkit.compare(data, systems=["new"], baseline="old").report().to_dict()
    (tmp_path / "report" / "report.json").write_text(json.dumps(content), "utf-8")
    return data, tmp_path / "report"


def values(tables):
    """Kind, dataset and value of each linked number."""
    return {
        (item.number.text, item.kind, item.system, item.dataset): item.value for one in tables for item in one.cells
    }


def test_a_report_alone_links_what_its_data_link(report):
    """Scores, sizes, differences, p-values and bounds; of a report that is not one, nothing."""
    data, folder = report
    paper = document_of(TABLES)
    content = json.loads((folder / "report.json").read_text("utf-8"))
    of_data = values(linked_tables(paper, Evidence(data, systems=("new",), baselines=("old",)), {}))
    assert len(of_data) == 2 * 6 + 4
    assert values(linked_tables(paper, Reported(folder, report=content), {})) == pytest.approx(of_data, rel=1e-6)
    assert values(linked_tables(paper, Reported(folder, report={"comparisons": [{}]}), {})) == {}


def test_numbers_are_checked_against_a_report_alone(report):
    """A wrong score in the table (RK101) and in the text (RK102), with the name of what it was compared with."""
    data, folder = report
    means = 100 * data.groupby(["system", "dataset"])["score"].mean()
    text = (
        r"\begin{tabular}{lcc} \toprule System & SST-2 & Amazon \\ \midrule "
        rf"new & {means['new', 'sst2']:.1f} & {means['new', 'amazon_reviews']:.1f} \\ "
        rf"old & {means['old', 'sst2'] + 1:.1f} & {means['old', 'amazon_reviews']:.1f} \\ \bottomrule \end{{tabular}}"
        f" New reaches {means['new', 'sst2'] + 2:.1f} on sst2."
    )
    found = check_text(text, report=folder)
    assert [item.code for item in found if item.code in ("RK101", "RK102")] == ["RK101", "RK102"]
    assert all("in report.json is" in item.message for item in found if item.code in ("RK101", "RK102"))


def test_gains_p_values_and_intervals_of_sentences_are_recomputed(report):
    """Right ones are counted as checked; wrong ones are warnings of RK102 that say what follows."""
    data, folder = report
    row = reportkit.compare(data, systems=["new"], baseline="old").outcomes.set_index("dataset").loc["sst2"]
    right = (
        f"New is better than old on sst2 by {100 * abs(row.difference):.1f} points (p = {row.p_value:.2f}, 95\\% CI "
        f"[{100 * row.ci_low:.1f}, {100 * row.ci_high:.1f}])."
    )
    wrong = "New is better than old on sst2 by 19.5 points (p = .001, 95\\% CI [30.1, 40.2])."
    for given in ({"report": folder}, {"data": data}):
        assert [item for item in check_text(right, **given) if item.code == "RK102"] == []
        found = [item for item in check_text(wrong, **given) if item.code == "RK102"]
        assert [item.severity for item in found] == ["warning"] * 3
        assert [item.message.split(",")[0] for item in found] == [
            "19.5 is printed", ".001 is printed", "30.1 is printed",
        ]  # fmt: skip
        assert f"the p-value from {'report.json' if 'report' in given else 'DataFrame'} is" in found[1].message
