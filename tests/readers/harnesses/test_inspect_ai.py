"""Inspect: logs as its own writer made them, changed where a rule is tried."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import reportkit
from reportkit.errors import ReadingError, SettingsError
from reportkit.readers.compression import open_member
from tests.readers.harnesses.layouts import FIXTURES, HERE, proposed, run


def write(folder: Path) -> None:
    """A folder as Inspect wrote it; `make_inspect.py` made it."""
    shutil.copytree(FIXTURES / "inspect", folder)


LAYOUT = {"Inspect": write}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models, one task as `.eval` with two epochs, one as `.json`."""
    write(tmp_path / "results")
    return tmp_path / "results"


def _logs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def _rewrite(path: Path, change) -> None:  # type: ignore[no-untyped-def]
    log = json.loads(path.read_text())
    change(log)
    path.write_text(json.dumps(log))


def test_scores_are_those_of_the_log(folder: Path) -> None:
    """The mean of a scorer is what Inspect itself computed, from archives by zstd as from JSON."""
    for path in sorted(folder.iterdir()):
        log = json.loads(open_member(path, "header.json").read() if path.suffix == ".eval" else path.read_text())
        for score in log["results"]["scores"]:
            frame = reportkit.inspect(folder, metric=score["name"]).frame
            task = log["eval"]["task"].rpartition("/")[2]
            own = frame[(frame["system"] == log["eval"]["model"]) & (frame["dataset"] == task)]
            (mean,) = (item["value"] for name, item in score["metrics"].items() if name in ("accuracy", "mean"))
            assert own["score"].mean() == pytest.approx(mean)


def test_epochs_are_runs(folder: Path) -> None:
    """Two epochs of a sample are two runs of one instance; nothing is averaged."""
    frame = reportkit.inspect(folder).frame
    assert frame[frame["dataset"] == "capitals"].groupby(["system", "seed"], observed=True).size().tolist() == [12] * 4
    blocks = {block.dataset: block.shape for block in reportkit.read(folder)}
    assert blocks["capitals"] == "runs"


def test_unscored_is_not_wrong(folder: Path) -> None:
    """NaN is how Inspect writes what a scorer could not score: no row, and counted."""
    reading = reportkit.inspect(folder, metric="brevity")
    assert "mockllm/large on capitals (2)" in next(note.where for note in reading.notes if note.code == "unscored")


def test_without_summaries_the_samples_are_read(folder: Path) -> None:
    """An archive of old, by deflate and without summaries, gives the same scores."""
    expected = reportkit.read(folder).digest()
    for path in folder.glob("*.eval"):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
        content = {name: open_member(path, name).read() for name in names}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                if name != "summaries.json" and not name.startswith("_journal"):
                    archive.writestr(name, content[name])
    assert reportkit.read(folder).digest() == expected


def test_values_that_stand_for_no_number_are_refused(folder: Path) -> None:
    """Inspect counts them as 0; here the message names the value, and a scorer that works."""

    def change(log: dict) -> None:
        log["samples"][0]["scores"]["includes"]["value"] = "maybe"
        for sample in log["samples"]:
            sample["scores"]["other"] = {"value": 1}

    for path in _logs(folder):
        _rewrite(path, change)
    with pytest.raises(SettingsError, match=r"'includes' is no number[\s\S]*'maybe'[\s\S]*--metric other"):
        reportkit.inspect(_logs(folder))
    code, said = run(folder, "inspect", *(path.name for path in _logs(folder)))
    assert code == 2
    assert run(folder, "inspect", *(path.name for path in _logs(folder)), *proposed(said))[0] == 0


@pytest.mark.parametrize(
    ("value", "score"), [("C", 1), ("P", 0.5), ("I", 0), ("N", 0), (True, 1), ("0.25", 0.25), ("yes", 1)]
)
def test_values(folder: Path, value: object, score: float) -> None:
    """As Inspect reads them itself."""
    for path in _logs(folder):
        _rewrite(path, lambda log: log["samples"][0]["scores"]["includes"].update(value=value))
    frame = reportkit.inspect(_logs(folder)).frame
    first = json.loads(_logs(folder)[0].read_text())["samples"][0]["id"]
    assert set(frame[frame["instance"] == first]["score"]) == {score}


def test_values_by_key_are_metrics_of_their_own(folder: Path) -> None:
    """A mapping gives `scorer/key`; a list is refused."""

    def change(log: dict) -> None:
        for sample in log["samples"]:
            sample["scores"] = {"judge": {"value": {"style": 0.5, "fact": 1}}, "steps": {"value": [1, 0]}}

    for path in _logs(folder):
        _rewrite(path, change)
    assert reportkit.inspect(_logs(folder), metric="judge/fact").metrics == {"yes_or_no": ("judge/fact",)}
    with pytest.raises(SettingsError, match="a list"):
        reportkit.inspect(_logs(folder), metric="steps")


@pytest.mark.parametrize("change", [{"status": "error"}, {"status": "cancelled"}, {"invalidated": True}])
def test_logs_that_were_not_completed_are_left_out_with_a_word(folder: Path, change: dict) -> None:
    """A warning names them; if there are no others, they are refused."""
    path = _logs(folder)[0]
    _rewrite(path, lambda log: log.update(change))
    reading = reportkit.inspect(folder)
    assert path.name in next(note.where for note in reading.notes if note.code == "unfinished")
    with pytest.raises(ReadingError, match="none of these logs"):
        reportkit.inspect(path)


def test_errors_of_samples_are_not_zeros(folder: Path) -> None:
    """A sample that ended with an error has no score."""
    _rewrite(_logs(folder)[0], lambda log: log["samples"][0].update(error={"message": "x"}))
    reading = reportkit.inspect(_logs(folder))
    assert len(reading.frame) == 23
    assert {"sample-errors", "unscored"} <= {note.code for note in reading.notes}


def test_other_inputs_are_paired_by_input(folder: Path) -> None:
    """Samples that were shuffled before they got their ids are paired on what was asked."""

    def change(log: dict) -> None:
        ids = [sample["id"] for sample in log["samples"]]
        for sample, name in zip(log["samples"], ids[1:] + ids[:1], strict=True):
            sample["id"] = name

    before = reportkit.compare(_logs(folder)).outcomes["p_value"].tolist()
    _rewrite(_logs(folder)[0], change)
    reading = reportkit.inspect(_logs(folder))
    assert reading.paired_on == "input"
    assert reportkit.compare(reading).outcomes["p_value"].tolist() == before


def test_solvers_of_one_model_are_systems(folder: Path) -> None:
    """Two logs of one model and task that differ by solver are two systems; by date alone, the latest counts."""
    path = _logs(folder)[0]
    other = path.with_name("other.json")
    shutil.copy(path, other)
    with pytest.raises(ReadingError, match="more than once"):
        reportkit.inspect(path, other)
    _rewrite(other, lambda log: log["eval"].update(created="2020-01-01"))
    (note,) = (note for note in reportkit.inspect(path, other).notes if note.code == "older-evaluations")
    assert "other.json" in note.where
    _rewrite(other, lambda log: log["eval"].update(solver="self_critique"))
    systems = sorted(reportkit.inspect(path, other).frame["system"].unique())
    assert systems == ["mockllm/large (generate)", "mockllm/large (self_critique)"]


@pytest.mark.slow
def test_the_writer_of_today_is_read(tmp_path: Path) -> None:
    """What the installed Inspect writes is understood as what is committed."""
    if importlib.util.find_spec("inspect_ai") is None:
        pytest.skip("inspect-ai is not installed")
    subprocess.run([sys.executable, HERE / "make_inspect.py", tmp_path / "results"], check=True)
    assert reportkit.inspect(tmp_path / "results").sentence() == reportkit.inspect(FIXTURES / "inspect").sentence()
