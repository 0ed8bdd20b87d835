"""A printed table is kept as it is printed, down to its trailing zeros, and refused where it says two things."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import reportkit
from reportkit.errors import InputError, MissingScoresError, ScoreValueError, UnknownNameError
from reportkit.scores.printed import PrintedRow, printed_from_frame
from reportkit.scores.read import read_frame

# Dror et al. (2017), Table 2: Mate against SpaCy; the first three rows
TABLE = "dataset,score_a,score_b,p_value\nBC,90.73,89.05,0.0001\nBN,90.82,89.31,0.0001\nMZ,91.92,89.29,0.0\n"


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
def test_texts_are_kept(tmp_path: Path, ending: str) -> None:
    """Whatever the format, the digits are those of the file: 90.70 is not 90.7."""
    text = TABLE.replace("90.73", "90.70").replace("0.0001\nBN", "<1e-4\nBN")
    rows = [line.split(",") for line in text.split()]
    path = tmp_path / f"table{ending}"
    if ending == ".csv.gz":
        pd.DataFrame(rows[1:], columns=rows[0]).to_csv(path, index=False)
    else:
        path.write_text(text.replace(",", "\t" if ending == ".tsv" else ","), encoding="utf-8")
    results = printed_from_frame(read_frame(path), system_a="Mate", system_b="SpaCy", source=path.name)
    assert results.rows[0] == PrintedRow(
        dataset="BC", system_a="Mate", system_b="SpaCy", score_a="90.70", score_b="89.05", p_value="<1e-4"
    )
    assert results.rows[2].p_value == "0.0"
    assert [finding.code for finding in results.findings] == ["printed-zero"]


def test_numbers_of_a_frame() -> None:
    """Numbers are written in the shortest way, as the file cannot say better."""
    frame = pd.DataFrame({"dataset": ["BC"], "score_a": [90.7], "score_b": [89], "p_value": [1e-05], "n": [2376.0]})
    row = printed_from_frame(frame).rows[0]
    assert (row.score_a, row.score_b, row.p_value, row.n) == ("90.7", "89", "1e-05", 2376)
    assert (row.system_a, row.system_b) == ("A", "B")


def test_several_pairs() -> None:
    """Columns of systems make several tables of one; a pair can be chosen, and its own datasets occur once."""
    frame = pd.DataFrame(
        {
            "dataset": ["BC", "BN", "BC"],
            "system_a": "Mate",
            "system_b": ["SpaCy", "SpaCy", "Redshift"],
            "score_a": ["90.73", "90.82", "90.73"],
            "score_b": ["89.05", "89.31", "90.19"],
            "p_value": ["0.0001", "0.0001", "0.0979"],
            "n": ["100", "", "100"],
        }
    )
    everything = printed_from_frame(frame)
    assert [row.system_b for row in everything.rows] == ["SpaCy", "SpaCy", "Redshift"]
    assert [row.n for row in everything.rows] == [100, None, 100]
    chosen = printed_from_frame(frame, system_a="Mate", system_b="SpaCy")
    assert [row.dataset for row in chosen.rows] == ["BC", "BN"]
    assert chosen.digest() != everything.digest()
    with pytest.raises(UnknownNameError, match="no system a 'mate'"):
        printed_from_frame(frame, system_a="mate")
    with pytest.raises(InputError, match="1 dataset occurs more than once"):
        printed_from_frame(frame.drop(columns=["system_b"]))


def test_a_column_of_datasets_of_unknown_name(tmp_path: Path) -> None:
    """The error names the column, and the call that settles it works."""
    path = tmp_path / "table.csv"
    path.write_text("data\\set,score_a,score_b,p_value\nBC,90.73,89.05,0.0001\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column names the datasets of the printed table") as raised:
        reportkit.compare(path)
    assert raised.value.remedy == "if data\\set names the datasets: columns={'dataset': 'data\\\\set'}"
    assert reportkit.compare(path, columns={"dataset": "data\\set"}).comparisons[0].datasets == ("BC",)
    path.write_text("score_a,score_b,p_value\n90.73,89.05,0.0001\n", encoding="utf-8")
    with pytest.raises(InputError, match="give a column dataset that names the dataset of each row"):
        reportkit.compare(path)


@pytest.mark.parametrize(
    ("column", "value", "error"),
    [
        ("p_value", "0.05*", ScoreValueError),
        ("p_value", 1.5, ScoreValueError),
        ("p_value", None, MissingScoresError),
        ("score_a", "93,1", ScoreValueError),
        ("score_b", float("inf"), ScoreValueError),
        ("score_b", float("nan"), MissingScoresError),
        ("dataset", "", MissingScoresError),
        ("n", "2,376", ScoreValueError),
        ("n", 0, ScoreValueError),
    ],
)
def test_cells_that_are_refused(column: str, value: object, error: type[Exception]) -> None:
    """Wrong cells are named with their row."""
    frame = pd.DataFrame(
        {"dataset": ["BC", "BN"], "score_a": [1.0, 2.0], "score_b": [1.0, 2.0], "p_value": [0.5, 0.5], "n": [1, 2]}
    ).astype(object)
    frame.loc[1, column] = value
    with pytest.raises(error) as raised:
        printed_from_frame(frame)
    assert "row 1 (as iloc counts)" in str(raised.value)


def test_a_dataset_may_be_called_na() -> None:
    """Names are names."""
    frame = pd.DataFrame({"dataset": ["NA"], "score_a": [1], "score_b": [2], "p_value": [0.5]})
    assert printed_from_frame(frame).rows[0].dataset == "NA"
