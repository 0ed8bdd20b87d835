"""The independent units of a dataset, for all of its systems: instances, clusters, or rated instances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.shapes.block import Block


def unit_codes(block: Block) -> NDArray[np.int64] | None:
    """Code of the independent unit of each column of scores; None if each column stands alone.

    The units are clusters if there are any; of ratings without clusters, the rated instances.

    Parameters
    ----------
    block : Block
        One dataset.

    Returns
    -------
    ndarray of int of shape (n_columns,), or None
        From 0 without gaps.
    """
    codes = block.independent_units
    return None if codes is None else np.asarray(np.unique(codes, return_inverse=True)[1].ravel(), dtype=np.int64)


def column_names(block: Block) -> tuple[list[str], list[str] | None]:
    """Names of the instance, and of the cluster if there are any, that each column of scores belongs to.

    Parameters
    ----------
    block : Block
        One dataset; of ratings, the instance is the one that was rated.

    Returns
    -------
    (list of str, list of str or None)
    """
    instances = block.column_instances
    if block.clusters is None:
        return [str(name) for name in instances], None
    names = block.cluster_names or tuple(map(str, range(int(block.clusters.max()) + 1)))
    return [str(name) for name in instances], [names[code] for code in block.clusters]
