"""Find the two systems that a user means."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.language import counted


def two_systems(known: Sequence[str], system_a: str | None, system_b: str | None) -> tuple[str, str]:
    """Return the two systems that are named; where there are only two, those that are not named are the others.

    Raises
    ------
    UnknownNameError
        If there is no such system.
    SettingsError
        If it is not said which two.
    """
    for name in (system_a, system_b):
        if name is not None and name not in known:
            raise UnknownNameError("system", name, known)
    if len(known) == 2 and (system_a is None or system_b is None):
        rest = [name for name in known if name not in (system_a, system_b)]
        return system_a or rest[0], system_b or rest[-1]
    if system_a is None or system_b is None:
        raise SettingsError(
            f"the results hold {counted(len(known), 'system')}, and nothing says which two to compare",
            remedy="give the results of a second one"
            if len(known) < 2
            else f"name both, the one that is to be better first: {known[0]!r}, {known[-1]!r} "
            f"(command: --system {shlex.quote(known[0])} --baseline {shlex.quote(known[-1])})",
        )
    if system_a == system_b:
        raise SettingsError(f"{system_a!r} is compared with itself", remedy="name two different systems")
    return system_a, system_b
