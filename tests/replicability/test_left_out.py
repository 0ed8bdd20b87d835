"""No dataset falls away in silence: a finding, the paragraph and the checklist name it, and the command says so."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import reportkit
from reportkit.cli.main import group
from reportkit.replicability.left_out import DATASETS_LEFT_OUT, LeftOut
from reportkit.report.prose import plain

LENGTHS = ("short", "standard", "full")


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


@pytest.mark.parametrize("missing", ["error", "drop", "worst", "bounds"])
def test_a_metric_that_no_system_has_on_a_dataset_does_not_apply_there(mixed, missing):
    """Nothing is missing, so that the comparison runs; the datasets that it is without are named wherever one looks."""
    analysis = reportkit.compare(mixed, "new", "old", missing=missing)
    assert analysis.data.family.datasets == ("mnli", "qnli", "sst2")
    (finding,) = [item for item in analysis.data.family.findings if item.code == DATASETS_LEFT_OUT]
    assert finding.severity == "warning"
    assert finding.message == (
        "On 3 of the 6 datasets no system that is compared has a score in the column 'accuracy': they are not in this "
        "report."
    )
    assert finding.where == "'ner', 'pos' and 'squad'"
    for length in LENGTHS:
        assert "ner, pos and squad" in analysis.paragraph(length)
    text = _checklist(analysis)
    assert "The report holds 3 of the 6 datasets that the results name" in text
    assert "left none out" not in text
    named = analysis.report().to_dict()["data"]
    assert named["named_datasets"] == ["mnli", "ner", "pos", "qnli", "squad", "sst2"]
    assert [item["dataset"] for item in named["left_out"]] == ["ner", "pos", "squad"]


def test_the_remedy_works(mixed):
    """Both metrics, each by its column, hold all six datasets, and nothing is left out."""
    analysis = reportkit.compare(mixed, "new", "old", metric=["accuracy", "f1"])
    assert analysis.data.left_out == ()
    assert not any(item.code == DATASETS_LEFT_OUT for item in analysis.data.family.findings)
    assert "The report holds all 6 datasets" in _checklist(analysis)


def test_a_score_that_some_system_has_is_missing_for_the_others(mixed):
    """One score of accuracy on a dataset, and those that are not there are missing again."""
    mixed.loc[(mixed["dataset"] == "ner") & (mixed["system"] == "new"), "accuracy"] = 1.0
    with pytest.raises(reportkit.errors.MissingScoresError, match="30 scores are missing"):
        reportkit.compare(mixed, "new", "old")


def test_the_command_exits_with_1(mixed, tmp_path):
    """And the terminal names what fell away."""
    mixed.to_csv(tmp_path / "accf1.csv", index=False)
    for options in ((), ("--missing", "drop")):
        result = CliRunner().invoke(
            group, ["build", str(tmp_path / "accf1.csv"), "-o", str(tmp_path / "r"), *options], standalone_mode=False
        )
        assert result.return_value == 1
        assert DATASETS_LEFT_OUT in result.output
        assert "'squad'" in result.output
    content = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert content["findings"][0]["code"] == DATASETS_LEFT_OUT


@given(
    st.dictionaries(
        st.sampled_from(["a1", "b2", "c3", "d4", "e5"]),
        st.sets(st.sampled_from(["new", "old", "third"]), min_size=1),
        min_size=1,
    )
)
@settings(max_examples=40, deadline=None)
def test_every_dataset_is_held_or_named(systems):
    """Whichever systems are scored on whichever datasets: each dataset is compared, or its absence is said."""
    both = [name for name, who in systems.items() if {"new", "old"} <= who]
    frame = _scores({name: tuple(sorted(who)) for name, who in systems.items()}, n=3)
    if not both:
        return
    analysis = reportkit.compare(frame, "new", "old", other_profile=False)
    left = {item.dataset: item for item in analysis.data.left_out}
    assert set(analysis.data.family.datasets) == set(both)
    assert set(left) == set(systems) - set(both)
    for name, item in left.items():
        lacking = tuple(system for system in ("new", "old") if system not in systems[name])
        assert item == (
            LeftOut(dataset=name, reason="no-score")
            if len(lacking) == 2
            else LeftOut(dataset=name, reason="system-without-score", systems=lacking)
        )
    text = _checklist(analysis)
    assert all(name in text for name in left)
    assert (len(left) == 0) == (" of the " not in text.partition("The report holds")[2][:20])
    findings = [item for item in analysis.data.family.findings if item.code == DATASETS_LEFT_OUT]
    assert bool(findings) == bool(left)


def test_a_dataset_with_another_metric_is_named():
    """Of a column of metrics one is reported: the datasets that only have another one are not in the report."""
    both = ("new", "old")
    frame = _scores(dict.fromkeys("xyz", both), metric={"x": "acc", "y": "acc", "z": "em"})
    analysis = reportkit.compare(frame, "new", "old", metric="acc")
    assert analysis.data.left_out == (LeftOut(dataset="z", reason="no-score"),)
    assert "where there are no scores to compare by acc" in analysis.paragraph()


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
    assert analysis.data.left_out == (
        LeftOut(dataset="y", reason="system-without-score", systems=("old",), metric="em"),
    )
    assert "old has no score by em on y" in analysis.paragraph()


def test_what_a_user_left_out_is_no_finding():
    """A selection of datasets is said in the checklist, and is no warning."""
    both = ("new", "old")
    results = reportkit.read(_scores(dict.fromkeys("xyz", both)))
    analysis = reportkit.compare(results.select(datasets=["x", "y"]), "new", "old")
    assert analysis.data.left_out == (LeftOut(dataset="z", reason="deselected"),)
    assert not any(item.code == DATASETS_LEFT_OUT for item in analysis.data.family.findings)
    assert "The report holds 2 of the 3 datasets" in _checklist(analysis)
    assert "z was not selected." in _checklist(analysis)


@pytest.mark.parametrize(("n_dropped", "severity"), [(1, "info"), (2, "info"), (3, "warning")])
def test_many_instances_left_out_are_a_warning(n_dropped, severity):
    """More than 5% of the instances of a dataset."""
    frame = _scores({"x": ("new", "old")}, n=40).astype({"score": float})
    frame.loc[frame.index[:n_dropped], "score"] = np.nan
    analysis = reportkit.compare(frame, "new", "old", missing="drop")
    (finding,) = [item for item in analysis.data.family.findings if item.code == "missing-drop"]
    assert finding.severity == severity
    assert bool(finding.remedy) == (severity == "warning")
