"""Find the keys of scores: the columns of datasets, instances and runs under which each system has one score."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import product

from reportkit.scores.columns import COMMON, Evidence, first
from reportkit.scores.names import CERTAIN, direction_of, is_covariate, is_spread, listed_in, strength, words
from reportkit.scores.questions import FILES

# Roles of columns that tell several scores of one system on one instance apart, the likeliest first.
_RUNS = (("fold",), ("seed",), ("rater",), ("fold", "seed"), ("seed", "rater"))
# A column whose name says one of these roles does not name systems.
_OTHER = ("dataset", "instance", "metric", "fold", "rater", "gold", "prediction")
_FEW_IDS = 10  # fewer different texts are ids only if the name says so
_MOST_SETTINGS = 50  # a setting has at most this many values
_MANY_TASKS = 60  # with more than this, tasks may be instances


class Keys(Evidence):
    """The keys of the scores of one table."""

    def systems(self) -> list[str]:
        """Yield columns that could name the systems: by a sure name, by a possible one, or for lack of any other."""
        if "system" in self.given:
            return [self.given["system"]]
        ids, n_values = self.named("instance", CERTAIN), {name: self.columns[name].n_values for name in self.names}
        several = [name for name in self.of("system", but=FILES) if n_values[name] > 1]
        if certain := [name for name in several if strength(name, "system") == CERTAIN]:
            return certain
        other = [name for name in self.names if any(strength(name, role) == CERTAIN for role in _OTHER)]
        possible = [name for name in several if name not in other and not self._describes(name, ids)]
        if possible := [*possible, *(name for name in self.names if name in FILES and n_values[name] > 1)]:
            return possible
        said = {n for role in ("dataset", "instance", "gold", "prediction", "metric") for n in self.named(role)}
        texts = [name for name in self.names if self.columns[name].kind == "text"]
        if one := [name for name in self.named("system", CERTAIN) if name in texts]:
            return one
        few = [n for n in texts if n not in other and 1 < n_values[n] <= max(2, len(self.table.frame) // 3)]
        ids = [name for name in ids if self.holds("instance", name)]
        return [name for name in few if name not in said and not self._describes(name, ids)]

    def _describes(self, name: str, ids: Sequence[str]) -> bool:
        """Return whether a column is constant for each of some ids, so that it is not a system."""
        return any(name != one and self.table.within(one, [name]) for one in ids)

    def keyed(self, system: str | None, taken: Sequence[str] = ()) -> dict[str, str] | None:
        """Find which columns are the keys, by role, of a table with a column of systems or a column per system."""
        taken = (*taken, *self.metric, system or "")
        head = {} if system is None else {"system": system}
        unsaid = self.unsaid((*taken, *FILES, *self.named("gold"), *self.named("instance")))
        files = [name for name in FILES if name in self.names and name not in taken]
        datasets = list(dict.fromkeys([*self.of("dataset", but=taken), *files, *unsaid]))
        doubtful: list[dict[str, str]] = []  # with datasets found without a name, or without common instances
        for instance in self._instances(system, taken, datasets):
            for dataset in self._datasets_of(instance, system, [name for name in datasets if name != instance]):
                found = head | ({"dataset": dataset} if dataset else {}) | {"instance": instance}
                if (runs := self._runs(found)) is None:
                    continue
                if "instance" in self.given or self.in_common(found):
                    if dataset is None or dataset in (*FILES, *self.named("dataset")):
                        return found | runs
                    doubtful.insert(0, found | runs)
                elif dataset and strength(dataset, "dataset") == strength(instance, "instance") == CERTAIN:
                    doubtful.append(found | runs)
        if doubtful or system is None or "instance" in self.given:
            return next(iter(doubtful), None)
        return self._without_instance(system, datasets)

    def apart(self, *keys: str) -> list[str]:
        """Find the settings that tell apart rows with the same keys; few of them, if there are any."""
        most = min(_MOST_SETTINGS, len(self.table.frame) // 2)
        free = [n for n in self.names if n not in keys and self.columns[n].kind != "time" and not is_spread(n)]
        free = [n for n in free if direction_of(n) is None and n not in self.named("instance", CERTAIN)]
        free = [n for n in free if n not in self.named("gold", CERTAIN)]
        free = [n for n in free if 1 < self.columns[n].n_values <= most and self.table.share(n, keys[0]) >= COMMON]
        found: list[str] = []
        n_cells = self.table.n_cells(*keys)
        while n_cells < 0.95 * len(self.table.frame):
            sizes = {name: self.table.n_cells(*keys, *found, name) for name in free}
            more = [name for name in free if sizes[name] > n_cells]
            if not more:
                break
            best = max(more, key=lambda name: (self.columns[name].kind == "text", sizes[name]))
            found, n_cells = [*found, best], sizes[best]
        return found

    def seeds(self, taken: Container[str]) -> dict[str, str]:
        """Return the role and the name of a column of folds or seeds, by its certain name."""
        return first("fold", self.of("fold", CERTAIN, but=taken)) or first("seed", self.of("seed", CERTAIN, but=taken))

    def _instances(self, system: str | None, taken: Container[str], datasets: Sequence[str]) -> Iterator[str]:
        """Yield columns that could name the instances, the likeliest first: ids, then numbers of rows, then runs."""
        if "instance" in self.given:
            yield self.given["instance"]
        if "instance" in self.given or (system and system not in FILES and self.table.unique(system)):
            return  # a row per system
        named = dict.fromkeys([*self.of("instance", but=taken), *self.unsaid((*FILES, *self.given.values()))])
        free = [n for n in named if n not in (*self.scores, *self.predicted) and n not in taken]
        free = [n for n in free if self.holds("instance", n)]
        of = [name for name in datasets if name not in FILES and strength(name, "dataset")]
        ids = any(listed_in(words(name)[-1], "instance", "last_words") and words(name)[1:] for name in free)

        def order(name: str) -> tuple[bool, bool, bool]:
            return strength(name, "seed") > 0, strength(name, "instance") == 0, ids and is_covariate(name)

        for name in sorted(free, key=order):
            certainty = strength(name, "instance")
            least = 3 if certainty and not strength(name, "seed") else _FEW_IDS
            few = certainty < CERTAIN and self.columns[name].n_values < least
            same = any(self.one_to_one(name, other) for other in of if other != name)
            lone = system is not None and self.table.within(system, [name])  # each system has one of them
            if not few and not same and not lone and not self.few_tasks(name, of):
                yield name

    def few_tasks(self, name: str, datasets: Sequence[str]) -> bool:
        """Return whether a column names a few tasks or subjects whose scores are means, not right or wrong."""
        few = listed_in(name, "dataset", "tasks") and self.columns[name].n_values < _MANY_TASKS
        certain = any(strength(other, "dataset") == CERTAIN for other in datasets if other != name)
        return few and not certain and all(self.columns[score].kind != "flag" for score in self.scores)

    def _datasets_of(self, instance: str, system: str | None, datasets: Sequence[str]) -> Sequence[str | None]:
        """Return columns that could name the datasets of instances, likeliest first; None stands for one dataset."""
        if "dataset" in self.given:
            return self.of("dataset")
        if certain := [name for name in datasets if strength(name, "dataset") == CERTAIN]:
            return sorted(certain, key=self.is_constant)
        several = [n for n in datasets if not self.is_constant(n) and not (system and self.table.within(n, [system]))]
        nested = [n for n in several if n in FILES or self.columns[n].n_values <= self.table.n_cells(n, instance) / 3]
        n_instances = self.table.n_cells(instance)
        inside = [n for n in nested if self.table.n_cells(instance, n) <= n_instances + max(1, n_instances // 50)]
        said = [name for name in inside if name in FILES or strength(name, "dataset")]
        if self._runs({"system": system, "instance": instance} if system else {"instance": instance}) is None:
            if said:  # a remark in each row is not a dataset
                nested = [name for name in nested if name in FILES or strength(name, "dataset")]
            return [*sorted(nested, key=lambda name: name not in inside), None]
        lone = [name for name in datasets if self.is_constant(name) and listed_in(name, "dataset", "lone")]
        return [*said[:1], *lone[:1], None]

    def _runs(self, found: Mapping[str, str]) -> dict[str, str] | None:
        """Find the runs, folds or raters that tell all rows apart; None if rows are left twice."""
        cells = [*found.values(), *self.metric]
        if self.table.unique(*cells):
            return {}
        for roles in _RUNS:
            for names in product(*(self._run_names(role, cells) for role in roles)):
                if self.table.unique(*cells, *names):
                    return dict(zip(roles, names, strict=True))
        return {} if self.table.distinct.unique(*cells) else None  # repeated rows are not further scores

    def _run_names(self, role: str, cells: Sequence[str]) -> list[str]:
        """Return the columns of runs; names of rows are not runs, since systems have none in common."""
        free = [name for name in self.named(role) if name not in cells and not self.is_constant(name)]
        numbers = [name for name in free if role == "rater" or self.columns[name].kind != "text"]
        return [name for name in free if name in numbers or self.table.share(name, cells[0]) >= COMMON]

    def _without_instance(self, system: str, datasets: Sequence[str]) -> dict[str, str] | None:
        """Find the keys where each system has one score per dataset, run or fold; None elsewhere."""
        table, counted = self.table, bool(self.counts or self.sizes)
        if table.unique(system) and not counted and system not in FILES:
            return None  # a row per system: a board, or nothing to test
        several = [n for n in datasets if not self.is_constant(n) and not table.within(n, [system])]
        said = (*FILES, *self.named("dataset"))
        several = [n for n in several if "dataset" in self.given or (n in said and table.share(n, system) >= COMMON)]
        lone = [n for n in datasets if self.is_constant(n) and strength(n, "dataset") > strength(n, "system")][:1]
        for found in [*({"system": system, "dataset": name} for name in (*several, *lone)), {"system": system}]:
            runs = self._runs(found)
            if runs is not None and ("dataset" in found or runs or counted):
                return found | runs
        return None

    def one_to_one(self, name: str, other: str) -> bool:
        """Return whether each value of a column occurs with a single value of another, and the other way round."""
        return self.table.n_cells(name, other) == self.table.n_cells(other) == self.table.n_cells(name)
