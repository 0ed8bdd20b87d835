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
from reportkit.cli.table_lines import table_lines
from reportkit.cli.terminal import show_summary
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.report.illustrations import forests
from tests.claims import claims_in
from reportkit.report.prose import plain
from reportkit.report.score_format import difference_interval, scale_for
from reportkit.report.tables.k_hat_table import k_hat_matrix_table
from reportkit.report.tables.p_value_table import p_value_table
from reportkit.report.tables.scores_table import scores_table
from tests.report.wording_rules import unknown_numbers, without_signature

NAMES = ("alpha-1", "beta", "gamma-9B", "delta")
N_ANALYSES = 500
IN_ONE_TEST = 20


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
    options = {"alpha": float(rng.choice([0.05, 0.01, 0.1])), "other_profile": False, "n_resamples": 999, "rng": seed}
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
    figures = [figure.content for figure in forests(analysis, analysis.appearance)]
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


_NAME = f"(?:{'|'.join(NAMES)})"
_ONE = rf"{_NAME}(?: \((?!\d+%)[^()]*\))?"
_SOME = rf"{_ONE}(?:(?:, | and ){_ONE})*"
_PLACE = r"on (?P<place>both datasets|all \d datasets|at least \d(?: of \d datasets)?|d\d)"
_INSIDE = r"(?: \((?:among them )?(?P<inside>d[^()]*)\))?"
_OBJECTS = re.compile(rf"than (?P<b>{_SOME}) {_PLACE}{_INSIDE}(?P<rest>.*?)(?=,(?: and)? better than {_NAME}|$)")


def _claims(text: str) -> dict[tuple[str, str], tuple[int | None, tuple[str, ...] | None, str]]:
    """What a text claims: of A and B, on how many datasets (None: all of them), on which, and by how much."""
    found = {}
    for sentence in re.split(r"(?<=\.)\s+", text):
        subject = re.match(rf"(?:.*confidence, )?(?P<a>{_SOME}) (?:is|are) better than ", sentence)
        if subject is None:
            continue
        for part in _OBJECTS.finditer(sentence):
            place, names = part["place"], part["inside"]
            k = None if place[0] in "bad" and not place.startswith("at") else int(re.findall(r"\d", place)[0])
            if names is None and (after := re.search(r"confidence\)(?::|, among them) (d[^;.]*)", part["rest"])):
                names = after[1]
            named = None if names is None else tuple(re.findall(r"d\d", names))
            for a, by_a in re.findall(rf"({_NAME})(?: \(([^()]*)\))?", subject["a"]):
                for b, by_b in re.findall(rf"({_NAME})(?: \((?!\d+%)([^()]*)\))?", part["b"]):
                    size = (
                        by_a or by_b or "".join(re.findall(r"(?:[;:]) (?:but )?((?:[+−]|\w+ by )[\d.]+)", part["rest"]))
                    )
                    found[a, b] = k, named, "".join(re.findall(r"(?:[+−]|\w+ by )?[\d.]*\d", size)[:1])
    return found


def _check_words(analysis: Analysis) -> None:
    """The verdict claims what is shown and nothing else; each paragraph no more than that, and the full one all."""
    level = analysis.alpha[0]
    shown = {(c.system_a, c.system_b): c for c in analysis.comparisons if c.k_hat[level].recommended}
    scale = scale_for(analysis.assessments)
    texts = {length: without_signature(analysis.paragraph(length)) for length in get_args(Length)}
    for name, text in {"verdict": analysis.summary(), **texts}.items():
        claims = _claims(text)
        assert set(claims) <= set(shown), (name, text)
        if name in ("verdict", "full") or analysis.design != "all-pairs":
            assert set(claims) == set(shown), (name, text)
        for pair, (k, named, size) in claims.items():
            comparison = shown[pair]
            n, bound = comparison.n_datasets, comparison.k_hat[level].recommended
            assert (n if k is None else k) == bound, (name, text)
            marked = comparison.marked(level)
            if named is not None:
                assert named == tuple(d for d, one in zip(comparison.datasets, marked, strict=True) if one)
            mean = sum(item.difference for item in comparison.assessments) / n
            written = scale.difference(mean)
            if not analysis.assessments[0].higher_is_better and written[0] in "+−":
                written = f"{'better' if written[0] == '+' else 'worse'} by {written[1:]}"
            assert not size or size == written, (name, text)
            assert re.search("but (−|worse)", text) or not size.startswith(("−", "worse"))
        if unbeaten := re.search(r"No system is shown to be better than (?!another)([^.]*) on ", text):
            beaten = {b for _, b in shown}
            systems = {name for pair in analysis.pairs for name in pair}
            assert set(re.findall(_NAME, unbeaten[1])) == systems - beaten
        assert unknown_numbers(re.sub(r"\d+e-\d+|\d+ other comparisons", "", text), analysis) == [], (name, text)
        for value, low, high in re.findall(r"([+−]?[\d.]+) \[([+−]?[\d.]+), ([+−]?[\d.]+)\]", text):
            ends = [float(end.replace("−", "-")) for end in (low, value, high)]
            assert ends == sorted(ends), (name, text)


def _check_intervals(analysis: Analysis) -> None:
    """An interval that is adjusted for nothing excludes 0, as printed, exactly where p says so at half its level."""
    scale = scale_for(analysis.assessments)
    for item in analysis.assessments:
        if item.interval is None or not all(map(math.isfinite, (item.interval.low, item.interval.high))):
            continue
        low, high = difference_interval(item, scale)[1:-1].split(", ")
        half = rejection_level((1 - item.interval.level) / 2)
        assert (low[0] == "+") == (item.p_greater <= half), (item.dataset, low, item.p_greater)
        assert (high[0] == "−") == (item.p_less <= half), (item.dataset, high, item.p_less)


def _check_differences(analysis: Analysis) -> None:
    """A difference is written alike in the table, in the forest plot and in the full paragraph."""
    if not analysis.one_claim:
        return
    table = scores_table(analysis, scale_for(analysis.assessments), analysis.appearance.replace(rows="datasets")).table
    written = {plain(row.cells[0].text): plain(row.cells[-1].text) for row in table.rows}
    (figure,) = forests(analysis, analysis.appearance)
    assert {row.dataset: row.text for row in figure.content.rows} == written
    said = re.findall(r"([+−]?[\d.]+) \[[^]]*\] on (d\d)", analysis.paragraph("full"))
    assert all(written[dataset] == value for value, dataset in said)


def _check_json_and_terminal(analysis: Analysis, capsys: pytest.CaptureFixture[str]) -> None:
    """`report.json` and the terminal hold the same decisions; no cell is cropped at 80 columns."""
    level = analysis.alpha[0]
    model = analysis.report().model
    for item, comparison in zip(claims_in(model.data), analysis.comparisons, strict=True):
        key = f"{level:.12g}"
        assert item["k_hat"][key]["recommended"] == comparison.k_hat[level].recommended
        assert [one["marked"][key] for one in item["datasets"]] == comparison.marked(level).tolist()
    (verdict,) = model.data["verdict"]["by_metric"]
    claims = {(one["system_a"], one["system_b"]): one for one in verdict["claims"]}
    for comparison in analysis.comparisons:
        one = claims.get((comparison.system_a, comparison.system_b))
        assert (one["at_least"] if one else 0) == comparison.k_hat[level].recommended
    show_summary(model)
    printed = capsys.readouterr().out
    assert analysis.summary() in printed
    for table in model.tables:
        lines = [line.plain for line in table_lines(table, 80)]
        assert max(map(len, lines)) <= 80
        wide = [line.plain for line in table_lines(table, None)]
        for row in table.rows:
            words = [word for cell in row.cells for word in (plain(cell.text), cell.mark)]
            assert any(all(word in line for word in words) for line in wide)
            assert all(any(word in line for line in lines) for word in words)


def _check(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    analysis = random_analysis(seed)
    _check_marks(analysis)
    _check_p_values(analysis)
    _check_forests(analysis)
    _check_matrix(analysis)
    _check_words(analysis)
    _check_intervals(analysis)
    _check_differences(analysis)
    _check_json_and_terminal(analysis, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(IN_ONE_TEST))
def test_tables_and_figures_show_the_decision_of_the_analysis(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Marks, p-values, intervals and k-hat of one random analysis."""
    _check(seed, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(IN_ONE_TEST, N_ANALYSES, IN_ONE_TEST))
def test_hundreds_of_analyses_show_their_decisions(start: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The same of 480 more."""
    for seed in range(start, start + IN_ONE_TEST):
        _check(seed, capsys)
