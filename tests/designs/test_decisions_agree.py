"""Of random analyses: tables, figures, words, JSON and terminal hold one decision, and no rounded number denies it."""

from __future__ import annotations

import math
import re
from typing import get_args

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis.analysis import Analysis
from reportkit.appearance import Length
from reportkit.cli.terminal import show_summary
from reportkit.rendering.exports import plain_table
from reportkit.replicability.comparison import Comparison
from reportkit.report.claim_tables import p_values_table, pairs_table
from reportkit.report.facts import Facts
from reportkit.report.gather import gather
from reportkit.report.model import Figure
from reportkit.report.pictures import Pictures
from reportkit.report.scores_table import scores_table
from reportkit.report.tokens import plain
from reportkit.report.wording import Wording
from reportkit.report.words import diff
from reportkit.significance.outcome import rejection_level
from tests.claims import claims_in
from tests.contract.seen import claims_of, unbeaten_in
from tests.report.wording_rules import unknown_numbers, without_signature

NAMES = ("alpha-1", "beta", "gamma-9B", "delta")
N_ANALYSES = 20


def random_analysis(seed: int) -> Analysis:
    """A pair in one or both directions, against baselines, or all pairs; few or many, right or wrong, skewed or not.

    Every third has clusters; of every fifth, lower scores are better.
    """
    rng = np.random.default_rng(seed)
    systems = NAMES[: int(rng.integers(2, 5))]
    kind = rng.choice(["binary", "normal", "skewed", "rounded"])
    rows = []
    for dataset in [f"d{place}" for place in range(rng.integers(1, 6))]:
        n = int(rng.integers(8, 60))
        luck = rng.normal(size=n)
        for place, system in enumerate(systems):
            values = luck + rng.normal(scale=0.8, size=n) + 0.35 * place * rng.random()
            if kind == "binary":
                values = (values > 0).astype(float)
            elif kind == "skewed":
                values = np.exp(values)
            elif kind == "rounded":
                values = np.round(values)
            rows += [(system, dataset, instance, float(value)) for instance, value in enumerate(values)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    if seed % 3 == 0:
        frame["cluster"] = frame.instance // 2
    options = {"alpha": float(rng.choice([0.05, 0.01, 0.1])), "n_resamples": 999, "rng": seed}
    options["higher_is_better"] = seed % 5 > 0
    match rng.choice(["claim", "both", "baseline", "all"]):
        case "claim":
            return frame.replic.compare(systems[-1], systems[0], **options)
        case "both":
            two = frame[frame.system.isin(systems[:2])]
            return two.replic.compare(**options)
        case "baseline":
            return frame.replic.compare(baseline=[systems[0]], **options)
    return frame.replic.compare(**options)


def _check_marks(analysis: Analysis, facts: Facts) -> None:
    """Signs of the table of scores: one where a system is shown to be better, none elsewhere."""
    table = scores_table(facts, analysis.appearance.replace(rows="systems"), Wording(facts), "score")
    datasets = [plain(column.header) for column in table.columns[1:]]
    marks = {}
    letters = {}
    for row in table.rows:
        name = plain(row.cells[0].text)
        sign, _, rest = name.partition(") ")
        if rest:
            letters[sign.removeprefix("(")] = rest
            name = rest
        for dataset, cell in zip(datasets, row.cells[1:], strict=True):
            marks[name, dataset] = cell.mark
    beaten: dict[tuple[str, str], set[str]] = {key: set() for key in marks if key[0] != "Diff."}
    for comparison in analysis.comparisons:
        for dataset, marked in zip(comparison.datasets, comparison.marked(analysis.alpha[0]), strict=True):
            if marked:
                beaten[comparison.system_a, dataset].add(comparison.system_b)
    for key, names in beaten.items():
        if letters:
            assert {letters[sign] for sign in marks[key]} == names
        else:
            assert bool(marks[key]) == bool(names)


def _check_p_values(analysis: Analysis, facts: Facts) -> None:
    """Printed, an adjusted p-value is at most the level exactly where the dataset is identified."""
    if analysis.design == "all-pairs":
        return
    table = p_values_table(facts, analysis.appearance, Wording(facts), "score")
    printed = {plain(cell.text) for row in table.rows for cell in row.cells[1:]}
    assert not any(cell.mark for row in table.rows for cell in row.cells)
    assert not any("×10" in text for text in printed)
    if analysis.one_claim:
        for index, row in enumerate(table.rows):
            for number, comparison in enumerate(analysis.comparisons):
                text = plain(row.cells[len(row.cells) - 2 * len(analysis.comparisons) + 2 * number + 1].text)
                small = float(text.removeprefix("<").removeprefix(">")) <= analysis.alpha[0]
                assert small == bool(comparison.identified(analysis.alpha[0])[index])


def _check_forests(analysis: Analysis, facts: Facts) -> None:
    """Markers are those of the decisions; an interval lies on one side of 0 exactly where its decision says so."""
    level = analysis.alpha[0]
    claims = {(item.system_a, item.system_b): item for item in analysis.comparisons}
    figures = [figure.content for figure in _forests(facts, analysis)]
    for content in [panel for one in figures for panel in getattr(one, "panels", (one,))]:
        claim, opposite = claims[content.system_a, content.system_b], claims.get((content.system_b, content.system_a))
        for row in content.rows:
            marked = _of(claim, row.dataset, claim.marked(level))
            lost = opposite is not None and _of(opposite, row.dataset, opposite.marked(level))
            assert (row.mark == "identified") == marked
            assert (row.mark == "opposite") == lost
            if row.has_interval and row.mark != "other sign":
                low, high = row.low, row.high
                assert (low is not None and low > 0) == marked, (row, claim.system_a)
                if opposite is not None:
                    assert (high is not None and high < 0) == lost
                if low is not None and low != 0:
                    factor = facts.scale("score").factor
                    assert (diff(facts, low / factor, "score", row.dataset)[0] == "+") == (low > 0)
            small = row.adjusted_p_value <= rejection_level(level)
            assert small == (row.mark in ("identified", "other sign"))


def _forests(facts: Facts, analysis: Analysis) -> list[Figure]:
    return Pictures(facts, analysis.appearance, Wording(facts)).forests("score")


def _of(comparison: Comparison, dataset: str, values: np.ndarray) -> bool:
    return bool(values[comparison.datasets.index(dataset)])


def _check_matrix(analysis: Analysis, facts: Facts) -> None:
    """The matrix of k-hat holds the bounds of the analysis, a blank for 0."""
    if analysis.design != "all-pairs":
        return
    if len(facts.datasets) == 1:
        return
    table = pairs_table(facts, analysis.appearance, Wording(facts), "score")
    names = [plain(row.cells[0].text).split(") ", 1)[1] for row in table.rows]
    claims = {(item.system_a, item.system_b): item for item in analysis.comparisons}
    for name, row in zip(names, table.rows, strict=True):
        for other, cell in zip(names, row.cells[1:], strict=True):
            if name != other:
                bound = claims[name, other].k_hat[analysis.alpha[0]].recommended
                assert plain(cell.text) == (str(bound) if bound else "")


def _check_words(analysis: Analysis) -> None:
    """Each text claims what is shown and nothing else; of one claim or against baselines, all of it."""
    level = analysis.alpha[0]
    shown = {(c.system_a, c.system_b): c.k_hat[level].recommended for c in analysis.comparisons}
    shown = {pair: k for pair, k in shown.items() if k}
    n = len(analysis.datasets)
    systems = sorted({name for pair in analysis.pairs for name in pair})
    texts = {length: without_signature(analysis.paragraph(length)) for length in get_args(Length)}
    for name, text in {"verdict": analysis.summary(), **texts}.items():
        said = {(claim.winner, claim.loser): claim.count for claim in claims_of(text, systems, n)}
        assert set(said) <= set(shown), (name, text)
        if analysis.design != "all-pairs":
            assert set(said) == set(shown), (name, text)
        for pair, count in said.items():
            assert (1 if count is None and n == 1 else count) == shown[pair], (name, text)
        unbeaten = unbeaten_in(text, systems)
        if unbeaten and shown:
            assert unbeaten == set(systems) - {b for _, b in shown}
        assert (
            unknown_numbers(re.sub(r"\d+e-\d+|\d+ more of this kind|about [\d,]+ instances", "", text), analysis) == []
        ), (name, text)
        for value, low, high in re.findall(r"\(([+−]?[\d.]+)[^()]*interval ([+−]?[\d.]+) to ([+−]?[\d.]+)\)", text):
            ends = [float(end.replace("−", "-")) for end in (low, value, high)]
            assert ends == sorted(ends), (name, text)


def _check_intervals(analysis: Analysis, facts: Facts) -> None:
    """An interval that is adjusted for nothing excludes 0, as printed, exactly where p says so at half its level."""
    for item in analysis.assessments:
        if item.interval is None or not all(map(math.isfinite, (item.interval.low, item.interval.high))):
            continue
        low, high = (diff(facts, end, "score", item.dataset) for end in (item.interval.low, item.interval.high))
        half = rejection_level((1 - item.interval.level) / 2)
        assert (low[0] == "+") == (item.p_greater <= half), (item.dataset, low, item.p_greater)
        assert (high[0] == "−") == (item.p_less <= half), (item.dataset, high, item.p_less)


def _check_differences(analysis: Analysis, facts: Facts) -> None:
    """A difference is written alike in the table, in the forest plot and in the full paragraph."""
    if not analysis.one_claim:
        return
    table = scores_table(facts, analysis.appearance.replace(rows="datasets"), Wording(facts), "score")
    written = {plain(row.cells[0].text): plain(row.cells[-1].text) for row in table.rows}
    (figure,) = _forests(facts, analysis)
    assert {row.dataset: row.text for row in figure.content.rows} == written
    said = re.findall(r"(d\d) \(([+−]?[\d.]+)(?![\d.%])[^()]*interval", analysis.paragraph("full"))
    assert all(written[dataset] == value for dataset, value in said if analysis.assessments[0].higher_is_better)


def _check_json_and_terminal(analysis: Analysis, capsys: pytest.CaptureFixture[str]) -> None:
    """`report.json` and the terminal hold the same decisions; no cell is cropped at 80 columns."""
    level = analysis.alpha[0]
    model = analysis.report().model
    for item, comparison in zip(claims_in(analysis.report().to_dict()), analysis.comparisons, strict=True):
        key = f"{level:.12g}"
        assert item["k_hat"][key]["recommended"] == comparison.k_hat[level].recommended
        assert [one["marked"][key] for one in item["datasets"]] == comparison.marked(level).tolist()
    show_summary(model)
    printed = capsys.readouterr().out
    assert analysis.summary() in printed
    for table in model.tables:
        lines = plain_table(table, width=80).splitlines()
        assert max(map(len, lines)) <= 80
        wide = plain_table(table).splitlines()
        for row in table.rows:
            words = [word for cell in row.cells for word in (plain(cell.text), cell.mark)]
            assert any(all(word in line for word in words) for line in wide)
            assert all(any(word in line for line in lines) for word in words)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, N_ANALYSES, 10))
def test_tables_and_figures_show_the_decision_of_the_analysis(first: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Marks, p-values, intervals, k-hat, words, JSON and terminal of ten random analyses."""
    for seed in range(first, first + 10):
        analysis = random_analysis(seed)
        facts = gather(analysis)
        _check_marks(analysis, facts)
        _check_p_values(analysis, facts)
        _check_forests(analysis, facts)
        _check_matrix(analysis, facts)
        _check_words(analysis)
        _check_intervals(analysis, facts)
        _check_differences(analysis, facts)
        _check_json_and_terminal(analysis, capsys)


@pytest.mark.slow
def test_letters_of_more_than_26_systems_are_parted() -> None:
    """The best of 28 is better than "z" and "aa", which is not "zaa"."""
    rows = [(f"s{place:02}", "d", item, float(place == 27)) for place in range(28) for item in range(60)]
    analysis = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"]).replic.compare()
    table = analysis.styled(marks="letters", rows="systems", order="given").to_markdown()
    assert "x,y,z,aa" in table
