"""The table of mean scores that are known alone, without a test: best, second best, average, groups, spread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from reportkit.appearance import Appearance
from reportkit.errors import SettingsError
from reportkit.language import fixed
from reportkit.report.model import Cell, Table
from reportkit.report.scores_table import AVERAGE, DASH, Group, grid, grouped, in_order, turn
from reportkit.report.wording import Texts


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
    words = Texts({"second": second, "lower": bool(lower) and not mixed})
    heads = {one: words.macro("means", "lower_is_better", dataset=one) for one in (lower if mixed else ())}
    heads[AVERAGE] = words.heads["average"]
    upright = grid(words.heads["system"], systems, datasets, heads, lambda one, other: cells[one, other])
    turned = grid(words.heads["dataset"], datasets, systems, heads, lambda one, other: cells[other, one])
    return replace(
        turned if turn(upright, turned, look) else upright,
        name="means",
        caption=words.macro("means", "caption"),
        legend=words.macro("means", "legend"),
    )
