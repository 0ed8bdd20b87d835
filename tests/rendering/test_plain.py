"""CSV for other programs."""

from __future__ import annotations

import csv
import io

import pandas as pd

from reportkit.rendering.exports import csv_table
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from tests.rendering.conftest import counts, grid, p_values, words


def test_numbers_are_numbers_again() -> None:
    """Scores, counts and differences are read by pandas as numbers, marks as text."""
    frame = pd.read_csv(io.StringIO(csv_table(grid(datasets=("a", "b"), marks=("*",)))))
    assert list(frame.columns) == ["System", "a", "a mark", "b", "b mark"]
    assert frame["b"].tolist() == [1871.0, 53.1, 60.4, 67.7]


def test_signs_of_typography_are_not_in_numbers() -> None:
    """A true minus and separators of thousands belong to print; other text stays as it is."""
    values = {
        "−1,024.5": "-1024.5",
        "+1.68": "+1.68",
        ".036": ".036",
        "<.001": "<.001",
        "1|2": "1|2",
        "a,b": "a,b",
        "–": "–",
    }
    for text, expected in values.items():
        table = Table(
            name="t", caption=(), columns=(Column(header=words("x")),), rows=(Row(cells=(Cell(text=words(text)),)),)
        )
        assert list(csv.reader(io.StringIO(csv_table(table)))) == [["x"], [expected]]


def test_headers() -> None:
    """Symbols by their names in code, spanners before the headers below them."""
    assert csv_table(counts()).splitlines()[0] == "Claim,α,count,k_hat,k_hat (Fisher),p,N,u,δ"
    assert csv_table(p_values()).splitlines()[0] == "Dataset,Test,Differ,p,adjusted,adjusted mark,95% interval"
    table = grid(datasets=("a", "b"), marks=("",), spanners=(Spanner(header=words("In"), first=1, last=2),))
    assert csv_table(table).splitlines()[0] == "System,In a,In b"
