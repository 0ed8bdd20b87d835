"""What a column of seeds (runs) says: several runs per instance, one score per run, or nothing that matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from reportkit.errors import InputError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.scales import detect_kind
from reportkit.scores.shapes.sample import Shape
from reportkit.scores.table.columns import Columns, folded
from reportkit.scores.table.row_numbers import counts_text, names_text, quoted
from reportkit.scores.table.score_table import ScoreTable

CHOSEN_SCORE = re.compile(r"(best|max|maximum|top)(score|scores|acc|accuracy|value|result|run|seed|ofn|ofm|of\d+)?")
"""Names, folded, of a column of scores that are the best of several runs."""

CHOSEN_RUN = re.compile(r"(best|max|maximum|top)([-_ .]?(run|seed|trial|of[-_ .]?\w+))?", flags=re.I)
"""Names of a run that was chosen by its score."""

_WHY_NOT_THE_BEST = (
    "the best of several runs is compared with a score that was not chosen: of two equally good systems, the one with\n"
    "more runs is then found better in 45% to 72% of all cases at a level of 5% (best of 3 to 5 runs, simulated);\n"
)


def shape_with_seeds(table: ScoreTable, columns: Columns) -> Shape:
    """Tell whether instances have several runs, or each run has one score and nothing else.

    | seeds                                                          | shape      |
    |----------------------------------------------------------------|------------|
    | some instance has scores of several runs of a system           | runs       |
    | each run has one score, of a whole dataset                     | run-scores |
    | each system has one run on a dataset                           | paired     |

    Raises
    ------
    InputError
        If a run was chosen by its score, if runs stand in the place of instances, or if it cannot be told whether a
        score is that of a run or of an instance.
    """
    _refuse_the_best(table, columns)
    seed = table.seed
    if seed is None or np.count_nonzero(seed.counts()) < 2:
        return "paired"
    cells = _cells(table)
    if cells.empty:  # no score at all, which is said later
        return "paired"
    per_dataset = cells.drop_duplicates(["dataset", "metric", "instance"]).groupby(["dataset", "metric"]).size()
    if int(cells.groupby(["system", "dataset", "metric", "instance"]).size().max()) > 1:
        return "run-scores" if int(per_dataset.max()) == 1 else "runs"
    runs_of = cells.drop_duplicates(["system", "dataset", "metric", "seed"]).groupby(["system", "dataset"])["seed"]
    if int(runs_of.nunique().max()) < 2:
        return "paired"
    one_score_per_run = int(cells.groupby(["system", "dataset", "metric", "seed"]).size().max()) == 1
    pairs = cells.drop_duplicates(["dataset", "instance", "seed"])
    one_run_per_instance = int(pairs.groupby(["dataset", "instance"]).size().max()) == 1
    if one_run_per_instance and (not one_score_per_run or detect_kind(table.scores) == "binary"):
        raise _pooled(table, columns, cells)
    if one_score_per_run and detect_kind(table.scores) != "binary":
        if "instance" not in columns.roles:
            return "run-scores"
        if one_run_per_instance and int(pairs.groupby(["dataset", "seed"]).size().max()) == 1:
            return "run-scores"
        raise _run_or_instance(table, columns)
    return "paired"


def number_findings(numbers: Mapping[tuple[str, str], int]) -> Iterator[Finding]:
    """Systems with different numbers of runs.

    Parameters
    ----------
    numbers : mapping of (dataset, system) to int
        Number of runs.
    """
    of_dataset: dict[str, list[int]] = {}
    for (dataset, _), number in numbers.items():
        of_dataset.setdefault(dataset, []).append(number)
    uneven = {dataset: found for dataset, found in of_dataset.items() if min(found) != max(found)}
    if uneven:
        shown = [f"{quoted(name)}: {min(found)} to {max(found)} runs" for name, found in list(uneven.items())[:5]]
        yield Finding(
            "unequal-runs",
            "info",
            f"Systems have different numbers of runs on {counted(len(uneven), 'dataset', 'datasets')}; the tests allow "
            "for that, if the runs that are not here were not left out for their scores.",
            where=listed(shown, total=len(uneven)),
            remedy="say how many runs of each system there were, and why",
        )


def chosen_seed_findings(table: ScoreTable, columns: Columns) -> Iterator[Finding]:
    """One run per system and dataset, and not the same one on all datasets: perhaps the best of several."""
    seed = table.seed
    if seed is None or np.count_nonzero(seed.counts()) < 2:
        return
    cells = _cells(table).drop_duplicates(["system", "dataset", "seed"])
    if int(cells.groupby(["system", "dataset"]).size().max()) > 1:
        return
    changing = cells.groupby("system")["seed"].nunique()
    changing = changing[changing > 1]
    if changing.size:
        codes = changing.index.to_numpy()
        counts = list(zip(map(str, table.system.names[codes]), map(int, changing), strict=True))
        yield Finding(
            "seeds-chosen",
            "warning",
            "Each system has one run on a dataset, and not the same one on all datasets. If these are the best of "
            "several runs, the p-values are not valid.",
            where=f"column {columns.roles['seed']!r}, different runs of {counts_text(counts)}",
            remedy="give all runs; their number and spread are then part of the test",
        )


def _cells(table: ScoreTable) -> pd.DataFrame:
    """Codes of each score that is there, each combination once."""
    if table.seed is None:
        raise AssertionError("asked only where there are seeds")
    cells = pd.DataFrame(
        {
            "system": table.system.codes,
            "dataset": table.dataset.codes,
            "metric": 0 if table.metric is None else table.metric.codes,
            "instance": table.instance.codes,
            "seed": table.seed.codes,
        }
    )
    return cells[~np.isnan(table.scores)].drop_duplicates()


def _refuse_the_best(table: ScoreTable, columns: Columns) -> None:
    """Refuse scores, and runs, whose name says that they are the best of several."""
    score = columns.roles.get("score", "")
    if CHOSEN_SCORE.fullmatch(folded(score)):
        raise InputError(
            f"the scores of column {score!r} are by their name the best of several runs",
            where=f"column {score!r}",
            remedy=_WHY_NOT_THE_BEST + "give the score of every run, with a column 'seed' that tells them apart; if "
            f"{score!r} is a metric, rename it",
        )
    if table.seed is None:
        return
    used = [str(table.seed.names[code]) for code in np.flatnonzero(table.seed.counts())]
    chosen = [name for name in used if CHOSEN_RUN.fullmatch(name.strip())]
    if chosen:
        name = columns.roles["seed"]
        raise InputError(
            counted(len(chosen), "run is by its name", "runs are by their names") + " the best of several",
            where=f"column {name!r}: {names_text(chosen)}",
            remedy=_WHY_NOT_THE_BEST + "give all runs under their own names, and leave these rows out",
        )


def _pooled(table: ScoreTable, columns: Columns, cells: pd.DataFrame) -> InputError:
    name, instance = columns.roles["seed"], columns.roles["instance"]
    per_dataset = cells.groupby("dataset")["seed"].nunique()
    code = per_dataset.index[int(per_dataset.to_numpy().argmax())]
    return InputError(
        "runs take the place of instances: every instance belongs to one seed",
        where=f"columns {instance!r} and {name!r}; dataset {quoted(table.dataset.names[code])} has "
        f"{int(per_dataset.max())} seeds",
        remedy="give the id of the test item as instance, which is the same for all seeds: runs on the same items are\n"
        "not further instances. If there is one score per run alone, give one row per run.\n"
        f"If {name!r} does not number runs (a seed per item, say), remove or rename the column "
        f'(in Python df.drop(columns="{name}"))',
    )


def _run_or_instance(table: ScoreTable, columns: Columns) -> InputError:
    name, instance = columns.roles["seed"], columns.roles["instance"]
    return InputError(
        "no two scores have the same seed, and the same instance has other seeds for other systems",
        where=f"columns {instance!r} and {name!r}; {len(table):,} scores of "
        + counted(int(np.count_nonzero(table.system.counts())), "system", "systems"),
        remedy=f"if a score is that of a whole run, remove or rename {instance!r} "
        f'(in Python df.drop(columns="{instance}"));\n'
        f"if it is that of one test item, and {name!r} does not number runs, remove or rename that column "
        f'(in Python df.drop(columns="{name}"))',
    )
