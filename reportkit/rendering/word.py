"""Word: the report as a document with real tables, numbered captions and headings."""

from __future__ import annotations

import dataclasses
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

from reportkit.rendering.literature import numbers, works
from reportkit.rendering.notation import Context, Format, Html
from reportkit.rendering.office import optional, undated
from reportkit.rendering.text.escaping import visible
from reportkit.report.model import Block, Cell, Figure, Itemize, Paragraph, Report, Row, Signature, Table, Words

_HEAVY, _LIGHT = "12", "4"  # eighths of a point
_WRITTEN = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_WIDEST_FIGURE = 6.0  # inches
_NEEDS = {"module": "docx", "of": "Word files", "extra": "word"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Characters that look alike."""

    text: str
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    code: bool = False
    raised: bool = False
    lowered: bool = False


_LOOKS = {
    "strong": "bold",
    "em": "italic",
    "i": "italic",
    "u": "underlined",
    "code": "code",
    "sup": "raised",
    "sub": "lowered",
}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.runs: list[Run] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        looks = {_LOOKS[tag]: True for tag in self._open if tag in _LOOKS}
        self.runs.append(Run(text=data, **looks))


def runs_of(text: Words, context: Context | None = None) -> tuple[Run, ...]:
    """Take a text apart into runs, as a page shows it.

    Examples
    --------
    >>> [(run.text, run.italic) for run in runs_of("k̂ & 𝑛")]
    [('k̂ & ', False), ('n', True)]
    """
    reader = _Reader()
    reader.feed(str(Html(context).write(text)))
    reader.close()
    return tuple(reader.runs)


def _runs_of_cell(cell: Cell, context: Context) -> tuple[Run, ...]:
    """Take a cell apart: its text as it is set off, and the signs behind it."""
    shown = [
        dataclasses.replace(run, bold=run.bold or cell.bold, underlined=run.underlined or cell.underline)
        for run in runs_of(cell.text, context)
    ]
    return (*shown, Run(text=cell.mark, raised=True)) if cell.mark else tuple(shown)


def _plain(text: Words) -> str:
    return str(Format().write(text))


class _Document:
    """A document that is being written."""

    def __init__(self, title: Words, context: Context) -> None:
        docx = optional(**_NEEDS)
        self._oxml = optional("docx.oxml", of="Word files", extra="word")
        self._names = optional("docx.oxml.ns", of="Word files", extra="word").qn
        self._shared = optional("docx.shared", of="Word files", extra="word")
        self._enum = optional("docx.enum.text", of="Word files", extra="word")
        self._cells = optional("docx.enum.table", of="Word files", extra="word")
        self.content = docx.Document()
        self._context = context
        self._counted: Counter[str] = Counter()
        properties = self.content.core_properties
        properties.author, properties.comments, properties.title = "reportkit", "", _plain(title)[:255]
        properties.created = properties.modified = _WRITTEN
        for style, size in (("Normal", 10), ("Caption", 9)):
            self.content.styles[style].font.size = self._shared.Pt(size)
        caption = self.content.styles["Caption"].font
        caption.bold, caption.color.rgb = False, self._shared.RGBColor(0, 0, 0)

    def heading(self, text: Words, level: int) -> None:
        self.content.add_heading(str(Format(self._context).write(text)), level)

    def paragraph(self, runs: Iterable[Run], style: str | None = None) -> Any:
        added = self.content.add_paragraph(style=style)
        self._write(added, runs)
        return added

    def figure(self, figure: Figure, image: bytes) -> None:
        picture = self.content.add_picture(io.BytesIO(image))
        widest = self._shared.Inches(_WIDEST_FIGURE)
        if picture.width > widest:
            picture.height = round(picture.height * widest / picture.width)
            picture.width = widest
        described = picture._inline.docPr
        described.set("descr", visible(figure.alt_text))
        described.set("name", f"figure {figure.name}")
        self.content.paragraphs[-1].paragraph_format.keep_with_next = True
        self._caption("Figure", figure.caption)

    def table(self, table: Table, *, numbered: bool = True) -> None:
        """Write the caption, with a number that Word counts, and below it the table."""
        if table.full_caption and numbered:
            self._caption("Table", table.full_caption).paragraph_format.keep_with_next = True
        elif table.full_caption:
            self.paragraph(runs_of(table.full_caption, self._context), "Caption")
        head = ([None] if table.spanners else []) + [table.columns, *table.header_rows]
        grid = self.content.add_table(rows=len(head) + len(table.rows), cols=len(table.columns))
        grid.alignment = self._cells.WD_TABLE_ALIGNMENT.LEFT
        grid.autofit = True
        rows = list(grid.rows)
        for row in rows:
            self._unbroken(row, repeated=row in rows[: len(head)])
        if table.spanners:
            for spanner in table.spanners:
                merged = rows[0].cells[spanner.first].merge(rows[0].cells[spanner.last])
                self._fill(merged, runs_of(spanner.header, self._context), "center")
                self._ruled([merged], bottom=_LIGHT)
        first = int(bool(table.spanners))
        for cell, column in zip(rows[first].cells, table.columns, strict=True):
            self._fill(cell, runs_of(column.header, self._context), column.align)
        for row, shown in zip(rows[first + 1 :], (*table.header_rows, *table.rows), strict=True):
            self._row(row, shown, table)
        self._ruled(rows[0].cells, top=_HEAVY)
        self._ruled(rows[len(head) - 1].cells, bottom=_LIGHT)
        self._ruled(rows[-1].cells, bottom=_HEAVY)
        self.content.add_paragraph()

    def _row(self, row: Any, shown: Row, table: Table) -> None:
        cells = row.cells
        if shown.heading:
            merged = cells[0].merge(cells[-1])
            self._fill(merged, _runs_of_cell(shown.cells[0], self._context), "left")
            cells = [merged]
        else:
            for cell, content, column in zip(cells, shown.cells, table.columns, strict=True):
                self._fill(cell, _runs_of_cell(content, self._context), column.align)
        if shown.rule_above:
            self._ruled(cells, top=_LIGHT)

    def _fill(self, cell: Any, runs: Iterable[Run], align: str) -> None:
        width = cell._tc.get_or_add_tcPr().get_or_add_tcW()
        width.type, width.w = "auto", 0  # as wide as its content
        paragraph = cell.paragraphs[0]
        form = paragraph.paragraph_format
        form.alignment = getattr(self._enum.WD_ALIGN_PARAGRAPH, align.upper())
        form.space_before = form.space_after = self._shared.Pt(1)
        self._write(paragraph, runs, size=9)

    def _caption(self, kind: str, content: Any) -> Any:
        paragraph = self.content.add_paragraph(style="Caption")
        self._write(paragraph, [Run(text=f"{kind} ", bold=True)])
        self._counted[kind] += 1
        self._field(paragraph, f" SEQ {kind} \\* ARABIC ", str(self._counted[kind]))
        self._write(paragraph, [Run(text=". ", bold=True), *runs_of(content, self._context)])
        return paragraph

    def _field(self, paragraph: Any, code: str, shown: str) -> None:
        """A number that Word counts, and what stands there until it does."""
        for kind in ("begin", code, "separate", shown, "end"):
            run = paragraph.add_run()
            run.bold = True
            if kind == shown:
                run.text = shown
                continue
            element = self._oxml.OxmlElement("w:instrText" if kind == code else "w:fldChar")
            if kind == code:
                element.text = code
            else:
                element.set(self._names("w:fldCharType"), kind)
            run._r.append(element)

    def _write(self, paragraph: Any, runs: Iterable[Run], size: float | None = None) -> None:
        for run in runs:
            added = paragraph.add_run(visible(run.text))
            for asked, name in (
                (run.bold, "bold"),
                (run.italic, "italic"),
                (run.underlined, "underline"),
            ):
                if asked:
                    setattr(added, name, True)
            if run.raised:
                added.font.superscript = True
            elif run.lowered:
                added.font.subscript = True
            if run.code:
                added.font.name = "Consolas"
            if size is not None:
                added.font.size = self._shared.Pt(size)

    def _unbroken(self, row: Any, *, repeated: bool) -> None:
        """No row is torn by the end of a page, and the header is repeated on the next one."""
        properties = row._tr.get_or_add_trPr()
        properties.append(self._oxml.OxmlElement("w:cantSplit"))
        if repeated:
            properties.append(self._oxml.OxmlElement("w:tblHeader"))

    def _ruled(self, cells: Sequence[Any], **sides: str) -> None:
        for cell in cells:
            properties = cell._tc.get_or_add_tcPr()
            borders = properties.find(self._names("w:tcBorders"))
            if borders is None:
                borders = self._oxml.OxmlElement("w:tcBorders")
                properties.append(borders)
            for side in ("top", "bottom"):
                if side in sides:
                    rule = borders.find(self._names(f"w:{side}"))
                    if rule is None:
                        rule = self._oxml.OxmlElement(f"w:{side}")
                        borders.insert(0 if side == "top" else len(borders), rule)
                    for name, value in (("val", "single"), ("sz", sides[side]), ("space", "0"), ("color", "000000")):
                        rule.set(self._names(f"w:{name}"), value)

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
    context = Context(numbers=numbers(report), labels=report.appearance.labels)
    document = _Document(report.title, context)
    document.heading(report.title, 0)
    for section in report.sections:
        document.heading(section.title, 1)
        for block in section.blocks:
            _write_block(document, block, context, images)
    if cited := works(report):
        document.heading("References", 1)
        for words, _ in cited:
            document.paragraph([Run(text=words)])
    document.paragraph([Run(text=report.signature.line, code=True)])
    return document.bytes()


def _write_block(document: _Document, block: Block, context: Context, images: Mapping[str, bytes]) -> None:
    match block:
        case Table():
            document.table(block)
        case Figure():
            document.figure(block, images[block.name])
        case Paragraph():
            document.paragraph(runs_of(block.content, context))
        case Itemize():
            for item in block.items:
                document.paragraph(runs_of(item, context), "List Bullet")


def word_table(table: Table, signature: Signature | None = None, context: Context | None = None) -> bytes:
    """Write one table as a Word document, to be copied from."""
    document = _Document(table.name, context or Context())
    document.table(table, numbered=False)
    if signature is not None:
        document.paragraph([Run(text=signature.line, code=True)])
    return document.bytes()
