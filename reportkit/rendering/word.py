"""Word: the report as a document with real tables, numbered captions and headings."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from reportkit.rendering.literature import numbers, works
from reportkit.rendering.notation import Context, Format, Html
from reportkit.rendering.office import optional, undated
from reportkit.rendering.text.escaping import visible
from reportkit.report.model import Cell, Figure, Itemize, Paragraph, Report, Table, Words

_WRITTEN = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_WIDEST_FIGURE = 6.0  # inches
_NEEDS = {"of": "Word files", "extra": "word"}


class _Runs(HTMLParser):
    """Write text of a page into a paragraph of Word, in runs with the same look."""

    def __init__(self, paragraph: Any, cell: Cell | None = None) -> None:
        super().__init__(convert_charrefs=True)
        self._paragraph, self._cell = paragraph, cell or Cell()
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        run = self._paragraph.add_run(visible(data))
        run.bold = self._cell.bold or "strong" in self._open or None
        run.italic = "i" in self._open or None
        run.underline = self._cell.underline or "u" in self._open or None
        run.font.superscript = "sup" in self._open or None
        run.font.name = "Consolas" if "code" in self._open else None


class _Document:
    """A document that is being written."""

    def __init__(self, title: Words, context: Context) -> None:
        self.content = optional("docx", **_NEEDS).Document()
        self._oxml = optional("docx.oxml", **_NEEDS)
        self._name = optional("docx.oxml.ns", **_NEEDS).qn
        self._inches = optional("docx.shared", **_NEEDS).Inches
        self._sides = optional("docx.enum.text", **_NEEDS).WD_ALIGN_PARAGRAPH
        self._html, self._plain = Html(context), Format(context)
        self._counted: Counter[str] = Counter()
        properties = self.content.core_properties
        properties.author, properties.comments = "reportkit", ""
        properties.title = str(self._plain.write(title))[:255]
        properties.created = properties.modified = _WRITTEN

    def heading(self, text: Words, level: int) -> None:
        self.content.add_heading(str(self._plain.write(text)), level)

    def paragraph(self, text: Words, style: str | None = None) -> None:
        self._write(self.content.add_paragraph(style=style), text)

    def _write(self, paragraph: Any, text: Words, cell: Cell | None = None) -> None:
        runs = _Runs(paragraph, cell)
        runs.feed(str(self._html.write(text)))
        runs.close()
        if cell is not None and cell.mark:
            paragraph.add_run(visible(cell.mark)).font.superscript = True

    def figure(self, figure: Figure, image: bytes) -> None:
        picture = self.content.add_picture(io.BytesIO(image))
        widest = self._inches(_WIDEST_FIGURE)
        if picture.width > widest:
            picture.width, picture.height = widest, round(picture.height * widest / picture.width)
        picture._inline.docPr.set("descr", visible(figure.alt_text))
        self.content.paragraphs[-1].paragraph_format.keep_with_next = True
        self._caption("Figure", figure.caption)

    def table(self, table: Table) -> None:
        """Write the caption, with a number that Word counts, and below it the table."""
        if table.full_caption:
            self._caption("Table", table.full_caption).paragraph_format.keep_with_next = True
        head = int(bool(table.spanners)) + 1 + len(table.header_rows)
        grid = self.content.add_table(head + len(table.rows), len(table.columns), "Light Shading")
        look = grid._tbl.tblPr.find(self._name("w:tblLook"))
        for name, value in (("firstColumn", "0"), ("noHBand", "1"), ("firstRow", "0")):
            look.set(self._name(f"w:{name}"), value)
        rows = list(grid.rows)
        for row in rows[:head]:
            row._tr.get_or_add_trPr().append(self._oxml.OxmlElement("w:tblHeader"))
        for spanner in table.spanners:
            over = rows[0].cells[spanner.first].merge(rows[0].cells[spanner.last])
            self._fill(over, Cell(text=spanner.header), "center")
        names = tuple(Cell(text=column.header, bold=True) for column in table.columns)
        shown = (names, *(row.cells for row in (*table.header_rows, *table.rows)))
        for row, cells in zip(rows[len(rows) - len(shown) :], shown, strict=True):
            for place, cell, column in zip(row.cells, cells, table.columns, strict=True):
                self._fill(place, cell, column.align)
        self.content.add_paragraph()

    def _fill(self, place: Any, cell: Cell, align: str) -> None:
        paragraph = place.paragraphs[0]
        paragraph.paragraph_format.alignment = getattr(self._sides, align.upper())
        paragraph.paragraph_format.space_after = 0
        self._write(paragraph, cell.text, cell)

    def _caption(self, kind: str, text: Words) -> Any:
        self._counted[kind] += 1
        paragraph = self.content.add_paragraph(f"{kind} ", "Caption")
        field = self._oxml.OxmlElement("w:fldSimple")
        field.set(self._name("w:instr"), f"SEQ {kind} \\* ARABIC")
        field.append(paragraph.add_run(str(self._counted[kind]))._r)
        paragraph._p.append(field)
        paragraph.add_run(". ")
        self._write(paragraph, text)
        return paragraph

    def bytes(self) -> bytes:
        buffer = io.BytesIO()
        self.content.save(buffer)
        return undated(buffer.getvalue())


def word_document(report: Report, images: Mapping[str, bytes]) -> bytes:
    """Write a report as a Word document.

    Parameters
    ----------
    report : Report
        Any.
    images : mapping of str to bytes
        Name of a figure to its PNG.

    Returns
    -------
    bytes
        A .docx file. Headings are Word's styles, tables are tables with a repeated header, captions have numbers that
        Word counts, figures have their alternative texts. The same report gives the same bytes.

    Raises
    ------
    RenderingError
        If python-docx is not installed.
    """
    document = _Document(report.title, Context(numbers=numbers(report), labels=report.appearance.labels))
    document.heading(report.title, 0)
    for section in report.sections:
        document.heading(section.title, 1)
        for block in section.blocks:
            match block:
                case Table():
                    document.table(block)
                case Figure():
                    document.figure(block, images[block.name])
                case Paragraph():
                    document.paragraph(block.content)
                case Itemize():
                    for item in block.items:
                        document.paragraph(item, "List Bullet")
    if cited := works(report):
        document.heading("References", 1)
        for words, _ in cited:
            document.paragraph(words)
    document.paragraph(report.signature.line)
    return document.bytes()
