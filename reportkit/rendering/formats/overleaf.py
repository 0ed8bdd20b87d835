r"""Overleaf: a project to be uploaded as it is, which compiles, and shows the three lines that another paper needs.

It holds `main.tex`, and in `reportkit/` the tables, figures, numbers and the paragraph that `main.tex` reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reportkit.appearance.venues import Venue
from reportkit.rendering.contents import all_prose, cited_keys
from reportkit.rendering.formats.format import OutputFormat, archive
from reportkit.rendering.latex.latex import preamble_of
from reportkit.rendering.numbers.number_macros import NUMBERS_TEX
from reportkit.report.model import Figure, Paragraph, Report, Table

PROJECT = "overleaf.zip"
FOLDER = "reportkit"

THREE_LINES = (
    r"\usepackage{booktabs,graphicx}",
    rf"\graphicspath{{{{{FOLDER}/}}}}",
    rf"\input{{{FOLDER}/rknumbers}}",
)
"""What a paper needs in its preamble to read everything in the folder."""


def overleaf_project(report: Report, written: Mapping[str, bytes]) -> bytes:
    """Pack a project for Overleaf.

    Parameters
    ----------
    report : Report
        Any.
    written : mapping of str to bytes
        Its files by their names, without the folders that they are put into.

    Returns
    -------
    bytes
        A .zip file, to be uploaded as a new project; the same report gives the same bytes.
    """
    wanted = (NUMBERS_TEX, "references.bib", *(f"{block.name}.tex" for block in _paragraphs(report)))
    inside = {name: written[name] for name in wanted if name in written}
    inside |= {
        name: content
        for name, content in written.items()
        if (name.startswith("tables/") and name.endswith(".tex"))
        or (name.startswith("figures/") and name.endswith((".tex", ".pdf")))
    }
    main = "\n".join(_main(report, inside)) + "\n"
    packed = {f"{FOLDER}/{name}": content for name, content in sorted(inside.items())}
    return archive({"main.tex": main.encode("utf-8", "backslashreplace"), **packed})


def _paragraphs(report: Report) -> list[Paragraph]:
    return [block for block in report.blocks if isinstance(block, Paragraph) and block.name]


def _main(report: Report, inside: Mapping[str, bytes]) -> Iterator[str]:
    venue = report.appearance.preset
    yield "% Compiles with pdflatex. In a paper of your own, upload the folder reportkit/, and put into the preamble"
    yield "% the three lines between here and there; then \\input what you want, as below."
    yield rf"\documentclass[{'twocolumn' if venue.two_columns else 'onecolumn'}]{{article}}"
    yield r"\usepackage[T1]{fontenc}"
    yield r"\usepackage{mathptmx}"
    yield rf"\usepackage[{_geometry(venue)}]{{geometry}}"
    yield "% --- from here"
    lines = list(THREE_LINES)
    if NUMBERS_TEX not in inside:
        lines.pop()
    yield from lines
    yield "% --- to there"
    yield r"\usepackage{caption}"
    yield from preamble_of(report)
    yield r"\usepackage[round]{natbib}"
    if venue.citation == "cite":
        yield r"\let\cite\citep % as the style of the venue has it"
    yield r"\begin{document}\sloppy"
    yield r"\section*{Results}"
    # the text first: what floats stands beside it, and not behind the references
    for block in sorted(report.blocks, key=lambda block: not isinstance(block, Paragraph)):
        match block:
            case Paragraph() if block.name:
                yield rf"\input{{{FOLDER}/{block.name}}}"
            case Table() if report.appearance.environment == "tabular":
                yield rf"\begin{{table}}\centering\input{{{FOLDER}/tables/{block.name}}}\end{{table}}"
            case Table():
                yield rf"\input{{{FOLDER}/tables/{block.name}}}"
            case Figure():
                yield rf"\input{{{FOLDER}/figures/{block.name}}}"
            case _:
                continue
        yield ""
    if cited_keys(all_prose(report)):
        yield r"\bibliographystyle{plainnat}"
        yield rf"\bibliography{{{FOLDER}/references}}"
    yield r"\end{document}"


def _geometry(venue: Venue) -> str:
    gap = f",columnsep={venue.text_width - 2 * venue.column_width:g}pt" if venue.two_columns else ""
    return f"textwidth={venue.text_width:g}pt,textheight={venue.text_height:g}pt{gap}"


def _files(report: Report, written: Mapping[str, bytes]) -> dict[str, bytes]:
    return {PROJECT: overleaf_project(report, written)}


OVERLEAF = OutputFormat(name="overleaf", files=_files)
