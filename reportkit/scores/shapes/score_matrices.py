"""The scores of a block as one matrix, whatever they are scores of: for checks of scales, ranges and kinds."""

from __future__ import annotations

from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.dataset_scores import DatasetScores
from reportkit.scores.shapes.folds import DatasetFolds
from reportkit.scores.shapes.run_scores import DatasetRunScores
from reportkit.scores.shapes.runs import DatasetRuns


def score_matrix(block: Block) -> DatasetScores | None:
    """Scores with one row per system (or run of a system) and one column per instance (or run, or fold).

    Returns
    -------
    DatasetScores or None
        None for a block that holds no scores: counts, sums, predictions.

    Examples
    --------
    >>> import numpy as np
    >>> runs = DatasetRuns(dataset="cb", metric="f1", systems=("a",), instances=np.array(["1", "2"], dtype=object),
    ...                    kind="continuous", scores=(np.array([[0.5, 0.7], [0.4, 0.8]]),), runs=(("0", "1"),))
    >>> score_matrix(runs).systems
    ('a, run 0', 'a, run 1')
    """
    if isinstance(block, DatasetScores):
        return block
    return block.matrix() if isinstance(block, (DatasetRuns, DatasetRunScores, DatasetFolds)) else None
