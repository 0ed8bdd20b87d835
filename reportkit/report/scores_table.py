"""The table of scores: systems in rows and datasets in columns, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reportkit.appearance import Appearance
from reportkit.cell_pattern import COMPARISON_FIELDS
from reportkit.errors import SettingsError
from reportkit.language import fixed, interval_end, p_value_text
from reportkit.replicability.ranks import rank_intervals
from reportkit.report.facts import Facts
from reportkit.report.marking import Marking, bold_of, marking, set_off
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.records import Outcome, Score
from reportkit.report.tokens import name
from reportkit.report.wording import Wording
from reportkit.report.words import datasets_by_metric
from reportkit.scores.codes import natural_key

MOST_ACROSS = 60
"""Systems are in rows, unless the table is then wider than this many characters and turning it helps."""

DASH = "–"
METRIC, N, DIFFERENCE, AVERAGE, JOINT, RANKS = "\0metric", "\0n", "\0difference", "\0average", "\0joint", "\0ranks"
"""Rows and columns that are not systems or datasets, by the keys of their heads."""


@dataclass(frozen=True, slots=True)
class Group:
    """Names under one title; names without a group come last, without a title."""

    title: str
    members: tuple[str, ...]


def grouped(names: Sequence[str], groups: Mapping[str, Sequence[str]]) -> list[Group]:
    """Put names into their groups.

    Examples
    --------
    >>> grouped(["hans", "sst2", "mnli"], {"In-domain": ["mnli", "sst2"]})
    [Group(title='In-domain', members=('mnli', 'sst2')), Group(title='', members=('hans',))]
    """
    found = [Group(title, here) for title, some in groups.items() if (here := tuple(n for n in some if n in names))]
    rest = tuple(n for n in names if not any(n in group.members for group in found))
    return [*found, Group("", rest)] if rest else found


def in_order(groups: Iterable[Group]) -> list[str]:
    """Return all names, group by group."""
    return [member for group in groups for member in group.members]


def systems_in_order(f: Facts, look: Appearance, metric: str) -> list[str]:
    """Return the systems in the order of all tables: of a pair A and B; else baselines first."""
    if f.one_pair:
        names = [f.claims[0].a, f.claims[0].b]
    else:
        baselines = () if f.design == "all-pairs" else f.baselines
        compared = f.by_metric[metric].ranking
        ranking = (*compared, *(one for one in f.systems if one not in compared))
        keys: dict[str, Callable[[str], Any]] = {"rank": ranking.index, "name": natural_key, "given": f.systems.index}
        names = sorted(f.systems, key=lambda one: (one not in baselines, keys[look.order](one)))
    return in_order(grouped(names, look.system_groups))


def scores_table(f: Facts, look: Appearance, words: Wording, metric: str, suffix: str = "") -> Table:
    """Return the table of the scores of a metric.

    Raises
    ------
    SettingsError
        If the appearance asks for something that the comparisons do not have.
    """
    systems = systems_in_order(f, look, metric)
    marks = marking(f, look, metric, systems, words.heads)
    writer = _Writer(f, look, metric, marks)
    bold = bold_of(f, look, metric)
    cells: dict[str, dict[str, Cell]] = {one: {} for one in systems}
    for dataset in f.datasets:
        here = {one: score for one in systems if (score := f.score_of.get((metric, one, dataset))) is not None}
        best, second = set_off(f, bold, metric, {one: score.value for one, score in here.items()}, dataset)
        for one, score in here.items():
            under = look.second and one in second and bold == "best"
            cells[one][dataset] = replace(writer.cell(score), bold=one in best, underline=under)
    average = _averages(f, look, metric, systems, writer) if look.average and not f.across else {}
    outcomes = f.of(next(claim for claim in f.claims if claim.metric == metric)) if f.one_pair else ()
    datasets = grouped(f.datasets, look.dataset_groups or datasets_by_metric(f))
    sizes = _sizes(f, metric, systems, outcomes)
    board = _board(f, metric, systems, writer)
    heads = {one: f"({letter}) {name(one)}" for one, letter in marks.letters.items()}
    heads |= {key: words.heads[key[1:]] for key in (METRIC, N, DIFFERENCE, AVERAGE, JOINT, RANKS)}
    if f.metric_of and not any(group.title in f.metric_of.values() for group in datasets):
        cells[METRIC] = {one: Cell(text=f.metric_of[one]) for one in f.datasets}
    if any(sizes.values()):
        cells[N] = {one: Cell(text=size) for one, size in sizes.items()}
    above, below, further = [key for key in (METRIC, N) if key in cells], [], []
    for one in systems:
        cells[one] |= {AVERAGE: average[one]} if average else {}
        cells[one] |= dict(zip((JOINT, RANKS), board.get(one, ()), strict=False))
    if f.one_pair:
        below = [DIFFERENCE]
        cells[DIFFERENCE] = {o.dataset: Cell(text=writer.signed(_gap(f, o), o.dataset)) for o in outcomes}
        for head, template in words.heads["columns"].items():
            further.append(f"\0{head}")
            heads[f"\0{head}"] = head
            cells[f"\0{head}"] = {o.dataset: Cell(text=words.fill(template, o=o)) for o in outcomes}
    shown: dict[str, Any] = {
        "metric": f.by_metric[metric],
        "marks": marks,
        "bold": bold,
        "underlined": any(cell.underline for line in cells.values() for cell in line.values()),
        "average": bool(average),
        "dash": any(cell.text == DASH for cell in average.values()),
        "fields": writer.fields(),
        "differences": f.one_pair or "diff" in look.pattern.fields,
        "board": len(board),
        "own_instances": not f.one_pair and any(DASH in size for size in sizes.values()),
    }
    caption, legend = words.caption("results", t=shown), words.caption("results_legend", t=shown)

    def cell(line: str, dataset: str) -> Cell:
        return cells[line].get(dataset, Cell() if dataset[0] == "\0" else Cell(text=DASH))

    lines, more = grouped(systems, look.system_groups), [AVERAGE] * bool(average)
    upright = grid(
        words.heads["system"],
        [*lines, *_untitled(below)],
        [*datasets, *_untitled(more + [JOINT, RANKS] * bool(board))],
        heads,
        cell,
        above,
    )
    turned = grid(
        words.heads["dataset"],
        [*datasets, *_untitled(more)],
        [*_untitled(above), *lines, *_untitled(below + further)],
        heads,
        lambda dataset, line: cell(line, dataset),
    )
    chosen = turned if turn(upright, turned, look, pair=f.one_pair) and not board else upright
    return replace(chosen, name=f"results{suffix}", caption=caption, legend=legend)


def grid(
    corner: str,
    rows: Sequence[Group],
    columns: Sequence[Group],
    heads: Mapping[str, str],
    cell: Callable[[str, str], Cell],
    above: Sequence[str] = (),
) -> Table:
    """Return a table without caption: grouped names in rows and columns, with a cell for each pair of names.

    Parameters
    ----------
    corner : str
        Head of the names in the rows.
    rows, columns : sequence of Group
        Names.
    heads : mapping of str to str
        What is printed instead of the label of a name.
    cell : callable
        Cell of a row and a column.
    above : sequence of str
        Names of rows that belong to the header.
    """
    across = in_order(columns)

    def row(one: str) -> Row:
        return Row(cells=(Cell(text=heads.get(one) or name(one)), *(cell(one, other) for other in across)))

    aligned = (Column(header=heads.get(one) or name(one), align="left" if one == METRIC else "right") for one in across)
    return Table(
        name="",
        caption="",
        columns=(Column(header=corner, align="left"), *aligned),
        rows=tuple(in_groups(rows, {one: row(one) for one in in_order(rows)}, len(across) + 1)),
        header_rows=tuple(map(row, above)),
        spanners=spanners_over(columns, 1),
    )


def _untitled(names: Sequence[str]) -> list[Group]:
    return [Group("", tuple(names))] if names else []


def _board(f: Facts, metric: str, systems: Sequence[str], writer: _Writer) -> dict[str, tuple[Cell, ...]]:
    """Return, for a leaderboard, each system's joint interval and the ranks that it may have."""
    dataset = f.datasets[0]
    scores = {one: f.score_of.get((metric, one, dataset)) for one in systems}
    joint = {one: score.joint for one, score in scores.items() if score is not None and score.joint is not None}
    if f.design != "all-pairs" or f.across or len(joint) < len(systems):
        return {}
    better = [(item.a, item.b) for item in f.outcomes if item.metric == metric and f.alpha[0] in item.marked_at]
    ranks = {one: DASH.join(map(str, dict.fromkeys(ends))) for one, ends in rank_intervals(systems, better).items()}
    written = {one: ", ".join(writer.number(end, dataset) for end in ends) for one, ends in joint.items()}
    return {one: (Cell(text=f"[{written[one]}]"), Cell(text=ranks[one])) for one in systems}


def _gap(f: Facts, item: Outcome) -> float:
    """Return the difference of the mean scores, positive if A scores better."""
    return f.sign(item.metric, item.dataset) * (item.score_a - item.score_b)


def _sizes(f: Facts, metric: str, systems: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Write the number of instances of each dataset; empty where it is not known."""
    found: dict[str, str] = {}
    for dataset in f.datasets:
        scores = [f.score_of.get((metric, one, dataset)) for one in systems]
        ns = [score.n for score in scores if score is not None and score.n is not None]
        found[dataset] = DASH.join(f"{n:,}" for n in dict.fromkeys((min(ns), max(ns)))) if ns else ""
    return found | {item.dataset: " / ".join(f"{n:,}" for n in item.sizes) for item in outcomes if item.sizes}


def _averages(f: Facts, look: Appearance, metric: str, systems: Sequence[str], writer: _Writer) -> dict[str, Cell]:
    """Average the scores of each system over the datasets; a dash where it lacks one."""
    if len(f.datasets) < 2 or f.metric_of:
        raise SettingsError(
            "average=True averages over the datasets, and the table has one"
            if len(f.datasets) < 2
            else "scores by different metrics have no mean",
            where=", ".join(map(repr, f.datasets)),
            remedy="leave it out (no --average)",
        )
    means = {}
    for one in systems:
        values = [score.value for dataset in f.datasets if (score := f.score_of.get((metric, one, dataset)))]
        if len(values) == len(f.datasets):
            means[one] = sum(values) / len(values)
    best, second = set_off(f, "none" if look.bold == "none" else "best", metric, means)
    return dict.fromkeys(systems, Cell(text=DASH)) | {
        one: Cell(text=writer.number(mean), bold=one in best, underline=look.second and one in second)
        for one, mean in means.items()
    }


class _Writer:
    """Fills the pattern of a cell."""

    def __init__(self, f: Facts, look: Appearance, metric: str, marks: Marking) -> None:
        self.f, self.metric, self.marks, self.pattern = f, metric, marks, look.pattern
        self.scores: list[Score] = []
        asked = [one for one in self.pattern.fields if one in COMPARISON_FIELDS and one != "mark"]
        if asked and not f.one_pair and (f.design == "all-pairs" or len(f.baselines) != 1):
            raise SettingsError(
                f"the field {asked[0]!r} is of the comparison with one system, and each is compared with several",
                where=f"cell is {self.pattern.text!r}",
                remedy="name one baseline (--baseline NAME), or leave the field out; marks='letters' shows who is "
                "better than which system",
            )
        self.outcomes = {(item.a, item.dataset): item for item in f.outcomes if item.metric == metric} if asked else {}

    def number(self, value: float, dataset: str | None = None, decimals: int | None = None) -> str:
        """Write a score."""
        scale = self.f.scale(self.metric, dataset)
        return fixed(value * scale.factor, scale.decimals if decimals is None else decimals)

    def signed(self, gap: float, dataset: str, decimals: int | None = None) -> str:
        """Write a difference on a dataset."""
        scale = self.f.scale(self.metric, dataset)
        return interval_end(gap * scale.factor, scale.decimals if decimals is None else decimals)

    def cell(self, score: Score) -> Cell:
        """Fill the pattern for one system on one dataset; brackets with nothing in them are left out."""
        self.scores.append(score)
        mark = self.marks.signs.get((score.system, score.dataset), "")
        text, at_end = "", self.pattern.parts[-1].pieces[-1].field == "mark"
        for part in self.pattern.parts:
            written = [self._field(piece.field, piece.decimals, score, mark) for piece in part.pieces]
            if part.bracket and part.fields and not any(written):
                continue
            for piece, value in zip(part.pieces, written, strict=True):
                if piece.field == "mark":
                    text += "" if at_end else mark
                else:
                    text += value or (self._missing(piece.field, score) if piece.field else piece.words)
        return Cell(text=text, mark=mark if at_end else "")

    def _field(self, field: str, decimals: int | None, score: Score, mark: str) -> str:
        """Write a field; empty where it is not known."""
        values = {"score": score.value, "sd": score.sd, "se": score.se, "ci_low": score.low, "ci_high": score.high}
        item = self.outcomes.get((score.system, score.dataset))
        if (value := values.get(field)) is not None:
            return self.number(value, score.dataset, decimals)
        if field == "mark":
            return mark
        if field == "n":
            return "" if score.n is None else f"{score.n:,}"
        if item is None or field not in COMPARISON_FIELDS:
            return ""
        if field == "diff":
            return self.signed(_gap(self.f, item), item.dataset, decimals)
        return p_value_text(item.p_value if field == "p" else item.adjusted)

    def _missing(self, field: str, score: Score) -> str:
        """Write a dash for a field of a system that is not compared; refuse a field that is never known."""
        if field in COMPARISON_FIELDS:
            return DASH
        why = "" if field == "n" else score.spread.get("no_sd" if field == "sd" else "no_error", "")
        if not why and field != "n":
            return DASH
        raise SettingsError(
            f"the field {field!r} is not known: {why or 'the number of instances is not printed'}",
            where=f"cell is {self.pattern.text!r}",
            remedy="leave it out, or show another field",
        )

    def fields(self) -> list[dict[str, Any]]:
        """Return, for the legend, each further field of a cell, with its position and what it is computed over."""
        found, before = [], ""
        for part in self.pattern.parts:
            for piece in part.pieces:
                if piece.field and piece.field not in ("score", "mark"):
                    plus_minus = before.rstrip().endswith(("±", "+/-", "+-"))
                    found.append(
                        {
                            "field": piece.field,
                            "place": "±" if plus_minus else part.bracket or "beside",
                            "over": self._over("sd_over" if piece.field == "sd" else "error_over"),
                            "interval": self._over("interval"),
                        }
                    )
                before = "" if piece.field else piece.words
        return found

    def _over(self, key: str) -> list[str]:
        return list(dict.fromkeys(score.spread[key] for score in self.scores if key in score.spread))


def spanners_over(groups: Sequence[Group], first: int) -> tuple[Spanner, ...]:
    """Return heads over the columns of each group with a title; the first name is in column `first`."""
    found = []
    for group in groups:
        last = first + len(group.members) - 1
        if group.title:
            found.append(Spanner(header=group.title, first=first, last=last))
        first = last + 1
    return tuple(found)


def in_groups(groups: Sequence[Group], rows: Mapping[str, Row], n_columns: int) -> list[Row]:
    """Return the rows of all names, with a heading above each group that has a title, and a rule between groups."""
    found = []
    for number, group in enumerate(groups):
        if group.title:
            cells = (Cell(text=group.title), *[Cell()] * (n_columns - 1))
            found.append(Row(cells=cells, rule_above=number > 0, heading=True))
        for index, member in enumerate(group.members):
            found.append(replace(rows[member], rule_above=index == 0 and number > 0 and not group.title))
    return found


def turn(upright: Table, turned: Table, look: Appearance, *, pair: bool = False) -> bool:
    """Return whether datasets are in rows: if the user says so, for a pair, and where that is much narrower."""
    if look.rows != "auto":
        return look.rows == "datasets"
    wide = characters(upright)
    return pair or (wide > MOST_ACROSS and wide > characters(turned) + 8)


def characters(table: Table) -> int:
    """Count the characters across a table, each column as wide as its widest cell, with two between."""
    rows = [row for row in (*table.header_rows, *table.rows) if not row.heading]
    texts = [[column.header for column in table.columns], *([one.text + one.mark for one in row.cells] for row in rows)]
    plain = [[re.sub("[\ue000-\ue002]|name|strong", "", text) for text in line] for line in texts]
    return sum(2 + max(map(len, column)) for column in zip(*plain, strict=True))
