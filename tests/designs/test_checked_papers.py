"""Whole papers: an error of a published one is found, and what is right in them and in made-up ones is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import reportkit
from reportkit.checker.engine import check
from tests.checker.mistakes import check_text

PAPERS = Path(__file__).parents[1] / "checker" / "papers"
MADE_UP = sorted(path.stem.removeprefix("clean-") for path in PAPERS.glob("clean-*.tex"))


def findings(name):
    """Findings in a paper, as (code, line, message)."""
    report = check_text((PAPERS / f"{name}.tex").read_text("utf-8"))
    return [(item.code, item.line, item.message) for item in report]


def messages(name, code):
    """Messages of one rule."""
    return [message for found, _, message in findings(name) if found == code]


def test_the_90_percent_interval_called_95_percent_is_found():
    """[0.0136, 0.057] is 1.645 standard errors wide on each side."""
    (message,) = messages("azer2020", "RK110")
    assert "The 95% interval [0.0136, 0.057] is as wide as a 90% interval" in message


@pytest.mark.parametrize("name", ["azer2020", "berg-kirkpatrick2012", "xue2024"])
def test_what_is_right_in_the_published_papers_is_not_accused(name):
    """92% of 942, shares of 58, the z test, and intervals of 1.96 standard errors in other units follow."""
    accused = {"RK105", "RK107", "RK108", "RK117", "RK118", "RK122"}
    assert not accused & {code for code, _, _ in findings(name)}


def test_intervals_over_resplits_are_as_wide_as_they_say():
    """Table 3 of Xue et al. (2024): standard errors in another unit, 1.96 of them."""
    assert messages("xue2024", "RK110") == []


@pytest.mark.parametrize("name", MADE_UP)
def test_made_up_papers_with_right_numbers_raise_no_error(name):
    """False alarms are wording at most; they are counted in the closing note of the issue."""
    found = findings(f"clean-{name}")
    assert not [item for item in found if item[0].startswith("RK1")]
    assert len(found) <= 2


@pytest.fixture(scope="module")
def sentiment_report(root, tmp_path_factory):
    """Folder of the report on the sentiment lexicons."""
    folder = tmp_path_factory.mktemp("sentiment") / "report"
    reportkit.compare(root / "examples" / "sentiment" / "results.csv.gz").report().styled(full=True).save(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report.tex", "more/report.md"])
def test_nothing_but_what_is_true_is_found_in_a_report_of_reportkit(name, root, sentiment_report):
    """Neither in LaTeX nor in Markdown; neighbouring instances are alike, as the report itself says."""
    report = check(sentiment_report / name, data=root / "examples" / "sentiment" / "results.csv.gz")
    assert {item.code for item in report} == {"serial-dependence"}
    assert len(report.coverage.tables) >= 2
