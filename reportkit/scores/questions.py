"""Hold what the user says and what was understood of a table; ask one question with the commands that settle it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from reportkit.errors import InputError, UnknownNameError, nearest
from reportkit.scores.choices import ROLES as DECLARABLE
from reportkit.scores.names import CERTAIN, direction_of, ends_with, metric_of, strength
from reportkit.scores.refusals import refusal

if TYPE_CHECKING:
    from reportkit.scores.columns import Evidence, Table

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
    """What the columns of a table are.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One way to read a table: what the user would add to say so.

    Parameters
    ----------
    when : str
        The meaning, as "vendor names the systems".
    columns, metrics, systems, lower, higher, exclude, across_datasets, unpaired
        What is to be said; see `Request`.
    """

    when: str
    columns: Mapping[str, str] = field(default_factory=dict)
    metrics: Sequence[str] = ()
    systems: Sequence[str] = ()
    lower: Sequence[str] = ()
    higher: Sequence[str] = ()
    exclude: Sequence[str] = ()
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
                "--exclude": self.exclude,
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
            "exclude": list(self.exclude),
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


# --- the questions ---------------------------------------------------------------------------------------------------

_NAMES = {
    "system": "names the systems",
    "dataset": "names the datasets",
    "instance": "names the instances",
    "seed": "counts repetitions or runs",
    "rater": "names the annotators",
}


def _names(role: str, name: str, metrics: Sequence[str] = (), **more: str) -> Proposal:
    """Propose that a column has a role, and others have more roles."""
    return Proposal(when=f"{name} {_NAMES[role]}", columns=more | {role: name}, metrics=metrics)


def _ask(of: Evidence, problem: str, *proposals: Proposal, remedy: str = "") -> QuestionError:
    could = {name: of.could(name) for name in of.columns}
    return QuestionError(problem, of.request, table=of.table, could=could, proposals=proposals, remedy=remedy)


def by_metric(columns: Sequence[str]) -> dict[str, list[str]]:
    """Sort columns by the metric that their names say."""
    said = {name: found.name for name in columns if (found := metric_of(name)) is not None}
    return {metric: [name for name in said if said[name] == metric] for metric in sorted(set(said.values()))}


def which_system(of: Evidence, fits: Sequence[Mapping[str, str]]) -> QuestionError:
    """Ask which of several columns names the systems."""
    problem = f"{' or '.join(repr(one['system']) for one in fits[:3])} could name the systems"
    return _ask(of, problem, *(_names("system", one["system"], **one) for one in fits[:3]))


def which_metric(of: Evidence, scores: Sequence[str], system: str, *, means: bool) -> QuestionError:
    """Ask which of several columns is the score; of means, whether the datasets are the sample."""
    known = [name for name in scores if direction_of(name) is not None][:3]
    said = Proposal(
        when="",
        columns={} if system in of.named("system", CERTAIN) else {"system": system},
        across_datasets=means and not of.request.across_datasets,
    )
    whens = [replace(said, when=f"it is {name}", metrics=(name,)) for name in known] or [
        replace(said, when=f"it is {name} and higher is better", metrics=(name,), higher=(name,)) for name in scores[:3]
    ]
    return _ask(of, f"{len(scores)} columns could be the score: {', '.join(map(repr, scores[:8]))}", *whens)


def several_metrics(of: Evidence, groups: Mapping[str, Sequence[str]]) -> QuestionError:
    """Ask which of the metrics is meant that names of columns say."""
    across = not of.request.across_datasets
    whens = [
        Proposal(when=f"it is {one}", metrics=(one,), across_datasets=across)
        for one, columns in groups.items()
        if len(columns) > 1
    ]
    remedy = "or give the scores of one metric"
    return _ask(of, f"the columns hold {len(groups)} metrics: {', '.join(groups)}", *whens, remedy=remedy)


def doubtful_systems(of: Evidence, free: list[str], said: Sequence[str], constant: Sequence[str]) -> QuestionError:
    """Ask which columns of numbers are systems, where their kinds differ or names say metrics."""
    alike = max(([other for other in free if of.alike([name, other])] for name in free), key=len)
    some = [name for name in alike if name not in (*said, *constant)]
    problem = "are these columns systems? Their values are of different kinds"
    if said:
        problem = f"is {said[0]!r} a system? Its name is that of a metric"
    elif constant:
        problem = f"is {constant[0]!r} a system? Its value is the same in all rows"
    whens = []
    if said or constant or len(some) < 2:
        whens.append(Proposal(when="all of them are systems", systems=free))
    if len(some) > 1:
        whens.append(Proposal(when=f"only {' and '.join(some[:4])} are systems", systems=some))
    if of.settings:
        name, one = of.settings[0], (free[0],)
        whens.append(Proposal(when=f"{name} names the systems", columns={"system": name}, metrics=one, higher=one))
    return _ask(of, problem, *whens)


def scores_or_predictions(of: Evidence, gold: str, free: Sequence[str]) -> QuestionError:
    """Ask whether columns of 0 and 1 are scores, or predictions of another column of 0 and 1."""
    return QuestionError(
        f"{gold!r} may be what is right, or only describe the instances: its values and those of "
        f"{' and '.join(map(repr, free[:3]))} are 0 and 1",
        of.request,
        table=of.table,
        could={gold: "gold labels, or a covariate"} | dict.fromkeys(free, "scores, or predictions"),
        proposals=[
            Proposal(when="0 and 1 are wrong and right", systems=free),
            Proposal(when=f"they are predictions of {gold!r}", columns={"gold": gold}),
        ],
    )


def instances_or_datasets(of: Evidence, name: str, systems: Sequence[str]) -> QuestionError:
    """Ask what a column of a few texts names."""
    return _ask(
        of,
        f"what does {name!r} name?",
        Proposal(when="it names the instances", columns={"instance": name}, systems=systems),
        Proposal(when="it names the datasets", columns={"dataset": name}, systems=systems, across_datasets=True),
    )


def repeated_ids(of: Evidence, name: str) -> QuestionError:
    """Say that ids occur several times, and nothing tells their rows apart."""
    remedy = "give each row an id of its own, or a column that tells the rows apart, such as dataset or seed"
    return _ask(of, f"several rows have one {name}", remedy=remedy)


def no_score(of: Evidence, system: str, roles: Mapping[str, str]) -> QuestionError:
    """Ask for the score where no column holds it by its name."""
    if of.table.unique(system) and {*of.metrics} & {*of.scores}:
        remedy = "give the scores of the instances, or the numbers of instances and of right answers, n and k"
        return _ask(of, f"each {system} has one number per metric: there is nothing to test", remedy=remedy)
    numbers = [name for name, one in of.columns.items() if one.kind == "number" and not one.serial]
    numbers = [name for name in numbers if name not in roles.values() and direction_of(name) is not None]
    whens = [Proposal(when=f"it is {name}", metrics=(name,)) for name in numbers[:3]]
    remedy = "" if whens else "give a column of numbers, one score per row, or name it: --metric NAME"
    return _ask(of, "no column holds scores", *whens, remedy=remedy)


def no_datasets(of: Evidence, roles: Mapping[str, str]) -> QuestionError:
    """Ask which column of a printed table names the datasets."""
    whens = [_names("dataset", name) for name in of.names if name not in roles.values()]
    remedy = "" if whens else "give a column dataset that names the dataset of each row"
    return _ask(of, "no column names the datasets of the printed table", *whens[:3], remedy=remedy)


def no_instances(of: Evidence, system: str) -> QuestionError:
    """Ask for ids where no column tells the rows of a system apart."""
    ids = [name for name in of.names if name != system and of.holds("instance", name)]
    for one, other in combinations([name for name in of.settings if name in ids], 2):
        if of.table.unique(system, one, other):
            remedy = f"keep the rows of one {one} or of one {other}, or give a column that names the systems by "
            remedy += f"{system} and {one} together"
            return _ask(of, f"each {system} has several rows, one for each {one} and {other}", remedy=remedy)
    scores = [name for name in of.scores if name not in (*of.named("gold"), *of.named("prediction"))]
    metric = ([name for name in scores if name in of.metrics] or scores)[: len(of.scores) > 1]
    found = [name for name in ids[:2] if of.table.unique(system, name)]
    return _ask(
        of,
        "no column says which rows of two systems belong to the same instance",
        *(
            _names("instance", name, metric, system=system)
            for name in found
            if of.in_common({"system": system, "instance": name})
        ),
        Proposal(when="the systems were scored on different instances", unpaired=True, metrics=metric),
        remedy="or add a column of ids, the same for all systems",
    )


def repeated(of: Evidence, system: str, datasets: Sequence[str]) -> QuestionError | None:
    """Ask what a column is that tells several rows of one system and instance apart: an epoch, a setting."""
    steps = [name for name in of.names if ends_with(name, "steps") and not of.is_constant(name)]
    for instance in of.named("instance"):
        keys = dict(zip(("system", "instance", "dataset"), (system, instance, *datasets), strict=False))
        if len({*keys.values()}) < len(keys) or not of.in_common(keys):
            continue
        counted = (*keys.values(), *of.metrics, *of.counts.values())
        telling = [name for name in of.names if name not in counted and of.table.unique(*keys.values(), name)]
        telling = [name for name in telling if of.columns[name].whole or of.columns[name].kind == "text"]
        telling = [name for name in telling if 1 < of.columns[name].n_values <= 50]
        for name in sorted(telling, key=lambda one: one not in steps)[:1]:
            whens = [_names("seed", name), _names("rater", name)]
            if name in steps:
                whens = whens[: of.columns[name].n_values <= 5]
            elif of.columns[name].kind == "text" and not datasets:
                when = f"{name} names the systems, and {system} the datasets"
                swapped = {"system": name, "dataset": system, "instance": instance}
                whens = [_names("dataset", name, system=system, instance=instance)]
                whens.append(Proposal(when=when, columns=swapped))
            problem = f"each {system} has several rows for one {instance}, one for each {name}"
            return _ask(of, problem, *whens, remedy=f"if one {name} is meant, keep the rows of one {name} alone")
    problem = f"each {system} has several rows, one for each"
    remedy = "if they are steps of one training, keep the rows of one of them, such as the last"
    return _ask(of, f"{problem} {steps[0]}", remedy=remedy) if steps else None


def no_systems(of: Evidence, could_pair: Callable[[str], bool]) -> QuestionError:
    """Ask which column names the systems; for each candidate, say whether instances pair."""
    predicted, problem, also, rest = of.named("prediction", CERTAIN), "no column names the systems", ",", list[str]()
    metrics = [name for name in of.scores if name in of.metrics]
    metrics += [name for name in of.scores if name not in metrics and direction_of(name) is not None]
    if predicted and of.named("gold", CERTAIN):
        remedy = "give the file of the other system as well, or a column that names the systems"
        problem = f"{predicted[0]!r} holds the predictions of one system, and nothing names a second one"
        return _ask(of, problem, remedy=remedy)
    if not of.scores:
        return _ask(of, "no column names systems, and none holds scores", remedy="give the scores of two systems")
    other = ("dataset", "instance", "metric", "gold", "prediction")
    texts = [name for name in of.settings if not any(strength(name, role) == CERTAIN for role in other)]
    if metrics:
        are = "is a metric" if len(metrics) == 1 else "are metrics"
        problem = f"{', '.join(metrics[:4])} {are} of one system, and nothing names a second one"
        also = f", and --metric {metrics[0]};" if of.request.command else f", and metric={metrics[0]!r};"
        texts = [name for name in texts if could_pair(name)][:3]
        rest = [name for name in of.scores if direction_of(name) is None]
    whens = [_names("system", name, metrics[:1]) for name in texts]
    if len(rest) > 1 and of.alike(rest):
        whens.append(Proposal(when="the other columns of numbers are systems", systems=rest))
    remedy = f"give the file of the other system as well{also} or a column that names the systems"
    return _ask(of, problem, *whens, remedy=remedy)
