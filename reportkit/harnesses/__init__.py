"""READ WHAT EVALUATION TOOLS WRITE: one file of this folder per tool, each from files to one `Harvest`.

`reportkit.scores.read` finds the files, asks `read_harness`, and reads tables where no tool is recognised. A tool is
recognised by what its files say, not by their endings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reportkit.finding import Finding
from reportkit.harnesses.file import File

if TYPE_CHECKING:
    import pandas as pd


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
    from reportkit.harnesses.former import read_former

    return read_former(files, tool, metrics)


__all__ = ["File", "Harvest", "read_harness"]
