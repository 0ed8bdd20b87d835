"""Ask one question where a table can be read in several ways, with the commands that settle it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reportkit.scores.column_facts import Column
from reportkit.scores.keys import KeyFinder, Keys
from reportkit.scores.names import CERTAIN, direction_of, strength, words
from reportkit.scores.understanding import Proposal, QuestionError

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


class Questions(KeyFinder):
    """Asks where more than one reading is possible, or none; each question names the commands that settle it."""

    def _which_system(self, fits: Sequence[tuple[str, Keys]]) -> QuestionError:
        names = [name for name, _ in fits[:3]]
        return self._ask(
            f"{' or '.join(map(repr, names))} could name the systems",
            *(Proposal(when=f"{name} names the systems", columns=self._needed(name, keys)) for name, keys in fits[:3]),
        )

    def _needed(self, system: str, keys: Keys) -> dict[str, str]:
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

    def _doubtful_systems(self, free: list[str], said: Sequence[str]) -> QuestionError:
        """Ask which columns of numbers are systems, where their kinds differ or names say metrics."""
        kinds = [[other for other in free if alike([self.table.columns[n] for n in (name, other)])] for name in free]
        largest = [name for name in max(kinds, key=len) if name not in said]
        others = [name for name in free if name not in largest]
        if said:
            problem = f"is {said[0]!r} a system? Its name is that of a metric"
        elif others and len(largest) > 1:
            problem = f"is {others[0]!r} a system? Its values are of another kind than those of "
            problem += " and ".join(map(repr, largest[:3]))
        else:
            problem = "are these columns systems? Their values are of different kinds"
        proposals = [Proposal(when="all of them are systems", systems=free)]
        if len(largest) > 1:
            some = Proposal(when=f"only {' and '.join(largest[:4])} are systems", systems=largest)
            proposals = [*(proposals if said else []), some]
        texts = [
            n for n in self.names if self.table.columns[n].kind == "text" and 1 < self.table.columns[n].n_values < 50
        ]
        proposals += [
            Proposal(when=f"{name} names the systems", columns={"system": name}, metrics=(free[0],), higher=(free[0],))
            for name in texts[:1]
        ]
        return self._ask(problem, *proposals)

    def _no_score(self, system: str, keys: Keys) -> QuestionError:
        board = self.table.unique(system)
        metrics = [name for name in self.scores if name in self._metric_names]
        if board and metrics:
            return self._ask(
                f"each {system} has one number per metric: there is nothing to test",
                remedy="give the scores of the instances, or the numbers of instances and of right answers, n and k",
            )
        described = [
            name
            for name in self.names
            if self.table.columns[name].kind == "number"
            and not self.table.columns[name].serial
            and name not in keys.roles().values()
            and direction_of(name) is not None
        ]
        if described:
            return self._ask(
                "no column holds scores by its name",
                *(Proposal(when=f"it is {name}", metrics=(name,)) for name in described[:3]),
            )
        return self._ask(
            "no column holds scores", remedy="give a column of numbers, one score per row, or name it: --metric NAME"
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
                if self.is_step(name) and self.table.unique(*cells, name):
                    return self._steps(name)
                whole = column.numeric and column.whole
                if name in cells or name in self._metric_names or not (whole or column.kind == "text"):
                    continue
                if 1 < column.n_values <= 50 and self.table.unique(*cells, name):
                    runs = Proposal(when=f"{name} counts repetitions or runs", columns={"seed": name})
                    raters = Proposal(when=f"{name} names the annotators", columns={"rater": name})
                    proposals = [runs, raters]
                    if column.kind == "text" and not datasets:
                        of = {"dataset": name, "instance": instance}
                        proposals = [
                            Proposal(when=f"{name} names the datasets", columns={"system": system, **of}),
                            Proposal(
                                when=f"{name} names the systems, and {system} the datasets",
                                columns={"system": name, **of, "dataset": system},
                            ),
                        ]
                    return self._ask(
                        f"each system has several rows for one {instance}, one for each {name}",
                        *proposals,
                        remedy=f"if the rows of one {name} are meant, keep those alone",
                    )
        return None

    def is_step(self, name: str) -> bool:
        """Whether a column numbers the steps of a training."""
        return words(name)[-1:] in _STEPS and self.table.columns[name].n_values > 1

    def _steps(self, name: str) -> QuestionError:
        """Say that the rows are steps of a training."""
        few = self.table.columns[name].n_values <= 5
        return self._ask(
            f"each system has several rows, one for each {name}",
            *([Proposal(when=f"{name} counts repetitions or runs", columns={"seed": name})] if few else []),
            remedy=f"if they are steps of one training, keep the rows of one {name}, such as the last",
        )

    def _other_systems(self, metrics: Sequence[str]) -> list[Proposal]:
        """Columns of texts that could name the systems, though their names do not say so."""
        found = []
        for name in self.names:
            column = self.table.columns[name]
            sure = any(strength(name, role) == CERTAIN for role in ("dataset", "instance", "metric"))
            if column.kind != "text" or not 1 < column.n_values <= 50 or sure or self.keys(name) is None:
                continue
            found.append(Proposal(when=f"{name} names the systems", columns={"system": name}, metrics=metrics[:1]))
        return found[:3]

    def _nothing(self) -> QuestionError:
        metrics = [name for name in self.scores if name in self._metric_names]
        if metrics:
            shown = ", ".join(metrics[:4])
            are = "is a metric" if len(metrics) == 1 else "are metrics"
            rest = [name for name in self.scores if direction_of(name) is None]
            wide = len(rest) > 1 and alike([self.table.columns[name] for name in rest])
            return self._ask(
                f"{shown} {are} of one system, and nothing names a second one",
                *self._other_systems(metrics),
                *([Proposal(when="the other columns of numbers are systems", systems=rest)] if wide else []),
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
            remedy="give the file of the other system as well, or a column that names the systems",
        )

    def _unnamed_ids(self, systems: Sequence[str]) -> str | None:
        """A column of a few texts, all different, whose name does not say whether they are datasets or instances."""
        if "instance" in self.given or "dataset" in self.given or len(self.table.frame) >= 50:
            return None
        keys = [n for n in self.names if n not in systems and any(strength(n, r) for r in ("dataset", "instance"))]
        texts = [n for n in self.names if n not in systems and self.table.columns[n].kind == "text"]
        texts = [name for name in texts if not strength(name, "prediction")]
        return texts[0] if len(texts) == 1 and not keys and self.table.unique(texts[0]) else None


def alike(columns: Sequence[Column]) -> bool:
    """Whether columns share type, range and decimals as scores of several systems do."""
    held = list(columns)
    if len(held) < 2:
        return True
    flags = [column.kind == "flag" for column in held]
    whole = [column.whole for column in held]
    if any(flags) and all(whole) and max(column.high for column in held) <= 10:
        return True
    if any(flags):
        return all(column.low >= 0 and column.high <= 1 for column in held)
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


__all__ = ["Questions", "alike"]
