"""Find the columns of datasets, instances and runs under which each system has one score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from reportkit.scores.candidates import Candidates
from reportkit.scores.column_facts import Table
from reportkit.scores.names import CERTAIN, folded, is_covariate, listed_in, strength, words
from reportkit.scores.understanding import FILES

_MANY = 300_000
"""Rows from which the names of the columns alone decide."""
_TASKS = frozenset({"task", "taskname", "subject", "pair", "languagepair", "langpair", "subtask"})
"""Names of datasets that could name instances as well."""
_MANY_TASKS = 60
_PARTS = (("turn",), ("part",), ("aspect",), ("criterion",), ("subquestion",))
"""Last words of columns that number the parts of an instance, which is then a cluster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Columns that tell the rows of one system apart."""

    dataset: str | None = None
    instance: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    row_order: bool = False

    def roles(self) -> dict[str, str]:
        """Role to column."""
        found = {"dataset": self.dataset, "instance": self.instance}
        return {role: name for role, name in found.items() if name is not None} | dict(self.extra)


class KeyFinder(Candidates):
    """Finds the columns that tell the rows of one system apart."""

    def keys(self, system: str) -> Keys | None:
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
            return Keys(dataset=datasets[0], instance=found[0], extra=tuple(("seed", name) for name in seeds))
        datasets += [name for name in FILES if name in free and name != system and name not in datasets]
        other = ("gold", "instance")
        unnamed = [n for n in self._by_elimination(free) if not any(strength(n, role) for role in other)]
        datasets += [name for name in unnamed if name not in datasets]
        instances = [
            name
            for name in dict.fromkeys([*self.named("instance"), *self._by_elimination(free)])
            if name in free and name not in numbers and name != self.given.get("dataset") and self.is_key(name)
        ]
        instances.sort(key=lambda name: bool(strength(name, "seed")))  # a trial may be a run
        if "instance" in self.given:
            instances = [self.given["instance"]]
        if table.unique(system) and "instance" not in self.given and system not in FILES:
            instances = []  # a row per system
        for instance in instances:
            if "instance" not in self.given and (
                (table.columns[instance].n_values < 3 and strength(instance, "instance") < CERTAIN)
                or self._is_dataset_id(instance, datasets)
            ):
                continue
            keys = self._with_instance(system, instance, [name for name in datasets if name != instance], metric)
            if keys is not None:
                return keys
        sure = [n for n in instances if strength(n, "instance") == CERTAIN]
        of = [n for n in datasets if strength(n, "dataset") == CERTAIN]
        if sure and of and (extra := self._extra([system, of[0], sure[0], *metric])) is not None:
            return Keys(dataset=of[0], instance=sure[0], extra=extra)  # nothing in common, which is said later
        return None if "instance" in self.given else self._without_instance(system, datasets, metric)

    def _is_dataset_id(self, name: str, datasets: Sequence[str]) -> bool:
        """Whether a column of ids says the same as a column of datasets."""
        if self._few_tasks(name, datasets):
            return True
        others = [n for n in datasets if n != name and n not in FILES and strength(n, "dataset")]
        n_values = self.table.columns[name].n_values
        return any(self.table.n_cells(name, other) == n_values == self.table.n_cells(other) for other in others)

    def _few_tasks(self, name: str, datasets: Sequence[str]) -> bool:
        """Whether a column names a few tasks or subjects, whose scores are means and no rights and wrongs."""
        if folded(name) not in _TASKS or self.table.columns[name].n_values >= _MANY_TASKS:
            return False
        if any(strength(other, "dataset") == CERTAIN for other in datasets if other != name):
            return False
        return all(self.table.columns[score].kind != "flag" for score in self.scores)

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

    def _with_instance(self, system: str, instance: str, datasets: list[str], metric: list[str]) -> Keys | None:
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
            if extra is not None and not (folds and dataset is None and folded(instance) in _TASKS):
                return Keys(dataset=dataset, instance=instance, extra=extra)
        return None

    def _dataset(self, system: str, instance: str, datasets: list[str], metric: list[str]) -> list[str | None]:
        """Columns of datasets to try, the best first; None stands for one dataset."""
        table = self.table
        if "dataset" in self.given:
            return [self.given["dataset"]]
        certain = [name for name in datasets if strength(name, "dataset") == CERTAIN]
        varied = [name for name in certain if table.columns[name].n_values > 1]
        if varied:
            return [*varied, *(name for name in certain if name not in varied)]
        if certain:
            return [*certain, *(name for name in datasets if name not in certain)]
        n_instances = table.n_cells(instance)
        nested = [
            name
            for name in datasets
            if name not in FILES
            and 1 < table.columns[name].n_values <= table.n_cells(name, instance) / 3
            and not self._follows(name, system)
        ]
        named = [name for name in nested if strength(name, "dataset") and self._nests(name, instance)]
        nested = named or nested  # a remark that tells repeated rows apart is no dataset
        if table.unique(system, instance, *metric) or self._extra([system, instance, *metric]) is not None:
            files = [
                n for n in datasets if n in FILES and table.columns[n].n_values > 1 and not self._follows(n, system)
            ]
            nested = [n for n in [*nested, *files] if self._nests(n, instance) and not self._is_split(n)]
            nested = [n for n in nested if strength(n, "dataset") or n in FILES]
            alone = [n for n in datasets if n not in FILES and table.columns[n].n_values == 1 and n not in nested]
            alone = [n for n in alone if strength(n, "dataset") and folded(n) in ("task", "taskname", "benchmark")]
            return [*nested[:1], *alone[:1], None] if n_instances else [None]
        files = [name for name in datasets if name in FILES and not self._follows(name, system)]
        return [*nested, *files, None]

    def _nests(self, dataset: str, instance: str) -> bool:
        """Whether instances belong to one dataset each, a few damaged cells aside."""
        n_instances = self.table.n_cells(instance)
        return self.table.n_cells(instance, dataset) <= n_instances + max(1, n_instances // 50)

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
                    if table.columns[name].kind == "text" and role != "rater" and table.share(name, cells[0]) < 1.3:
                        continue  # names of rows, and no runs that systems have in common
                    return ((role, name),)
        for name in self.names:
            if words(name)[-1:] in _PARTS and name not in cells and table.unique(*cells, name):
                return (("part", name),)
        for roles in (("fold", "seed"), ("seed", "rater")):
            both = [(role, names[0]) for role in roles if (names := [n for n in self.named(role) if n not in cells])]
            if len(both) == 2 and table.unique(*cells, *(name for _, name in both)):
                return tuple(both)
        if not table.frame.duplicated().any():
            return None
        distinct = table.frame.drop_duplicates()
        return self._same_rows(Table(distinct), cells)

    def _same_rows(self, table: Table, cells: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
        """Rows that are written twice are no other scores."""
        return () if table.unique(*cells) else None

    def _without_instance(self, system: str, datasets: list[str], metric: list[str]) -> Keys | None:
        """Keys of one score per system and dataset, run or fold; or rows in an order that another column proves."""
        table = self.table
        named = [name for name in datasets if table.columns[name].n_values > 1 and not self._follows(name, system)]
        lone = [n for n in datasets if table.columns[n].n_values == 1 and n not in FILES and strength(n, "dataset")]
        if table.unique(system) and not self._counts() and not self.sizes and system not in FILES:
            return None  # a row per system: a board, or nothing to test
        for dataset in [*named, *lone[:1], None]:
            if dataset in named and "dataset" not in self.given and table.share(dataset, system) < 1.3:
                continue  # each has one system: nothing to compare
            cells = [system, *([] if dataset is None else [dataset]), *metric]
            extra = self._extra(cells)
            if extra is not None and (dataset is not None or extra or self._counts() or self.sizes):
                return Keys(dataset=dataset, extra=extra)
        for dataset in [*named, *lone[:1], None]:
            if self._same_order([system, *([] if dataset is None else [dataset])]):
                return Keys(dataset=dataset, row_order=True)
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

    def _metric_column(self) -> list[str]:
        if "metric" in self.given:
            return [self.given["metric"]]
        columns = self.table.columns
        certain = [n for n in self.named("metric", CERTAIN) if columns[n].kind == "text"]
        return certain[:1]

    @cached_property
    def sizes(self) -> list[str]:
        """Columns that hold numbers of instances."""
        columns = self.table.columns
        return [n for n in self.names if listed_in(n, "counts", "n") and columns[n].whole and columns[n].low >= 1]

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

    def _fits(self, role: str, name: str, keys: Keys) -> bool:
        """Whether a column is the same for all systems on an instance, as clusters and weights are."""
        if keys.instance is None or name in keys.roles().values():
            return False
        cells = [keys.instance, *([keys.dataset] if keys.dataset else [])]
        same = self.table.n_cells(*cells, name) == self.table.n_cells(*cells)
        return same and (role == "weight" or self.table.n_cells(name) < self.table.n_cells(*cells))


__all__ = ["KeyFinder", "Keys"]
