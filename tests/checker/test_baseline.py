"""Known findings of a paper in progress."""

from __future__ import annotations

import json

import pytest

from reportkit.checker.baseline import baseline_text, read_baseline, without_known
from reportkit.checker.config import CheckConfig
from reportkit.checker.engine import check_text
from reportkit.checker.selection import Selection
from reportkit.errors import ReadingError

KNOWN = "The gain is clear ($p = .000$)."
NEW = "So is the loss ($p = 0.00$)."


def checked(text, name):
    """Findings of one rule in a paper."""
    return check_text(text, name=name, config=CheckConfig(selection=Selection(select=("RK117",))))


@pytest.fixture
def baseline(tmp_path):
    """A file that knows one finding."""
    path = tmp_path / "baseline.json"
    path.write_text(baseline_text(checked(KNOWN, name="a.tex")), "utf-8")
    return path


def test_known_findings_are_left_out_wherever_they_stand(baseline):
    """New ones remain, and the closing line counts both."""
    report = without_known(checked(f"{NEW}\n\nMore.\n\n{KNOWN}", name="a.tex"), read_baseline(baseline))
    assert [item.line for item in report] == [1]
    assert (report.n_known, report.n_gone) == (1, 0)
    assert "1 known from the baseline" in report.render("concise")


def test_a_second_equal_finding_is_new(baseline):
    """One known line excuses one finding."""
    report = without_known(checked(f"{KNOWN}\n\n{KNOWN}", name="a.tex"), read_baseline(baseline))
    assert len(report) == 1


def test_what_is_gone_is_counted(baseline):
    """A mended finding can be forgotten."""
    report = without_known(checked("Nothing to see.", name="a.tex"), read_baseline(baseline))
    assert "1 of the baseline gone" in report.render("concise")


def test_no_text_of_the_paper_is_kept(baseline):
    """Rule, name of the file and a digest."""
    (row,) = json.loads(baseline.read_text("utf-8"))["findings"]
    assert sorted(row) == ["code", "file", "fingerprint"]


@pytest.mark.parametrize("text", [None, "", "[]", '{"version": 2, "findings": []}', '{"version": 1}'])
def test_another_file_is_refused(tmp_path, text):
    """With the option that writes one."""
    path = tmp_path / "baseline.json"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(ReadingError, match="--update-baseline"):
        read_baseline(path)
