"""The sentences about runs and folds: how many there are, and of what the result speaks."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.counts_and_lists import counted
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose
from reportkit.significance.outcome import Assessment


def repetitions_in_words(items: Sequence[Assessment]) -> Prose:
    """Numbers of runs of each system, or of folds and repetitions; empty for all other results."""
    if any(item.shape == "folds" for item in items):
        return _folds(items)
    runs: dict[str, set[int]] = {}
    for item in items:
        for system, side in zip((item.outcome.system_a, item.outcome.system_b), item.details.sides, strict=True):
            if side.n_runs is not None:
                runs.setdefault(system, set()).add(side.n_runs)
    if not runs:
        return ()
    every = set().union(*runs.values())
    if len(every) == 1:
        return prose("There {are} of each system.", are=_are(every.pop()))
    single = "; a single run is taken as given" if 1 in every and items[0].shape != "paired" else ""
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
        "The declaration includes that each dataset has trained models of its own, though runs have the same names on "
        "several datasets; one model scored on several would make the p-values depend on each other."
    )


def _numbers(item: Assessment) -> set[int | None]:
    return {side.n_runs for side in item.details.sides}


def _are(n_runs: int) -> str:
    return f"{'is' if n_runs == 1 else 'are'} {counted(n_runs, 'run')}"


def _folds(items: Sequence[Assessment]) -> Prose:
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


def averages_runs(item: Assessment) -> bool:
    """Whether paired scores are means over several runs: seeds were declared fixed."""
    return item.shape == "paired" and item.details.a.n_runs is not None


def has_instance_runs(family: Family) -> bool:
    """Whether there were several runs per instance, so that it matters whether seeds are random or fixed."""
    items = [item for comparison in family.comparisons for item in comparison.assessments]
    return any(item.shape == "runs" or averages_runs(item) for item in items)


def limits_of_runs(family: Family) -> Prose:
    """Of what a result with runs or folds speaks; empty for all other results, and for a mixture."""
    items = [item for comparison in family.comparisons for item in comparison.assessments]
    shapes = {item.shape for item in items}
    several = len(family.datasets) > 1
    result, its = ("Each result", "its") if several else ("The result", "this")
    if shapes == {"folds"}:
        return prose(
            "{result} is about the learning methods as trained on data of this amount and kind, not about one trained "
            "model or about more data.",
            result=result,
        )
    if shapes == {"run-scores"}:
        return prose(
            "{result} is about new runs of the systems{with_} on {this} very test set, and says nothing about other "
            "test items.",
            result=result,
            with_=" that have several" if any(1 in _numbers(item) for item in items) else "",
            this="that" if several else "this",
        )
    if shapes == {"runs"}:
        return prose(
            "{result} generalises to the population that {its} test set is a sample of, and to new runs of the "
            "systems{with_}.",
            result=result,
            its=its,
            with_=" that have several" if any(1 in _numbers(item) for item in items) else "",
        )
    if any(averages_runs(item) for item in items):
        return prose(
            "{result} generalises to the population that {its} test set is a sample of, but is about these very runs; "
            "whether the systems trained anew would differ is not tested.",
            result=result,
            its=its,
        )
    return ()
