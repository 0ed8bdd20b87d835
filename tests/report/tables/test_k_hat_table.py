"""Tables of k-hat and p-values: how they are turned where there are many claims."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.replicability.family import build_family
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.report.prose import plain
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.k_hat_table import MOST_CLAIMS_ABOVE_ONE_ANOTHER, replicability_table
from reportkit.report.tables.p_value_table import p_value_table
from reportkit.settings import Settings


@pytest.fixture
def analysis(printed_assessments):
    """Some systems against a baseline on two datasets, declared independent."""

    def make(n_systems):
        rng = np.random.default_rng(n_systems)
        claims = {
            (f"system{i:02d}", "base"): printed_assessments(rng.random(2) ** 4, system_a=f"system{i:02d}")
            for i in range(n_systems)
        }
        audit = IndependenceAudit(declared="independent")
        return build_family("baselines", claims, settings=Settings(alpha=(0.05, 0.01)), audit=audit)

    return make


def test_levels_stand_below_one_another_for_few_claims(analysis):
    """Two rows for each claim, the second without its name."""
    table = replicability_table(analysis(3))
    assert len(table.rows) == 6
    assert table.spanners == ()
    assert [plain(row.cells[0].text) for row in table.rows[:2]] == ["system00 > base", ""]


def test_levels_stand_beside_one_another_for_many_claims(analysis):
    """One row for each claim, the same counts under a header for each level."""
    many = analysis(MOST_CLAIMS_ABOVE_ONE_ANOTHER + 1)
    table = replicability_table(many)
    assert len(table.rows) == many.n_claims
    assert [(spanner.first, spanner.last) for spanner in table.spanners] == [(1, 4), (5, 8)]
    assert [plain(spanner.header) for spanner in table.spanners] == ["alpha = .05", "alpha = .01"]
    for row, comparison in zip(table.rows, many.comparisons, strict=True):
        counts = [[k.count, k.bonferroni, k.fisher, k.joint] for k in comparison.k_hat.values()]
        assert [plain(cell.text) for cell in row.cells[1:]] == [str(count) for level in counts for count in level]


def test_many_claims_on_few_datasets_stand_in_rows(analysis):
    """Turning keeps every adjusted p-value with its claim and dataset."""
    few, many = (p_value_table(analysis(n), ScoreScale(1.0, 1)) for n in (2, 20))
    assert [plain(column.header) for column in few.columns] == ["Dataset", "system00", "system01"]
    assert [plain(column.header) for column in many.columns] == ["System", "d0", "d1"]
    assert [plain(row.cells[0].text) for row in many.rows] == [f"system{i:02d}" for i in range(20)]


def test_p_values_follow_the_groups_of_the_table_of_scores(analysis):
    """Datasets in rows get headings, datasets in columns spanners; k-hat of all pairs has the same letters."""
    from reportkit.appearance.appearance import Appearance

    look = Appearance(dataset_groups={"Last": ("d1",)})
    few, many = (p_value_table(analysis(n), ScoreScale(1.0, 1), look) for n in (2, 20))
    assert [(plain(row.cells[0].text), row.heading) for row in few.rows] == [
        ("Last", True),
        ("d1", False),
        ("d0", False),
    ]
    assert [plain(column.header) for column in many.columns] == ["System", "d1", "d0"]
    assert [(plain(s.header), s.first, s.last) for s in many.spanners] == [("Last", 1, 1)]


def test_letters_are_the_same_in_scores_and_counts():
    """With groups of systems, the matrix of k-hat has the order and the letters of the table of scores."""
    from reportkit.appearance.appearance import Appearance
    from reportkit.report.tables.k_hat_table import k_hat_matrix_table
    from tests.report.score_cases import compared, table_of

    groups = {"strong": ("twin", "new")}
    scores = table_of(compared(), rows="systems", system_groups=groups)
    counts = k_hat_matrix_table(compared(), Appearance(system_groups=groups))
    lettered = [plain(row.cells[0].text) for row in scores.rows if not row.heading]
    assert lettered == [plain(row.cells[0].text) for row in counts.rows]
    assert lettered[0] == "(a) twin"
