"""How a table is set so that it fits, and how it is cut into parts."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.appearance.venues import VENUES
from reportkit.errors import SettingsError
from reportkit.rendering.layout.layout import Layout, lay_out
from reportkit.rendering.layout.panels import divided, row_units, units_of
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.prose import plain, prose
from tests.rendering.conftest import counts, grid, words

REPORT = VENUES["report"]


def _columns(layout: Layout) -> list[int]:
    """Columns but the first, over all panels that begin with the first row."""
    return [index for panels in layout.floats for panel in panels if panel.start == 0 for index in panel.columns[1:]]


def test_a_narrow_table_stands_in_a_column() -> None:
    r"""What fits 219 pt is set in one column at \\small."""
    layout = lay_out(grid(datasets=("a", "b", "c")))
    assert (layout.environment, layout.size_command, layout.tabcolsep) == ("table", "small", 4.0)
    assert "fits a column of 219 pt" in layout.note


def test_a_table_is_set_tighter_then_smaller_before_it_is_set_across() -> None:
    """Space between columns goes first, then the type size, then the second column of the page."""
    table = grid(datasets=("a", "b", "c", "d", "e"))
    steps = []
    for room in range(320, 180, -2):
        layout = lay_out(table, REPORT.resized(room, 455.244))
        assert layout.width <= (room if layout.environment == "table" else 455)
        steps.append((layout.environment, layout.size, layout.tabcolsep))
    assert list(dict.fromkeys(steps)) == [("table", 9, 4.0), ("table", 9, 3.0), ("table", 8, 3.0), ("table*", 9, 4.0)]


def test_headers_are_broken_at_spaces_before_a_table_is_set_across() -> None:
    """Long headers of two words take two lines where that makes the table fit."""
    layout = lay_out(grid(datasets=("Amazon reviews", "Movie reviews", "NYT editorials")))
    assert layout.environment == "table"
    assert layout.headers[1] == (words("Amazon"), words("reviews"))


def test_symbols_in_headers_stay_whole() -> None:
    """A header is broken between words, and a symbol belongs to the word that it stands in."""
    table = counts()
    wide = Column(header=prose("number of ({n}) instances"))
    layout = lay_out(
        Table(name="t", caption=(), columns=(*table.columns[:-1], wide), rows=table.rows),
        REPORT.resized(205, 210),
    )
    assert prose("({n})") in layout.headers[-1] or prose("of ({n})") in layout.headers[-1]


def test_a_wide_table_is_cut_into_panels_that_repeat_the_first_column() -> None:
    """Each column stands in one panel, the first in all; no panel is wider than the page."""
    layout = lay_out(grid(datasets=tuple(f"dataset_{i}" for i in range(25))))
    assert _columns(layout) == list(range(1, 26))
    assert all(panel.columns[0] == 0 for panels in layout.floats for panel in panels)
    assert layout.environment == "table*"
    assert layout.width <= 455
    sizes = [len(panel.columns) for panels in layout.floats for panel in panels]
    assert max(sizes) - min(sizes) <= 2
    assert "cut into" in layout.note


def test_panels_are_cut_between_spanners() -> None:
    """A group of columns under one header stays together where it fits."""
    names = tuple(f"dataset_{i}" for i in range(20))
    spanners = tuple(Spanner(header=words(f"group {i}"), first=1 + 4 * i, last=4 + 4 * i) for i in range(5))
    layout = lay_out(grid(datasets=names, spanners=spanners))
    for panels in layout.floats:
        for panel in panels:
            assert panel.columns[1] % 4 == 1
            assert panel.columns[-1] % 4 == 0


def test_a_group_wider_than_the_page_is_cut() -> None:
    """A spanner over everything does not keep a table from being cut."""
    names = tuple(f"dataset_{i}" for i in range(20))
    layout = lay_out(grid(datasets=names, spanners=(Spanner(header=words("all"), first=1, last=20),)))
    assert layout.width <= 455
    assert _columns(layout) == list(range(1, 21))


@pytest.mark.parametrize("n_rows", [1, 49, 50, 51, 120, 333])
def test_a_long_table_becomes_consecutive_ones(n_rows: int) -> None:
    """Rows are spread evenly over tables of at most 50 lines, each once, in order."""
    layout = lay_out(grid(systems=[f"s{i}" for i in range(n_rows)], datasets=("a",)))
    parts = [(panel.start, panel.stop) for panels in layout.floats for panel in panels]
    assert [row for start, stop in parts for row in range(start, stop)] == list(range(n_rows))
    sizes = [stop - start for start, stop in parts]
    assert max(sizes) <= 50
    assert max(sizes) - min(sizes) <= len(sizes)
    assert len(parts) == -(-n_rows // 50)
    assert ("consecutive" in layout.note) == (n_rows > 50)


def test_long_tables_are_cut_between_groups_of_rows() -> None:
    """Where rules divide the rows, a new table begins with a group."""
    layout = lay_out(grid(systems=[f"s{i}" for i in range(120)], datasets=("a",), group=7))
    assert all(panel.start % 7 == 0 for panels in layout.floats for panel in panels)


def test_forty_systems_on_a_hundred_datasets() -> None:
    """A large table is cut both ways, one panel to a page."""
    layout = lay_out(grid(systems=[f"system {i}" for i in range(40)], datasets=tuple(f"data_{i}" for i in range(100))))
    assert _columns(layout) == list(range(1, 101))
    assert all(sum(panel.stop - panel.start for panel in panels) <= 60 for panels in layout.floats)


def test_long_cells_are_broken_into_lines() -> None:
    """A name of a whole sentence does not push the numbers off the page."""
    name = "a model with a name that goes on and on and explains what it does, how, and on which machine it was trained"
    layout = lay_out(grid(systems=(name, "short"), datasets=("a", "b" * 90)))
    assert [limit is not None for limit in layout.limits] == [True, False, False]
    assert [limit is not None for limit in layout.header_limits] == [False, False, True]
    assert layout.width <= 455
    assert "long cells broken" in layout.note


def test_an_empty_table_is_one_table() -> None:
    """A table without rows has a layout, too."""
    empty = Table(name="t", caption=(), columns=(Column(header=words("x")),), rows=())
    assert [(panel.start, panel.stop) for panels in lay_out(empty).floats for panel in panels] == [(0, 0)]


@given(
    st.lists(st.text(alphabet="abcXYZ_ 9", min_size=1, max_size=40), min_size=1, max_size=30),
    st.lists(st.text(alphabet="abcXYZ_ 9", min_size=1, max_size=120), min_size=0, max_size=70),
)
@settings(deadline=None, max_examples=40)
def test_every_cell_is_printed_once(datasets: list[str], systems: list[str]) -> None:
    """Whatever the names are, each (row, column) stands in exactly one panel and the panels fit the page."""
    layout = lay_out(grid(systems=systems, datasets=tuple(datasets)))
    printed = [
        (row, column)
        for panels in layout.floats
        for panel in panels
        for row in range(panel.start, panel.stop)
        for column in panel.columns[1:]
    ]
    assert sorted(printed) == [(row, column) for row in range(len(systems)) for column in range(1, len(datasets) + 1)]
    assert layout.width <= 455.5


def test_a_spanner_is_broken_into_lines_before_the_table_is_cut() -> None:
    """Two long claims over narrow columns fit the page, each in lines as wide as its columns or its longest word."""
    claims = (
        "a-system-with-a-long-name > another-system-with-one",
        "another-system-with-one > a-system-with-a-long-name",
    )
    spanners = tuple(Spanner(header=words(claim), first=1 + 2 * i, last=2 + 2 * i) for i, claim in enumerate(claims))
    layout = lay_out(
        grid(systems=["a dataset of this name"] * 3, datasets=("p", "adj.", "p", "adj."), spanners=spanners),
        environment="table*",
    )
    assert len(layout.floats) == len(layout.floats[0]) == 1
    assert layout.width <= 455
    assert all(len(lines) > 1 for lines in layout.spanners)
    assert [" ".join(plain(line) for line in lines) for lines in layout.spanners] == list(claims)


def test_a_spanner_that_fits_stands_on_one_line() -> None:
    """Nothing is broken without need."""
    spanner = Spanner(header=words("in domain"), first=1, last=2)
    assert lay_out(grid(spanners=(spanner,))).spanners == ((words("in domain"),),)


def test_one_column_has_table_alone() -> None:
    """There is no table* where there is one column, whatever is asked for."""
    table = grid(datasets=tuple(f"dataset_{i}" for i in range(8)))
    for environment in ("auto", "table", "table*"):
        layout = lay_out(table, VENUES["neurips"], environment=environment)
        assert (layout.environment, layout.place, layout.across) == ("table", 397.485, False)


def test_the_environment_that_is_asked_for_is_made() -> None:
    """A column, the page, or nothing around the table."""
    table = grid(datasets=tuple(f"dataset_{i}" for i in range(8)))
    column = lay_out(table, VENUES["acl"], environment="table")
    assert column.environment == "table"
    assert column.n_panels > 1
    assert column.width <= 219
    page = lay_out(grid(datasets=("a",)), VENUES["acl"], environment="table*")
    assert (page.environment, page.across) == ("table*", True)
    bare = lay_out(table, VENUES["acl"], environment="tabular")
    assert (bare.environment, bare.across) == ("tabular", True)
    assert "for a table* of yours" in bare.note


def test_a_longtable_is_one_table_of_any_length() -> None:
    """It breaks across pages by itself; each panel is one."""
    table = grid(systems=[f"s{i}" for i in range(300)], datasets=tuple(f"dataset_{i}" for i in range(20)))
    layout = lay_out(table, VENUES["neurips"], environment="longtable")
    assert layout.environment == "longtable"
    assert all(panels == (panel,) and panel.stop == 300 for panels in layout.floats for panel in panels)
    assert len(layout.floats) == layout.n_panels > 1


@pytest.mark.parametrize("name", [name for name, venue in VENUES.items() if venue.two_columns])
def test_longtable_is_refused_in_two_columns(name: str) -> None:
    """LaTeX stops there; the message names venues where it works."""
    with pytest.raises(SettingsError, match="two columns") as caught:
        lay_out(grid(), VENUES[name], environment="longtable")
    assert "'neurips'" in str(caught.value.remedy)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(VENUES))
def test_every_venue_has_its_own_sizes(name: str) -> None:
    """What does not fit at the first size is set at the next, and never wider than the venue is."""
    venue = VENUES[name]
    for n in range(3, 40, 3):
        layout = lay_out(grid(datasets=tuple(f"data {i}" for i in range(n))), venue)
        assert layout.type_size in venue.sizes
        assert layout.width <= (venue.text_width if layout.across else venue.column_width)


def test_headers_are_broken_within_words_only_where_nothing_else_helps() -> None:
    """Long names of systems take lines, cut behind hyphens, before the table is cut; the numbers are not boxed."""
    names = ("claude-opus-4-1-paper", "gemini-2-5-pro-preview-paper", "gpt-5-250-turns-10132025", "kimi-k2-instruct")
    layout = lay_out(grid(datasets=names * 2), VENUES["acl"])
    assert layout.n_panels == 1
    assert not any(layout.limits)
    assert not any(layout.header_limits)
    assert ["".join(part.text for part in line) for line in layout.headers[1]] == ["claude-", "opus-4-1-", "paper"]  # type: ignore[union-attr]


@pytest.mark.slow
@given(st.lists(st.floats(0.5, 9), min_size=1, max_size=60), st.floats(9, 40))
def test_parts_are_as_few_as_possible_and_within_the_capacity(weights: list[float], capacity: float) -> None:
    """Every element is in one part; no part could take in the whole of the next one from the first on."""
    parts = divided(weights, units_of(weights, [True] * len(weights), capacity), capacity)
    assert [index for start, stop in parts for index in range(start, stop)] == list(range(len(weights)))
    assert all(sum(weights[start:stop]) <= capacity + 1e-9 for start, stop in parts)
    least, room = 0, 0.0
    for weight in weights:
        if weight > room + 1e-9:
            least, room = least + 1, capacity
        room -= weight
    assert len(parts) == least


def test_no_part_holds_a_lone_row_where_others_have_many() -> None:
    """51 rows on pages of 50 are 26 and 25."""
    parts = divided([1.0] * 51, [(i, i + 1) for i in range(51)], 50)
    assert [stop - start for start, stop in parts] == [26, 25]


def _headed(groups: int, each: int) -> Table:
    table = grid(systems=[f"s{i}" for i in range(groups * each)], datasets=("a", "b"))
    rows: list[Row] = []
    for group in range(groups):
        heading = (Cell(text=words(f"group {group}")), Cell(), Cell())
        rows.append(Row(cells=heading, rule_above=group > 0, heading=True))
        rows.extend(table.rows[group * each : (group + 1) * each])
    return dataclasses.replace(table, rows=tuple(rows))


def test_a_group_stays_with_its_heading() -> None:
    """Groups are not torn while they fit, and no heading is the last row of a table."""
    table = _headed(12, 9)
    layout = lay_out(table, VENUES["acl"])
    assert len(layout.floats) > 1
    assert all(table.rows[panel.start].heading for panels in layout.floats for panel in panels)


def test_a_heading_of_a_torn_group_stays_with_its_first_row() -> None:
    """A group of more than a page is cut, but not behind its heading."""
    rows = _headed(2, 80).rows
    units = row_units([1.0] * len(rows), rows, 50)
    assert (0, 2) in units
    assert (81, 83) in units
