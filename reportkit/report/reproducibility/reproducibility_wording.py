"""Sentences of a report on re-splitting: what was done, what each estimator is, and what came out on each dataset."""

from __future__ import annotations

import math

from reportkit.language.counts_and_lists import capitalised, counted, listed, spanned
from reportkit.language.numerals import fixed, p_value_text, percent_text
from reportkit.report.prose import Prose, cite, prose, sentences
from reportkit.reproducibility_analysis.estimator_names import MIXTURES, repeated_splits
from reportkit.reproducibility_analysis.reproducibility import SCOPE, BlockedT, Reproducibility, plug_in_reproducibility
from reportkit.reproducibility_analysis.study import Resplit, ResplitStudy

MOST_DATASETS_IN_FULL = 2
"""With more, words give counts and the table gives the rest."""

PROPORTIONS = ("accuracy", "chunk-f1")


def in_percent(study: ResplitStudy) -> bool:
    """Whether differences are shown in percentage points: all values are proportions of a whole."""
    values = [value for item in study.resplits for pair in item.scores.values() for value in pair]
    return study.metric in PROPORTIONS or all(0 <= value <= 1 for value in values)


def what_was_done(study: ResplitStudy) -> Prose:
    """The paragraph that a paper can take: systems, datasets, splits, scope."""
    a, b, first = study.system_a, study.system_b, study.resplits[0]
    where = _places(study)
    if study.single:
        return sentences(
            prose(
                "{a} and {b} were compared by one blocked {m} x 2 cross-validation {cite} of {where}, by {metric}.",
                a=a, b=b, m=first.m or 0, where=where, metric=study.metric, cite=cite("xue2023reproducibility"),
            ),
            prose("One division tells how reproducible a conclusion is under assumptions only: at least 20 are needed"
                  " to count it."),
            SCOPE,
        )  # fmt: skip
    repartitions = spanned([item.n_repartitions for item in study.resplits], "time")
    several = len(study.resplits) > 1
    return sentences(
        prose(
            "{what} divided anew {r}, independently, and {a} and {b} were trained and tested on each division;"
            " differences are in {metric}.",
            what=f"{capitalised(counted(len(study.resplits), 'dataset'))} ({where}) were each"
            if several
            else f"{where} was",
            r=repartitions,
            a=a,
            b=b,
            metric=study.metric,
        ),
        prose(
            "The reproducibility of the conclusion that {a} is better is the share of the divisions in which an"
            " estimator of the difference is above 0 {cite}; intervals are Wilson's {wilson} at {level}.",
            a=a,
            cite=cite("xue2023reproducibility"),
            wilson=cite("wilson1927probable"),
            level=percent_text(study.level),
        ),
        SCOPE,
    )


def _places(study: ResplitStudy) -> str:
    names = [item.dataset for item in study.resplits]
    if names == ["all"]:
        n = study.resplits[0].n_instances
        return "One corpus" + ("" if n is None else f" of {counted(n, 'instance')}")
    return listed(names)


def what_estimators_are(study: ResplitStudy) -> tuple[Prose, ...]:
    """One item for each estimator of the table."""
    methods = study.methods
    items = ["ST is one hold-out: trained on a random half, tested on the other."] if "ST" in methods else []
    for name in methods:
        if name.startswith("RS"):
            splits = repeated_splits(name)
            number = "several" if splits is None else str(splits)
            items.append(f"{name} is the mean of {number} hold-outs from independent random splits.")
    if "Avg" in methods:
        items.append(
            "Avg is the mean over the hold-outs of a blocked cross-validation. It estimates the difference for"
            " training on half of the corpus, not on all of it."
        )
    if "Vote" in methods:
        items.append(
            "Vote compares majority votes of the models of a blocked cross-validation. It evaluates ensembles"
            " whose members were each trained on half of the corpus, so it estimates another difference than Avg."
        )
    if MIXTURES[0] in methods:
        items.append(
            "Mixture is the larger of Vote and Avg. It is one-directional by construction: its reproducibility is"
            " never below that of either, whichever system is named first, and for equal systems it is above one"
            " half in both directions. Hence both directions are given."
        )
    return tuple(items)


def what_came_out(study: ResplitStudy) -> tuple[Prose, ...]:
    """One item for each dataset."""
    return tuple(sentences(*_on_dataset(item, study)) for item in study.resplits)


def _on_dataset(item: Resplit, study: ResplitStudy) -> list[Prose]:
    name = "" if item.dataset == "all" and len(study.resplits) == 1 else f"{item.dataset}. "
    if item.t_test is not None and item.one is not None:
        return [
            name + t_test_sentence(item.t_test),
            plug_in_sentence(item.t_test),
        ]
    said = _counted(item, study) if len(study.resplits) > MOST_DATASETS_IN_FULL else _in_full(item, study)
    said += [_mixtures(item, study)] if item.both_above is not None else []
    said += _repeating(item)
    return [name + said[0], *said[1:]]


def _in_full(item: Resplit, study: ResplitStudy) -> list[str]:
    """Average and vote with all that is known of them."""
    return [
        reproducibility_sentences(
            item.results[method], system_a=study.system_a, system_b=study.system_b, estimator=method
        )
        for method in _main_methods(item)
    ]


def reproducibility_sentences(result: Reproducibility, *, system_a: str, system_b: str, estimator: str) -> str:
    """Say how often A came out better than B, and what that means.

    Parameters
    ----------
    result : Reproducibility
        Of the estimates of A minus B.
    system_a, system_b : str
        Names.
    estimator : str
        Such as "vote".

    Examples
    --------
    >>> from reportkit.reproducibility_analysis import reproducibility
    >>> print(reproducibility_sentences(reproducibility([0.02, 0.01, -0.01, 0.03, 0.02] * 8), system_a="ours",
    ...     system_b="base", estimator="vote"))  # doctest: +ELLIPSIS
    The vote estimate was in favour of ours over base in 32 of 40 independent re-partitions (80.0%; 95% Wilson interval
    65.2% to 89.5%). Its signal-to-noise ratio is 1.02, ...
    """
    ties = f" and 0 in {result.n_ties:,}, and half of these count as in favour" if result.n_ties else ""
    return (
        f"The {estimator} estimate was in favour of {system_a} over {system_b} in {result.n_above:,} of"
        f" {counted(result.n, 'independent re-partition')}{ties} ({result.proportion:.1%};"
        f" {percent_text(result.level)} Wilson interval {result.low:.1%} to {result.high:.1%})."
        f" Its signal-to-noise ratio is {fixed(result.snr, 2)}, for which Cantelli's bound is {result.cantelli:.1%} and"
        f" normally distributed estimates would give {result.normal:.1%}."
    )


def plug_in_sentence(result: BlockedT) -> str:
    """Say what one blocked cross-validation suggests about re-splitting.

    Examples
    --------
    >>> from reportkit.reproducibility_analysis import blocked_t
    >>> print(plug_in_sentence(blocked_t([0.02, 0.01, 0.03, -0.01, 0.02, 0.03])))
    From one blocked 3 x 2 cross-validation, without re-partitions, a normal distribution with the variance that the
    t-test assumes gives a plug-in value of 84.7% for the reproducibility of the average; it has no interval.
    """
    m = (result.degrees_of_freedom + 1) // 2
    return (
        f"From one blocked {m} x 2 cross-validation, without re-partitions, a normal distribution with the variance"
        f" that the t-test assumes gives a plug-in value of {plug_in_reproducibility(result):.1%} for the"
        " reproducibility of the average; it has no interval."
    )


def _counted(item: Resplit, study: ResplitStudy) -> list[str]:
    """Average and vote as counts; the table says the rest."""
    counts = [f"{name} in {_times(item.results[name])}" for name in _main_methods(item)]
    of = counted(item.n_repartitions, "re-partition")
    return [f"In favour of {study.system_a} over {study.system_b}: {listed(counts)} of {of}."]


def _times(result: Reproducibility) -> str:
    ties = f" (and 0 in {result.n_ties:,})" if result.n_ties else ""
    return f"{result.n_above:,}{ties}"


def _main_methods(item: Resplit) -> list[str]:
    return [name for name in ("Avg", "Vote") if name in item.results] or list(item.results)[:1]


def t_test_sentence(result: BlockedT) -> str:
    """The t-test of one blocked cross-validation.

    Examples
    --------
    >>> from reportkit.reproducibility_analysis import blocked_t
    >>> print(t_test_sentence(blocked_t([0.02, 0.01, 0.03, 0.01, 0.02, 0.03])))
    The corrected t-test of the 6 hold-out differences gives t = 2.07 with 5 degrees of freedom, one-sided p = .047.
    """
    p = p_value_text(result.p_greater)
    return (
        f"The corrected t-test of the {result.degrees_of_freedom + 1} hold-out differences gives t ="
        f" {fixed(result.statistic, 2)} with {counted(result.degrees_of_freedom, 'degree')} of freedom, one-sided p"
        f" {p if p.startswith(('<', '>')) else '= ' + p}."
    )


def _mixtures(item: Resplit, study: ResplitStudy) -> str:
    for_a, for_b = (item.results[name].n_above / item.n_repartitions for name in MIXTURES)
    return (
        f"The mixture is in favour of {study.system_a} in {for_a:.1%} and in favour of {study.system_b} in {for_b:.1%}"
        f" of the same re-partitions: in {item.both_above or 0.0:.1%} it calls each better than the other."
    )


def _repeating(item: Resplit) -> list[str]:
    """How the spread of a repeated hold-out compares with that of one, where both are known."""
    said = []
    for name, result in item.results.items():
        splits = repeated_splits(name)
        one = item.results.get("ST")
        if splits is None or one is None or not result.standard_deviation:
            continue
        ratio = one.standard_deviation / result.standard_deviation
        said.append(
            f"The standard deviation of ST is {ratio:.2f} times that of {name}; independent splits give"
            f" {math.sqrt(splits):.2f}, the square root of {splits}."
        )
    return said
