"""The table of mean scores that are known alone, without a test: best, second best, average, groups, spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from reportkit.appearance import Appearance
from reportkit.errors import SettingsError
from reportkit.language.numerals import fixed
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.scores_table import (
    DASH,
    MOST_ACROSS,
    Group,
    characters,
    grouped,
    in_groups,
    in_order,
    spanners_over,
)
from reportkit.report.tokens import name

AVERAGE = "Average"


def means_table(means: pd.DataFrame, look: Appearance, higher: Mapping[str, bool]) -> Table:
    """Return the table of means, with systems in rows or, where that is narrower, in columns.

    Parameters
    ----------
    means : DataFrame
        With the columns system, dataset and score, each pair once, and spread: a text, or "".
    look : Appearance
        Second best, average, groups, decimals, rows.
    higher : mapping of str to bool
        Dataset to whether higher scores are better.

    Raises
    ------
    SettingsError
        If a system has two scores on a dataset.

    Examples
    --------
    >>> means = pd.DataFrame({"system": ["a", "b"], "dataset": "cb", "score": [81.2, 80.0], "spread": ""})
    >>> [[cell.text, cell.bold] for cell in means_table(means, Appearance(), {"cb": True}).rows[0].cells[1:]]
    [['81.2', True]]
    """
    for row in means[means.duplicated(["system", "dataset"])].itertuples():
        raise SettingsError(
            f"{row.system!r} has several scores on {row.dataset!r}",
            remedy="choose a metric (--metric), or build a report of the single scores: reportkit build",
        )
    decimals = max(len(f"{float(value):.6g}".partition(".")[2]) for value in means["score"])
    decimals = look.decimals if isinstance(look.decimals, int) else decimals
    scores = means.pivot_table("score", "dataset", "system", aggfunc="first", observed=True)
    spreads = {(row.dataset, row.system): f" ± {row.spread!s}" for row in means.itertuples() if row.spread}
    systems = grouped(list(dict.fromkeys(means["system"])), look.system_groups)
    datasets = grouped(list(dict.fromkeys(means["dataset"])), look.dataset_groups)
    lower = [one for one in in_order(datasets) if not higher[one]]
    mixed = 0 < len(lower) < len(scores)
    if look.average and len(scores) > 1 and not mixed:
        scores.loc[AVERAGE] = scores.mean(skipna=False)
        datasets.append(Group("", (AVERAGE,)))
    second = look.second and scores.shape[1] > 2
    cells: dict[tuple[str, str], Cell] = {}
    for dataset in scores.index:
        row = scores.loc[dataset].round(decimals)
        best = sorted(set(row.dropna()), reverse=dataset not in lower and not (lower and not mixed))
        for system, value in row.items():
            text = DASH if pd.isna(value) else fixed(value, decimals) + spreads.get((dataset, system), "")
            cells[system, dataset] = Cell(text=text, bold=value in best[:1], underline=second and value in best[1:2])
    heads = {one: f"{name(one)} (lower is better)" if mixed and one in lower else name(one) for one in scores.index}
    heads |= {AVERAGE: AVERAGE} | {one: name(one) for one in scores.columns}
    upright = _grid("System", systems, datasets, cells, heads)
    turned = _grid("Dataset", datasets, systems, {(b, a): cell for (a, b), cell in cells.items()}, heads)
    wider = characters(upright) > max(MOST_ACROSS, characters(turned) + 8)
    better = " Lower is better." if lower and not mixed else ""
    return replace(
        turned if look.rows == "datasets" or (look.rows == "auto" and wider) else upright,
        caption=f"Mean scores.{better}",
        legend=f"Bold: best{'; underlined: second best' if second else ''}. No difference was tested.",
    )


def _grid(
    corner: str,
    rows: Sequence[Group],
    columns: Sequence[Group],
    cells: Mapping[tuple[str, str], Cell],
    heads: Mapping[str, str],
) -> Table:
    names = in_order(columns)
    filled = {
        one: Row(cells=(Cell(text=heads[one]), *(cells[one, other] for other in names))) for one in in_order(rows)
    }
    return Table(
        name="means",
        caption="",
        columns=(Column(header=corner, align="left"), *(Column(header=heads[one]) for one in names)),
        rows=tuple(in_groups(rows, filled, len(names) + 1)),
        spanners=spanners_over(columns, 1),
    )
