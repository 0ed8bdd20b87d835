"""Read what EVALUATION TOOLS WRITE: one file of this folder per tool, each from files to logs of samples.

`reportkit.scores.read` finds the files, asks `read_harness`, and reads tables where no tool is recognised. A tool is
recognised by what its files say, not by their endings.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from reportkit.errors import SettingsError
from reportkit.harnesses.file import File, Outline, outline
from reportkit.harnesses.harvest import harvest
from reportkit.harnesses.logs import Batch, Harvest, Tool
from reportkit.harnesses.values import MALFORMED
from reportkit.language import listed

# the most specific first: reports of terminal-bench also look like those of SWE-bench
_MODULES = (
    *("lm_eval", "inspect_ai", "helm", "lighteval", "terminal_bench", "swe_bench", "alpaca_eval", "mt_bench", "mteb"),
    *("evalplus", "bfcl", "promptfoo", "deepeval", "comet", "every_eval_ever", "vlmeval", "cross_validation"),
    *("trec", "sacrebleu"),
)
TOOLS: tuple[Tool, ...] = tuple(
    tool
    for name in _MODULES
    for tool in vars(import_module(f"reportkit.harnesses.{name}")).values()
    if isinstance(tool, Tool)
)
"""The tools that are read, in the order in which files are asked for."""


def read_harness(files: Sequence[File], metrics: Sequence[str] = ()) -> Harvest | None:
    """Read files of one evaluation tool; None if they are of none.

    Parameters
    ----------
    files : sequence of File
        All files that the user gave, in the order of their paths; those of an archive one by one.
    metrics : sequence of str
        What the user asks for, where metrics are computed while reading (TREC runs, texts, treebanks).

    Raises
    ------
    ReadingError
        If the files are of a tool and none of them can be read.
    SettingsError
        If the files are of several tools.
    """
    found: dict[Tool, list[File]] = {}
    damaged: list[str] = []
    for file in files:
        outlined = outline(file)
        writer = next((one for one in TOOLS if _recognised(one, file, outlined)), None)
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
            remedy="give the files of one tool, or leave out the others: --exclude PATTERN",
        )
    if not found:
        return None
    ((writer, its),) = found.items()
    batch = Batch(
        its, files, metrics, left_out=dict.fromkeys(damaged, "JSON that begins and does not end, or is damaged")
    )
    logs = writer.read(batch)
    return logs if logs is None or isinstance(logs, Harvest) else harvest(writer, batch, logs)


def _recognised(tool: Tool, file: File, outlined: Outline) -> bool:
    """Tell whether a tool wrote a file; what looks like its files and has another shape is not of it."""
    try:
        return tool.recognises(file, outlined)
    except MALFORMED:
        return False


__all__ = ["File", "Harvest", "read_harness"]
