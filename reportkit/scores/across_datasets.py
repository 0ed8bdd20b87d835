"""One score per system and dataset as the data: the datasets are the sample, and the question is another one.

What is asked is whether A is better than B on a typical dataset of the kind that these datasets are a sample of; not on
how many of these datasets, and not on which (Demsar 2006, section 3.1; the questions of Dror et al. 2017 need a p-value
per dataset).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reportkit.scores.choices import Missing
from reportkit.scores.codes import names_text
from reportkit.scores.refusals import refusal
from reportkit.scores.results import Results
from reportkit.scores.scores import Scores, name_of_all

FEWEST_DATASETS = 6
"""With fewer, no pattern of signs gives a two-sided p-value of .05: 2 / 2^5 = .0625."""


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
        dataset=name_of_all(len(names)),
        metric=metric,
        systems=systems,
        instances=names,
        kind="continuous",
        higher_is_better=higher,
        scores=scores,
    )
