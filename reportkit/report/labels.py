"""Names as they are printed: labels in the place of names, as text or as TeX; decimals as wanted; groups that exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from operator import is_
from typing import Any, TypeVar

from reportkit.appearance import Appearance, Label, plain_label
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.language.counts_and_lists import Named
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import by_severity
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Inline, Text, Typeset, joined
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
    names = plain_labels(look, names_of_data(analysis))
    shown = replace(renamed(shown, names), labels=names)
    systems, datasets = (
        {title: tuple(names.get(name, name) for name in group) for title, group in groups.items()}
        for groups in (look.system_groups, look.dataset_groups)
    )
    return shown, replace(look, system_groups=systems, dataset_groups=datasets, decimals=None)


def plain_labels(look: Appearance, known: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Names to the plain forms of their labels.

    Parameters
    ----------
    look : Appearance
        With labels.
    known : mapping of str to sequence of str
        The names that there are, by what they are names of: "system", "dataset", "metric".

    Raises
    ------
    UnknownNameError
        If a label is for a name that does not occur; the nearest are said.
    SettingsError
        If two names of a kind would be printed alike.
    """
    names = {name: plain_label(label) for name, label in look.labels.items()}
    _refuse_unknown(known, names)
    return names


def names_in_data(look: Appearance) -> dict[str, str]:
    """Names as they are printed, to the names in the data, where there is a label."""
    return {plain_label(label): name for name, label in look.labels.items()}


def _refuse_unknown(known: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> None:
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
    "pairs", "families", "source_dataset", "target_dataset", "where",
}  # fmt: skip
"""Fields that hold a name, names, something by name, or something with names of its own."""

_PARTS = {
    "other", "audit", "evidence", "comparisons", "assessments", "outcome", "friedman_outcome",
    "nulls", "joint", "compared", "bins", "domains", "transfers", "omissions",
    "resplits",
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
    """A name, several, or a mapping by names, in which further ones may stand."""
    if isinstance(value, str):
        return value.relabelled(names) if isinstance(value, Named) else names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_with_names(inside, names) for inside in value)
    if isinstance(value, Mapping):
        return {_with_names(key, names): _with_names(inside, names) for key, inside in value.items()}
    return renamed(value, names) if is_dataclass(value) else value


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


_MARK = "\ue0e7"
"""A sign of no script behind each name that has a label with TeX, in a layout that is only looked at."""


def in_print(lay_out: Callable[[Appearance], Iterable[T]], look: Appearance) -> Iterator[T]:
    """Lay out tables or reports; wherever words, a caption or a cell hold a name with TeX, it is written as TeX.

    Where such names stand is not guessed from the words, in which a label such as "new" may occur as a word: it is seen
    in a second layout, with a mark behind each of them.

    Parameters
    ----------
    lay_out : callable
        Yields what is laid out with the plain forms of the labels of an appearance.
    look : Appearance
        With labels.
    """
    with_tex = {label.plain: label for label in look.labels.values() if isinstance(label, Label)}
    if not with_tex:
        yield from lay_out(look)
        return
    marked = {name: plain_label(label) + _MARK * isinstance(label, Label) for name, label in look.labels.items()}
    for item, same in zip(lay_out(look), lay_out(replace(look, labels=marked)), strict=False):
        yield _typeset(item, same, with_tex)


def _typeset(item: Any, marked: Any, labels: Mapping[str, Label]) -> Any:
    """Put TeX where the same item has marked names; where there are none, or another layout, return the same object."""
    if type(item) is not type(marked):
        return item
    if type(item) is tuple and len(item) == len(marked):
        pieces = [piece for one, same in zip(item, marked, strict=True) for piece in _pieces(one, same, labels)]
        return item if all(map(is_, pieces, item)) else tuple(pieces)
    if is_dataclass(item) and not isinstance(item, type):
        values = {field.name: getattr(item, field.name) for field in fields(item)}
        found = {name: _typeset(value, getattr(marked, name), labels) for name, value in values.items()}
        return item if all(found[name] is value for name, value in values.items()) else replace(item, **found)
    return item


def _pieces(part: Any, marked: Any, labels: Mapping[str, Label]) -> Sequence[Any]:
    """One part of a tuple; words become words and names."""
    if not (isinstance(part, Text) and isinstance(marked, Text)):
        return (_typeset(part, marked, labels),)
    if _MARK not in marked.text or marked.text.replace(_MARK, "") != part.text:
        return (part,)
    *named, rest = marked.text.split(_MARK)
    pieces: list[Inline] = []
    for words in named:
        name = max((label for label in labels if words.endswith(label)), key=len, default="")
        if not name:  # which was cut
            return (part,)
        latex = labels[name].latex
        alone = name == part.text
        pieces += [Text(words.removesuffix(name)), Typeset(latex if alone else f"{{{latex}}}", name)]
    return joined([*pieces, Text(rest)])
