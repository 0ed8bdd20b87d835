"""Families of systems: those that share a base model, or come from one group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportkit.errors import SettingsError


def families_of(groups: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Turn families with their systems into the family of each system.

    Parameters
    ----------
    groups : mapping of str to sequence of str
        Family to its systems.

    Returns
    -------
    dict of str to str
        System to family.

    Raises
    ------
    SettingsError
        If a system is in two families, or a family is no list of systems.

    Examples
    --------
    >>> families_of({"bert": ["bert-base", "bert-large"], "t5": ["t5-small"]})
    {'bert-base': 'bert', 'bert-large': 'bert', 't5-small': 't5'}
    """
    found: dict[str, str] = {}
    for family, systems in groups.items():
        if isinstance(systems, str):
            raise SettingsError(
                f"family {family!r} is the text {systems!r}", remedy=f"give a list of systems: {{{family!r}: [...]}}"
            )
        for system in systems:
            if found.setdefault(system, family) != family:
                raise SettingsError(
                    f"{system!r} is in two families, {found[system]!r} and {family!r}",
                    remedy="name each system once",
                )
    return found
