"""TREC runs: measures by ir-measures, judgments that belong, topics without documents."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put

QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n3 0 d9 0\n"
RUN = "1 Q0 d2 1 9.0 bm25\n1 Q0 d1 2 8.0 bm25\n"


@pytest.mark.parametrize("metric", ["nDCG@10", "AP", "RR@10"])
def test_means_are_those_of_ir_measures(metric: str) -> None:
    """calc_aggregate of the same files; a topic without documents counts as 0, as in trec_eval -c."""
    ir_measures = pytest.importorskip("ir_measures")
    measure = ir_measures.parse_measure(metric)
    reading = inspect(FIXTURES / "trec", metric=metric)
    for path in (FIXTURES / "trec").rglob("*.run"):
        qrels = list(ir_measures.read_trec_qrels(str(next(path.parent.glob("qrels*")))))
        relevant = {one.query_id for one in qrels if one.relevance > 0}
        qrels = [one for one in qrels if one.query_id in relevant]
        run = ir_measures.read_trec_run(str(path))
        expected = ir_measures.calc_aggregate([measure], qrels, run)[measure]
        assert means(reading)[path.stem, path.parent.name] == pytest.approx(expected)
    assert "topics-without-documents" in codes(reading)


def test_by_hand(tmp_path: Path) -> None:
    """d1 at place 2 of topic 1, topic 2 without documents, topic 3 without a relevant document."""
    pytest.importorskip("ir_measures")
    put(tmp_path / "x.run", RUN)
    put(tmp_path / "qrels.txt", QRELS)
    frame = inspect(tmp_path, metric="AP").frame
    assert dict(zip(frame["instance"].astype(str), frame["score"], strict=True)) == {"1": 0.5, "2": 0.0}


def test_many_topics_without_documents_are_a_warning(tmp_path: Path) -> None:
    """Of each collection by itself, as where the file of a run was cut off."""
    pytest.importorskip("ir_measures")
    for collection, n in (("old", 2), ("new", 40)):
        topics = range(1, 41)
        put(tmp_path / collection / "qrels.txt", "".join(f"{collection}{topic} 0 d1 1\n" for topic in topics))
        for name, n_topics in (("cut", n), ("whole", 40)):
            lines = (f"{collection}{topic} Q0 d1 1 9.0 {name}\n" for topic in topics if topic <= n_topics)
            put(tmp_path / collection / f"{name}.run", "".join(lines))
    (note,) = (note for note in inspect(tmp_path).notes if note.code == "topics-without-documents")
    assert (note.severity, note.where) == ("warning", "cut on old: 38 of 40 topics")


def test_judgments_beside_other_runs_are_said(tmp_path: Path) -> None:
    """The qrels of a folder are gone, and those of another one have the same topics."""
    pytest.importorskip("ir_measures")
    put(tmp_path / "old" / "qrels.txt", QRELS)
    put(tmp_path / "old" / "x.run", RUN)
    put(tmp_path / "new" / "y.run", RUN)
    (note,) = (note for note in inspect(tmp_path).notes if note.code == "judged-elsewhere")
    assert "y.run" in note.where
    for name in ("old/qrels.txt", "old/x.run", "new/y.run"):  # as many keep them: judgments apart from runs
        put(tmp_path / "apart" / name.rpartition("/")[2], (tmp_path / name).read_text())
    (tmp_path / "apart" / "judgments").mkdir()
    (tmp_path / "apart" / "qrels.txt").rename(tmp_path / "apart" / "judgments" / "qrels.txt")
    assert "judged-elsewhere" not in codes(inspect(tmp_path / "apart"))


def test_runs_need_judgments(tmp_path: Path) -> None:
    """And judgments runs; of the same topics."""
    pytest.importorskip("ir_measures")
    run = put(tmp_path / "x.run", RUN)
    with pytest.raises(ReadingError, match="without judgments"):
        inspect(run)
    with pytest.raises(ReadingError, match="no runs"):
        inspect(put(tmp_path / "qrels.txt", QRELS))
    with pytest.raises(ReadingError, match="no topic of the run"):
        inspect(run, put(tmp_path / "qrels.txt", "7 0 d1 1\n"))
    with pytest.raises(UnknownNameError, match="measure of ir-measures"):
        inspect(run, put(tmp_path / "qrels.txt", QRELS), metric="brilliance")


@pytest.mark.parametrize(
    ("run", "qrels", "said"),
    [
        (RUN + RUN, QRELS, "ranks a document twice"),
        (RUN + "2 Q0 d1 1 9.0 dense\n", QRELS, "holds several runs"),
        (RUN, QRELS + "1 0 d1 0\n", "judges a document twice"),
        (RUN, "1 0 d1 0\n", "no document as relevant"),
        (RUN, QRELS + "1 0 d7\n", "3 fields, not 4"),
    ],
)
def test_contradictions_are_refused(run: str, qrels: str, said: str, tmp_path: Path) -> None:
    """Each with the line."""
    pytest.importorskip("ir_measures")
    put(tmp_path / "x.run", run)
    put(tmp_path / "y.qrels", qrels)
    with pytest.raises(ReadingError, match=said):
        inspect(tmp_path / "x.run", tmp_path / "y.qrels", format="TREC run")


def test_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ir-measures."""
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    put(tmp_path / "x.run", RUN)
    put(tmp_path / "qrels.txt", QRELS)
    with pytest.raises(SettingsError, match="not installed") as refused:
        inspect(tmp_path)
    assert 'pip install "reportkit-replic[trec]"' in str(refused.value)
