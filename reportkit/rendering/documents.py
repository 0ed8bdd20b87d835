"""Tables, figures, paragraphs and whole reports in LaTeX, Markdown, HTML and Typst: skeletons that are filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from markupsafe import Markup

from reportkit.appearance import Appearance
from reportkit.finding import Finding
from reportkit.rendering.environment import Skeletons
from reportkit.rendering.literature import all_texts, check_references, cited_keys, numbers, origin, works
from reportkit.rendering.notation import FORMATS, Context, Format
from reportkit.rendering.tabular import laid_out
from reportkit.rendering.text.escaping import INVISIBLE, needs_t1, unsettable, visible
from reportkit.report.model import Block, Figure, Itemize, Paragraph, Report, Section, Signature, Table
from reportkit.report.tokens import cleaned, code


class Writer:
    """Write parts of a report in one format.

    Parameters
    ----------
    name : {"latex", "markdown", "html", "typst"}
        The format.
    look : Appearance, optional
        Venue, environment, side of the caption.
    signature : Signature, optional
        Stands in the comments above each file.
    templates : sequence of Path
        Folders with templates of a user.
    context : Context, optional
        Numbers of tables and figures.

    Raises
    ------
    RenderingError
        If a template of the user fails.
    """

    def __init__(
        self,
        name: str,
        look: Appearance | None = None,
        signature: Signature | None = None,
        *,
        templates: Sequence[Path] = (),
        context: Context | None = None,
    ) -> None:
        self.look, self.signature = look or Appearance(), signature
        known = replace(context or Context(), labels=self.look.labels, citation=self.look.preset.citation)
        self.notation: Format = FORMATS[name](known)
        self._skeletons = Skeletons(self.notation, templates)

    def table(self, table: Table, *, head: bool = True, skeleton: str = "table", **more: Any) -> str:
        """Write a table with its caption and label."""
        layout = laid_out(table, self.look, self.notation)
        venue = self.look.preset
        body = self._skeletons.fill(
            skeleton,
            table=table,
            layout=layout,
            look=self.look,
            venue=venue,
            title=self._title(table),
            above=self.look.caption_side == "above",
            notes=venue.notes == "below" and layout.environment != "tabular",
            sides={"left": ":--", "right": "--:", "center": ":-:"},
            **more,
        )
        packages = ["booktabs", *["adjustbox"] * layout.shrunk]
        return self.head(f"table {table.name}", body, packages) + body if head else body

    def figure(self, figure: Figure, *, root: str = "", head: bool = False, **more: Any) -> str:
        """Write a figure; `root` is the way to the folder that holds `figures/`."""
        body = self._skeletons.fill(
            "figure",
            figure=figure,
            environment="figure*" if figure.wide else "figure",
            path=f"{root}figures/{figure.name}",
            title=self._title(figure),
            **more,
        )
        return self.head(f"figure {figure.name}", body, ["graphicx"]) + body if head else body

    def paragraph(self, paragraph: Paragraph) -> str:
        """Write running text, to be read into a paper."""
        body = self._skeletons.fill("paragraph", content=paragraph.content)
        return self.head(f"paragraph {paragraph.name}".strip(), body) + body

    def document(self, report: Report, *, root: str = "", inline: bool = True, **more: Any) -> str:
        """Write a whole report.

        Parameters
        ----------
        report : Report
            Any.
        root : str
            The way from the document to the folder that holds `figures/`.
        inline : bool
            Whether tables and named paragraphs are in the document, instead of being read from their files.

        Raises
        ------
        RenderingError
            If a template fails, or a reference points to a table or figure that the report does not have.
        UnknownNameError
            If a work is cited that is not in the literature.
        """
        check_references(report)
        body = self._skeletons.fill(
            "report",
            report=report,
            sections=self._sections(report.sections, root=root, inline=inline),
            signature=code(cleaned(report.signature.line)),
            works=works(report),
            cited=bool(cited_keys(all_texts(report))),
            root=root,
            comments=self._shown(self._comments("report")),
            venue=self.look.preset,
            above=self.look.caption_side == "above",
            shrunk=any(laid_out(table, self.look, self.notation).shrunk for table in report.tables),
            **more,
        )
        return body if self.notation.name == "html" else self.head("report", body) + body

    def sections(self, what: str, sections: Sequence[Section]) -> str:
        """Write sections of text as a file of its own, such as the draft of a checklist."""
        body = self._skeletons.fill("sections", sections=self._sections(sections))
        return self.head(what, body) + body

    def _sections(self, sections: Sequence[Section], *, root: str = "", inline: bool = True) -> list[dict[str, Any]]:
        return [
            {
                "title": section.title,
                "blocks": [
                    {
                        "kind": type(block).__name__.lower(),
                        "body": Markup(self.block(block, root=root, inline=inline).rstrip()),  # noqa: S704 - written here
                        "keep": isinstance(block, Paragraph) and isinstance(following, (Table, Figure)),
                    }
                    for block, following in zip_longest(section.blocks, section.blocks[1:])
                ],
            }
            for section in sections
        ]

    def block(self, block: Block, *, root: str = "", inline: bool = True) -> str:
        """Write one block of a section."""
        match block:
            case Table() if inline:
                return self.table(block, head=False)
            case Figure():
                return self.figure(block, root=root)
            case Paragraph() if inline or not block.name:
                return self._skeletons.fill("paragraph", content=block.content)
            case Itemize():
                return self._skeletons.fill("itemize", items=block.items) if block.items else ""
            case _:
                return self._skeletons.fill("read", block=block, table=isinstance(block, Table), look=self.look)

    def _title(self, block: Table | Figure) -> str:
        kind, number = type(block).__name__, self.notation.context.numbers.get(block.label)
        return f"{kind} {number}" if number else kind

    def _comments(self, what: str) -> list[str]:
        return [] if self.signature is None else [origin(what, self.signature), self.signature.line]

    def head(self, what: str, body: str, packages: Sequence[str] = ()) -> str:
        """Write the comments above a file: where it comes from, which packages it needs, what pdflatex cannot set."""
        comments = self._comments(what)
        definitions: list[str] = []
        if self.notation.name == "latex":
            needed = [f"\\usepackage{{{name}}}" for name in packages]
            needed += [r"\usepackage[T1]{fontenc}"] if packages and needs_t1(body) else []
            comments[1:1] = [f"needs {' '.join(needed)}"] if needed else []
            definitions = _definitions(body)
        if not comments and not definitions:
            return ""
        shown = self._shown(comments)
        return self._skeletons.fill("head", comments=shown, definitions=[Markup(line) for line in definitions])  # noqa: S704

    def _shown(self, comments: Sequence[str]) -> list[Markup]:
        return [Markup(_harmless(visible(line), self.notation.name)) for line in comments]  # noqa: S704


def report_writer(name: str, report: Report, *, templates: Sequence[Path] = ()) -> Writer:
    """Return the writer of a report, which knows the numbers of its tables and figures."""
    known = Context(numbers=numbers(report))
    return Writer(name, report.appearance, report.signature, templates=templates, context=known)


def _harmless(line: str, name: str) -> str:
    """Keep a comment of HTML from being ended by what is in it."""
    if name not in ("markdown", "html"):
        return line
    return line.replace("--", "-\u2010").replace(">", "\u203a").replace("<", "\u2039")


SPECIMEN = (
    r"\ifdefined\rkunicode\else\protected\def\rkunicode#1{\leavevmode\begingroup\fboxsep0.5pt\fboxrule0.2pt"
    r"\fbox{\tiny\ttfamily#1}\endgroup}\fi%"
)
"""A character without a glyph: its code in a small box."""


def _definitions(body: str) -> list[str]:
    missing, silent = sorted(unsettable(body)), sorted(set(visible(body)) & INVISIBLE)
    lines = [SPECIMEN] if missing else []
    for character in (*missing, *silent):
        name = rf"u8:\detokenize{{{character}}}\endcsname"
        meaning = "" if character in INVISIBLE else rf"\rkunicode{{{ord(character):04X}}}"
        lines.append(rf"\ifcsname {name}\else\expandafter\def\csname {name}{{{meaning}}}\fi%")
    return lines


def unicode_finding(report: Report) -> Finding | None:
    """Say which characters of a report pdflatex cannot set; None if it sets them all."""
    plain = Format(Context(labels=report.appearance.labels))
    characters = "".join(sorted(unsettable("\n".join(plain.write(text) for text in all_texts(report)))))
    if not characters:
        return None
    return Finding(
        "characters-without-glyph",
        "info",
        f"pdflatex has no glyph for {' '.join(characters[:20])}{' and more' if len(characters) > 20 else ''}; "
        "it prints their code in a box.",
        remedy="compile with xelatex or lualatex and a font that has them",
    )
