"""trec_eval -q: topics and not `all`, measures, and topics that a run lacks."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportkit.errors import ReadingError, UnknownNameError
from reportkit.readers.harnesses import trec_eval
from reportkit.readers.source import Source
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


_NAMES = st.sampled_from(["map", "map   ", " ndcg", "P_10", "num_q", "runid", "relstring", "", "two words"])
_TOPICS = st.sampled_from(["1", "2", "3 ", "all", "QALD-7", "\u00a0", ""])
_VALUES = st.sampled_from(["0.5", "1", "0.25 ", " 0", "-1e-3", "nan", "inf", "1_0", "run a", "a", ""])


@pytest.mark.slow
@given(
    rows=st.lists(st.tuples(_NAMES, _TOPICS, _VALUES), max_size=6),
    end=st.sampled_from(["\n", "\r\n", "\n\n"]),
    usual=st.integers(0, 4),
)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_columns_hold_what_the_lines_hold(rows, end, usual, tmp_path) -> None:
    """Read as columns or line by line: the same run, measures, topics and values in the same order."""
    rows = [("ndcg  ", f"t{i}", "0.5") for i in range(usual)] + rows
    path = put(tmp_path / "a.eval", end.join("\t".join(row) for row in rows) + end)
    by_column = trec_eval._columns(Source(path))
    if by_column is not None:
        by_line = trec_eval._measures(Source(path))
        run_id, measures = by_column
        found = {name: (list(topics), list(values)) for name, (topics, values) in measures.items()}
        assert (run_id, list(found)) == (by_line[0], list(by_line[1]))
        assert found == by_line[1]


def test_usual_output_is_read_as_columns() -> None:
    """As trec_eval writes it: padded measures, tabs, the run's id."""
    paths = sorted((FIXTURES / "trec_eval").rglob("*.eval"))
    assert paths
    assert all(trec_eval._columns(Source(path)) is not None for path in paths)
