"""Cells to numbers of the data: what is certain is linked, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.checker.linking import linked_tables
from reportkit.checker.paper.reading import document_of
from reportkit.checker.user_data import Evidence
from reportkit.settings import Settings


def frame(seed=0, n=40, systems=("new", "old"), datasets=("sst2", "amazon_reviews"), **columns):
    """Right and wrong answers."""
    rng = np.random.default_rng(seed)
    rows = [(s, d, f"{d}-{i}", int(rng.random() < 0.6)) for s in systems for d in datasets for i in range(n)]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"]).assign(**columns)


def link(content, data, columns="lccccc", caption="", **options):
    """Link the one table of a paper."""
    labels = options.pop("labels", {})
    source = (
        f"\\begin{{table}}\\begin{{tabular}}{{{columns}}}\\toprule {content} \\bottomrule\\end{{tabular}}"
        f"\\caption{{{caption}}}\\end{{table}}"
    )
    (found,) = linked_tables(document_of(source), Evidence(data, **options), labels)
    return found


def by_text(found):
    """Kind, system, baseline, dataset of each linked number."""
    return {item.number.text: (item.kind, item.system, item.baseline, item.dataset) for item in found.cells}


def test_scores_are_those_of_pandas():
    """Means by system and dataset, whichever of them names the rows; percent is recognised."""
    data = frame()
    means = data.groupby(["system", "dataset"])["score"].mean()
    rows = r"System & SST-2 & Amazon \\ \midrule New & 11.1 & 12.2 \\ old & 13.3 & 14.4 \\"
    columns = r" & New & Old \\ \midrule SST2 & 11.1 & 13.3 \\ Amazon Reviews & 12.2 & 14.4 \\"
    for content, in_rows in ((rows, True), (columns, False)):
        for scaled in (False, True):
            text = content
            for (system, dataset), wrong in zip(means.index, ("12.2", "11.1", "14.4", "13.3"), strict=True):
                value = means[system, dataset]
                text = text.replace(wrong, f"{100 * value:.3f}" if scaled else f"{value:.5f}")
            found = link(text, data)
            assert found.systems_in_rows is in_rows
            assert len(found.scores()) == 4
            for item in found.scores():
                assert item.value == means[item.system, item.dataset]
                assert item.scale == (100 if scaled else 1)
                assert item.agrees


def test_p_values_differences_and_bounds_are_those_of_compare():
    """With a heading for each; the bounds stand in one cell."""
    import reportkit

    data = frame()
    outcomes = reportkit.compare(data, systems=["new"], baseline="old", alpha=0.05).outcomes.set_index("dataset")
    content = (
        r"Dataset & $n$ & Diff. & 95\% CI & $p$ & adjusted $p$ \\ \midrule "
        r"sst2 & 40 & 0.101 & [0.102, 0.103] & .104 & .105 \\"
        r"amazon\_reviews & 40 & 0.201 & [0.202, 0.203] & .204 & .205 \\"
    ).replace("Diff.", "Difference")
    found = link(content, data, systems=("new",), baselines=("old",), settings=Settings(alpha=0.05))
    row = outcomes.loc["sst2"]
    expected = {"difference": row.difference, "interval-low": row.ci_low, "interval-high": row.ci_high,
                "p-value": row.p_value, "adjusted-p-value": row.adjusted_p_value, "n": 40}  # fmt: skip
    assert {item.kind: item.value for item in found.cells if item.dataset == "sst2"} == pytest.approx(expected)


def test_a_heading_that_the_data_do_not_have_keeps_its_numbers_unlinked():
    """With the heading in the reason; the user's own names link them; an empty name leaves a heading out of account."""
    content = (
        r"System & SST-2 & Amazon & QQP \\ \midrule Ours & 61.1 & 62.2 & 63.3 \\ Old (2019) & 64.4 & 65.5 & 66.6 \\"
    )
    found = link(content, frame())
    assert set(by_text(found)) == {"64.4", "65.5"}
    reasons = {number.text: reason for _, number, reason in found.unlinked}
    assert reasons["61.1"] == "the heading 'Ours' names nothing in the data"
    assert reasons["66.6"] == "the heading 'QQP' names nothing in the data"
    found = link(content, frame(), labels={"Ours": "new"})
    assert by_text(found)["61.1"] == ("score", "new", "", "sst2")


def test_what_stands_twice_is_not_linked():
    """Two rows of the same name, or two columns: nobody knows which one is meant."""
    found = link(
        r"S & SST-2 & Amazon \\ \midrule new & 61.1 & 62.2 \\ new & 63.3 & 64.4 \\ old & 65.5 & 66.6 \\", frame()
    )
    assert set(by_text(found)) == {"65.5", "66.6"}
    assert {reason for _, _, reason in found.unlinked} == {"it stands twice in the table"}


def test_headings_over_groups_of_datasets_do_no_harm():
    """They divide the datasets; one heading over all of them might be a setting, and links nothing."""
    head = r" & \multicolumn{{1}}{{c}}{{{}}} & \multicolumn{{1}}{{c}}{{{}}} \\"
    head += r" S & SST-2 & Amazon \\ \midrule new & 50 & 60 \\"
    assert len(link(head.format("In", "Out"), frame()).cells) == 2
    spanning = r" & \multicolumn{2}{c}{5-shot} \\ S & SST-2 & Amazon \\ \midrule new & 50 & 60 \\"
    assert link(spanning, frame()).cells == ()


def test_metrics_come_from_headings_or_the_caption():
    """Of several metrics none is guessed."""
    data = pd.concat([frame(metric="accuracy"), frame(metric="F1", seed=1)])
    content = r"S & SST-2 & Amazon \\ \midrule new & 50 & 60 \\"
    assert link(content, data).cells == ()
    assert {item.metric for item in link(content, data, caption="F1 on the test sets").cells} == {"F1"}
    named = r" & \multicolumn{2}{c}{SST-2} \\ S & Acc. & F1 \\ \midrule new & 50 & 60 \\"
    assert [(item.metric, item.dataset) for item in link(named, data).cells] == [("accuracy", "sst2"), ("F1", "sst2")]


def test_of_one_dataset_the_heading_may_name_the_metric_alone():
    """With an unnamed metric, "Accuracy" is what there is; a dataset that is not there is not it."""
    data = frame(datasets=("sst2",))
    assert by_text(link(r"S & Accuracy \\ \midrule new & 50 \\", data)) == {"50": ("score", "new", "", "sst2")}
    assert link(r"S & MNLI \\ \midrule new & 50 \\", data).cells == ()


def test_another_scale_is_not_linked():
    """Logarithms, or another metric under the same name."""
    found = link(r"S & SST-2 & Amazon \\ \midrule new & 7.1 & 6.2 \\ old & 7.0 & 6.1 \\", frame())
    assert found.cells == ()
    assert {reason for _, _, reason in found.unlinked} == {"its scale is not that of the data"}


def test_an_average_is_that_of_its_line():
    """Only if every number of the line is linked."""
    content = r"S & SST-2 & Amazon & {} Avg. \\ \midrule new & 50 & 60 & {} 55 \\"
    data = frame()
    (average,) = [item for item in link(content.format("", ""), data).cells if item.kind == "average"]
    assert average.value == pytest.approx(data[data.system == "new"].groupby("dataset")["score"].mean().mean())
    assert not [item for item in link(content.format("QQP &", "70 &"), data).cells if item.kind == "average"]
