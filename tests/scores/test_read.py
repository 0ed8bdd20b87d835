"""Small inputs from real life give their right answers, or one question whose commands work."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReportkitError
from reportkit.scores.reading import Reading
from tests.conftest import run_command
from tests.scores.reading import as_typed

needs_rapidfuzz = pytest.mark.skipif(
    importlib.util.find_spec("rapidfuzz") is None, reason="RapidFuzz (the extra [asr]) is not installed"
)


@pytest.fixture(scope="module")
def cases(shared: Path) -> Path:
    """The folder of cases."""
    folder = shared / "cases"
    if not folder.is_dir():
        pytest.skip("the small inputs from real life are not here")
    return folder


def read(*paths: Path, options: str = "") -> Reading:
    """Read as `reportkit inspect` with options does."""
    return as_typed(f"{shlex.join(['reportkit', 'inspect', *map(str, paths)])} {options}")


def asked(*paths: Path, options: str = "") -> tuple[str, list[str]]:
    """The question about files, and the commands that it proposes."""
    with pytest.raises(ReportkitError) as raised:
        read(*paths, options=options)
    return str(raised.value), re.findall(r"reportkit inspect .*", str(raised.value))


def means(reading: Reading) -> dict[str, float]:
    """Mean score by system."""
    return reading.frame.groupby("system", observed=True)["score"].mean().to_dict()


def sizes(reading: Reading) -> dict[str, int]:
    """Instances by dataset."""
    return reading.frame.groupby("dataset", observed=True)["instance"].nunique().to_dict()


def test_a_covariate_is_no_system(cases: Path) -> None:
    """A covariate is no system."""
    reading = read(cases / "extra-column" / "scores.csv")
    assert set(reading.names("system")) == {"mA", "mB"}
    assert sizes(reading) == {"scores": 30}


def test_two_files_are_two_systems(cases: Path) -> None:
    """Two files are two systems."""
    reading = read(cases / "gate" / "baseline.csv", cases / "gate" / "candidate.csv")
    assert means(reading) == {"baseline": pytest.approx(0.74), "candidate": pytest.approx(0.665)}


def test_a_file_that_holds_one_system_is_no_dataset(cases: Path) -> None:
    """A file that holds one system is no dataset."""
    reading = read(cases / "file_per_model" / "results")
    assert set(reading.names("system")) == {"ada", "bee"}
    assert list(sizes(reading).values()) == [14]
    difference = reading.frame.pivot_table(index="instance", columns="system", values="score")
    assert (difference["ada"] - difference["bee"] == 2).all()


def test_zips_in_a_folder(cases: Path) -> None:
    """Zips in a folder."""
    reading = read(cases / "folder_of_zips" / "results")
    assert (reading.names("system"), sizes(reading)) == (["ada", "bee"], {"law": 14})


def test_json_lines_in_files_named_json(cases: Path) -> None:
    """Json lines in files named json."""
    reading = read(cases / "jsonl_named_json")
    assert sizes(reading) == {"simple": 14}
    totals = reading.frame.groupby("system", observed=True)["score"].sum().to_dict()
    assert totals == {"ada": 13, "bee": 4}


def test_a_leaderboard_of_error_rates(cases: Path) -> None:
    """A leaderboard of error rates."""
    reading = read(cases / "leaderboard_wer" / "leaderboard.csv", options="--across-datasets")
    assert reading.names("dataset") == ["AMI", "Earnings", "LS Clean", "LS Other", "Tedlium", "Voxpopuli"]
    assert reading.directions == {"wer": False}
    assert "lower is better" in reading.sentence


def test_a_leaderboard_through_the_command(cases: Path, tmp_path: Path) -> None:
    """The refusal names the complete command; as typed, it says that the lower error rate is better."""
    path = str(cases / "leaderboard_wer" / "leaderboard.csv")
    output = ["-o", str(tmp_path / "report"), "--no-pdf"]
    first = run_command("build", path, *output)
    assert first.returncode == 2
    (command,) = re.findall(r"reportkit (build .*--across-datasets)", first.stderr)
    second = run_command(*shlex.split(command))
    assert second.returncode == 0
    assert "ada-asr is significantly better than bee-asr on a typical dataset" in second.stdout


def test_cells_with_a_spread(cases: Path) -> None:
    """Cells with a spread."""
    text, commands = asked(cases / "mean-std" / "printed.csv")
    assert "means with a spread" in text
    reading = as_typed(commands[0])
    assert reading.frame["score"].tolist()[:2] == [38.0, 38.6]


def test_metrics_of_one_system_are_nothing_to_compare(cases: Path) -> None:
    """Metrics of one system are nothing to compare."""
    text, _ = asked(cases / "metrics_as_systems" / "ragas.csv")
    assert "faithfulness, answer_relevancy, context_recall are metrics of one system" in text
    assert "give the file of the other system as well, and --metric faithfulness" in text


def test_tables_of_ragas_are_paired_on_the_question(tmp_path: Path) -> None:
    """`evaluate(...).to_pandas()` of each system; the rows stand in another order."""
    for system, gain in (("ada", 0.1), ("bee", 0.0)):
        rows = [
            {"user_input": f"Question {i}?", "retrieved_contexts": "['a', 'b']", "response": "x", "reference": "y",
             "faithfulness": i / 40 + gain, "answer_relevancy": 0.5}
            for i in (range(30) if gain else reversed(range(30)))
        ]  # fmt: skip
        pd.DataFrame(rows).to_csv(tmp_path / f"{system}.csv", index=False)
    found = read(tmp_path, options="--metric faithfulness")
    assert means(found) == pytest.approx({"ada": 0.4625, "bee": 0.3625})
    assert list(sizes(found).values()) == [30]
    assert "paired on user_input" in found.sentence


def test_a_system_with_one_score_is_left_out(cases: Path) -> None:
    """A system with one score is left out."""
    reading = read(cases / "one_score_system" / "results.csv")
    assert (set(reading.names("system")), sizes(reading)) == ({"lab/ada-4", "lab/bee-2"}, {"quiz": 12})
    assert "'lab/ada-5'" in next(note.message for note in reading.findings if note.code == "systems-left-out")


def test_pairwise_judgments(cases: Path) -> None:
    """Pairwise judgments."""
    reading = read(cases / "pairwise_jsonl")
    own = reading.frame[(reading.frame["dataset"] == "ada v bee") & (reading.frame["system"] == "ada")]["score"]
    assert [(own == value).sum() for value in (1, 0, 0.5)] == [4, 3, 3]


def test_battles(cases: Path) -> None:
    """Battles."""
    reading = read(cases / "verdicts" / "battles.csv")
    assert set(reading.names("system")) == {"writer", "baseline"}
    assert len(reading.frame) == 2 * 120


def test_a_battle_names_both_systems(tmp_path: Path) -> None:
    """A row without a system is refused with its line; one without a verdict is left out."""
    path = tmp_path / "battles.csv"
    path.write_text("model_a,model_b,winner,q\nada,bee,model_a,1\n,bee,model_b,2\nada,bee,,3\n")
    assert "line 3" in asked(path)[0]
    path.write_text(path.read_text().replace("\n,bee", "\nada,bee"))
    assert len(read(path).frame) == 2 * 2


def test_counts_of_spans(cases: Path) -> None:
    """Counts of spans."""
    reading = read(cases / "pred_gold_counts" / "counts.csv")
    sums = reading.frame.groupby("system", observed=True)[["stat_tp", "stat_fp", "stat_fn"]].sum()
    f1 = 2 * sums["stat_tp"] / (2 * sums["stat_tp"] + sums["stat_fp"] + sums["stat_fn"])
    assert f1.round(4).to_dict() == {"flint": 0.1481, "amber": 0.8308}


def test_boards_of_means(cases: Path) -> None:
    """Boards of means."""
    for name in ("board.csv", "board_long.csv"):
        reading = read(cases / "printed-board" / name, options="--across-datasets")
        assert (len(reading.names("system")), len(reading.names("dataset"))) == (20, 10)
    assert read(cases / "across_four" / "results.csv").names("system") == ["alpha", "beta", "gamma", "delta"]


def test_the_one_free_number_is_the_score(cases: Path) -> None:
    """The one free number is the score."""
    reading = read(cases / "tied-top" / "resolved.csv")
    assert (len(reading.names("system")), reading.names("metric"), len(reading.frame)) == (12, ["resolved"], 6000)


def test_an_error_rate_is_better_when_lower(cases: Path) -> None:
    """An error rate is better when lower."""
    reading = read(cases / "wer" / "wer.csv")
    assert reading.directions == {"wer": False}
    assert sizes(reading) == {"clean": 120, "other": 120, "tedl": 120}


@needs_rapidfuzz
def test_transcripts(cases: Path) -> None:
    """Transcripts."""
    reading = read(cases / "asr_pairs")
    sums = reading.frame.groupby("system", observed=True)[["stat_errors", "stat_total"]].sum()
    assert sums.to_dict("index") == {
        "ada": {"stat_errors": 0, "stat_total": 40},
        "bee": {"stat_errors": 10, "stat_total": 40},
    }
    assert reading.directions == {"wer": False}


@pytest.mark.parametrize("case", ["leaderboard_wer", "mean-std", "metrics_as_systems"])
def test_a_question_is_one_message_for_the_command(cases: Path, case: str, tmp_path: Path) -> None:
    """No remedy is in Python, and no option is said without the command."""
    (path,) = (cases / case).glob("*.csv")
    done = run_command("build", path, "-o", tmp_path / "report", "--no-pdf")
    assert done.returncode == 2
    assert "columns=" not in done.stderr
    assert done.stderr.count("error:") == 1


def test_files_with_columns_of_their_own_have_the_others_in_common(tmp_path):
    """One file per system, and a column of remarks with another name in each."""
    for name, remarks, wrong in (("new", "note", 3), ("old", "comment", 2)):
        rows = [{"id": i, "score": int(i % wrong > 0), remarks: "x"} for i in range(30)]
        pd.DataFrame(rows).to_csv(tmp_path / f"{name}.csv", index=False)
    assert reportkit.read(tmp_path).systems == ("new", "old")
