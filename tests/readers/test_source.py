"""Files that are read as far as memory allows, and not at all where nothing may ever come."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from reportkit.errors import ReadingError, SettingsError
from reportkit.readers import read_frame
from reportkit.readers.source import LIMIT_VARIABLE, LONGEST_LINE, largest_content

HEAD = b"system,dataset,instance,score\n"
CONTENT = {
    ".csv": HEAD + b"a,d,1,0.5\n" * 20_000,
    ".tsv": HEAD.replace(b",", b"\t") + b"a\td\t1\t0.5\n" * 20_000,
    ".jsonl": b'{"system": "a", "dataset": "d", "instance": 1, "score": 0.5}\n' * 4_000,
}


@pytest.mark.parametrize("ending", CONTENT)
@pytest.mark.parametrize("compress", [False, True])
def test_more_content_than_may_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, compress: bool
) -> None:
    """Also where a small compressed file holds it; and following the message literally reads the file."""
    path = tmp_path / f"results{ending}{'.gz' if compress else ''}"
    path.write_bytes(gzip.compress(CONTENT[ending]) if compress else CONTENT[ending])
    monkeypatch.setenv(LIMIT_VARIABLE, "0.0001")
    with pytest.raises(ReadingError, match=r"more than the 0\.0001 GB that are read of a file") as raised:
        read_frame(path)
    assert f"set {LIMIT_VARIABLE}=N in the environment" in str(raised.value)
    monkeypatch.setenv(LIMIT_VARIABLE, "0.001")
    assert len(read_frame(path)) == CONTENT[ending].count(b"\n") - (ending != ".jsonl")


def test_a_compressed_parquet_that_holds_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is decompressed no further than the limit."""
    path = tmp_path / "results.parquet.gz"
    path.write_bytes(gzip.compress(b"PAR1" + b"\x00" * 1_000_000))
    monkeypatch.setenv(LIMIT_VARIABLE, "0.0001")
    with pytest.raises(ReadingError, match="that are read of a file"):
        read_frame(path)


@pytest.mark.parametrize("text", ["x", "-1", "0", "nan"])
def test_a_limit_that_makes_no_sense(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """It is a positive number of gigabytes; an empty one counts as not given, an infinite one as none."""
    monkeypatch.setenv(LIMIT_VARIABLE, text)
    with pytest.raises(SettingsError, match=LIMIT_VARIABLE):
        largest_content()
    monkeypatch.setenv(LIMIT_VARIABLE, " ")
    assert largest_content() == 2 * 10**9
    monkeypatch.setenv(LIMIT_VARIABLE, "inf")
    assert largest_content() > 10**15


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("results.csv", HEAD + b"a,d,1,0.5\na,d," + b"x" * (3 * LONGEST_LINE) + b",1\n"),
        ("results.csv", HEAD + b'a,d,1,0.5\na,d,"' + (b"x" * 63 + b"\n") * (LONGEST_LINE >> 5) + b'",1\n'),
        ("results.jsonl", b'{"a": 1}\n{"a": "' + b"x" * (LONGEST_LINE + 10) + b'"}\n'),
    ],
)
def test_a_giant_cell_is_named(tmp_path: Path, name: str, content: bytes) -> None:
    """A line or a cell without end is refused with its line, not with the words of Arrow's blocks."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ReadingError, match=r"has a (line|cell) of more than 8 MiB") as raised:
        read_frame(path)
    assert f"line {3 if name.endswith('csv') else 2}" in str(raised.value)


@pytest.mark.parametrize("name", ["results.csv", "results.jsonl"])
def test_a_large_cell_is_read(tmp_path: Path, name: str) -> None:
    """Larger than Arrow's blocks, and smaller than the limit."""
    text = "x" * (6 << 20)
    path = tmp_path / name
    if name.endswith("csv"):
        path.write_bytes(HEAD + b"a,d,1,0.5\n" + f"a,d,{text},1\n".encode())
    else:
        path.write_bytes(b'{"instance": "1"}\n' + f'{{"instance": "{text}"}}\n'.encode())
    assert read_frame(path)["instance"].iloc[1] == text


def test_a_header_without_end_is_refused(tmp_path: Path) -> None:
    """A file without a line end is no header of millions of columns."""
    path = tmp_path / "results.csv"
    path.write_bytes(b",".join(b"column%d" % number for number in range(500_000)))
    with pytest.raises(ReadingError, match=r"the header of .* is longer than 4 MiB"):
        read_frame(path)


@pytest.mark.slow
def test_a_long_header_is_read_whole(tmp_path: Path) -> None:
    """Thousands of columns with long names, two mebibytes of them."""
    names = [f"{number}-{'x' * 500}" for number in range(4_000)]
    path = tmp_path / "results.csv"
    path.write_text(",".join(names) + "\n" + ",".join("x" * len(names)) + "\n")
    assert list(read_frame(path).columns) == names


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet", ".csv.gz"])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, ending: str) -> None:
    """Nobody may ever write into it."""
    path = tmp_path / f"results{ending}"
    os.mkfifo(path)
    with pytest.raises(ReadingError, match="is a pipe or a device"):
        read_frame(path)
