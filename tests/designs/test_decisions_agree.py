"""Of random analyses: the decision in tables and figures is that of the analysis, and no rounded number denies it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis.analysis import Analysis
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.report.illustrations import forests
from reportkit.report.prose import plain
from reportkit.report.score_format import scale_for
from reportkit.report.tables.k_hat_table import k_hat_matrix_table
from reportkit.report.tables.p_value_table import p_value_table
from reportkit.report.tables.scores_table import scores_table

NAMES = ("alpha-1", "beta", "gamma-9B", "delta")
N_ANALYSES = 500
IN_ONE_TEST = 20


def random_analysis(seed: int) -> Analysis:
    """A pair in one or both directions, against baselines, or all pairs; few or many, right or wrong, skewed or not."""
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
    options = {"alpha": float(rng.choice([0.05, 0.01, 0.1])), "other_profile": False, "n_resamples": 999, "rng": seed}
    match rng.choice(["claim", "both", "baseline", "all"]):
        case "claim":
            return frame.replic.compare(systems[-1], systems[0], **options)
        case "both":
            two = frame[frame.system.isin(systems[:2])]
            return two.replic.compare(**options)
        case "baseline":
            return frame.replic.compare(baseline=[systems[0]], **options)
    return frame.replic.compare(**options)


def _check_marks(analysis: Analysis) -> None:
    """Signs of the table of scores: one where a system is shown to be better, none elsewhere."""
    scale = scale_for(analysis.assessments)
    table = scores_table(analysis, scale, analysis.appearance.replace(rows="systems")).table
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
            assert len(marks[key]) <= 1


def _check_p_values(analysis: Analysis) -> None:
    """Printed, an adjusted p-value is at most the level exactly where the dataset is identified."""
    table = p_value_table(analysis, scale_for(analysis.assessments), analysis.appearance)
    if table is None:
        return
    printed = {plain(cell.text) for row in table.rows for cell in row.cells[1:]}
    assert not any(cell.mark for row in table.rows for cell in row.cells)
    assert not any("×10" in text for text in printed)
    if analysis.one_claim:
        for index, row in enumerate(table.rows):
            for number, comparison in enumerate(analysis.comparisons):
                text = plain(row.cells[len(row.cells) - 2 * len(analysis.comparisons) + 2 * number + 1].text)
                small = float(text.removeprefix("<").removeprefix(">")) <= analysis.alpha[0]
                assert small == bool(comparison.identified(analysis.alpha[0])[index])


def _check_forests(analysis: Analysis) -> None:
    """Markers are those of the decisions; an interval lies on one side of 0 exactly where its decision says so."""
    level = analysis.alpha[0]
    claims = {(item.system_a, item.system_b): item for item in analysis.comparisons}
    scale = scale_for(analysis.assessments)
    for figure in forests(analysis, analysis.appearance):
        content = figure.content
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
                    assert (scale.on(row.dataset).end(low)[0] == "+") == (low > 0)
            small = row.adjusted_p_value <= rejection_level(level)
            assert small == (row.mark in ("identified", "other sign"))


def _of(comparison: Comparison, dataset: str, values: np.ndarray) -> bool:
    return bool(values[comparison.datasets.index(dataset)])


def _check_matrix(analysis: Analysis) -> None:
    """The matrix of k-hat holds the bounds of the analysis, a blank for 0."""
    if analysis.design != "all-pairs":
        return
    table = k_hat_matrix_table(analysis, analysis.appearance)
    names = [plain(row.cells[0].text).split(") ", 1)[1] for row in table.rows]
    claims = {(item.system_a, item.system_b): item for item in analysis.comparisons}
    for name, row in zip(names, table.rows, strict=True):
        for other, cell in zip(names, row.cells[1:], strict=True):
            if name != other:
                bound = claims[name, other].k_hat[analysis.alpha[0]].recommended
                assert plain(cell.text) == (str(bound) if bound else "")


def _check(seed: int) -> None:
    analysis = random_analysis(seed)
    _check_marks(analysis)
    _check_p_values(analysis)
    _check_forests(analysis)
    _check_matrix(analysis)


@pytest.mark.parametrize("seed", range(IN_ONE_TEST))
def test_tables_and_figures_show_the_decision_of_the_analysis(seed: int) -> None:
    """Marks, p-values, intervals and k-hat of one random analysis."""
    _check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(IN_ONE_TEST, N_ANALYSES, IN_ONE_TEST))
def test_hundreds_of_analyses_show_their_decisions(start: int) -> None:
    """The same of 480 more."""
    for seed in range(start, start + IN_ONE_TEST):
        _check(seed)
