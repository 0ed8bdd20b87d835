"""The table of scores: rows, groups, averages, decimals, labels; nothing of it changes a number."""

from __future__ import annotations

import pandas as pd
import pytest

import reportkit
from reportkit.appearance.appearance import Appearance
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.rendering.html.html import html_table
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.markdown.markdown import markdown_table
from reportkit.report.build import build
from reportkit.report.machine.claims import claims_in
from reportkit.report.model import Row
from reportkit.report.prose import Typeset
from tests.report.score_cases import DATASETS, SYSTEMS, answers, cells_of, compared, table_of, words

GROUPS = {"Formal": ("books", "news")}


def headings(rows: tuple[Row, ...]) -> list[str]:
    """First cells of all rows, headings in brackets, a bar where a rule stands above."""
    return [
        ("| " if row.rule_above else "")
        + (f"[{words(row.cells[0].text)}]" if row.heading else words(row.cells[0].text))
        for row in rows
    ]


@pytest.mark.parametrize("who", [("new", "base"), ()])
def test_either_way_round_holds_the_same_cells(who):
    """Systems in rows and datasets in rows: the same cells, turned."""
    analysis = compared(*who)
    turned = cells_of(table_of(analysis, rows="datasets", average=True))
    for (row, column), cell in cells_of(table_of(analysis, rows="systems", average=True)).items():
        assert turned[column, row] == cell


def test_a_pair_with_systems_in_rows_has_its_differences_below():
    """Behind a rule, with n above."""
    table = table_of(compared("new", "base"), rows="systems")
    assert headings(table.rows) == ["new", "base", "| Diff."]
    assert [words(cell.text) for cell in table.header_rows[0].cells] == [
        "n",
        *(f"{DATASETS[name]}" for name in (words(column.header) for column in table.columns[1:])),
    ]


def test_groups_of_datasets_are_spanned_in_columns_and_headed_in_rows():
    """In the order of the group; the others stand apart at the end."""
    analysis = compared()
    across = table_of(analysis, rows="systems", dataset_groups=GROUPS)
    assert [words(column.header) for column in across.columns] == ["System", "books", "news", "tweets"]
    assert [(words(s.header), s.first, s.last) for s in across.spanners] == [("Formal", 1, 2)]
    down = table_of(analysis, rows="datasets", dataset_groups=GROUPS, average=True)
    assert headings(down.rows) == ["[Formal]", "books", "news", "| tweets", "| Avg."]


def test_groups_of_systems_are_headed_in_rows_and_spanned_in_columns():
    """With rules between them."""
    analysis = compared(baseline=("base",))
    groups = {"Ours": ("twin", "new"), "Others": ("mid",)}
    down = table_of(analysis, rows="systems", system_groups=groups)
    assert headings(down.rows) == ["[Ours]", "twin", "new", "| [Others]", "mid", "| base"]
    across = table_of(analysis, rows="datasets", system_groups=groups)
    assert [(words(s.header), s.first, s.last) for s in across.spanners] == [("Ours", 2, 3), ("Others", 4, 4)]


def test_a_heading_reaches_across_in_every_format():
    """One cell over all columns in LaTeX and HTML, emphasis in Markdown."""
    table = table_of(compared(), rows="systems", system_groups={"Our own systems": ("new", "twin")})
    assert r"@{}l@{}}{\emph{Our own systems}} \\" in latex_table(table, None)
    assert f'colspan="{len(table.columns)}" scope="rowgroup"' in html_table(table)
    assert "| *Our own systems* |" in markdown_table(table)


@pytest.mark.parametrize(
    ("look", "match"),
    [
        ({"dataset_groups": {"x": ("newz",)}}, "did you mean 'news'"),
        ({"system_groups": {"x": ("mit",)}}, "did you mean 'mid'"),
        ({"labels": {"bse": "Base"}}, "did you mean 'base'"),
        ({"decimals": {"scor": 1}}, "did you mean 'score'"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(look, match):
    """Nothing is silently left out."""
    with pytest.raises(UnknownNameError, match=match):
        table_of(compared(), **look)


def test_names_that_are_not_compared_may_have_labels_and_groups():
    """One file of settings for several comparisons."""
    look = {"labels": {"twin": "Twin"}, "system_groups": {"Ours": ("new", "twin")}}
    assert "Twin" not in str(table_of(compared("new", "base"), **look))


@pytest.mark.parametrize(
    "groups", [{"a": ("news",), "b": ("news",)}, {"a": ("news", "news")}, {"a": ()}, {"a": "news"}, ["news"]]
)
def test_groups_are_groups(groups):
    """Each name once, at least one name."""
    with pytest.raises(SettingsError):
        table_of(compared(), dataset_groups=groups)


def test_averages_are_means_of_unrounded_scores_and_descriptive():
    """As pandas computes them; best in bold, no signs, and the legend says what they are."""
    table = table_of(compared(), average=True, rows="systems")
    means = answers().groupby(["system", "dataset"]).score.mean().groupby("system").mean()
    cells = cells_of(table)
    for system in SYSTEMS:
        cell = cells[system, "Avg."]
        assert words(cell.text) == f"{100 * means[system]:.1f}"
        assert not cell.mark
        assert cell.bold == (means[system] == means.max())
    assert "Avg.: mean over the 3 datasets, descriptive and not tested." in words(table.legend)


def test_averages_bear_signs_where_a_test_over_the_datasets_was_run():
    """Those of the pairs of Friedman's test, and the legend says so."""
    names = tuple(f"d{i:02d}" for i in range(12))
    analysis = answers(("base", "mid", "new"), names).replic.compare(friedman=True)
    table = table_of(analysis, average=True, rows="systems")
    heads = {"a": None} | {words(row.cells[0].text)[1]: words(row.cells[0].text)[4:] for row in table.rows}
    better = {(p.system_a, p.system_b) for p in analysis.friedman_outcome.differing if p.mean_difference > 0}
    better |= {(p.system_b, p.system_a) for p in analysis.friedman_outcome.differing if p.mean_difference < 0}
    cells = cells_of(table)
    assert better
    assert {(name, heads[sign]) for name in ("base", "mid", "new") for sign in cells[name, "Avg."].mark} == better
    assert "with the signs of the tests over the datasets" in words(table.legend)


def test_a_system_without_a_dataset_has_no_average():
    """A dash, and a sentence; the others have theirs."""
    frame = answers()
    frame = frame[~((frame.system == "mid") & (frame.dataset == "books"))]
    table = table_of(frame.replic.compare(), average=True, rows="systems")
    cells = cells_of(table)
    assert words(cells["mid", "Avg."].text) == words(cells["mid", "books"].text) == "–"
    assert words(cells["new", "Avg."].text) != "–"
    assert "lacks a dataset" in words(table.legend)


def test_one_dataset_has_no_average():
    """Which is said."""
    with pytest.raises(SettingsError, match="the table has one"):
        table_of(answers(SYSTEMS, ("news",)).replic.compare("new", "base"), average=True)


@pytest.mark.parametrize("decimals", [0, 2, {"score": 3}])
def test_decimals_are_those_asked_for(decimals):
    """In every score and difference."""
    number = decimals if isinstance(decimals, int) else decimals["score"]
    table = table_of(compared("new", "base"), decimals=decimals)
    for (_, column), cell in cells_of(table).items():
        if column != "n":
            assert len(words(cell.text).partition(".")[2]) == number


def test_decimals_that_promise_too_much_are_a_finding():
    """With 90 instances one answer is 1.1 percentage points; thousandths say nothing, tenths are usual."""
    analysis = compared("new", "base")

    def found(decimals):
        findings = build(analysis, analysis.styled(decimals=decimals).appearance).findings
        return [item for item in findings if item.code == "decimals-beyond-n"]

    assert [item.severity for item in found(3)] == ["warning"]
    assert "books" in found(3)[0].where
    assert found(1) == []


def test_labels_stand_for_names_everywhere_but_for_machines():
    """In all tables, paragraph and summary; the data keep the names."""
    analysis = compared("new", "base")
    report = build(analysis, analysis.styled(labels={"new": "R&D", "news": "Newswire", "score": "Right"}).appearance)
    text = markdown_table(report.tables[0])
    assert all(label in text for label in ("R&D", "Newswire", "Right (%)"))
    assert any("R&D" in line for line in report.summary)
    assert "R&D" in report.title
    assert claims_in(report.data)[0]["system_a"] == "new"
    original = build(analysis)
    assert report.data == original.data
    for table, before in zip(report.tables, original.tables, strict=True):
        assert [[cell.mark for cell in row.cells] for row in table.rows] == [
            [cell.mark for cell in row.cells] for row in before.rows
        ]


def test_labels_may_not_hide_who_is_who():
    """Two systems under one label are refused; a system and a dataset may share one."""
    with pytest.raises(SettingsError, match="both be printed"):
        table_of(compared(), labels={"new": "twin"})
    table_of(compared(), labels={"new": "N", "news": "N"})


def test_tex_is_written_where_a_name_stands():
    """In headers, first cells and the legend, in braces where other words stand beside it; plain in other formats."""
    look = {"labels": {"base": reportkit.tex(r"$b_i$", plain="b_i")}}
    table = table_of(compared(baseline=("base", "mid")), rows="systems", **look)
    assert Typeset("$b_i$", "b_i") in [row.cells[0].text[0] for row in table.rows]
    assert Typeset("{$b_i$}", "b_i") in table.legend
    assert "$b_i$" in latex_table(table, None)
    assert "$b_i$" not in markdown_table(table)
    lettered = table_of(compared(), rows="systems", **look)
    assert Typeset("{$b_i$}", "b_i") in [part for row in lettered.rows for part in row.cells[0].text]
    pair = table_of(compared("new", "base"), rows="datasets", **look)
    assert Typeset("$b_i$", "b_i") in [column.header[0] for column in pair.columns]


def test_caption_says_what_and_legend_explains():
    """The caption is a sentence without signs; the legend has the tests."""
    table = table_of(compared("new", "base"))
    assert words(table.caption) == "Accuracy (%) of new and base on 3 datasets."
    assert words(table.legend).startswith("Best score in bold. †: better than base (exact McNemar test")


def test_lower_is_better_is_said_without_an_arrow():
    """One direction in one table: a sentence, and the lowest in bold."""
    rows = [
        (s, d, f"i{i}", float((i * 7 + k * 3) % 10 + k)) for k, s in enumerate("ab") for d in "xy" for i in range(40)
    ]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    table = table_of(frame.replic.compare("a", "b", higher_is_better={"score": False}))
    assert not any("↓" in words(column.header) for column in table.columns)
    assert "Lower is better; a positive difference is in favour of a." in words(table.legend)
    assert all(cells_of(table)[name, "a"].bold for name in "xy")


def test_averages_of_datasets_as_the_sample_bear_the_signs_of_their_test():
    """With across_datasets the average is what is tested; systems stand in the order of the results."""
    from reportkit.report.score_format import scale_for
    from reportkit.report.tables.across_table import scores_by_dataset

    names = tuple(f"d{i:02d}" for i in range(12))
    analysis = answers(("base", "new"), names).replic.compare("new", "base", across_datasets=True)
    scale = scale_for(item for comparison in analysis.comparisons for item in comparison.assessments)
    look = analysis.styled(average=True, rows="systems").appearance
    table = scores_by_dataset(analysis, scale, look)
    cells = cells_of(table)
    assert headings(table.rows) == ["new", "base"]
    assert cells["new", "Avg."].mark == "†"
    assert not any(cell.mark for (_, column), cell in cells.items() if column != "Avg.")
    assert not any(words(column.header) == "Avg." for column in table_of(analysis, average=True).columns)


def test_the_settings_of_the_documentation_are_settings(root):
    """The TOML of docs/reference/tables.md is read as it stands."""
    import tomllib

    text = (root / "docs" / "reference" / "tables.md").read_text(encoding="utf-8")
    section = tomllib.loads(text.split("```toml\n")[1].split("```")[0])["appearance"]
    look = Appearance().replace(**section)
    assert look.labels["hiv4"].latex == "$h_4$"
    assert look.dataset_groups == {"Reviews": ("movie_reviews", "amazon_reviews")}
