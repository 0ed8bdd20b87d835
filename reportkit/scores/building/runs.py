"""Several runs (seeds) of each system: scores of instances by run, or one score per run and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, MissingScoresError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.building.instance_scores import (
    is_lower,
    of_group,
    one_score_each,
    refuse_aggregates,
    refuse_one_cluster,
)
from reportkit.scores.sample import Shape
from reportkit.scores.scales import detect_kind
from reportkit.scores.scores import Scores
from reportkit.scores.table.names import crossed
from reportkit.scores.table.row_numbers import LISTED, counts_text, names_text, quoted
from reportkit.scores.table.score_table import ScoreTable

_CHOSEN_SCORE = re.compile(r"(best|max|maximum|top)(score|scores|acc|accuracy|value|result|run|seed|ofn|ofm|of\d+)?")
"""Names, folded, of a column of scores that are the best of several runs."""

CHOSEN_RUN = re.compile(r"(best|max|maximum|top)([-_ .]?(run|seed|trial|of[-_ .]?\w+))?", flags=re.IGNORECASE)
"""Names of a run that was chosen by its score."""

_WHY_NOT_THE_BEST = (
    "the best of several runs is compared with a score that was not chosen: of two equally good systems, the one with\n"
    "more runs is then found better in 45% to 72% of all cases at a level of 5% (best of 3 to 5 runs, simulated);\n"
)


def shape_with_seeds(table: ScoreTable) -> Shape:
    """Tell whether instances have several runs, or each run has one score and nothing else.

    | seeds                                                          | shape      |
    |----------------------------------------------------------------|------------|
    | some instance has scores of several runs of a system           | runs       |
    | each run has one score, of a whole dataset                     | run-scores |
    | each system has one run on a dataset                           | paired     |

    Raises
    ------
    InputError
        If runs stand in the place of instances, or if it cannot be told whether a score is that of a run or of an
        instance.
    """
    if table.seed is None or len(table.seed.present()) < 2:
        return "paired"
    cells = _cells(table)
    if cells.empty:  # no score at all, which is said later
        return "paired"
    per_dataset = cells.drop_duplicates(["group", "instance"]).groupby("group").size()
    if cells.groupby(["system", "group", "instance"]).size().max() > 1:
        return "run-scores" if per_dataset.max() == 1 else "runs"
    if cells.groupby(["system", "dataset"])["seed"].nunique().max() < 2:
        return "paired"
    one_score_per_run = cells.groupby(["system", "group", "seed"]).size().max() == 1
    pairs = cells.drop_duplicates(["dataset", "instance", "seed"])
    one_run_per_instance = pairs.groupby(["dataset", "instance"]).size().max() == 1
    binary = detect_kind(table.scores) == "binary"
    if one_run_per_instance and (not one_score_per_run or binary):
        raise _pooled(table, cells)
    if not one_score_per_run or binary:
        return "paired"
    if not table.has("instance") or (one_run_per_instance and pairs.groupby(["dataset", "seed"]).size().max() == 1):
        return "run-scores"
    raise InputError(
        "no two scores have the same seed, and the same instance has other seeds for other systems",
        where=f"{table.columns_text('instance', 'seed')}; {len(table):,} scores of "
        + counted(len(table.system.present()), "system"),
        remedy=f"if a score is that of a whole run, remove or rename {table.said('instance')!r} "
        f'(in Python df.drop(columns="{table.said("instance")}"));\n'
        f"if it is that of one test item, and {table.said('seed')!r} does not number runs, remove or rename that "
        "column "
        f'(in Python df.drop(columns="{table.said("seed")}"))',
    )


def _cells(table: ScoreTable) -> pd.DataFrame:
    """Codes of each score that is there, each combination once."""
    assert table.seed is not None  # noqa: S101 - asked only where there are seeds
    columns = {
        "system": table.system.codes,
        "dataset": table.dataset.codes,
        "group": table.group_codes(),
        "instance": table.instance.codes,
        "seed": table.seed.codes,
    }
    return pd.DataFrame(columns)[~np.isnan(table.scores)].drop_duplicates()


def _pooled(table: ScoreTable, cells: pd.DataFrame) -> InputError:
    name = table.said("seed")
    per_dataset = cells.groupby("dataset")["seed"].nunique()
    dataset = str(table.dataset.names[per_dataset.index[int(per_dataset.argmax())]])
    return InputError(
        "runs take the place of instances: every instance belongs to one seed",
        where=f"{table.columns_text('instance', 'seed')}; dataset {quoted(dataset)} has {int(per_dataset.max())} seeds",
        remedy="give the id of the test item as instance, which is the same for all seeds: runs on the same items are\n"
        "not further instances. If there is one score per run alone, give one row per run.\n"
        f"If {name!r} does not number runs (a seed per item, say), remove or rename the column "
        f'(in Python df.drop(columns="{name}"))',
    )


def refuse_the_best(table: ScoreTable) -> None:
    """Refuse scores, and runs, whose name says that they are the best of several.

    Raises
    ------
    InputError
        With what to give instead.
    """
    score = table.said("score")
    if _CHOSEN_SCORE.fullmatch(re.sub(r"[-_.\s]+", "", score.casefold())):
        raise InputError(
            f"the scores of column {score!r} are by their name the best of several runs",
            where=f"column {score!r}",
            remedy=_WHY_NOT_THE_BEST + "give the score of every run, with a column 'seed' that tells them apart; if "
            f"{score!r} is a metric, rename it",
        )
    chosen = [name for name in (table.seed.present() if table.seed else ()) if CHOSEN_RUN.fullmatch(name.strip())]
    if chosen:
        raise InputError(
            counted(len(chosen), "run is by its name", "runs are by their names") + " the best of several",
            where=f"{table.columns_text('seed')}: {names_text(chosen)}",
            remedy=_WHY_NOT_THE_BEST + "give all runs under their own names, and leave these rows out",
        )


def chosen_seed_findings(table: ScoreTable) -> list[Finding]:
    """Warn where a system has one run on a dataset, and not the same one on all: perhaps the best of several."""
    if table.seed is None or len(table.seed.present()) < 2:
        return []
    cells = _cells(table).drop_duplicates(["system", "dataset", "seed"])
    changing = cells.groupby("system")["seed"].nunique()
    changing = changing[changing > 1]
    if cells.groupby(["system", "dataset"]).size().max() > 1 or not changing.size:
        return []
    names = table.system.names[changing.index.to_numpy()]
    counts = list(zip(map(str, names), map(int, changing), strict=True))
    return [
        Finding(
            "seeds-chosen",
            "warning",
            "Each system has one run on a dataset, and not the same one on all datasets. If these are the best of "
            "several runs, the p-values are not valid.",
            where=f"{table.columns_text('seed')}, different runs of {counts_text(counts)}",
            remedy="give all runs; their number and spread are then part of the test",
        )
    ]


def blocks_of_runs(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
    """Lay out the runs of each system, per (metric, dataset).

    Each run is laid out like a system of its own, so that repeated, missing and misspelt rows are found run by run.

    Raises
    ------
    MissingScoresError
        If scores are missing, or a run lacks instances that another run of the system has, and `missing="error"`.
    DuplicateScoresError
        If a (system, run, dataset, instance) has several scores.
    InputError
        If a name occurs once, there is one score per run and dataset, or scores are declared ordinal.
    """
    assert table.seed is not None  # noqa: S101 - runs have a column that tells them apart
    refuse_ordinal(table, "seed")
    runs, system_of, seed_of = crossed(table.system, table.seed, ", run ")
    as_systems, groups, findings = one_score_each(replace(table, system=runs, seed=None))
    refuse_aggregates(groups)
    blocks: list[Scores] = []
    for group in groups:
        rows = group.matrix(as_systems.scores, lower=is_lower(table, group.metric))
        owners = system_of[group.systems]
        starts = np.flatnonzero(np.diff(owners)) + 1
        about = of_group(group, as_systems, table.system.names[np.unique(owners)].tolist())
        about["kind"] = about["kind"] or detect_kind(rows)
        names = np.split(table.seed.names[seed_of[group.systems]], starts)
        blocks.append(
            Scores(
                shape="runs",
                **about,
                scores=_by_run(np.split(rows, starts)),
                runs=tuple(tuple(map(str, some)) for some in names),
                weights=None
                if as_systems.weights is None
                else group.per_instance(as_systems.weights, as_systems, "weight"),
            )
        )
    refuse_one_cluster(blocks, table)
    if table.asked.missing == "error":
        _refuse_incomplete_runs(blocks, table)
    numbers = {
        (block.dataset, system): len(some)
        for block in blocks
        for system, some in zip(block.systems, block.runs, strict=True)
    }
    return [*blocks], [*findings, *_number_findings(numbers)]


def _by_run(rows: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Stack the runs of each system, shape (n_systems, n_runs, n_instances); NaN beyond the runs of a system."""
    found = np.full((len(rows), max(map(len, rows)), rows[0].shape[1]), np.nan)
    for one, some in zip(found, rows, strict=True):
        one[: len(some)] = some
    return found


def _refuse_incomplete_runs(blocks: Sequence[Scores], table: ScoreTable) -> None:
    """Refuse runs that lack instances which another run of the same system has."""
    found: list[str] = []
    total = 0
    for block in blocks:
        for system, runs in block.runs_by_system():
            rows = block.row(system)
            own = ~np.isnan(rows).all(axis=0)
            lacking = np.isnan(rows[:, own]).sum(axis=1)
            total += int(np.count_nonzero(lacking))
            for row in np.flatnonzero(lacking)[: LISTED - len(found)]:
                example = block.instances[own][np.isnan(rows[row, own])][0]
                found.append(
                    f"run {quoted(runs[row])} of {quoted(system)} on {quoted(block.dataset)} lacks "
                    f"{int(lacking[row]):,} of {int(own.sum()):,} instances, such as {quoted(str(example))}"
                )
    if total:
        raise MissingScoresError(
            counted(total, "run lacks", "runs lack") + " instances that another run of the same system has",
            where=f"{table.columns_text('seed')}: "
            + "\n".join(found)
            + (f"\nand {total - len(found)} more" if total > len(found) else ""),
            remedy="complete the runs, or leave them out; missing='drop' (--missing drop) compares on the instances "
            "that all runs\nof both systems have, missing='worst' (--missing worst) counts no output as the worst "
            "output",
        )


def _number_findings(numbers: Mapping[tuple[str, str], int]) -> list[Finding]:
    """Say where systems have different numbers of runs."""
    of_dataset: dict[str, list[int]] = {}
    for (dataset, _), number in numbers.items():
        of_dataset.setdefault(dataset, []).append(number)
    uneven = {dataset: found for dataset, found in of_dataset.items() if min(found) != max(found)}
    if not uneven:
        return []
    shown = [f"{quoted(name)}: {min(found)} to {max(found)} runs" for name, found in list(uneven.items())[:LISTED]]
    return [
        Finding(
            "unequal-runs",
            "info",
            f"Systems have different numbers of runs on {counted(len(uneven), 'dataset')}; the tests allow for that, "
            "if the runs that are not here were not left out for their scores.",
            where=listed(shown, total=len(uneven)),
            remedy="say how many runs of each system there were, and why",
        )
    ]


def blocks_of_run_scores(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
    """Lay out one matrix of systems by runs per (metric, dataset).

    Raises
    ------
    InputError
        If runs have weights, scores are declared ordinal, or missing runs are to be counted as the worst.
    MissingScoresError
        If scores are missing and `missing="error"`.
    DuplicateScoresError
        If a run has several scores.
    """
    assert table.seed is not None  # noqa: S101 - runs have a column that tells them apart
    refuse_ordinal(table, "seed")
    refuse_weights(table, "runs")
    absent = int(np.isnan(table.scores).sum())
    if table.asked.missing in ("worst", "bounds") and absent:
        raise InputError(
            f"{absent:,} runs have no score, and nothing can replace it",
            where=table.columns_text("score"),
            remedy="write the score that a failed run deserves into the results, or leave these runs out: "
            "missing='drop'\n(--missing drop)",
        )
    by_run, groups, findings = one_score_each(replace(table, instance=table.seed, seed=None, cluster=None), single=True)
    blocks: list[Scores] = []
    numbers: dict[tuple[str, str], int] = {}
    for group in groups:
        about = of_group(group, by_run)
        about |= {"kind": about["kind"] or "continuous", "unit": "run", "instances": table.seed.names[group.instances]}
        scores = group.matrix(by_run.scores, lower=is_lower(table, group.metric))
        blocks.append(Scores(shape="run-scores", **about, scores=scores))
        present = (~np.isnan(scores)).sum(axis=1)
        numbers |= {(group.dataset, system): int(n) for system, n in zip(about["systems"], present, strict=True)}
    if table.cluster is not None:
        message = "There is one score per run, so clusters of instances are ignored."
        findings.append(Finding("clusters-unused", "info", message, where=table.columns_text("cluster")))
    return blocks, [*findings, *_number_findings(numbers)]


def refuse_weights(table: ScoreTable, units: str) -> None:
    """Refuse weights of runs or folds, which nothing is done with.

    Raises
    ------
    InputError
        If there is a column of weights.
    """
    if table.weights is not None:
        raise InputError(
            f"there is one score per run or fold, and {units} have no weights",
            where=table.columns_text("weight"),
            remedy="give the scores of the instances, which may have weights, or leave out "
            f"{quoted(table.said('weight'))}",
        )


def refuse_ordinal(table: ScoreTable, role: str) -> None:
    """Refuse runs or folds of ordinal scores, whose means say nothing.

    Raises
    ------
    InputError
        With what to do instead.
    """
    kind = table.asked.kind
    if "ordinal" in (kind.values() if isinstance(kind, Mapping) else [kind]):
        runs = role == "seed"
        raise InputError(
            f"scores of {'several runs are averaged' if runs else 'folds are means'}, and the mean of ordinal scores "
            "says nothing",
            where=f"{table.columns_text(role)}; kind='ordinal' was declared",
            remedy="declare the scores continuous if their steps are of equal size (kind='continuous'), or give "
            + (
                "one run of each\nsystem, chosen before looking at its scores"
                if runs
                else "the\nscore of every instance"
            ),
        )
