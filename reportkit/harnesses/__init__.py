"""READ WHAT EVALUATION TOOLS WRITE: one file of this folder per tool, each from files to one `Harvest`.

`reportkit.scores.read` finds the files, asks `read_harness`, and reads tables where no tool is recognised. A tool is
recognised by what its files say, not by their endings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reportkit.errors import ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.language.counts_and_lists import counted, listed

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.harnesses.logs import Tool
    from reportkit.harnesses.records import Outline


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Harvest:
    """Scores as a tool wrote them, by all its metrics.

    Parameters
    ----------
    name : str
        Name of the tool: "lm-evaluation-harness".
    frame : DataFrame
        One row per score: `system`, `dataset`, `instance`, `metric`, `score`. Optional columns: `run` (epoch or repeat
        of the same instance), `cluster`, `filter` (one of several readings of the same answer: a filter of lm-eval, a
        split of MTEB). Names and ids are texts, scores are float64 and never NaN. Without a column `instance` there is
        one score per system and dataset; `n` and `k` may then hold the number of instances and of right ones. Instead
        of `metric` and `score`, columns `stat_...` may hold the counts of a metric of a corpus, which `computed` names.
    directions : mapping of str to bool
        Metric to whether higher is better, where the tool says it.
    main : mapping of str to str
        Dataset to the metric that is taken where the user names none; empty if the tool does not say.
    filter : str
        Filter that is taken where the user names none.
    computed : str
        Metric that is computed from columns of counts.
    paired_on : str
        What says that two systems answered the same question: "doc_hash".
    nouns : (str, str)
        What a system and a dataset are called: ("model", "task").
    used : frozenset of str
        Names of the files that were read; the others are named by a finding of the reader.
    findings : tuple of Finding
        What was left out, what is unequal; a bad file, sample or system is left out with a warning.
    """

    name: str
    frame: pd.DataFrame
    directions: Mapping[str, bool] = field(default_factory=dict)
    main: Mapping[str, str] = field(default_factory=dict)
    filter: str = ""
    computed: str = ""
    paired_on: str = ""
    nouns: tuple[str, str] = ("model", "task")
    used: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()


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
    from reportkit.harnesses.records import outline
    from reportkit.harnesses.tools import TOOLS, tool_named

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
    if len(found) > 1:  # texts beside a reference are the least specific
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
    from reportkit.harnesses.records import MALFORMED

    try:
        return tool.recognises(file, outlined)
    except MALFORMED:
        return False


__all__ = ["File", "Harvest", "read_harness"]
