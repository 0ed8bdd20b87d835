"""Signs behind scores: recomputed from the outcomes of an analysis."""

from __future__ import annotations

import pytest

from reportkit.errors import SettingsError
from reportkit.replicability.family import build_family
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.report.tables.marks import DAGGERS, letter, marking
from reportkit.settings import Settings
from tests.report.score_cases import DATASETS, SYSTEMS, cells_of, compared, table_of, words

MANY = ("base", "mid", "new", *(f"s{i:02d}" for i in range(7)))


def beaten(analysis, level=0.05):
    """(system, dataset) to the systems it is shown to be better than, from the frame of outcomes alone."""
    found = {}
    for row in analysis.outcomes.itertuples():
        better = row.adjusted_p_value <= level and row.score_a > row.score_b
        found.setdefault((row.system_a, row.dataset), set()).update({row.system_b} if better else set())
    return found


def test_daggers_name_the_baselines_that_are_beaten():
    """With two baselines, one sign each, the better one first, at the largest level; this is what auto gives."""
    analysis = compared(baseline=("base", "mid"))
    sign = dict(zip(("mid", "base"), DAGGERS, strict=False))
    cells = cells_of(table_of(analysis))
    expected = beaten(analysis)
    assert any(len(names) == 2 for names in expected.values())
    for (system, dataset), names in expected.items():
        assert cells[system, dataset].mark == "".join(sign[name] for name in ("mid", "base") if name in names)
    assert "†: better than mid, ‡: better than base (exact McNemar test, one-sided, Holm-adjusted over all" in words(
        table_of(analysis).legend
    )


@pytest.mark.parametrize("rows", ["systems", "datasets"])
@pytest.mark.parametrize("grouped", [False, True])
def test_letters_name_the_systems_that_are_beaten(rows, grouped):
    """For all pairs, letters are those in the headings, either way round and with groups of systems."""
    analysis = compared()
    groups = {"strong": ("twin", "new")} if grouped else {}
    table = table_of(analysis, rows=rows, system_groups=groups)
    names = [row.cells[0].text for row in table.rows] if rows == "systems" else [c.header for c in table.columns]
    heads = dict(words(name)[1:].split(") ") for name in names if words(name).startswith("("))
    assert sorted(heads.values()) == sorted(SYSTEMS)
    assert list(heads) == sorted(heads)
    cells = cells_of(table)
    for (system, dataset), others in beaten(analysis).items():
        cell = cells[(system, dataset) if rows == "systems" else (dataset, system)]
        assert {heads[sign] for sign in cell.mark} == others


def test_many_systems_get_a_column_of_wins_unless_letters_are_asked_for():
    """With more than eight systems auto counts the wins of each; letters have no limit."""
    analysis = compared(systems=MANY)
    expected = beaten(analysis)
    table, letters = table_of(analysis), cells_of(table_of(analysis, marks="letters"))
    won = cells_of(table)
    assert not any(cell.mark for cell in won.values())
    for key, names in expected.items():
        assert len(letters[key].mark) == len(names)
    for system in MANY:
        wins = sum(len(names) for (name, _), names in expected.items() if name == system)
        assert words(won[system, "Wins"].text) == str(wins)
    assert "number of comparisons won" in words(table.legend)


def test_letters_of_two_letters_are_set_apart(printed_assessments):
    """With more than 26 systems, `a` and `aa` are told apart by commas."""
    names = [f"s{i:02d}" for i in range(30)]
    claims = {
        (a, b): printed_assessments([1e-9 if a > b else 0.9], [1.0 if a > b else -1.0], system_a=a, system_b=b)
        for a in names
        for b in names
        if a != b
    }
    family = build_family(
        "all-pairs", claims, settings=Settings(alpha=(0.05,)), audit=IndependenceAudit(declared="any")
    )
    found = marking(family, "letters")
    assert found.signs["s29", "d0"] == ",".join(letter(index) for index in range(29))
    assert marking(family).style == "wins"


def test_stars_are_levels_of_adjusted_p_values_whatever_the_levels_of_the_analysis():
    """One, two or three stars at .05, .01 and .001, with an analysis at .2 alone."""
    analysis = compared(baseline=("base",), alpha=0.2)
    cells = cells_of(table_of(analysis, marks="stars"))
    seen = set()
    for row in analysis.outcomes.itertuples():
        stars = sum(row.adjusted_p_value <= level for level in (0.05, 0.01, 0.001)) if row.score_a > row.score_b else 0
        assert cells[row.system_a, row.dataset].mark == "*" * stars
        seen.add(stars)
    assert len(seen) > 1
    legend = words(table_of(analysis, marks="stars").legend)
    assert "* p ≤ .05, ** p ≤ .01, *** p ≤ .001: better than base" in legend
    assert ".2" not in legend


def test_a_small_p_value_in_the_wrong_direction_is_no_mark(printed_assessments):
    """Whatever the signs are, a system that scores lower gets none."""
    claims = {("new", "old"): printed_assessments([1e-6, 1e-6], [1.0, -1.0])}
    family = build_family(
        "declared", claims, settings=Settings(alpha=(0.05, 0.01)), audit=IndependenceAudit(declared="any")
    )
    for marks, sign in (("levels", "*+"), ("daggers", "†"), ("letters", "a"), ("stars", "***")):
        assert dict(marking(family, marks).signs) == {("new", "d0"): sign}


@pytest.mark.parametrize(
    ("baseline", "marks", "instead"),
    [
        ((), "daggers", "letters"),
        ((), "stars", "letters"),
        ((), "levels", "letters"),
        (("base", "mid"), "stars", "daggers"),
        (("base", "mid"), "levels", "daggers"),
    ],
)
def test_signs_that_cannot_say_versus_whom_are_refused(baseline, marks, instead):
    """The message says which signs can."""
    with pytest.raises(SettingsError, match=instead):
        table_of(compared(baseline=baseline), marks=marks)


def test_daggers_are_for_three_baselines_at_most():
    """Four baselines get letters, and asking for daggers says so."""
    analysis = compared(baseline=MANY[:4], systems=MANY[:6])
    assert marking(analysis).style == "letters"
    with pytest.raises(SettingsError, match="4 baselines"):
        table_of(analysis, marks="daggers")


def test_no_marks_and_no_word_about_them():
    """marks="none", and a pattern without a place for them."""
    analysis = compared("new", "base")
    for look in ({"marks": "none"}, {"cell": "{score}"}):
        table = table_of(analysis, **look)
        assert not any(cell.mark for row in table.rows for cell in row.cells)
        assert "better than" not in words(table.legend)
    assert not any(cell.mark for row in table_of(analysis, "p-values", marks="none").rows for cell in row.cells)


def test_one_claim_has_a_dagger_and_levels_by_request():
    """† at the largest level; `*` and `+` for two levels, as in Dror et al. (2017), where that is asked for."""
    analysis = compared("new", "base")
    adjusted = analysis.outcomes.set_index("dataset").adjusted_p_value
    cells, levels = cells_of(table_of(analysis)), cells_of(table_of(analysis, marks="levels"))
    for name in DATASETS:
        assert cells[name, "new"].mark == "†" * int(adjusted[name] <= 0.05)
        assert levels[name, "new"].mark == "*" * int(adjusted[name] <= 0.05) + "+" * int(adjusted[name] <= 0.01)
