"""The numbers that running text may name: keys, and values as they are printed."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

from reportkit._version import __version__
from reportkit.language.counts_and_lists import listed, some
from reportkit.language.numerals import interval_end, level_text, p_value_text, signed
from reportkit.replicability.comparison import Comparison, KHat
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.joint_closed_test import METHOD
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.keys import AVERAGE, FACTS, Keys, make_keys
from reportkit.report.model import Number
from reportkit.report.prose import Prose, Symbol, Text
from reportkit.report.score_format import ScoreScale, scale_of
from reportkit.report.tables.marks import correction_words, mark, names_of_tests
from reportkit.report.text.shapes import size_text
from reportkit.significance.catalogue import effect_words
from reportkit.significance.outcome import Outcome

MOST_OUTCOMES = 500
"""With more (comparison, dataset) than this, their p-values, differences and intervals get no keys in the files."""

MOST_COMPARISONS = 500
"""With more comparisons than this, k-hat and the names of datasets get no keys in the files either."""

MANY_NAMES = 12

_Item = tuple[str, Number]


def numbers_of(
    analysis: ReplicabilityAnalysis,
    name: str = "main",
    *,
    in_data: Mapping[str, str] | None = None,
    about: Collection[str] = (),
) -> dict[str, Number]:
    """Everything that running text may name, by key.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Any.
    name : str
        First part of every key; `Appearance` has checked it.
    in_data : mapping of str to str, optional
        Name of a system, dataset or metric as the analysis has it to the name in the data, from which keys are made.
    about : collection of str
        Slugs of comparisons, `a-vs-b`, whose numbers get keys even where `MOST_OUTCOMES` and `MOST_COMPARISONS` leave
        those of the others out.

    Returns
    -------
    dict of str to Number
        In a fixed order; see `reportkit.report.keys` for how they are named.
    """
    systems = dict.fromkeys(system for comparison in analysis.pairs for system in comparison)
    keys = make_keys(name, analysis.metrics_here, analysis.datasets, tuple(systems), analysis.pairs, in_data)
    found = dict(_facts(analysis, keys))
    for part in analysis.parts:
        scale = scale_of(part)
        before = keys.within(part.comparisons[0].metric)
        found.update(_scores(part, keys, before, scale))
        few = analysis.n_claims <= MOST_COMPARISONS
        few_outcomes = sum(item.n_datasets for item in analysis.comparisons) <= MOST_OUTCOMES
        for comparison in part.comparisons:
            asked = keys.pairs[comparison.system_a, comparison.system_b] in about
            if few or asked:
                found.update(_counts(comparison, part, keys, before))
            if few_outcomes or asked:
                found.update(_outcomes(comparison, part, keys, before, scale))
    return found


def _metric(family: ReplicabilityAnalysis) -> str:
    """Name of the metric, as captions have it."""
    item = family.comparisons[0].assessments[0]
    if item.metric == "score":
        return "accuracy" if item.kind == "binary" else "score"
    return item.metric


def _number(content: str | Prose, meaning: str) -> Number:
    return Number(content=(Text(content),) if isinstance(content, str) else content, meaning=meaning)


def _facts(analysis: ReplicabilityAnalysis, keys: Keys) -> Iterator[_Item]:
    items = analysis.kinds
    levels = {f"{100 * interval.level:.6g}" for interval in analysis.kinds_of_intervals}
    resamples = {item.n_resamples for item in items if item.n_resamples}
    values = {
        "n-datasets": f"{items[0].n or 0 if analysis.across_datasets else len(analysis.datasets):,}",
        "n-systems": f"{len(keys.systems):,}",
        "n-comparisons": f"{analysis.n_claims:,}",
        "n-hypotheses": f"{analysis.n_hypotheses:,}",
        "alpha": level_text(analysis.alpha[0]),
        "alphas": listed(map(level_text, analysis.alpha)),
        "metric": listed(_metric(part) for part in analysis.parts),
        "tests": names_of_tests(analysis),
        "correction": correction_words(analysis),
        "confidence": levels.pop() if len(levels) == 1 else "",
        "resamples": f"{resamples.pop():,}" if len(resamples) == 1 else "",
        "seed": str(analysis.settings.rng) if any(item.n_resamples for item in items) else "",
        "source": analysis.source,
        "data-hash": analysis.digest[:12],
        "version": __version__,
    }
    for fact, value in values.items():
        if value:
            yield f"{keys.name}/{fact}", _number(value, FACTS[fact])


def _scores(part: ReplicabilityAnalysis, keys: Keys, before: str, scale: ScoreScale) -> Iterator[_Item]:
    """Scores as the table of results prints them, sizes, and means over the datasets."""
    metric = _metric(part)
    percent = " in percent" if scale.unit else ""
    sizes: dict[str, set[str]] = {}
    for item in part.kinds:
        sizes.setdefault(item.dataset, set()).add(size_text(item) if item.n is not None else "")
    scores = _scores_of(part)
    for dataset in part.datasets:
        key, place = f"{before}/{keys.datasets[dataset]}", dataset
        if len(sizes[dataset]) == 1 and (size := next(iter(sizes[dataset]))):
            unit = next(item.unit for item in part.kinds if item.dataset == dataset)
            yield f"{key}/n", _number(size, f"number of {unit}s of {place}{_note(keys, dataset)}")
        for system, slug in keys.systems.items():
            if (system, dataset) in scores:
                meaning = f"{metric}{percent} of {system} on {place}{_note(keys, dataset, system)}"
                yield f"{key}/{slug}", _number(scale.on(dataset).score(scores[system, dataset]), meaning)
    if len(part.datasets) > 1:
        for system, slug in keys.systems.items():
            values = [scores[system, dataset] for dataset in part.datasets if (system, dataset) in scores]
            if len(values) == len(part.datasets):
                meaning = f"mean {metric}{percent} of {system} over the datasets, descriptive{_note(keys, system)}"
                yield f"{before}/{AVERAGE}/{slug}", _number(scale.score(math.fsum(values) / len(values)), meaning)


def _scores_of(part: ReplicabilityAnalysis) -> dict[tuple[str, str], float]:
    """Scores by (system, dataset): of one pair on instances that both have, of many systems on all that each has."""
    places = {
        (system, dataset)
        for comparison in part.comparisons
        for system in (comparison.system_a, comparison.system_b)
        for dataset in comparison.datasets
    }
    if not part.one_claim and places <= part.system_scores.keys():
        return {place: part.system_scores[place].mean for place in places}
    compared = {
        (system, item.dataset): score
        for comparison in part.comparisons
        for item in comparison.assessments
        for system, score in ((comparison.system_a, item.score_a), (comparison.system_b, item.score_b))
    }
    if part.one_claim:
        return compared
    return compared | {place: part.system_scores[place].mean for place in places & part.system_scores.keys()}


def _note(keys: Keys, *names: str) -> str:
    slugs = [keys.datasets.get(name, keys.systems.get(name, "")) for name in names]
    return " (the key ends in a hash, as its letters alone are not unique)" if keys.suffixed & set(slugs) else ""


def _counts(comparison: Comparison, family: ReplicabilityAnalysis, keys: Keys, before: str) -> Iterator[_Item]:
    """On how many datasets, and on which."""
    a, b = comparison.system_a, comparison.system_b
    key = f"{before}/{keys.pairs[comparison.system_a, comparison.system_b]}"
    for alpha in family.alpha:
        level = level_text(alpha)
        first = alpha == family.alpha[0]
        endings = ("", f"/{level}") if first else (f"/{level}",)
        marked = comparison.marked(alpha)
        names = [name for name, found in zip(comparison.datasets, marked, strict=True) if found]
        said = {
            **({} if family.across_datasets else _k_hats(comparison.k_hat[alpha], f"{a} is better than {b}")),
            "n-identified": (str(len(names)), f"number of datasets on which {a} is shown to be better than {b}"),
            "identified": (
                some(names, MANY_NAMES) or "none",
                f"datasets on which {a} is shown to be better than {b}",
            ),
        }
        if family.across_datasets or comparison.exploratory:
            said = {fact: value for fact, value in said.items() if "identified" not in fact}
        for fact, (value, meaning) in said.items():
            for ending in endings:
                yield f"{key}/{fact}{ending}", _number(value, f"{meaning}, at level {level}")
        if not family.across_datasets:
            k = comparison.k_hat[alpha]
            for method, bound in (("bonferroni", k.bonferroni), ("fisher", k.fisher), (METHOD, k.joint)):
                if bound is not None:
                    meaning = (
                        f"lower bound by {COMBINATIONS[method].title} for the number of datasets on which {a} is better"
                    )
                    yield f"{key}/k-hat/{level}/{method}", _number(str(bound), f"{meaning} than {b}, at level {level}")


def _k_hats(k: KHat, claim: str) -> dict[str, tuple[str, str]]:
    return {
        "k-hat": (str(k.recommended), f"lower bound for the number of datasets on which {claim}"),
        "count": (str(k.count), f"number of small p-values for the claim that {claim}, uncorrected and no bound"),
    }


def _outcomes(
    comparison: Comparison, family: ReplicabilityAnalysis, keys: Keys, before: str, scale: ScoreScale
) -> Iterator[_Item]:
    """Difference, interval, test and p-values of one comparison on each dataset."""
    a, b = comparison.system_a, comparison.system_b
    exploratory = ", exploratory" if comparison.exploratory else ""
    for index, item in enumerate(comparison.assessments):
        key = f"{before}/{keys.datasets[item.dataset]}/{keys.pairs[a, b]}"
        whom = f"{a} against {b} on {item.dataset}"
        adjusted = float(comparison.adjusted_p_values[index])
        if item.n is not None:
            both = f"{a} and {b} are compared on {item.dataset}"
            yield f"{key}/n", _number(size_text(item), f"number of {item.unit}s by which {both}")
        for fact, (value, meaning) in _effects(item, scale).items():
            yield f"{key}/{fact}", _number(value, f"{meaning}: {whom}")
        yield f"{key}/test", _number(item.title, f"test of {whom}")
        claim = f"for {a} better than {b} on {item.dataset}{exploratory}"
        for fact, p, kind in (("p", item.p_value, "one-sided"), ("p-adjusted", adjusted, "adjusted one-sided")):
            yield f"{key}/{fact}", _number(p_value_text(p), f"{kind} p-value {claim}")
            yield f"{key}/{fact}-stated", _number(_stated(p), f"the same with what it is: {kind} p-value {claim}")
        if not comparison.exploratory:
            signs = mark(comparison, index, family.alpha)
            yield f"{key}/mark", _number(signs, f"signs of the levels at which {a} is marked against {b}")


def _effects(item: Outcome, scale: ScoreScale) -> dict[str, tuple[str, str]]:
    """The difference of the scores; the effect that was tested, if it is another; its interval."""
    points = f" in {scale.points}" if scale.points else ""
    scale = scale.on(item.dataset)
    found = {"difference": (scale.difference(item.score_difference), f"difference{points}, positive in favour of A")}
    same = math.isclose(item.difference, item.score_difference, rel_tol=1e-9, abs_tol=1e-12)
    if not same:
        found["effect"] = (_effect(item.difference, item, scale), f"{item.estimand}, positive in favour of A")
    if item.interval is not None:
        level = f"{100 * item.interval.level:.6g}% {item.interval.title}"
        of = f"of the difference{points}" if same else f"of the {item.estimand}"
        ends = {"low": item.interval.low, "high": item.interval.high}
        written = {end: _interval_end(value, item, scale) for end, value in ends.items() if math.isfinite(value)}
        for end, value in written.items():
            found[f"ci-{end}"] = (value, f"{'lower' if end == 'low' else 'upper'} end of the {level} {of}")
        if len(written) == 2:
            found["ci"] = (f"[{written['low']}, {written['high']}]", f"{level} {of}")
    return found


def _effect(value: float, item: Outcome, scale: ScoreScale) -> str:
    """Shares of wins and the like have no decimals of the metric."""
    if effect_words(item) != "difference":
        return signed(value, 2)
    return scale.difference(value)


def _interval_end(value: float, item: Outcome, scale: ScoreScale) -> str:
    """An end of the interval of an effect."""
    if effect_words(item) != "difference":
        return interval_end(value, 2)
    return scale.end(value)


def _stated(p_value: float) -> Prose:
    written = p_value_text(p_value)
    relation, digits = (written[0], written[1:]) if written[0] in "<>" else ("=", written)
    return (Symbol("p"), Text(f"\u00a0{relation}\u00a0{digits}"))
