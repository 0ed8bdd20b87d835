"""An analysis as its report shows it: labels for names, decimals as wanted, groups that exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reportkit.appearance.appearance import Appearance
from reportkit.appearance.labels import plain_label
from reportkit.errors import UnknownNameError
from reportkit.finding import Finding
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family, by_severity
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Section, Table
from reportkit.report.relabelling import relabelled
from reportkit.report.score_format import decimals_beyond_n
from reportkit.report.tables.groups import refuse_unknown_members
from reportkit.report.tables.names import typeset_labels, with_typeset_names


def dressed(analysis: ReplicabilityAnalysis, look: Appearance) -> tuple[ReplicabilityAnalysis, Appearance]:
    """Return what a report is built from: names as they are printed, in the analysis and in the appearance alike.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        With the names of the data.
    look : Appearance
        With the names of the data, too: its groups, labels and decimals.

    Returns
    -------
    ReplicabilityAnalysis, Appearance
        The same objects where nothing is to be changed.

    Raises
    ------
    UnknownNameError
        If a label, a group or a number of decimals is for a name that does not occur.
    SettingsError
        If two names would be printed alike.
    """
    refuse_unknown_members(analysis, look)
    shown = relabelled(_with_decimals(analysis, look), look.labels)
    return shown, _relabelled_look(look)


def names_in_data(look: Appearance) -> dict[str, str]:
    """Names as they are printed, to the names in the data, where there is a label."""
    return {plain_label(label): name for name, label in look.labels.items()}


def typeset(sections: Sequence[Section], look: Appearance) -> tuple[Section, ...]:
    """Write names with TeX in the headers and first cells of all tables."""
    labels = typeset_labels(look.labels.values())
    if not labels:
        return tuple(sections)
    return tuple(
        replace(
            section,
            blocks=tuple(
                with_typeset_names(block, labels) if isinstance(block, Table) else block for block in section.blocks
            ),
        )
        for section in sections
    )


def _relabelled_look(look: Appearance) -> Appearance:
    if not look.labels:
        return look
    names = {name: plain_label(label) for name, label in look.labels.items()}

    def members(groups: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {title: tuple(names.get(name, name) for name in group) for title, group in groups.items()}

    return replace(
        look, dataset_groups=members(look.dataset_groups), system_groups=members(look.system_groups), decimals=None
    )


def _with_decimals(analysis: ReplicabilityAnalysis, look: Appearance) -> ReplicabilityAnalysis:
    """Note the decimals that are asked for with every score, and say where they promise more than the data hold."""
    if look.decimals is None:
        return analysis
    if isinstance(look.decimals, Mapping):
        for metric in look.decimals:
            if metric not in analysis.family.metrics:
                raise UnknownNameError("metric", metric, analysis.family.metrics, where="decimals")
    family = _family(analysis.family, look)
    findings = tuple(_findings(analysis.family, look))
    return replace(analysis, family=replace(family, findings=by_severity([*family.findings, *findings])))


def _family(family: Family, look: Appearance) -> Family:
    return replace(family, comparisons=tuple(_comparison(item, look) for item in family.comparisons))


def _comparison(comparison: Comparison, look: Appearance) -> Comparison:
    decimals = look.decimals_of(comparison.metric)
    if decimals is None:
        return comparison
    items = tuple(replace(item, decimals=decimals) for item in comparison.assessments)
    return replace(comparison, assessments=items)


def _findings(family: Family, look: Appearance) -> list[Finding]:
    found = []
    for metric in family.metrics:
        decimals = look.decimals_of(metric)
        if decimals is not None:
            items = [
                item
                for comparison in family.comparisons
                if comparison.metric == metric
                for item in comparison.assessments
            ]
            found += decimals_beyond_n(items, decimals)
    return found
