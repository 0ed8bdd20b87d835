"""A finding of the checker, with its place in a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from reportkit.finding import Finding
from reportkit.rendering.text.escaping import visible


@dataclass(frozen=True, slots=True)
class Diagnostic(Finding):
    """One finding of one rule, or of the analysis.

    Parameters
    ----------
    path : Path or None
        The file; None for a finding about the data alone.
    line, column, end_line, end_column : int
        From 1, in characters, the end column exclusive; 0 without a place in a file.
    repeats : tuple of Diagnostic
        Findings of the same kind elsewhere in the paper, which are reported with this one.

    Message, place and remedy may quote names and text of strangers; they are made visible here, once for all outputs:
    no controls, no direction signs; only the remedy may have several lines.

    Examples
    --------
    >>> Diagnostic("RK107", "error", "p = 0.").place
    ''
    """

    path: Path | None = None
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    repeats: tuple[Diagnostic, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", visible(self.message))
        object.__setattr__(self, "where", visible(self.where))
        object.__setattr__(self, "remedy", "\n".join(map(visible, self.remedy.split("\n"))))

    @property
    def text(self) -> str:
        """The message, and the lines of its repeats."""
        lines: dict[str, list[int]] = {}
        for other in self.repeats:
            name = "" if other.path is None or other.path == self.path else f" of {visible(other.path.name)}"
            lines.setdefault(name, []).append(other.line)
        if not lines:
            return self.message
        places = "; ".join(f"line{'s' * (len(set(of)) > 1)} {_counted(of)}{name}" for name, of in lines.items())
        return f"{self.message} The same in {places}."

    @property
    def place(self) -> str:
        """`file:line:column`, or the systems and data concerned; empty if it is about everything."""
        return f"{visible(self.path.as_posix())}:{self.line}:{self.column}" if self.path is not None else self.where

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Findings in files first, in order of their places; then by code."""
        path = "\uffff" if self.path is None else self.path.as_posix()
        return path, self.line, self.column, self.code, self.message


def _counted(lines: list[int]) -> str:
    """Return numbers of lines, each once.

    Examples
    --------
    >>> _counted([3, 9, 9])
    '3, 9 (2 times)'
    """
    return ", ".join(f"{line} ({times} times)" if times > 1 else f"{line}" for line, times in Counter(lines).items())
