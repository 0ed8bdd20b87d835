"""Several metrics at once, from a frame to the paragraph, tables, figures, JSON and the command."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.errors import InputError, SettingsError, UnknownNameError
from reportkit.replicability.multiple_testing.correction import gate
from reportkit.replicability.multiple_testing.partial_conjunction import holm, k_hat
from tests.claims import claims_in
from tests.designs.golden import as_in_file

METRICS = ["accuracy", "errors"]
LOWER = {"errors": False}
DATASETS = {"news": (14, 0.5), "tweets": (4, 0.2), "books": (0, -0.02)}
"""By dataset, how many more answers of "new" are right, and by how much it has fewer errors."""


def scores(systems=("old", "new"), datasets=DATASETS, n=120):
    """Accuracy and number of errors by instance, from formulas; gains grow with the place of a system."""
    rows = []
    for place, system in enumerate(systems):
        share = place / (len(systems) - 1)
        for name, (right, fewer) in datasets.items():
            for i in range(n):
                solved = i == n - 1 or 0 < i < n // 2 + round(right * share) if place else i < n // 2
                errors = 3 + (i * 37 % 11) / 5 - fewer * share * (1 + (i * 13 % 7 - 3) / 2)
                instance = f"{name}-{i * 37 % n}"  # neighbours have nothing in common
                rows += [
                    (system, name, instance, "accuracy", float(solved)),
                    (system, name, instance, "errors", round(errors, 3)),
                ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "metric", "score"])


def compare(*who, frame=None, **options):
    """Compare by both metrics."""
    frame = scores() if frame is None else frame
    return frame.replic.compare(*who, **{"metric": METRICS, "higher_is_better": LOWER, **options})


@pytest.fixture(scope="module")
def pair():
    """The declared claim that new is better than old, by gatekeeping."""
    names = ("none", "serial", "by-dataset", "exploratory")
    return {name: compare("new", "old", gatekeeping=name) for name in names}


@pytest.fixture(scope="module")
def paragraphs(pair):
    """By the name of the case."""
    three, one = scores(("old", "mid", "new")), scores(datasets={"news": (14, 0.5)})
    worse, same = (scores(datasets=held) for held in ({"news": (1, 0.5), "tweets": (0, 0.2)}, {"news": (1, 0.5)}))
    return {
        **{f"a declared claim, {name}": analysis.paragraph() for name, analysis in pair.items()},
        "both directions, by-dataset": compare(gatekeeping="by-dataset").paragraph(),
        "independent datasets, none": compare("new", "old", dependence="independent").paragraph(),
        "independent datasets, serial": compare(
            "new", "old", dependence="independent", gatekeeping="serial"
        ).paragraph(),
        "a baseline, none": compare(frame=three, baseline="old").paragraph(),
        "a baseline, by-dataset": compare(frame=three, baseline="old", gatekeeping="by-dataset").paragraph(),
        "all pairs, none": compare(frame=three).paragraph(),
        "one dataset, none": compare("new", "old", frame=one).paragraph(),
        "one dataset, serial": compare("new", "old", frame=one, gatekeeping="serial").paragraph(),
        "one dataset, by-dataset": compare("new", "old", frame=one, gatekeeping="by-dataset").paragraph(),
        "no gate is passed, by-dataset": compare("new", "old", frame=worse, gatekeeping="by-dataset").paragraph(),
        "no gate is passed, one dataset": compare("new", "old", frame=same, gatekeeping="serial").paragraph(),
        "no gate is passed, both directions": compare(frame=worse, gatekeeping="serial").paragraph(),
    }


@pytest.mark.slow
def test_paragraphs_read_as_expected(paragraphs):
    """Each text is as in the file that people read."""
    as_in_file("several_metrics", paragraphs)


def test_the_default_is_one_family_over_everything(pair):
    """Holm over all hypotheses of both metrics, whichever is called primary."""
    p = pair["none"].outcomes["p_value"].to_numpy()
    np.testing.assert_allclose(compare("new", "old").outcomes["adjusted_p_value"], holm(p), rtol=1e-12)
    turned = compare("new", "old", primary_metric="errors").outcomes
    assert list(turned["metric"]) == ["errors"] * 3 + ["accuracy"] * 3
    np.testing.assert_allclose(np.sort(turned["adjusted_p_value"]), np.sort(holm(p)), rtol=1e-12)


@pytest.mark.parametrize("name", ["none", "serial", "by-dataset", "exploratory"])
def test_adjusted_p_values_are_those_of_the_procedure(pair, name):
    """What the frame of outcomes holds is what the gatekeeping gives, metric by metric; k-hat counts it."""
    found = pair[name].outcomes
    split = [found.loc[found["metric"] == metric, "p_value"].to_numpy() for metric in METRICS]
    expected = (
        holm(np.concatenate(split)) if name == "none" else np.concatenate(gate(split, [list(DATASETS)] * 2, name))
    )
    np.testing.assert_allclose(found["adjusted_p_value"], expected, rtol=1e-12)
    for metric, rows in found.groupby("metric"):
        counted = pair[name].k_hat.loc[(metric, 0.05)]
        assert counted["bonferroni"] == (rows["adjusted_p_value"] <= 0.05).sum()
        assert pair[name].discoveries(list(DATASETS))[metric] == counted["bonferroni"]


def test_one_metric_is_as_it_always_was():
    """Asking for one of two metrics gives what a frame of this metric alone gives, and names the metric."""
    frame = scores()
    alone = frame[frame["metric"] == "accuracy"].drop(columns="metric")
    asked = frame.replic.compare("new", "old", metric="accuracy", gatekeeping="serial")
    given = alone.replic.compare("new", "old")
    pd.testing.assert_frame_equal(asked.outcomes, given.outcomes)
    assert asked.paragraph().replace(" in accuracy", "", 1) == given.paragraph()
    assert " in accuracy" in asked.paragraph()
    assert asked["new", "old"].k_hat == given["new", "old"].k_hat
    assert asked.report().to_dict().get("gatekeeping", "none") == "none"


def test_a_comparison_is_found_by_its_metric(pair):
    """With several metrics the pair alone is not enough."""
    family = pair["none"]
    assert family["new", "old", "errors"].metric == "errors"
    with pytest.raises(SettingsError, match="compared in 2 ways"):
        family["new", "old"]
    with pytest.raises(UnknownNameError, match="bleu"):
        family["new", "old", "bleu"]


def test_fisher_has_a_share_only_where_no_level_is_passed_on():
    """With one family each claim and metric has alpha / 2; with gates there is no count by Fisher."""
    shared = compare("new", "old", dependence="independent")
    for comparison in shared.comparisons:
        assert comparison.share == 2
        assert comparison.k_hat[0.05].fisher == k_hat(comparison.p_values, 0.025, "fisher")
    gated = compare("new", "old", dependence="independent", gatekeeping="by-dataset")
    assert gated.k_hat["fisher"].isna().all()
    explored = compare("new", "old", dependence="independent", gatekeeping="exploratory")
    assert explored["new", "old", "accuracy"].share == 1


def test_exploratory_metrics_have_no_marks(pair):
    """No sign in the table, no mark in the JSON, no figure; the primary metric is as if alone."""
    report = pair["exploratory"].report()
    tables = {table.name: table for table in report.model.tables}
    assert not any(cell.mark for row in tables["results-errors"].rows for cell in row.cells)
    assert any(cell.mark for row in tables["results"].rows for cell in row.cells)
    assert [figure.name for figure in report.model.figures] == ["forest"]
    first, second = claims_in(report.to_dict())
    assert not first["exploratory"]
    assert second["exploratory"]
    assert not any(item["marked"]["0.05"] for item in second["datasets"])
    assert any(item["identified"]["0.05"] for item in second["datasets"])


def test_columns_of_scores_are_metrics_too():
    """One column for each metric gives what a column of metrics gives."""
    wide = scores().pivot_table("score", ["system", "dataset", "instance"], "metric").reset_index()
    pd.testing.assert_frame_equal(compare("new", "old", frame=wide).outcomes, compare("new", "old").outcomes)


def test_without_a_choice_the_error_names_the_ways():
    """One, several, or all with a primary one."""
    with pytest.raises(SettingsError) as caught:
        scores().replic.compare("new", "old")
    text = str(caught.value)
    assert "2 metrics: 'accuracy', 'errors'" in text
    for way in ("metric='accuracy'", "metric=['accuracy', 'errors']", "primary_metric='accuracy'", "--primary-metric"):
        assert way in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": ["accuracy", "bleu"]}, "there is no metric 'bleu'"),
        ({"metric": ["accuracy", "accuracy"]}, "names 'accuracy' twice"),
        ({"metric": []}, "metric is"),
        ({"primary_metric": "bleu"}, "primary metric 'bleu' is not among the metrics"),
        ({"gatekeeping": "seriel"}, "serial"),
        ({"gatekeeping": "serial", "systems": ["old", "mid", "new"]}, "two systems cannot each be better"),
        ({"across_datasets": True}, "for one metric"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    """With what is wrong and what to do."""
    frame = scores(("old", "mid", "new"))
    with pytest.raises((SettingsError, UnknownNameError), match=message):
        compare(frame=frame, **options)


def test_a_dataset_without_the_primary_metric_has_no_gate():
    """By dataset it is refused with its name; in one family it is one hypothesis less."""
    frame = scores()
    frame = frame[(frame["metric"] == "errors") | (frame["dataset"] != "books")]
    with pytest.raises(InputError, match="'new > old on books', which another metric has"):
        compare("new", "old", frame=frame, gatekeeping="by-dataset")
    assert compare("new", "old", frame=frame).n_hypotheses == 5


def test_three_metrics_of_a_translation_task(shared):
    """WMT17 English-German, sentence scores: chrF, BLEU and TER, of which less is better."""
    frame = pd.read_parquet(shared / "data" / "wmt17_ende" / "sentence.parquet")
    pair = ["uedin-nmt.4722", "SYSTRAN.4847"]
    asked = {"metric": ["chrF", "BLEU", "TER"], "higher_is_better": {"TER": False}}
    analysis = frame.replic.compare(*pair, gatekeeping="serial", **asked)
    found = analysis.outcomes.set_index("metric")
    for metric in asked["metric"]:
        means = frame[frame["metric"] == metric].groupby("system")["score"].mean()
        sign = -1 if metric == "TER" else 1
        assert found.loc[metric, "difference"] == pytest.approx(sign * (means[pair[0]] - means[pair[1]]), rel=1e-9)
    assert found.loc["TER", "difference"] < 0 < found.loc["chrF", "difference"]
    np.testing.assert_array_equal(found["identified"], [True, True, False])
    assert "TER (lower is better)" in analysis.paragraph()
