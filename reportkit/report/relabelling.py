"""Other names for systems, datasets and metrics, everywhere in an analysis at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reportkit.appearance.labels import Label, plain_label
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.replicability.system_scores import SystemScore
from reportkit.report.tables.groups import names_of_data
from reportkit.significance.outcome import Assessment

Names = Mapping[str, str]
_Scores = Mapping[tuple[str, str], SystemScore]


def relabelled(analysis: ReplicabilityAnalysis, labels: Mapping[str, str | Label]) -> ReplicabilityAnalysis:
    """The same analysis with labels instead of names, in plain text; no number changes.

    Findings keep the names of the data, which they are about.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of one metric or several.
    labels : mapping of str to str or Label
        Name of a system, dataset or metric to what is printed instead.

    Raises
    ------
    UnknownNameError
        If a name does not occur; the nearest are said.
    SettingsError
        If two names would be printed alike.
    """
    if not labels:
        return analysis
    names = {name: plain_label(label) for name, label in labels.items()}
    _refuse_unknown(analysis, names)
    return replace(
        analysis,
        family=_family(analysis.family, names),
        other_family=None if analysis.other_family is None else _family(analysis.other_family, names),
        system_scores=_scores(analysis.system_scores, names),
        secondary_scores={
            names.get(metric, metric): _scores(scores, names) for metric, scores in analysis.secondary_scores.items()
        },
        reproductions=tuple(
            replace(
                item,
                system_a=names.get(item.system_a, item.system_a),
                system_b=names.get(item.system_b, item.system_b),
                identified=tuple(names.get(name, name) for name in item.identified),
                wrong_direction=tuple(names.get(name, name) for name in item.wrong_direction),
            )
            for item in analysis.reproductions
        ),
        named_datasets=tuple(names.get(name, name) for name in analysis.named_datasets),
        left_out=tuple(
            replace(
                item,
                dataset=names.get(item.dataset, item.dataset),
                systems=tuple(names.get(name, name) for name in item.systems),
                metric=names.get(item.metric, item.metric),
            )
            for item in analysis.left_out
        ),
        friedman=None if analysis.friedman is None else relabelled_friedman(analysis.friedman, names),
    )


def _refuse_unknown(analysis: ReplicabilityAnalysis, names: Names) -> None:
    known = names_of_data(analysis)
    every = tuple(dict.fromkeys(name for group in known.values() for name in group))
    for name in names:
        if name not in every:
            raise UnknownNameError("system, dataset or metric", name, every, where="labels")
    for role, group in known.items():
        printed: dict[str, str] = {}
        for name in group:
            label = names.get(name, name)
            if label in printed:
                raise SettingsError(
                    f"the {role}s {printed[label]!r} and {name!r} would both be printed as {label!r}",
                    where="labels",
                    remedy="give them different labels",
                )
            printed[label] = name


def _family(family: Family, names: Names) -> Family:
    return replace(
        family,
        comparisons=tuple(_comparison(item, names) for item in family.comparisons),
        metrics=tuple(names.get(metric, metric) for metric in family.metrics),
        audit=replace(family.audit, evidence=tuple(item.relabelled(names) for item in family.audit.evidence)),
        labels=names,
        sizes={names.get(metric, metric): size for metric, size in family.sizes.items()},
    )


def _comparison(comparison: Comparison, names: Names) -> Comparison:
    return replace(
        comparison,
        system_a=names.get(comparison.system_a, comparison.system_a),
        system_b=names.get(comparison.system_b, comparison.system_b),
        assessments=tuple(_assessment(item, names) for item in comparison.assessments),
    )


def _assessment(item: Assessment, names: Names) -> Assessment:
    outcome = item.outcome
    a, b = outcome.system_a, outcome.system_b
    dataset = names.get(item.dataset, item.dataset)
    return replace(
        item,
        dataset=dataset,
        metric=names.get(item.metric, item.metric),
        outcome=replace(outcome, system_a=names.get(a, a), system_b=names.get(b, b), dataset=dataset),
    )


def _scores(scores: _Scores, names: Names) -> dict[tuple[str, str], SystemScore]:
    return {(names.get(system, system), names.get(where, where)): score for (system, where), score in scores.items()}


def relabelled_friedman(outcome: FriedmanOutcome, names: Names) -> FriedmanOutcome:
    """Friedman's test with other names."""
    return replace(
        outcome,
        systems=tuple(names.get(name, name) for name in outcome.systems),
        datasets=tuple(names.get(name, name) for name in outcome.datasets),
        average_ranks={names.get(name, name): rank for name, rank in outcome.average_ranks.items()},
        pairs=tuple(
            replace(
                pair,
                system_a=names.get(pair.system_a, pair.system_a),
                system_b=names.get(pair.system_b, pair.system_b),
            )
            for pair in outcome.pairs
        ),
    )
