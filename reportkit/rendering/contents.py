"""All prose of a report, for questions about the whole: which works are cited, which characters occur."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from reportkit.report.model import Block, Figure, Itemize, Paragraph, Report, Table
from reportkit.report.prose import Cite, Code, Emphasis, Prose, Reference, Strong, Text


def prose_of(block: Block) -> Iterator[Prose]:
    """All prose of one block, in the order in which it is read."""
    match block:
        case Table():
            yield from (spanner.header for spanner in block.spanners)
            yield from (column.header for column in block.columns)
            yield from (cell.text for row in (*block.header_rows, *block.rows) for cell in row.cells)
            yield block.full_caption
        case Figure():
            yield block.caption
        case Paragraph():
            yield block.content
        case Itemize():
            yield from block.items
        case _:
            assert_never(block)


def all_prose(report: Report) -> Iterator[Prose]:
    """All prose of a report, titles included, in order."""
    yield (Text(report.title),)
    for section in report.sections:
        yield (Text(section.title),)
        for block in section.blocks:
            yield from prose_of(block)


def cited_keys(contents: Iterable[Prose]) -> tuple[str, ...]:
    """BibTeX keys of the works cited, each once, in order of citation."""
    return tuple(
        dict.fromkeys(key for content in contents for part in content if isinstance(part, Cite) for key in part.keys)
    )


def references_of(contents: Iterable[Prose]) -> tuple[Reference, ...]:
    """References to tables and figures, each once."""
    return tuple(dict.fromkeys(part for content in contents for part in content if isinstance(part, Reference)))


def words_of(contents: Iterable[Prose]) -> str:
    """All text that is escaped character by character, one piece to a line.

    The pieces stay apart: a mark at the start of one does not stand on the last letter of another.
    """
    return "\n".join(
        part.text for content in contents for part in content if isinstance(part, (Text, Strong, Emphasis, Code))
    )
