r"""Draft answers to checklists as files: Markdown to read and edit, LaTeX for an appendix, with `\ref`s to tables."""

from __future__ import annotations

from reportkit.rendering.contents import prose_of, words_of
from reportkit.rendering.latex.latex_head import latex_head
from reportkit.rendering.markdown.markdown import markdown_head
from reportkit.rendering.templates.environment import open_templates
from reportkit.rendering.text.escaping import escape_latex, escape_markdown, guard_line_start
from reportkit.rendering.text.inline import Lookup, latex_prose, markdown_prose
from reportkit.report.model import Block, Itemize, Paragraph, Report

CHECKLIST_MD = "checklist.md"
CHECKLIST_TEX = "checklist.tex"


def markdown_checklist(report: Report, lookup: Lookup) -> str:
    """Write the answers as Markdown; tables and figures by their numbers in the report.

    Parameters
    ----------
    report : Report
        With a checklist.
    lookup : Lookup
        Numbers of its tables and figures.
    """
    opened = open_templates("markdown")
    head = opened.render("head", head=markdown_head("checklist", report.signature))
    parts = [head.rstrip("\n")]
    for number, section in enumerate(report.checklist):
        parts.append(f"{'#' if number == 0 else '##'} {guard_line_start(escape_markdown(section.title))}")
        parts += [_markdown(block, lookup) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block, lookup: Lookup) -> str:
    match block:
        case Itemize():
            return "\n".join(f"- {guard_line_start(markdown_prose(item, lookup))}" for item in block.items)
        case Paragraph():
            return guard_line_start(markdown_prose(block.content, lookup))
        case _:
            raise TypeError(f"a checklist has no {type(block).__name__}")


def latex_checklist(report: Report) -> str:
    r"""Write the answers as LaTeX, to be read into the appendix of the paper that holds the tables with `\input`."""
    blocks = [block for section in report.checklist for block in section.blocks]
    words = words_of([content for block in blocks for content in prose_of(block)])
    notes = ("copy it into an appendix, and replace each FILL IN by your answer",)
    head = latex_head("checklist", report.signature, words, notes=notes)
    parts = [open_templates("latex").render("head", head=head).rstrip("\n")]
    for number, section in enumerate(report.checklist):
        command = "section" if number == 0 else "subsection"
        parts.append(rf"\{command}*{{{escape_latex(section.title)}}}")
        parts += [_latex(block) for block in section.blocks]
    return "\n".join(parts) + "\n"


def _latex(block: Block) -> str:
    match block:
        case Itemize():
            items = tuple(latex_prose(item, breakable=True) for item in block.items)
            return open_templates("latex").render("itemize", items=items).rstrip("\n")
        case Paragraph():
            return latex_prose(block.content, breakable=True)
        case _:
            raise TypeError(f"a checklist has no {type(block).__name__}")
