"""Typst: each table and the paragraph to be included in a paper, and the report as a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from reportkit.appearance.appearance import DEFAULT_APPEARANCE, Appearance
from reportkit.rendering.contents import all_prose, cited_keys, origin
from reportkit.rendering.formats.format import OutputFormat
from reportkit.rendering.markdown.markdown import numbers
from reportkit.rendering.text.escaping import visible
from reportkit.rendering.text.inline import PREFIXES, Lookup
from reportkit.rendering.text.runs import Run, runs_of, runs_of_cell
from reportkit.report.model import Block, Cell, Figure, Itemize, Paragraph, Report, Row, Signature, Table
from reportkit.report.prose import Cite, Prose, Reference

_HELPERS = (
    "// a reference where the paper has what is meant, and words where it does not",
    "#let rk-ref(label, words) = context if query(label).len() > 0 { ref(label) } else { words }",
    "#let rk-cite(keys, words) = context if query(bibliography).len() > 0 { keys.map(cite).join() } else { words }",
)
_SIGNS = re.compile(r"""[\\*_`$#<>@\[\]~'"]""")
_JOINED = re.compile(r"-(?=[-?\d])|(?<=-)-|\.(?=\.)|(?<=\.)\.|/(?=[/*:])|(?<=[/:])/")
_AT_START = re.compile(r"\s*(?=(=+|[+/-])(\s|$))|\s*\d+(?=[.)](\s|$))")
_RULES = {"heavy": "0.8pt", "light": "0.5pt", "thin": "0.3pt"}


def escape_typst(text: str) -> str:
    r"""Escape text for Typst's markup, at the start of a line too.

    Examples
    --------
    >>> print(escape_typst("a_b #1 -- 50% [x]"), escape_typst("- x"), escape_typst("nyt-editorials"))
    a\_b \#1 \-\- 50% \[x\] \- x nyt-editorials
    """
    shown = _SIGNS.sub(r"\\\g<0>", visible(text))
    start = _AT_START.match(shown)
    cuts = {found.start() for found in _JOINED.finditer(shown)}
    if start is not None and start.end() < len(shown):
        cuts.add(start.end())
    return "".join(f"\\{sign}" if place in cuts and not sign.isalnum() else sign for place, sign in enumerate(shown))


def typst_prose(content: Prose, lookup: Lookup | None = None) -> str:
    r"""Write prose as Typst's markup.

    Citations and references are `rk-cite` and `rk-ref`, which every file defines that needs them.

    Examples
    --------
    >>> from reportkit.report.prose import prose
    >>> print(typst_prose(prose("{k_hat_fisher} of {a}", a="x_1")))
    k̂#sub[Fisher] of x\_1
    """
    lookup = lookup or Lookup()
    return "".join(_part(part, lookup) for part in content)


def _part(part: object, lookup: Lookup) -> str:
    words = "".join(_run(run) for run in runs_of((part,), lookup))  # type: ignore[arg-type]
    match part:
        case Cite(keys):
            listed = ", ".join(f"<{key}>" for key in keys)
            return f"#rk-cite(({listed},), [{words}])"
        case Reference(kind, name):
            return f"#rk-ref(<{PREFIXES[kind]}:{name}>, [{words}])"
        case _:
            return words


def _run(run: Run) -> str:
    if run.code:
        return f'#raw("{_quoted(run.text)}")'
    written = escape_typst(run.text)
    if not written.strip():
        return written
    for asked, function in (
        (run.raised, "super"),
        (run.lowered, "sub"),
        (run.italic, "emph"),
        (run.underlined, "underline"),
        (run.bold, "strong"),
    ):
        if asked:
            written = f"#{function}[{written}]"
    return written


def _quoted(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace('"', '\\"')


def typst_table(
    table: Table,
    signature: Signature | None = None,
    *,
    appearance: Appearance = DEFAULT_APPEARANCE,
    lookup: Lookup | None = None,
) -> str:
    """Write a table as Typst: a figure with its caption and label, to be read into a paper with `#include`.

    Parameters
    ----------
    table : Table
        Any.
    signature : Signature, optional
        Stands in a comment above the table.
    appearance : Appearance
        Says on which side the caption stands.
    lookup : Lookup, optional
        Numbers of the tables of a report, and the literature.

    Returns
    -------
    str
        Needs no package. Columns are as wide as their content; in a narrow place names are broken into lines.
    """
    lookup = lookup or Lookup()
    side = "top" if appearance.caption_side == "above" else "bottom"
    lines = [
        "#figure(",
        "  kind: table,",
        f"  caption: figure.caption(position: {side})[{typst_prose(table.full_caption, lookup)}],",
        "  table(",
        f"    columns: {len(table.columns)},",
        f"    align: ({', '.join(column.align for column in table.columns)},),",
        "    stroke: none,",
        "    inset: (x: 5pt, y: 3pt),",
        f"    {_rule('heavy')}",
        "    table.header(",
        *(f"      {line}" for line in _header(table, lookup)),
        "    ),",
        f"    {_rule('light')}",
    ]
    longest = _longest_marks(table)
    for number, row in enumerate(table.rows):
        if row.rule_above and number:
            lines.append(f"    {_rule('thin')}")
        lines.append(f"    {_row(row, table, lookup, longest)}")
    lines += [f"    {_rule('heavy')}", "  ),", f") <{table.label}>"]
    return _file(f"table {table.name}", signature, lines)


def _rule(kind: str, first: int | None = None, last: int | None = None) -> str:
    place = "" if first is None or last is None else f"start: {first}, end: {last + 1}, "
    return f"table.hline({place}stroke: {_RULES[kind]}),"


def _header(table: Table, lookup: Lookup) -> list[str]:
    lines = []
    if table.spanners:
        cells, place = [], 0
        spanners = sorted(table.spanners, key=lambda spanner: spanner.first)
        for spanner in spanners:
            cells += ["[]"] * (spanner.first - place)
            width = spanner.last - spanner.first + 1
            cells.append(f"table.cell(colspan: {width}, align: center)[{typst_prose(spanner.header, lookup)}]")
            place = spanner.last + 1
        cells += ["[]"] * (len(table.columns) - place)
        lines.append(", ".join(cells) + ",")
        lines += [_rule("thin", spanner.first, spanner.last) for spanner in spanners]
    lines.append(", ".join(f"[{typst_prose(column.header, lookup)}]" for column in table.columns) + ",")
    longest = _longest_marks(table)
    return lines + [_row(row, table, lookup, longest) for row in table.header_rows]


def _longest_marks(table: Table) -> list[str]:
    """Of each column of numbers, so that a shorter mark, or none, takes as much room and shifts no number."""
    rows = (*table.header_rows, *table.rows)
    return [
        max((row.cells[index].mark for row in rows), key=len, default="") if column.align == "right" else ""
        for index, column in enumerate(table.columns)
    ]


def _row(row: Row, table: Table, lookup: Lookup, longest: Sequence[str]) -> str:
    if row.heading:
        heading = _cell(row.cells[0], lookup, "")
        return f"table.cell(colspan: {len(table.columns)}, align: left)[{heading}],"
    return ", ".join(f"[{_cell(cell, lookup, mark)}]" for cell, mark in zip(row.cells, longest, strict=True)) + ","


def _cell(cell: Cell, lookup: Lookup, longest: str) -> str:
    rest = longest[len(cell.mark) :]
    hidden = f"#hide[#super[{escape_typst(rest)}]]" if rest else ""
    return "".join(_run(run) for run in runs_of_cell(cell, lookup)) + hidden


def typst_paragraph(paragraph: Paragraph, signature: Signature | None, lookup: Lookup) -> str:
    """Write running text as Typst, to be read into a paper with `#include`."""
    return _file(f"paragraph {paragraph.name}".strip(), signature, [typst_prose(paragraph.content, lookup)])


def _file(what: str, signature: Signature | None, lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    head = [] if signature is None else [f"// {visible(line)}" for line in (origin(what, signature), signature.line)]
    helpers = _HELPERS if re.search(r"#rk-(ref|cite)\(", body) else ()
    return "\n".join([*head, *helpers, body]) + "\n"


def typst_document(report: Report) -> str:
    """Write a report as one document, which includes `paragraph.typ` and `tables/<name>.typ`."""
    lookup = Lookup(numbers=numbers(report))
    lines = [
        f'#set document(title: "{_quoted(report.title)}")',
        '#set page(paper: "a4", margin: 2.5cm, numbering: "1")',
        '#set text(size: 10pt, lang: "en")',
        "#set par(justify: true)",
        "#show figure: set block(breakable: true)",
        "#show figure.caption: set align(left)",
        "#show table: set text(size: 9pt)",
        "#show table: set par(justify: false)",
        '#set heading(numbering: "1")',
        "",
        f"#text(size: 16pt, weight: 700)[{escape_typst(report.title)}]",
    ]
    for section in report.sections:
        lines += ["", f"#heading[{escape_typst(section.title)}]"]
        for block in section.blocks:
            lines += ["", _block(block, lookup)]
    lines += ["", f'#text(size: 7pt)[#raw("{_quoted(report.signature.line)}")]']
    if cited_keys(all_prose(report)):
        lines += ["", '#bibliography("references.bib", style: "apa")']
    return _file("report", report.signature, lines)


def _block(block: Block, lookup: Lookup) -> str:
    match block:
        case Table():
            return f'#include "tables/{block.name}.typ"'
        case Figure():
            caption, alt = typst_prose(block.caption, lookup), _quoted(block.alt_text)
            image = f'image("figures/{block.name}.png", alt: "{alt}")'
            return f"#figure(\n  {image},\n  caption: [{caption}],\n) <{block.label}>"
        case Paragraph() if block.name:
            return f'#include "{block.name}.typ"'
        case Paragraph():
            return typst_prose(block.content, lookup)
        case Itemize():
            return "\n".join(f"#list.item[{typst_prose(item, lookup)}]" for item in block.items)


def _files(report: Report, written: Mapping[str, bytes]) -> dict[str, bytes]:
    lookup = Lookup(numbers=numbers(report))
    texts = {"report.typ": typst_document(report)}
    for block in (*report.blocks, *report.extras):
        if isinstance(block, Paragraph) and block.name:
            texts[f"{block.name}.typ"] = typst_paragraph(block, report.signature, lookup)
    for table in report.tables:
        texts[f"tables/{table.name}.typ"] = typst_table(
            table, report.signature, appearance=report.appearance, lookup=lookup
        )
    return {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}


TYPST = OutputFormat(
    name="typst",
    files=_files,
    ending=".typ",
    table=lambda table, signature: typst_table(table, signature).encode("utf-8", "backslashreplace"),
)
