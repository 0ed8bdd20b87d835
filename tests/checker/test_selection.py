"""Selection by prefixes: the longer one wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportkit.checker.selection import Selection
from reportkit.errors import SettingsError

CASES = [
    ({}, "RK101 RK117 RK201", ""),
    ({"select": ("RK1",)}, "RK101 RK107", "RK201 RK001"),
    ({"select": ("RK1",), "ignore": ("RK107",)}, "RK101", "RK107"),
    ({"select": ("RK107",), "ignore": ("RK1",)}, "RK107", "RK101"),
    ({"ignore": ("RK1", "RK2")}, "RK302", "RK101 RK201"),
    ({"select": ("ALL",), "ignore": ("RK2",)}, "RK101", "RK201"),
    ({"select": ("rk101, rk201",)}, "RK101 RK201", "RK107"),
    ({"select": ("RK101",), "ignore": ("RK101",)}, "", "RK101"),
]


@pytest.mark.parametrize(("options", "on", "off"), CASES)
def test_prefixes_select_and_ignore(options, on, off):
    """As with ruff."""
    selection = Selection(**options)
    for code in on.split():
        assert selection.runs(code)
    for code in off.split():
        assert not selection.runs(code)


def test_files_have_exceptions_of_their_own():
    """Patterns of names and of paths."""
    selection = Selection(per_file_ignores={"appendix/*.tex": ("RK2",), "old.tex": ("RK201",)})
    assert selection.left_out("RK201", Path("appendix/a.tex"))
    assert selection.left_out("RK201", Path("x/old.tex"))
    assert not selection.left_out("RK107", Path("x/old.tex"))
    assert not selection.left_out("RK201", None)


@pytest.mark.parametrize("code", ["E501", "RK", "RK1234", "RK20x"])
def test_what_is_no_code_is_refused(code):
    """With an example; RK alone is a prefix of all."""
    if code == "RK":
        assert Selection(select=(code,)).runs("RK101")
    else:
        with pytest.raises(SettingsError, match="no code"):
            Selection(select=(code,))
