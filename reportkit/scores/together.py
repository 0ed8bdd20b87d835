"""Put results together: metrics of one table, datasets that are the sample, systems of a family.

One score per system and dataset as the data. What is asked is whether A is better than B on a typical dataset of the
kind that these datasets are a sample of; not on how many of these, and not on which (Demsar 2006, section 3.1; the
questions of Dror et al. 2017 need a p-value per dataset).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from reportkit.scores.choices import Missing
from reportkit.scores.codes import names_text
from reportkit.scores.refusals import refusal
from reportkit.scores.scores import TAKEN_TOGETHER, Results, Scores

if TYPE_CHECKING:
    import pandas as pd

FEWEST_DATASETS = 6
"""With fewer, no pattern of signs gives a two-sided p-value of .05: 2 / 2^5 = .0625."""


def joined(read: Sequence[Results]) -> Results:
    """Put the results of several metrics of one table together."""
    return replace(
        read[0],
        datasets=tuple(block for item in read for block in item.datasets),
        columns={role: name for item in reversed(read) for role, name in item.columns.items()},
        findings=tuple(dict.fromkeys(finding for item in read for finding in item.findings)),
        named_datasets=tuple(dict.fromkeys(name for item in read for name in item.named_datasets)),
    )


def taken_together(
    results: Results, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
) -> Results:
    """Make the datasets the sample: one block per metric, with the mean score of each system on each dataset.

    Where scores of instances are there, the (weighted) mean of a system on a dataset is taken over the instances that
    it was scored on; instances of another shape give what a table prints of them (BLEU, a correlation, k / n, ...).

    Parameters
    ----------
    results : Results
        As read; unchanged if its datasets are taken together already.
    missing : {"error", "drop", "worst"}
        What a missing score of an instance counts as.
    score_range : tuple of float, optional
        (lowest, highest) score of the metric.

    Returns
    -------
    Results
        One block per metric.

    Raises
    ------
    DesignError
        If the scores are ordinal, whose means say nothing.
    InputError
        If there is one dataset only.

    Examples
    --------
    >>> def block(name, *rows):
    ...     return Scores(dataset=name, metric="f1", systems=("a", "b"), instances=np.array(["0"], dtype=object),
    ...                   scores=np.array(rows), kind="continuous")
    >>> both = taken_together(Results(datasets=(block("cb", [0.5], [0.25]), block("rte", [0.75], [0.5]))))
    >>> both.datasets[0].dataset, both.datasets[0].scores
    ('2 datasets taken together', array([[0.5 , 0.75],
           [0.25, 0.5 ]]))
    """
    if all(block.unit == "dataset" for block in results.datasets):
        return results
    by_metric = ([block for block in results if block.metric == metric] for metric in results.metrics)
    return replace(results, datasets=tuple(_together(blocks, missing, score_range) for blocks in by_metric))


def _together(blocks: Sequence[Scores], missing: Missing, score_range: tuple[float, float] | None) -> Scores:
    metric, higher = blocks[0].metric, blocks[0].higher_is_better
    if ordinal := [block.dataset for block in blocks if block.kind == "ordinal"]:
        raise refusal("ordinal-means", metric=metric, datasets=names_text(ordinal))
    if len(blocks) < 2:
        raise refusal("one-dataset", metric=metric, dataset=blocks[0].dataset)
    lower = [block.dataset for block in blocks if not block.higher_is_better]
    if 0 < len(lower) < len(blocks):
        raise refusal("two-directions", datasets=names_text(lower))
    systems = tuple(dict.fromkeys(system for block in blocks for system in block.systems))
    scores = np.full((len(systems), len(blocks)), np.nan)
    for column, block in enumerate(blocks):
        for system in block.systems:
            value, _ = block.value(system, missing=missing, score_range=score_range)
            scores[systems.index(system), column] = value if higher else 0.0 - value
    names = np.array([block.dataset for block in blocks], dtype=object)
    compared = np.count_nonzero(~np.isnan(scores), axis=0) > 1  # elsewhere there is nothing to compare
    if missing != "error" and len(systems) > 1 and compared.any():
        scores, names = scores[:, compared], names[compared]
    scores.flags.writeable = False
    return Scores(
        unit="dataset",
        dataset=TAKEN_TOGETHER.format(len(names)),
        metric=metric,
        systems=systems,
        instances=names,
        kind="continuous",
        higher_is_better=higher,
        scores=scores,
    )


def family_column(
    frame: pd.DataFrame, columns: Mapping[str, str], named: str | None, *, unused: Collection[str] = ()
) -> dict[str, str] | None:
    """Read the family of each system.

    Parameters
    ----------
    frame : DataFrame
        Results in long form.
    columns : mapping of str to str
        Role to column name, as recognised.
    named : str or None
        Column that holds the family; `family`, if there is one that plays no role, by default.
    unused : collection of str
        Columns that play no role.

    Returns
    -------
    dict of str to str, or None
        System to family; None if no column is named and there is none of that name.

    Raises
    ------
    ColumnError
        If there is no such column, the results are not in long form, or a system has no family or several.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": ["a", "b", "a"], "family": ["x", "y", "x"]})
    >>> family_column(frame, {"system": "model"}, "family")
    {'a': 'x', 'b': 'y'}
    """
    name = named or next((one for one in unused if one.casefold() == "family"), None)
    if name is None:
        return None
    system = columns.get("system")
    if system is None or name == system or not {system, name} <= {*frame.columns}:
        raise refusal("no-families", column=name, columns=", ".join(repr(str(one)) for one in frame.columns))
    both = frame[[system, name]].drop_duplicates()
    wrong = both[both[name].isna() | both[system].duplicated()]
    if len(wrong):
        raise refusal("several-families", system=str(wrong[system].iloc[0]), column=name)
    return {str(one): str(family) for one, family in both.itertuples(index=False)}
