"""Gather the evidence of what each column of a table could be: by its name, and by what it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property

from reportkit.scores.column_facts import Column, Table, alike
from reportkit.scores.names import (
    CERTAIN,
    POSSIBLE,
    direction_of,
    folded,
    is_average,
    is_average_word,
    is_covariate,
    is_metric,
    is_spread,
    listed_in,
    order_of,
    strength,
)
from reportkit.scores.understanding import FILES, Request

# What a column of a role holds, whatever its name is.
_HOLDS: Mapping[str, Callable[[Column], bool]] = {
    "system": lambda one: one.kind == "text" or (one.whole and not one.serial and one.n_values <= 50),
    "dataset": lambda one: one.kind in ("text", "flag") or (one.numeric and one.whole),
    "instance": lambda one: one.kind in ("text", "time") or (one.numeric and one.whole and not is_metric(one.name)),
    "metric": lambda one: one.kind == "text",
}
# Counts of which a metric is computed, if all of a line are there.
_COUNTS = (("tp", "fp", "fn"), ("tp", "predicted", "gold"), ("k", "n"))
COMMON = 1.3  # systems that an instance has scores of at least, on average, where all answered the same
_COUNTED = re.compile(
    r"stat[a-z]|(tp|fp|fn|proposed|total|hyplen|reflen|errors|edits)$|(correct|total|hyp|ref|match|matches)\d+$"
)


class Evidence:
    """The columns of one table, and what each could be.

    Parameters
    ----------
    table : Table
    request : Request
        What the user says.

    Raises
    ------
    ColumnError, UnknownNameError
        If a column that the user names is not there, or a role is not known.
    """

    def __init__(self, table: Table, request: Request) -> None:
        self.table, self.request, self.columns = table, request, table.columns
        self.names = [name for name, column in self.columns.items() if column.kind != "empty"]
        self.given = request.checked_columns(list(self.columns))

    def named(self, role: str, at_least: int = POSSIBLE) -> list[str]:
        """Columns whose name speaks for a role, the strongest first; the one that the user names, if there is one."""
        if role in self.given:
            return [self.given[role]]
        taken = {*self.given.values(), *(self.request.systems or ()), *self.request.metrics}
        kept = [name for name in self.names if name not in taken and strength(name, role) >= at_least]
        return sorted(kept, key=lambda name: (-strength(name, role), order_of(name, role)))

    def of(self, role: str, at_least: int = POSSIBLE, *, but: Container[str] = ()) -> list[str]:
        """Columns whose name speaks for a role, and that hold what columns of this role hold; without some."""
        return [n for n in self.named(role, at_least) if n not in but and (role in self.given or self.holds(role, n))]

    def holds(self, role: str, name: str) -> bool:
        """Whether a column holds what columns of a role hold."""
        column = self.columns[name]
        if role == "dataset" and column.kind == "number" and name in self.scores:
            return False
        if column.numeric and role == "system" and strength(name, "seed"):
            return False
        if column.numeric and role == "instance" and is_covariate(name) and not strength(name, role):
            return False
        return role not in _HOLDS or _HOLDS[role](column)

    def listed(self, section: str, kind: str) -> list[str]:
        """Columns whose name stands in a list of names."""
        return [name for name in self.names if listed_in(name, section, kind)]

    @cached_property
    def scores(self) -> list[str]:
        """Columns that could hold scores, and have no other role."""
        taken = {*(name for role, name in self.given.items() if role != "score"), *FILES}
        found = [name for name in self.names if name not in taken and self.table.is_number(name)]
        return list(dict.fromkeys([*found, *(name for name in self.request.metrics if name in self.columns)]))

    @cached_property
    def metrics(self) -> list[str]:
        """Columns whose whole name is that of a metric."""
        return [name for name in self.names if is_metric(name)]

    @cached_property
    def metric(self) -> list[str]:
        """The column that names metrics, if there is one."""
        return self.of("metric", CERTAIN)[:1]

    @cached_property
    def sizes(self) -> list[str]:
        """Columns of numbers of instances."""
        return [n for n in self.listed("counts", "n") if self.columns[n].whole and self.columns[n].low >= 1]

    @cached_property
    def counts(self) -> dict[str, str]:
        """Columns of counts by what they count."""
        if {"k", "n"} & self.given.keys():
            return {role: self.given[role] for role in ("k", "n") if role in self.given}
        whole = [name for name in self.names if self.columns[name].numeric and self.columns[name].whole]
        for kinds in _COUNTS:
            found: dict[str, str] = {}
            for kind in kinds:
                found |= first(kind, [n for n in whole if listed_in(n, "counts", kind) and n not in found.values()])
            if len(found) == len(kinds):
                return found
        return {}

    @cached_property
    def statistics(self) -> dict[str, str]:
        """Columns that hold the counts of a metric of a corpus under their own names."""
        if not any(_COUNTED.match(folded(name)) for name in self.names):
            return {}  # few tables hold counts
        from reportkit.metrics.corpus import counted_columns

        return counted_columns(self.names)

    def unsaid(self, but: Container[str]) -> list[str]:
        """Columns that no name says anything of, and that could be ids: texts, and running numbers."""
        roles = ("system", "dataset", "seed", "fold", "rater", "prediction", "metric")
        free = [n for n in self.names if (self.columns[n].kind == "text" or self.columns[n].serial) and n not in but]
        return [n for n in free if not any(strength(n, role) for role in roles) and not is_covariate(n)]

    def unused(self, name: str) -> str:
        """Say why a column has no role: the first reason that holds."""
        column = self.columns[name]
        mean = is_average_word(name) or (column.numeric and is_average(name) and not is_covariate(name))
        reasons = {
            "not used: empty": column.kind == "empty",
            "not used: an average": mean,
            "not used: a spread": is_spread(name),
            "not used: a time": column.kind == "time",
            f"another metric (--metric {name})": column.numeric and is_metric(name),
            "not used: describes the row": column.numeric and is_covariate(name),
            "not used: a running number": column.serial,
        }
        return next((why for why, holds in reasons.items() if holds), "not used")

    def as_score(self, name: str) -> str:
        """Say that a column is the score, and which way is better."""
        higher = self.request.directions.get(name, direction_of(name))
        return "score" if higher is None else f"score ({'higher' if higher else 'lower'} is better)"

    def could(self, name: str) -> str:
        """Say what a column could be."""
        roles = [one for one in ("system", "dataset", "instance", "seed", "gold") if strength(name, one)]
        if name in FILES:
            return "system or dataset"
        if name in self.scores:
            return self.as_score(name)
        if not roles and self.columns[name].kind == "text":
            few = self.columns[name].n_values <= max(2, len(self.table.frame) // 3)
            roles = ["system", "dataset"] if few else ["instance"]
        return " or ".join(roles) if roles and self.holds("instance", name) else self.unused(name)

    def alike(self, names: Sequence[str]) -> bool:
        """Whether columns share type, range and decimals."""
        return alike([self.columns[name] for name in names if self.columns[name].kind != "spread"])

    def in_common(self, found: Mapping[str, str]) -> bool:
        """Whether most instances have scores of several systems."""
        if "system" not in found or self.is_constant(found["system"]):
            return True
        of = [found["dataset"]] if "dataset" in found else []
        return self.table.share(found["instance"], found["system"], *of) >= COMMON

    def is_constant(self, name: str) -> bool:
        """Whether a column has one value."""
        return self.columns[name].n_values == 1


def first(role: str, names: Sequence[str]) -> dict[str, str]:
    """Give a role to the first of some columns, if there is one."""
    return {role: names[0]} if names else {}
