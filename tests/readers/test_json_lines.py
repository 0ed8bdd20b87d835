"""JSON Lines: a wrong line is named; dates, nulls and several types stay what they are."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import InputError, ReadingError, ReportkitError, ScoreValueError
from reportkit.readers import read_frame


def written(frame: pd.DataFrame) -> bytes:
    """Write a frame; pandas itself writes 15 digits at most."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict(orient="records")
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


WRITERS = {".jsonl": written, ".ndjson": written}
"""How a frame is written in these formats, for the tests of all of them."""


def read(folder: Path, content: str | bytes, name: str = "results.jsonl") -> pd.DataFrame:
    """Write a file and read it."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_frame(path)


def test_dates_stay_texts(tmp_path: Path) -> None:
    """A dataset called 2020-01-01 is no date, even where it first occurs in the second line."""
    for first in ('"cb"', "null"):
        frame = read(tmp_path, f'{{"dataset": {first}, "score": 1}}\n{{"dataset": "2020-01-01", "score": 0.5}}\n')
        assert frame["dataset"].iloc[1] == "2020-01-01"
        assert frame["score"].tolist() == [1, 0.5]


def test_absent_keys_are_missing(tmp_path: Path) -> None:
    """A line may lack a key, and whole numbers beside it stay whole."""
    frame = read(tmp_path, '{"id": 9007199254740993, "score": 1}\n{"id": 2}\n{"score": 2}\n')
    assert frame["id"].iloc[0] == 9007199254740993
    assert frame["score"].isna().tolist() == [False, True, False]


def test_numbers_of_a_printed_table_stay_as_written(tmp_path: Path) -> None:
    """0.050 is not 0.05, and 1e-4 is not 0.0001."""
    frame = read(tmp_path, '{"dataset": "BC", "score_a": 90.70, "score_b": 89, "p_value": 1e-4}\n')
    assert frame.iloc[0].tolist() == ["BC", "90.70", "89", "1e-4"]


@pytest.mark.parametrize(
    ("content", "problem", "where"),
    [
        ("", "is empty", None),
        ("\n \n", "is empty", None),
        ('{"a": 1}\n\n{"a": }\n', "is not JSON", "line 3"),
        ('{"a": 1}\n[1]\n', "is not a JSON object but a list", "line 2"),
        ('{"a": 1}\n3\n', "is not a JSON object but a int", "line 2"),
        ('[\n{"a": 1}]', "is not JSON", "line 1"),
        (b'{"a": 1}\n{"a": "\xe9"}\n', "is not UTF-8: byte 0xe9", "line 2, byte 8"),
    ],
)
def test_wrong_lines(tmp_path: Path, content: str | bytes, problem: str, where: str | None) -> None:
    """The line is named, counted as editors do."""
    with pytest.raises(ReadingError, match=problem) as raised:
        read(tmp_path, content)
    assert where is None or where in str(raised.value)


def test_damaged_gzip(tmp_path: Path) -> None:
    """A file that breaks off is not read as far as it goes."""
    whole = gzip.compress(b"".join(b'{"a": %d}\n' % number for number in range(50_000)))
    with pytest.raises(ReadingError, match="is damaged"):
        read(tmp_path, whole[: len(whole) // 2], "results.jsonl.gz")


@pytest.mark.parametrize(
    "line",
    [
        '{"system": "a", "score": 51.0, "score": 99999.0}',
        '{"system": "a", "score": null, "score": 1}',
        '{"system": "a", "score": 1, "note": {"x": 1, "x": 2}}',
        '{"system": "a", "score": 1, "\\u0073core": 2}',
    ],
)
@pytest.mark.parametrize("compress", [False, True])
def test_a_key_twice_is_an_error_with_its_line(tmp_path: Path, line: str, compress: bool) -> None:
    """The last value is not taken for the first one, in whatever line it stands."""
    for before in (0, 1, 3):
        content = ('{"system": "b", "score": 0.5}\n' * before + line + "\n").encode()
        name = "results.jsonl.gz" if compress else "results.jsonl"
        with pytest.raises(ReadingError, match=r"has the key '(score|x)' twice") as raised:
            read(tmp_path, gzip.compress(content) if compress else content, name)
        assert f"line {before + 1}:" in str(raised.value)


LARGE = [10**19 + 4096 * number for number in range(30)]


@pytest.mark.parametrize("offset", [0, 2**53 + 1, 10**19, 2**63 - 7, 2**64 - 3, 10**30])
@pytest.mark.parametrize("other", ["", "2.5", "null", '"text"'])
def test_large_ids_stay_themselves(tmp_path: Path, offset: int, other: str) -> None:
    """Whole numbers are whole, however large, whatever stands in the column beside them: none is one for another."""
    ids = [str(offset + number) for number in range(20)]
    lines = [f'{{"id": {number}, "score": 1}}' for number in ids]
    if other:
        lines.insert(7, f'{{"id": {other}, "score": 1}}')
    column = read(tmp_path, "\n".join(lines))["id"]
    cells = column.drop(index=7) if other else column
    assert [str(int(cell)) for cell in cells] == ids


@pytest.mark.parametrize("ids", [[*LARGE, 2.5], LARGE, [2**53 + number for number in range(30)]])
def test_instances_that_are_not_the_same_are_not_paired(tmp_path: Path, ids: list[float]) -> None:
    """Two systems with ids that differ by one have no instance in common, though as floats they would have all."""
    lines = [
        json.dumps({"system": system, "dataset": "d", "instance": number + shift, "score": place % 5})
        for system, shift in (("a", 0), ("b", 1))
        for place, number in enumerate(ids)
        if isinstance(number, int)
    ]
    path = tmp_path / "ids.jsonl"
    path.write_text("\n".join(lines))
    if ids[1] - ids[0] > 1:
        with pytest.raises(ReportkitError, match=r"no instance|not scored on the same|instances"):
            reportkit.compare(path, "a", "b")
    else:
        assert reportkit.read(path).datasets[0].n_instances == 31


def test_ids_that_have_become_the_same_are_refused() -> None:
    """A frame with ids that are floats beyond 2^53 has lost what told them apart, before it got here."""
    frame = pd.DataFrame({"system": "a", "dataset": "d", "instance": [1e19, 1e19 + 4096], "score": [0, 1]})
    for given in (frame, frame.astype({"instance": object})):
        with pytest.raises(InputError, match="so large that different whole numbers are the same") as raised:
            reportkit.read(given)
        assert "dtype={'instance': str}" in str(raised.value)
    small = frame.assign(instance=np.array([2**24, 2**24 + 2], dtype="float32"))
    with pytest.raises(InputError, match="different whole numbers"):
        reportkit.read(small)
    assert reportkit.read(frame.assign(instance=[2.0**53 - 1, 0.5]), settings=reportkit.Settings(missing="drop"))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"system": "Sch\xf6n", "score": 1}', "is not UTF-8: byte 0xf6"),
        (b'{"system": "a", "score": ' + b"9" * 5000 + b"}", "a number of too many digits"),
        (b'{"system": "a", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "is nested too deeply"),
        (b'{"system": "a", "x": ' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}", "is nested too deeply"),
        (b'{"system": "a", "score": 1}{"system": "b", "score": 2}', "is not JSON: Extra data"),
        (b'{"system": "a",\n"score": 1}', "is not JSON"),
    ],
)
@pytest.mark.parametrize("before", [0, 1])
def test_what_arrow_does_not_survive_or_notice(tmp_path: Path, line: bytes, problem: str, before: int) -> None:
    """In the first line and in a later one: an error with the line, neither a traceback nor the end of the process."""
    content = b'{"system": "b", "score": 0.5}\n' * before + line + b"\n"
    with pytest.raises(ReadingError, match=problem) as raised:
        read(tmp_path, content)
    assert f"line {before + 1}" in str(raised.value)


def test_many_brackets_in_texts_are_no_nesting(tmp_path: Path) -> None:
    """A line with many brackets is read all the same."""
    frame = read(tmp_path, json.dumps({"system": "[{" * 500, "score": 1, "x": [[1]] * 200}) + "\n")
    assert frame["system"].iloc[0] == "[{" * 500


@pytest.mark.parametrize("role", ["system", "dataset", "instance"])
def test_half_a_character_is_no_name(tmp_path: Path, role: str) -> None:
    """JSON can write one half of a character, no other file can: the name is shown by its code."""
    for written in ("a\\ud800", "\\udfffb"):
        row = {"system": "a", "dataset": "d", "instance": "q", "score": 1, role: "X"}
        path = tmp_path / "results.jsonl"
        path.write_text(json.dumps(row).replace("X", written) + "\n")
        with pytest.raises(InputError, match="half a character") as raised:
            reportkit.read(path)
        assert written.casefold() in str(raised.value)
    whole = json.dumps(row | {role: "\U0001f600"}) + "\n" + json.dumps(row | {role: "other", "system": "b"}) + "\n"
    assert "\U0001f600" in set(read(tmp_path, whole)[role])


def test_objects_of_other_keys_are_no_table(tmp_path: Path) -> None:
    """One key per line, such as scores by id, would be a column each."""
    content = "".join(f'{{"q{number}": {number}}}\n' for number in range(20_000))
    with pytest.raises(ReadingError, match="have hardly any key in common"):
        read(tmp_path, content)


def test_empty_objects_are_rows(tmp_path: Path) -> None:
    """The number of rows is that of the lines, also where there is no column."""
    assert read(tmp_path, "{}\n{}\n").shape == (2, 0)


def test_half_a_surrogate_pair_is_no_score(tmp_path: Path) -> None:
    """JSON may hold it and no column of texts can: the row is named."""
    path = tmp_path / "results.jsonl"
    rows = ({"dataset": "qa", "id": place, "ours": 0.5, "base": 0.25} for place in range(3))
    lines = [json.dumps(row) for row in rows]
    path.write_text("\n".join([lines[0].replace("0.5", '"\\ud800"'), *lines[1:]]))
    with pytest.raises(ScoreValueError, match="not a number"):
        reportkit.read(path)
