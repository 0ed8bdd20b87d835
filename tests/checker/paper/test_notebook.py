"""Jupyter notebooks: Markdown cells in the lines of the file, nothing of code and its output."""

from __future__ import annotations

import json

import pytest

from reportkit.checker.engine import check
from reportkit.checker.paper.notebook import markdown_of
from reportkit.checker.paper.reading import read_paper

CELLS = [
    ("markdown", ["# Results\n", "\n", 'Ours wins on "SST-2" ($p = .000$).\n']),
    ("code", ["print('p = .000')\n", "# Results"]),
    ("markdown", []),
    ("raw", ["p = .000"]),
    ("markdown", ["| S | F1 |\n", "|---|---|\n", "| A | 80.1 |\n", "| é | 82.1 |"]),
]


def notebook(**options):
    """A notebook of these cells as JSON."""
    cells = []
    for kind, source in CELLS:
        output = {"output_type": "stream", "name": "stdout", "text": ["p = .000\n"]}
        extra = {"execution_count": 1, "outputs": [output]} if kind == "code" else {}
        cells.append({"cell_type": kind, **extra, "metadata": {}, "source": source})
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, **options)


@pytest.mark.parametrize("ascii_only", [True, False])
def test_findings_stand_in_the_lines_of_the_file(tmp_path, ascii_only):
    """As Jupyter writes it; only the p-value of a Markdown cell is found, and the file is not one to be changed."""
    path = tmp_path / "paper.ipynb"
    text = notebook(indent=1, ensure_ascii=ascii_only)
    path.write_text(text, "utf-8")
    report = check(path, select=["RK117"])
    (finding,) = report
    assert "SST-2" in text.split("\n")[finding.line - 1]
    assert "notebook" in report.files[finding.path].kept
    (table,) = read_paper(path).tables
    assert [cell.text.text for cell in table.cells()] == ["S", "F1", "A", "80.1", "é", "82.1"]


@pytest.mark.parametrize("text", ["", "not JSON", "[]", '{"cells": 3}', '{"cells"', "[" * 100_000])
def test_what_is_no_notebook_is_said(tmp_path, text):
    """RK001, and nothing else."""
    path = tmp_path / "paper.ipynb"
    path.write_text(text, "utf-8")
    (problem,) = read_paper(path).problems
    assert "is no Jupyter notebook" in problem.message
    assert markdown_of(text) is None
