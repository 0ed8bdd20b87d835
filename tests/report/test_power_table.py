"""The table of a plan: what a reader of a paper sees of it, and what is in a terminal."""

from __future__ import annotations

import reportkit
from reportkit.report.tokens import plain


def test_datasets_that_are_planned_alike_have_one_row():
    """They are called each; with one dataset there is no column of datasets."""
    alike = reportkit.power(n=500, effect=0.02, discordant=0.2, n_datasets=3)
    assert [plain(row.cells[0].text) for row in alike.table().rows] == ["each"]
    assert len(alike.to_frame()) == 3
    alone = reportkit.power(n=500, effect=0.02, discordant=0.2).table()
    assert [plain(column.header) for column in alone.columns][:2] == ["Disagree", "n"]


def test_one_dataset_of_several_with_an_effect_is_named():
    """Not called each of one."""
    found = reportkit.power(n=[500, 900], effect=[0.02, 0], discordant=0.2)
    assert found.summary().startswith("The power is .23 on 1. ")
