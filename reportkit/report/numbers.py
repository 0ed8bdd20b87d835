"""The numbers that running text may name: keys, and values as they are printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence

from reportkit.language.counts_and_lists import listed, some
from reportkit.language.numerals import interval_end, level_text, p_value_text, signed
from reportkit.report.facts import Facts
from reportkit.report.keys import AVERAGE, FACTS, Keys, make_keys
from reportkit.report.model import Number
from reportkit.report.records import Claim, Metric, Outcome
from reportkit.report.tokens import name
from reportkit.report.wording import Wording, p_equals
from reportkit.report.words import diff, points, score

MOST_OUTCOMES = 500
"""With more (claim, dataset) than this, their p-values, differences and intervals get no keys in the files."""

MOST_CLAIMS = 500
"""With more claims than this, k-hat and the names of datasets get no keys in the files either."""

MANY_NAMES = 12

_Item = tuple[str, Number]


def numbers_of(f: Facts, words: Wording, first: str = "main", about: Collection[str] = ()) -> dict[str, Number]:
    """Return everything that running text may name, by key, in a fixed order.

    Parameters
    ----------
    f : Facts
        As they are printed.
    words : Wording
        Meanings, of which `text/meanings.toml` has the words.
    first : str
        First part of every key.
    about : collection of str
        Slugs of comparisons, `a-vs-b`, whose numbers get keys however many there are.
    """
    pairs = tuple(dict.fromkeys((claim.a, claim.b) for claim in f.claims))
    systems = tuple(dict.fromkeys(one for pair in pairs for one in pair))
    keys = make_keys(first, tuple(f.by_metric), f.datasets, systems, pairs)
    said = words.meanings
    found = dict(_facts(f, words, keys))
    for metric in f.metrics:
        before = keys.within(metric.name)
        found.update(_scores(f, metric, keys, before, said))
        for claim in f.claims:
            if claim.metric != metric.name:
                continue
            asked = keys.pairs[claim.a, claim.b] in about
            if asked or len(f.claims) <= MOST_CLAIMS:
                found.update(_counts(f, claim, keys, before, said))
            if asked or len(f.outcomes) <= MOST_OUTCOMES:
                for item in f.of(claim):
                    found.update(_outcome(f, claim, item, keys, before, said, words.heads["marks"]))
    return found


Said = Callable[..., str]


def _facts(f: Facts, words: Wording, keys: Keys) -> Iterator[_Item]:
    levels = {f"{100 * item.level:.6g}" for item in f.outcomes if item.level is not None}
    resamples = {test.n_resamples for test in f.tests if test.n_resamples}
    values = {
        "n-datasets": f"{f.outcomes[0].n or 0 if f.across else len(f.datasets):,}",
        "n-systems": f"{len(keys.systems):,}",
        "n-comparisons": f"{len(f.claims):,}",
        "n-hypotheses": f"{f.n_tests:,}",
        "alpha": level_text(f.alpha[0]),
        "alphas": listed(map(level_text, f.alpha)),
        "metric": listed(metric.title for metric in f.metrics),
        "tests": listed(dict.fromkeys(test.title for test in f.tests if test.tested), last="or"),
        "correction": words.caption("correction", t={}),
        "confidence": levels.pop() if len(levels) == 1 else "",
        "resamples": f"{resamples.pop():,}" if len(resamples) == 1 else "",
        "seed": str(f.settings.get("rng", "")) if any(test.n_resamples for test in f.tests) else "",
        "source": f.source,
        "data-hash": f.digest[:12],
        "version": f.reportkit,
    }
    for fact, value in values.items():
        if value:
            yield f"{keys.name}/{fact}", Number(content=value, meaning=FACTS[fact])


def _scores(f: Facts, metric: Metric, keys: Keys, before: str, said: Said) -> Iterator[_Item]:
    """Write scores as the table of results prints them, sizes, and means over the datasets."""
    for dataset in f.datasets:
        key = f"{before}/{keys.datasets[dataset]}"
        here = [item for item in f.outcomes if (item.metric, item.dataset) == (metric.name, dataset)]
        sizes = {_size(item) for item in here}
        if len(sizes) == 1 and (size := sizes.pop()):
            unit = f.tests[here[0].test].unit
            yield f"{key}/n", Number(content=size, meaning=said("n", unit=unit, dataset=name(dataset)))
        for system, slug in keys.systems.items():
            found = f.score_of.get((metric.name, system, dataset))
            if found is not None:
                meaning = said("score", metric=metric.title, system=name(system), dataset=name(dataset))
                yield f"{key}/{slug}", Number(content=score(f, found.value, metric.name, dataset), meaning=meaning)
    if len(f.datasets) > 1:
        for system, slug in keys.systems.items():
            scores = [f.score_of.get((metric.name, system, dataset)) for dataset in f.datasets]
            values = [one.value for one in scores if one is not None]
            if len(values) == len(f.datasets):
                mean = score(f, math.fsum(values) / len(values), metric.name)
                meaning = said("average", metric=metric.title, system=name(system))
                yield f"{before}/{AVERAGE}/{slug}", Number(content=mean, meaning=meaning)


def _size(item: Outcome) -> str:
    sizes = item.sizes or ((item.n,) if item.n is not None else ())
    return " / ".join(f"{n:,}" for n in sizes)


def _counts(f: Facts, claim: Claim, keys: Keys, before: str, said: Said) -> Iterator[_Item]:
    """Write on how many datasets a claim is shown, and on which."""
    key = f"{before}/{keys.pairs[claim.a, claim.b]}"
    both = {"a": name(claim.a), "b": name(claim.b)}
    bounds = {bound.alpha: bound for bound in claim.bounds}
    for place, alpha in enumerate(f.alpha):
        level, values = level_text(alpha), {}
        if bound := bounds.get(alpha):
            values = {"k-hat": str(bound.recommended), "count": str(bound.count)}
        if not f.across and not claim.exploratory:
            named = [name(item.dataset) for item in f.of(claim) if alpha in item.marked_at]
            values |= {"n-identified": str(len(named)), "identified": some(named, MANY_NAMES) or "none"}
        for fact, value in values.items():
            meaning = said(fact, level=level, **both)
            for ending in ("", f"/{level}") if place == 0 else (f"/{level}",):
                yield f"{key}/{fact}{ending}", Number(content=value, meaning=meaning)
        if bound:
            methods = {"bonferroni": bound.bonferroni, "fisher": bound.fisher, "fisher-bonferroni": bound.joint}
            for method, k in methods.items():
                if k is not None:
                    meaning = said("bound", level=level, method=method, **both)
                    yield f"{key}/k-hat/{level}/{method}", Number(content=str(k), meaning=meaning)


def _outcome(
    f: Facts, claim: Claim, item: Outcome, keys: Keys, before: str, said: Said, marks: Sequence[str]
) -> Iterator[_Item]:
    """Write difference, interval, test and p-values of a claim on one dataset."""
    key = f"{before}/{keys.datasets[item.dataset]}/{keys.pairs[claim.a, claim.b]}"
    fields = {"a": name(item.a), "b": name(item.b), "dataset": name(item.dataset), "unit": f.tests[item.test].unit}
    fields |= {"points": points(f, item.metric, item.dataset), "level": f"{100 * (item.level or 0):.6g}%"}
    values: dict[str, str] = {"n": _size(item)} if item.n is not None else {}
    gap = f.sign(item.metric, item.dataset) * (item.score_a - item.score_b)
    values["difference"] = diff(f, gap, item.metric, item.dataset)
    share = f.tests[item.test].effect != "difference"
    if not math.isclose(item.difference, gap, rel_tol=1e-9, abs_tol=1e-12):
        values["effect"] = signed(item.difference, 2) if share else diff(f, item.difference, item.metric, item.dataset)
    ends = {"low": item.low, "high": item.high}
    written = {
        end: interval_end(value, 2) if share else diff(f, value, item.metric, item.dataset)
        for end, value in ends.items()
        if value is not None
    }
    values |= {f"ci-{end}": value for end, value in written.items()}
    if len(written) == 2:
        values["ci"] = f"[{written['low']}, {written['high']}]"
    values["test"] = f.tests[item.test].title
    for fact, p in (("p", item.p_value), ("p-adjusted", item.adjusted)):
        values |= {fact: p_value_text(p), f"{fact}-stated": p_equals(p).replace(" ", "\u00a0")}
    if not claim.exploratory:
        values["mark"] = "".join(sign for sign, alpha in zip(marks, f.alpha, strict=False) if alpha in item.marked_at)
    for fact, value in values.items():
        yield f"{key}/{fact}", Number(content=value, meaning=said(fact, outcome=True, **fields))
