r"""A figure as a file of its own: a complete environment with caption, label and description, to be read into a paper.

The image carries no title; what it shows is said here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportkit.appearance.appearance import Flavour
from reportkit.rendering.contents import words_of
from reportkit.rendering.latex.latex import figure_view
from reportkit.rendering.latex.latex_head import latex_head
from reportkit.rendering.markdown.markdown import figure_view as markdown_figure_view
from reportkit.rendering.markdown.markdown import markdown_head
from reportkit.rendering.templates.environment import open_templates
from reportkit.rendering.text.inline import Lookup, citing
from reportkit.report.model import Figure, Signature

_FOLDER_NOTE = r"a paper in another folder finds the image with \graphicspath{{FOLDER OF THE REPORT/}} in its preamble"


def latex_figure(figure: Figure, signature: Signature | None = None, *, templates: Sequence[Path] = ()) -> str:
    r"""Write a figure as LaTeX, to be read into a paper with `\input`.

    Parameters
    ----------
    figure : Figure
        Any.
    signature : Signature, optional
        Of the report, for the first lines.
    templates : sequence of Path
        Folders with templates of a user.

    Returns
    -------
    str
        A `figure`, or a `figure*` where it is wider than a column. Needs graphicx. The image is looked for in
        `figures/`, from the folder of the paper or those of its `\graphicspath`.

    Raises
    ------
    RenderingError
        If a template of the user fails.
    """
    opened = open_templates("latex", tuple(templates))
    head = latex_head(
        f"figure {figure.name}",
        signature,
        f"{words_of([figure.caption])}\n{figure.alt_text}",
        packages=("graphicx",),
        notes=(_FOLDER_NOTE,),
    )
    with citing(figure.preset):
        body = opened.render("figure", figure=figure_view(figure)).strip("\n")
    return f"{opened.render('head', head=head).strip()}\n{body}\n"


def markdown_figure(
    figure: Figure,
    signature: Signature | None = None,
    *,
    templates: Sequence[Path] = (),
    lookup: Lookup | None = None,
    flavour: Flavour = "github",
) -> str:
    """Write a figure as Markdown: the image with its alternative text, and the caption.

    Parameters
    ----------
    figure : Figure
        Any.
    signature : Signature, optional
        Of the report, for the first lines.
    templates : sequence of Path
        Folders with templates of a user.
    lookup : Lookup, optional
        Numbers of tables and figures.
    flavour : {"github", "pandoc"}
        On GitHub the image is looked for from `more/figures/`, where the file is shown by itself; pandoc and Quarto
        look for it from the document that includes the file, in `figures/`.

    Raises
    ------
    RenderingError
        If a template of the user fails.
    """
    opened = open_templates("markdown", tuple(templates))
    view = markdown_figure_view(figure, lookup or Lookup(), flavour, "../../" if flavour == "github" else "")
    body = opened.render("pandoc-figure" if flavour == "pandoc" else "figure", figure=view).strip("\n")
    head = opened.render("head", head=markdown_head(f"figure {figure.name}", signature)).strip()
    return f"{head}\n\n{body}\n" if head else f"{body}\n"
