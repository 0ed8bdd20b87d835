"""Which rules run, and where: selected and ignored prefixes, files with exceptions of their own."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reportkit.errors import SettingsError

_PREFIX = re.compile(r"RK\d{0,3}|ALL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Selected and ignored codes.

    Parameters
    ----------
    select : tuple of str
        Prefixes of codes: RK201, RK2, ALL; empty: all rules. The longer prefix wins over the
        shorter one, and `ignore` over `select` where both are equally long.
    ignore : tuple of str
        Prefixes of codes that do not run.
    per_file_ignores : mapping of str to tuple of str
        Patterns of file names (`appendix/*.tex`) to prefixes that are left out there.

    Raises
    ------
    SettingsError
        If something is no prefix of a code.

    Examples
    --------
    >>> chosen = Selection(select=("RK1",), ignore=("RK107",))
    >>> chosen.runs("RK101"), chosen.runs("RK107"), chosen.runs("RK201")
    (True, False, False)
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("select", "ignore"):
            object.__setattr__(self, name, prefixes(getattr(self, name), name))
        patterns = {
            pattern: prefixes(codes, f"per-file-ignores of {pattern!r}")
            for pattern, codes in self.per_file_ignores.items()
        }
        object.__setattr__(self, "per_file_ignores", patterns)

    def runs(self, code: str) -> bool:
        """Whether the rule of a code runs."""
        chosen = _longest(code, self.select or ("ALL",))
        return chosen >= 0 and chosen > _longest(code, self.ignore)

    def left_out(self, code: str, path: Path | None) -> bool:
        """Whether a file is excepted from a rule."""
        if path is None:
            return False
        names = (path.name, path.as_posix())
        return any(
            _longest(code, codes) >= 0 and any(fnmatch.fnmatch(name, pattern) for name in names)
            for pattern, codes in self.per_file_ignores.items()
        )


def prefixes(codes: Iterable[str], where: str) -> tuple[str, ...]:
    """Split at commas, turn to upper case and check."""
    parts = [part.strip().upper() for code in codes for part in str(code).split(",") if part.strip()]
    for part in parts:
        if _PREFIX.fullmatch(part) is None:
            raise SettingsError(
                f"{part!r} is no code and no prefix of one", where=where, remedy="give codes such as RK201, RK2 or ALL"
            )
    return tuple(parts)


def _longest(code: str, given: Iterable[str]) -> int:
    """Length of the longest prefix of a code; -1 if there is none, 1 for ALL."""
    return max((1 if prefix == "ALL" else len(prefix) for prefix in given if _covers(prefix, code)), default=-1)


def _covers(prefix: str, code: str) -> bool:
    return prefix == "ALL" or code.startswith(prefix)
