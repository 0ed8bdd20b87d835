"""Decide what each column of a table is: find the readings that fit, and choose one or ask a question.

The names of roles and metrics are data (`reportkit.scores.names`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reportkit.language import listed
from reportkit.metrics.formulas import folded
from reportkit.scores.columns import Table, first, value_counts
from reportkit.scores.keys import Keys
from reportkit.scores.names import (
    AVERAGE,
    CERTAIN,
    direction_of,
    is_average,
    is_common_word,
    is_covariate,
    is_spread,
    listed_in,
    metric_of,
    strength,
    words,
)
from reportkit.scores.questions import FILES, Proposal, QuestionError, Request, Roles, by_metric, it_is, role_is

_LARGE_SCORE = 1_000  # larger whole numbers are hardly scores of instances
_FEWEST_ROWS = 5  # a file with fewer is a summary
_PRINTED = ("score_a", "score_b", "p_value")


def decide(table: Table, request: Request) -> Roles:
    """Decide what each column is: the first form that fits, with the reason of each column.

    Raises
    ------
    QuestionError
        If more than one reading is possible, or none.
    ColumnError
        If a column that the user names is not there.
    """
    of = _Decision(table, request)
    found = of.battles() or of.printed()
    if request.systems:
        found = found or of.of_wide(list(request.systems))
    found = found or of.long() or (of.wide() if request.systems is None else None)
    if found is None:
        raise of.no_systems()
    reasons = {name: of.unused(name) for name in of.columns}
    reasons |= dict.fromkeys(of.statistics.values() if found.form == "counts" else (), "counts")
    reasons |= dict.fromkeys(found.columns, "dataset" if found.form == "board" else "system")
    reasons |= {name: role for role, name in found.roles.items()}
    return replace(found, reasons=reasons | {name: of.as_score(name) for name in found.metrics if name in of.columns})


class _Decision(Keys):
    """The forms that a table could have, and the columns under which each system has one score."""

    def ask(self, problem: str, *proposals: Proposal, remedy: str = "", means: bool = True) -> QuestionError:
        """Return a question about the table, with what a proposal may need besides to settle it."""
        named = "--columns system=NAME --metric NAME" if self.request.command else "system=NAME, metric=NAME"
        otherwise = f"name the column of the systems and that of the scores: {named}"
        known = self.scores or [n for n in self.names if direction_of(n) is not None]
        metrics = sorted(known, key=lambda name: (name not in self.metrics, direction_of(name) is None))[:1]
        more: list[dict[str, Any]] = [{}, {"metrics": tuple(metrics)}]
        more += [{**one, "across_datasets": True} for one in more if means]
        more += [{**one, "missing": "drop"} for one in more]
        shown: dict[str, Any] = {"table": self.table, "could": {name: self.could(name) for name in self.columns}}
        ways: dict[str, Any] = {"proposals": proposals, "more": more, "remedy": remedy, "otherwise": otherwise}
        return QuestionError(problem, self.request, **shown, **ways)

    # --- forms that their names give away ---

    def battles(self) -> Roles | None:
        sides = [name for side in ("a", "b") for name in self.listed("battle", side)[:1]]
        verdicts = [n for n in self.names if listed_in(n, "battle", "verdict") or n.startswith("winner")]
        other = self.request.systems or self.named("system", CERTAIN) or len(sides) < 2 or not verdicts
        if other or any(self.columns[name].kind != "text" for name in sides):
            return None
        roles = {"system_a": sides[0], "system_b": sides[1], "winner": verdicts[0]}
        roles |= first("instance", self.of("instance", but=roles.values()))
        roles |= first("dataset", self.of("dataset", CERTAIN, but=roles.values()))
        return Roles(form="battles", roles=roles, metrics=("win rate",))

    def printed(self) -> Roles | None:
        roles = {role: name for role in _PRINTED for name in self.listed("printed", role)}
        roles |= {role: name for role, name in self.given.items() if role in _PRINTED}
        if len(roles) < len(_PRINTED) or "system" in self.given:
            return None
        roles |= first("dataset", self.named("dataset")) | first("n", self.listed("counts", "n"))
        for side in ("a", "b"):
            roles |= first(f"system_{side}", self.listed("battle", side))
        if "dataset" not in roles:
            free = [name for name in self.names if name not in roles.values()]
            whens = [Proposal(f"{name} names the datasets", columns={"dataset": name}) for name in free]
            remedy = "" if whens else "give a column dataset that names the dataset of each row"
            raise self.ask("no column names the datasets of the printed table", *whens, remedy=remedy)
        return Roles(form="printed", roles=roles)

    # --- the long form: the readings that fit ---

    def long(self) -> Roles | None:
        """Read a row per score: its system, and the columns under which a system has one score."""
        systems = self.systems()
        if not systems or ("system" not in self.given and all(map(self.is_constant, systems))):
            return None
        fits = [one for system in systems if (one := self.keyed(system)) is not None]
        if not fits:
            return self._unkeyed(systems)
        fits = [one for one in fits if self._is_whole(one)] or fits
        if any(not self.one_to_one(fits[0]["system"], one["system"]) for one in fits[1:]):
            problem = f"{' or '.join(repr(one['system']) for one in fits[:3])} could name the systems"
            raise self.ask(problem, *(Proposal(f"{one['system']} names the systems", columns=one) for one in fits[:3]))
        system, dataset = fits[0]["system"], fits[0].get("dataset", "")
        sure = strength(system, "system") == CERTAIN or strength(dataset, "dataset") == CERTAIN
        if dataset in self.of("system") and not sure and not {"system", "dataset"} & self.given.keys():
            turned = fits[0] | {"system": dataset, "dataset": system}
            whens = [Proposal(f"{one['system']} names the systems", columns=one) for one in (turned, fits[0])]
            raise self.ask(f"{system!r} or {dataset!r} could name the systems", *whens)
        return self._measured(fits[0])

    def _is_whole(self, one: Mapping[str, str]) -> bool:
        """Return whether each instance has scores of all systems, but for a few."""
        system, cells = one["system"], [one[role] for role in ("dataset", "instance") if role in one]
        return not cells or len(self.table.frame) > 0.999 * self.table.n_cells(*cells) * self.table.n_cells(system)

    def _unkeyed(self, systems: Sequence[str]) -> Roles | None:
        """Read rows that name systems and cannot be told apart: a board, or rows without an instance."""
        unique = [name for name in systems if self.table.unique(name)]
        if board := next(filter(None, map(self._board, unique)), None):
            return board
        certain = (*self.given.values(), *self.named("system", CERTAIN), *FILES)
        certain = (*certain, *systems) if len(systems) == 1 and len(self.scores) < 2 else certain
        system = next((name for name in (*unique, *systems) if name in certain), None)
        if system is None:
            return None
        if system in unique:
            raise self._no_score(system, {})
        datasets = self.of("dataset", but=(system,))
        keys = {"system": system} | first("dataset", datasets)
        ids = [name for name in self.of("instance", but=keys.values()) if self.in_common(keys | {"instance": name})]
        sure = self.named("instance", CERTAIN)
        runs = [name for role in ("fold", "seed", "rater") for name in self.named(role, CERTAIN)]
        ids = [n for n in ids if n in sure or (self.columns[n].n_values > 2 and not self.few_tasks(n, datasets))]
        for name in ids:
            both = name in sure and bool(self.named("dataset", CERTAIN))
            nearly = self.table.n_cells(*keys.values(), name) > 0.9 * len(self.table.frame)
            if nearly or (both and not self.apart(*keys.values(), name, *runs)):
                return self._measured(keys | {"instance": name})  # rows that occur twice are named when validated
        if self.request.unpaired:
            return self._measured(keys, row_order=True)
        settings = self.apart(*keys.values(), *ids[:1], *runs)
        whens = role_is(self, "instance")
        whens += [one for role in ("seed", "dataset", "system") for one in role_is(self, role, settings)]
        if settings:
            problem = f"rows of one {system} differ in {listed(settings)}"
            raise self.ask(problem, *whens, remedy=_one_of(settings), means=False)
        if value_counts(self.table.frame[system]).min() >= _FEWEST_ROWS:
            whens.append(Proposal("the systems were scored on different instances", unpaired=True))
        remedy = "add a column of ids, the same for all systems; of several epochs or settings, keep the rows of one"
        problem = "no column says which rows of two systems belong to the same instance"
        raise self.ask(problem, *whens, remedy=remedy, means=False)

    def _measured(self, keys: Mapping[str, str], *, row_order: bool = False) -> Roles:
        """Add the columns that describe instances, and the source of the score: a column, predictions, or counts."""
        roles = dict(keys) | first("metric", self.metric)
        for role in ("cluster", "weight", "gold", "fold", "rater", "seed"):
            certain = [name for name in self.named(role, CERTAIN) if name not in roles.values()]
            if role not in roles and certain and (role in self.given or self._fits(role, certain[0], keys)):
                roles[role] = certain[0]
        cells = [roles[role] for role in ("system", "dataset", "fold") if role in roles]
        if "fold" in roles and "seed" not in roles and not self.table.unique(*cells):
            seeds = [name for name in self.named("seed") if name not in roles.values()]
            roles |= first("seed", [name for name in seeds if self.table.unique(*cells, name)])
        return self._scored(Roles(form="long", roles=roles, row_order=row_order))

    def _fits(self, role: str, name: str, keys: Mapping[str, str]) -> bool:
        """Return whether the values of a column fit a role: the same for all systems, or a few runs."""
        if role in ("fold", "rater", "seed"):
            return 1 < self.columns[name].n_values <= len(self.table.frame) / 3
        if role == "gold":
            return self.columns[name].numeric and "instance" in keys and not self.named("prediction", CERTAIN)
        cells = [keys[one] for one in ("instance", "dataset") if one in keys]
        same = "instance" in keys and self.table.n_cells(*cells, name) == self.table.n_cells(*cells)
        return same and (role == "weight" or self.table.n_cells(name) < self.table.n_cells(*cells))

    def _scored(self, base: Roles) -> Roles:
        """Find what holds the score: the first column or form that fits."""
        roles, counts, statistics = base.roles, self.counts, self.statistics
        computed = tuple(name for name in self.request.metrics if name not in self.columns)
        own = (self.given["score"],) if "score" in self.given else ()
        asked = tuple(name for name in self.request.metrics if name in self.columns) or own
        spread = [name for name in self.names if self.columns[name].kind == "spread"]
        free = [name for name in self.scores if name not in (*roles.values(), *spread)]
        free = [name for name in free if name in self.metrics or not self._is_described(name, roles)] or free
        generic = [name for name in free if listed_in(name, "score", "generic")]
        row = [roles[one] for one in ("system", "dataset", "seed", "fold") if one in roles]
        taken = asked or (() if free else tuple(spread))
        if {*taken} & {*spread}:
            if len(taken) > 1 and not asked:
                raise self._which_score(taken, roles["system"])
            one = first("score", taken) if len(taken) == 1 else {}
            return replace(base, form="spread", roles=roles | one, metrics=taken)
        if asked:
            return replace(base, roles=roles | first("score", own), metrics=asked)
        if self.metric and (generic or len(free) == 1):
            return replace(base, roles=roles | {"score": (generic or free)[0]}, metrics=computed)
        if "instance" not in roles and {"total", "correct"} <= statistics.keys():
            return replace(base, roles=roles | {"k": statistics["correct"], "n": statistics["total"]})
        if "tp" in counts or statistics:
            return replace(base, form="counts", roles=roles | (counts if "tp" in counts else {}), metrics=computed)
        if {"k", "n"} == counts.keys() and self.table.unique(*row):
            rest = {role: name for role, name in roles.items() if role != "instance"}
            return replace(base, roles=rest | counts, row_order=False)
        if predicted := self._predicted(roles, free, bool(computed)):
            return replace(base, form="predictions", roles=roles | predicted, metrics=computed)
        whole = [name for name in free if folded(name) in ("score", "scores")][:1]
        known = whole or [name for name in free if name in self.metrics and not is_average(name)] or free
        means = not {"instance", "seed", "fold", "rater"} & roles.keys() and not base.row_order
        if len(known) == 1 and not self.metric and not whole:
            most = self.columns[known[0]].n_missing
            others = [name for name in free if name not in known and direction_of(name) is not None]
            known += [name for name in others if self.columns[name].n_missing <= most]
        if len(known) == 1:
            roles = roles | (first("n", self.sizes) if means else {})
            return replace(base, roles=roles | {"score": known[0]}, metrics=(known[0],))
        if len(known) > 1 and "dataset" in roles and (self.table.frame[known].count(axis="columns") <= 1).all():
            return replace(base, metrics=tuple(known))  # each dataset has one of them
        if not known or (means and "dataset" not in roles):
            raise self._no_score(roles["system"], roles)
        raise self._which_score(known, roles["system"])

    def _which_score(self, known: Sequence[str], system: str) -> QuestionError:
        """Ask which of some columns is the score."""
        said = {} if system in self.named("system", CERTAIN) else {"columns": {"system": system}}
        problem = f"{len(known)} columns could be the score: {', '.join(map(repr, known[:8]))}"
        return self.ask(problem, *(one.also(**said) for one in it_is(known)))

    def _is_described(self, name: str, roles: Mapping[str, str]) -> bool:
        """Return whether a column describes the instances or the systems: one value in all rows of each of them."""
        cells = [roles[role] for role in ("dataset", "instance") if role in roles]
        sizes = {(*keys,): self.table.n_cells(*keys) for keys in (cells, [roles["system"]]) if keys}
        few = [keys for keys, n in sizes.items() if 2 * n <= len(self.table.frame)]
        return any(self.table.n_cells(*keys, name) == sizes[keys] for keys in few)

    def no_systems(self) -> QuestionError:
        """Ask which column names the systems."""
        scores = sorted(self.scores, key=lambda name: (direction_of(name) is None, name not in self.metrics))
        metrics = [name for name in scores if direction_of(name) is not None]
        rest = tuple(name for name in scores[len(metrics) :] if not self._is_switch(name))
        whens, one = role_is(self, "system"), [n for n in self.named("system", CERTAIN) if self.is_constant(n)]
        if len(rest) > 1 and not one and all(map(is_common_word, metrics)) and self.alike(rest):
            whens.append(Proposal("the other columns of numbers are systems", systems=rest))
        if not scores and not self.named("prediction", CERTAIN):
            remedy = "give the scores of two systems"
            return self.ask("no column names systems, and none holds scores", *whens, remedy=remedy)
        problem, also = f"{one[0]} names one system only" if one else "no column names the systems", ","
        if metrics:
            are = "is a metric" if len(metrics) == 1 else "are metrics"
            problem = f"{', '.join(metrics[:4])} {are} of one system, and nothing names a second one"
            also = f", and --metric {metrics[0]};" if self.request.command else f", and metric={metrics[0]!r};"
        if (predicted := self.named("prediction", CERTAIN)) and self.named("gold", CERTAIN):
            problem, whens = f"{predicted[0]!r} holds the predictions of one system, and nothing names a second one", []
        remedy = f"give the file of the other system as well{also} or a column that names the systems"
        return self.ask(problem, *whens, remedy=remedy)

    def _no_score(self, system: str, roles: Mapping[str, str]) -> QuestionError:
        """Ask for the score where no column holds it by its name."""
        if self.table.unique(system) and {*self.metrics} & {*self.scores}:
            remedy = "give the scores of the instances, or the numbers of instances and of right answers, n and k"
            return self.ask(f"each {system} has one number per metric: there is nothing to test", remedy=remedy)
        numbers = [name for name, one in self.columns.items() if one.kind == "number" and not one.serial]
        whens = it_is([name for name in numbers if name not in roles.values() and direction_of(name) is not None])
        name = "--metric NAME" if self.request.command else "metric=NAME"
        remedy = "" if whens else f"give a column of numbers, one score per row, or name it: {name}"
        problem = "nothing says which column holds the scores" if len(numbers) > 1 else "no column holds scores"
        return self.ask(problem, *whens, remedy=remedy)

    def _predicted(self, roles: Mapping[str, str], free: Sequence[str], asked: bool) -> dict[str, str]:
        """Find columns of predictions and gold, where nothing else is a score."""
        gold = [name for name in [*self.named("gold"), *self.predicted] if name not in roles.values()][:1]
        predicted = [name for name in self.named("prediction") if name not in (*roles.values(), *gold)]
        real = [name for name in free if name not in (*gold, *predicted)]
        scored = (len(real) == 1 or any(name in self.metrics for name in real)) and not asked
        if not gold or not predicted or (scored and "gold" not in self.given):
            return {}
        return {"gold": gold[0], "prediction": predicted[0]}

    def wide(self) -> Roles | None:
        """Read a column per system, if nothing else can name systems and the columns are of one kind."""
        gold = [name for name in self.named("gold") if self.columns[name].kind != "spread"]
        labels = self._labels(gold)
        if second := [n for n in gold[1:] if n in (labels or self.scores) and strength(n, "gold") == CERTAIN]:
            free = [name for name in labels or self.scores if name != gold[0]]
            parts = [one for one in (tuple(n for n in free if n not in second), tuple(free)) if len(one) > 1]
            whens = [Proposal(f"{' and '.join(part[:4])} are systems", systems=part) for part in parts]
            raise self.ask(f"is {second[0]!r} a system, or does it say what is right, as {gold[0]!r} does?", *whens)
        if labels:
            return self.of_wide(labels)
        free = [name for name in self.scores if name not in gold[:1] and not AVERAGE.fullmatch(name)]
        means = [name for name in free if is_average(name) and self._is_mean(name, free)]
        free = [name for name in free if name not in means and not self._is_switch(name)]
        lone = any(map(self.is_constant, self.named("system", CERTAIN))) or (gold and self.named("prediction", CERTAIN))
        if len(free) < 2 or lone or any(n in self.metrics or listed_in(n, "score", "generic") for n in free):
            return None
        said = [name for name in free if direction_of(name) is not None and not _one_metric(free)]
        if 2 * len(said) > len(free):
            return None  # metrics of one system
        constant = [name for name in free if self.is_constant(name)]
        constant = constant if len(constant) < len(free) - 1 else []
        large = [name for name in free if self.columns[name].whole and self.columns[name].high > _LARGE_SCORE]
        if said or constant or large or not self.alike(free):
            ids = self.of("instance", CERTAIN, but=free)
            if ids and self.keyed(None, free) is None and (settings := self.apart(*self.of("dataset")[:1], ids[0])):
                problem = f"no column names the systems, and rows of one {ids[0]} differ in {listed(settings)}"
                raise self.ask(problem, *role_is(self, "system"), remedy=_one_of(settings))
            problem = "are these columns systems? Their values are of different kinds"
            for name in (*constant[:1], *said[:1]):
                why = "Its name is that of a metric" if said else "Its value is the same in all rows"
                problem = f"is {name!r} a system? {why}"
            groups = [] if said else dict.fromkeys([tuple(n for n in free if n not in constant), tuple(free)])
            groups = [one for one in groups if len(one) > 1 and self.alike(one)]
            whens = [Proposal(f"{' and '.join(group[:4])} are systems", systems=group) for group in groups]
            remedy = "" if said or constant else "give the scores of all systems on one scale"
            raise self.ask(problem, *whens, *role_is(self, "system"), remedy=remedy)
        shown = " and ".join(map(repr, free[:3]))
        if gold and all(self.columns[name].kind == "flag" for name in (gold[0], *free)):
            raise self.ask(
                f"{gold[0]!r} may be what is right, or only describe the instances: its values and those of "
                f"{shown} are 0 and 1",
                Proposal("0 and 1 are wrong and right", systems=tuple(free)),
                Proposal(f"they are predictions of {gold[0]!r}", columns={"gold": gold[0]}),
            )
        found = self.of_wide(free)
        texts = [name for name in self.settings if not strength(name, "dataset") and not self.few_tasks(name, ())]
        if len(texts := [name for name in texts if name not in found.roles.values()]) > 1:
            are = Proposal(f"{' and '.join(free[:4])} are systems", systems=tuple(free))
            problem = f"are {shown} systems, or settings, as {' and '.join(texts[:2])} may be?"
            raise self.ask(problem, are, *role_is(self, "system"))
        return found

    def _is_switch(self, name: str) -> bool:
        """Return whether another column of a few texts says whether a column is on or off."""
        switch = self.columns[name].kind == "flag" and not self.is_constant(name) and direction_of(name) is None
        return switch and any(self.table.within(one, [name]) for one in self.settings)

    def _is_mean(self, name: str, others: Sequence[str]) -> bool:
        numbers = self.table.frame[[name, *(other for other in others if other != name)]].select_dtypes("number")
        if len(numbers.columns) < 3 or name not in numbers:
            return False
        off = (numbers.drop(columns=name).mean(axis=1) - numbers[name]).abs().max()
        return bool(off < 0.02 * max(1.0, numbers[name].abs().max()))

    def _labels(self, gold: Sequence[str]) -> list[str]:
        """Find columns of predicted labels that have gold labels."""
        if not gold or "system" in self.given:
            return []
        column = self.columns[gold[0]]
        values = {name: set(map(str, self.table.frame[name].dropna().unique()[:1000])) for name in self.names}
        flags = column.kind == "flag" and "gold" not in self.given
        if flags or len(held := values[gold[0]]) > 200 or (column.numeric and not column.whole):
            return []
        free = [n for n in self.names if n not in (gold[0], *self.given.values(), *FILES) and not is_covariate(n)]
        free = [n for n in free if strength(n, "instance") < CERTAIN and not strength(n, "dataset")]
        found = [name for name in free if 2 * len(values[name] & held) > len(values[name])]
        certain = "gold" in self.given or strength(gold[0], "gold") == CERTAIN
        if len(found) < 2 or (not certain and any(strength(name, "gold") for name in found)):
            return []  # two columns could be gold
        return found

    def of_wide(self, systems: list[str]) -> Roles:
        """Return the wide form with its keys."""
        free = [name for name in self.names if name not in systems]
        texts = [n for n in free if self.columns[n].kind == "text" and not strength(n, "prediction")]
        said = {"instance", "dataset"} & self.given.keys()
        said |= {role for name in free for role in ("dataset", "instance") if strength(name, role)}
        if len(texts) == 1 and not said and self.table.unique(texts[0]) and len(self.table.frame) < 50:
            wide, either = tuple(systems), ("instance", "dataset")
            whens = [Proposal(f"it names the {role}s", columns={role: texts[0]}, systems=wide) for role in either]
            raise self.ask(f"what does {texts[0]!r} name?", *whens)
        certain = [*self.given.values(), *self.named("gold", CERTAIN)]
        gold = [name for name in self.named("gold") if name in certain or self._labels([name])][:1]
        taken = (*systems, *gold, *self.metric)
        datasets = [name for name in self.of("dataset", but=taken) if self.columns[name].kind != "number"]
        per_row = [n for n in datasets if strength(n, "dataset") > strength(n, "instance") or self.few_tasks(n, ())]
        per_row = [name for name in per_row if self.table.unique(name)]
        roles = self.keyed(None, taken) or {}
        if per_row and "instance" not in self.given and not {"instance", "dataset"} <= roles.keys():
            roles = {"dataset": per_row[0]}
        if not roles:
            runs = self.seeds(taken)
            if (ids := self.of("instance", CERTAIN, but=taken)) and not runs:
                remedy = "give each row an id of its own, or add a column that tells the rows apart: dataset, seed"
                raise self.ask(f"several rows have one {ids[0]}", remedy=remedy)
            several = [n for n in datasets if 1 < self.columns[n].n_values <= len(self.table.frame) / 3]
            roles = first("dataset", self.of("dataset", CERTAIN, but=taken) or several) | runs
        roles |= first("metric", self.metric)
        for role in ("cluster", "weight"):
            roles |= first(role, [n for n in self.named(role, CERTAIN) if n not in (*taken, *roles.values())])
        if gold and ("gold" in self.given or self._labels(gold)):
            return Roles(form="predictions", roles=roles | {"gold": gold[0]}, columns=tuple(systems))
        roles |= first("gold", [name for name in gold if self.columns[name].numeric])
        rows = not per_row and not {"instance", "fold", "seed"} & roles.keys()
        groups = by_metric([name for name in systems if (found := metric_of(name)) is not None and found.rest])
        metrics = tuple(groups) if len(groups) == 1 and all(map(metric_of, systems)) else ()  # gpt_wer and llama_wer
        return Roles(form="wide", roles=roles, columns=tuple(systems), row_order=rows, metrics=metrics)

    def _board(self, system: str) -> Roles | None:
        """Read a row per system and a column per dataset; averages, speeds and sizes are left out by name."""
        free = [n for n in self.names if self.columns[n].numeric or self.columns[n].kind == "spread"]
        free = [name for name in free if name not in (*self.given.values(), system, *FILES)]
        means = [n for n in free if is_average(n) and (metric_of(n) is None or self._is_mean(n, free))]
        means += [name for name in free if AVERAGE.fullmatch(name)]
        sized = [n for n in free if is_spread(n) or is_covariate(n) or words(n)[:1] in (("n",), ("num",), ("number",))]
        kept = [name for name in free if name not in (*means, *sized)]
        whole = [name for name in kept if name in self.metrics and not is_common_word(name)]
        parts = [name for name in kept if name not in whole]
        odd = [name for name in parts if direction_of(name) is not None]
        if odd and len(odd) < len(parts) and not _one_metric(parts):
            parts = [name for name in parts if name not in odd] if len(odd) < len(parts) / 2 else []
        if len(parts) < 2 or len(whole) > len(parts) or not self.alike(parts):
            return None
        groups = by_metric([name for name in parts if not is_common_word(name)])
        asked = [one for one in groups if folded(one) in map(folded, self.request.metrics)]
        if len(groups) > 1 and len(asked) != 1:
            whens = it_is([one for one, columns in groups.items() if len(columns) > 1])
            problem = f"the columns hold {len(groups)} metrics: {', '.join(groups)}"
            raise self.ask(problem, *whens, remedy="or give the scores of one metric")
        if len(groups) > 1:
            parts, groups = groups[asked[0]], {asked[0]: groups[asked[0]]}
        said = [of.name for name in means if (of := metric_of(name)) is not None and not of.rest]  # "Average WER"
        metrics = {*(groups if all(map(metric_of, parts)) else () if groups else said)}
        one = tuple(metrics) if len(metrics) == 1 else ()
        return Roles(form="board", roles={"system": system}, columns=tuple(parts), metrics=one)


def _one_metric(names: Sequence[str]) -> bool:
    """Return whether all names say one metric, as `gpt_wer` and `llama_wer` do."""
    return len(by_metric(names)) == 1 and all(map(metric_of, names))


def _one_of(settings: Sequence[str]) -> str:
    """Say what to do with rows of several settings."""
    kept = f"one {settings[0]}" if len(settings) == 1 else f"one value of {listed(settings)}"
    return f"keep the rows of {kept}, or give one column that names the systems together with their settings"
