"""The table of scores: systems in rows and datasets in columns, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reportkit.appearance import Appearance
from reportkit.cell_pattern import COMPARISON_FIELDS, Part, Piece
from reportkit.errors import SettingsError
from reportkit.language.numerals import fixed, interval_end, p_value_text
from reportkit.replicability.ranks import rank_intervals
from reportkit.report.facts import Facts
from reportkit.report.marking import Marking, bold_of, marking, set_off
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.records import Outcome, Score
from reportkit.report.tokens import name
from reportkit.report.wording import Wording

MOST_ACROSS = 60
"""Systems stand in rows unless that makes a table of more characters across than this, and turning it helps."""

DASH = "–"


@dataclass(frozen=True, slots=True)
class Group:
    """Names that stand together, under a title; those in no group stand at the end, without one."""

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


def natural(text: str) -> list[tuple[int, int, str]]:
    """Return the key by which people sort names: gpt-2 before gpt-10.

    Examples
    --------
    >>> sorted(["gpt-10", "gpt-2", "Bert"], key=natural)
    ['Bert', 'gpt-2', 'gpt-10']
    """
    parts = re.findall(r"\d+|\D+", text)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part.casefold()) for part in parts]


def systems_in_order(f: Facts, look: Appearance, metric: str) -> list[str]:
    """Return the systems in the order of all tables: of a pair A and B; else baselines first."""
    if f.one_pair:
        names = [f.claims[0].a, f.claims[0].b]
    else:
        baselines = () if f.design == "all-pairs" else f.baselines
        compared = f.by_metric[metric].ranking
        ranking = (*compared, *(one for one in f.systems if one not in compared))
        keys: dict[str, Callable[[str], Any]] = {"rank": ranking.index, "name": natural, "given": f.systems.index}
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
    bold = bold_of(f, look)
    datasets = grouped(f.datasets, look.dataset_groups or _by_metric(f))
    cells: dict[tuple[str, str], Cell] = {}
    underlined = False
    for dataset in f.datasets:
        here = {one: score for one in systems if (score := f.score_of.get((metric, one, dataset))) is not None}
        best, second = set_off(f, bold, metric, {one: score.value for one, score in here.items()}, dataset)
        for one, score in here.items():
            under = look.second and one in second and bold == "best"
            underlined |= under
            cells[one, dataset] = replace(writer.cell(score), bold=one in best, underline=under)
    average = _averages(f, look, metric, systems, writer) if look.average and not f.across else {}
    differences = {}
    if f.one_pair:
        differences = {item.dataset: Cell(text=writer.signed(_gap(f, item))) for item in f.of(_claim(f, metric))}
    board = _board(f, metric, systems, writer)
    grid = _Grid(
        f=f,
        words=words,
        systems=grouped(systems, look.system_groups),
        datasets=datasets,
        cells=cells,
        heads={one: f"({marks.letters[one]}) {name(one)}" if one in marks.letters else name(one) for one in systems},
        sizes=_sizes(f, metric, systems),
        average=average,
        differences=differences,
        further={
            head: {item.dataset: words.fill(cell, o=item) for item in f.of(_claim(f, metric))}
            for head, cell in words.heads["columns"].items()
            if f.one_pair
        },
        board=board,
    )
    shown: dict[str, Any] = {
        "metric": f.by_metric[metric],
        "marks": marks,
        "bold": bold,
        "underlined": underlined,
        "average": bool(average),
        "dash": any(cell.text == DASH for cell in average.values()),
        "fields": writer.fields(),
        "differences": f.one_pair or "diff" in look.pattern.fields,
        "board": len(board),
        "own_instances": not f.one_pair and any(DASH in size for size in grid.sizes.values()),
    }
    table = grid.turned() if _turn(grid, look, f) and not board else grid.upright()
    return replace(
        table,
        name=f"results{suffix}",
        caption=words.caption("results", t=shown),
        legend=words.caption("results_legend", t=shown),
    )


def _board(f: Facts, metric: str, systems: Sequence[str], writer: _Writer) -> dict[str, tuple[str, ...]]:
    """Return of a leaderboard, by system, an interval that holds for all at once, and the ranks that it may have."""
    dataset = f.datasets[0]
    scores = {one: f.score_of.get((metric, one, dataset)) for one in systems}
    if f.design != "all-pairs" or f.across or any(score is None or score.joint is None for score in scores.values()):
        return {}
    alpha = f.alpha[0]
    better = [(item.a, item.b) for item in f.outcomes if item.metric == metric and alpha in item.marked_at]
    ranks = {one: DASH.join(map(str, dict.fromkeys(ends))) for one, ends in rank_intervals(systems, better).items()}
    ends = {
        one: [writer.number(end, dataset) for end in score.joint]
        for one, score in scores.items()
        if score and score.joint
    }
    return {one: (f"[{', '.join(ends[one])}]", ranks[one]) for one in systems}


def _claim(f: Facts, metric: str) -> Any:
    return next(claim for claim in f.claims if claim.metric == metric)


def _gap(f: Facts, item: Outcome) -> tuple[float, str]:
    """Return the difference of the mean scores, positive if A scores better, with its dataset."""
    return f.sign(item.metric, item.dataset) * (item.score_a - item.score_b), item.dataset


def _by_metric(f: Facts) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for dataset in f.datasets:
        if dataset in f.metric_of:
            found.setdefault(f.metric_of[dataset], []).append(dataset)
    return found


def _sizes(f: Facts, metric: str, systems: Sequence[str]) -> dict[str, str]:
    """Write the number of instances of each dataset; empty where it is not known of any."""
    found: dict[str, str] = {}
    outcomes = {item.dataset: item for item in f.of(_claim(f, metric))} if f.one_pair else {}
    for dataset in f.datasets:
        if dataset in outcomes and outcomes[dataset].sizes:
            found[dataset] = " / ".join(f"{n:,}" for n in outcomes[dataset].sizes)
            continue
        scores = [f.score_of.get((metric, one, dataset)) for one in systems]
        ns = [score.n for score in scores if score is not None and score.n is not None]
        found[dataset] = "" if not ns else f"{min(ns):,}" if min(ns) == max(ns) else f"{min(ns):,}{DASH}{max(ns):,}"
    return found if any(found.values()) else {}


def _averages(f: Facts, look: Appearance, metric: str, systems: Sequence[str], writer: _Writer) -> dict[str, Cell]:
    """Average the scores of each system over the datasets; a dash where it lacks one."""
    if len(f.datasets) < 2 or f.metric_of:
        raise SettingsError(
            "average=True averages over the datasets, and the table has one"
            if len(f.datasets) < 2
            else "scores by different metrics have no mean",
            where=", ".join(map(repr, f.datasets)),
            remedy="leave it away (no --average)",
        )
    means = {}
    for one in systems:
        values = [score.value for dataset in f.datasets if (score := f.score_of.get((metric, one, dataset)))]
        if len(values) == len(f.datasets):
            means[one] = sum(values) / len(values)
    best, second = set_off(f, "none" if look.bold == "none" else "best", metric, means)
    return {
        one: Cell(text=writer.number(means[one]), bold=one in best, underline=look.second and one in second)
        if one in means
        else Cell(text=DASH)
        for one in systems
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

    def signed(self, gap: tuple[float, str], decimals: int | None = None) -> str:
        """Write a difference on a dataset."""
        scale = self.f.scale(self.metric, gap[1])
        return interval_end(gap[0] * scale.factor, scale.decimals if decimals is None else decimals)

    def cell(self, score: Score) -> Cell:
        """Fill the pattern for one system on one dataset; brackets with nothing in them are left out."""
        self.scores.append(score)
        mark = self.marks.signs.get((score.system, score.dataset), "")
        text, at_end = "", self.pattern.parts[-1].pieces[-1].field == "mark"
        for part in self.pattern.parts:
            if not part.bracket or not part.fields or any(map(self._known(score, mark).get, part.fields)):
                text += "".join(self._piece(piece, score, "" if at_end else mark) for piece in part.pieces)
        return Cell(text=text, mark=mark if at_end else "")

    def _known(self, score: Score, mark: str) -> dict[str, bool]:
        values = {"mark": bool(mark), "score": True, "n": score.n is not None, "sd": score.sd is not None}
        values |= {"se": score.se is not None, "ci_low": score.low is not None, "ci_high": score.high is not None}
        compared = (score.system, score.dataset) in self.outcomes
        return values | dict.fromkeys(("diff", "p", "adjusted_p"), compared)

    def _piece(self, piece: Piece, score: Score, mark: str) -> str:
        if not piece.field:
            return piece.words
        why = score.spread.get("no_sd" if piece.field == "sd" else "no_error", "")
        why = why if piece.field in ("sd", "se", "ci_low", "ci_high") else ""
        if piece.field == "n" and score.n is None:
            why = "the number of instances is not printed"
        if why:
            raise SettingsError(
                f"the field {piece.field!r} is not known: {why}",
                where=f"cell is {self.pattern.text!r}",
                remedy="leave it out, or show another field",
            )
        if not self._known(score, mark)[piece.field]:
            return "" if piece.field == "mark" else DASH
        item = self.outcomes.get((score.system, score.dataset))
        match piece.field:
            case "mark":
                return mark
            case "n":
                return f"{score.n:,}"
            case "p" | "adjusted_p" if item is not None:
                return p_value_text(item.p_value if piece.field == "p" else item.adjusted)
            case "diff" if item is not None:
                return self.signed(_gap(self.f, item), piece.decimals)
        values = {"score": score.value, "sd": score.sd, "se": score.se, "ci_low": score.low, "ci_high": score.high}
        return self.number(values[piece.field] or 0.0, score.dataset, piece.decimals)

    def fields(self) -> list[dict[str, Any]]:
        """Return for the legend each further field with the place of it and what it is over."""
        found, before = [], ""
        for part in self.pattern.parts:
            for piece in part.pieces:
                if piece.field and piece.field not in ("score", "mark"):
                    found.append(
                        {
                            "field": piece.field,
                            "place": _place(part, before),
                            "over": self._over("sd_over" if piece.field == "sd" else "error_over"),
                            "interval": self._over("interval"),
                        }
                    )
                before = "" if piece.field else piece.words
        return found

    def _over(self, key: str) -> list[str]:
        return list(dict.fromkeys(score.spread[key] for score in self.scores if key in score.spread))


def _place(part: Part, before: str) -> str:
    if before.rstrip().endswith(("±", "+/-", "+-")):
        return "±"
    return part.bracket or "beside"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Everything that a table of scores shows, whichever side is up."""

    f: Facts
    words: Wording
    systems: Sequence[Group]
    datasets: Sequence[Group]
    cells: Mapping[tuple[str, str], Cell]
    heads: Mapping[str, str]
    sizes: Mapping[str, str]
    average: Mapping[str, Cell]
    differences: Mapping[str, Cell]
    further: Mapping[str, Mapping[str, str]]
    board: Mapping[str, tuple[str, ...]]

    @property
    def metrics(self) -> dict[str, str]:
        """Return the metric of each dataset, where these differ and no header over the datasets says it."""
        grouped_by_metric = any(group.title in self.f.metric_of.values() for group in self.datasets)
        return {} if grouped_by_metric else dict(self.f.metric_of)

    def cell(self, system: str, dataset: str) -> Cell:
        """Return the cell of a system on a dataset; a dash where there is no score."""
        return self.cells.get((system, dataset), Cell(text=DASH))

    def upright(self) -> Table:
        """Return the table with systems in rows."""
        heads, names = self.words.heads, in_order(self.datasets)
        more = (Cell(),) * (bool(self.average) + 2 * bool(self.board))
        header: list[tuple[str, Mapping[str, str]]] = [(heads["metric"], self.metrics)] if self.metrics else []
        header += [(heads["n"], self.sizes)] if self.sizes else []
        columns = [Column(header=heads["system"], align="left"), *(Column(header=name(one)) for one in names)]
        if self.average:
            columns.append(Column(header=heads["average"], apart=True))
        columns += [Column(header=heads[one]) for one in ("joint", "ranks") if self.board]
        rows = {
            one: Row(
                cells=(
                    Cell(text=self.heads[one]),
                    *(self.cell(one, dataset) for dataset in names),
                    *((self.average[one],) if self.average else ()),
                    *(Cell(text=text) for text in self.board.get(one, ())),
                )
            )
            for one in in_order(self.systems)
        }
        below: tuple[Row, ...] = ()
        if self.differences:
            gaps = (self.differences.get(one, Cell(text=DASH)) for one in names)
            below = (Row(cells=(Cell(text=heads["difference"]), *gaps, *more), rule_above=True),)
        return Table(
            name="results",
            caption="",
            columns=tuple(columns),
            rows=(*in_groups(self.systems, rows, len(columns)), *below),
            header_rows=tuple(
                Row(cells=(Cell(text=head), *(Cell(text=values.get(one, "")) for one in names), *more))
                for head, values in header
            ),
            spanners=spanners_over(self.datasets, 1),
        )

    def turned(self) -> Table:
        """Return the table with datasets in rows."""
        heads, names = self.words.heads, in_order(self.systems)
        columns = [Column(header=heads["dataset"], align="left")]
        columns += [Column(header=heads["metric"], align="left", of_header=True)] if self.metrics else []
        columns += [Column(header=heads["n"], of_header=True)] if self.sizes else []
        first = len(columns)
        columns += [Column(header=self.heads[one]) for one in names]
        columns += [Column(header=heads["difference"], apart=True)] if self.differences else []
        columns += [Column(header=head) for head in self.further]
        rows = {}
        for dataset in in_order(self.datasets):
            cells = [Cell(text=name(dataset))]
            cells += [Cell(text=self.metrics.get(dataset, ""))] if self.metrics else []
            cells += [Cell(text=self.sizes[dataset])] if self.sizes else []
            cells += [self.cell(one, dataset) for one in names]
            cells += [self.differences.get(dataset, Cell(text=DASH))] if self.differences else []
            cells += [Cell(text=values.get(dataset, DASH)) for values in self.further.values()]
            rows[dataset] = Row(cells=tuple(cells))
        below: tuple[Row, ...] = ()
        if self.average:
            empty = [Cell()] * (first - 1)
            last = [Cell()] * (bool(self.differences) + len(self.further))
            cells = [Cell(text=heads["average"]), *empty, *(self.average[one] for one in names), *last]
            below = (Row(cells=tuple(cells), rule_above=True),)
        return Table(
            name="results",
            caption="",
            columns=tuple(columns),
            rows=(*in_groups(self.datasets, rows, len(columns)), *below),
            spanners=spanners_over(self.systems, first),
        )


def spanners_over(groups: Sequence[Group], first: int) -> tuple[Spanner, ...]:
    """Return heads over the columns of each group with a title; the first name stands in column `first`."""
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


def _turn(grid: _Grid, look: Appearance, f: Facts) -> bool:
    """Whether datasets stand in rows: if asked for, of a pair, and where that is much narrower."""
    if look.rows != "auto":
        return look.rows == "datasets"
    wide = characters(grid.upright())
    return f.one_pair or (wide > MOST_ACROSS and wide > characters(grid.turned()) + 8)


def characters(table: Table) -> int:
    """Count the characters across a table, each column as wide as its widest cell, with two between."""
    columns = zip(
        [column.header for column in table.columns],
        *(
            [cell.text + cell.mark for cell in row.cells]
            for row in (*table.header_rows, *table.rows)
            if not row.heading
        ),
        strict=True,
    )
    return sum(
        2 + max(len(re.sub("[\ue000-\ue002]|name|strong", "", str(text))) for text in column) for column in columns
    )
