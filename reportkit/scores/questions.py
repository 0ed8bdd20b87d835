"""Hold what the user says and what was understood of a table; ask one question with the commands that settle it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from reportkit.errors import InputError, UnknownNameError, nearest
from reportkit.scores.choices import ROLES as DECLARABLE
from reportkit.scores.choices import Missing
from reportkit.scores.names import CERTAIN, direction_of, metric_of, strength
from reportkit.scores.refusals import refusal

if TYPE_CHECKING:
    from reportkit.scores.columns import Evidence, Table

_MOST_COLUMNS = 40
_LONGEST_NAME = 80
_FEW, _FEW_IDS = 50, 10
_MOST_TRIED = 12
MOST_NAMES = 8
"""Names of one kind that are listed in a line."""


def _silent(done: int, total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The user's statements about the results.

    Parameters
    ----------
    metrics : tuple of str
        Metrics to take.
    columns : mapping of str to str
        Role to column name.
    systems : tuple of str, optional
        Columns that hold systems.
    filter : str, optional
        Which of several readings of one answer.
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
    missing : {"error", "drop", "worst"}
        Whether a row may be without a score, and an instance without one of a system.
    command : tuple of str
        The command as it was typed; empty in Python.
    progress : callable
        Called with (files read, files in all).
    trial : bool
        Whether a proposal is tried, so that nothing is proposed in turn.
    """

    metrics: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] | None = None
    filter: str | None = None
    exclude: tuple[str, ...] = ()
    directions: Mapping[str, bool] = field(default_factory=dict)
    one_direction: bool | None = None
    across_datasets: bool = False
    unpaired: bool = False
    missing: Missing = "error"
    command: tuple[str, ...] = ()
    progress: Callable[[int, int], None] = _silent
    trial: bool = False

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
                remedy = f"did you mean {near}?" if near else "give one of these names"
                found = ", ".join(map(repr, names[:20]))
                raise refusal("no-such-column", name=name, role=role, found=found, remedy=remedy)
            if name in taken:
                raise refusal("column-named-twice", name=name, first=taken[name], second=role)
            taken[name] = role
        return dict(self.columns)


Form = Literal["long", "wide", "board", "battles", "printed", "counts", "predictions", "spread"]

FILES = ("file name", "folder name", "upper folder")
"""Columns that are added where there are several files: their names, and those of their folders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The roles of the columns of a table.

    Parameters
    ----------
    form : str
        "long": a row per score; "wide": a column per system; "board": a row per system and a column per dataset;
        "battles": a row per judged pair; "printed": two scores and
        a p-value per dataset; "counts": counts that a metric is computed from; "predictions": predictions and gold;
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


_OPTIONS = {
    "columns": ("columns", "--columns"),
    "metrics": ("metric", "--metric"),
    "systems": ("wide_systems", "--wide-system"),
    "directions": ("higher_is_better", "--higher-is-better"),
    "exclude": ("exclude", "--exclude"),
    "across_datasets": ("across_datasets", "--across-datasets"),
    "unpaired": ("pairing", "--pairing"),
    "missing": ("missing", "--missing"),
}
"""Names of what is proposed: of arguments in Python, of options of the command."""


class Proposal:
    """One way to read a table: what the user would add to say so.

    Parameters
    ----------
    when : str
        The meaning, as "vendor names the systems".
    more : object
        Options, by their names in `Request`.
    """

    def __init__(self, when: str, **more: Any) -> None:
        self.when, self.more = when, {name: more[name] for name in _OPTIONS if more.get(name)}

    def also(self, **more: Any) -> Proposal:
        """Return the proposal with further options."""
        return Proposal(self.when, **(more | self.more))

    def added(self, request: Request) -> Request:
        """Return the request with what is proposed, to be tried."""
        more = self.more | {"columns": {**request.columns, **self.more.get("columns", {})}}
        return replace(request, **more, trial=True)

    def said(self, request: Request) -> str:
        """Return the meaning, and the complete command, or the arguments of the call in Python."""
        words, arguments = list(request.command), []
        for name, more in self.more.items():
            argument, option = _OPTIONS[name]
            value: Any = "unpaired" if name == "unpaired" else more
            several = value if isinstance(value, tuple) else [value]
            if name == "columns":
                words += [option, ",".join(f"{role}={column}" for role, column in value.items())]
            elif name == "directions":
                pairs = [(option if higher else "--lower-is-better", metric) for metric, higher in value.items()]
                words += [word for pair in pairs for word in pair]
            elif value is True:
                words.append(option)
            elif name != "missing" or request.command[1:2] != ("inspect",):  # a command that reads and does not compare
                words += [word for one in several for word in (option, one)]
            if isinstance(value, tuple):
                value = value[0] if name == "metrics" and len(value) == 1 else list(value)
            arguments.append(f"{argument}={value!r}")
        what = " (on what all systems have)" if "missing" in self.more else ""
        return f"if {self.when}{what}: " + (shlex.join(words) if request.command else ", ".join(arguments))


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
    more : sequence of mapping
        What a proposal may need besides, the least first.
    otherwise : str
        What to do where no proposal works.
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
        more: Sequence[Mapping[str, Any]] = ({},),
        otherwise: str = "",
    ) -> None:
        self._ways = proposals, more, remedy, remedy or otherwise
        self._again, self._request = partial(QuestionError, problem, request, table=table, could=could), request
        where = None if table is None else columns_text(table, could or {})
        lines = [*(one.said(request) for one in proposals), *([remedy] if remedy else [])]
        super().__init__(problem, where=where, remedy="\n".join(lines) or None)

    def tried(self, works: Callable[[Request], bool]) -> QuestionError:
        """Return the question with the first proposals that work; with all, if none works and nothing else helps."""
        proposals, more, remedy, otherwise = self._ways
        ways = [[one.also(**other) for other in more] for one in proposals[:_MOST_TRIED]]
        kept = (next((way for way in some if works(way.added(self._request))), None) for some in ways)
        if found := list(islice(filter(None, kept), 3)):
            return self._again(proposals=found, remedy=remedy)
        return self._again(proposals=[] if otherwise else proposals, remedy=otherwise)


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


# --- the questions ---------------------------------------------------------------------------------------------------

_NAMES = {
    "system": "names the systems",
    "dataset": "names the datasets",
    "instance": "names the instances",
    "seed": "counts repetitions or runs",
}


def it_is(scores: Sequence[str]) -> list[Proposal]:
    """Propose that one of some columns or metrics is meant; where no direction is known, higher is better."""
    known = [name for name in scores if direction_of(name) is not None][:3]
    return [Proposal(f"it is {name}", metrics=(name,)) for name in known] or [
        Proposal(f"it is {name} and higher is better", metrics=(name,), directions={name: True}) for name in scores[:3]
    ]


def by_metric(columns: Sequence[str]) -> dict[str, list[str]]:
    """Sort columns by the metric that their names say."""
    said = {name: found.name for name in columns if (found := metric_of(name)) is not None}
    return {metric: [name for name in said if said[name] == metric] for metric in sorted(set(said.values()))}


def role_is(of: Evidence, role: str, among: Sequence[str] | None = None) -> list[Proposal]:
    """Propose each column, or each of some, that could have a role: one of numbers for runs, else one of texts."""
    other = (*of.metrics, *of.given.values(), *of.named("gold", CERTAIN), *of.counts.values(), *of.sizes)
    kind = "number" if role == "seed" else "text"
    found = [n for n in of.names if among is None or n in among]
    found = [n for n in found if of.holds(role, n) and n not in other and not of.is_constant(n)]
    if role == "instance":
        found = [n for n in found if of.columns[n].n_values >= _FEW_IDS]
    else:
        found = [n for n in found if of.columns[n].kind == kind and of.columns[n].n_values <= _FEW]
        found = [n for n in found if kind == "text" or of.columns[n].whole]
    found = [name for name in found if not any(strength(name, one) == CERTAIN for one in _NAMES if one != role)]
    return [Proposal(f"{name} {_NAMES[role]}", columns={role: name}) for name in found]
