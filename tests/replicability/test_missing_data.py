"""No dataset falls away in silence: a finding, the paragraph and the checklist name it; missing scores are counted."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reportkit
from reportkit.replicability.coverage import DATASETS_LEFT_OUT, NOT_COMPARED, LeftOut
from reportkit.report.tokens import plain
from reportkit.scores.scores import Results, Scores


def _scores(datasets: dict[str, tuple[str, ...]], *, n: int = 30, metric: dict[str, str] | None = None) -> pd.DataFrame:
    """Right or wrong, for the systems that each dataset has."""
    rng = np.random.default_rng(0)
    rows = [
        {
            "system": system,
            "dataset": name,
            "instance": i,
            **({"metric": metric[name]} if metric else {}),
            "score": int(rng.random() < (0.8 if system == "new" else 0.6)),
        }
        for name, systems in datasets.items()
        for system in systems
        for i in range(n)
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def mixed() -> pd.DataFrame:
    """Accuracy on three datasets and F1 on three others, in columns of their own: the usual file."""
    both = ("new", "old")
    frame = _scores(dict.fromkeys(("sst2", "mnli", "qnli", "squad", "ner", "pos"), both))
    frame = frame.rename(columns={"score": "accuracy"}).astype({"accuracy": float})
    frame["f1"] = np.where(frame["dataset"].isin(["squad", "ner", "pos"]), frame["accuracy"] * 0.7 + 0.1, np.nan)
    frame.loc[frame["f1"].notna(), "accuracy"] = np.nan
    return frame


def _checklist(analysis) -> str:
    report = analysis.report().model
    return " ".join(
        plain(item)
        for part in report.checklist
        for block in part.blocks
        for item in (block.items if hasattr(block, "items") else (block.content,))
    )


@pytest.mark.parametrize("missing", ["error", "worst"])
def test_a_metric_that_no_system_has_on_a_dataset_does_not_apply_there(mixed, missing):
    """Nothing is missing, so that the comparison runs; the datasets that it is without are named wherever one looks."""
    analysis = reportkit.compare(mixed, "new", "old", missing=missing, metric="accuracy")
    assert analysis.datasets == ("mnli", "qnli", "sst2")
    (finding,) = [item for item in analysis.findings if item.code == DATASETS_LEFT_OUT]
    assert finding.severity == "warning"
    assert finding.message == (
        "On 3 of the 6 datasets no system that is compared has a score in the column 'accuracy': they are not in this "
        "report."
    )
    assert finding.where == "'ner', 'pos' and 'squad'"
    for length in ("standard", "full"):
        assert "ner, pos and squad have no scores to compare." in analysis.paragraph(length)
    text = _checklist(analysis)
    assert "The report holds 3 of the 6 datasets that the results name" in text
    assert "left none out" not in text
    named = analysis.report().to_dict()
    assert named["named_datasets"] == ["mnli", "ner", "pos", "qnli", "squad", "sst2"]
    assert [item["dataset"] for item in named["left_out"]] == ["ner", "pos", "squad"]


def test_without_a_metric_each_dataset_has_its_own(mixed):
    """Nobody names one of the two: all six datasets are compared in one family, and nothing is left out."""
    for missing in ("error", "drop"):
        analysis = reportkit.compare(mixed, "new", "old", missing=missing)
        assert len(analysis.datasets) == 6
        assert analysis.left_out == ()
        assert "The report holds all 6 datasets that the results name" in _checklist(analysis)


def test_the_remedy_works(mixed):
    """Both metrics, each by its column, hold all six datasets, and nothing is left out."""
    analysis = reportkit.compare(mixed, "new", "old", metric=["accuracy", "f1"])
    assert analysis.left_out == ()
    assert not any(item.code == DATASETS_LEFT_OUT for item in analysis.findings)
    assert "The report holds all 6 datasets" in _checklist(analysis)


def test_a_score_that_some_system_has_is_missing_for_the_others(mixed):
    """One score of accuracy on a dataset, and those that are not there are missing again."""
    mixed.loc[(mixed["dataset"] == "ner") & (mixed["system"] == "new"), "accuracy"] = 1.0
    with pytest.raises(reportkit.errors.MissingScoresError, match="30 scores are missing"):
        reportkit.compare(mixed, "new", "old", metric=["accuracy", "f1"])


def test_a_dataset_with_another_metric_is_named():
    """Of a column of metrics one is reported: the datasets that only have another one are not in the report."""
    both = ("new", "old")
    frame = _scores(dict.fromkeys("xyz", both), metric={"x": "acc", "y": "acc", "z": "em"})
    analysis = reportkit.compare(frame, "new", "old", metric="acc")
    assert analysis.left_out == (LeftOut(dataset="z", reason="no-score"),)
    assert "z has no scores to compare." in analysis.paragraph()


def test_a_system_without_one_metric_is_named():
    """Of several metrics, the one that a system lacks is said."""
    both = ("new", "old")
    frame = pd.concat(
        [
            _scores({"x": both, "y": both}, metric={"x": "acc", "y": "acc"}),
            _scores({"x": both, "y": ("new",)}, metric={"x": "em", "y": "em"}),
        ]
    )
    analysis = reportkit.compare(frame, "new", "old", metric=["acc", "em"])
    assert analysis.left_out == (LeftOut(dataset="y", reason="system-without-score", systems=("old",), metric="em"),)
    assert "old has no score in em on y." in analysis.paragraph()


@pytest.mark.parametrize(("n_dropped", "severity"), [(1, "info"), (2, "info"), (3, "warning")])
def test_many_instances_left_out_are_a_warning(n_dropped, severity):
    """More than 5% of the instances of a dataset."""
    frame = _scores({"x": ("new", "old")}, n=40).astype({"score": float})
    frame.loc[frame.index[:n_dropped], "score"] = np.nan
    analysis = reportkit.compare(frame, "new", "old", missing="drop")
    (finding,) = [item for item in analysis.findings if item.code == "missing-drop"]
    assert finding.severity == severity
    assert bool(finding.remedy) == (severity == "warning")


def results(n_missing):
    """Systems a, b and c; b lacks so many instances of each dataset, c none."""
    rng = np.random.default_rng(0)
    blocks = []
    for index, missing in enumerate(n_missing):
        scores = rng.integers(0, 2, size=(3, 40)).astype(float)
        scores[1, :missing] = np.nan
        blocks.append(
            Scores(
                dataset=f"d{index:02d}",
                metric="score",
                systems=("a", "b", "c"),
                instances=np.array([f"{index}-{i}" for i in range(40)], dtype=object),
                scores=scores,
                kind="binary",
            )
        )
    return Results(datasets=tuple(blocks))


@pytest.mark.parametrize(
    ("missing", "words", "severity"),
    [
        ("drop", "are left out", "warning"),  # 3 of 40 are more than 5%
        ("worst", "count as the worst", "info"),
    ],
)
def test_counts_of_each_dataset(missing, words, severity):
    """From the pair with fewest to the pair with most; datasets without missing scores are not named."""
    data = results([3, 0, 1])
    family = reportkit.compare(data, missing=missing)
    (finding,) = [item for item in family.findings if item.code == f"missing-{missing}"]
    assert finding.severity == severity
    assert words in finding.message
    assert finding.where == "d00: 0 to 3 of 40; d02: 0 to 1 of 40"


def _two_groups() -> pd.DataFrame:
    """Two systems on two datasets, two others on a third one."""
    return _scores({"jpn": ("a", "b"), "summ": ("a", "b"), "slk": ("c", "d")})


def test_pairs_without_a_common_dataset_are_not_compared_and_named():
    """The others are; the counts say out of how many datasets they are."""
    analysis = reportkit.compare(_two_groups())
    assert set(analysis.pairs) == {("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")}
    assert analysis.n_hypotheses == 6
    (finding,) = [item for item in analysis.findings if item.code == NOT_COMPARED]
    assert finding.message == "4 of the 6 pairs of systems have no dataset in common and cannot be compared."
    assert finding.where == "'a' and 'c', 'a' and 'd', 'b' and 'c' and 'b' and 'd'"
    said = "We compare 2 of the 6 pairs of four systems, those with a dataset in common,"
    assert said in analysis.paragraph("standard")
    table = analysis.to_markdown("replicability")
    assert "0/2" in table
    assert "0/1" in table
    assert "×: the two share no dataset" in analysis.to_markdown("pairs")
    alone = reportkit.compare(_two_groups(), "a", "b")
    tested = analysis["a", "b"].p_values
    assert tested.tolist() == alone["a", "b"].p_values.tolist()


def test_a_baseline_is_compared_with_those_that_share_a_dataset_with_it():
    """Each claim counts the datasets that it has."""
    frame = _scores({"x": ("a", "b", "base"), "y": ("a", "base"), "z": ("c",)})
    analysis = reportkit.compare(frame, baseline="base")
    assert [(item.system_a, item.n_datasets) for item in analysis.comparisons] == [("a", 2), ("b", 1)]
    assert any(item.code == NOT_COMPARED for item in analysis.findings)
    assert "/2" in analysis.to_markdown("replicability")


def test_where_nothing_can_be_compared_nothing_is_computed(monkeypatch):
    """An error that says on what each system is scored, before the first test."""
    monkeypatch.setattr("reportkit.replicability.compare.assess_pairs", None)
    frame = _scores({"x": ("a",), "y": ("b",), "z": ("c",)})
    with pytest.raises(reportkit.errors.SettingsError, match="no two systems that are to be compared") as raised:
        reportkit.compare(frame)
    assert raised.value.where == "'a' is scored on 'x'; 'b' on 'y'; 'c' on 'z'"


@pytest.mark.slow
def test_a_metric_that_two_systems_do_not_share_is_no_comparison(tmp_path):
    """The other metric compares them; the report is whole."""
    accuracy = _scores({"x": ("a", "b", "c"), "y": ("a", "b")}).assign(metric="accuracy")
    frame = pd.concat([accuracy, accuracy[accuracy["system"] != "c"].assign(metric="f1", score=lambda x: x.score / 2)])
    analysis = reportkit.compare(frame, metric=["accuracy", "f1"])
    by_f1 = {(item.system_a, item.system_b) for item in analysis.comparisons if item.metric == "f1"}
    assert by_f1 == {("a", "b"), ("b", "a")}
    analysis.styled(full=True).save(tmp_path / "report")
    assert "'c' on 'x' and 'y' by 'f1'" in (tmp_path / "report" / "more" / "report.md").read_text("utf-8")


@pytest.mark.slow
@settings(max_examples=4)
@given(st.dictionaries(st.sampled_from("vwxyz"), st.sets(st.sampled_from("abcde"), min_size=1), min_size=1))
def test_every_pair_is_compared_or_named(held):
    """Whatever systems the datasets have, the paragraphs and tables of what is left are laid out."""
    frame = _scores({name: tuple(sorted(systems)) for name, systems in held.items()}, n=6)
    systems = sorted(set().union(*held.values()))
    shared = {pair for pair in combinations(systems, 2) if any(set(pair) <= who for who in held.values())}
    if not shared:
        with pytest.raises(reportkit.errors.ReportkitError):
            reportkit.compare(frame)
        return
    analysis = reportkit.compare(frame)
    assert {tuple(sorted(pair)) for pair in analysis.pairs} == shared
    missing = len(systems) * (len(systems) - 1) // 2 - len(shared)
    assert any(item.code == NOT_COMPARED for item in analysis.findings) == (missing > 0)
    analysis.report().to_markdown()


def test_nothing_is_said_of_systems_that_are_not_compared():
    """A constant system is a warning where it is compared, and none where it is not."""
    frame = _scores({"x": ("new", "old"), "y": ("new", "old")})
    constant = frame[frame["system"] == "old"].assign(system="constant", score=0)
    frame = pd.concat([frame, constant])
    assert "constant-system" not in {item.code for item in frame.replic.compare("new", "old").findings}
    assert "constant-system" in {item.code for item in frame.replic.compare(baseline="old").findings}


def test_missing_scores_are_no_dependence_of_neighbours():
    """New is far better than mid on the half of the instances that mid has; no order is in the scores."""
    rng, half = np.random.default_rng(0), {"new": 200, "old": 200, "mid": 100}
    rows = [(name, "d", i, round(rng.normal(3 * (name == "new")), 3)) for name, n in half.items() for i in range(n)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    assert [item.code for item in frame.replic.compare(missing="drop").findings] == ["missing-drop"]
