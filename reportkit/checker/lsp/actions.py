"""What an editor offers at a finding: the edit of its rule, and the request to leave it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from lsprotocol.types import CodeAction, CodeActionKind, Diagnostic, Position, Range, TextEdit, WorkspaceEdit

from reportkit.checker import diagnostic
from reportkit.checker.engine import ABOUT_REQUESTS
from reportkit.checker.lsp.positions import Positions
from reportkit.checker.lsp.session import Checked
from reportkit.checker.paper.reading import MARKDOWN
from reportkit.checker.paper.source import SourceFile
from reportkit.rendering.text.escaping import visible

FIX_ALL = "source.fixAll.reportkit"
MOST_SHOWN = 40
"""Characters of a text in a menu."""


def actions(
    checked: Checked,
    path: Path,
    uri: str,
    within: Range,
    positions: Positions,
    told: Callable[[diagnostic.Diagnostic], Diagnostic],
) -> Iterator[CodeAction]:
    """Offer edits.

    Parameters
    ----------
    checked : Checked
        The paper.
    path, uri : Path, str
        The file, and what the editor calls it.
    within : Range
        Where the editor asks.
    positions : Positions
        Of the file.
    told : callable
        What the editor was told of a finding.
    """
    file = checked.files[path]
    for item in checked.findings[path]:
        shown = told(item)
        if not _touch(shown.range, within):
            continue
        if item.fixes and all(edit.path == file.path for edit in item.fixes) and not file.kept:
            new = [TextEdit(positions.range(edit.start, edit.end), edit.replacement) for edit in item.fixes]
            words = _words(item.fixes[0], file) if len(new) == 1 else item.remedy.partition(",")[0]
            title = f"{item.code}{'' if item.safe else ', if it is right'}: {words}"
            yield _action(title, CodeActionKind.QuickFix, uri, new, shown, preferred=item.safe)
        if item.code not in ABOUT_REQUESTS and item.path is not None and not file.kept:
            title = f"{item.code}: ignore it here (a comment; add the reason)"
            yield _action(title, CodeActionKind.QuickFix, uri, [request(item, file, positions)], shown)
    edits = [TextEdit(positions.range(edit.start, edit.end), edit.replacement) for edit in checked.edits(path)]
    if edits:
        yield _action("reportkit: make all safe edits", FIX_ALL, uri, edits)


def _words(edit: diagnostic.Edit, file: SourceFile) -> str:
    """What an edit does, for a menu."""
    texts = (visible(" ".join(text.split())) for text in (file.text[edit.start : edit.end], edit.replacement))
    old, new = (f"'{text[: MOST_SHOWN - 1]}…'" if len(text) > MOST_SHOWN else f"'{text}'" for text in texts)
    if old == "''":
        return f"insert {new}"
    return f"delete {old}" if new == "''" else f"replace {old} with {new}"


def request(item: diagnostic.Diagnostic, file: SourceFile, positions: Positions) -> TextEdit:
    """A comment that leaves a finding out, where it changes nothing of what is printed.

    In LaTeX on a line of its own before, which is no new paragraph; in Markdown at the end of the line, in a table
    within the last cell.
    """
    start, end = file.bounds(item.line)
    line = file.text[start:end]
    if file.path.suffix.lower() in MARKDOWN:
        at = start + len(line.rstrip().removesuffix("|").rstrip())
        return TextEdit(positions.range(at, at), f" <!-- reportkit: ignore {item.code} -->")
    line_end = "\r\n" if "\r\n" in file.text else "\n"
    indentation = line[: len(line) - len(line.lstrip())]
    place = Position(positions.at(start).line, 0)
    return TextEdit(Range(place, place), f"{indentation}% reportkit: ignore {item.code}{line_end}")


def _action(
    title: str, kind: str, uri: str, edits: list[TextEdit], shown: Diagnostic | None = None, *, preferred: bool = False
) -> CodeAction:
    return CodeAction(
        title,
        kind=kind,
        diagnostics=None if shown is None else [shown],
        is_preferred=preferred or None,
        edit=WorkspaceEdit(changes={uri: edits}),
    )


def _touch(one: Range, other: Range) -> bool:
    def key(place: Position) -> tuple[int, int]:
        return place.line, place.character

    return key(one.start) <= key(other.end) and key(other.start) <= key(one.end)
