"""What holds of every report however it is worded: tables, sentences and `report.json` agree with the results."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import pandas as pd
import pytest
from pylatexenc.latex2text import LatexNodes2Text

from tests.contract.inputs import update
from tests.contract.reports import STEPS, built
from tests.contract.seen import (
    Cell,
    Claim,
    Grid,
    claims_of,
    html_tables,
    latex_table,
    markdown_tables,
    plain,
    turned,
    unbeaten_in,
)

LEVEL = 0.05
PAIRS = ("two_systems", "several_metrics", "posteriors", "baseline")
"""Reports with one claim, or one for each system against a baseline: all that is shown is said."""
ALL_PAIRS = ("all_pairs_of_8", "one_dataset", "twenty_by_twelve")
MARKED = (*PAIRS, *ALL_PAIRS, "nothing_shown", "printed_means")
STATISTICAL = ("all_pairs_of_8", "twenty_by_twelve")
"""Tables in which all scores are bold that are not significantly worse than the best."""
LOWER_IS_BETTER = {"wer"}
TOGETHER = "8 datasets taken together"


@dataclass(frozen=True)
class Decision:
    """One claim in `report.json`: adjusted p-values by dataset, and k-hat at .05 (None where nothing is counted)."""

    metric: str
    winner: str
    loser: str
    adjusted: dict[str, float]
    k_hat: int | None

    @property
    def shown(self) -> list[str]:
        """Datasets on which the claim is shown."""
        return [dataset for dataset, p in self.adjusted.items() if p <= LEVEL]


def decisions(name: str) -> list[Decision]:
    """Return all claims of a report, from `report.json`."""
    content = json.loads((built(name).report / "report.json").read_text("utf-8"))
    return [
        Decision(
            claim["metric"],
            claim["a"],
            claim["b"],
            {
                row["dataset"]: row.get("adjusted", 1.0)
                for row in content["outcomes"]
                if (row["metric"], row["a"], row["b"]) == (claim["metric"], claim["a"], claim["b"])
            },
            claim.get("k_hat", 0) if claim.get("bounds") else None,
        )
        for claim in content["claims"]
    ]


def results(name: str) -> pd.DataFrame:
    """Return the input of a report in long form: metric, system, dataset, mean, n."""
    folder = built(name).folder
    if name == "printed_means":
        printed = pd.read_csv(folder / "leaderboard.csv").drop(columns="Avg")
        frame = printed.melt("Model", var_name="instance", value_name="score").rename(columns={"Model": "system"})
        frame["dataset"] = TOGETHER
    elif name == "one_dataset":
        wide = pd.read_csv(folder / "results.csv")
        frame = wide.melt("instance", var_name="system", value_name="score").assign(dataset="results")
    else:
        frame = pd.read_csv(folder / "results.csv")
    if "metric" not in frame:
        frame["metric"] = "score"
    grouped = frame.groupby(["metric", "system", "dataset"], sort=False)["score"]
    return grouped.agg(mean="mean", n="size").reset_index()


def results_tables(name: str) -> dict[str, tuple[str, Grid]]:
    """Return the source and the cells of the LaTeX tables of scores, rows for systems, by metric."""
    tables = {}
    metrics = list(dict.fromkeys(claim.metric for claim in decisions(name)))
    datasets = {plain(dataset) for dataset in results(name)["dataset"]}
    for metric in metrics:
        stem = "results" if metric == metrics[0] else f"results-{metric}"
        source = (built(name).report / "tables" / f"{stem}.tex").read_text("utf-8")
        grid = latex_table(source)
        if not datasets & {cell.text for cell in grid[0]}:
            grid = turned(grid)
        assert datasets <= {cell.text for cell in grid[0]}
        tables[metric] = source, grid
    return tables


def cells_of(grid: Grid) -> tuple[dict[str, dict[str, Cell]], dict[str, str]]:
    """Return the cells by row and column, rows without letters, and the system of each letter."""
    heads = [cell.text for cell in grid[0]]
    rows, letters = {}, {}
    for first, *rest in grid[1:]:
        lettered = re.fullmatch(r"\(([a-z])\)(.*)", first.text)
        label = lettered[2] if lettered else first.text
        if lettered:
            letters[lettered[1]] = label
        rows[label] = dict(zip(heads[1:], rest, strict=True))
    return rows, letters


def best_on(dataset: str, name: str) -> set[str]:
    """Return the systems with the best mean on a dataset."""
    here = results(name).query("dataset == @dataset")
    return set(here[here["mean"] == here["mean"].max()]["system"])


def number_and_mark(cell: Cell) -> tuple[str, str]:
    """Part a printed score from the signs behind it."""
    found = re.fullmatch(r"([+-]?[\d.,]+)(.*)", cell.text)
    assert found, cell
    return found[1], found[2]


def printed_is(text: str, value: float) -> bool:
    """Whether a printed number is this one, rounded to as many decimals as it has."""
    decimals = len(text.partition(".")[2])
    return abs(float(text.replace(",", "")) - value) <= 0.5 * 10**-decimals + 1e-9


def verdicts(name: str) -> list[str]:
    """Return what the terminal and the paragraph say, without markup."""
    source = (built(name).report / "paragraph.tex").read_text("utf-8")
    paragraph = re.sub(r"\\cite\{[^}]*\}", "", re.sub(r"(?m)^%.*\n", "", source))
    return [built(name).terminal, LatexNodes2Text(math_mode="text").latex_to_text(paragraph)]


def systems_of(name: str) -> list[str]:
    """Return the names of the systems."""
    return list(dict.fromkeys(results(name)["system"]))


@pytest.mark.parametrize("name", MARKED)
def test_marks_agree_with_adjusted_p_values(name: str) -> None:
    """A score is marked, by letter where there are letters, exactly where an adjusted p-value is at most .05.

    Of all pairs of many systems, a score is bold exactly where the best one is not shown to be better.
    """
    claims, n_marks = decisions(name), 0
    for metric, (_, grid) in results_tables(name).items():
        rows, letters = cells_of(grid)
        for system in systems_of(name):
            of_system = [claim for claim in claims if (claim.metric, claim.winner) == (metric, system)]
            for dataset in dict.fromkeys(results(name)["dataset"]):
                cell = rows[plain(system)][plain(dataset)]
                _, mark = number_and_mark(cell)
                beaten = {plain(claim.loser) for claim in of_system if dataset in claim.shown}
                if name in STATISTICAL:
                    best = best_on(dataset, name)
                    losses = {claim.winner for claim in claims if claim.loser == system and dataset in claim.shown}
                    assert not mark
                    assert cell.bold == (system in best or not best & losses), (system, dataset)
                    n_marks += not cell.bold
                    continue
                if letters:
                    assert {letters[letter] for letter in mark} == beaten, (metric, system, dataset)
                else:
                    assert bool(mark) == bool(beaten), (metric, system, dataset)
                n_marks += len(beaten)
    assert (n_marks == 0) == (name == "nothing_shown")


@pytest.mark.parametrize("name", MARKED)
def test_every_number_of_the_table_is_the_mean_of_the_input(name: str) -> None:
    """Scores, numbers of instances and differences; bold is the best, also where less is better."""
    means = results(name)
    for metric, (source, grid) in results_tables(name).items():
        rows, _ = cells_of(grid)
        scale = 100 if r"(\%)" in source else 1
        direction = -1 if metric in LOWER_IS_BETTER else 1
        of_metric = means if metric == "score" else means[means["metric"] == metric]
        for dataset, group in of_metric.groupby("dataset"):
            column = plain(str(dataset))
            shown = {system: rows[plain(system)][column] for system in group["system"]}
            value = dict(zip(group["system"], group["mean"] * scale, strict=True))
            printed = {system: number_and_mark(cell)[0] for system, cell in shown.items()}
            for system in shown:
                assert printed_is(printed[system], value[system]), (metric, system, dataset)
            assert int(rows["n"][column].text.replace(",", "")) == group["n"].iloc[0]
            _, best = max((direction * number, system) for system, number in value.items())
            bold = {system for system, cell in shown.items() if cell.bold}
            assert best in bold
            assert name in STATISTICAL or {printed[system] for system in bold} == {printed[best]}
            if "Diff." in rows:
                first, second = (label for label in rows if label in {plain(system) for system in shown})
                by_label = {plain(system): number for system, number in value.items()}
                difference = direction * (by_label[first] - by_label[second])
                assert printed_is(rows["Diff."][column].text, difference), (metric, dataset)


def _said(name: str, text: str) -> list[tuple[str, Claim]]:
    """Return the claims of a text with the metric that each is about."""
    metrics = list(dict.fromkeys(claim.metric for claim in decisions(name)))
    found = claims_of(text, systems_of(name), results(name)["dataset"].nunique())
    about = [[metric for metric in metrics if len(metrics) == 1 or metric in claim.sentence.lower()] for claim in found]
    assert all(len(named) == 1 for named in about)
    return [(named[0], claim) for named, claim in zip(about, found, strict=True)]


@pytest.mark.parametrize("name", [*PAIRS, *ALL_PAIRS, "printed_means"])
def test_the_winner_that_is_named_has_the_better_score(name: str) -> None:
    """On every dataset on which the claim is shown, in paragraph and terminal; and every claim is shown on one."""
    means = results(name).set_index(["metric", "system", "dataset"])["mean"]
    by_pair = {(claim.metric, claim.winner, claim.loser): claim for claim in decisions(name)}
    for text in verdicts(name):
        said = _said(name, text)
        assert said or unbeaten_in(text, systems_of(name))
        for metric, claim in said:
            shown = by_pair[metric, claim.winner, claim.loser].shown
            assert shown, claim
            for dataset in shown:
                gain = means[metric, claim.winner, dataset] - means[metric, claim.loser, dataset]
                assert gain * (-1 if metric in LOWER_IS_BETTER else 1) > 0, (claim, dataset)
        if name in PAIRS:
            assert {(metric, claim.winner, claim.loser) for metric, claim in said} == {
                pair for pair, claim in by_pair.items() if claim.k_hat
            }


@pytest.mark.parametrize("name", [*PAIRS, *ALL_PAIRS])
def test_counts_in_words_are_k_hat(name: str) -> None:
    """The number of datasets in a sentence is that of `report.json`; on one dataset none need be said."""
    by_pair = {(claim.metric, claim.winner, claim.loser): claim.k_hat for claim in decisions(name)}
    n_datasets = results(name)["dataset"].nunique()
    for text in verdicts(name):
        for metric, claim in _said(name, text):
            count = 1 if claim.count is None and n_datasets == 1 else claim.count
            assert count == by_pair[metric, claim.winner, claim.loser], claim


@pytest.mark.parametrize("name", ALL_PAIRS)
def test_whom_nobody_is_said_to_beat_is_beaten_by_nobody(name: str) -> None:
    """Those whom the text names, and no others, have no adjusted p-value of at most .05 against them."""
    unbeaten = set(systems_of(name)) - {claim.loser for claim in decisions(name) if claim.shown}
    for text in verdicts(name):
        assert unbeaten_in(text, systems_of(name)) in (None, unbeaten)


def test_where_nothing_is_shown_nobody_wins() -> None:
    """No sentence names a winner."""
    assert [claim.shown for claim in decisions("nothing_shown")] == [[], []]
    assert [_said("nothing_shown", text) for text in verdicts("nothing_shown")] == [[], []]


@pytest.mark.parametrize("name", [name for name in STEPS if name not in ("notebook", "update")])
def test_tables_have_the_same_cells_in_every_format(name: str) -> None:
    """LaTeX, Markdown and HTML; a LaTeX table may be turned to fit its page."""
    report = built(name).report
    pages = html_tables((report / "report.html").read_text("utf-8"))
    assert [grid for _, grid in pages] == markdown_tables((report / "more" / "report.md").read_text("utf-8"))
    sources = {path.stem: path.read_text("utf-8") for path in (report / "tables").glob("*.tex")}
    assert {table for table, _ in pages} == set(sources)
    assert pages
    for table, grid in pages:
        found = latex_table(sources[table])
        if len(found) != len(grid):
            found = turned(found)
        assert [row[1:] for row in found] == [row[1:] for row in grid], table
        assert [row[0] for row in found[1:]] == [row[0] for row in grid[1:]], table


def test_a_notebook_shows_the_same_cells_as_the_report() -> None:
    """HTML and Markdown of a cell, against the table of the report on the same results."""
    folder = built("notebook").folder
    (_, (_, expected)) = results_tables("all_pairs_of_8").popitem()
    assert markdown_tables((folder / "cell.md").read_text("utf-8")) == [expected]
    assert [grid for _, grid in html_tables((folder / "cell.html").read_text("utf-8"))] == [expected]


@pytest.mark.parametrize("name", MARKED)
def test_the_terminal_shows_the_same_scores(name: str) -> None:
    """Row by row, also where a wide table is divided."""
    lines = built(name).terminal.splitlines()
    expected = markdown_tables((built(name).report / "more" / "report.md").read_text("utf-8"))[0]
    labels = [re.match(r"(?:\([a-z]\) )?\S.*?(?=  )", line) for line in lines]
    for first, *rest in expected[1:]:
        found = [
            plain(line[label.end() :])
            for line, label in zip(lines, labels, strict=True)
            if label and plain(label[0]) == first.text
        ]
        assert "".join(found).startswith("".join(cell.text for cell in rest)), first


def test_an_update_changes_the_table_and_the_numbers_and_nothing_else(tmp_path) -> None:
    """The new table is that of the report; every other line of both papers is as it was."""
    update(tmp_path)
    folder = built("update").folder
    expected = latex_table((folder / "report" / "tables" / "results.tex").read_text("utf-8"))
    paper, old = (path.read_text("utf-8") for path in (folder / "paper.tex", tmp_path / "paper.tex"))
    assert latex_table(paper) == expected
    table = r"(?s)(?:% reportkit: begin.*?)?\\begin\{table\}\[t\].*?\\label\{tab:main\}.*?\\end\{table\}\n"
    assert re.sub(table + "(?:% reportkit: end results\n)?", "", paper) == re.sub(table, "", old)
    paper, old = (path.read_text("utf-8") for path in (folder / "paper.md", tmp_path / "paper.md"))
    assert markdown_tables(paper) == [expected]
    rows, _ = cells_of(expected)
    number = number_and_mark(rows["BoolQ"][plain("Ours (7B)")])[0]
    assert f"<!-- rk: main/boolq/ours-7b -->{number}<!-- /rk -->" in paper
    kept = r"(?s)(?<=begin results -->).*(?=<!-- reportkit: end)|(?<=ours-7b -->)[\d.]+"
    assert re.sub(kept, "", paper) == re.sub(kept, "", old)
