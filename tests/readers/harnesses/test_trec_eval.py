"""trec_eval -q: topics and not `all`, measures, and topics that a run lacks."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from reportkit.errors import ReadingError, UnknownNameError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put


def output(run: str, **topics: float) -> str:
    """What trec_eval -q prints of one measure."""
    lines = [f"map                   \t{topic[1:]}\t{value:.4f}" for topic, value in topics.items()]
    lines += [f"runid                 \tall\t{run}", "num_q                 \tall\t2", "map \tall\t0.9"]
    return "\n".join(lines) + "\n"


def test_means_over_topics_are_the_rows_of_all() -> None:
    """The mean that trec_eval prints for all topics, which is no instance, is the mean of what was read."""
    for metric in ("map", "P_10"):
        reading = inspect(FIXTURES / "trec_eval", metric=metric)
        assert "all" not in {*reading.frame["instance"]}
        for path in (FIXTURES / "trec_eval").rglob("*.eval"):
            rows = [line.split() for line in path.read_text("utf-8").splitlines()]
            (of_all,) = (float(value) for name, topic, value in rows if name == metric and topic == "all")
            assert means(reading)[path.stem, path.parent.name] == pytest.approx(of_all, abs=1e-4)


def test_robust_topics_come_back(shared: Path, tmp_path: Path) -> None:
    """Average precision of two runs of TREC 2003, printed with four digits, is read as it was."""
    frame = pd.read_parquet(shared / "data" / "robust03" / "ap.parquet")
    for (system, dataset), rows in list(frame.groupby(["system", "dataset"], observed=True))[:4]:
        text = output(str(system), **{f"t{row.instance}": row.score for row in rows.itertuples()})
        put(tmp_path / str(dataset) / f"{system}.eval", text)
        found = inspect(tmp_path / str(dataset) / f"{system}.eval").frame
        assert found["score"].mean() == pytest.approx(rows["score"].mean(), abs=1e-4)
        assert len(found) == len(rows)


def test_topics_that_a_run_lacks_are_said(tmp_path: Path) -> None:
    """Without -c trec_eval leaves them out; they are not 0."""
    put(tmp_path / "a.txt", output("a", t1=0.5, t2=0.5))
    put(tmp_path / "b.txt", output("b", t1=0.5))
    reading = inspect(tmp_path)
    assert "absent-topics" in codes(reading)
    assert len(reading.frame) == 3


def test_equal_run_ids_give_way_to_names_of_files(tmp_path: Path) -> None:
    """A default tag says nothing."""
    put(tmp_path / "bm25.txt", output("STANDARD", t1=0.5))
    put(tmp_path / "dense.txt", output("STANDARD", t1=0.6))
    assert {*inspect(tmp_path).frame["system"]} == {"bm25", "dense"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("num_q \tall\t2\nmap \tall\t0.3\n", "all topics together only"),
        (output("a", t1=0.5) + output("a", t1=0.6), "two values of map"),
        (output("a", t1=0.5) + "map \t2\thigh\n", "'high' as a value"),
    ],
)
def test_what_is_no_measure_by_topic(text: str, said: str, tmp_path: Path) -> None:
    """Output without -q, of two runs in one file, and damaged."""
    with pytest.raises(ReadingError, match=said):
        inspect(put(tmp_path / "a.txt", text))


def test_an_unknown_measure_is_named(tmp_path: Path) -> None:
    """With those that there are."""
    with pytest.raises(UnknownNameError, match="ndcg") as refused:
        inspect(put(tmp_path / "a.txt", output("a", t1=0.5)), metric="ndcg")
    assert "--metric map" in str(refused.value)
