"""What a rule found: a stable code, a place, a sentence, what to do, and perhaps an edit that does it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from reportkit.finding import Severity
from reportkit.rendering.text.escaping import visible


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement in a file.

    Parameters
    ----------
    path : Path
        The file.
    start, end : int
        Offsets into its decoded text, in characters; `end` is exclusive.
    replacement : str
        What is to stand there.
    safe : bool
        Whether it may be made without being looked at: it changes no claim, and it cannot be wrong. `--fix` makes safe
        edits only.
    """

    path: Path
    start: int
    end: int
    replacement: str
    safe: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding of one rule.

    Parameters
    ----------
    code : str
        RK and three digits.
    name : str
        Of the rule, in lower case with hyphens.
    severity : {"error", "warning", "info"}
        `error`: a referee would be right to reject on it, the command exits with 1; `warning`: to be mended or said;
        `info`: good to know.
    message : str
        What is wrong with which value, one or two sentences with figures.
    path : Path or None
        The file; None for what is about the data alone.
    line, column, end_line, end_column : int
        From 1, in characters, the end column exclusive; 0 without a place in a file.
    where : str
        Systems and datasets concerned, or the file of results.
    remedy : str
        What to do.
    fixes : tuple of Edit
        The edits that do it, all of them together.
    listed : {"error", "warning", "info"} or None
        Severity that the list of rules gives, where that of this finding is another one.
    why : str
        Why it is another one.
    repeats : tuple of Diagnostic
        Findings of the same kind elsewhere in the paper, which are reported with this one.

    Message, place and remedy may quote names and text of strangers; they are made visible here, once for all outputs:
    no controls, no direction signs; only the remedy may have several lines.

    Examples
    --------
    >>> Diagnostic(code="RK107", name="p-value-inconsistent", severity="error", message="p = 0.").place
    ''
    """

    code: str
    name: str
    severity: Severity
    message: str
    path: Path | None = None
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    where: str = ""
    remedy: str = ""
    fixes: tuple[Edit, ...] = ()
    listed: Severity | None = None
    why: str = ""
    repeats: tuple[Diagnostic, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", visible(self.message))
        object.__setattr__(self, "where", visible(self.where))
        object.__setattr__(self, "remedy", "\n".join(map(visible, self.remedy.split("\n"))))

    @property
    def safe(self) -> bool:
        """Whether there are edits that do it, and `--fix` makes them."""
        return bool(self.fixes) and all(edit.safe for edit in self.fixes)

    @property
    def text(self) -> str:
        """The message, and the lines of its repeats."""
        lines: dict[str, list[str]] = {}
        for other in self.repeats:
            name = "" if other.path is None or other.path == self.path else f" of {visible(other.path.name)}"
            lines.setdefault(name, []).append(str(other.line))
        if not lines:
            return self.message
        places = "; ".join(f"line{'s' * (len(set(of)) > 1)} {_counted(of)}{name}" for name, of in lines.items())
        return f"{self.message} The same in {places}."

    @property
    def severity_note(self) -> str:
        """That, and why, the severity is not the one of the list of rules; empty if it is."""
        return f"listed as {self.listed}; {self.severity} here: {self.why}" if self.listed is not None else ""

    @property
    def place(self) -> str:
        """`file:line:column`, or what it is about; empty if it is about everything."""
        return f"{visible(self.path.as_posix())}:{self.line}:{self.column}" if self.path is not None else self.where

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Findings in files first, in order of their places; then by code."""
        path = "\uffff" if self.path is None else self.path.as_posix()
        return path, self.line, self.column, self.code, self.message


def _counted(lines: list[str]) -> str:
    """Numbers of lines, each once.

    Examples
    --------
    >>> _counted(["3", "9", "9"])
    '3, 9 (twice)'
    """
    times = Counter(lines)
    often = {1: "", 2: " (twice)"}
    return ", ".join(f"{line}{often.get(times[line], f' ({times[line]} times)')}" for line in times)
