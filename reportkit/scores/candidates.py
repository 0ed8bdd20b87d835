"""Say what each column of a table could be: by its name, and by what it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from reportkit.errors import ColumnError, UnknownNameError, nearest
from reportkit.scores.choices import ROLES as DECLARABLE
from reportkit.scores.column_facts import Table
from reportkit.scores.names import (
    POSSIBLE,
    direction_of,
    is_average,
    is_average_word,
    is_covariate,
    is_spread,
    metric_of,
    order_of,
    strength,
)
from reportkit.scores.understanding import FILES, Proposal, QuestionError, Request, Roles


class Candidates:
    """The columns of one table: what each could be, by its name and by what it holds."""

    def __init__(self, table: Table, request: Request) -> None:
        self.table, self.request = table, request
        self.names = [name for name in table.columns if table.columns[name].kind != "empty"]
        self.given = _checked(request.columns, request.systems, list(table.columns))

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

    def _is_mean(self, name: str, others: Sequence[str]) -> bool:
        rest = [other for other in others if other != name and self.table.columns[other].kind == "number"]
        if len(rest) < 2:
            return False
        frame = self.table.frame
        return bool(
            np.nanmax(np.abs(frame[rest].mean(axis=1) - frame[name])) < 0.02 * max(1.0, frame[name].abs().max())
        )

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


__all__ = ["Candidates"]
