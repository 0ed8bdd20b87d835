"""Bold that is moved to the best number, and nothing else."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.checker.config import CheckConfig
from reportkit.checker.edits import edited
from reportkit.checker.engine import check_text
from reportkit.checker.selection import Selection

ONLY = CheckConfig(selection=Selection(select=("RK103",)))
STYLES = {
    "\\textbf{": ("\\textbf{", "}"),
    "\\mathbf{": ("$\\mathbf{", "}$"),
    "\\bfseries": ("\\bfseries ", ""),
    "**": ("**", "**"),
}
BEHIND = ["", "\\%", " \\%", "$^\\dagger$", " (2)"]


def table(values, bold, style, behind=""):
    """Accuracies in rows, those of some rows in bold; the caption says what bold means."""
    opens, closes = STYLES[style]
    dollar = "$" if style == "\\mathbf{" else ""
    cells = [
        f"{opens}{v}{closes}{behind}" if i in bold else f"{dollar}{v}{dollar}{behind}" for i, v in enumerate(values)
    ]
    if style == "**":
        rows = "".join(f"| System {i} | {cell} |\n" for i, cell in enumerate(cells))
        return f"| System | SST-2 accuracy |\n|---|---|\n{rows}\nThe best accuracy is set in bold.\n"
    rows = "".join(f"System {i} & {cell} \\\\\n" for i, cell in enumerate(cells))
    return (
        "\\begin{table}\\caption{Accuracy, the best in bold.}\\begin{tabular}{lc}\n"
        "System & SST-2 accuracy \\\\ \\midrule\n"
        f"{rows}\\end{{tabular}}\\end{{table}}\n"
    )


def mended(text, style):
    """The text after all possible edits, and what is then still found."""
    language = "markdown" if style == "**" else "latex"
    report = check_text(text, language=language, config=ONLY)
    after = edited(text, report.possible_edits)
    return after, check_text(after, language=language, config=ONLY)


@given(
    st.lists(st.integers(700, 703), min_size=3, max_size=5),
    st.integers(0, 2),
    st.sampled_from(sorted(STYLES)),
    st.sampled_from(BEHIND),
)
def test_the_best_become_bold_and_every_other_character_stays(tenths, marked, style, behind):
    """One edit is enough, a second one finds nothing to do, and without the signs of bold both texts are the same."""
    values = [f"{v / 10:.1f}" for v in tenths]
    best = {i for i, v in enumerate(values) if v == max(values)}
    text = table(values, {marked}, style, behind)
    after, again = mended(text, style)
    bare = re.compile(r"\\(?:textbf|mathbf)\{|\\bfseries |\*\*|\}")
    assert bare.sub("", after) == bare.sub("", text)
    if after != text:
        assert after == table(values, best, style, behind)
        assert again.possible_edits == ()
        assert len(again) == 0


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("behind", BEHIND)
def test_it_is_done_in_every_style(style, behind):
    """The property above is no empty one."""
    text = table(["70.1", "70.3", "70.2"], {2}, style, behind)
    after, _ = mended(text, style)
    assert after == table(["70.1", "70.3", "70.2"], {1}, style, behind)


@pytest.mark.parametrize("cell", ["\\num{70.3}", "$70.3$", "\\best{70.3}", "{\\small 70.3}", "\\underline{70.3}"])
def test_where_it_is_not_plain_to_see_nothing_is_offered(cell):
    """A best number inside of another command, or in mathematics where the other is not."""
    text = table(["70.1", "70.3", "70.2"], {2}, "\\textbf{").replace("& 70.3 ", f"& {cell} ")
    assert check_text(text, config=ONLY).possible_edits == ()


def test_it_is_safe_where_the_data_say_what_is_best():
    """Otherwise somebody has to look at it: what is read of a table may be something else."""
    right = {"one": 7, "two": 9, "three": 8}
    rows = [(s, "sst2", i, int(i < k)) for s, k in right.items() for i in range(10)]
    data = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    text = table(["70.0", "90.0", "80.0"], {2}, "\\textbf{")
    for i, name in enumerate(right):
        text = text.replace(f"System {i}", name)
    text = text.replace("SST-2 accuracy", "sst2")
    report = check_text(text, config=ONLY, data=data)
    assert [item.safe for item in report] == [True]
    assert "\\textbf{90.0}" in edited(text, report.edits)
    stale = text.replace("70.0", "71.0")
    assert [item.safe for item in check_text(stale, config=ONLY, data=data)] == [False]
    assert check_text(text, config=ONLY).edits == ()
