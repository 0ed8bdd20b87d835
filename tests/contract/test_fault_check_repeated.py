r"""A paper of one repeated command is read in time, and what is nested too deeply is said."""

from __future__ import annotations

import json
import time

import pytest

from tests.conftest import run_command


def checked(folder, text):
    """What `reportkit check` says of a paper, as JSON."""
    (folder / "paper.tex").write_text(f"\\begin{{document}}\n{text}\n\\end{{document}}\n", encoding="utf-8")
    done = run_command("check", "paper.tex", "--output-format", "json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("piece", [r"\\", r"\newline", "a- \\\\\n"])
def test_line_breaks_cost_as_much_as_there_are_of_them(piece, tmp_path):
    """60,000 of them took minutes when the rest of the paper was copied at each."""
    began = time.process_time()
    checked(tmp_path, piece * 60_000)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("piece", [r"\textbf", r"\emph", r"\textcolor{red}", r"\textbf\hl"])
def test_styles_without_braces_may_follow_one_another(piece, tmp_path):
    """However many there are; the text behind them is checked, and nothing is left out."""
    found = checked(tmp_path, rf"{piece * 3000} a. The gain has $p = .000$.")
    assert [item["code"] for item in found["findings"]] == ["RK117"]
    assert found["coverage"]["notes"] == []


def test_styles_in_braces_may_be_nested(tmp_path):
    """As deeply as TeX itself does."""
    found = checked(tmp_path, r"\textbf{" * 3000 + "a" + "}" * 3000 + ". The gain has $p = .000$.")
    assert [item["code"] for item in found["findings"]] == ["RK117"]
    assert not any("braces" in note for note in found["coverage"]["notes"])
