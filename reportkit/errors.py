"""All exceptions of reportkit.

```
ReportkitError                what a user can cause; the command prints it without a traceback and exits with 2
├── InputError (ValueError)   the data do not fit: columns, scores, p-values
│   ├── ColumnError           a column is missing, unknown or named twice
│   ├── DuplicateScoresError  one (system, dataset, instance) has several scores
│   ├── MissingScoresError    instance sets differ, or scores are missing
│   └── ScoreValueError       a score is not a finite number, or scales are mixed
├── ReadingError (ValueError) a file cannot be read: absent, empty, wrong delimiter, wrong encoding
├── SettingsError (ValueError) an option has a value that makes no sense, or options contradict each other
│   └── UnknownNameError      a name that is in no registry; the message suggests the nearest
├── DesignError (ValueError)  a test was asked for that does not fit the design of the data
└── RenderingError            a template fails, or an output folder cannot be written
```

Every message has up to three parts: what is wrong with which value, where, and what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any, Self


class ReportkitError(Exception):
    """Base of everything that reportkit raises on purpose.

    Parameters
    ----------
    problem : str
        What is wrong with which value, one sentence.
    where : str, optional
        Rows, systems, datasets, files.
    remedy : str, optional
        What the user can do.

    Examples
    --------
    >>> from reportkit.errors import ReportkitError
    >>> print(ReportkitError("2 scores are missing", where="system 'x'", remedy="pass missing='drop'"))
    2 scores are missing
      where: system 'x'
      to do: pass missing='drop'
    """

    def __init__(self, problem: str, *, where: str | None = None, remedy: str | None = None) -> None:
        self.problem = problem
        self.where = where
        self.remedy = remedy
        super().__init__(problem)

    def within(self, place: str) -> Self:
        """Return the same error with a place added in front of its own."""
        found = type(self).__new__(type(self))
        where = f"{place}, {self.where}" if self.where else place
        ReportkitError.__init__(found, self.problem, where=where, remedy=self.remedy)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error as it is, whatever its constructor takes: errors travel between processes."""
        return _as_it_was, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        lines = [self.problem]
        for label, text in (("where", self.where), ("to do", self.remedy)):
            if text:
                lines.append(f"  {label}: " + text.replace("\n", "\n         "))
        return "\n".join(lines)


def _as_it_was(kind: type[ReportkitError], args: tuple[Any, ...], held: dict[str, Any]) -> ReportkitError:
    found = kind.__new__(kind)
    found.args = args
    found.__dict__.update(held)
    return found


class InputError(ReportkitError, ValueError):
    """The data do not fit."""


class ColumnError(InputError):
    """A column is missing, unknown, or claimed by two names."""


class DuplicateScoresError(InputError):
    """One (system, dataset, instance) has several scores."""


class MissingScoresError(InputError):
    """Systems were not scored on the same instances."""


class ScoreValueError(InputError):
    """A score is not a finite number, or the scales of scores are mixed."""


class ReadingError(ReportkitError, ValueError):
    """A file cannot be read."""


class SettingsError(ReportkitError, ValueError):
    """An option has a value that makes no sense, or two options contradict each other."""


class UnknownNameError(SettingsError, KeyError):
    """A name that is not known; the message says the nearest ones."""

    def __init__(
        self, kind: str, name: object, known: Iterable[str], *, where: str | None = None, meant: Iterable[str] = ()
    ) -> None:
        names = list(known)
        self.name = name
        near = list(meant) or nearest(str(name), names)
        hint = f"did you mean {_either(near)}? " if near else ""
        listed = ", ".join(map(repr, names[:20])) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
        super().__init__(f"there is no {kind} {name!r}", where=where, remedy=f"{hint}known: {listed or 'none'}")


class DesignError(ReportkitError, ValueError):
    """A test was asked for that does not fit the design of the data."""


class RenderingError(ReportkitError):
    """A template fails, or an output folder cannot be written."""


def nearest(name: str, known: Iterable[str], n: int = 3) -> list[str]:
    """Return the known names most like `name`, ignoring case, best first.

    Examples
    --------
    >>> nearest("fischer", ["bonferroni", "fisher", "simes"])
    ['fisher']
    """
    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.casefold(), candidate)
    return [folded[match] for match in difflib.get_close_matches(name.casefold(), folded, n=n, cutoff=0.6)]


def _either(names: list[str]) -> str:
    quoted = [repr(name) for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]
