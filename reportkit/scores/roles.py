"""Decide what each column of a table is, once and positively: from its name, its values, and how columns cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from reportkit.errors import ColumnError, UnknownNameError, nearest
from reportkit.scores.choices import ROLES as DECLARABLE
from reportkit.scores.column_facts import Table
from reportkit.scores.names import (
    CERTAIN,
    POSSIBLE,
    direction_of,
    folded,
    is_average,
    is_covariate,
    is_spread,
    listed_in,
    metric_of,
    order_of,
    strength,
    words,
)
from reportkit.scores.understanding import Proposal, QuestionError, Request

Form = Literal["long", "wide", "board", "battles", "printed", "counts", "predictions", "spread"]

FILES = ("file name", "folder name", "upper folder", "sheet name")
"""Columns that are added where there are several files or sheets: their names, and those of their folders."""

GENERIC = frozenset({"score", "scores", "value", "values", "result", "results", "points", "mark", "performance"})
"""Names of columns of scores that say nothing of the metric."""

_MANY = 300_000
_STEPS = (
    ("epoch",),
    ("step",),
    ("iteration",),
    ("timestep",),
    ("timesteps",),
    ("steps",),
    ("checkpoint",),
    ("epochs",),
)
"""Last words of columns that number steps of a training."""
_PARTS = (("turn",), ("part",), ("aspect",), ("criterion",), ("subquestion",))
"""Last words of columns that number the parts of an instance, which is then a cluster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """What the columns of a table are.

    Parameters
    ----------
    form : str
        "long": a row per score; "wide": a column per system; "board": a row per system and a column per dataset;
        "battles": a row per judged pair; "printed": two scores and a p-value per dataset; "counts": counts of which a
        metric is computed; "predictions": predictions and gold; "spread": cells with mean and spread.
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
class _Keys:
    """Columns that tell the rows of one system apart."""

    dataset: str | None = None
    instance: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    row_order: bool = False

    def roles(self) -> dict[str, str]:
        found = {"dataset": self.dataset, "instance": self.instance}
        return {role: name for role, name in found.items() if name is not None} | dict(self.extra)


def decide(table: Table, request: Request) -> Roles:
    """Decide what each column is.

    Raises
    ------
    QuestionError
        If more than one reading is possible, or none.
    ColumnError
        If a column that the user names is not there.
    """
    return _Decision(table, request).roles()


class _Decision:
    """The columns of one table, and what is asked of them."""

    def __init__(self, table: Table, request: Request) -> None:
        self.table, self.request = table, request
        self.names = [name for name in table.columns if table.columns[name].kind != "empty"]
        self.given = _checked(request.columns, request.systems, list(table.columns))

    # --- what a column could be -------------------------------------------------------------------------------------

    @cached_property
    def scores(self) -> list[str]:
        """Columns that could hold scores, and have no other role."""
        taken = set(self.given.values()) - {self.given.get("score")}
        asked = [name for name in self.request.metrics if name in self.table.columns]
        found = [name for name in self.names if name not in taken and name not in FILES and self.table.is_number(name)]
        return list(dict.fromkeys([*found, *asked]))

    def named(self, role: str, at_least: int = POSSIBLE) -> list[str]:
        """Columns whose name speaks for a role, the strongest first; the one that the user names, if there is one."""
        if role in self.given:
            return [self.given[role]]
        taken = {*self.given.values(), *(self.request.systems or ()), *self.request.metrics}
        found = [(strength(name, role), name) for name in self.names if name not in taken]
        kept = [(force, name) for force, name in found if force >= at_least]
        return [name for _, name in sorted(kept, key=lambda one: (-one[0], order_of(one[1], role)))]

    def is_key(self, name: str) -> bool:
        """Whether a column could name something: texts, or whole numbers that are no scores."""
        column = self.table.columns[name]
        if column.kind in ("text", "time"):
            return True
        if is_covariate(name) and strength(name, "instance") == 0:
            return False
        return column.numeric and column.whole and name not in self._metric_names

    @cached_property
    def _metric_names(self) -> set[str]:
        return {name for name in self.names if (found := metric_of(name)) is not None and not found.rest}

    # --- the form ---------------------------------------------------------------------------------------------------

    def roles(self) -> Roles:
        for form in (self._battles, self._printed, self._wide_given, self._long, self._wide, self._board_of_names):
            found = form()
            if found is not None:
                return self._explained(found)
        raise self._nothing()

    def _battles(self) -> Roles | None:
        if "system" in self.given or self.request.systems:
            return None
        pair = [next((n for n in self.names if listed_in(n, "battle", side)), None) for side in ("a", "b")]
        verdicts = [name for name in self.names if listed_in(name, "battle", "verdict") or name.startswith("winner")]
        if None in pair or not verdicts or any(strength(name, "system") == CERTAIN for name in self.names):
            return None
        first, second = (str(name) for name in pair)
        if not all(self.table.columns[name].kind == "text" for name in (first, second)):
            return None
        roles = {"system_a": first, "system_b": second, "winner": verdicts[0]}
        free = [name for name in self.names if name not in roles.values()]
        instance = [n for n in self.named("instance") if n in free and self.is_key(n)]
        if instance:
            roles["instance"] = instance[0]
        dataset = [n for n in self.named("dataset", CERTAIN) if n in free and n != roles.get("instance")]
        if dataset:
            roles["dataset"] = dataset[0]
        return Roles(form="battles", roles=roles, metrics=("win rate",))

    def _printed(self) -> Roles | None:
        spelled = {"score_a": ("scorea", "ascore", "score1"), "score_b": ("scoreb", "bscore", "score2")}
        spelled["p_value"] = ("pvalue", "p", "pval", "pvalues")
        found = {r: next((n for n in self.names if folded(n) in names), None) for r, names in spelled.items()}
        found = {role: self.given.get(role, name) for role, name in found.items()}
        if None in found.values() or "system" in self.given:
            return None
        datasets = self.named("dataset")
        roles = {role: str(name) for role, name in found.items()} | ({"dataset": datasets[0]} if datasets else {})
        for role, names in {"system_a": "a", "system_b": "b"}.items():
            side = [n for n in self.names if listed_in(n, "battle", names) and n not in roles.values()]
            roles |= {role: side[0]} if side else {}
        size = [name for name in self.names if listed_in(name, "counts", "n")]
        return Roles(form="printed", roles=roles | ({"n": size[0]} if size else {}))

    def _wide_given(self) -> Roles | None:
        return None if self.request.systems is None else self._of_wide(list(self.request.systems))

    # --- long: a row per score --------------------------------------------------------------------------------------

    def _long(self) -> Roles | None:
        systems = self._systems()
        if not systems:
            return None
        fits = [(name, keys) for name in systems if (keys := self.keys(name)) is not None]
        if len(fits) > 1 and "system" not in self.given:
            fits = self._likelier(fits)
        certain = [one for one in fits if one[0] in self.given.values() or strength(one[0], "system") == CERTAIN]
        fits = certain or fits
        if not fits:
            return self._unkeyed(systems)
        alike = [one for one in fits if self.table.n_cells(fits[0][0], one[0]) == self.table.n_cells(one[0])]
        same = [one for one in alike if self.table.n_cells(fits[0][0], one[0]) == self.table.n_cells(fits[0][0])]
        if len(fits) > len(same) and fits[0][0] not in self.given.values():
            whole = [one for one in fits if folded(one[0]) == "system"]
            if len(whole) != 1:
                raise self._which_system(fits)
            fits = whole
        system, keys = fits[0]
        return self._measured(system, keys)

    def _likelier(self, fits: list[tuple[str, _Keys]]) -> list[tuple[str, _Keys]]:
        """The readings under which instances have scores of all systems, and instances have a name that says so."""
        named = [one for one in fits if one[1].instance is None or strength(one[1].instance, "instance")]
        fits = named or fits

        def coverage(system: str, keys: _Keys) -> float:
            cells = [name for name in (keys.dataset, keys.instance) if name is not None]
            return len(self.table.frame) / (self.table.n_cells(*cells) * self.table.n_cells(system)) if cells else 1.0

        shares = [coverage(*one) for one in fits]
        full = [one for one, share in zip(fits, shares, strict=True) if share > 0.995]
        return full if full and all(share > 0.995 or share < 0.97 for share in shares) else fits

    def _systems(self) -> list[str]:
        """Columns that could name the systems, the likeliest first."""
        if "system" in self.given:
            return [self.given["system"]]
        columns = self.table.columns
        several = [name for name in self.names if name in FILES and columns[name].n_values > 1]
        certain = [n for n in self.named("system", CERTAIN) if columns[n].n_values > 1 and self._names_systems(n)]
        if certain:
            return certain
        lone = [n for n in self.named("system", CERTAIN) if columns[n].n_values == 1 and columns[n].kind == "text"]
        possible = [
            name
            for name in self.named("system", POSSIBLE)
            if name not in FILES
            and columns[name].n_values > 1
            and self._names_systems(name)
            and not self._is_other(name)
            and not any(name != one and self.table.within(one, [name]) for one in self.named("instance", CERTAIN))
        ]
        if possible or several:
            return list(dict.fromkeys([*possible, *several]))
        ids = [name for name in self.named("instance", CERTAIN) if self.is_key(name)]
        free = [
            name
            for name in self.names
            if columns[name].kind == "text"
            and not self._is_other(name)
            and not any(name != one and self.table.within(one, [name]) for one in ids)
            and not any(strength(name, role) for role in ("dataset", "instance", "gold", "prediction", "metric"))
            and 1 < columns[name].n_values <= max(2, len(self.table.frame) // 3)
        ]
        return [*free, *lone]

    def _names_systems(self, name: str) -> bool:
        column = self.table.columns[name]
        return column.kind == "text" or (column.whole and not column.serial and column.n_values <= 50)

    def _is_other(self, name: str) -> bool:
        """Whether the name says certainly that a column has another role."""
        return any(
            strength(name, role) == CERTAIN
            for role in ("dataset", "instance", "metric", "fold", "rater", "gold", "prediction")
        )

    def keys(self, system: str) -> _Keys | None:
        """Find the columns of datasets and instances under which each system has one score; None if there are none."""
        table = self.table
        metric = [name for name in self._metric_column() if name != system]
        free = [n for n in self.names if n != system and n not in metric and table.columns[n].n_values > 0]
        numbers = set(self.scores) - set(self.given.values())
        datasets = [name for name in self.named("dataset") if name in free and self._may_be_dataset(name)]
        if (
            len(table.frame) > _MANY
            and datasets
            and folded(datasets[0]) == "dataset"
            and (found := [n for n in self.named("instance", CERTAIN) if n in free])
        ):
            seeds = [n for n in self.named("seed", CERTAIN) if n in free][:1]
            return _Keys(dataset=datasets[0], instance=found[0], extra=tuple(("seed", name) for name in seeds))
        datasets += [name for name in FILES if name in free and name != system and name not in datasets]
        instances = [
            name
            for name in dict.fromkeys([*self.named("instance"), *self._by_elimination(free)])
            if name in free and name not in numbers and name != self.given.get("dataset") and self.is_key(name)
        ]
        if "instance" in self.given:
            instances = [self.given["instance"]]
        for instance in instances:
            if "instance" not in self.given and (
                (table.columns[instance].n_values < 3 and strength(instance, "instance") < CERTAIN)
                or self._is_dataset_id(instance, datasets)
            ):
                continue
            found = self._with_instance(system, instance, [name for name in datasets if name != instance], metric)
            if found is not None:
                return found
        sure = [n for n in instances if strength(n, "instance") == CERTAIN]
        of = [n for n in datasets if strength(n, "dataset") == CERTAIN]
        if sure and of and (extra := self._extra([system, of[0], sure[0], *metric])) is not None:
            return _Keys(dataset=of[0], instance=sure[0], extra=extra)  # nothing in common, which is said later
        return None if "instance" in self.given else self._without_instance(system, datasets, metric)

    def _is_dataset_id(self, name: str, datasets: Sequence[str]) -> bool:
        """Whether a column of ids says the same as a column of datasets."""
        others = [other for other in datasets if other != name and other not in FILES]
        n_values = self.table.columns[name].n_values
        return any(self.table.n_cells(name, other) == n_values == self.table.n_cells(other) for other in others)

    def _may_be_dataset(self, name: str) -> bool:
        column = self.table.columns[name]
        return column.kind in ("text", "flag") or (column.numeric and column.whole and name not in self.scores)

    def _by_elimination(self, free: Sequence[str]) -> list[str]:
        """Columns that no name says anything of, and that could be ids: texts, and running numbers."""
        roles = ("system", "dataset", "seed", "fold", "rater", "prediction", "metric")
        return [
            name
            for name in free
            if (self.table.columns[name].kind == "text" or self.table.columns[name].serial)
            and not any(strength(name, role) for role in roles)
            and not is_covariate(name)
            and name not in FILES
        ]

    def _with_instance(self, system: str, instance: str, datasets: list[str], metric: list[str]) -> _Keys | None:
        """Keys with a column of instances, where most instances have scores of most systems."""
        table = self.table
        n_systems = table.n_cells(system)
        chosen = self._dataset(system, instance, datasets, metric)
        for dataset in chosen:
            given = [] if dataset is None else [dataset]
            if "instance" not in self.given and n_systems > 1 and table.share(instance, system, *given) < 1.3:
                continue
            extra = self._extra([system, *given, instance, *metric])
            folds = any(role in ("fold", "seed") for role, _ in extra or ())
            if extra is not None and not (folds and dataset is None and strength(instance, "dataset")):
                return _Keys(dataset=dataset, instance=instance, extra=extra)
        return None

    def _dataset(self, system: str, instance: str, datasets: list[str], metric: list[str]) -> list[str | None]:
        """Columns of datasets to try, the best first; None stands for one dataset."""
        table = self.table
        if "dataset" in self.given:
            return [self.given["dataset"]]
        certain = [name for name in datasets if strength(name, "dataset") == CERTAIN]
        varied = [name for name in certain if table.columns[name].n_values > 1]
        if certain:
            return [
                *varied,
                *(name for name in certain if name not in varied),
                *(n for n in datasets if n not in certain),
            ]
        n_instances = table.n_cells(instance)
        nested = [
            name
            for name in datasets
            if name not in FILES
            and 1 < table.columns[name].n_values <= table.n_cells(name, instance) / 3
            and not self._follows(name, system)
        ]
        if table.unique(system, instance, *metric) or self._extra([system, instance, *metric]) is not None:
            files = [
                n for n in datasets if n in FILES and table.columns[n].n_values > 1 and not self._follows(n, system)
            ]
            nested = [n for n in [*nested, *files] if table.within(instance, [n]) and not self._is_split(n)]
            alone = [n for n in datasets if n not in FILES and table.columns[n].n_values == 1 and n not in nested]
            alone = [n for n in alone if strength(n, "dataset") and folded(n) in ("task", "taskname", "benchmark")]
            return [*nested[:1], *alone[:1], None] if n_instances else [None]
        files = [name for name in datasets if name in FILES and not self._follows(name, system)]
        return [*nested, *files, None]

    def _is_split(self, name: str) -> bool:
        return folded(name) == "split" and self.table.columns[name].n_values < 2

    def _follows(self, name: str, system: str) -> bool:
        """Whether each value of a column occurs with one system only."""
        return self.table.within(name, [system])

    def _extra(self, cells: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
        """Seeds, folds or raters that are needed so that no row occurs twice; None if rows are left twice."""
        table = self.table
        if table.unique(*cells):
            return ()
        for role in ("fold", "seed", "rater"):
            for name in self.named(role):
                if name not in cells and table.columns[name].n_values > 1 and table.unique(*cells, name):
                    return ((role, name),)
        for name in self.names:
            if words(name)[-1:] in _PARTS and name not in cells and table.unique(*cells, name):
                return (("part", name),)
        both = [(role, names[0]) for role in ("seed", "rater") if (names := self.named(role, CERTAIN))]
        if len(both) == 2 and table.unique(*cells, *(name for _, name in both)):
            return tuple(both)
        if not table.frame.duplicated().any():
            return None
        distinct = table.frame.drop_duplicates()
        return self._same_rows(Table(distinct), cells)

    def _same_rows(self, table: Table, cells: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
        """Rows that are written twice are no other scores."""
        return () if table.unique(*cells) else None

    def _without_instance(self, system: str, datasets: list[str], metric: list[str]) -> _Keys | None:
        """Keys of one score per system and dataset, run or fold; or rows in an order that another column proves."""
        table = self.table
        named = [name for name in datasets if table.columns[name].n_values > 1 and not self._follows(name, system)]
        lone = [name for name in datasets if table.columns[name].n_values == 1 and name not in FILES]
        for dataset in [*named, *lone[:1], None]:
            cells = [system, *([] if dataset is None else [dataset]), *metric]
            extra = self._extra(cells)
            if extra is not None and (dataset is not None or extra or self._counts()):
                return _Keys(dataset=dataset, extra=extra)
        for dataset in [*named, *lone[:1], None]:
            if self._same_order([system, *([] if dataset is None else [dataset])]):
                return _Keys(dataset=dataset, row_order=True)
        return None

    def _same_order(self, groups: list[str]) -> bool:
        """Whether a column of texts is the same, row by row, for all systems."""
        frame, system = self.table.frame, groups[0]
        sizes = frame.groupby(groups, observed=True, sort=False).size()
        if len(sizes) < 2 or sizes.min() < 3:
            return False
        place = frame.groupby(groups, observed=True, sort=False).cumcount()
        keys = [*(frame[name] for name in groups[1:]), place]
        for name in self.names:
            column = self.table.columns[name]
            if name in groups or column.kind != "text" or strength(name, "prediction") or name in FILES:
                continue
            if column.n_values < max(3, sizes.max() / 2):
                continue
            together = frame[name].astype(str).groupby(keys, observed=True)
            if together.nunique().max() == 1 and together.size().min() == frame[system].nunique():
                return True
        return False

    # --- what is measured -------------------------------------------------------------------------------------------

    def _metric_column(self) -> list[str]:
        if "metric" in self.given:
            return [self.given["metric"]]
        columns = self.table.columns
        certain = [n for n in self.named("metric", CERTAIN) if columns[n].kind == "text"]
        return certain[:1]

    def _counts(self) -> dict[str, str]:
        """Columns of counts by what they count; k and n, or tp with pred and gold, or tp, fp and fn."""
        free = [n for n in self.names if self.table.columns[n].numeric and self.table.columns[n].whole]
        if "k" in self.given or "n" in self.given:
            return {role: self.given[role] for role in ("k", "n") if role in self.given}

        def of(*kinds: str) -> dict[str, str] | None:
            found: dict[str, str] = {}
            for kind in kinds:
                names = [n for n in free if listed_in(n, "counts", kind) and n not in found.values()]
                if not names:
                    return None
                found[kind] = names[0]
            return found

        for kinds in (("tp", "fp", "fn"), ("tp", "predicted", "gold"), ("k", "n")):
            found = of(*kinds)
            if found is not None:
                return found
        return {}

    def _measured(self, system: str, keys: _Keys) -> Roles:
        """The long form with its scores: a column of scores, predictions with gold, or counts."""
        roles = {"system": system, **keys.roles()}
        used = set(roles.values())
        metric = [name for name in self._metric_column() if name != system]
        roles |= {"metric": metric[0]} if metric else {}
        for role in ("cluster", "weight", "gold", "fold", "rater", "seed"):
            certain = [n for n in self.named(role, CERTAIN) if n not in used and n not in metric]
            if role in self.given or (role in ("cluster", "weight") and certain and self._fits(role, certain[0], keys)):
                roles[role] = certain[0]
            elif role in ("seed", "fold", "rater") and certain and role not in roles:
                few = 1 < self.table.columns[certain[0]].n_values <= len(self.table.frame) / 3
                roles |= {role: certain[0]} if few else {}
        if "fold" in roles and "seed" not in roles:
            cells = [roles[role] for role in ("system", "dataset", "fold") if role in roles]
            again = [n for n in self.named("seed") if n not in roles.values() and self.table.unique(*cells, n)]
            roles |= {"seed": again[0]} if again and not self.table.unique(*cells) else {}
        gold = [n for n in self.named("gold", CERTAIN) if n not in roles.values() and self.table.columns[n].numeric]
        if gold and keys.instance is not None and not self.named("prediction", CERTAIN):
            roles |= {"gold": gold[0]}
        base = Roles(form="long", roles=roles, row_order=keys.row_order)
        spread = [name for name in self.names if self.table.columns[name].kind == "spread"]
        scores = [name for name in self.scores if name not in (*roles.values(), *spread) or name == roles.get("score")]
        counts = self._counts()
        computed = [m for m in self.request.metrics if m not in self.table.columns]
        given_metrics = tuple(name for name in self.request.metrics if name in self.table.columns)
        if set(given_metrics) & set(spread) or roles.get("score") in spread:
            name = given_metrics[0] if given_metrics else roles["score"]
            return replace(base, form="spread", roles=roles | {"score": name}, metrics=(name,))
        if given_metrics:
            return replace(base, metrics=given_metrics)
        if "score" in self.given:
            return replace(base, roles=roles | {"score": self.given["score"]}, metrics=(self.given["score"],))
        if metric and (value := self._value_column(scores)):
            return replace(base, roles=roles | {"score": value}, metrics=tuple(computed))
        if {"tp", "gold"} <= counts.keys() or {"tp", "fn"} <= counts.keys():
            return replace(base, form="counts", roles=roles | counts, metrics=tuple(computed))
        if self.statistics:
            return replace(base, form="counts", metrics=tuple(computed))
        if counts.keys() == {"k", "n"} and keys.instance is None:
            return replace(base, roles=roles | counts)
        whole = [name for name in scores if folded(name) in ("score", "scores")]
        if predicted := self._predicted(roles, scores, bool(computed)):
            return replace(base, form="predictions", roles=roles | predicted, metrics=tuple(computed))
        if spread and not scores:
            return replace(base, form="spread", roles=roles | {"score": spread[0]}, metrics=(spread[0],))
        if whole:
            scores = whole[:1]
        known = [name for name in scores if name in self._metric_names and not is_average(name)]
        generic = [name for name in known if folded(name) in GENERIC or name == "value"]
        scores = generic if len(generic) == 1 and len(known) == 1 else known or scores
        sizes = [n for n in self.names if listed_in(n, "counts", "n") and self.table.columns[n].low >= 1]
        if sizes and keys.instance is None and not keys.extra and self.table.columns[sizes[0]].whole:
            roles = roles | {"n": sizes[0]}
        if len(scores) == 1:
            return replace(base, roles=roles | {"score": scores[0]}, metrics=(scores[0],))
        if not scores:
            raise self._no_score(system, keys)
        if keys.instance is None and not keys.row_order and not keys.extra and len(scores) > 1 and keys.dataset is None:
            raise self._no_score(system, keys)
        raise self._which_metric(scores, roles)

    @cached_property
    def statistics(self) -> bool:
        """Whether columns hold the counts of a metric of a corpus under their own names."""
        from reportkit.metrics.corpus.counted_columns import counted_columns

        return bool(counted_columns(self.names))

    def _fits(self, role: str, name: str, keys: _Keys) -> bool:
        """Whether a column is the same for all systems on an instance, as clusters and weights are."""
        if keys.instance is None or name in keys.roles().values():
            return False
        cells = [keys.instance, *([keys.dataset] if keys.dataset else [])]
        same = self.table.n_cells(*cells, name) == self.table.n_cells(*cells)
        return same and (role == "weight" or self.table.n_cells(name) < self.table.n_cells(*cells))

    def _value_column(self, scores: Sequence[str]) -> str | None:
        named = [name for name in scores if folded(name) in GENERIC or folded(name) in ("metricvalue", "metricscore")]
        found = named[:1] or (list(scores) if len(scores) == 1 else [])
        return found[0] if found else None

    def _predicted(self, roles: Mapping[str, str], scores: Sequence[str], asked: bool) -> dict[str, str]:
        """Columns of predictions and gold, where nothing else is a score."""
        gold = [name for name in self.named("gold") if name not in roles.values()]
        predicted = [n for n in self.named("prediction") if n not in roles.values() and n not in gold[:1]]
        if "prediction" in self.given:
            predicted = [self.given["prediction"]]
        if not gold or not predicted:
            return {}
        real = [name for name in scores if name not in (*gold, *predicted)]
        known = [name for name in real if name in self._metric_names]
        if (known or len(real) == 1) and not asked and "gold" not in self.given:
            return {}
        return {"gold": gold[0], "prediction": predicted[0]}

    # --- wide: a column per system ----------------------------------------------------------------------------------

    def _wide(self) -> Roles | None:
        """A column per system, only where nothing else can name systems and the columns are of one kind."""
        gold = [n for n in self.named("gold") if self.table.columns[n].kind != "spread"]
        labels = self._label_columns(gold)
        if labels:
            return self._of_wide(labels)
        free = [name for name in self.scores if name not in gold[:1]]
        free = [n for n in free if not (is_average(n) and self._is_mean(n, free)) and not is_average_word(n)]
        known = [name for name in free if name in self._metric_names]
        columns = [self.table.columns[name] for name in free]
        if len(free) < 2 or known:
            return None
        if not _alike([column for column in columns if column.kind != "spread"]):
            raise self._doubtful_systems(free)
        both = [name for name in gold if self.table.columns[name].kind == "flag"]
        if both and all(column.kind == "flag" for column in columns):
            raise QuestionError(
                f"{both[0]!r} may be what is right, or only describe the instances: its values and those of "
                f"{' and '.join(map(repr, free[:3]))} are 0 and 1",
                self.request,
                table=self.table,
                could={both[0]: "gold labels, or a covariate"} | dict.fromkeys(free, "scores, or predictions"),
                proposals=(
                    Proposal(when="0 and 1 are wrong and right", systems=free),
                    Proposal(when=f"they are predictions of {both[0]!r}", columns={"gold": both[0]}),
                ),
            )
        return self._of_wide(free)

    def _label_columns(self, gold: Sequence[str]) -> list[str]:
        """Columns of predicted labels beside gold labels."""
        if (
            not gold
            or "system" in self.given
            or (self.table.columns[gold[0]].kind == "flag" and "gold" not in self.given)
        ):
            return []
        held = set(self.table.frame[gold[0]].dropna().astype(str).unique()[:1000])
        if len(held) > 200 or (self.table.columns[gold[0]].numeric and not self.table.columns[gold[0]].whole):
            return []
        found = []
        for name in self.names:
            column = self.table.columns[name]
            if name == gold[0] or column.kind in ("time", "spread") or name in self.given.values() or name in FILES:
                continue
            if strength(name, "instance") == CERTAIN or strength(name, "dataset") == CERTAIN or column.n_values > 1000:
                continue
            if is_covariate(name) or column.serial:
                continue
            values = set(self.table.frame[name].dropna().astype(str).unique()[:1000])
            if len(values & held) > len(values) / 2:
                found.append(name)
        return found if len(found) > 1 else []

    def _is_mean(self, name: str, others: Sequence[str]) -> bool:
        rest = [other for other in others if other != name and self.table.columns[other].kind == "number"]
        if len(rest) < 2:
            return False
        frame = self.table.frame
        return bool(
            np.nanmax(np.abs(frame[rest].mean(axis=1) - frame[name])) < 0.02 * max(1.0, frame[name].abs().max())
        )

    def _of_wide(self, systems: list[str]) -> Roles:
        """The wide form with its keys."""
        table = self.table
        unnamed = self._unnamed_ids(systems)
        if unnamed:
            raise self._ask(
                f"what does {unnamed!r} name?",
                Proposal(when="it names the instances", columns={"instance": unnamed}, systems=systems),
                Proposal(
                    when="it names the datasets", columns={"dataset": unnamed}, systems=systems, across_datasets=True
                ),
            )
        gold = [name for name in self.named("gold", CERTAIN) if name not in systems]
        gold = gold or [name for name in self.named("gold") if name not in systems and self._label_columns([name])]
        free = [name for name in self.names if name not in systems and name not in gold[:1]]
        datasets = [n for n in self.named("dataset") if n in free and table.columns[n].kind in ("text", "flag")]
        datasets += [
            name for name in FILES if name in free and name not in datasets and table.columns[name].n_values > 1
        ]
        instances = [
            name
            for name in dict.fromkeys([*self.named("instance"), *self._by_elimination(free)])
            if name in free and (self.is_key(name) or name in self.given.values())
        ]
        folds = [n for n in self.named("fold", CERTAIN) if n in free]
        seeds = [n for n in self.named("seed", CERTAIN) if n in free]
        roles: dict[str, str] = {}
        certain = [n for n in datasets if strength(n, "dataset") == CERTAIN or n in self.given.values()]
        for instance in instances:
            for dataset in dict.fromkeys([*certain, None, *datasets]):
                cells = [instance, *([dataset] if dataset else [])]
                if dataset != instance and not roles and table.unique(*cells):
                    roles = {"instance": instance} | ({"dataset": dataset} if dataset else {})
            if roles:
                break
        if roles and "dataset" not in roles:
            nested = [
                n for n in datasets if n != roles["instance"] and 1 < table.columns[n].n_values <= len(table.frame) / 3
            ]
            lone = [name for name in certain if name != roles["instance"]]
            roles |= {"dataset": (nested or lone)[0]} if nested or lone else {}
        per_dataset = [n for n in datasets if strength(n, "dataset") and table.unique(n)]
        if per_dataset and "instance" not in self.given and not (roles.get("instance") and roles.get("dataset")):
            if strength(per_dataset[0], "dataset") >= strength(per_dataset[0], "instance"):
                roles = {"dataset": per_dataset[0]}
        if not roles:
            spread = [n for n in datasets if n in certain or 1 < table.columns[n].n_values <= len(table.frame) / 3]
            roles = {"dataset": spread[0]} if spread else {}
            extra = [("fold", n) for n in folds] + [("seed", n) for n in seeds]
            roles |= dict(extra[:1]) if extra else {}
        for role in ("cluster", "weight"):
            found = [n for n in self.named(role, CERTAIN) if n in free and n not in roles.values()]
            roles |= {role: found[0]} if found else {}
        if (gold and self._label_columns(gold)) or "gold" in self.given:
            return Roles(form="predictions", roles=roles | {"gold": gold[0]}, columns=tuple(systems))
        rows = "instance" not in roles and not per_dataset and not {"fold", "seed"} & roles.keys()
        return Roles(form="wide", roles=roles, columns=tuple(systems), row_order=rows)

    def _unnamed_ids(self, systems: Sequence[str]) -> str | None:
        """A column of a few texts, all different, whose name does not say whether they are datasets or instances."""
        if "instance" in self.given or "dataset" in self.given or len(self.table.frame) >= 50:
            return None
        keys = [n for n in self.names if n not in systems and any(strength(n, r) for r in ("dataset", "instance"))]
        texts = [n for n in self.names if n not in systems and self.table.columns[n].kind == "text"]
        return texts[0] if len(texts) == 1 and not keys and self.table.unique(texts[0]) else None

    # --- board: a row per system ------------------------------------------------------------------------------------

    def board(self, system: str) -> Roles | None:
        """A row per system and a column per dataset; averages, speeds and sizes are left out by name."""
        columns = self.table.columns
        taken = {*self.given.values(), system}
        kinds = ("number", "flag", "spread")
        free = [n for n in self.names if columns[n].kind in kinds and n not in taken and n not in FILES]
        means = [name for name in free if is_average_word(name) or (is_average(name) and self._is_mean(name, free))]
        spreads = [name for name in free if is_spread(name) or is_covariate(name)]
        kept = [name for name in free if name not in means and name not in spreads]
        whole = [name for name in kept if name in self._metric_names]
        parts = [name for name in kept if name not in whole]
        if len(parts) < 2 or len(whole) > len(parts):
            return None
        said = {found.name for name in parts if (found := metric_of(name)) is not None}
        metrics = tuple(sorted(said)) if len(said) == 1 and all(metric_of(name) for name in parts) else ()
        return Roles(form="board", roles={"system": system}, columns=tuple(parts), metrics=metrics)

    def _board_of_names(self) -> Roles | None:
        """A column of names of unknown role beside columns of numbers."""
        texts = [n for n in self.names if self.table.columns[n].kind == "text" and self.table.unique(n)]
        if len(texts) != 1 or len(self.scores) < 2:
            return None
        return self.board(texts[0]) if strength(texts[0], "system") else None

    # --- questions --------------------------------------------------------------------------------------------------

    def _explained(self, found: Roles) -> Roles:
        reasons = {name: role for role, name in found.roles.items()}
        reasons |= dict.fromkeys(found.columns, "system" if found.form in ("wide", "predictions") else "dataset")
        for name in self.table.columns:
            if name not in reasons:
                reasons[name] = self._why_not(name)
        for name in found.metrics:
            if name in self.table.columns:
                way = self.request.directions.get(name, direction_of(name))
                reasons[name] = "score" if way is None else f"score ({'higher' if way else 'lower'} is better)"
        return replace(found, reasons=reasons)

    def _why_not(self, name: str) -> str:
        column = self.table.columns[name]
        if column.kind == "empty":
            return "not used: empty"
        if is_average_word(name) or (is_average(name) and name in self.scores):
            return "not used: an average"
        if is_spread(name):
            return "not used: a spread"
        if column.kind == "time":
            return "not used: a time"
        if name in self._metric_names and column.numeric:
            return f"another metric (--metric {name})"
        if is_covariate(name) and column.numeric:
            return "not used: describes the row"
        if column.serial:
            return "not used: a running number"
        return "not used"

    def could(self) -> dict[str, str]:
        """What each column could be, for a question."""
        found = {}
        for name in self.table.columns:
            column = self.table.columns[name]
            if name in FILES:
                found[name] = "system or dataset"
                continue
            roles = [
                r for r in ("system", "dataset", "instance", "seed", "gold") if strength(name, r) and self.is_key(name)
            ]
            if name in self.scores:
                way = direction_of(name)
                better = "" if way is None else f" ({'higher' if way else 'lower'} is better)"
                roles = [f"score{better}"]
            elif not roles and column.kind == "text":
                few = column.n_values <= max(2, len(self.table.frame) // 3)
                roles = ["system", "dataset"] if few else ["instance"]
            found[name] = " or ".join(roles) or self._why_not(name)
        return found

    def _ask(self, problem: str, *proposals: Proposal, remedy: str = "") -> QuestionError:
        return QuestionError(
            problem, self.request, table=self.table, could=self.could(), proposals=proposals, remedy=remedy
        )

    def _which_system(self, fits: Sequence[tuple[str, _Keys]]) -> QuestionError:
        names = [name for name, _ in fits[:3]]
        return self._ask(
            f"{' or '.join(map(repr, names))} could name the systems",
            *(Proposal(when=f"{name} names the systems", columns=self._needed(name, keys)) for name, keys in fits[:3]),
        )

    def _needed(self, system: str, keys: _Keys) -> dict[str, str]:
        """Columns to name in a command, so that it settles all at once."""
        return {"system": system, **keys.roles()}

    def _which_metric(self, scores: Sequence[str], roles: Mapping[str, str]) -> QuestionError:
        shown = [name for name in scores if direction_of(name) is not None][:3] or list(scores[:3])
        unknown = [name for name in shown if direction_of(name) is None]
        columns = {"system": roles["system"]} if roles["system"] not in self.named("system", CERTAIN) else {}
        return self._ask(
            f"{len(scores)} columns could be the score: {', '.join(map(repr, scores[:8]))}",
            *(
                Proposal(
                    when=f"it is {name}" + (" and higher is better" if name in unknown else ""),
                    columns=columns,
                    metrics=(name,),
                    higher=(name,) if name in unknown else (),
                )
                for name in shown
            ),
        )

    def _doubtful_systems(self, free: list[str]) -> QuestionError:
        """Columns of numbers of different kinds: which of them are systems?"""
        kinds = [[other for other in free if _alike([self.table.columns[n] for n in (name, other)])] for name in free]
        largest = max(kinds, key=len)
        proposals = [Proposal(when=f"{' and '.join(largest[:4])} are the systems", systems=largest)]
        if len(largest) < 2:
            proposals = [Proposal(when="all of them are systems", systems=free)]
        others = [name for name in free if name not in largest]
        problem = f"is {others[0]!r} a system?" if others and len(largest) > 1 else "are these columns systems?"
        texts = [
            n for n in self.names if self.table.columns[n].kind == "text" and 1 < self.table.columns[n].n_values < 50
        ]
        proposals += [
            Proposal(when=f"{name} names the systems", columns={"system": name}, metrics=(free[0],), higher=(free[0],))
            for name in texts[:1]
        ]
        return self._ask(
            f"{problem} Its values are of another kind than those of {' and '.join(map(repr, largest[:3]))}"
            if len(largest) > 1
            else f"{problem} Their values are of different kinds",
            *proposals,
        )

    def _no_score(self, system: str, keys: _Keys) -> QuestionError:
        board = self.table.unique(system)
        metrics = [name for name in self.scores if name in self._metric_names]
        if board and metrics:
            return self._ask(
                f"each {system} has one number per metric: there is nothing to test",
                remedy="give the scores of the instances, or the number of instances and of right answers (columns n, k)",
            )
        return self._ask(
            "no column holds scores", remedy="give a column of numbers, one score per row, or name it: --metric NAME"
        )

    def _unkeyed(self, systems: Sequence[str]) -> Roles | None:
        """Systems are named, and rows cannot be told apart: a board, or rows without an instance."""
        for system in systems:
            if self.table.unique(system) and (board := self.board(system)) is not None:
                return board
        system = systems[0]
        sure = system in self.given.values() or strength(system, "system") == CERTAIN or system in FILES
        if not sure:
            return None
        if self.table.unique(system):
            raise self._no_score(system, _Keys())
        steps = [name for name in self.names if words(name)[-1:] in _STEPS and self.table.columns[name].n_values > 1]
        question = self._repeated(system) or (self._steps(steps[0]) if steps else None)
        if question is not None:
            raise question
        differing = [name for name in self.names if name != system and self.is_key(name)]
        if self.request.unpaired:
            datasets = [n for n in self.named("dataset") if self._may_be_dataset(n) and n != system]
            keys = _Keys(dataset=datasets[0] if datasets else None, row_order=True)
            return self._measured(system, keys)
        metric = [n for n in self.scores if n in self._metric_names][:1] or self.scores[:1]
        more = tuple(metric) if len(self.scores) > 1 else ()
        proposals = [
            Proposal(when=f"{name} names the instances", columns={"system": system, "instance": name}, metrics=more)
            for name in differing[:2]
            if self.table.unique(system, name)
        ]
        datasets = self.named("dataset", CERTAIN)
        proposals.append(Proposal(when="the systems were scored on different instances", unpaired=True, metrics=more))
        return self._raise(
            self._ask(
                "no column says which rows of two systems belong to the same instance",
                *proposals,
                remedy="or add a column of ids, the same for all systems",
            )
        )

    def _repeated(self, system: str) -> QuestionError | None:
        """Ask what a column is that tells several rows of one system and instance apart: an epoch, a setting."""
        datasets = [n for n in self.named("dataset") if self._may_be_dataset(n) and n != system][:1]
        for instance in self.named("instance"):
            cells = [system, *datasets, instance]
            if instance == system or instance in datasets or self.table.share(instance, system, *datasets) < 1.3:
                continue
            for name in self.names:
                column = self.table.columns[name]
                if words(name)[-1:] in _STEPS and self.table.unique(*cells, name):
                    return self._steps(name)
                whole = column.numeric and column.whole
                if name in cells or name in self._metric_names or not (whole or column.kind == "text"):
                    continue
                if 1 < column.n_values <= 50 and self.table.unique(*cells, name):
                    return self._ask(
                        f"each system has several rows for one {instance}, one for each {name}",
                        Proposal(when=f"{name} counts repetitions or runs", columns={"seed": name}),
                        Proposal(when=f"{name} names the systems", columns={"system": name})
                        if column.kind == "text"
                        else Proposal(when=f"{name} names the annotators", columns={"rater": name}),
                        remedy=f"if the rows of one {name} are meant, keep those alone",
                    )
        return None

    def _steps(self, name: str) -> QuestionError:
        """Say that the rows are steps of a training."""
        few = self.table.columns[name].n_values <= 5
        return self._ask(
            f"each system has several rows, one for each {name}",
            *([Proposal(when=f"{name} counts repetitions or runs", columns={"seed": name})] if few else []),
            remedy=f"if they are steps of one training, keep the rows of one {name}, such as the last",
        )

    def _raise(self, question: QuestionError) -> Roles:
        raise question

    def _nothing(self) -> QuestionError:
        metrics = [name for name in self.scores if name in self._metric_names]
        if metrics:
            shown = ", ".join(metrics[:4])
            are = "is a metric" if len(metrics) == 1 else "are metrics"
            return self._ask(
                f"{shown} {are} of one system, and nothing names a second one",
                remedy="give the file of the other system as well, "
                + (f"and --metric {metrics[0]}" if self.request.command else f"and metric={metrics[0]!r}")
                + "; or a column that names the systems",
            )
        if not self.scores:
            return self._ask("no column names systems, and none holds scores", remedy="give the scores of two systems")
        return self._ask(
            "no column names the systems",
            *(
                Proposal(when=f"{name} names the systems", columns={"system": name})
                for name in self.names
                if self.table.columns[name].kind == "text" and 1 < self.table.columns[name].n_values <= 50
            ),
            remedy="or give the file of the other system as well",
        )


def is_average_word(name: str) -> bool:
    """Whether a whole name says nothing but "mean": `avg`, `Overall`, `Macro Avg.`."""
    split = words(name)
    return is_average(name) and (len(split) == 1 or all(is_average(word) for word in split))


def _alike(columns: Sequence[object]) -> bool:
    """Whether columns share type, range and decimals as scores of several systems do."""
    from reportkit.scores.column_facts import Column

    held = [column for column in columns if isinstance(column, Column)]
    if len(held) < 2:
        return True
    flags = [column.kind == "flag" for column in held]
    whole = [column.whole for column in held]
    if any(flags) and all(whole) and max(column.high for column in held) <= 10:
        return True
    if any(flags):
        return all(column.whole and column.low >= 0 and column.high <= 1 for column in held) or not all(whole)
    lows, highs = [column.low for column in held], [column.high for column in held]
    top = max(map(abs, [*lows, *highs]))
    if any(whole) and not all(whole):
        integers = [column for column in held if column.whole]
        others = [column for column in held if not column.whole]
        if any(column.high > 2 * max(one.high for one in others) + 2 for column in integers):
            return False
        if any(column.n_values > 5 for column in integers) and max(column.decimals for column in others) > 0:
            return False
    widths = [high - low for low, high in zip(lows, highs, strict=True)]
    near = min(highs) >= max(lows) or (min(highs) > 0 and max(highs) <= 12 * min(highs))
    return near and max(widths) <= 20 * max(min(widths), 0.01 * top)


def _checked(columns: Mapping[str, str], systems: Sequence[str] | None, names: Sequence[str]) -> dict[str, str]:
    """The columns that the user names; they have to be there, each once."""
    taken: dict[str, str] = {}
    for role, name in [*columns.items(), *(("systems", name) for name in systems or ())]:
        if role not in (*DECLARABLE, "systems", "prediction"):
            raise UnknownNameError("column role", role, DECLARABLE)
        if name not in names:
            near = nearest(str(name), names)
            raise ColumnError(
                f"there is no column {name!r} for {role}",
                where="columns found: " + ", ".join(map(repr, names[:20])),
                remedy=f"did you mean {' or '.join(map(repr, near))}?" if near else "give one of these names",
            )
        if name in taken:
            raise ColumnError(
                f"the column {name!r} was named twice, as {taken[name]} and as {role}",
                remedy="name a column of its own for each role",
            )
        taken[name] = role
    return dict(columns)


__all__ = ["FILES", "GENERIC", "Roles", "decide", "is_average_word"]
