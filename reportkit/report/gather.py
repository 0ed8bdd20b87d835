"""Facts of an analysis: the only place of a report that reads the objects of the engine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from itertools import compress
from typing import Any, TypeVar

from reportkit._version import __version__
from reportkit.errors import ReportkitError
from reportkit.language import metric_in_sentence, metric_short
from reportkit.metrics.corpus import corpus_metric_named
from reportkit.replicability.compare import SystemScore
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.friedman import FOLLOW_UP, FriedmanOutcome
from reportkit.replicability.printed import Reproduction
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.facts import Facts
from reportkit.report.ranking import by_mean_rank, drawn
from reportkit.report.records import Claim, KHat, Metric, Outcome, Plan, Possible, Score, Test
from reportkit.report.references import REFERENCES
from reportkit.report.rounding import finite
from reportkit.report.score_format import scales_of
from reportkit.report.signature import signature_fields
from reportkit.settings import Settings
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, effect_words
from reportkit.significance.hypotheses import NOT_BETTER
from reportkit.significance.outcome import Interval
from reportkit.significance.outcome import Outcome as Assessment

STARS = (0.05, 0.01, 0.001)
"""Levels that stars stand for, whatever those of the analysis."""


def gather(analysis: ReplicabilityAnalysis, evidence: Mapping[str, Any] | None = None) -> Facts:
    """Collect what an analysis found.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Analysis of any design.
    evidence : mapping, optional
        Four answers to each claim, as plain values.

    Returns
    -------
    Facts
        With the names of the data.
    """
    tests: dict[Test, int] = {}
    outcomes, claims = [], []
    shown = {id(item) for part in analysis.parts for item in _drawn(part, analysis.design)}
    for part in analysis.parts:
        for comparison in part.comparisons:
            claims.append(_claim(comparison, part))
            decisions: Sequence[Interval | None] = (
                analysis.decision_intervals(comparison) if id(comparison) in shown else [None] * comparison.n_datasets
            )
            outcomes += _outcomes(comparison, decisions, analysis.alpha, tests)
    nothing = [part for part in analysis.parts if not any(_k_hat(item, part) for item in part.comparisons)]
    audit, all_pairs = analysis.audit, analysis.design == "all-pairs"
    return taken(
        Facts,
        analysis,
        reportkit=__version__,
        signature=signature_fields(analysis),
        settings=plain_settings(analysis.settings),
        dependence=audit.declared,
        independence={
            "evidence": [str(item) for item in audit.evidence],
            "blind": audit.blind,
            "same_runs": audit.same_runs,
            "independent": audit.independent,
        },
        alpha=tuple(analysis.alpha),
        n_tests=analysis.n_hypotheses,
        adjusted=analysis.n_hypotheses > 1 or analysis.sides == 2,
        joint=not analysis.counted_apart,
        across=analysis.across_datasets,
        systems=_systems(analysis),
        datasets=_datasets(analysis),
        left_out=tuple(
            {"dataset": item.dataset, "reason": item.reason, "systems": list(item.systems), "metric": item.metric}
            for item in analysis.left_out
        ),
        columns=dict(analysis.columns),
        metrics=tuple(map(_metric, analysis.parts)),
        scores=tuple(score for part in analysis.parts for score in _scores(part)),
        claims=tuple(claims),
        outcomes=tuple(outcomes),
        tests=tuple(tests),
        metric_of=dict(analysis.measures),
        unbeaten={part.comparisons[0].metric: _unbeaten(part) for part in analysis.parts if all_pairs},
        possible=tuple(one for part in nothing if (one := largest_possible(part)) is not None),
        plans=tuple(plan for part in nothing if (plan := planned(part)) is not None),
        reproductions=tuple(map(reproduced, analysis.reproductions)),
        friedman=None if analysis.friedman_outcome is None else friedman_facts(analysis.friedman_outcome),
        evidence=evidence,
    )


Record = TypeVar("Record")


def taken(kind: type[Record], item: object, **own: Any) -> Record:
    """Return a record whose fields come from the attributes of an object with the same names, and from `own`."""
    names = {field.name for field in fields(kind)} - own.keys()  # type: ignore[arg-type]  # a dataclass
    return kind(**{name: getattr(item, name) for name in names if hasattr(item, name)}, **own)


def plain_settings(settings: Settings) -> dict[str, Any]:
    """Return all settings under their names, as JSON can hold them."""
    return {item.name: _plain(getattr(settings, item.name)) for item in fields(settings)}


def _systems(analysis: ReplicabilityAnalysis) -> tuple[str, ...]:
    """Return the systems in the order of the data; for printed figures, in that of the claims."""
    compared = dict.fromkeys((*analysis.systems_a, *analysis.systems_b))
    known = dict.fromkeys(system for system, _ in analysis.system_scores)
    return tuple(name for name in (*known, *(name for name in compared if name not in known)) if name in compared)


def _datasets(analysis: ReplicabilityAnalysis) -> tuple[str, ...]:
    """Return the datasets in the order in which the settings name them, else in that of the results."""
    named = analysis.settings.datasets or ()
    return tuple(sorted(analysis.datasets, key=lambda one: named.index(one) if one in named else len(named)))


def _plain(value: Any) -> Any:
    if hasattr(value, "items"):
        return {str(key): _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (tuple, list)) else value


def _metric(part: ReplicabilityAnalysis) -> Metric:
    first = part.kinds[0]
    known = corpus_metric_named(first.metric)
    (scale, by_dataset), title = scales_of(part), metric_in_sentence(first.metric)
    return Metric(
        name=first.metric,
        title=title if known is None or known.title.lower() == title.lower() else known.title,
        short=metric_short(first.metric),
        cite=known.citation if known is not None and known.citation in REFERENCES else "",
        higher_is_better=first.higher_is_better,
        summed=first.shape == "corpus",
        n_tests=part.n_hypotheses,
        scale=scale,
        by_dataset=by_dataset,
        ranking=by_mean_rank(part),
        lower_on=tuple(dict.fromkeys(item.dataset for item in part.kinds if not item.higher_is_better)),
    )


MOST_OF_A_PAIR = 2
_ON_COMMON = ("paired", "runs", "corpus", "correlation")
"""Shapes whose pairs are compared on the instances that both systems have."""


def _scores(part: ReplicabilityAnalysis) -> Iterator[Score]:
    """Return the scores of the systems; for a pair, on the instances that both are compared on."""
    metric, known = part.comparisons[0].metric, part.system_scores
    one_dataset = len({dataset for _, dataset in known}) == 1
    among = len(known) if one_dataset and len(known) > MOST_OF_A_PAIR and not part.one_claim else 0
    of_pair: dict[tuple[str, str], tuple[float, int | None, tuple[str, ...]]] = {}
    if part.one_claim:
        first = part.comparisons[0]
        for item in first.assessments:
            both = (first.system_a, first.system_b) if item.n_dropped and item.shape in _ON_COMMON else ()
            for name, value in ((first.system_a, item.score_a), (first.system_b, item.score_b)):
                of_pair[name, item.dataset] = value, item.n, both
    for (system, dataset), score in known.items():
        value, n, common = of_pair.pop((system, dataset), (score.mean, score.n, ()))
        yield _score(metric, system, dataset, replace(score, mean=value, n=n), common, among)
    for (system, dataset), (value, n, _) in of_pair.items():
        yield Score(metric=metric, system=system, dataset=dataset, value=value, n=n)


def _score(metric: str, system: str, dataset: str, score: SystemScore, common: Sequence[str], among: int) -> Score:
    spread = score.spread(common=common)
    joint = score.spread(among=among).interval if among else None
    interval = spread.interval
    words = {name: getattr(spread, name) for name in ("sd_over", "error_over", "no_sd", "no_error")}
    words["interval"] = "" if interval is None else interval.title
    return Score(
        metric=metric,
        system=system,
        dataset=dataset,
        value=score.mean,
        n=score.n,
        sd=spread.sd,
        se=spread.standard_error,
        low=finite(getattr(interval, "low", None)),
        high=finite(getattr(interval, "high", None)),
        joint=None if joint is None else (joint.low, joint.high),
        spread={name: text for name, text in words.items() if text},
    )


def _k_hat(comparison: Comparison, part: ReplicabilityAnalysis) -> int:
    return int(comparison.k_hat[part.alpha[0]].recommended)


def _claim(comparison: Comparison, part: ReplicabilityAnalysis) -> Claim:
    alpha = part.alpha[0]
    one_measure = len(set(part.measures.values())) <= 1
    mean = one_measure and (in_one_unit(part.kinds) or in_one_unit(comparison.assessments))
    counted = not part.across_datasets
    return taken(
        Claim,
        comparison,
        a=comparison.system_a,
        b=comparison.system_b,
        k_hat=_k_hat(comparison, part),
        named=tuple(compress(comparison.datasets, comparison.marked(alpha).tolist())),
        mean_difference=math.fsum(comparison.differences.tolist()) / comparison.n_datasets if mean else None,
        bounds=tuple(taken(KHat, k, alpha=level) for level, k in comparison.k_hat.items() if counted),
        partial_conjunction={
            name: tuple(values.tolist()) for name, values in comparison.partial_conjunction.items() if counted
        },
    )


def _outcomes(
    comparison: Comparison, decisions: Iterable[Interval | None], alpha: Sequence[float], tests: dict[Test, int]
) -> list[Outcome]:
    levels = sorted({*alpha, *STARS}, reverse=True)
    marked = [comparison.marked(level).tolist() for level in levels]
    found = []
    for place, (item, decision) in enumerate(zip(comparison.assessments, decisions, strict=True)):
        size = "n_runs" if item.unit == "run" else "n_instances"
        sizes = tuple(item.details[side][size] for side in ("a", "b") if size in item.details.get(side, {}))
        interval = item.interval
        found.append(
            taken(
                Outcome,
                item,
                a=comparison.system_a,
                b=comparison.system_b,
                test=tests.setdefault(_test(item), len(tests)),
                sizes=sizes if len(set(sizes)) > 1 else (),
                statistic=finite(item.statistic),
                standard_error=finite(item.standard_error),
                low=finite(getattr(interval, "low", None)),
                high=finite(getattr(interval, "high", None)),
                level=getattr(interval, "level", None),
                decision_low=finite(getattr(decision, "low", None)),
                decision_high=finite(getattr(decision, "high", None)),
                adjusted=float(comparison.adjusted_p_values[place]),
                stepwise=float(comparison.stepwise_p_values[place]),
                marked_at=tuple(level for level, row in zip(levels, marked, strict=True) if row[place]),
                details=dict(item.details),
                findings=tuple(
                    dict.fromkeys(
                        finding.code
                        for finding in item.findings
                        if finding.severity != "info" or finding.code == "different-instances"
                    )
                ),
            )
        )
    return found


def _test(item: Assessment) -> Test:
    entry = SIGNIFICANCE_TESTS.get(item.test)
    hypotheses = NOT_BETTER if entry is None else entry.hypotheses
    null = hypotheses.null
    return taken(
        Test,
        item,
        name=item.test,
        cite=item.citation if item.citation in REFERENCES else "",
        effect=effect_words(item),
        null=null.replace("mean score", "weighted mean score") if item.estimand.startswith("weighted ") else null,
        alternative=hypotheses.alternative,
        error=item.relative_error,
        interval="" if item.interval is None else item.interval.title,
        interval_cite="" if item.interval is None else item.interval.citation,
        ties_count=entry is None or entry.ties_count,
        any_pairing=entry is not None and entry.any_pairing,
    )


def _drawn(part: ReplicabilityAnalysis, design: str) -> Sequence[Comparison]:
    claims = [item for item in part.comparisons if not item.exploratory]
    return drawn(claims, design, by_mean_rank(part), lambda item: (item.system_a, item.system_b))


def _unbeaten(part: ReplicabilityAnalysis) -> tuple[str, ...]:
    beaten = {item.system_b for item in part.comparisons if _k_hat(item, part)}
    return tuple(name for name in by_mean_rank(part) if name not in beaten)


# effects that stay possible, plans, printed tables, Friedman's test -------------------------------------------------

POWER = 0.8
ONE_POINT = 0.01
"""The planned difference where none was declared and scores are proportions."""


def in_one_unit(items: Sequence[Assessment]) -> bool:
    """Return whether all are differences of scores, and either all or none are in percent."""
    if any(effect_words(item) != "difference" for item in items if item.tested):
        return False
    return len({item.percent for item in items}) == 1


def largest_possible(part: ReplicabilityAnalysis) -> Possible | None:
    """Return the largest upper end of an interval."""
    found = [
        Possible(
            metric=comparison.metric,
            a=comparison.system_a,
            b=comparison.system_b,
            dataset=item.dataset,
            difference=item.interval.high,
            level=item.interval.level,
        )
        for comparison in part.comparisons
        if in_one_unit(comparison.assessments)
        for item in comparison.assessments
        if item.interval is not None and math.isfinite(item.interval.high)
    ]
    return max(found, key=lambda one: one.difference, default=None)


def planned(part: ReplicabilityAnalysis) -> Plan | None:
    """Return the instances needed for the declared difference, or for one percentage point of proportions."""
    items = part.assessments
    rope = part.settings.rope
    difference = rope or (ONE_POINT if all(item.percent for item in items) else None)
    if difference is None:
        return None
    from reportkit.power_analysis.pilot import instances_needed  # only where nothing is shown

    level = part.alpha[0] / (part.n_hypotheses * (2 if part.design == "both" else 1))
    try:
        needed = [instances_needed(item, difference, level=level, power=POWER) for item in items]
    except ReportkitError:  # more than a billion
        return None
    known = [n for n in needed if n is not None]
    if len(known) < len(items):
        return None
    metric = part.comparisons[0].metric
    return Plan(metric=metric, difference=difference, declared=bool(rope), n=max(known), power=POWER)


def reproduced(item: Reproduction) -> dict[str, Any]:
    """Return what a printed table says, and what its scores say, as plain values."""
    printed = item.printed
    named = None if printed is None or printed.identified is None else list(printed.identified)
    return {
        "a": item.system_a,
        "b": item.system_b,
        "alpha": item.alpha,
        "n_datasets": item.n_datasets,
        "printed": None if printed is None else {"k_hat": dict(printed.k_hat), "named": named},
        "recomputed": dict(item.recomputed),
        "recomputed_at_rounding_ends": [dict(item.recomputed_low), dict(item.recomputed_high)],
        "named": list(item.identified),
        "wrong_direction": list(item.wrong_direction),
        "impossible": list(item.impossible),
        "marks_differ": item.marks_differ,
        "a_better": {reading: dict(values) for reading, values in item.a_better.items()},
        "b_better": {reading: dict(values) for reading, values in item.b_better.items()},
        "named_a": list(item.identified_a),
        "named_b": list(item.identified_b),
    }


def friedman_facts(outcome: FriedmanOutcome) -> dict[str, Any]:
    """Return Friedman's test as plain values."""
    follow_up = SIGNIFICANCE_TESTS[FOLLOW_UP]
    kept = ("chi_squared", "chi_squared_p", "f_p", "alpha", "correction")
    return {
        **{name: getattr(outcome, name) for name in kept},
        "systems": list(outcome.systems),
        "datasets": list(outcome.datasets),
        "average_ranks": dict(outcome.average_ranks),
        "f": finite(outcome.f),
        "degrees_of_freedom": list(outcome.degrees_of_freedom),
        "follow_up_title": follow_up.title,
        "follow_up_cite": follow_up.citation,
        "pairs": [{**asdict(pair), "differs": pair in outcome.differing} for pair in outcome.pairs],
    }
