"""Say what was understood of results, or ask one question with the complete commands that settle it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from reportkit.errors import ColumnError, InputError, UnknownNameError, nearest
from reportkit.scores.choices import ROLES as DECLARABLE

if TYPE_CHECKING:
    from reportkit.scores.column_facts import Table

_MOST_COLUMNS = 40
_LONGEST_NAME = 80
MOST_NAMES = 8
"""Names of one kind that are listed in a line."""


def _silent(done: int, total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user says of the results.

    Parameters
    ----------
    metrics : tuple of str
        Metrics to take.
    columns : mapping of str to str
        Role to column name.
    systems : tuple of str, optional
        Columns that hold systems.
    filter, format : str, optional
        Which of several readings of one answer; the name of the tool that wrote the files.
    exclude : tuple of str
        Patterns of files, systems and datasets that are left out.
    directions : mapping of str to bool
        Metric to whether higher is better, as the user says.
    one_direction : bool, optional
        The direction of all metrics, as the user says.
    across_datasets : bool
        Whether the datasets are the sample.
    unpaired : bool
        Whether the systems were scored on different instances.
    command : tuple of str
        The command as it was typed; empty in Python.
    progress : callable
        Called with (files read, files in all).
    """

    metrics: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] | None = None
    filter: str | None = None
    format: str | None = None
    exclude: tuple[str, ...] = ()
    directions: Mapping[str, bool] = field(default_factory=dict)
    one_direction: bool | None = None
    across_datasets: bool = False
    unpaired: bool = False
    command: tuple[str, ...] = ()
    progress: Callable[[int, int], None] = _silent

    def checked_columns(self, names: Sequence[str]) -> dict[str, str]:
        """Return role to column; the columns that the user names have to be there, each once.

        Raises
        ------
        ColumnError, UnknownNameError
            If a column is not there, is named twice, or its role is not known.
        """
        taken: dict[str, str] = {}
        for role, name in [*self.columns.items(), *(("systems", name) for name in self.systems or ())]:
            if role not in (*DECLARABLE, "systems", "prediction"):
                raise UnknownNameError("column role", role, DECLARABLE)
            if name not in names:
                near = " or ".join(map(repr, nearest(str(name), names)))
                raise ColumnError(
                    f"there is no column {name!r} for {role}",
                    where="columns found: " + ", ".join(map(repr, names[:20])),
                    remedy=f"did you mean {near}?" if near else "give one of these names",
                )
            if name in taken:
                raise ColumnError(
                    f"the column {name!r} was named twice, as {taken[name]} and as {role}",
                    remedy="name a column of its own for each role",
                )
            taken[name] = role
        return dict(self.columns)


Form = Literal["long", "wide", "board", "battles", "printed", "counts", "predictions", "spread"]

FILES = ("file name", "folder name", "upper folder", "sheet name")
"""Columns that are added where there are several files or sheets: their names, and those of their folders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """What the columns of a table are.

    Parameters
    ----------
    form : str
        "long": a row per score; "wide": a column per system; "board": a row per system and a column per dataset;
        "battles": a row per judged pair; "printed": two scores and
        a p-value per dataset; "counts": counts of which a metric is computed; "predictions": predictions and gold;
        "spread": cells with mean and spread.
    roles : dict of str to str
        Role to column.
    columns : tuple of str
        Columns of systems of the wide form, of datasets of a board.
    metrics : tuple of str
        Metrics that are taken.
    row_order : bool
        Whether instances are rows in their order.
    reasons : dict of str to str
        Column to what it is, and why.
    """

    form: Form
    roles: dict[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    row_order: bool = False
    reasons: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One way to read a table: what the user would add to say so.

    Parameters
    ----------
    when : str
        The meaning, as "vendor names the systems".
    columns, metrics, systems, lower, higher, across_datasets, unpaired
        What is to be said; see `Request`.
    """

    when: str
    columns: Mapping[str, str] = field(default_factory=dict)
    metrics: Sequence[str] = ()
    systems: Sequence[str] = ()
    lower: Sequence[str] = ()
    higher: Sequence[str] = ()
    across_datasets: bool = False
    unpaired: bool = False

    def said(self, request: Request) -> str:
        """Return the meaning, and the complete command, or the arguments of the call in Python."""
        if request.command:
            named = ",".join(f"{role}={name}" for role, name in self.columns.items())
            values = {
                "--columns": [named] if named else [],
                "--metric": self.metrics,
                "--wide-system": self.systems,
                "--lower-is-better": self.lower,
                "--higher-is-better": self.higher,
            }
            options = [part for option, names in values.items() for name in names for part in (option, name)]
            options += ["--across-datasets"] if self.across_datasets else []
            options += ["--pairing", "unpaired"] if self.unpaired else []
            return f"if {self.when}: {shlex.join([*request.command, *options])}"
        directions = dict.fromkeys(self.lower, False) | dict.fromkeys(self.higher, True)
        arguments = {
            "columns": dict(self.columns),
            "metric": self.metrics[0] if len(self.metrics) == 1 else list(self.metrics),
            "wide_systems": list(self.systems),
            "higher_is_better": directions,
            "across_datasets": self.across_datasets,
            "pairing": "unpaired" if self.unpaired else "",
        }
        return f"if {self.when}: " + ", ".join(f"{name}={value!r}" for name, value in arguments.items() if value)


class QuestionError(InputError):
    """More than one reading of a table is possible, or none is.

    Parameters
    ----------
    problem : str
        What is not clear.
    table : Table, optional
        The table, whose columns are shown.
    could : mapping of str to str
        Column to what it could be.
    proposals : sequence of Proposal
        The ways to read it, the most natural one first.
    remedy : str
        What to do where no option settles it.
    """

    def __init__(
        self,
        problem: str,
        request: Request,
        *,
        table: Table | None = None,
        could: Mapping[str, str] | None = None,
        proposals: Sequence[Proposal] = (),
        remedy: str = "",
    ) -> None:
        where = None if table is None else columns_text(table, could or {})
        lines = [one.said(request) for one in proposals]
        super().__init__(problem, where=where, remedy="\n".join([*lines, *([remedy] if remedy else [])]) or None)


def columns_text(table: Table, could: Mapping[str, str]) -> str:
    """Return the table of columns: name, content, what it is or could be."""
    columns = list(table.columns.values())
    shown = columns[:_MOST_COLUMNS]
    names = [re.sub(r"\s+", " ", column.name)[:_LONGEST_NAME] for column in shown]  # a line for each
    width = min(30, max(map(len, names)))
    held = min(30, max(len(column.described) for column in shown))
    lines = [
        f"{name:<{width}}  {column.described:<{held}}  {could.get(column.name, 'not used')}".rstrip()
        for name, column in zip(names, shown, strict=True)
    ]
    more = [f"and {len(columns) - len(shown)} more columns"] if len(columns) > len(shown) else []
    return "\n".join([f"{len(table.frame):,} rows of these columns:", *lines, *more])


def entries(names: Sequence[str]) -> str:
    """Join some names as an entry of a list, and say how many more there are."""
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(map(str, names[:MOST_NAMES])) + more
