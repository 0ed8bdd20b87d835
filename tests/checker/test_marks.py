"""Marks of tables against the data: what a caption says, who is tested against whom, and when nothing is claimed."""

from __future__ import annotations

import pandas as pd
import pytest
from scipy.stats import binomtest

from reportkit.checker.config import check_config
from reportkit.checker.engine import check_text
from reportkit.replicability.multiple_testing.partial_conjunction import holm

WINS = {"cb": (12, 0, 4), "rte": (3, 2, 10), "wic": (11, 1, 4)}
"""Instances that only ours, only base, and both answer correctly, of 20; third answers as base does."""
CAPTION = "Accuracy (%). †: significantly better than base (exact McNemar test, p < .05)."


def results():
    """Three systems on three datasets."""
    rows = []
    for dataset, (ours, base, both) in WINS.items():
        for i in range(20):
            second = ours <= i < ours + base + both
            first = i < ours or ours + base <= i < ours + base + both
            rows += [
                (name, dataset, i, int(one)) for name, one in (("ours", first), ("base", second), ("third", second))
            ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def printed(ours, caption, *, base="20.0 | 60.0 | 25.0", name="ours"):
    """A table of two of them."""
    head = f"Table: {caption}\n\n| System | cb | rte | wic |\n|---|---|---|---|\n"
    return f"{head}| {name} | {ours} |\n| base | {base} |\n"


def checked(text, folder, config="", data=None):
    """Check a paper by the rule about marks alone."""
    (folder / "reportkit.toml").write_text(f'{config}\n[check]\nselect = ["RK609"]\n', encoding="utf-8")
    settings = check_config(folder / "reportkit.toml")
    return check_text(text, language="markdown", data=results() if data is None else data, config=settings)


def test_p_values_are_those_of_the_data(tmp_path):
    """McNemar's test is a binomial test of the wins; Holm's procedure is over the datasets of the table."""
    report = checked(printed("80.0† | 65.0† | 75.0†", CAPTION), tmp_path)
    (found,) = report
    p_values = [binomtest(a, a + b, alternative="greater").pvalue for a, b, _ in WINS.values()]
    adjusted = holm(p_values)
    assert f"p = {p_values[1]:.2g} without a correction and {adjusted[1]:.2g} with Holm's procedure" in found.message
    assert found.where == "'ours' on 'rte'; Table 1, row ours, column rte"
    assert found.severity == "warning"
    assert report.coverage.n_claims == 3
    assert report.coverage.notes == ()


@pytest.mark.parametrize(
    ("ours", "caption"),
    [
        ("80.0† | 65.0 | 75.0†", CAPTION),
        (
            "80.0† | 65.0 | 75.0†",
            "Accuracy. † significant improvement over base at the 5% level, Holm over 3 sets.",
        ),
        (
            "80.0† | 65.0 | 75.0†",
            "Accuracy. †: better than base (exact McNemar test, Holm-adjusted over all 3 tests, p ≤ .05).",
        ),
        ("80.0† | 65.0 | 75.0†", "Accuracy. † differs significantly from base. All tests are at p < .05."),
        ("80.0† | 65.0 | 75.0†", "Accuracy. †: better than base, one-sided McNemar test, Holm-corrected at .05."),
        ("80.0‡ | 65.0 | 75.0†", "Accuracy. †, ‡: significantly better than base at p < .05 and p < .001."),
        ("**80.0** | 65.0 | **75.0**", "Accuracy. In bold: significantly better than base, McNemar's test, p < .05."),
        ("80.0 | 65.0 | 75.0", CAPTION),  # none is marked: RK202 says so
    ],
)
def test_marks_that_follow_are_no_findings(ours, caption, tmp_path):
    """Whatever words the caption uses."""
    report = checked(printed(ours, caption), tmp_path)
    assert list(report) == []
    assert report.coverage.notes == ()
    wrong = checked(printed(ours.replace("65.0", "**65.0**" if "bold" in caption else "65.0†"), caption), tmp_path)
    assert "'ours' on 'rte'; Table 1, row ours, column rte" in [
        item.where for item in wrong if item.severity == "warning"
    ]


def test_a_mark_of_the_other_direction_is_wrong(tmp_path):
    """Worse than a system that it beats; the legend of the other mark stands in the same sentence."""
    caption = "Accuracy. †: significantly better than base (p < .05); ‡: significantly worse than base (p < .01)."
    (found,) = checked(printed("80.0† | 65.0 | 75.0‡", caption), tmp_path)
    assert "75.0 is marked ‡ (worse than 'base' at level 0.01), but p = 1 without a correction" in found.message


def test_a_mark_is_missing_only_where_nothing_else_is_marked(tmp_path):
    """And only on systems that carry the mark somewhere, after Holm's procedure over all of these."""
    (found,) = checked(printed("80.0† | 65.0 | 75.0", CAPTION), tmp_path)
    assert found.message.startswith("75.0 is not marked † (better than 'base' at level 0.05), but p = 0.0032")
    assert found.severity == "info"
    two = "Accuracy. †: significantly better than base, p < .05; ‡: significantly better than base, p < .001."
    assert list(checked(printed("80.0‡ | 65.0 | 75.0†", two), tmp_path)) == []


@pytest.mark.parametrize(
    ("caption", "reason"),
    [
        ("Accuracy. †: significantly better than base and T5 (p < .05).", "against which one system"),
        ("Accuracy. †: significantly better than base, T5 (p < .05).", "against which one system"),
        ("Accuracy. †: significantly better than the best baseline (p < .05).", "against which one system"),
        ("Accuracy. †: significantly better than the baseline (p < .05).", "against which one system"),
        ("Accuracy. †: significantly better than T5 (p < .05).", "against which one system"),
        ("Accuracy. †, ‡: significantly better than base, than T5 (p < .05).", "against which one system"),
        ("Accuracy. †: significantly better over all datasets (p < .05).", "against which one system"),
        ("Accuracy. †: significant (p < .05).", "against which one system"),
        ("Accuracy. †: significantly better than base.", "at which level"),
        ("Accuracy. †/‡: significantly better/worse than base (p < .05).", "at which level"),
        ("Accuracy. †: not significantly different from base (p < .05).", "what is not significant"),
        ("Accuracy. †: significantly better than base (t-test over five seeds, p < .05).", "tested over instances"),
        ("Accuracy. †: numbers that we computed anew.", "says that they are about significance"),
        ("Accuracy.", "says that they are about significance"),
    ],
)
def test_what_is_not_clear_is_said_and_not_checked(caption, reason, tmp_path):
    """One line for each reason, with the tables."""
    report = checked(printed("80.0 | 65.0† | 75.0", caption), tmp_path)
    assert list(report) == []
    (note,) = report.coverage.notes
    assert note.startswith("marks not checked against the data (Table 1): ")
    assert reason in note


def test_the_baseline_of_the_settings_is_the_baseline(tmp_path):
    """Where there is one; a comparison that the settings do not ask for is not made."""
    caption = "Accuracy. †: significantly better than the baseline (p < .05)."
    settings = 'system = "ours"\nbaseline = "base"'
    (found,) = checked(printed("80.0† | 65.0† | 75.0†", caption), tmp_path, settings)
    assert "(better than 'base' at level 0.05), but p = 0.5" in found.message
    report = checked(printed("80.0† | 65.0† | 75.0†", CAPTION.replace("base", "third")), tmp_path, settings)
    assert list(report) == []
    assert report.coverage.notes[0].endswith("the analysis of the data does not compare 'ours' with 'third'")


def test_the_other_of_two_systems_is_the_baseline(tmp_path):
    """Both may be marked, each against the other, as in the tables of a report."""
    two = results().query("system != 'third'")
    caption = (
        "Accuracy (%). Best score in bold. †: better than the other system (exact McNemar test, one-sided, "
        "Holm-adjusted over 3 datasets, each direction at half the level, p ≤ .05)."
    )
    assert list(checked(printed("80.0† | 65.0 | 75.0†", caption), tmp_path, data=two)) == []
    text = printed("80.0† | 65.0 | 75.0†", caption, base="20.0 | 60.0† | 25.0")
    (found,) = checked(text, tmp_path, data=two)
    assert found.message.startswith("60.0 is marked † (better than 'ours' at level 0.05), but p = 0.81")
    assert "over 6 scores" in found.message
    assert "against which one system" in checked(text, tmp_path).coverage.notes[0]


def test_tables_that_are_not_of_these_data_are_not_judged(tmp_path):
    """Another number of either system, marks beside names, a marked baseline."""
    for text, reason in [
        (printed("80.0† | 66.0† | 75.0†", CAPTION), "the printed scores are not those of the data"),
        (printed("80.0† | 65.0† | 75.0†", CAPTION, base="20.0 | 55.0 | 25.0"), "are not those of the data"),
        (printed("80.0 | 65.0† | 75.0", CAPTION, name="ours†"), "they stand beside names, too"),
        (printed("80.0 | 65.0 | 75.0", CAPTION, base="20.0 | 60.0† | 25.0"), "'base', is marked itself"),
    ]:
        report = checked(text, tmp_path)
        assert list(report) == []
        assert reason in report.coverage.notes[0]


@pytest.mark.parametrize("declared", [True, False])
def test_errors_are_better_where_they_are_fewer(declared, tmp_path):
    """The test follows the direction of the metric; nothing is said where every mark speaks against it."""
    data = results().assign(score=lambda frame: 1 - frame["score"], metric="error")
    caption = "Error. †: significantly better than base (p < .05)."
    text = printed("20.0† | 35.0† | 25.0†", caption, base="80.0 | 40.0 | 75.0")
    report = checked(text, tmp_path, "higher_is_better = false" if declared else "", data=data)
    assert ["35.0 is marked † (better than 'base'" in item.message for item in report] == [True] * declared
    assert ["against the direction" in note for note in report.coverage.notes] == [True] * (not declared)


def test_marks_are_compared_whatever_directions_are_tested(tmp_path):
    """p-values of the settings are one-sided in each direction."""
    found = [
        [item.message for item in checked(printed("80.0† | 65.0† | 75.0†", CAPTION), tmp_path, settings)]
        for settings in (
            "",
            'alternative = "two-sided"',
            'alternative = "two-sided"\nsystem = "ours"\nbaseline = "base"',
        )
    ]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 1
