"""Two systems on each dataset, paired as the settings say: what every question beyond the p-value is asked of."""

from __future__ import annotations

from reportkit.errors import UnknownNameError
from reportkit.scores.across_datasets import taken_together
from reportkit.scores.results import Results
from reportkit.scores.sample import Sample
from reportkit.settings import Settings
from reportkit.significance.assess import paired_as_set


def samples_of(
    results: Results, system_a: str, system_b: str, metric: str, settings: Settings, dataset: str | None = None
) -> tuple[Sample, ...]:
    """Put two systems side by side on every dataset that both have, or on one.

    Parameters
    ----------
    results : Results
        Of one metric or several.
    system_a, system_b : str
        Two of its systems.
    metric : str
        Which metric.
    settings : Settings
        Missing instances, pairing, seeds, and whether the means of the datasets are the sample.
    dataset : str, optional
        One of them, so that no other has to be brought into memory.

    Returns
    -------
    tuple of Sample
        In the order of the datasets; the same that the tests of `reportkit.compare` saw.

    Raises
    ------
    UnknownNameError
        If a system does not occur in the results.
    """
    for name in (system_a, system_b):
        if name not in results.systems:
            raise UnknownNameError("system", name, results.systems)
    chosen = results.select(metric=(metric,), systems=(system_a, system_b))
    if settings.across_datasets:
        chosen = taken_together(chosen, missing=settings.missing, score_range=settings.score_range)
    both = [
        block
        for block in chosen.datasets
        if dataset in (None, block.dataset) and {system_a, system_b} <= set(block.systems)
    ]
    return tuple(paired_as_set(block, system_a, system_b, settings) for block in both)
