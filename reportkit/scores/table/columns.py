"""Which column plays which role: named by the caller, or recognised by its name."""

from __future__ import annotations

import difflib
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from reportkit.errors import ColumnError, UnknownNameError, nearest
from reportkit.metrics.corpus.counted_columns import counted_columns, counts_remedy
from reportkit.scores.choices import (
    LONG_OPTIONAL,
    LONG_REQUIRED,
    PRINTED_OPTIONAL,
    PRINTED_REQUIRED,
    ROLES,
    WIDE_REQUIRED,
    Form,
)

if TYPE_CHECKING:
    import pandas as pd

ALIASES: Mapping[str, tuple[str, ...]] = {
    "system": (
        *("model", "model_name", "model_id", "algorithm", "method", "approach", "classifier", "learner"),
        *("system_name", "system_id", "submission", "participant", "agent", "engine"),
    ),
    "dataset": (
        *("task", "benchmark", "corpus", "test_set", "collection", "dataset_name", "dataset_id", "task_name"),
        *("task_id", "benchmark_name", "corpus_name"),
    ),
    "instance": (
        *("id", "instance_id", "example", "example_id", "item", "item_id", "qid", "query_id", "question_id", "topic"),
        *(
            "topic_id",
            "doc_id",
            "document_id",
            "sentence_id",
            "sent_id",
            "segment",
            "segment_id",
            "seg_id",
            "sample_id",
        ),
        *("prompt_id", "problem_id", "test_case", "uid", "guid"),
    ),
    "score": ("scores", "value", "result", "acc", "accuracy", "correct", "is_correct", "performance"),
    "metric": ("measure", "metric_name", "measure_name"),
    "seed": (
        "run",
        "trial",
        "random_seed",
        "seed_id",
        "run_id",
        "trial_id",
        "repetition",
        "replicate",
        "repeat",
        "epoch",
    ),
    "cluster": (
        *("doc", "document", "dialogue", "dialog", "conversation", "cluster_id", "dialogue_id"),
        *("dialog_id", "conversation_id"),
    ),
    "gold": ("gold_label", "gold_score", "gold_standard"),
    "weight": ("weights", "instance_weight", "sample_weight"),
    "fold": ("fold_id", "cv_fold"),
    "rater": ("rater_id", "annotator", "annotator_id", "judge", "worker", "worker_id"),
    "k": ("n_correct", "num_correct", "correct_count", "successes"),
    "score_a": ("a_score", "score_1"),
    "score_b": ("b_score", "score_2"),
    "p_value": ("p", "p_val", "p_values"),
    "n": ("n_instances", "n_examples", "size"),
    "system_a": ("a_system", "system_1", "model_a"),
    "system_b": ("b_system", "system_2", "model_b"),
}
"""Other names of a role; case, surrounding space, and `-`, `_`, `.` and spaces inside do not count."""

COMMAND_OPTIONS: Mapping[str, str] = {role: f"--{role}-column" for role in (*LONG_REQUIRED, *LONG_OPTIONAL)}
"""Roles that can be named on the command line."""

_NOT_A_SYSTEM = frozenset({"", "index", "unnamed:0", "level0", "rownumber", "row", "rowid"})
_LISTED = 20
_NAMED = 5
"""Systems that a remedy names; more are left to the user."""

_COMPARED = 200
"""Columns among which a misspelling is looked for."""

_LIKENESS = 0.75
"""How much alike two names have to be, from 0 to 1, so that one may be a misspelling of the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What was recognised in the header of a table.

    Parameters
    ----------
    form : {"long", "wide", "printed"}
        One row per score; one row per instance and one column per system; one row per dataset as a paper prints it.
    roles : dict of str to str
        Role to column name, as the table spells it.
    unused : tuple of str
        Columns that play no role, in the order of the table.
    systems : tuple of str
        Wide form: the columns taken as systems, in the order of the table.
    declared : frozenset of str
        Roles that the caller named.
    statistics : dict of str to str
        Counts that corpus metrics sum, to column names; those of metrics of which all are there.
    names : tuple of str
        All columns, in the order of the table; rows may be read without those that play no role.
    """

    form: Form
    roles: dict[str, str] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    declared: frozenset[str] = frozenset()
    statistics: dict[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    @property
    def aliases(self) -> dict[str, str]:
        """Roles that were recognised under another name than their own, and not named by the caller."""
        return {role: name for role, name in self.roles.items() if role not in self.declared and name != role}

    def exclusion(self, names: Sequence[str], systems: Sequence[str]) -> str:
        """How a caller says that columns are no systems, and which are, if enough remain to compare."""
        which = f"{names[0]!r} is" if len(names) == 1 else f"{' and '.join(map(repr, names[:2]))} are"
        if len(systems) < 2:
            return f"if {which} no system, leave it out"
        more = len(systems) > _NAMED
        few = ", ".join(f'"{name}"' for name in systems[:_NAMED]) + (", ..." if more else "")
        typed = " ".join(f"--wide-system {shlex.quote(name)}" for name in systems[:_NAMED]) + (" ..." if more else "")
        return f"if {which} no system, leave it out, or name the systems:\nwide_systems=[{few}] ({typed})"

    @property
    def form_choice(self) -> str:
        """How a caller names a column of this form: `system="..." (--system-column ...)`."""
        return choice_text("dataset" if self.form == "wide" else next(iter(self.roles), "system"), "...")


def recognise_columns(
    table: pd.DataFrame | Sequence[str],
    columns: Mapping[str, str] | None = None,
    *,
    systems: Sequence[str] | None = None,
    without_instances: bool = False,
    metric: str | None = None,
) -> Columns:
    """Find the role of each column and the form of the table.

    A name given by the caller wins over the canonical name of a role, and that over an alias. The form is *long* if
    there is a column of systems or of scores, *printed* if there are two scores and a p-value per dataset, and *wide*
    if there are datasets, instances and at least two further columns of numbers, or of what was meant as numbers, which
    are then the systems.

    Parameters
    ----------
    table : DataFrame or sequence of str
        A frame, or the names of its columns; without the values, any column may be a system of the wide form.
    columns : dict of str to str, optional
        Role to column name: `{"system": "model"}`.
    systems : sequence of str, optional
        Columns that are systems; this makes the form wide.
    without_instances : bool
        Whether there may be no column of instances: one score per system and dataset.
    metric : str, optional
        A metric that was asked for; said in messages if it is to be computed from counts and some are missing.

    Returns
    -------
    Columns

    Raises
    ------
    ColumnError
        If a required role has no column or more than one, if a named column does not exist or is named for two roles,
        or if two columns have the same name.
    UnknownNameError
        If `columns` names a role that does not exist.

    Examples
    --------
    >>> found = recognise_columns(["Model", "task", "qid", "accuracy", "length"])
    >>> found.form, found.roles["instance"], found.unused
    ('long', 'qid', ('length',))
    >>> recognise_columns(["dataset", "id", "bert", "gpt"]).systems
    ('bert', 'gpt')
    >>> recognise_columns(["model", "algorithm", "task", "id", "acc"])
    Traceback (most recent call last):
    reportkit.errors.ColumnError: two columns could be the system: 'model' and 'algorithm'
      where: columns found: 'model', 'algorithm', 'task', 'id', 'acc'
      to do: choose with system="model" or system="algorithm" (--system-column model)
    """
    names = [str(name) for name in getattr(table, "columns", table)]
    refuse_repeated_names(names)
    declared = _declared(names, columns or {}, systems)
    search = _Search(names, declared, systems or (), _index_names(table), metric)
    search.table = table
    search.unneeded = _unneeded(search, without_instances)
    if systems is not None:
        return _wide(search, tuple(systems), given=True)
    long = all(search.has(role) for role in LONG_REQUIRED)
    n_printed = sum(search.has(role) for role in PRINTED_REQUIRED[1:])
    if not long and (n_printed == 3 or (n_printed == 2 and not search.has("instance"))):
        return _finished(search, "printed", PRINTED_REQUIRED, PRINTED_OPTIONAL)
    wide = all(search.has(role) or role in search.unneeded for role in WIDE_REQUIRED)
    if not search.has("system") and not search.has("score") and wide:
        candidates = _system_candidates(table, search)
        if len(candidates) >= 2:
            return _wide(search, candidates, given=False)
    return _finished(search, "long", LONG_REQUIRED, LONG_OPTIONAL)


def _unneeded(search: _Search, without_instances: bool) -> frozenset[str]:
    """Roles without a column that the long form can do without: k of n says the score; runs or folds have one each."""
    if search.statistics and not search.has("score"):
        return frozenset({"score"})
    counts = search.has("k") and search.has("n")
    aggregates = without_instances or counts or (search.has("score") and search.has("n"))
    aggregates = aggregates or search.has("seed") or search.has("fold")  # one score per run, or per fold
    found = {"instance": aggregates, "score": counts}
    return frozenset(role for role, unneeded in found.items() if unneeded and not search.has(role))


def needs_index(names: Sequence[str], index_names: Sequence[str], columns: Mapping[str, str] | None = None) -> bool:
    """Whether the index of a frame holds a column that was named, or one of a required role that no column has.

    Parameters
    ----------
    names : sequence of str
        The columns.
    index_names : sequence of str
        The levels of the index that have a name.
    columns : dict of str to str, optional
        Role to column name, as the caller named them.

    Examples
    --------
    >>> needs_index(["score"], ["system", "dataset", "id"]), needs_index(["task", "id", "bert", "gpt"], ["row"])
    (True, False)
    """
    if {*(columns or {}).values()} & ({*index_names} - {*names}):
        return True
    of_columns, of_index = _by_folded(names), _by_folded(name for name in index_names if name not in names)
    return any(
        _candidates(role, of_index) and not _candidates(role, of_columns) and role not in (columns or {})
        for role in LONG_REQUIRED
    )


def _index_names(table: pd.DataFrame | Sequence[str]) -> list[str]:
    index = getattr(table, "index", None)
    return [str(name) for name in getattr(index, "names", []) if name is not None]


def _system_candidates(table: pd.DataFrame | Sequence[str], search: _Search) -> tuple[str, ...]:
    """Columns that play no other role and, as far as is known, hold numbers, or what was meant as such."""
    free = [name for name in search.names if search.role_of(name) is None and folded(name) not in _NOT_A_SYSTEM]
    if isinstance(table, Sequence):
        return tuple(free)
    from reportkit.scores.table.score_values import score_columns  # a header can be read without pandas

    scores = set(score_columns(table))
    return tuple(name for name in free if name in scores)


def refuse_repeated_names(names: Sequence[str]) -> None:
    """Raise a ColumnError if two columns have the same name; which of them is meant cannot be told."""
    if len(set(names)) == len(names):
        return
    counts = Counter(names)
    name = next(name for name in names if counts[name] > 1)
    places = [str(place) for place, other in enumerate(names, start=1) if other == name]
    more = f" and {len(places) - _LISTED:,} more" if len(places) > _LISTED else ""
    raise ColumnError(
        f"{len(places)} columns are called {name!r}",
        where=f"columns {', '.join(places[:_LISTED])}{more} of {len(names)} (counted from 1)",
        remedy="rename or remove all but one",
    )


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """Fold a column name for comparison: no case, no surrounding space, no `-`, `_`, `.` or space inside.

    Examples
    --------
    >>> folded(" Query-ID ") == folded("query_id") == "queryid"
    True
    """
    return re.sub(r"[-_.\s]+", "", name.strip().casefold())


def choice_text(role: str, name: str) -> str:
    """Say how a caller names a column: `system="model" (--system-column model)`."""
    option = COMMAND_OPTIONS.get(role)
    return f'{role}="{name}"' + (f" ({option} {typed(name)})" if option else "")


def typed(name: str) -> str:
    """A name as it is typed in a command, in quotation marks where it needs them."""
    return name if re.fullmatch(r"[\w.@%+=:,/-]+", name) else repr(name)


def columns_text(names: Sequence[str]) -> str:
    """Column names for a message."""
    listed = ", ".join(map(repr, names[:_LISTED]))
    return f"columns found: {listed or 'none'}" + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")


class _Search:
    """Candidates of each role among the columns that the caller has not claimed."""

    def __init__(
        self,
        names: Sequence[str],
        declared: Mapping[str, str],
        systems: Sequence[str],
        index_names: Sequence[str],
        metric: str | None,
    ) -> None:
        self.names = list(names)
        self.index_names = list(index_names)
        self.declared = dict(declared)
        claimed = {*declared.values(), *systems}
        free = [name for name in names if name not in claimed]
        self.unneeded: frozenset[str] = frozenset()
        self.table: pd.DataFrame | Sequence[str] = ()
        self.candidates = {role: [*found] for role, found in _by_role(tuple(free)).items()}
        for role, name in declared.items():
            self.candidates[role] = [name]
        self.metric = metric
        plain = (
            metric is None and "score" in (*free, *declared) and set(free) <= set(ROLES)
        )  # scores, and nothing to count
        self.statistics = {} if plain else counted_columns(free)
        if self.statistics and "score" not in declared:  # `correct` is a score, but beside `total` it is a count
            counts = set(self.statistics.values())
            self.candidates["score"] = [name for name in self.candidates["score"] if name not in counts]

    def has(self, role: str) -> bool:
        return bool(self.candidates[role])

    def role_of(self, name: str) -> str | None:
        """The role of the long form that a column would play."""
        return next((role for role in (*LONG_REQUIRED, *LONG_OPTIONAL) if name in self.candidates[role]), None)

    def only(self, role: str) -> str | None:
        """The one column of a role, or None."""
        found = self.candidates[role]
        if len(found) <= 1:
            return found[0] if found else None
        if role == "gold":  # plays no part in a comparison of scores: nothing to choose
            return None
        number = "two" if len(found) == 2 else str(len(found))
        choices = " or ".join(f'{role}="{name}"' for name in found)
        option = COMMAND_OPTIONS.get(role)
        command = f" ({option} {found[0]})" if option else ", or rename or remove all but one"
        raise ColumnError(
            f"{number} columns could be the {role}: {' and '.join(map(repr, found))}",
            where=columns_text(self.names),
            remedy=f"choose with {choices}{command}",
        )


def _by_folded(names: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    """Names with their places, by what they are when folded."""
    found: dict[str, list[tuple[int, str]]] = {}
    for place, name in enumerate(names):
        found.setdefault(folded(name), []).append((place, name))
    return found


@lru_cache(maxsize=256)
def _by_role(names: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    """Candidates of each role; the columns of one frame are asked for several times."""
    by_folded = _by_folded(names)
    return {role: _candidates(role, by_folded) for role in ROLES}


def _candidates(role: str, names: Mapping[str, Sequence[tuple[int, str]]]) -> list[str]:
    """Columns with the canonical name of a role; failing that, those with an alias. Names are given by `_by_folded`."""
    canonical, aliases = _spelled(role)
    own = [name for _, name in names.get(canonical, ())]
    if own:
        return [name for name in own if name == role] or own
    return [name for _, name in sorted(entry for alias in aliases & names.keys() for entry in names[alias])]


@cache
def _spelled(role: str) -> tuple[str, frozenset[str]]:
    """The canonical name of a role and its aliases, folded."""
    return folded(role), frozenset(map(folded, ALIASES[role]))


@lru_cache(maxsize=4096)
def role_named(name: str) -> str | None:
    """The role that a column of this name would play, if it were the only one.

    Examples
    --------
    >>> role_named("Query ID"), role_named("length")
    ('instance', None)
    """
    names = _by_folded([name])
    return next((role for role in ROLES if _candidates(role, names)), None)


def _declared(names: Sequence[str], columns: Mapping[str, str], systems: Sequence[str] | None) -> dict[str, str]:
    for role in columns:
        if role not in ROLES:
            raise UnknownNameError("column role", role, ROLES)
    known = frozenset(names)
    for role, name in [*columns.items(), *(("systems", name) for name in systems or ())]:
        if name not in known:
            near = nearest(str(name), names)
            raise ColumnError(
                f"there is no column {name!r} for {role}",
                where=columns_text(names),
                remedy=f"did you mean {' or '.join(map(repr, near))}?" if near else "give one of these names",
            )
    taken: dict[str, str] = {}
    for role, name in [*columns.items(), *(("systems", name) for name in systems or ())]:
        if name in taken:
            raise ColumnError(
                f"the column {name!r} was named twice, as {taken[name]} and as {role}",
                where=columns_text(names),
                remedy="name a column of its own for each role",
            )
        taken[name] = role
    return dict(columns)


def _finished(search: _Search, form: Form, required: Sequence[str], optional: Sequence[str]) -> Columns:
    missing = [role for role in required if not search.has(role) and role not in search.unneeded]
    if missing:
        raise _missing(search, form, missing)
    roles = {role: name for role in (*required, *optional) if (name := search.only(role)) is not None}
    _refuse_foreign(search, form, roles)
    used = set(roles.values())
    return Columns(
        form=form,
        roles=roles,
        unused=tuple(name for name in search.names if name not in used),
        declared=frozenset(search.declared),
        statistics=search.statistics if form == "long" else {},
        names=tuple(search.names),
    )


def _wide(search: _Search, systems: tuple[str, ...], *, given: bool) -> Columns:
    missing = [role for role in WIDE_REQUIRED if not search.has(role) and role not in search.unneeded]
    if missing:
        raise _missing(search, "wide", missing)
    roles = {role: name for role in (*WIDE_REQUIRED, *LONG_OPTIONAL) if (name := search.only(role)) is not None}
    if given:
        _refuse_foreign(search, "wide", roles)
    used = {*roles.values(), *systems}
    return Columns(
        form="wide",
        roles=roles,
        unused=tuple(name for name in search.names if name not in used),
        systems=systems,
        declared=frozenset(search.declared) | ({"system"} if given else frozenset()),
        names=tuple(search.names),
    )


def _refuse_foreign(search: _Search, form: Form, roles: Mapping[str, str]) -> None:
    """A role that the caller named has to exist in the form that the table has."""
    for role, name in search.declared.items():
        if role not in roles:
            raise ColumnError(
                f"{role}={name!r} was given, but the table is in {form} form, which has no {role}",
                where=columns_text(search.names),
                remedy=_FORMS,
            )


_FORMS = (
    "long form has the columns system, dataset, instance, score; wide form dataset, instance and one column per\n"
    "system; a printed table dataset, score_a, score_b, p_value"
)


def _missing(search: _Search, form: Form, missing: Sequence[str]) -> ColumnError:
    roles = missing[0] if len(missing) == 1 else ", ".join(missing[:-1]) + " and " + missing[-1]
    described = {"long": "", "wide": " of the wide form", "printed": " of a printed table"}[form]
    remedies = [_remedy(role, search) for role in missing]
    if form == "long" and "instance" in missing:
        remedies.append(
            "tests need the score of every instance; if only a p-value per dataset is known, give the columns\n"
            "dataset, score_a, score_b, p_value; if the number of right answers is known, the columns k and n; to take "
            "the\nscores of the datasets themselves as the sample: across_datasets=True (--across-datasets)"
        )
    elif form == "long" and list(missing) == ["score"] and (counts := counts_remedy(search.names, search.metric)):
        remedies.append(counts)
    return ColumnError(
        f"no column for {roles}{described}", where=columns_text(search.names), remedy="\n".join(remedies)
    )


def _remedy(role: str, search: _Search) -> str:
    if inside := _candidates(role, _by_folded(search.index_names)):
        return f"the index holds {inside[0]!r}: call df.reset_index() first"
    runs = [name for name in _candidates("seed", _by_folded(search.names)) if name != "seed"]
    if role == "system" and runs:
        return f"if {runs[0]!r} names the system, pass {choice_text('system', runs[0])}"
    near = _near(role, search)
    if len(near) == 1:
        return f"if {near[0]!r} is the {role}, pass {choice_text(role, near[0])}"
    if role == "score" and 0 < len(numbers := _numbers(search)) <= _NAMED:
        which = f"{numbers[0]!r} holds" if len(numbers) == 1 else f"one of {', '.join(map(repr, numbers))} holds"
        return f"if {which} the scores, name it as the metric: metric={numbers[0]!r} (--metric {typed(numbers[0])})"
    recognised = ", ".join([role, *ALIASES[role][:4]])
    return f"the {role} is recognised as {recognised}, ...; or pass {choice_text(role, 'NAME')}"


def _numbers(search: _Search) -> tuple[str, ...]:
    """Columns that play no role and hold numbers, as far as the values are known; none where they may be counts."""
    if isinstance(search.table, Sequence) or counts_remedy(search.names, search.metric):
        return ()
    return _system_candidates(search.table, search)


def _near(role: str, search: _Search) -> list[str]:
    """Columns without a role whose name is much like a name of this one."""
    taken = {name for found in search.candidates.values() for name in found} | set(search.declared.values())
    known = [folded(name) for name in (role, *ALIASES[role]) if len(folded(name)) > 2]
    free = (name for name in search.names if name not in taken)
    return [
        name
        for name in islice(free, _COMPARED)
        if difflib.get_close_matches(folded(name), known, n=1, cutoff=_LIKENESS)
    ]
