"""Ask one question where a table can be read in several ways, or in none, with the commands that settle it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from reportkit.scores.evidence import Evidence
from reportkit.scores.names import CERTAIN, direction_of, ends_with, metric_of, strength
from reportkit.scores.understanding import Proposal, QuestionError

# What a column does that has a role.
_NAMES = {
    "system": "names the systems",
    "dataset": "names the datasets",
    "instance": "names the instances",
    "seed": "counts repetitions or runs",
    "rater": "names the annotators",
}


def names(role: str, name: str, metrics: Sequence[str] = (), **more: str) -> Proposal:
    """Propose that a column has a role, and others have more roles."""
    return Proposal(when=f"{name} {_NAMES[role]}", columns=more | {role: name}, metrics=metrics)


def by_metric(columns: Sequence[str]) -> dict[str, list[str]]:
    """Sort columns by the metric that their names say."""
    said = {name: found.name for name in columns if (found := metric_of(name)) is not None}
    return {metric: [name for name in said if said[name] == metric] for metric in sorted(set(said.values()))}


class Questions(Evidence):
    """The questions about a table, whose evidence speaks for several readings, or for none."""

    def _ask(self, problem: str, *proposals: Proposal, remedy: str = "") -> QuestionError:
        could = {name: self.could(name) for name in self.columns}
        return QuestionError(problem, self.request, table=self.table, could=could, proposals=proposals, remedy=remedy)

    @property
    def _settings(self) -> list[str]:
        """Columns of a few texts."""
        return [n for n in self.names if self.columns[n].kind == "text" and 1 < self.columns[n].n_values <= 50]

    def which_system(self, fits: Sequence[Mapping[str, str]]) -> QuestionError:
        """Ask which of several columns names the systems."""
        problem = f"{' or '.join(repr(one['system']) for one in fits[:3])} could name the systems"
        return self._ask(problem, *(names("system", one["system"], **one) for one in fits[:3]))

    def which_metric(self, scores: Sequence[str], system: str, *, means: bool) -> QuestionError:
        """Ask which of several columns is the score; of means, whether the datasets are the sample."""
        across = means and not self.request.across_datasets
        known = [name for name in scores if direction_of(name) is not None][:3]
        columns = {} if system in self.named("system", CERTAIN) else {"system": system}
        whens = [
            Proposal(
                when=f"it is {name}" + ("" if known else " and higher is better"),
                columns=columns,
                metrics=(name,),
                higher=() if known else (name,),
                across_datasets=across,
            )
            for name in (known or scores[:3])
        ]
        problem = f"{len(scores)} columns could be the score: {', '.join(map(repr, scores[:8]))}"
        return self._ask(problem, *whens)

    def several_metrics(self, groups: Mapping[str, Sequence[str]], *, wide: bool) -> QuestionError:
        """Ask which of the metrics is meant that names of columns say."""
        across = not wide and not self.request.across_datasets
        whens = [
            Proposal(
                when=f"it is {one}",
                systems=columns if wide else (),
                metrics=() if wide else (one,),
                across_datasets=across,
            )
            for one, columns in groups.items()
            if len(columns) > 1
        ]
        remedy = "or give a row per system, and a column per metric" if wide else "or give the scores of one metric"
        return self._ask(f"the columns hold {len(groups)} metrics: {', '.join(groups)}", *whens, remedy=remedy)

    def doubtful_systems(self, free: list[str], said: Sequence[str], constant: Sequence[str]) -> QuestionError:
        """Ask which columns of numbers are systems, where their kinds differ or names say metrics."""
        kinds = [[other for other in free if self.alike([name, other])] for name in free]
        largest = [name for name in max(kinds, key=len) if name not in (*said, *constant)]
        others = [name for name in free if name not in largest]
        problem = "are these columns systems? Their values are of different kinds"
        if said:
            problem = f"is {said[0]!r} a system? Its name is that of a metric"
        elif constant:
            problem = f"is {constant[0]!r} a system? Its value is the same in all rows"
        elif others and len(largest) > 1:
            kind = " and ".join(map(repr, largest[:3]))
            problem = f"is {others[0]!r} a system? Its values are of another kind than those of {kind}"
        several = len(largest) > 1
        every = [Proposal(when="all of them are systems", systems=free)] if said or constant or not several else []
        some = [Proposal(when=f"only {' and '.join(largest[:4])} are systems", systems=largest)] if several else []
        one = (free[0],)
        long = [
            Proposal(when=f"{name} names the systems", columns={"system": name}, metrics=one, higher=one)
            for name in self._settings[:1]
        ]
        return self._ask(problem, *every, *some, *long)

    def scores_or_predictions(self, gold: str, free: Sequence[str]) -> QuestionError:
        """Ask whether columns of 0 and 1 are scores, or predictions of another column of 0 and 1."""
        return QuestionError(
            f"{gold!r} may be what is right, or only describe the instances: its values and those of "
            f"{' and '.join(map(repr, free[:3]))} are 0 and 1",
            self.request,
            table=self.table,
            could={gold: "gold labels, or a covariate"} | dict.fromkeys(free, "scores, or predictions"),
            proposals=[
                Proposal(when="0 and 1 are wrong and right", systems=free),
                Proposal(when=f"they are predictions of {gold!r}", columns={"gold": gold}),
            ],
        )

    def instances_or_datasets(self, name: str, systems: Sequence[str]) -> QuestionError:
        """Ask what a column of a few texts names."""
        return self._ask(
            f"what does {name!r} name?",
            Proposal(when="it names the instances", columns={"instance": name}, systems=systems),
            Proposal(when="it names the datasets", columns={"dataset": name}, systems=systems, across_datasets=True),
        )

    def repeated_ids(self, name: str) -> QuestionError:
        """Say that ids occur several times, and nothing tells their rows apart."""
        remedy = "give each row an id of its own, or a column that tells the rows apart, such as dataset or seed"
        return self._ask(f"several rows have one {name}", remedy=remedy)

    def no_score(self, system: str, roles: Mapping[str, str]) -> QuestionError:
        """Ask for the score where no column holds it by its name."""
        if self.table.unique(system) and any(name in self.metrics for name in self.scores):
            remedy = "give the scores of the instances, or the numbers of instances and of right answers, n and k"
            return self._ask(f"each {system} has one number per metric: there is nothing to test", remedy=remedy)
        numbers = [name for name, one in self.columns.items() if one.kind == "number" and not one.serial]
        numbers = [name for name in numbers if name not in roles.values() and direction_of(name) is not None]
        whens = [Proposal(when=f"it is {name}", metrics=(name,)) for name in numbers[:3]]
        remedy = "" if whens else "give a column of numbers, one score per row, or name it: --metric NAME"
        return self._ask("no column holds scores", *whens, remedy=remedy)

    def no_datasets(self, roles: Mapping[str, str]) -> QuestionError:
        """Ask which column of a printed table names the datasets."""
        free = [name for name in self.names if name not in roles.values()]
        remedy = "" if free else "give a column dataset that names the dataset of each row"
        proposals = [names("dataset", name) for name in free[:3]]
        return self._ask("no column names the datasets of the printed table", *proposals, remedy=remedy)

    def no_instances(self, system: str) -> QuestionError:
        """Ask for ids where no column tells the rows of a system apart."""
        ids = [name for name in self.names if name != system and self.holds("instance", name)]
        for one, other in combinations([name for name in self._settings if name in ids], 2):
            if self.table.unique(system, one, other):
                problem = f"each {system} has several rows, one for each {one} and {other}"
                remedy = f"keep the rows of one {one} or of one {other}, or give a column that names the systems by "
                return self._ask(problem, remedy=f"{remedy}{system} and {one} together")
        scores = [name for name in self.scores if name not in (*self.named("gold"), *self.named("prediction"))]
        metric = ([name for name in scores if name in self.metrics] or scores)[: len(self.scores) > 1]
        found = [name for name in ids[:2] if self.table.unique(system, name)]
        found = [name for name in found if self.in_common({"system": system, "instance": name})]
        return self._ask(
            "no column says which rows of two systems belong to the same instance",
            *(names("instance", name, metric, system=system) for name in found),
            Proposal(when="the systems were scored on different instances", unpaired=True, metrics=metric),
            remedy="or add a column of ids, the same for all systems",
        )

    def repeated(self, system: str, datasets: Sequence[str]) -> QuestionError | None:
        """Ask what a column is that tells several rows of one system and instance apart: an epoch, a setting."""
        steps = [n for n in self.names if ends_with(n, "steps") and self.columns[n].n_values > 1]
        for instance in self.named("instance"):
            cells = [system, *datasets, instance]
            of = dict(zip(("system", "instance", "dataset"), (system, instance, *datasets), strict=False))
            if len({*cells}) < len(cells) or not self.in_common(of):
                continue
            counted = (*cells, *self.metrics, *self.counts.values())
            telling = [n for n in self.names if n not in counted and self.table.unique(*cells, n)]
            if {*telling} & {*steps}:
                break
            for name in telling:
                column = self.columns[name]
                if (column.whole or column.kind == "text") and 1 < column.n_values <= 50:
                    proposals = [names("seed", name), names("rater", name)]
                    if column.kind == "text" and not datasets:
                        swapped = {"system": name, "dataset": system, "instance": instance}
                        when = f"{name} names the systems, and {system} the datasets"
                        proposals = [names("dataset", name, system=system, instance=instance)]
                        proposals.append(Proposal(when=when, columns=swapped))
                    problem = f"each {system} has several rows for one {instance}, one for each {name}"
                    return self._ask(problem, *proposals, remedy=f"if one {name} is meant, keep its rows alone")
        if not steps:
            return None
        return self._ask(
            f"each {system} has several rows, one for each {steps[0]}",
            *([names("seed", steps[0])] if self.columns[steps[0]].n_values <= 5 else []),
            remedy=f"if they are steps of one training, keep the rows of one {steps[0]}, such as the last",
        )

    def no_systems(self, keyed: Callable[[str], Mapping[str, str] | None]) -> QuestionError:
        """Ask for the systems where no column names them."""
        metrics = [name for name in self.scores if name in self.metrics]
        metrics += [name for name in self.scores if name not in metrics and direction_of(name) is not None]
        predicted = self.named("prediction", CERTAIN)
        if predicted and self.named("gold", CERTAIN):
            remedy = "give the file of the other system as well, or a column that names the systems"
            problem = f"{predicted[0]!r} holds the predictions of one system, and nothing names a second one"
            return self._ask(problem, remedy=remedy)
        if not self.scores:
            return self._ask("no column names systems, and none holds scores", remedy="give the scores of two systems")
        other = ("dataset", "instance", "metric", "gold", "prediction")
        texts = [n for n in self._settings if not any(strength(n, role) == CERTAIN for role in other)]
        problem, rest, also = "no column names the systems", list[str](), ","
        if metrics:
            are = "is a metric" if len(metrics) == 1 else "are metrics"
            problem = f"{', '.join(metrics[:4])} {are} of one system, and nothing names a second one"
            also = f", and --metric {metrics[0]};" if self.request.command else f", and metric={metrics[0]!r};"
            texts = [name for name in texts if "instance" in (keyed(name) or {})][:3]
            rest = [name for name in self.scores if direction_of(name) is None]
        wide = [Proposal(when="the other columns of numbers are systems", systems=rest)]
        return self._ask(
            problem,
            *(names("system", name, metrics[:1]) for name in texts),
            *(wide if len(rest) > 1 and self.alike(rest) else []),
            remedy=f"give the file of the other system as well{also} or a column that names the systems",
        )
