"""lm-evaluation-harness: files as its own writer made them, changed where a rule is tried."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import reportkit
from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from tests.readers.harnesses.layouts import FIXTURES, HERE, proposed, run


def write(folder: Path) -> None:
    """A folder as lm-evaluation-harness wrote it; `make_lm_eval.py` made it."""
    shutil.copytree(FIXTURES / "lm_eval", folder)


LAYOUT = {"lm-evaluation-harness": write}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models, three tasks."""
    write(tmp_path / "results")
    return tmp_path / "results"


def _samples(folder: Path, model: str, task: str) -> Path:
    return next((folder / f"toy-org__{model}").glob(f"samples_{task}_*.jsonl"))


def _rewrite(path: Path, change) -> None:  # type: ignore[no-untyped-def]
    records = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(change(record)) + "\n" for record in records))


def test_scores_are_those_of_the_harness(folder: Path) -> None:
    """The mean of each task by each metric and filter is what the harness itself wrote into its results."""
    for path in folder.rglob("results_*.json"):
        said = json.loads(path.read_text())
        for task, metric, kind in (
            ("toy_choice", "acc", "none"),
            ("toy_choice", "acc_norm", "none"),
            ("toy_2_numbers", "exact_match", "strict-match"),
            ("toy_2_numbers", "exact_match", "flexible-extract"),
        ):
            frame = reportkit.inspect(folder, metric=metric, filter=None if kind == "none" else kind).frame
            scores = frame[(frame["system"] == said["model_name"]) & (frame["dataset"] == task)]["score"]
            assert scores.mean() == pytest.approx(said["results"][task][f"{metric},{kind}"])


def test_a_filter_is_one_reading_of_the_answers(folder: Path) -> None:
    """Filters are never averaged: the first is taken and the others are named, unless one is named."""
    first, other = reportkit.inspect(folder), reportkit.inspect(folder, filter="flexible-extract")
    assert (first.filter, first.other_filters) == ("strict-match", ("flexible-extract",))
    assert other.filter == "flexible-extract"
    assert len(first.frame) == len(other.frame) == 120
    assert "filter-chosen" in {note.code for note in first.notes}
    assert "filter-chosen" not in {note.code for note in other.notes}
    with pytest.raises(UnknownNameError, match="--filter strict-match"):
        reportkit.inspect(folder, filter="strict")


def test_metrics_of_all_documents_have_no_score_of_one(folder: Path) -> None:
    """A perplexity is refused by name, and the message names a metric with which the command works."""
    with pytest.raises(SettingsError, match="cannot be compared by instance"):
        reportkit.inspect(folder, metric="word_perplexity")
    code, said = run(folder.parent, "inspect", "results", "--metric", "word_perplexity")
    assert code == 2
    assert run(folder.parent, "inspect", "results", *proposed(said))[0] == 0


def test_directions_are_those_of_the_results(folder: Path) -> None:
    """A metric of which the harness says that lower is better is turned round, unless the user says otherwise."""
    for path in folder.rglob("results_*.json"):
        said = json.loads(path.read_text())
        said["higher_is_better"]["toy_choice"]["acc"] = False
        path.write_text(json.dumps(said))
    (block,) = reportkit.read(folder, metric="acc").datasets
    assert not block.higher_is_better
    (block,) = reportkit.read(folder, metric="acc", higher_is_better={"acc": True}).datasets
    assert block.higher_is_better
    reading = reportkit.inspect(folder)  # one family holds both
    assert reading.higher_is_better == {"exact_match": True, "acc": False}
    directions = {(block.dataset, block.metric): block.higher_is_better for block in reportkit.read(reading).datasets}
    assert directions == {("toy_2_numbers", "exact_match"): True, ("toy_choice", "acc"): False}


def test_equal_documents_are_paired_whatever_their_ids(folder: Path) -> None:
    """Where doc_ids mean other documents the hash pairs them, and a warning says so."""
    before = reportkit.compare(folder, "toy-org/large", "toy-org/small", metric="acc").outcomes
    _rewrite(_samples(folder, "small", "toy_choice"), lambda record: {**record, "doc_id": 29 - record["doc_id"]})
    reading = reportkit.inspect(folder, metric="acc")
    assert "different-instances" in {note.code for note in reading.notes}
    after = reportkit.compare(reading, "toy-org/large", "toy-org/small", metric="acc").outcomes
    assert after["p_value"].tolist() == before["p_value"].tolist()


def test_unequal_prompts_are_a_warning(folder: Path) -> None:
    """Two models that did not get the same prompts are compared, and the warning counts the documents."""
    _rewrite(_samples(folder, "small", "toy_choice"), lambda record: {**record, "prompt_hash": f"x{record['doc_id']}"})
    notes = {note.code: note for note in reportkit.inspect(folder).notes}
    assert notes["unequal-prompts"].severity == "warning"
    assert "30 documents" in notes["unequal-prompts"].where


def test_not_scored_is_not_wrong(folder: Path) -> None:
    """A null has no row, is counted, and the comparison asks what to do."""
    _rewrite(
        _samples(folder, "small", "toy_choice"),
        lambda record: {**record, "acc": None} if record["doc_id"] < 3 else record,
    )
    reading = reportkit.inspect(folder, metric="acc")
    assert len(reading.frame) == 57
    assert "toy-org/small on toy_choice (3)" in next(note.where for note in reading.notes if note.code == "unscored")
    with pytest.raises(reportkit.MissingScoresError):
        reportkit.compare(folder, metric="acc")
    assert len(reportkit.compare(folder, metric="acc", missing="drop").outcomes)


def test_results_alone_are_refused(folder: Path) -> None:
    """Without samples there is nothing to pair, and the message says how to get them."""
    for path in folder.rglob("samples_*"):
        path.unlink()
    with pytest.raises(ReadingError, match="not of documents") as raised:
        reportkit.inspect(folder)
    assert "--log_samples" in str(raised.value)


def test_a_document_twice_is_refused(folder: Path) -> None:
    """Two evaluations appended to one file are not averaged."""
    path = _samples(folder, "small", "toy_choice")
    path.write_text(path.read_text() * 2)
    with pytest.raises(ReadingError, match=r"doc_id 0 twice[\s\S]*line 31"):
        reportkit.inspect(folder)


def test_the_latest_of_several_evaluations_is_taken(folder: Path) -> None:
    """An older evaluation of the same model on the same task is named in a warning."""
    path = _samples(folder, "small", "toy_choice")
    older = path.with_name("samples_toy_choice_2020-01-01T00-00-00.000000.jsonl")
    older.write_text("\n".join(path.read_text().splitlines()[:5]))
    reading = reportkit.inspect(folder)
    assert len(reading.frame) == 120
    assert older.name in next(note.where for note in reading.notes if note.code == "older-evaluations")


def test_one_model_in_two_folders_is_two_systems(folder: Path) -> None:
    """Evaluated with other settings into another folder, it has the name of the folder beside its own."""
    (folder / "plain").mkdir()
    for child in sorted(folder.iterdir()):
        if child.name.startswith("toy-org"):
            child.rename(folder / "plain" / child.name)
    shutil.copytree(folder / "plain", folder / "chat")
    systems = reportkit.inspect(folder).frame["system"].unique()
    assert sorted(systems) == [
        *("toy-org/large (chat)", "toy-org/large (plain)", "toy-org/small (chat)", "toy-org/small (plain)")
    ]


def test_old_samples_without_filter_metrics_and_hashes(folder: Path) -> None:
    """Metrics are the numbers that are not reserved; instances are paired on doc_id, which is said."""
    gone = ("filter", "metrics", "doc_hash", "prompt_hash", "target_hash")
    for path in folder.rglob("samples_toy_choice*"):
        _rewrite(path, lambda record: {key: value for key, value in record.items() if key not in gone})
    for path in [*folder.rglob("samples_toy_2*"), *folder.rglob("samples_toy_text*"), *folder.rglob("results*")]:
        path.unlink()
    reading = reportkit.inspect(folder)
    assert reading.paired_on == "doc_id"
    assert reading.metrics == {"toy_choice": ("acc",)}
    assert sorted(reading.frame["system"].unique()) == ["toy-org/large", "toy-org/small"]


@pytest.mark.slow
def test_the_writer_of_today_is_read(tmp_path: Path) -> None:
    """What the installed lm-evaluation-harness writes is understood as what is committed."""
    if importlib.util.find_spec("lm_eval") is None:
        pytest.skip("lm-eval is not installed")
    subprocess.run([sys.executable, HERE / "make_lm_eval.py", tmp_path / "results"], check=True)
    assert reportkit.inspect(tmp_path / "results").sentence() == reportkit.inspect(FIXTURES / "lm_eval").sentence()


def test_a_metric_that_is_listed_twice_is_one(folder: Path) -> None:
    """A record may name a metric twice; it has one score by it."""
    before = reportkit.read(folder, metric="acc").digest()
    path = _samples(folder, "small", "toy_choice")
    _rewrite(path, lambda record: {**record, "metrics": [*record["metrics"], record["metrics"][0]]})
    assert reportkit.read(folder, metric="acc").digest() == before
