"""Read what EVALUATION TOOLS WRITE: one file of this folder per tool, each from files to one `Harvest`.

`reportkit.scores.read` finds the files, asks `read_harness`, and reads tables where no tool is recognised. A tool is
recognised by what its files say, not by their endings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportkit.errors import ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Tool
from reportkit.harnesses.records import MALFORMED, Outline, outline
from reportkit.harnesses.tools import TOOLS, tool_named
from reportkit.language import counted, listed


def read_harness(files: Sequence[File], tool: str | None = None, metrics: Sequence[str] = ()) -> Harvest | None:
    """Read files of one evaluation tool; None if they are of none.

    Parameters
    ----------
    files : sequence of File
        All files that the user gave, in the order of their paths; those of an archive one by one.
    tool : str, optional
        Name of the tool, where the user says it.
    metrics : sequence of str
        What the user asks for, where metrics are computed while reading (TREC runs, texts, treebanks).

    Raises
    ------
    ReadingError
        If the files are of a tool and none of them can be read.
    SettingsError
        If the files are of several tools.
    UnknownNameError
        If there is no such tool.
    """
    tools = TOOLS if tool is None else (tool_named(tool),)
    found: dict[Tool, list[File]] = {}
    damaged: list[str] = []
    for file in files:
        outlined = outline(file)
        writer = next((one for one in tools if _recognised(one, file, outlined)), None)
        if writer is not None:
            found.setdefault(writer, []).append(file)
        elif outlined.kind == "damaged":
            damaged.append(file.name)
    if len(found) > 1:  # texts with a reference are the least specific
        found.pop(TOOLS[-1], None)
    if len(found) > 1:
        raise SettingsError(
            f"the files are of {len(found)} tools: {listed([one.name for one in found], 5)}",
            where="; ".join(f"{one.name}: {its[0].name!r}" for one, its in found.items()),
            remedy=f"say which to read: --format '{next(iter(found)).name}', or give the files of one tool",
        )
    if not found:
        if tool is None:
            return None
        raise ReadingError(
            f"none of the files is of {tools[0].name}",
            where=listed([repr(file.name) for file in files], 5),
            remedy="leave --format out, or give the files that the tool wrote",
        )
    (writer, its), *_ = found.items()
    harvest = writer.read(its, files, metrics) if writer.computes else writer.read(its, files)
    if harvest is None or not damaged:
        return harvest
    message = f"{counted(len(damaged), 'file')} left out: JSON that begins and does not end, or is damaged."
    note = Finding("files-left-out", "warning", message, listed(damaged, 5), "copy or write these files again")
    return replace(harvest, findings=(*harvest.findings, note), used=harvest.used | {*damaged})


def _recognised(tool: Tool, file: File, outlined: Outline) -> bool:
    """Tell whether a tool wrote a file; what looks like its files and has another shape is not of it."""
    try:
        return tool.recognises(file, outlined)
    except MALFORMED:
        return False


__all__ = ["File", "Harvest", "read_harness"]
