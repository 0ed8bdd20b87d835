"""What has to be said of scores by their shape: unpaired, counts, runs, folds, clusters, sums, correlations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportkit.language.counts_and_lists import counted, listed, spanned
from reportkit.language.numerals import p_value_range_text
from reportkit.metrics.corpus import corpus_metric_named
from reportkit.metrics.correlation import TITLES
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.references import REFERENCES
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, entry_of
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.outcome import Outcome
from reportkit.significance.second_test import DISAGREEMENT

MOST_DATASETS_IN_WORDS = 4


def sizes_of(item: Outcome) -> tuple[int, ...]:
    """Instances (runs) of A and of B where nothing is paired, else of the pair; empty if unknown.

    Where a paper prints none, nothing is known.
    """
    a, b = item.details.sides
    sizes = (a.n_runs, b.n_runs) if item.unit == "run" else (a.n_instances, b.n_instances)
    found = tuple(size for size in sizes if size is not None)
    return found or (() if item.n is None else (item.n,))


def size_text(item: Outcome) -> str:
    """Write the number of instances for a table: "120", or "120 / 80" for A and for B."""
    sizes = sizes_of(item)
    return " / ".join(f"{n:,}" for n in (sizes if len(set(sizes)) > 1 else sizes[:1]))


def sizes_explained(items: Iterable[Outcome]) -> Prose:
    """Say what two numbers of instances in one cell are; empty where there are none."""
    several = [item.unit for item in items if len(set(sizes_of(item))) > 1]
    if not several:
        return ()
    return prose("{n}: {unit}s of the first / of the second system.", unit=several[0])


def pairing_in_brief(family: ReplicabilityAnalysis) -> Prose:
    """That nothing is paired, in one sentence: it decides how sure a result is."""
    shapes = {item.shape for item in family.kinds}
    entries = [entry_of(item) for item in family.kinds]
    if "counts" in shapes and any(entry is not None and entry.any_pairing for entry in entries):
        return prose("Only the numbers of right answers are known; the {p}-values hold for any pairing of the answers.")
    if "counts" in shapes:
        return prose("Only the numbers of right answers are known, so we treat the two systems as independent samples.")
    if "unpaired" in shapes:
        return prose("We compare independent samples{common}.", common=_common(family))
    return ()


def pairing_sentence(family: ReplicabilityAnalysis) -> Prose:
    """Say that the pairing is lost or not known, and what can be said all the same."""
    shapes = {item.shape for item in family.kinds}
    parts: list[Prose] = []
    if "unpaired" in shapes:
        parts.append(
            prose(
                "We compare the two systems of a pair as independent samples{common}.",
                common=_common(family),
            )
        )
    entries = [entry_of(item) for item in family.kinds]
    if "counts" in shapes and any(entry is not None and entry.any_pairing for entry in entries):
        parts.append(
            prose(
                "Only the numbers of right answers are known, not which answers were right. Each {p}-value is the "
                "largest that any pairing of these numbers allows, and therefore valid."
            )
        )
    elif "counts" in shapes:
        parts.append(
            prose(
                "Only the numbers of right answers are known, not which answers were right, so we treat the two "
                "systems of a pair as independent samples."
            )
        )
        if family.one_claim:
            parts.append(_margins(family.comparisons[0]))
    return sentences(*parts)


def _common(family: ReplicabilityAnalysis) -> str:
    """How much pairing is given up."""
    if most := max(item.details.n_common or 0 for item in family.kinds):
        return f", without pairing the instances they share (up to {most:,} on a dataset)"
    return ": each system has instances of its own"


def _margins(comparison: Comparison) -> Prose:
    """The feasible interval of McNemar's p-value, from the numbers of right answers."""
    bounds = {
        item.dataset: (low, high)
        for item in comparison.assessments
        if (low := item.details.a.mcnemar_p_value_low) is not None
        and (high := item.details.a.mcnemar_p_value_high) is not None
    }
    if not bounds:
        return ()
    fields = {"a": comparison.system_a, "b": comparison.system_b}
    if len(bounds) > MOST_DATASETS_IN_WORDS:
        name, (_, high) = max(bounds.items(), key=lambda item: item[1][1])
        return prose(
            "If both were scored on the same instances, the exact McNemar {p}-value for {a} better than {b} is "
            "{high} for any pairing (the largest, on {name}).",
            high=p_value_range_text(SMALLEST_P_VALUE, high),
            name=name,
            **fields,
        )
    places: dict[str, list[str]] = {}
    for name, (low, high) in bounds.items():
        places.setdefault(p_value_range_text(low, high), []).append(name)
    each = listed(f"{ends} on {listed(names)}" if len(bounds) > 1 else ends for ends, names in places.items())
    return prose(
        "If both were scored on the same instances, the exact McNemar {p}-value for {a} better than {b} is {each} for "
        "any pairing; the upper end is itself a valid {p}-value.",
        each=each,
        **fields,
    )


def repetitions_in_words(items: Sequence[Outcome]) -> Prose:
    """Numbers of runs of each system, or of folds and repetitions; empty for all other results."""
    if any(item.shape == "folds" for item in items):
        return _folds(items)
    runs: dict[str, set[int]] = {}
    for item in items:
        for system, side in zip((item.system_a, item.system_b), item.details.sides, strict=True):
            if side.n_runs is not None:
                runs.setdefault(system, set()).add(side.n_runs)
    if not runs:
        return ()
    every = set().union(*runs.values())
    if len(every) == 1:
        return prose("There {are} of each system.", are=_are(every.pop()))
    single = "; we take a single run as given" if 1 in every and items[0].shape != "paired" else ""
    if len(runs) > 2 or any(len(numbers) > 1 for numbers in runs.values()):
        return prose(
            "There are {low} to {high} runs of a system{single}.", low=min(every), high=max(every), single=single
        )
    (first, one), (second, other) = ((name, numbers.pop()) for name, numbers in runs.items())
    return prose(
        "There {are} of {first} and {other} of {second}{single}.",
        are=_are(one),
        first=first,
        other=other,
        second=second,
        single=single,
    )


def same_runs_in_words() -> str:
    """What a declaration of independence means for runs that have the same names on several datasets."""
    return (
        "This assumes that each dataset has its own trained models, although runs have the same names on several "
        "datasets. If one model was scored on several, their p-values depend on each other."
    )


def _numbers(item: Outcome) -> set[int | None]:
    return {side.n_runs for side in item.details.sides}


def _are(n_runs: int) -> str:
    return f"{'is' if n_runs == 1 else 'are'} {counted(n_runs, 'run')}"


def _folds(items: Sequence[Outcome]) -> Prose:
    designs = {(item.details.n_folds or 0, item.details.n_repetitions or 0) for item in items}
    if len(designs) > 1:
        folds, repetitions = ({design[i] for design in designs} for i in (0, 1))
        return prose(
            "The cross-validations have {folds} folds and {repetitions} repetitions.",
            folds=_span(folds),
            repetitions=_span(repetitions),
        )
    n_folds, n_repetitions = designs.pop()
    return prose(
        "The cross-validation has {folds}{repeated}.",
        folds=counted(n_folds, "fold"),
        repeated=f", in {n_repetitions} repetitions" if n_repetitions > 1 else "",
    )


def _span(values: set[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


def averages_runs(item: Outcome) -> bool:
    """Whether paired scores are means over several runs: seeds were declared fixed."""
    return item.shape == "paired" and item.details.a.n_runs is not None


def has_instance_runs(family: ReplicabilityAnalysis) -> bool:
    """Whether there were several runs per instance, so that it matters whether seeds are random or fixed."""
    items = family.kinds
    return any(item.shape == "runs" or averages_runs(item) for item in items)


def limits_of_runs(family: ReplicabilityAnalysis) -> Prose:
    """To what a result with runs or folds applies; empty for all other results, and for a mixture."""
    items = family.kinds
    shapes = {item.shape for item in items}
    several = len(family.datasets) > 1
    fields = {
        "result": "results" if several else "result",
        "ies": "y" if several else "ies",
        "the": "each" if several else "this",
        "these": "the same test sets" if several else "the same test set",
        "with_": " that have several" if any(1 in _numbers(item) for item in items) else "",
    }
    if shapes == {"folds"}:
        return prose(
            "The {result} appl{ies} to the learning methods as trained on data of this amount and kind, not to one "
            "trained model.",
            **fields,
        )
    if shapes == {"run-scores"}:
        return prose(
            "The {result} appl{ies} to new runs of the systems{with_} on {these}, not to other test items.",
            **fields,
        )
    new = shapes == {"runs"}
    if not new and not any(averages_runs(item) for item in items):
        return ()
    return prose(
        "The {result} appl{ies} to data drawn from the same distribution as {the} test set and to {runs}.",
        **fields,
        runs=f"new runs of the systems{fields['with_']}" if new else "these runs only, not to systems trained anew",
    )


_MOST_NAMED = 4


def clusters_in_words(items: Sequence[Outcome]) -> Prose:
    """How many clusters there are, and by how much they multiply the variance; nothing without clusters."""
    numbers = {item.dataset: item.n_clusters for item in items if item.n_clusters is not None}
    if not numbers:
        return ()
    if len(numbers) == 1:
        them = counted(next(iter(numbers.values())), "cluster")
    elif len(set(numbers.values())) == 1 or len(numbers) > _MOST_NAMED:
        them = spanned(numbers.values(), "cluster") + " on each dataset"
    else:
        (first, n), *others = numbers.items()
        them = listed([f"{counted(n, 'cluster')} on {first}", *(f"{n:,} on {name}" for name, n in others)])
    return prose(
        "There {are} {them}{effect}.",
        are="is" if them.startswith("1 ") else "are",
        them=them,
        effect=_design_effect(items),
    )


def ratings_in_words(items: Sequence[Outcome]) -> Prose:
    """By how many raters instances were scored, and what follows for the claim; nothing without several raters."""
    rated = [item.details for item in items if item.details.n_ratings is not None]
    if not rated:
        return ()
    fewest = min(details.fewest_ratings_per_instance or 0 for details in rated)
    most = max(details.most_ratings_per_instance or 0 for details in rated)
    raters = [details.n_raters or 0 for details in rated]
    balanced = fewest == most
    clusters = any(item.n_clusters is not None for item in items)
    return sentences(
        prose(
            "Each instance was scored by {ratings}{effect}; we pair scores rater by rater.",
            ratings=spanned([fewest, most], "rater")
            if balanced and set(raters) == {most}
            else f"{f'{most:,}' if balanced else f'{fewest:,} to {most:,}'} of {spanned(raters, 'rater')}",
            effect="" if clusters else _design_effect(items),
        ),
        prose(
            "The claim is about these raters, not about others{weighed}.",
            weighed="" if balanced else "; an instance weighs by the number of its ratings",
        ),
    )


def _design_effect(items: Sequence[Outcome]) -> str:
    effects = [effect for item in items if (effect := item.details.design_effect) is not None]
    if not effects:
        return ""
    low, high = f"{min(effects):.1f}", f"{max(effects):.1f}"
    return f" (design effect {low})" if low == high else f" (design effects from {low} to {high})"


def what_is_summed(items: Iterable[Outcome]) -> Prose:
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
        "{metrics}{cite} {are} computed from counts summed over all instances of a dataset, not averaged over them.",
        metrics=listed(metrics),
        cite=prose(" {cite}", cite=Cite(tuple(dict.fromkeys(keys)))) if keys else (),
        are="is" if len(metrics) == 1 else "are",
    )


def where_tests_disagree(items: Iterable[Outcome]) -> Prose:
    """Name the datasets on which the test beside comes to another verdict; nothing if there are none."""
    places: dict[str, dict[str, None]] = {}
    for item in items:
        beside = item.details.test_beside
        if beside and any(finding.code == DISAGREEMENT for finding in item.findings):
            places.setdefault(beside, {})[item.dataset] = None
    return sentences(
        *(
            prose(
                "On {places}, a second test, the {title}, comes to another decision at a level that matters.",
                title=SIGNIFICANCE_TESTS[name].title,
                places=listed(datasets) if len(datasets) <= 6 else f"{len(datasets)} datasets",
            )
            for name, datasets in places.items()
        )
    )


def what_is_correlated(family: ReplicabilityAnalysis) -> Prose:
    """Say that a score is a correlation of predictions with gold scores; nothing if it is none.

    Parameters
    ----------
    family : ReplicabilityAnalysis
        All comparisons.
    """
    items = family.kinds
    correlated = {item.metric: item.higher_is_better for item in items if item.shape == "correlation"}
    if not correlated:
        return ()
    names = [TITLES.get(metric, metric) for metric in correlated]
    lower = not any(correlated.values())
    return prose(
        "Scores are the {names} between predictions and gold scores{direction}.",
        names=listed(names, last="or"),
        direction="; lower is better, because predictions are distances" if lower else "",
    )
