"""What a report has to say about metrics that are computed from sums: what they are, and what the jackknife says."""

from __future__ import annotations

from collections.abc import Iterable

from reportkit.language.counts_and_lists import listed
from reportkit.metrics.corpus.catalogue import corpus_metric_named
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.references import REFERENCES
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.outcome import Assessment
from reportkit.significance.second_test import DISAGREEMENT


def what_is_summed(items: Iterable[Assessment]) -> Prose:
    """Say that a metric is computed from sums, with its source; nothing if there is no such metric."""
    metrics = list(dict.fromkeys(item.metric for item in items if item.shape == "corpus"))
    if not metrics:
        return ()
    keys = []
    for name in metrics:
        metric = corpus_metric_named(name)
        if metric is not None and metric.citation in REFERENCES:
            keys.append(metric.citation)
    return prose(
        "{metrics}{cite} {are} computed from counts summed over all instances of a dataset, not as {mean}.",
        metrics=listed(metrics),
        cite=prose(" {cite}", cite=Cite(tuple(dict.fromkeys(keys)))) if keys else (),
        are="is" if len(metrics) == 1 else "are",
        mean="a mean of scores" if len(metrics) == 1 else "means of scores",
    )


def where_tests_disagree(items: Iterable[Assessment]) -> Prose:
    """Name the datasets on which the test beside comes to another verdict; nothing if there are none."""
    places: dict[str, dict[str, None]] = {}
    for item in items:
        beside = item.details.test_beside
        if beside and any(finding.code == DISAGREEMENT for finding in item.findings):
            places.setdefault(beside, {})[item.dataset] = None
    return sentences(
        *(
            prose(
                "A second test, the {title}, comes to the other side of a level that matters on {places}.",
                title=SIGNIFICANCE_TESTS[name].title,
                places=listed(datasets) if len(datasets) <= 6 else f"{len(datasets)} datasets",
            )
            for name, datasets in places.items()
        )
    )
