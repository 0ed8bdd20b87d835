"""Tables of claims: on how many datasets, which pairs, p-values, printed figures, other tests, Friedman's test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.appearance import Appearance
from reportkit.language.numerals import fixed, level_text, p_value_beside_levels, p_value_text, percent_text
from reportkit.report.facts import Facts
from reportkit.report.model import Cell, Column, Row, Spanner, Table
from reportkit.report.records import Claim, Outcome
from reportkit.report.scores_table import DASH, Group, grouped, in_groups, spanners_over, systems_in_order
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
    if f.one_pair:
        return _of_pair(f, look, words, claims, suffix)
    outcomes = {(item.a, item.b, item.dataset): item for item in f.outcomes if item.metric == metric}
    rows = {}
    for dataset in f.datasets:
        found = [outcomes.get((claim.a, claim.b, dataset)) for claim in claims]
        cells = (DASH if item is None else p_cell(item.adjusted, f.alpha) for item in found)
        rows[dataset] = _row(name(dataset), *cells)
    one = len(f.baselines) == 1
    heads = [Column(header=name(claim.a if one else claim.b)) for claim in claims]
    over: list[Group] = []
    for claim in claims:
        if over and over[-1].title == f"{name(claim.a)} >":
            over[-1] = Group(over[-1].title, (*over[-1].members, claim.b))
        else:
            over.append(Group(f"{name(claim.a)} >", (claim.b,)))
    columns = [_left(words.heads["dataset"]), *heads]
    return table(
        "p-values",
        words,
        columns,
        in_groups(grouped(f.datasets, look.dataset_groups), rows, len(columns)),
        suffix=suffix,
        metric=f.by_metric[metric],
        spanners=() if one else spanners_over(over, 1),
    )


def _of_pair(f: Facts, look: Appearance, words: Wording, claims: Sequence[Claim], suffix: str) -> Table:
    heads, first = words.heads, f.of(claims[0])
    tests = {f.tests[item.test].title for item in first}
    known = [item for item in first if item.level is not None]
    differing = not f.printed and any(item.n_nonzero is not None for item in first)
    columns = [_left(heads["dataset"])]
    columns += [_left(f"{percent_text(known[0].level or 0)} {heads['interval']}")] if known else []
    columns += [_left(heads["test"])] if len(tests) > 1 else []
    columns += [Column(header=heads["differing"])] if differing else []
    spanners = []
    for claim in claims:
        if len(claims) > 1:
            header = f"{name(claim.a)} {heads['better']}"
            spanners.append(Spanner(header=header, first=len(columns), last=len(columns) + 1))
        columns += [Column(header=heads["p"]), Column(header=heads["adjusted"])]
    by_claim = [{item.dataset: item for item in f.of(claim)} for claim in claims]
    rows = {}
    for item in first:
        cells = [name(item.dataset)]
        cells += [_ends(f, item)] if known else []
        cells += [f.tests[item.test].title.removesuffix(" test")] if len(tests) > 1 else []
        cells += [DASH if item.n_nonzero is None else f"{item.n_nonzero:,}"] if differing else []
        for outcomes in by_claim:
            found = outcomes[item.dataset]
            cells += [p_cell(found.p_value), p_cell(found.adjusted, f.alpha)]
        rows[item.dataset] = _row(*cells)
    test = f.tests[first[0].test]
    return table(
        "p-values",
        words,
        columns,
        in_groups(grouped([item.dataset for item in first], look.dataset_groups), rows, len(columns)),
        suffix=suffix,
        metric=f.by_metric[claims[0].metric],
        spanners=spanners,
        interval=test.interval,
        percent=test.percent,
        differing=differing,
        unit=test.unit,
    )


def _ends(f: Facts, item: Outcome) -> str:
    if item.low is None or item.high is None:
        return DASH
    return f"[{diff(f, item.low, item.metric, item.dataset)}, {diff(f, item.high, item.metric, item.dataset)}]"


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
