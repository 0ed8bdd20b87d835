"""Tables of claims: on how many datasets, which pairs, p-values, printed figures, other tests, Friedman's test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reportkit.appearance import Appearance
from reportkit.language.numerals import fixed, level_text, p_value_beside_levels, p_value_text
from reportkit.report.facts import Facts
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.records import Claim
from reportkit.report.scores_table import DASH, grouped, in_groups, systems_in_order
from reportkit.report.tokens import name
from reportkit.report.wording import Wording
from reportkit.report.words import diff

MOST_ROWS = 45


def _left(head: str) -> Column:
    return Column(header=head, align="left")


def _row(*cells: str | Cell, rule_above: bool = False) -> Row:
    return Row(cells=tuple(Cell(text=one) if isinstance(one, str) else one for one in cells), rule_above=rule_above)


def table(key: str, words: Wording, columns: Sequence[Column], rows: Sequence[Row], **shown: Any) -> Table:
    """Return a table with the caption and legend of a key.

    Parameters
    ----------
    key : str
        Name of the table, and with underscores of the macros of its caption and legend.
    **shown : object
        What the macros see as `t`; `spanners` and `suffix` are for the table.
    """
    macro = key.replace("-", "_")
    t = {"metric": None, **shown}
    return Table(
        name=key + shown.get("suffix", ""),
        caption=words.caption(macro, t=t),
        legend=words.caption(f"{macro}_legend", t=t) if f"{macro}_legend" in words.macros else "",
        columns=tuple(columns),
        rows=tuple(rows),
        spanners=tuple(shown.get("spanners", ())),
    )


def claim_name(claim: Claim | Mapping[str, Any]) -> str:
    """Write a claim: "A > B"."""
    a, b = (claim.a, claim.b) if isinstance(claim, Claim) else (claim["a"], claim["b"])
    return f"{name(a)} > {name(b)}"


def same_datasets(f: Facts) -> bool:
    """Whether all pairs are compared on as many datasets."""
    return len({len(claim.datasets) for claim in f.claims}) == 1


def replicability_table(f: Facts, words: Wording) -> Table:
    """Return on how many datasets each claim is shown: a count without correction, and k-hat at each level."""
    heads, same, several = words.heads, same_datasets(f), len(f.metrics) > 1
    counts = any(bound.count != bound.recommended for claim in f.claims for bound in claim.bounds[:1])
    columns = [_left(heads["metric"])] * several + [_left(heads["claim"])]
    columns += [Column(header=heads["count"])] * counts
    columns += [Column(header=f"{heads['k_hat']} ({heads['alpha']} = {level_text(alpha)})") for alpha in f.alpha]
    rows, before = [], ""
    for claim in f.claims:
        of = "" if same else f"/{len(claim.datasets)}"
        begins = claim.metric != before
        title = f.by_metric[claim.metric].title if begins else ""
        cells = [title] * several + [claim_name(claim)]
        cells += [f"{claim.bounds[0].count}{of}"] * counts
        cells += [f"{bound.recommended}{of}" for bound in claim.bounds]
        rows.append(_row(*cells, rule_above=several and begins and bool(before)))
        before = claim.metric
    method = f.claims[0].bounds[0].method
    return table("replicability", words, columns, rows, same=same, count=counts, method=method)


def pairs_table(f: Facts, look: Appearance, words: Wording, metric: str, suffix: str = "") -> Table:
    """Return for all pairs on how many datasets the system of the row is better; on one dataset, by how much."""
    systems, same = systems_in_order(f, look, metric), same_datasets(f)
    claims = {(claim.a, claim.b): claim for claim in f.claims if claim.metric == metric}
    letters = {one: f"({index + 1})" for index, one in enumerate(systems)}
    rows = []
    for one in systems:
        cells = [f"{letters[one]} {name(one)}"]
        for other in systems:
            claim = claims.get((one, other))
            if claim is None:
                cells.append(DASH if one == other else "×")
            elif len(f.datasets) == 1:
                cells.append(diff(f, f.of(claim)[0].difference, metric, f.datasets[0]) if claim.shown else "")
            else:
                of = "" if same else f"/{len(claim.datasets)}"
                cells.append(f"{claim.k_hat}{of}" if claim.shown or of else "")
        rows.append(_row(*cells))
    columns = [_left(""), *(Column(header=letters[one], align="center") for one in systems)]
    spanner = Spanner(header=words.heads["better_than"], first=1, last=len(systems))
    apart = len(claims) < len(systems) * (len(systems) - 1)
    return table(
        "pairs",
        words,
        columns,
        rows,
        suffix=suffix,
        metric=f.by_metric[metric],
        spanners=[spanner],
        same=same,
        apart=apart,
    )


def p_cell(value: float, levels: Sequence[float] = ()) -> str:
    """Write a p-value for a table: ".036", "<.001"; on which side of the levels it lies is seen."""
    return p_value_beside_levels(value, levels) if levels else p_value_text(value)


def p_values_table(f: Facts, look: Appearance, words: Wording, metric: str, suffix: str = "") -> Table:
    """Return p-values by dataset: raw and adjusted of a pair, adjusted of several claims."""
    claims = [claim for claim in f.claims if claim.metric == metric]
    heads, pair, one = words.heads, f.one_pair, len(f.baselines) == 1
    columns, spanners, rows = [_left(heads["dataset"])], list[Spanner](), {}
    for claim in claims:
        above = f"{name(claim.a)} {heads['better']}" if pair else "" if one else f"{name(claim.a)} >"
        own = [heads["p"], heads["adjusted"]] if pair else [name(claim.a if one else claim.b)]
        if spanners and spanners[-1].header == above:
            spanners[-1] = replace(spanners[-1], last=len(columns))
        elif above and len(claims) > 1:
            spanners.append(Spanner(header=above, first=len(columns), last=len(columns) + len(own) - 1))
        columns += [Column(header=head) for head in own]
    outcomes = {(item.a, item.b, item.dataset): item for item in f.outcomes if item.metric == metric}
    datasets = claims[0].datasets if pair else f.datasets
    for dataset in datasets:
        cells = [name(dataset)]
        for claim in claims:
            item = outcomes.get((claim.a, claim.b, dataset))
            cells += [DASH if item is None else p_cell(item.p_value)] * pair
            cells += [DASH if item is None else p_cell(item.adjusted, f.alpha)]
        rows[dataset] = _row(*cells)
    ordered = in_groups(grouped(datasets, look.dataset_groups), rows, len(columns))
    about = {"suffix": suffix, "metric": f.by_metric[metric], "spanners": spanners}
    return table("p-values", words, columns, ordered, **about)


def reproduction_table(f: Facts, words: Wording) -> Table:
    """Return printed k-hat, what follows from the printed p-values, and what if the direction is respected."""
    heads, methods = words.heads, ("count", "bonferroni", "fisher")
    columns = [_left(heads["claim"]), Column(header=heads["alpha"])]
    spanners = []
    for title, names in (
        ("printed", methods),
        ("recomputed", methods),
        ("a_better", methods[1:]),
        ("b_better", methods[1:]),
    ):
        last = len(columns) + len(names) - 1
        spanners.append(Spanner(header=heads[title], first=len(columns), last=last))
        columns += [Column(header=heads[one]) for one in names]
    rows, before, bar, differs = [], "", False, False
    for item in f.reproductions:
        printed, recomputed = (item["printed"] or {}).get("k_hat", {}), item["recomputed"]
        claim = claim_name(item)
        cells: list[str | Cell] = ["" if claim == before else claim, level_text(item["alpha"])]
        cells += [str(printed.get(one, DASH)) for one in methods]
        for one in methods:
            other = one in printed and printed[one] != recomputed[one]
            differs |= other
            cells.append(Cell(text=str(recomputed[one]), bold=other))
        for side in ("a_better", "b_better"):
            for one in methods[1:]:
                values = list(dict.fromkeys(str(reading[one]) for reading in item[side].values()))
                bar |= len(values) > 1
                cells.append("|".join(values))
        rows.append(_row(*cells, rule_above=bool(before) and claim != before))
        before = claim
    return table("reproduction", words, columns, rows, spanners=spanners, bar=bar, differs=differs)


def friedman_tables(f: Facts, look: Appearance, words: Wording) -> list[Table]:
    """Return average ranks, and the pairs where these are not compared elsewhere."""
    found = f.friedman or {}
    ranks: Mapping[str, float] = found["average_ranks"]
    best = min(ranks.values())
    heads = words.heads
    rows = [_row(name(one), Cell(text=fixed(rank, 2), bold=rank <= best + 1e-12)) for one, rank in ranks.items()]
    tables = [table("ranks", words, [_left(heads["system"]), Column(header=heads["rank"])], rows)]
    if f.across and f.design in ("all-pairs", "both"):
        return tables
    metric = f.metrics[0].name
    shown = found["pairs"][:MOST_ROWS]
    rows = [
        _row(
            f"{name(pair['system_a'])}, {name(pair['system_b'])}",
            diff(f, pair["mean_difference"], metric),
            p_cell(pair["p_value"]),
            Cell(text=p_cell(pair["adjusted_p_value"]), mark="*" if pair["differs"] else ""),
        )
        for pair in shown
    ]
    columns = [_left(heads["pair"]), *(Column(header=heads[one]) for one in ("difference", "p", "adjusted"))]
    more = len(shown) < len(found["pairs"])
    marked = any(pair["differs"] for pair in shown)
    return [*tables, table("friedman-pairs", words, columns, rows, more=more, shown=len(shown), marked=marked)]
