"""What decides whether a claim may be believed: clauses for every length of the paragraph, and all checks in full."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import capitalised, counted, listed, some, spanned
from reportkit.language.numerals import percent_text
from reportkit.replicability.claims import NOT_COMPARED
from reportkit.replicability.missing_data import DATASETS_LEFT_OUT
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.text.significance import really_tested
from reportkit.scores.shapes.sample import remembered
from reportkit.significance.catalogue import entry_of
from reportkit.significance.outcome import Outcome, unswapped
from reportkit.significance.second_test import DISAGREEMENT

CAVEATS: Mapping[str, str] = {
    "pairing-unknown": "only the numbers of right answers are known, not which instances each system got right",
    "different-instances": "the systems were scored on different instances",
    "pairing-lost": "instances that both systems share could not be paired",
    "clusters-ignored": "the test ignores that instances come in clusters",
    "nested-instances": "instances seem to come from shared documents, which the test ignores",
    "serial-dependence": "neighbouring instances are alike, as in one document, which the test ignores",
    "correlated-datasets": "scores on different datasets are correlated, which the count takes to be an accident",
    "small-sample": "there are few instances",
    "small-dataset": "there are few instances",
    "few-resampled-units": "there are few instances",
    "few-clusters": "there are few clusters",
    "few-runs": "there are few runs",
    "few-datasets": "there are few datasets",
    "single-run": "one system has a single run",
    "outlying-run": "one run lies far from the others",
    "unseen-failures": "there are few runs",
    "skewness-unseen": "there are too few differences to check for skewness",
    "skewed-differences": "the differences are skewed, so p-values may be too small",
    "skewed-scores": "the scores are skewed, so p-values may be too small",
    "large-differences": "a few large differences dominate",
    "one-sided-differences": "nearly all differences have the same sign",
    "informative-cluster-sizes": "large clusters differ from small ones",
    "rank-test-of-mean": "the differences are skewed, and a rank test does not test their mean",
    "influential-instance": "a single instance dominates a correlation",
    "contamination-unseen": "a few outlying predictions could decide a correlation",
    "normal-theory": "the test assumes normally distributed values",
    "bootstrap-bias": "the bootstrap is biased",
    "too-few-valid-resamples": "too few resamples vary",
    "bounds-not-guaranteed": "the bound for missing scores is not guaranteed",
    "no-variance": "the differences do not vary",
    "unstable-p-value": "a p-value is too close to the level for its resamples to settle",
    DISAGREEMENT: "a second test disagrees",
}
"""By the code of a finding, the clause that a short text has of it."""

_WHATEVER_THE_SEVERITY = frozenset({"different-instances"})

SAID_BY_PAIRING = frozenset({"pairing-unknown", "different-instances", "pairing-lost"})
"""Codes whose caveat the sentence on the pairing has already."""


def caveats_in_brief(family: ReplicabilityAnalysis, *, said: Collection[str] = ()) -> Prose:
    """One sentence with every caveat, each with the datasets it concerns unless it concerns all; empty without any.

    Parameters
    ----------
    family : ReplicabilityAnalysis
        What was compared.
    said : collection of str
        Codes of findings that the text tells elsewhere.
    """
    places: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    single = set()
    for item in family.kinds:
        for finding in item.findings:
            single.add(finding.code)
            if finding.code in CAVEATS and finding.code not in said and _limits(finding.code, finding.severity):
                metrics, datasets = places.setdefault(CAVEATS[finding.code], ({}, {}))
                metrics[item.metric] = datasets[item.dataset] = None
    for finding in family.findings:  # of the results as a whole
        if finding.code in CAVEATS.keys() - single - {*said} and _limits(finding.code, finding.severity):
            named = [name for name in family.datasets if repr(name) in finding.where]
            whole = not named or finding.where.endswith(" more")
            every = dict.fromkeys(family.metrics_here), dict.fromkeys(family.datasets if whole else named)
            places.setdefault(CAVEATS[finding.code], every)
    if not places:
        return ()
    clauses = []
    for clause, (metrics, datasets) in places.items():
        where = [listed(metrics)] if len(metrics) < len(family.metrics_here) else []
        where += [some(list(datasets))] if len(datasets) < len(family.datasets) else []
        clauses.append(f"{clause} ({', '.join(where)})" if where else clause)
    return prose("Read with caution: {clauses}.", clauses="; ".join(clauses))


def _limits(code: str, severity: str) -> bool:
    return severity != "info" or code in _WHATEVER_THE_SEVERITY


SAID_ELSEWHERE = frozenset(
    {
        DISAGREEMENT,
        "counts-from-scores",
        DATASETS_LEFT_OUT,
        "folds-unused",
        "gold-unused",
        "identical-systems",
        "independence-not-audited",
        "metric-chosen",
        "missing-bounds",
        "missing-drop",
        "missing-scores",
        "missing-worst",
        NOT_COMPARED,
        "not-independent",
        "pairing-unknown",
        "printed-k-hat",
        "right-or-wrong-in-percent",
        "printed-marks",
        "printed-zero",
        "runs-only",
        "same-runs",
        "similar-names",
        "wrong-direction",
    }
)
"""Findings that other sentences of the paragraph tell, or that are of no concern to the reader of a paper."""

OF_SIZE = frozenset(
    {"large-differences", "one-sided-differences", "rank-test-of-mean", "skewed-differences", "skewness-unseen"}
)
"""Findings that say of a test of a mean that its size may be off."""

FEWEST_FOR_A_SHARE = 10
"""With so few units or fewer, the share that may be missing is large, and the finding on small samples says enough."""


@dataclass(slots=True)
class _Told:
    """One kind of finding: all messages, and all places."""

    messages: list[str] = field(default_factory=list)
    places: list[tuple[tuple[str, str], str]] = field(default_factory=list)


def mismatches_in_words(family: ReplicabilityAnalysis) -> Prose:
    """Ties, clusters that nobody declared, and every finding that limits a test."""
    items = family.kinds
    told = [*_of_datasets(family), *_of_results(family)]
    return sentences(_ties(family), *told, _less_than_guaranteed(family), _no_clusters(items, family), _unseen(items))


def _unseen(items: Sequence[Outcome]) -> Prose:
    """The rule of three: what no sample of so many units can show."""
    sizes = {
        (item.n if item.n_clusters is None else item.n_clusters, item.n_clusters is None)
        for item in really_tested(items)
        if item.unit == "instance" and item.n is not None and item.method != "printed"
    }
    if not sizes:
        return ()
    fewest, plain = min(sizes)
    if fewest <= FEWEST_FOR_A_SHARE:
        return ()
    return prose(
        "{sample} can miss anything that concerns fewer than about {share} of {units}, such as rare but large losses.",
        share=percent_text(float(f"{3 / fewest:.2g}")),
        units="instances" if plain else "clusters",
        sample=f"A sample of {fewest:,}" if len(sizes) == 1 else f"The smallest sample ({fewest:,})",
    )


def _less_than_guaranteed(family: ReplicabilityAnalysis) -> Prose:
    """That counts and names rest on p-values that keep their level, where some may not."""
    found = {finding.code for item in family.kinds for finding in item.findings if finding.severity != "info"}
    if not found & OF_SIZE or family.n_assessments < 2 or len(family.datasets) < 2:
        return ()
    return prose(
        "{k_hat} and Holm's method rest on the smallest {p}-values, and these have the largest relative errors."
    )


def _of_datasets(family: ReplicabilityAnalysis) -> list[Prose]:
    """Findings of single comparisons, those of one kind together."""
    if not any(finding.code not in SAID_ELSEWHERE for item in family.kinds for finding in item.findings):
        return []
    kinds: dict[tuple[str, str, str], _Told] = {}
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for comparison in family.comparisons:
        both = comparison.system_a, comparison.system_b
        pair = pairs.setdefault(frozenset(both), both)
        found = [(item.dataset, each) for item in unswapped(comparison.assessments) for each in item.findings]
        for dataset, finding in found:
            if finding.code in SAID_ELSEWHERE:
                continue
            told = kinds.setdefault((finding.code, finding.severity, comparison.metric), _Told())
            if (pair, dataset) not in told.places:
                told.places.append((pair, dataset))
                told.messages.append(finding.message)
    return [_at(told, len(pairs), metric, family) for (*_, metric), told in kinds.items()]


def _at(told: _Told, n_pairs: int, metric: str, family: ReplicabilityAnalysis) -> Prose:
    """The first message with its place, and where the same or the like holds."""
    message = told.messages[0]
    by = [f"for {metric},"] if family.several_metrics else []
    if len(told.places) == n_pairs * len(family.datasets) and len(set(told.messages)) == 1 and not by:
        return prose("{message}", message=_begun(message, family))
    if n_pairs == 1 and len(set(told.messages)) == 1:
        where = " ".join([*by, f"on {some([dataset for _, dataset in told.places])}"])
        return prose("{message}", message=capitalised(f"{where}, {_lowered(message, family)}"))
    pair, dataset = told.places[0]
    place = [*by, *([] if n_pairs == 1 else [f"for {some(pair)}"])]
    if len(family.datasets) > 1:
        place.append(f"on {dataset}")
    message = f"{' '.join(place)}, {_lowered(message, family)}" if place else message
    message = capitalised(message) if place else _begun(message, family)
    others = [dataset for _, dataset in told.places[1:]]
    if not others:
        return prose("{message}", message=message)
    return prose(
        "{message} The same holds, with other numbers, {there}.",
        message=message,
        there=f"on {some(others)}" if n_pairs == 1 else f"of {counted(len(others), 'other comparison')}",
    )


def _of_results(family: ReplicabilityAnalysis) -> list[Prose]:
    """Findings about the results as a whole."""
    items = family.kinds
    single = {finding for item in items for finding in item.findings}
    told: dict[str, tuple[str, str]] = {}
    for finding in family.findings:
        if finding.code == "unattainable-level" and not really_tested(items):
            continue
        if finding in single or finding.code in SAID_ELSEWHERE or finding.code in _codes(single):
            continue
        if finding.code == "small-dataset" and "small-sample" in _codes(single):
            continue
        told.setdefault(finding.code, (finding.message, finding.where))
    return [
        prose("{message}", message=capitalised(f"on {_places(where, family)}, {_lowered(message, family)}"))
        if code == "unattainable-level" and where and len(family.datasets) > 1
        else prose("{message}", message=_begun(message, family))
        for code, (message, where) in told.items()
    ]


def _places(where: str, family: ReplicabilityAnalysis) -> str:
    """Names that a finding lists, as a sentence does, and as they are printed."""
    *names, last = where.split(", ")
    last, and_, more = last.partition(" and ") if last.endswith(" more") else (last, "", "")
    names = [family.labels.get(name, name) for name in (*names, last)]
    return f"{', '.join(names)} and {more}" if and_ else listed(names)


def _codes(findings: set[Finding]) -> set[str]:
    return {finding.code for finding in findings}


def _ties(family: ReplicabilityAnalysis) -> Prose:
    """How many instances decide, where those on which both do equally well do not count."""
    if not family.one_claim or family.several_metrics:
        return ()
    items = really_tested(family.comparisons[0].assessments)
    decided = [item.n_nonzero for item in items if item.n_nonzero is not None]
    entries = [entry_of(item) for item in items]
    if not items or len(decided) < len(items) or any(entry is None or entry.ties_count for entry in entries):
        return ()
    if any(item.n_clusters is not None or item.details.n_ratings is not None for item in items):
        return ()
    return prose(
        "The two systems score differently on {n}{each}; only these enter the test.",
        n=spanned(decided, items[0].unit),
        each=" of a dataset" if len(items) > 1 else "",
    )


def _no_clusters(items: Sequence[Outcome], family: ReplicabilityAnalysis) -> Prose:
    """That instances were taken as independent, where nobody said otherwise."""
    tested = really_tested(items)
    plain = [
        item
        for item in tested
        if item.unit == "instance" and item.n_clusters is None and item.details.n_ratings is None
    ]
    if not plain or any(item.method == "printed" for item in plain):
        return ()
    if any(
        finding.code in ("nested-instances", "serial-dependence", "clusters-ignored") for finding in family.findings
    ):
        return ()
    where = list(dict.fromkeys(item.dataset for item in plain))
    everywhere = len(where) == len({item.dataset for item in tested})
    return prose(
        "{no} clusters were declared; if instances{there} come from common documents, dialogues or authors, "
        "{p_values} too small.",
        no="No" if everywhere else f"On {some(where)} no",
        there="" if everywhere else " there",
        p_values=prose("the {p}-value is") if family.n_assessments == 1 else prose("the {p}-values are"),
    )


def _lowered(message: str, family: ReplicabilityAnalysis) -> str:
    """The message to go on within a sentence: no capital, unless a name begins it; names as they are printed."""
    if message[:2].istitle():  # a name stands in quotes
        message = message[:1].lower() + message[1:]
    return _with_names(message, family)


def _begun(message: str, family: ReplicabilityAnalysis) -> str:
    """The message to begin a sentence: with a capital, unless a name begins it; names as they are printed."""
    return _with_names(message if message[:1] in "'\"" else capitalised(message), family)


def _with_names(message: str, family: ReplicabilityAnalysis) -> str:
    """Names as running text has them: without the quotes of a finding, and as they are printed."""
    return remembered(family.known, "names in quotes", lambda: _names_of(family)).printed(message)


@dataclass(frozen=True, slots=True)
class _Names:
    """Names in quotes, as findings have them, and what is printed."""

    quoted: Mapping[str, str] = field(repr=False)
    pattern: re.Pattern[str] = field(repr=False)

    def printed(self, message: str) -> str:
        """Replace all at once, so that no label is taken for a name."""
        return self.pattern.sub(lambda found: self.quoted[found.group()], message)


def _names_of(family: ReplicabilityAnalysis) -> _Names:
    printed = {name for item in family.comparisons for name in (item.system_a, item.system_b, item.metric)}
    quoted = {repr(name): name for name in (*printed, *family.datasets)}
    quoted |= {repr(name): label for name, label in family.labels.items()}
    longest_first = sorted(quoted, key=lambda name: (-len(name), name))
    return _Names(quoted, re.compile("|".join(map(re.escape, longest_first))))
