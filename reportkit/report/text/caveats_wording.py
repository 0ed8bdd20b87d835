"""What decides whether a claim may be believed, as clauses that stand in every length of the paragraph."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from reportkit.language.counts_and_lists import listed, some
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose
from reportkit.significance.second_test import DISAGREEMENT

CAVEATS: Mapping[str, str] = {
    "pairing-unknown": "only numbers of right answers are known, not which instances each system got right",
    "different-instances": "the systems were scored on different instances",
    "pairing-lost": "instances that both systems share are not paired",
    "clusters-ignored": "the test ignores clusters of instances",
    "nested-instances": "instances seem to come from common documents, which the test does not know",
    "small-sample": "there are few instances",
    "small-dataset": "there are few instances",
    "few-resampled-units": "there are few instances",
    "few-clusters": "there are few clusters",
    "few-runs": "there are few runs",
    "few-datasets": "there are few datasets",
    "single-run": "one system has a single run",
    "outlying-run": "one run stands far off the others",
    "unseen-failures": "the runs are too few to show rare failures",
    "skewness-unseen": "the differences are too few to show whether they are skewed",
    "skewed-differences": "the differences are skewed",
    "skewed-scores": "the scores are skewed",
    "large-differences": "a few large differences dominate",
    "one-sided-differences": "nearly all differences have the same sign",
    "informative-cluster-sizes": "large and small clusters differ",
    "rank-test-of-mean": "a rank test does not test the mean of skewed differences",
    "influential-instance": "a single instance dominates a correlation",
    "contamination-unseen": "a few far-off predictions could decide a correlation",
    "normal-theory": "the test assumes normally distributed values",
    "bootstrap-bias": "the bootstrap is biased",
    "too-few-valid-resamples": "too few resamples hold any variance",
    "bounds-not-guaranteed": "the bound for missing scores is not guaranteed",
    "no-variance": "the data show no variance",
    "unstable-p-value": "a p-value is too close to the level for its resamples to settle",
    DISAGREEMENT: "a second test disagrees",
}
"""By the code of a finding, the clause that a short text has of it."""

_WHATEVER_THE_SEVERITY = frozenset({"different-instances"})

SAID_BY_PAIRING = frozenset({"pairing-unknown", "different-instances", "pairing-lost"})
"""Codes whose caveat the sentence on the pairing has already."""


def caveats_in_brief(family: Family, *, said: Collection[str] = ()) -> Prose:
    """One sentence with every caveat, each with the datasets it concerns unless it concerns all; empty without any.

    Parameters
    ----------
    family : Family
        What was compared.
    said : collection of str
        Codes of findings that the text tells elsewhere.
    """
    datasets = dict.fromkeys(family.datasets)
    places: dict[str, dict[str, None]] = {}
    single = set()
    for comparison in family.comparisons:
        for item in comparison.assessments:
            for finding in item.findings:
                single.add(finding.code)
                if finding.code in CAVEATS and finding.code not in said and _limits(finding.code, finding.severity):
                    places.setdefault(CAVEATS[finding.code], {})[item.dataset] = None
    for finding in family.findings:  # of the results as a whole
        if finding.code in CAVEATS.keys() - single - {*said} and _limits(finding.code, finding.severity):
            places.setdefault(CAVEATS[finding.code], dict(datasets))
    if not places:
        return ()
    clauses = [
        clause if len(found) == len(datasets) else f"{clause} ({some(list(found))})" for clause, found in places.items()
    ]
    return prose("Caution is needed: {clauses}.", clauses=listed(clauses))


def _limits(code: str, severity: str) -> bool:
    return severity != "info" or code in _WHATEVER_THE_SEVERITY
