"""Hold the scores of an evaluation tool as its files have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reportkit.finding import Finding

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
