"""Texts beside references: sacreBLEU's own corpus scores, and which file is what."""

from __future__ import annotations

from pathlib import Path

import pytest

import reportkit
from reportkit.errors import InputError, ReadingError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, put

sacrebleu = pytest.importorskip("sacrebleu")

SCORERS = {
    "bleu": lambda outputs, references: sacrebleu.corpus_bleu(outputs, references),
    "chrf": lambda outputs, references: sacrebleu.corpus_chrf(outputs, references),
    "ter": lambda outputs, references: sacrebleu.corpus_ter(outputs, references),
}


@pytest.mark.parametrize("metric", SCORERS)
def test_scores_are_those_of_sacrebleu(metric: str) -> None:
    """Of the whole test set, not means of sentences."""
    folder = FIXTURES / "sacrebleu"
    analysis = reportkit.compare(folder, metric=metric)
    for row in analysis.outcomes.itertuples():
        references = [(folder / row.dataset / "ref.txt").read_text("utf-8").splitlines()]
        for system, score in ((row.system_a, row.score_a), (row.system_b, row.score_b)):
            outputs = (folder / row.dataset / f"{system}.txt").read_text("utf-8").splitlines()
            assert score == pytest.approx(SCORERS[metric](outputs, references).score, abs=1e-9)


def test_several_references_and_the_source(tmp_path: Path) -> None:
    """ref.0 and ref.1 are two references of one test set; src.txt is not an output."""
    texts = {"ref.0.txt": "a cat\nno\n", "ref.1.txt": "the cat\nyes\n", "src.txt": "x\ny\n", "new.txt": "the cat\nno\n"}
    for name, text in texts.items():
        put(tmp_path / name, text)
    reading = inspect(tmp_path)
    assert {*reading.frame["system"]} == {"new"}
    assert "files-unused" in codes(reading)
    assert reading.frame["correct1"].sum() == 3


def test_outputs_in_folders_of_their_own(tmp_path: Path) -> None:
    """One folder of references serves all outputs."""
    put(tmp_path / "mt" / "references" / "ref.txt", "a\nb\n")
    put(tmp_path / "mt" / "outputs" / "new.txt", "a\nb\n")
    reading = inspect(tmp_path / "mt" / "references", tmp_path / "mt" / "outputs", format="sacreBLEU")
    assert {*reading.frame["dataset"]} == {"mt"}


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    """No references, no outputs, and another number of lines."""
    put(tmp_path / "new.txt", "a\nb\n")
    with pytest.raises(ReadingError, match="no references") as refused:
        inspect(tmp_path / "new.txt", format="sacreBLEU")
    assert f"mv {tmp_path}/new.txt {tmp_path}/ref.txt" in str(refused.value)
    put(tmp_path / "ref.txt", "a\nb\nc\n")
    with pytest.raises(InputError, match="different numbers of segments"):
        inspect(tmp_path)
    (tmp_path / "new.txt").unlink()
    with pytest.raises(ReadingError, match="no outputs"):
        inspect(tmp_path)
