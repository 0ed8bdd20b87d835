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


_RENAMED = {
    "system_a", "system_b", "dataset", "metric", "systems", "datasets", "families", "source_dataset", "target_dataset",
    "where", "pairs", "sizes", "nulls", "joint", "compared", "bins", "domains", "transfers", "omissions", "resplits",
}  # fmt: skip
"""Fields of studies that hold a name, names, something by name, or parts with such fields."""


def renamed(item: T, names: Mapping[str, str]) -> T:
    """Return the same results with other names, in all their parts."""
    changed: Any = item
    if isinstance(item, Named):
        changed = item.relabelled(names)
    elif isinstance(item, str):
        changed = names.get(item, item)
    elif isinstance(item, (tuple, list)):
        changed = tuple(renamed(part, names) for part in item)
    elif isinstance(item, Mapping):
        changed = {renamed(key, names): renamed(part, names) for key, part in item.items()}
    elif is_dataclass(item):
        own = [field.name for field in fields(item) if field.name in _RENAMED]
        changed = replace(changed, **{name: renamed(getattr(item, name), names) for name in own})
    return changed  # type: ignore[no-any-return] # of the type of the item
