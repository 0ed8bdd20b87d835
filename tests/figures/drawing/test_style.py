"""Style: the user's settings are left alone, and widths are those of the columns of papers."""

from __future__ import annotations

import subprocess
import sys

import matplotlib
import pytest

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.figures.drawing.style import style, width_in_points


def test_settings_of_the_user_come_back() -> None:
    """Inside the style the text font is ours; afterwards, also after an error, everything is as before."""
    before = dict(matplotlib.rcParams)
    with style():
        assert matplotlib.rcParams["font.family"][0] == "STIXGeneral"
        assert matplotlib.rcParams["pdf.fonttype"] == 42
    assert dict(matplotlib.rcParams) == before
    with pytest.raises(ZeroDivisionError), style():
        raise ZeroDivisionError
    assert dict(matplotlib.rcParams) == before


@pytest.mark.slow
def test_matplotlib_is_imported_late_and_pyplot_never() -> None:
    """Importing the figures imports no matplotlib; drawing and saving one does not import pyplot."""
    script = """
import sys
import reportkit.figures.forest, reportkit.figures.partial_conjunction, reportkit.figures.k_hat_matrix
import reportkit.figures.drawing.save as saving
from reportkit.figures.drawings import drawing
content = {"systems": ("a", "b", "c"), "average_ranks": (1.0, 2.0, 3.0), "n_datasets": 9, "groups": ()}
assert not [name for name in sys.modules if name.startswith("matplotlib")]
kind = drawing("critical-difference")
figure = kind.draw(kind.content(**content, alpha=0.05))
saving.figure_bytes(figure, "png")
assert "matplotlib" in sys.modules and "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_widths_are_those_of_the_columns() -> None:
    """Widths are in TeX points: an ACL column has 7.7 cm, its text 16 cm, NeurIPS 5.5 inches."""
    assert width_in_points("column", "acl") / 72 * 2.54 == pytest.approx(7.7, abs=1e-3)
    assert width_in_points("text", "acl") / 72 * 2.54 == pytest.approx(16.0, abs=1e-3)
    assert width_in_points("column", "neurips") / 72 == width_in_points("text", "neurips") / 72 == pytest.approx(5.5)


@pytest.mark.parametrize("width", [99, 2001, float("nan"), float("inf"), -3, True])
def test_impossible_widths_are_refused(width: float) -> None:
    """A width that no page has is an error that says what to give."""
    with pytest.raises(SettingsError, match="width is"):
        width_in_points(width)


def test_unknown_widths_and_venues_are_answered_with_the_nearest() -> None:
    """A misspelt width or venue is answered with the right one."""
    with pytest.raises(UnknownNameError, match="did you mean 'column'"):
        width_in_points("columns")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="did you mean 'neurips'"):
        width_in_points("text", "neuripps")
