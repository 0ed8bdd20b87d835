"""Names as they are printed: labels in the place of names, as text or as TeX; decimals as wanted; groups that exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from reportkit.appearance.appearance import Appearance
from reportkit.appearance.labels import Label, plain_label
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.language.counts_and_lists import Named
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import by_severity
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Row, Section, Table
from reportkit.report.prose import Inline, Prose, Text, Typeset
from reportkit.report.score_format import decimals_beyond_n
from reportkit.report.tables.groups import names_of_data, refuse_unknown_members
from reportkit.report.text.metrics import datasets_by_metric

T = TypeVar("T")


def as_printed(analysis: ReplicabilityAnalysis, look: Appearance) -> tuple[ReplicabilityAnalysis, Appearance]:
    """Return what a report is built from: names as they are printed, in the analysis and in the appearance alike.

    Findings keep the names of the data, which they are about; no number changes.

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
        If a label, a group or a number of decimals is for a name that does not occur; the nearest are said.
    SettingsError
        If two names would be printed alike.
    """
    refuse_unknown_members(analysis, look)
    if analysis.measures and not look.dataset_groups:
        look = replace(look, dataset_groups=datasets_by_metric(analysis))
    shown = analysis if look.decimals is None else _with_decimals(analysis, look)
    if not look.labels:
        return shown, look
    names = {name: plain_label(label) for name, label in look.labels.items()}
    _refuse_unknown(analysis, names)
    shown = replace(renamed(shown, names), labels=names)
    systems, datasets = (
        {title: tuple(names.get(name, name) for name in group) for title, group in groups.items()}
        for groups in (look.system_groups, look.dataset_groups)
    )
    return shown, replace(look, system_groups=systems, dataset_groups=datasets, decimals=None)


def names_in_data(look: Appearance) -> dict[str, str]:
    """Names as they are printed, to the names in the data, where there is a label."""
    return {plain_label(label): name for name, label in look.labels.items()}


def _refuse_unknown(analysis: ReplicabilityAnalysis, names: Mapping[str, str]) -> None:
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


_NAMES = {
    "system_a", "system_b", "dataset", "metric", "systems", "datasets", "metrics", "named_datasets",
    "identified", "wrong_direction", "sizes", "average_ranks", "system_scores", "secondary_scores", "measures",
}  # fmt: skip
"""Fields that hold a name, names, or something by name."""

_PARTS = {
    "other", "audit", "evidence", "comparisons", "assessments", "outcome", "friedman_outcome", "pairs",
    "reproductions", "left_out", "claims", "answers", "assessment", "posterior", "bayes_factors", "effects", "samples",
}  # fmt: skip
"""Fields whose values have such fields themselves."""


def renamed(item: T, names: Mapping[str, str]) -> T:
    """The same results with other names, in all their parts."""
    if not names:
        return item
    changed: Any = item
    if isinstance(item, Named):
        changed = item.relabelled(names)
    elif isinstance(item, Sequence) and not isinstance(item, str):
        changed = tuple(renamed(part, names) for part in item)
    elif is_dataclass(item):
        values = {field.name: getattr(item, field.name) for field in fields(item)}
        named = {name: _with_names(value, names) for name, value in values.items() if name in _NAMES}
        parts = {name: renamed(value, names) for name, value in values.items() if name in _PARTS}
        changed = replace(changed, **named, **parts)
    return changed  # type: ignore[no-any-return] # of the type of the item


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    """A name, several, or a mapping by names, in which further mappings may stand."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(names.get(name, name) for name in value)
    if isinstance(value, Mapping):
        return {_with_names(key, names): _with_names(inside, names) for key, inside in value.items()}
    return value


def _with_decimals(analysis: ReplicabilityAnalysis, look: Appearance) -> ReplicabilityAnalysis:
    """Note the decimals that are asked for with every score, and say where they promise more than the data hold."""
    found = []
    if isinstance(look.decimals, Mapping):
        for metric in look.decimals:
            if metric not in analysis.metrics:
                raise UnknownNameError("metric", metric, analysis.metrics, where="decimals")
    for metric in analysis.metrics:
        if (decimals := look.decimals_of(metric)) is not None:
            found += decimals_beyond_n([item for item in analysis.assessments if item.metric == metric], decimals)
    return replace(
        analysis,
        comparisons=tuple(_comparison_with_decimals(item, look) for item in analysis.comparisons),
        findings=by_severity([*analysis.findings, *found]),
    )


def _comparison_with_decimals(comparison: Comparison, look: Appearance) -> Comparison:
    decimals = look.decimals_of(comparison.metric)
    if decimals is None:
        return comparison
    return replace(comparison, assessments=tuple(replace(item, decimals=decimals) for item in comparison.assessments))


Labels = Mapping[str, Label]
"""By their plain form, names that have another one in LaTeX."""

_LETTERED = re.compile(r"(\([a-z]+\) )(.+)", re.DOTALL)


def typeset_labels(labels: Iterable[str | Label]) -> dict[str, Label]:
    """Labels with TeX, by their plain form."""
    return {label.plain: label for label in labels if isinstance(label, Label)}


def name_in_print(name: str, labels: Labels) -> Inline:
    """One name, as TeX if it has a label with TeX.

    Examples
    --------
    >>> name_in_print("b_i", {"b_i": Label(r"$b_i$", "b_i")})
    Typeset(latex='$b_i$', plain='b_i')
    """
    label = labels.get(name)
    return Text(name) if label is None else Typeset(label.latex, label.plain)


def with_typeset_names(table: Table, labels: Labels) -> Table:
    """Write names with TeX in headers and first cells: alone, behind a letter, or as the two sides of a claim."""
    if not labels:
        return table
    return replace(
        table,
        columns=tuple(replace(column, header=_typeset(column.header, labels)) for column in table.columns),
        spanners=tuple(replace(spanner, header=_typeset(spanner.header, labels)) for spanner in table.spanners),
        header_rows=tuple(_row(row, labels) for row in table.header_rows),
        rows=tuple(_row(row, labels) for row in table.rows),
    )


def _row(row: Row, labels: Labels) -> Row:
    first: Cell = row.cells[0]
    return replace(row, cells=(replace(first, text=_typeset(first.text, labels)), *row.cells[1:]))


def _typeset(content: Prose, labels: Labels) -> Prose:
    if len(content) != 1 or not isinstance(content[0], Text):
        return content
    words = content[0].text
    if words in labels:
        return (name_in_print(words, labels),)
    lettered = _LETTERED.fullmatch(words)
    if lettered and lettered[2] in labels:
        return Text(lettered[1]), name_in_print(lettered[2], labels)
    better, sign, worse = words.partition(" > ")
    if sign and (better in labels or worse in labels):
        return name_in_print(better, labels), Text(sign), name_in_print(worse, labels)
    return content


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
