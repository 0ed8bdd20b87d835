"""A figure as a file of its own: complete, escaped, as wide as the column of the paper that reads it."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from reportkit.appearance.venues import VENUES
from reportkit.figures.drawing.save import figure_bytes
from reportkit.figures.forest_content import ForestContent, ForestRow
from reportkit.rendering.files.figure_files import latex_figure, markdown_figure
from reportkit.rendering.text.inline import Lookup
from reportkit.report.model import Figure
from reportkit.report.prose import Text
from tests.rendering.conftest import HOSTILE, SIGNATURE, Compile, line_figure
from tests.rendering.documents import DOCUMENTS


def forest(n: int, venue: str = "report", names: tuple[str, ...] = ()) -> Figure:
    """A forest plot of n datasets: over 70 are wider than a column."""
    rows = tuple(
        ForestRow(
            dataset=names[place % len(names)] if names else f"dataset {place}",
            difference=0.1 * place - 2,
            text=f"+{place}.0",
            has_interval=False,
            low=None,
            high=None,
            adjusted_p_value=0.5,
            mark="not identified",
        )
        for place in range(n)
    )
    content = ForestContent(
        system_a="new", system_b="old", rows=rows, quantity="difference in accuracy", unit="percentage points",
        subtraction="A − B", level=None, alpha=0.05,
    )  # fmt: skip
    return Figure(
        name="forest", caption=(Text("Differences."),), alt_text="Dots.", kind="forest", content=content, venue=venue
    )


def test_latex_is_a_complete_environment() -> None:
    """Where it comes from, what it needs, the image, a description, the caption, the label."""
    text = latex_figure(line_figure(), SIGNATURE)
    lines = text.splitlines()
    assert lines[0].startswith("% reportkit ")
    assert r"% needs \usepackage{graphicx}" in lines
    assert f"% {SIGNATURE.line}" in lines
    assert any(line.startswith("%") and r"\graphicspath" in line for line in lines)
    body = [line for line in lines if not line.startswith("%")]
    assert body == [
        r"\begin{figure}",
        r"\centering",
        r"\includegraphics{figures/forest}",
        r"\ifdefined\Description\Description{From 0\% to 1 [up] \& on.}\fi",
        r"\caption{Differences \& $\delta$.}",
        r"\label{fig:forest}",
        r"\end{figure}",
    ]
    assert text.endswith("\n")


@pytest.mark.parametrize(
    ("n", "venue", "environment"),
    [(5, "acl", "figure"), (90, "acl", "figure*"), (90, "neurips", "figure"), (90, "ieee", "figure*")],
)
def test_only_wide_figures_cross_two_columns(n: int, venue: str, environment: str) -> None:
    """Where there are two columns, and where the figure does not fit one."""
    text = latex_figure(forest(n, venue))
    assert rf"\begin{{{environment}}}" in text
    assert rf"\end{{{environment}}}" in text


def test_markdown_is_for_the_place_where_it_is_read() -> None:
    """On GitHub the image is found from where the file stands, by pandoc and Quarto from the report's folder."""
    github = markdown_figure(line_figure(), lookup=Lookup(numbers={("figure", "forest"): 2}))
    assert github.startswith(
        "![From 0% to 1 \\[up\\] & on.](../../figures/forest.png)\n\n**Figure 2.** Differences & δ."
    )
    pandoc = markdown_figure(line_figure(), SIGNATURE, flavour="pandoc")
    head, body = pandoc.split("\n\n", 1)
    assert SIGNATURE.line in head
    assert "](figures/forest.png){#fig-forest fig-alt=" in body
    assert body.startswith("![Differences")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_captions_and_descriptions_inject_nothing(name: str) -> None:
    """One environment, one image, whatever the names are."""
    figure = dataclasses.replace(line_figure(), caption=(Text(name),), alt_text=name)
    text = latex_figure(figure, SIGNATURE)
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert re.findall(r"\\(?:begin|end|input|includegraphics)\{[^}]*\}", body) == [
        r"\begin{figure}",
        r"\includegraphics{figures/forest}",
        r"\end{figure}",
    ]
    for flavour in ("github", "pandoc"):
        written = markdown_figure(figure, flavour=flavour)  # type: ignore[arg-type]
        assert not re.search(r"(?<!\\)<script", written)


@pytest.mark.tex
@pytest.mark.parametrize("name", DOCUMENTS)
def test_figures_fit_the_columns_of_papers(name: str, compile_tex: Compile, tmp_path: Path) -> None:
    r"""Read from another folder by its \graphicspath, no figure is wider than its column, nor higher than the page."""
    document = DOCUMENTS[name]
    (tmp_path / "figures").mkdir()
    parts, files = [], {}
    for number, n in enumerate((3, 90)):
        figure = dataclasses.replace(forest(n, document.venue, ("R&D_50%", "$x$ é", "plain")), name=f"forest-{number}")
        (tmp_path / "figures" / f"{figure.name}.pdf").write_bytes(figure_bytes(figure.draw(), "pdf"))
        files[f"{figure.name}.tex"] = latex_figure(figure, SIGNATURE)
        parts.append(rf"\input{{{figure.name}}}")
    packages = rf"\usepackage{{graphicx}}\graphicspath{{{{{tmp_path}/}}}}"
    compiled = compile_tex(document.source("\n".join(parts), packages), files)
    assert compiled.overfull == []
    assert "Float too large" not in compiled.log
    assert VENUES[document.venue].name == document.venue
