"""Recognise tables with a column per system, and boards with a row per system."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.scores.names import (
    CERTAIN,
    direction_of,
    folded,
    is_average,
    is_average_word,
    is_common_word,
    is_covariate,
    is_spread,
    metric_of,
    strength,
    words,
)
from reportkit.scores.questions import Questions, alike
from reportkit.scores.understanding import FILES, Proposal, QuestionError, Roles


class WideForms(Questions):
    """Recognises tables with a column per system, and tables with a row per system and a column per dataset."""

    def _wide(self) -> Roles | None:
        """A column per system, only where nothing else can name systems and the columns are of one kind."""
        gold = [n for n in self.named("gold") if self.table.columns[n].kind != "spread"]
        labels = self._label_columns(gold)
        if labels:
            return self._of_wide(labels)
        if any(self.table.columns[name].n_values == 1 for name in self.named("system", CERTAIN)):
            return None  # all rows are of one system
        free = [name for name in self.scores if name not in gold[:1]]
        free = [n for n in free if not (is_average(n) and self._is_mean(n, free)) and not is_average_word(n)]
        known = [name for name in free if name in self._metric_names]
        columns = [self.table.columns[name] for name in free]
        if len(free) < 2 or known:
            return None
        constant = [name for name in free if self.table.columns[name].n_values == 1]
        if constant and len(free) - len(constant) > 1:
            kept = [name for name in free if name not in constant]
            raise self._ask(
                f"is {constant[0]!r} a system? Its value is the same in all rows",
                Proposal(when="it is a system", systems=free),
                Proposal(when="it is none", systems=kept),
            )
        said = [name for name in free if direction_of(name) is not None]
        if not alike([column for column in columns if column.kind != "spread"]) or (said and not self._of_one(free)):
            raise self._doubtful_systems(free, said)
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

    def _of_one(self, names: Sequence[str]) -> bool:
        """Whether all names say one metric, as `gpt_wer` and `llama_wer` do."""
        found = [metric_of(name) for name in names]
        return all(found) and len({metric.name for metric in found if metric is not None}) == 1

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
        metric = self._metric_column()
        roles: dict[str, str] = {}
        certain = [n for n in datasets if strength(n, "dataset") == CERTAIN or n in self.given.values()]
        for instance in instances:
            for dataset in dict.fromkeys([*certain, None, *datasets]):
                cells = [instance, *([dataset] if dataset else []), *metric]
                extra = None if dataset == instance or roles else self._extra(cells)
                if extra is not None:
                    roles = {"instance": instance, **({"dataset": dataset} if dataset else {}), **dict(extra)}
            if roles:
                break
        if roles and "dataset" not in roles:
            nested = [
                n for n in datasets if n != roles["instance"] and 1 < table.columns[n].n_values <= len(table.frame) / 3
            ]
            lone = [name for name in certain if name != roles["instance"]]
            roles |= {"dataset": (nested or lone)[0]} if nested or lone else {}
        per_dataset = [n for n in datasets if strength(n, "dataset") and table.unique(n)]
        per_dataset = [n for n in per_dataset if strength(n, "dataset") >= strength(n, "instance")]
        if per_dataset and "instance" not in self.given and not {"instance", "dataset"} <= roles.keys():
            roles = {"dataset": per_dataset[0]}
        repeated = [n for n in instances if strength(n, "instance") == CERTAIN or n in self.given.values()]
        if not roles and repeated and not folds and not seeds:
            raise self._ask(
                f"several rows have one {repeated[0]}",
                remedy="give each row an id of its own, or a column that tells the rows apart, such as dataset or seed",
            )
        if not roles:
            spread = [n for n in datasets if n in certain or 1 < table.columns[n].n_values <= len(table.frame) / 3]
            roles = {"dataset": spread[0]} if spread else {}
            of_rows = [("fold", n) for n in folds] + [("seed", n) for n in seeds]
            roles |= dict(of_rows[:1])
        roles |= {"metric": metric[0]} if metric else {}
        for role in ("cluster", "weight"):
            found = [n for n in self.named(role, CERTAIN) if n in free and n not in roles.values()]
            roles |= {role: found[0]} if found else {}
        if (gold and self._label_columns(gold)) or "gold" in self.given:
            return Roles(form="predictions", roles=roles | {"gold": gold[0]}, columns=tuple(systems))
        numeric = [name for name in gold if table.columns[name].numeric]
        roles |= {"gold": numeric[0]} if numeric else {}
        rows = "instance" not in roles and not per_dataset and not {"fold", "seed"} & roles.keys()
        return Roles(
            form="wide", roles=roles, columns=tuple(systems), row_order=rows, metrics=self._shared_metric(systems)
        )

    def _shared_metric(self, systems: Sequence[str]) -> tuple[str, ...]:
        """The one metric that the names of all columns end with: gpt_wer and llama_wer are systems by their WER."""
        found = {name: metric_of(name) for name in systems}
        said = {metric.name for metric in found.values() if metric is not None and metric.rest}
        if len(said) == 1 and all(metric is not None for metric in found.values()):
            return tuple(said)
        if len(said) > 1 and "system" not in self.given and self.request.systems is None:
            first = sorted(said)
            groups = {one: [n for n, metric in found.items() if metric and metric.name == one] for one in first}
            raise self._ask(
                f"the columns hold {len(said)} metrics: {', '.join(first)}",
                *(Proposal(when=f"it is {one}", systems=names) for one, names in groups.items() if len(names) > 1),
                remedy="or give a row per system, and a column per metric",
            )
        return ()

    def board(self, system: str) -> Roles | None:
        """A row per system and a column per dataset; averages, speeds and sizes are left out by name."""
        columns = self.table.columns
        taken = {*self.given.values(), system}
        kinds = ("number", "flag", "spread")
        free = [n for n in self.names if columns[n].kind in kinds and n not in taken and n not in FILES]
        means = [name for name in free if is_average_word(name) or self._is_average_of(name, free)]
        counted = [name for name in free if words(name)[:1] in (("n",), ("num",), ("number",))]
        spreads = [name for name in free if is_spread(name) or is_covariate(name)] + counted
        kept = [name for name in free if name not in means and name not in spreads]
        whole = [name for name in kept if name in self._metric_names and not is_common_word(name)]
        parts = [name for name in kept if name not in whole]
        odd = [name for name in parts if direction_of(name) is not None and not self._of_one(parts)]
        if odd and len(odd) < len(parts):
            parts = [name for name in parts if name not in odd] if len(odd) < len(parts) / 2 else []
        if (
            len(parts) < 2
            or len(whole) > len(parts)
            or not alike([c for n in parts if (c := columns[n]).kind != "spread"])
        ):
            return None
        if len(parts) > 4 and all(columns[name].kind == "flag" for name in parts):
            return Roles(form="items", roles={"system": system}, columns=tuple(parts))
        said = {found.name for name in parts if (found := metric_of(name)) is not None and not is_common_word(name)}
        if len(said) > 1:
            return self._board_of_metrics(system, parts, sorted(said))
        metrics = tuple(sorted(said)) if len(said) == 1 and all(metric_of(name) for name in parts) else ()
        of_means = {found.name for name in means if (found := metric_of(name)) is not None and not found.rest}
        if not said and len(of_means) == 1:  # the average says it: "Average WER" beside AMI and Tedlium
            metrics = tuple(of_means)
        return Roles(form="board", roles={"system": system}, columns=tuple(parts), metrics=metrics)

    def _board_of_metrics(self, system: str, parts: Sequence[str], said: Sequence[str]) -> Roles | None:
        """A board with several metrics by dataset: the columns of the one that is asked for."""
        of = {one: [n for n in parts if (found := metric_of(n)) is not None and found.name == one] for one in said}
        asked = [one for one in said if folded(one) in {folded(name) for name in self.request.metrics}]
        if len(asked) == 1:
            return Roles(form="board", roles={"system": system}, columns=tuple(of[asked[0]]), metrics=(asked[0],))
        raise self._ask(
            f"the columns hold {len(said)} metrics: {', '.join(said)}",
            *(
                Proposal(when=f"it is {one}", metrics=(one,), across_datasets=not self.request.across_datasets)
                for one in said
                if len(of[one]) > 1
            ),
            remedy="or give the scores of one metric",
        )

    def _is_average_of(self, name: str, others: Sequence[str]) -> bool:
        """Whether a column is the mean of others by its values, or by a name such as "Average WER"."""
        if not is_average(name) or metric_of(name) is None:
            return is_average(name)
        return words(name)[0] in ("avg", "average", "mean", "overall") or self._is_mean(name, others)

    def _board_of_names(self) -> Roles | None:
        """A column of names of unknown role beside columns of numbers."""
        texts = [n for n in self.names if self.table.columns[n].kind == "text" and self.table.unique(n)]
        if len(texts) != 1 or len(self.scores) < 2:
            return None
        return self.board(texts[0]) if strength(texts[0], "system") else None


__all__ = ["WideForms"]
