"""`reportkit statistics`: from text files to a table, and on to a report."""

import gzip
import json
from dataclasses import dataclass

import pandas as pd
import pytest

from reportkit.cli.main import main
from reportkit.cli.statistics import named_files
from reportkit.errors import SettingsError
from reportkit.report.machine.claims import claims_in
from tests.conftest import unavailable
from tests.metrics.corpus.test_from_texts import BLEU, NEW, OLD, REFERENCES


@pytest.fixture
def texts(tmp_path):
    """Text files of two systems and a reference."""
    if BLEU is None:
        unavailable("sacreBLEU is not installed (it comes with the extra [sacrebleu])")
    for name, lines in (("new", NEW), ("old", OLD), ("ref", REFERENCES)):
        (tmp_path / f"{name}.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return tmp_path


@dataclass
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def reportkit(texts, monkeypatch, capsys):
    """Run the command beside the texts, in this process."""
    monkeypatch.chdir(texts)

    def run(*arguments):
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        return Done(caught.value.code, *capsys.readouterr())

    return run


@pytest.mark.slow
def test_from_text_files_to_a_report_in_two_commands(texts, reportkit):
    """BLEU in the report is that of sacreBLEU."""
    files = ("new.txt", "old.txt", "--reference", "ref.txt")
    for dataset, more in (("toy", ()), ("play", ("--append",))):
        done = reportkit("statistics", *files, "--dataset", dataset, "-o", "stats.csv", *more)
        assert done.returncode == 0, done.stderr
    assert "next: reportkit build stats.csv --metric bleu" in done.stdout
    done = reportkit(*("build", "stats.csv", "--metric", "bleu", "--system", "new", "--baseline", "old", "-o", "out"))
    assert done.returncode in (0, 1), done.stderr
    content = json.loads((texts / "out" / "report.json").read_text(encoding="utf-8"))
    (comparison,) = claims_in(content)
    assert [item["dataset"] for item in comparison["datasets"]] == ["play", "toy"]
    expected = BLEU().corpus_score(list(NEW), [list(REFERENCES)]).score
    for item in comparison["datasets"]:
        assert item["score_a"] == pytest.approx(expected, rel=5e-9)  # nine digits are stored


def test_names_formats_and_options(texts, reportkit):
    """NAME=FILE, several references, tab-separated and compressed output, lower case."""
    done = reportkit(
        *("statistics", "ours=new.txt", "old.txt", "--reference", "ref.txt", "--reference", "new.txt"),
        *("--dataset", "toy", "--metric", "chrf++", "--lowercase", "-o", "stats.tsv.gz", "--quiet"),
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    with gzip.open(texts / "stats.tsv.gz", "rt", encoding="utf-8") as file:
        frame = pd.read_csv(file, sep="\t")
    assert frame["system"].unique().tolist() == ["ours", "old"]
    assert "word_match2" in frame.columns
    ours = frame[frame["system"] == "ours"]
    assert (ours["match1"] == ours["hyp1"]).all()  # it is one of the references


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("new.txt", "short.txt"), "system 'short': 2"),
        (("new.txt", "absent.txt"), "there is no file 'absent.txt'"),
        (("new.txt", "new.txt"), "two systems are called 'new'"),
        (("new.txt", "--tokenize", "14a"), "did you mean '13a'"),
        (("new.txt", "--metric", "ter", "--tokenize", "13a"), "option of TER"),
        (("new.txt", "-o", "stats.xlsx"), "name the file .csv or .tsv"),
        (("new.txt", "-o", "absent/stats.csv"), "cannot be written"),
    ],
)
def test_mistakes_are_explained(texts, reportkit, arguments, words):
    """Exit code 2, no traceback, nothing written."""
    (texts / "short.txt").write_text("one\ntwo\n")
    options = () if "-o" in arguments else ("-o", "stats.csv")
    done = reportkit("statistics", *arguments, "--reference", "ref.txt", "--dataset", "toy", *options)
    assert done.returncode == 2
    assert words in done.stderr
    assert not list(texts.glob("stats*"))


def test_rows_are_not_added_twice_or_to_other_columns(texts, reportkit):
    """The same systems and dataset again, or counts of another metric."""
    command = ("statistics", "new.txt", "--reference", "ref.txt", "-o", "stats.csv", "--append")
    assert reportkit(*command, "--dataset", "toy").returncode == 0
    again = reportkit(*command, "--dataset", "toy")
    other = reportkit(*command, "--dataset", "play", "--metric", "ter")
    assert again.returncode == other.returncode == 2
    assert "holds rows of dataset 'toy' already" in again.stderr
    assert "holds other columns" in other.stderr
    assert len(pd.read_csv(texts / "stats.csv")) == 12


def test_systems_are_called_after_their_files(tmp_path):
    """Without the ending, and without .gz; a file whose name holds = is a file."""
    strange = tmp_path / "a=b.txt"
    strange.touch()
    assert list(named_files(["x/run.1.txt.gz", "b=x/run.2.txt", str(strange)])) == ["run.1", "b", "a=b"]
    with pytest.raises(SettingsError, match="NAME=y/run"):
        named_files(["x/run.txt", "y/run.txt"])
