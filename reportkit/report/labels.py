"""Labels in the place of names, in the results of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from reportkit.appearance import Appearance
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.language.counts_and_lists import Named

T = TypeVar("T")


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
    every = tuple(dict.fromkeys(name for group in known.values() for name in group))
    for name in look.labels:
        if name not in every:
            raise UnknownNameError("system, dataset or metric", name, every, where="labels")
    for role, group in known.items():
        printed: dict[str, str] = {}
        for name in group:
            label = look.plain_labels.get(name, name)
            if label in printed:
                raise SettingsError(
                    f"the {role}s {printed[label]!r} and {name!r} would both be printed as {label!r}",
                    where="labels",
                    remedy="give them different labels",
                )
            printed[label] = name
    return look.plain_labels


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
