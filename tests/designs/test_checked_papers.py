"""Whole papers: errors of published ones are found, made-up ones are left alone, and mistakes put into them are not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import reportkit
from reportkit.checker.config import CheckConfig
from reportkit.checker.engine import check, check_text
from reportkit.checker.selection import Selection

PAPERS = Path(__file__).parents[1] / "checker" / "papers"
MISTAKES = tomllib.loads((PAPERS / "mistakes.toml").read_text("utf-8"))
MADE_UP = sorted(path.stem.removeprefix("clean-") for path in PAPERS.glob("clean-*.tex"))
CASES = [(name, number) for name, listed in MISTAKES.items() for number in range(len(listed))]


ARITHMETIC = CheckConfig(selection=Selection(extend_select=("RK104", "RK106", "RK110", "RK114", "RK119")))
"""With the rules on arithmetic that run only where they are asked for."""


def findings(name):
    """Findings in a paper, as (code, line, message)."""
    report = check_text((PAPERS / f"{name}.tex").read_text("utf-8"), config=ARITHMETIC)
    return [(item.code, item.line, item.message) for item in report]


def messages(name, code):
    """Messages of one rule."""
    return [message for found, _, message in findings(name) if found == code]


def test_the_impossible_fisher_count_of_dror_et_al_is_found_and_no_other():
    """Ten is printed for sentiment, nine follows; the twenty other counts of the table follow, and all stars do."""
    (message,) = messages("dror2017", "RK111")
    assert "k-hat by Fisher is printed as 10" in message
    assert "AE-SCL-SR and MSDA give 9" in message


def test_starred_rows_with_the_wrong_sign_are_found():
    """Four of the stars of two tables stand where the claimed winner is worse."""
    named = [message.partition(" is marked")[0] for message in messages("dror2017", "RK213")]
    assert named == ["Tamil", "Basque", "Indonesian", "YP-130"]


def test_the_two_sided_p_values_of_the_sentiment_table_are_noticed():
    """.9507 stands beside a positive difference."""
    (message,) = messages("dror2017", "RK114")
    assert "0.9507 on E → K" in message


def test_the_90_percent_interval_called_95_percent_is_found():
    """[0.0136, 0.057] is 1.645 standard errors wide on each side."""
    (message,) = messages("azer2020", "RK110")
    assert "The 95% interval [0.0136, 0.057] is as wide as a 90% interval" in message


def test_the_inconsistent_bayes_factor_is_found():
    """Masses that do not sum to one; 1.32 in one place and 1.382 in another; the direction."""
    found = " ".join(messages("azer2020", "RK703"))
    for part in (
        "sum to 1.007",
        "sum to 0.991",
        "1.32 here and 1.382",
        "computed for the hypothesis that both are equiv",
    ):
        assert part in found


@pytest.mark.parametrize("name", ["azer2020", "berg-kirkpatrick2012", "xue2024"])
def test_what_is_right_in_the_published_papers_is_not_accused(name):
    """92% of 942, shares of 58, the z test, and intervals of 1.96 standard errors in other units follow."""
    accused = {
        "RK104",
        "RK105",
        "RK106",
        "RK107",
        "RK108",
        "RK111",
        "RK117",
        "RK118",
        "RK119",
        "RK120",
        "RK122",
        "RK213",
    }
    assert not accused & {code for code, _, _ in findings(name)}


def test_intervals_over_resplits_are_as_wide_as_they_say():
    """Table 3 of Xue et al. (2024): standard errors in another unit, 1.96 of them."""
    assert messages("xue2024", "RK110") == []


@pytest.mark.parametrize("name", MADE_UP)
def test_made_up_papers_with_right_numbers_raise_no_error(name):
    """False alarms are wording at most; they are counted in the closing note of the issue."""
    found = findings(f"clean-{name}")
    assert not [item for item in found if item[0].startswith(("RK1", "RK213", "RK703"))]
    assert len(found) <= 2


@pytest.mark.parametrize(("name", "number"), CASES, ids=lambda value: str(value))
def test_a_mistake_in_a_made_up_paper_is_found(name, number):
    """One mistake at a time; the rule that is about it finds it, where it found nothing before."""
    mistake = MISTAKES[name][number]
    text = (PAPERS / f"clean-{name}.tex").read_text("utf-8")
    assert text.count(mistake["old"]) == 1
    asked = CheckConfig(selection=Selection(select=(mistake["code"],)))
    before = list(check_text(text, config=asked))
    after = list(check_text(text.replace(mistake["old"], mistake["new"]), config=asked))
    assert (len(after) > len(before)) is mistake.get("found", True)


def test_each_made_up_paper_has_ten_mistakes():
    """Recall is over thirty."""
    assert {name: len(listed) for name, listed in MISTAKES.items()} == dict.fromkeys(MADE_UP, 10)


@pytest.fixture(scope="module")
def sentiment_report(root, tmp_path_factory):
    """Folder of the report on the sentiment lexicons."""
    folder = tmp_path_factory.mktemp("sentiment") / "report"
    reportkit.build_report(root / "examples" / "sentiment" / "results.csv.gz").save(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report.tex", "more/report.md"])
def test_nothing_but_what_is_true_is_found_in_a_report_of_reportkit(name, sentiment_report):
    """The example says of nothing that it was fixed before the results were known: asked, the checker says so."""
    report = check(sentiment_report / name, report=sentiment_report)
    assert [item.code for item in report] == []
    asked = CheckConfig(selection=Selection(extend_select=("RK217",)))
    assert [item.code for item in check(sentiment_report / name, report=sentiment_report, config=asked)] == ["RK217"]
    assert report.coverage.n_tables >= 2
