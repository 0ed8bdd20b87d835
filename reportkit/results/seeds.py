"""Several runs of one system: what can be done with them now, and what not."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reportkit.errors import InputError
from reportkit.results.coding import Coded
from reportkit.results.columns import Columns
from reportkit.results.row_numbers import names_text, quoted
from reportkit.results.score_table import ScoreTable


def refuse_several_seeds(table: ScoreTable, columns: Columns) -> None:
    """Refuse several seeds per instance, and seeds that stand in the place of instances.

    A test of scores instance by instance has one score of each system per instance. To pool runs as if they were more
    instances counts the same test item several times (size .26-.40 at a level of .05, Dror et al.'s design, simulated);
    to take the best run of each system is worse. The mean over the runs is a fair score for these very runs.

    Raises
    ------
    InputError
        With what to do, and which question this answers.
    """
    seed = table.seed
    if seed is None or np.count_nonzero(seed.counts()) < 2:
        return
    cells = pd.DataFrame(
        {
            "system": table.system.codes,
            "dataset": table.dataset.codes,
            "instance": table.instance.codes,
            "metric": 0 if table.metric is None else table.metric.codes,
            "seed": seed.codes,
        }
    )
    per_cell = cells.drop_duplicates().groupby(["system", "dataset", "instance", "metric"]).size()
    if int(per_cell.max()) > 1:
        raise _several(table, columns, seed, int(per_cell.max()))
    per_instance = cells.drop_duplicates(["dataset", "instance", "seed"]).groupby(["dataset", "instance"]).size()
    per_dataset = cells.drop_duplicates(["dataset", "seed"]).groupby("dataset").size()
    per_run = cells.drop_duplicates(["system", "dataset", "seed"]).groupby(["system", "dataset"]).size()
    if int(per_instance.max()) == 1 and int(per_dataset.max()) > 1 and int(per_run.max()) > 1:
        dataset = int(per_dataset.index[int(per_dataset.to_numpy().argmax())])
        raise _pooled(table, columns, seed, dataset, int(per_dataset.max()))


def _several(table: ScoreTable, columns: Columns, seed: Coded, most: int) -> InputError:
    name = columns.roles["seed"]
    keys = [columns.roles[role] for role in ("system", "dataset", "instance", "metric") if role in columns.roles]
    extra = [columns.roles[role] for role in ("cluster", "weight") if role in columns.roles]
    by = ", ".join(f'"{key}"' for key in keys + extra)
    if columns.form == "long":
        code = f'df = df.groupby([{by}], as_index=False, observed=True)["{columns.roles["score"]}"].mean()'
    else:
        code = f'df = df.drop(columns="{name}").groupby([{by}], as_index=False, observed=True).mean(numeric_only=True)'
    used = [seed.names[code] for code in np.flatnonzero(seed.counts())]
    return InputError(
        f"instances have scores of several seeds, up to {most}: tests of several runs are not supported yet",
        where=f"column {name!r}: {names_text(used)}; "
        f"{len(table):,} scores of {np.count_nonzero(table.system.counts()):,} systems",
        remedy="average over the seeds first, instance by instance:\n"
        f"{code}\n"
        "this answers whether these very runs differ on new instances, not whether new runs would;\n"
        "never pick the best seed, and never count seeds as further instances",
    )


def _pooled(table: ScoreTable, columns: Columns, seed: Coded, dataset: int, n_seeds: int) -> InputError:
    name, instance = columns.roles["seed"], columns.roles["instance"]
    label = quoted(table.dataset.names[dataset])
    return InputError(
        "runs stand in the place of instances: every instance belongs to one seed",
        where=f"columns {instance!r} and {name!r}; dataset {label} has {n_seeds} seeds",
        remedy="give one score per system and test item, averaged over the seeds, and the id of the item as instance,\n"
        "which is the same for all seeds; scores per run or per fold of a cross-validation alone say nothing about\n"
        "new test items, and runs on the same items are not independent instances.\n"
        f"If {name!r} does not number runs (a seed per item, say), remove the column: "
        f'df.drop(columns="{name}")',
    )
