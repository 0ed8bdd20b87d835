"""Accuracy on some datasets and F1 on others, as in most tables of NLP: one family, each dataset by its own metric."""

from __future__ import annotations

from dataclasses import replace

from reportkit.scores.results import Results

ONE_METRIC_EACH = "score"
"""What the metric of a family is called whose datasets have different ones."""


def by_dataset(results: Results, *, named: bool = False) -> Results:
    """Take the metrics as one, if nobody names one of them and no dataset has two; `measures` says what each is.

    Parameters
    ----------
    results : Results
        Of one metric or several.
    named : bool
        Whether the user names a metric.

    Returns
    -------
    Results
        The same object where there is nothing to take together.

    Examples
    --------
    >>> import pandas as pd
    >>> from reportkit.scores.ingest import results_from_frame
    >>> frame = pd.DataFrame({"model": ["a", "b"] * 4, "task": ["cb"] * 4 + ["wic"] * 4, "id": [1, 1, 2, 2] * 2,
    ...                       "metric": ["f1"] * 4 + ["accuracy"] * 4, "score": [0.5, 0.7, 0.6, 0.1, 1, 0, 1, 1]})
    >>> results = by_dataset(results_from_frame(frame))
    >>> results.metrics, results.measures
    (('score',), {'cb': 'f1', 'wic': 'accuracy'})
    """
    if named or len(results.metrics) < 2 or len(results.datasets) > len(results.dataset_names):
        return results
    order = {name: place for place, name in enumerate(results.named_datasets)}
    blocks = sorted(results.datasets, key=lambda block: order.get(block.dataset, len(order)))
    return replace(
        results,
        datasets=tuple(replace(block, metric=ONE_METRIC_EACH) for block in blocks),
        measures={block.dataset: block.metric for block in blocks},
    )
