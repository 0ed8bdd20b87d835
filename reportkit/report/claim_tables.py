"""Tables of claims: on how many datasets, which pairs, p-values, printed figures, other tests, Friedman's test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reportkit.appearance import Appearance
from reportkit.language import fixed, level_text, p_value_beside_levels, p_value_text
from reportkit.report.facts import Facts
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.records import Claim
from reportkit.report.scores_table import DASH, grouped, in_groups, systems_in_order
from reportkit.report.tokens import name
from reportkit.report.wording import Wording
from reportkit.report.words import diff, effect

MOST_ROWS = 45


def _left(head: str) -> Column:
    return Column(header=head, align="left")


def claim_name(claim: Claim | Mapping[str, Any]) -> str:
    """Write a claim: "A > B"."""
    a, b = (claim.a, claim.b) if isinstance(claim, Claim) else (claim["a"], claim["b"])
    return f"{name(a)} > {name(b)}"


def same_datasets(f: Facts) -> bool:
    """Return whether all pairs are compared on the same number of datasets."""
    return len({len(claim.datasets) for claim in f.claims}) == 1


def replicability_table(f: Facts, words: Wording) -> Table:
    """Return on how many datasets each claim is shown: a count without correction, and k-hat at each level."""
    same, several = same_datasets(f), len(f.metrics) > 1
    counts = any(bound.count != bound.recommended for claim in f.claims for bound in claim.bounds[:1])
    rows = []
    for claim in f.claims:
        of = "" if same else f"/{len(claim.datasets)}"
        cells = [f.by_metric[claim.metric].title] * several + [claim_name(claim)]
        cells += [f"{claim.bounds[0].count}{of}"] * counts
        rows.append([*cells, *(f"{bound.recommended}{of}" for bound in claim.bounds)])
    method = f.claims[0].bounds[0].method
    return words.table("replicability", rows, nested=[0] * several, same=same, count=counts, method=method)


def pairs_table(f: Facts, look: Appearance, words: Wording, metric: str, suffix: str = "") -> Table:
    """Return, for all pairs, on how many datasets the system of the row is better; on one dataset, its lead."""
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
                cells.append(effect(f, f.of(claim)[0].difference, metric, f.datasets[0]) if claim.shown else "")
            else:
                of = "" if same else f"/{len(claim.datasets)}"
                cells.append(f"{claim.k_hat}{of}" if claim.shown or of else "")
        rows.append(cells)
    columns = [_left(""), *(Column(header=letters[one], align="center") for one in systems)]
    spanner = Spanner(header=words.heads["better_than"], first=1, last=len(systems))
    apart = len(claims) < len(systems) * (len(systems) - 1)
    about = {"metric": f.by_metric[metric], "columns": columns, "spanners": [spanner]}
    return words.table("pairs", rows, suffix=suffix, same=same, apart=apart, **about)


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
            cells += [DASH if item is None else p_value_text(item.p_value)] * pair
            cells += [DASH if item is None else p_value_beside_levels(item.adjusted, f.alpha)]
        rows[dataset] = Row(cells=tuple(Cell(text=one) for one in cells))
    ordered = in_groups(grouped(datasets, look.dataset_groups), rows, len(columns))
    about = {"metric": f.by_metric[metric], "columns": columns, "spanners": spanners}
    return words.table("p-values", ordered, suffix=suffix, **about)


def reproduction_table(f: Facts, words: Wording) -> Table:
    """Return k-hat as printed, recomputed from the printed p-values, and recomputed with the direction respected."""
    methods = ("count", "bonferroni", "fisher")
    known = any(item["printed"] for item in f.reproductions)
    heads = (*[("printed", 3)] * known, ("recomputed", 3), ("a_better", 2), ("b_better", 2))
    rows, spanners, bar, differs = [], list[Spanner](), False, False
    for head, n in heads:
        first = spanners[-1].last + 1 if spanners else 2
        spanners.append(Spanner(header=words.heads[head], first=first, last=first + n - 1))
    for item in f.reproductions:
        printed, recomputed = (item["printed"] or {}).get("k_hat", {}), item["recomputed"]
        cells: list[str | Cell] = [claim_name(item), level_text(item["alpha"])]
        cells += [str(printed.get(one, DASH)) for one in methods] * known
        for one in methods:
            other = one in printed and printed[one] != recomputed[one]
            differs |= other
            cells.append(Cell(text=str(recomputed[one]), bold=other))
        for side in ("a_better", "b_better"):
            for one in methods[1:]:
                values = list(dict.fromkeys(str(reading[one]) for reading in item[side].values()))
                bar |= len(values) > 1
                cells.append("|".join(values))
        rows.append(cells)
    return words.table("reproduction", rows, nested=[0], spanners=spanners, known=known, bar=bar, differs=differs)


def friedman_tables(f: Facts, words: Wording) -> list[Table]:
    """Return average ranks, and the pairs where these are not compared elsewhere."""
    found = f.friedman or {}
    ranks: Mapping[str, float] = found["average_ranks"]
    best = min(ranks.values()) + 1e-12
    tables = [words.table("ranks", [(name(one), Cell(text=fixed(r, 2), bold=r <= best)) for one, r in ranks.items()])]
    if f.across and f.design in ("all-pairs", "both"):
        return tables
    shown = found["pairs"][:MOST_ROWS]
    rows = [
        (
            f"{name(pair['system_a'])}, {name(pair['system_b'])}",
            diff(f, pair["mean_difference"], f.metrics[0].name),
            p_value_text(pair["p_value"]),
            Cell(text=p_value_text(pair["adjusted_p_value"]), mark="*" if pair["differs"] else ""),
        )
        for pair in shown
    ]
    marked, more = any(pair["differs"] for pair in shown), len(shown) < len(found["pairs"])
    return [*tables, words.table("friedman-pairs", rows, more=more, shown=len(shown), marked=marked)]
