"""CSV and TSV: cells stay what they are, and faults are found where they are."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import ColumnError, ReadingError
from reportkit.readers import read_frame

HEAD = "system,dataset,instance,score\n"


WRITERS = {
    ".csv": lambda frame: frame.to_csv(index=False).encode(),
    ".tsv": lambda frame: frame.to_csv(index=False, sep="\t").encode(),
}
"""How a frame is written in these formats, for the tests of all of them."""


def read(folder: Path, content: str | bytes, name: str = "results.csv") -> pd.DataFrame:
    """Write a file and read it."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_frame(path)


def test_names_are_texts_and_scores_numbers(tmp_path: Path) -> None:
    """NA, null, empty and 007 are names; an empty score and its spellings are missing."""
    frame = read(tmp_path, HEAD + "NA,null,007,0.5\nnan,,1,\nNone,#N/A, 2 ,NaN\nNULL,x,3,n/a\n")
    assert frame["system"].tolist() == ["NA", "nan", "None", "NULL"]
    assert frame["dataset"].tolist() == ["null", "", "#N/A", "x"]
    assert frame["instance"].tolist() == ["007", "1", " 2 ", "3"]
    assert frame["score"].dtype == np.float64
    assert frame["score"].isna().tolist() == [False, True, True, True]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + (HEAD + "a,cb,1,1\n").encode(),
        HEAD.replace("\n", "\r\n") + "a,cb,1,1\r\n",
        "\n\n" + HEAD + "\na,cb,1,1\n\n\n",
        '"system","dataset","instance","score"\n"a","cb","1","1"',
        HEAD + "a,cb,1,+1.0e0",
    ],
)
def test_harmless_variants(tmp_path: Path, content: str | bytes) -> None:
    """A byte order mark, line ends of Windows, blank lines, quotes, and no newline at the end are fine."""
    frame = read(tmp_path, content)
    assert frame.astype({"score": float}).to_numpy().tolist() == [["a", "cb", "1", 1.0]]


def test_scores_that_are_no_numbers_stay_text(tmp_path: Path) -> None:
    """One wrong cell leaves the column as it is in the file, for ingestion to name the row."""
    frame = read(tmp_path, HEAD + "a,cb,1,0.50\na,cb,2,wrong\n")
    assert frame["score"].tolist() == ["0.50", "wrong"]


def test_columns_without_a_role_are_texts(tmp_path: Path) -> None:
    """They may hold anything, and ids that the caller names only later are still what they are in the file."""
    frame = read(tmp_path, HEAD.replace("\n", ",uid\n") + "a,cb,1,1,007\na,cb,2,1,1.50\n")
    assert frame["uid"].tolist() == ["007", "1.50"]
    frame = read(tmp_path, "who,what,uid,how\na,cb,007,0.50\n")
    assert frame.iloc[0].tolist() == ["a", "cb", "007", "0.50"]


def test_a_column_that_changes_its_type(tmp_path: Path) -> None:
    """A column that starts with whole numbers and ends with text does not stop the file from being read."""
    rows = "".join(f"a,cb,{number},1,{number if number < 150_000 else 'x'}\n" for number in range(160_000))
    frame = read(tmp_path, HEAD.replace("\n", ",note\n") + rows)
    assert frame["note"].iloc[-1] == "x"
    assert len(frame) == 160_000


@pytest.mark.parametrize("content", ["", "\n \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file(tmp_path: Path, content: str | bytes) -> None:
    """Nothing, blank lines, or a byte order mark alone."""
    with pytest.raises(ReadingError, match="is empty"):
        read(tmp_path, content)
    with pytest.raises(ReadingError, match="is empty"):
        read(tmp_path, gzip.compress(content.encode() if isinstance(content, str) else content), "results.csv.gz")


@pytest.mark.parametrize("content", [HEAD, HEAD.strip(), HEAD + "\n\n"])
def test_a_header_alone(tmp_path: Path, content: str) -> None:
    """The columns are listed."""
    with pytest.raises(ReadingError, match="has a header and no rows"):
        read(tmp_path, content)


@pytest.mark.parametrize("sign", [";", "\t", "|", ","])
@pytest.mark.parametrize("name", ["results.csv", "results.tsv"])
def test_another_delimiter(tmp_path: Path, name: str, sign: str) -> None:
    """The header says it; a single column is one."""
    frame = read(tmp_path, (HEAD + 'a,cb,1,"0.5"\n').replace(",", sign), name)
    assert frame.astype(str).to_numpy().tolist() == [["a", "cb", "1", "0.5"]]
    with pytest.raises(ReadingError, match="another number of cells"):
        read(tmp_path, (HEAD + "a,cb,1,1,7\n").replace(",", sign), name)
    for header, column in (("x;", "x;"), ('"x;y"', "x;y")):
        assert list(read(tmp_path, f"{header}\n1\n").columns) == [column]


@pytest.mark.parametrize("line", [1, 2, 70_000])
@pytest.mark.parametrize("compress", [False, True])
def test_another_encoding(tmp_path: Path, line: int, compress: bool) -> None:
    """The byte and its line are named, in the header, in a name, and far down in a column of no role."""
    lines = ["system,dataset,instance,score,note"] + [f"a,cb,{number},1,x" for number in range(80_000)]
    lines[line - 1] = lines[line - 1].replace("a", "é", 1)
    content = "\n".join(lines).encode("latin-1")
    with pytest.raises(ReadingError, match="is not UTF-8: byte 0xe9") as raised:
        read(tmp_path, gzip.compress(content) if compress else content, "results.csv.gz" if compress else "results.csv")
    assert f"line {line}, byte" in str(raised.value)
    note = "\n".join([*lines[:1], *(text.replace("x", "é") for text in lines[1:3])])
    with pytest.raises(ReadingError, match="is not UTF-8"):
        read(tmp_path, note.encode("latin-1"))


def test_a_quote_inside_a_letter_is_no_utf_8(tmp_path: Path) -> None:
    """What Arrow reads after taking the quote out is not what stands in the file."""
    content = b'system,dataset,instance,score\n"\xf0\x9d"\x94\x98,cb,1,0.5\n'
    with pytest.raises(ReadingError, match="is not UTF-8: byte 0xf0"):
        read(tmp_path, content)
    assert read(tmp_path, content.replace(b'"', b""))["system"].tolist() == ["\U0001d518"]


def test_ragged_rows(tmp_path: Path) -> None:
    """All rows of another length are counted, and the lines of the first are those of the file."""
    rows = [f"a,cb,{number},1" for number in range(10)]
    rows[4], rows[7] = "a,cb,4", "a,cb,7,1,2,3"
    with pytest.raises(ReadingError, match="2 rows have another number of cells") as raised:
        read(tmp_path, HEAD + "\n".join(rows))
    assert raised.value.where == "line 6 has 3 and line 9 has 6"


@pytest.mark.parametrize("bad", ['"a,cb,1,1,x\n', 'a,cb,1,1,"x\n', 'a,cb,"1,1,x\n'])
def test_a_quote_that_is_never_closed(tmp_path: Path, bad: str) -> None:
    """Rows that a quote would swallow are not lost: wherever it is opened, the file is refused."""
    head = HEAD.replace("\n", ",note\n")
    with pytest.raises(ReadingError, match=r"quote that is never closed") as raised:
        read(tmp_path, head + "b,cb,1,1,y\n" + bad + "b,cb,2,1,y\n" * 3)
    assert "line 2" in str(raised.value)


def test_cells_of_several_lines(tmp_path: Path) -> None:
    """A quoted cell may hold line ends, also in the last row."""
    frame = read(tmp_path, HEAD.replace("\n", ",note\n") + 'a,cb,1,1,"x\ny"\na,cb,2,1,"say ""hi""\n"\n')
    assert frame["note"].tolist() == ["x\ny", 'say "hi"\n']


def test_two_columns_with_one_name(tmp_path: Path) -> None:
    """Which of them is meant cannot be told."""
    with pytest.raises(ColumnError, match="2 columns are called 'score'"):
        read(tmp_path, "system,dataset,instance,score,score\na,cb,1,1,1\n")


def test_damaged_gzip(tmp_path: Path) -> None:
    """Data that break off, that are changed, and a name that promises what is not there."""
    whole = gzip.compress((HEAD + "a,cb,1,1\n" * 20_000).encode())
    changed = whole[:200] + bytes([whole[200] ^ 0xFF]) + whole[201:]
    for content in (whole[:-10], whole[:60], changed):
        with pytest.raises(ReadingError, match="is damaged"):
            read(tmp_path, content, "results.csv.gz")
    with pytest.raises(ReadingError, match="is not compressed by gzip"):
        read(tmp_path, HEAD, "results.csv.gz")


def test_the_header_may_be_broken(tmp_path: Path) -> None:
    """A quote in the header that is never closed is a fault of the header."""
    with pytest.raises(ReadingError):
        read(tmp_path, 'system,dataset,instance,"score\na,cb,1,1\n')
