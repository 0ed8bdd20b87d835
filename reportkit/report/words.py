"""Functions of the text templates: printed numbers, who is better where, and in which order.

No sentence is made here; the first argument of each function in `FUNCTIONS` is bound to the facts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reportkit.language import interval_end, spanned
from reportkit.report.facts import Facts
from reportkit.report.records import Claim, Outcome, Scale, Test

FUNCTIONS = (
    "answers", "size", "diff", "effect", "ends", "points", "amount", "score", "sample", "group", "used_tests",
    "range_of", "led", "applied", "findings_told", "not_tested", "datasets_by_metric", "lacking", "intervals", "unseen",
    "decided", "printed_bounds", "apart",
)  # fmt: skip

SHARES = {"wins": "net wins", "superiority": "superiority"}
"""Effects that are shares of instances: of those that A wins less those that B wins, or of pairs of them."""

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(value: int) -> str:
    """Write a small number as a word.

    Examples
    --------
    >>> number(3), number(1200)
    ('three', '1,200')
    """
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else f"{value:,}"


def plural(title: str) -> str:
    """Write the name of a test in the plural; "the" before a name that has none.

    Examples
    --------
    >>> plural("exact McNemar test"), plural("Welch's t-test"), plural("paired bootstrap")
    ('exact McNemar tests', "Welch's t-tests", 'the paired bootstrap')
    """
    noun = "interval" if "interval" in title else "test"
    found, n = re.subn(rf"\b{noun}\b", f"{noun}s", title, count=1)
    return found.replace(" at its ", " at their ") if n else f"the {title}"


def rounded_up(n: int) -> int:
    """Round up to two significant digits: more would promise too much of a plan.

    Examples
    --------
    >>> rounded_up(42131)
    43000
    """
    unit = int(10 ** max(0, len(str(n)) - 2))
    return math.ceil(n / unit) * unit


def lowered(text: str) -> str:
    """Begin a text within a sentence: without its capital, unless a name begins it."""
    return text[:1].lower() + text[1:] if text[:2].istitle() else text


# numbers ------------------------------------------------------------------------------------------------------------


def score(f: Facts, value: float, metric: str, dataset: str | None = None) -> str:
    """Write a score."""
    return f.scale(metric, dataset).score(value)


def diff(f: Facts, value: float, metric: str, dataset: str | None = None) -> str:
    """Write a difference with its sign."""
    scale = f.scale(metric, dataset)
    return interval_end(value * scale.factor, scale.decimals)


def effect_scale(f: Facts, metric: str, dataset: str | None = None) -> Scale:
    """Return how effects are written: as differences of scores; of ratings in percent, by how often A wins."""
    found = {test.effect if test.kind == "ordinal" else "difference" for test in applied(f, metric)}
    share = SHARES.get(found.pop()) if len(found) == 1 else None
    return Scale(factor=100.0, decimals=0, noun=f"% ({share})") if share else f.scale(metric, dataset)


def effect(f: Facts, value: float, metric: str, dataset: str | None = None) -> str:
    """Write an effect with its sign, without its unit."""
    scale = effect_scale(f, metric, dataset)
    return interval_end(value * scale.factor, scale.decimals)


def points(f: Facts, metric: str, dataset: str | None = None) -> str:
    """Return the unit of an effect: "points", "% (net wins)", or nothing where it has none."""
    scale = effect_scale(f, metric, dataset)
    return scale.noun if scale.factor == 100 or f.by_metric[metric].higher_is_better else ""


def amount(f: Facts, value: float, metric: str) -> str:
    """Write a margin with its unit: "1 point", "0.02", "10% (superiority)"."""
    size = f"{value * effect_scale(f, metric).factor:.6g}".replace("-", "−")
    noun = points(f, metric)
    return f"{size} {noun.removesuffix('s') if size == '1' else noun}".replace(" %", "%").strip()


def ends(f: Facts, item: Outcome, low: float | None = None, high: float | None = None) -> str:
    """Write an interval of a difference: "+0.4 to +3.1"; empty where an end is not known."""
    low, high = (item.low, item.high) if low is None else (low, high)
    if low is None or high is None:
        return ""
    share = f.tests[item.test].effect != "difference"
    scale = f.scale(item.metric, item.dataset)
    factor, decimals = (100.0, 0) if share else (scale.factor, scale.decimals)
    return f"{interval_end(low * factor, decimals)} to {interval_end(high * factor, decimals)}"


def size(f: Facts, item: Outcome | Claim, unit: bool = True, value: float | None = None) -> str:
    """Write how large a difference is: "+4.3 points", "net wins +12%", "better by 2.0 points" where lower is better.

    Parameters
    ----------
    item : Outcome or Claim
        The difference of an outcome; of a claim, its mean difference; nothing where that says nothing.
    unit : bool
        Whether the unit is said.
    value : float, optional
        The difference to write in the place of that of the item.
    """
    dataset = item.dataset if isinstance(item, Outcome) else None
    if value is None:
        value = item.difference if isinstance(item, Outcome) else item.mean_difference
    if value is None:
        return ""
    if isinstance(item, Outcome) and (kind := f.tests[item.test].effect) != "difference":
        return (f"{SHARES[kind]} " if unit else "") + f"{interval_end(value * 100, 0)}%"
    written, noun = diff(f, value, item.metric, dataset), points(f, item.metric, dataset) if unit else ""
    if not f.by_metric[item.metric].higher_is_better and written[0] in "+−":
        written = f"{'better' if written[0] == '+' else 'worse'} by {written[1:]}"
    return f"{written} {noun}".strip()


def range_of(f: Facts, items: Sequence[Outcome]) -> str:
    """Write the smallest and the largest difference: "−1.5 to +2.1 points"; only one if they look the same."""
    if len({(f.tests[item.test].effect, f.tests[item.test].percent) for item in items}) > 1:
        return ""
    low, high = min(items, key=lambda item: item.difference), max(items, key=lambda item: item.difference)
    first, last = size(f, low, unit=False), size(f, high)
    if size(f, high, unit=False) == first:
        return last
    return f"{first} to {last.removeprefix('better by ') if first[0] == 'b' else last}"


# answers ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The findings about one claim, by dataset.

    Parameters
    ----------
    claim : Claim
        A against B.
    won, worse, open : tuple of Outcome
        Datasets on which A is shown to be better, the interval lies in favour of B, and all others.
    n : int
        Number of datasets.
    """

    claim: Claim
    won: tuple[Outcome, ...]
    worse: tuple[Outcome, ...]
    open: tuple[Outcome, ...]
    n: int


def answers(f: Facts, metric: str, b: str | None = None) -> list[Answer]:
    """Return what was found of the claims of a metric, those against one baseline if it is named."""
    shown_back = {(c.metric, c.b, c.a): set(c.named) for c in f.claims} if f.sides == 2 else {}
    found = []
    for claim in f.claims:
        if claim.metric != metric or b not in (None, claim.b):
            continue
        items = f.of(claim)
        won = [item for item in items if item.dataset in claim.named]
        behind = shown_back.get((claim.metric, claim.a, claim.b), set())
        worse = [
            item
            for item in items
            if item.dataset not in claim.named
            and (item.dataset in behind if f.sides == 2 else item.high is not None and item.high < 0)
        ]
        rest = [item for item in items if item not in won and item not in worse]
        found.append(Answer(claim=claim, won=tuple(won), worse=tuple(worse), open=tuple(rest), n=len(items)))
    return found


def apart(f: Facts, metric: str) -> tuple[int, int]:
    """Count the pairs in which one system is shown to be better, and all pairs that are compared."""
    claims = [claim for claim in f.claims if claim.metric == metric]
    return len({frozenset((c.a, c.b)) for c in claims if c.shown}), len({frozenset((c.a, c.b)) for c in claims})


def led(f: Facts, metric: str, system: str) -> int:
    """Count the datasets on which a system scores best, alone or with others."""
    best: dict[str, float] = {}
    for item in f.scores:
        if item.metric == metric and item.system in f.systems:
            best[item.dataset] = max(best.get(item.dataset, -math.inf), f.sign(metric, item.dataset) * item.value)
    return sum(
        dataset in best and f.sign(metric, dataset) * found.value >= best[dataset]
        for dataset in f.datasets
        if (found := f.score_of.get((metric, system, dataset))) is not None
    )


def group(f: Facts, found: Iterable[Answer]) -> list[tuple[int, int, list[Answer]]]:
    """Group answers by the number of datasets on which they are shown, most first: (k-hat, datasets, answers)."""
    groups: dict[tuple[int, int], list[Answer]] = {}
    for one in sorted(found, key=lambda one: -one.claim.k_hat / one.n):
        if one.claim.shown:
            groups.setdefault((one.claim.k_hat, one.n), []).append(one)
    return [(k, n, items) for (k, n), items in groups.items()]


def not_tested(f: Facts, metric: str) -> str:
    """Say which gate keeps a secondary metric from being tested: "one", "all", "direction"; empty if none does."""
    primary = f.metrics[0].name
    if metric == primary or f.gatekeeping not in ("serial", "by-dataset"):
        return ""
    rejected = [[item.adjusted <= f.alpha[0] for item in f.of(claim)] for claim in f.claims if claim.metric == primary]
    if f.gatekeeping == "by-dataset":
        return "" if any(map(any, rejected)) else "one"
    if f.metrics[0].n_tests == 1:
        return "" if any(map(any, rejected)) else "single"
    if f.design == "both":
        return "" if any(map(all, rejected)) else "direction"
    return "" if all(map(all, rejected)) else "all"


# data and tests -----------------------------------------------------------------------------------------------------


def applied(f: Facts, metric: str | None = None) -> list[Test]:
    """Return the tests that had anything to test, of all metrics or of one."""
    return [test for test in f.tests if test.tested and metric in (None, test.metric)]


def used_tests(f: Facts, metric: str | None = None) -> list[dict[str, Any]]:
    """Return each test once with its reason, `metrics`, `datasets`, `outcomes`, and whether it is used `everywhere`."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    every = [item for item in f.outcomes if metric in (None, item.metric)]
    for item in every:
        test = f.tests[item.test]
        if test.tested:
            found.setdefault((test.title, test.reason), []).append(item)
    return [
        {
            "test": f.tests[items[0].test],
            "metrics": list(dict.fromkeys(item.metric for item in items)),
            "datasets": [name for name in f.datasets if name in {item.dataset for item in items}],
            "outcomes": items,
            "everywhere": len({item.dataset for item in items}) == len({item.dataset for item in every}),
        }
        for items in found.values()
    ]


def _sizes(item: Outcome) -> tuple[int, ...]:
    return item.sizes or (() if item.n is None else (item.n,))


def sample(f: Facts, items: Sequence[Outcome] | None = None) -> dict[str, Any]:
    """Return the size of the data: `sizes` in words, `unit`, and `clusters`, `runs`, `raters`, `folds` in words.

    `each` is whether the sizes are those of each system; a part that does not apply is empty.
    """
    items = f.outcomes if items is None else items
    units = {f.tests[item.test].unit for item in items}
    unit = units.pop() if len(units) == 1 else "instance"
    sizes = [n for item in items for n in _sizes(item)]
    clusters = [item.n_clusters for item in items if item.n_clusters is not None]
    sides = [item.details.get(side, {}) for item in items for side in ("a", "b")]
    runs = [side["n_runs"] for side in sides if "n_runs" in side]
    ratings = [
        item.details[key]
        for item in items
        for key in ("fewest_ratings_per_instance", "most_ratings_per_instance")
        if key in item.details
    ]
    folds = [item.details["n_folds"] for item in items if "n_folds" in item.details]
    repetitions = [item.details.get("n_repetitions", 1) for item in items if "n_folds" in item.details]
    effects = sorted(item.details["design_effect"] for item in items if "design_effect" in item.details)
    return {
        "unit": unit,
        "sizes": spanned(sizes, unit) if sizes else "",
        "least": min(sizes, default=0),
        "most": max(sizes, default=0),
        "each": any(item.sizes for item in items),
        "clusters": spanned(clusters, "cluster") if clusters else "",
        "runs": spanned(runs, "run") if runs else "",
        "n_runs": sorted(set(runs)),
        "raters": spanned(ratings, "rater") if ratings else "",
        "folds": spanned(folds, "fold") if folds else "",
        "repetitions": spanned(repetitions, "repetition") if repetitions and max(repetitions) > 1 else "",
        "effects": [f"{value:.1f}" for value in (effects[:1] + effects[-1:] if len(set(effects)) > 1 else effects[:1])],
        "shapes": sorted({f.tests[item.test].shape for item in items}),
        "common": max((item.details.get("n_common", 0) for item in items), default=0),
        "dropped": max((item.n_dropped for item in items), default=0),
        "imputed": max((item.n_imputed for item in items), default=0),
    }


def datasets_by_metric(f: Facts) -> Mapping[str, list[str]]:
    """Return the datasets of each metric, where these differ."""
    found: dict[str, list[str]] = {}
    for dataset in f.datasets:
        if dataset in f.metric_of:
            found.setdefault(f.metric_of[dataset], []).append(dataset)
    return found


def lacking(f: Facts) -> list[dict[str, Any]]:
    """Return which `systems` have no score on which `datasets`, by `metric`."""
    found: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for item in f.left_out:
        if item["systems"]:
            found.setdefault((tuple(item["systems"]), item["metric"]), []).append(item["dataset"])
    return [{"systems": list(names), "metric": metric, "datasets": there} for (names, metric), there in found.items()]


def intervals(f: Facts) -> list[dict[str, Any]]:
    """Return the kinds of intervals with known ends: `title`, `cite`, `level`, `metrics`, `datasets`."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for item in f.outcomes:
        test = f.tests[item.test]
        if test.interval and item.low is not None and item.high is not None:
            found.setdefault((test.interval, test.interval_cite), []).append(item)
    return [
        {
            "title": title,
            "cite": cite,
            "level": items[0].level,
            "metrics": list(dict.fromkeys(item.metric for item in items)),
            "datasets": list(dict.fromkeys(item.dataset for item in items)),
        }
        for (title, cite), items in found.items()
    ]


def unseen(f: Facts) -> tuple[int, str, str] | None:
    """Return the smallest sample, the share of inputs whose failure may go unseen (rule of three), and the unit."""
    sizes = [
        (item.n_clusters, "clusters") if item.n_clusters is not None else (item.n, "instances")
        for item in f.outcomes
        if f.tests[item.test].tested and f.tests[item.test].unit == "instance" and item.n is not None
    ]
    if f.printed or not sizes:
        return None
    fewest, unit = min(sizes, key=lambda one: one[0] or 0)
    if not fewest or fewest <= 10:
        return None
    return fewest, f"{float(f'{3 / fewest:.2g}') * 100:.6g}%", unit


def decided(f: Facts) -> str:
    """Write on how many instances two systems differ, where only these enter the test."""
    items = [item for item in f.of(f.claims[0]) if f.tests[item.test].tested]
    if not f.one_pair or len(f.metrics) > 1 or not items:
        return ""
    if any(item.n_nonzero is None or f.tests[item.test].ties_count or item.n_clusters is not None for item in items):
        return ""
    return spanned([item.n_nonzero or 0 for item in items], f.tests[items[0].test].unit)


# findings -----------------------------------------------------------------------------------------------------------


def caveats(f: Facts, clauses: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return what limits the claims, in the order of the clauses, each with the metrics and datasets that it is about.

    Metrics and datasets are empty where it is about all of them.
    """
    places: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    of_outcomes = set()
    for item in f.outcomes:
        for code in item.findings:
            of_outcomes.add(code)
            if code in clauses:
                metrics, datasets = places.setdefault(clauses[code], ({}, {}))
                metrics[item.metric] = datasets[item.dataset] = None
    for finding in f.findings:
        if finding.code in clauses and finding.code not in of_outcomes and finding.severity != "info":
            named = [name for name in f.datasets if repr(name) in finding.where]
            whole = not named or finding.where.endswith(" more")
            there = dict.fromkeys(f.datasets if whole else named)
            places.setdefault(clauses[finding.code], (dict.fromkeys(f.by_metric), there))
    order = list(dict.fromkeys(clauses.values()))
    return [
        {
            "clause": clause,
            "metrics": list(metrics) if len(metrics) < len(f.metrics) else [],
            "datasets": list(datasets) if len(datasets) < len(f.datasets) else [],
        }
        for clause, (metrics, datasets) in sorted(places.items(), key=lambda one: order.index(one[0]))
    ]


SAID_ELSEWHERE = (
    "columns", "columns-not-used", "counts-from-scores", "datasets-left-out", "folds-unused", "gold-unused",
    "identical-systems", "independence-not-audited", "missing-drop", "missing-scores", "not-independent",
    "pairing-unknown", "pairs-without-a-dataset", "printed-k-hat", "printed-marks", "printed-zero",
    "right-or-wrong-in-percent", "runs-only", "same-runs", "similar-names", "wrong-direction",
)  # fmt: skip
"""Findings that other sentences report, or that do not concern the reader of a paper."""


def findings_told(f: Facts) -> list[dict[str, Any]]:
    """Return the findings that the full paragraph tells, each kind once: `message`, `where`, and how many `more`."""
    found: dict[str, dict[str, Any]] = {}
    for item in f.findings:
        if item.code in SAID_ELSEWHERE:
            continue
        known = found.setdefault(item.code, {"message": item.message, "where": item.where, "more": -1})
        known["more"] += 1
    return list(found.values())


def printed_bounds(f: Facts, item: Mapping[str, Any], method: str) -> tuple[int, int]:
    """Return k-hat for A better and for B better that hold for either reading of printed p-values."""
    a, b = (min(values[method] for values in item[side].values()) for side in ("a_better", "b_better"))
    return a, b
