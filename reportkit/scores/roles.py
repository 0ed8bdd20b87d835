"""Decide what each column of a table is, once and positively: from its name, its values, and how columns cross."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from reportkit.scores.column_facts import Table
from reportkit.scores.keys import Keys
from reportkit.scores.names import CERTAIN, POSSIBLE, PRINTED, folded, is_average, listed_in, strength
from reportkit.scores.understanding import FILES, GENERIC, Proposal, Request, Roles
from reportkit.scores.wide_forms import WideForms

_COUNTED = re.compile(
    r"stat[a-z]|(tp|fp|fn|proposed|total|hyplen|reflen|errors|edits)$|(correct|total|hyp|ref|match|matches)\d+$"
)
"""Names of columns of counts, folded."""


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


class _Decision(WideForms):
    """The decision: battles, printed tables, the long form, the wide form, boards; the first that fits."""

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
        found = {r: next((n for n in self.names if folded(n) in names), None) for r, names in PRINTED.items()}
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

    def _long(self) -> Roles | None:
        systems = self._systems()
        if not systems or ("system" not in self.given and all(self.table.columns[n].n_values == 1 for n in systems)):
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

    def _likelier(self, fits: list[tuple[str, Keys]]) -> list[tuple[str, Keys]]:
        """The readings under which instances have scores of all systems, and instances have a name that says so."""
        named = [one for one in fits if one[1].instance is None or strength(one[1].instance, "instance")]
        fits = named or fits

        def coverage(system: str, keys: Keys) -> float:
            cells = [name for name in (keys.dataset, keys.instance) if name is not None]
            return len(self.table.frame) / (self.table.n_cells(*cells) * self.table.n_cells(system)) if cells else 1.0

        shares = [coverage(*one) for one in fits]
        full = [one for one, share in zip(fits, shares, strict=True) if share > 0.999]
        return full if full and len(full) == 1 else fits

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
        number = column.whole and not column.serial and column.n_values <= 50 and not strength(name, "seed")
        return column.kind == "text" or number

    def _is_other(self, name: str) -> bool:
        """Whether the name says certainly that a column has another role."""
        return any(
            strength(name, role) == CERTAIN
            for role in ("dataset", "instance", "metric", "fold", "rater", "gold", "prediction")
        )

    def _measured(self, system: str, keys: Keys) -> Roles:
        """The long form with its scores: a column of scores, predictions with gold, or counts."""
        roles = {"system": system, **keys.roles()}
        used = set(roles.values())
        metric = [name for name in self._metric_column() if name != system]
        roles |= {"metric": metric[0]} if metric else {}
        for role in ("cluster", "weight", "gold", "fold", "rater", "seed"):
            certain = [n for n in self.named(role, CERTAIN) if n not in used and n not in metric]
            if role in self.given or (role in ("cluster", "weight") and certain and self._fits(role, certain[0], keys)):
                roles[role] = self.given.get(role) or certain[0]
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
        if self.statistics and not (
            keys.instance is None and "total" in self.statistics and "correct" in self.statistics
        ):
            return replace(base, form="counts", metrics=tuple(computed))
        if self.statistics:
            return replace(base, roles=roles | {"k": self.statistics["correct"], "n": self.statistics["total"]})
        if counts.keys() == {"k", "n"} and self._one_row_each(roles):
            return replace(base, roles={r: n for r, n in roles.items() if r != "instance"} | counts, row_order=False)
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
        if self.sizes and keys.instance is None and not keys.extra:
            roles = roles | {"n": self.sizes[0]}
        if len(scores) == 1:
            return replace(base, roles=roles | {"score": scores[0]}, metrics=(scores[0],))
        if len(scores) > 1 and keys.dataset is not None and self._one_for_each(keys.dataset, scores):
            return replace(base, metrics=tuple(scores))
        if not scores:
            raise self._no_score(system, keys)
        if keys.instance is None and not keys.row_order and not keys.extra and len(scores) > 1 and keys.dataset is None:
            raise self._no_score(system, keys)
        raise self._which_metric(scores, roles)

    def _one_for_each(self, dataset: str, scores: Sequence[str]) -> bool:
        """Whether each dataset has one of several metrics, and its cells of the others are empty."""
        found = self.table.frame[list(scores)].notna().groupby(self.table.codes(dataset)).any()
        return bool((found.sum(axis="columns") <= 1).all() and found.any().all())

    def _one_row_each(self, roles: Mapping[str, str]) -> bool:
        """Whether each system has one row per dataset, so that counts are those of whole datasets."""
        return self.table.unique(*(roles[role] for role in ("system", "dataset", "seed", "fold") if role in roles))

    @cached_property
    def statistics(self) -> dict[str, str]:
        """Columns that hold the counts of a metric of a corpus under their own names."""
        if not any(_COUNTED.match(folded(name)) for name in self.names):
            return {}  # few tables hold counts
        from reportkit.metrics.corpus import counted_columns

        return counted_columns(self.names)

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

    def _unkeyed(self, systems: Sequence[str]) -> Roles | None:
        """Systems are named, and rows cannot be told apart: a board, or rows without an instance."""
        for system in systems:
            if self.table.unique(system) and (board := self.board(system)) is not None:
                return board
        system = next((name for name in systems if self.table.unique(name)), systems[0])
        sure = system in self.given.values() or strength(system, "system") == CERTAIN or system in FILES
        if not sure:
            return None
        if self.table.unique(system):
            raise self._no_score(system, Keys())
        steps = [name for name in self.names if self.is_step(name)]
        question = self._repeated(system) or (self._steps(steps[0]) if steps else None)
        if question is not None:
            raise question
        ids, datasets = self.named("instance", CERTAIN), self.named("dataset", CERTAIN)
        if ids and datasets and self.table.share(ids[0], system, datasets[0]) >= 1.3:
            return self._measured(system, Keys(dataset=datasets[0], instance=ids[0]))  # duplicates are named by rows
        for name in self.named("instance"):
            cells = [system, *datasets[:1], name]
            nearly = 0.9 * len(self.table.frame) < self.table.n_cells(*cells)
            if name not in cells[:-1] and self.is_key(name) and nearly and self.table.share(name, *cells[:-1]) >= 1.3:
                return self._measured(system, Keys(dataset=datasets[0] if datasets else None, instance=name))
        differing = [name for name in self.names if name != system and self.is_key(name)]
        if self.request.unpaired:
            datasets = [n for n in self.named("dataset") if self._may_be_dataset(n) and n != system]
            keys = Keys(dataset=datasets[0] if datasets else None, row_order=True)
            return self._measured(system, keys)
        settings = [
            n for n in differing if self.table.columns[n].kind == "text" and self.table.columns[n].n_values < 50
        ]
        for first, second in combinations(settings, 2):
            if self.table.unique(system, first, second):
                raise self._ask(
                    f"each {system} has several rows, one for each {first} and {second}",
                    remedy=f"keep the rows of one {first} or of one {second}, or give a column that names the systems "
                    f"by {system} and {first} together",
                )
        metric = [n for n in self.scores if n in self._metric_names][:1] or self.scores[:1]
        more = tuple(metric) if len(self.scores) > 1 else ()
        proposals = [
            Proposal(when=f"{name} names the instances", columns={"system": system, "instance": name}, metrics=more)
            for name in differing[:2]
            if self.table.unique(system, name) and self.table.share(name, system) >= 1.3
        ]
        datasets = self.named("dataset", CERTAIN)
        proposals.append(Proposal(when="the systems were scored on different instances", unpaired=True, metrics=more))
        raise self._ask(
            "no column says which rows of two systems belong to the same instance",
            *proposals,
            remedy="or add a column of ids, the same for all systems",
        )


__all__ = ["decide"]
