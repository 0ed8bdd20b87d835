"""What the fields of a cell hold, against the frame of outcomes and SciPy, and how the legend explains them."""

from __future__ import annotations

import pytest
from scipy import stats

from reportkit.errors import SettingsError
from reportkit.language.numerals import fixed, p_value_text, signed
from tests.report.score_cases import DATASETS, answers, cells_of, compared, table_of, words


def test_intervals_are_those_of_one_system():
    """Wilson's, in percent, with the decimals of the score."""
    cells = cells_of(table_of(compared("new", "base"), cell="{score} [{ci_low}, {ci_high}]{mark}"))
    for (system, dataset), group in answers().groupby(["system", "dataset"]).score:
        if system in ("new", "base"):
            ends = stats.binomtest(int(group.sum()), len(group)).proportion_ci(0.95, "wilson")
            expected = f"{fixed(100 * group.mean(), 1)} [{fixed(100 * ends.low, 1)}, {fixed(100 * ends.high, 1)}]"
            assert words(cells[dataset, system].text) == expected
    legend = words(table_of(compared("new", "base"), cell="{score} [{ci_low}, {ci_high}]").legend)
    assert "In brackets: 95% interval of each score alone (Wilson score interval)" in legend


def test_comparisons_are_those_with_the_baseline():
    """Difference and p-values of the outcomes; the baseline has none, and no empty brackets."""
    analysis = compared(baseline=("base",))
    cells = cells_of(table_of(analysis, cell="{score} ({diff}, {p}, {adjusted_p}){mark}", rows="systems"))
    for row in analysis.outcomes.itertuples():
        difference = signed(100 * (row.score_a - row.score_b), 1)
        compared_with = f"({difference}, {p_value_text(row.p_value)}, {p_value_text(row.adjusted_p_value)})"
        assert words(cells[row.system_a, row.dataset].text).endswith(compared_with)
        assert "(" not in words(cells["base", row.dataset].text)
        assert ".000" not in words(cells[row.system_a, row.dataset].text)
    legend = words(table_of(analysis, cell="{score} ({diff}, {p})").legend)
    assert "In parentheses: difference to base in percentage points; p-value for better than base" in legend


def test_outside_of_brackets_a_dash_stands_for_what_is_not_there():
    """The baseline differs from nothing."""
    cells = cells_of(table_of(compared(baseline=("base",)), cell="{score} {diff}", rows="systems"))
    assert all(words(cells["base", dataset].text).endswith(" –") for dataset in DATASETS)


@pytest.mark.parametrize("options", [{}, {"baseline": ("base", "mid")}])
@pytest.mark.parametrize("name", ["diff", "p", "adjusted_p"])
def test_with_several_baselines_a_comparison_is_not_one(options, name):
    """Which one would be meant? The message says what to do."""
    with pytest.raises(SettingsError, match=f"{name!r}.*several(.|\n)*name one baseline"):
        table_of(compared(**options), cell=f"{{score}} {{{name}}}")


@pytest.mark.parametrize(("name", "what"), [("sd", "standard deviation"), ("se", "standard error")])
def test_the_legend_says_what_stands_behind_plus_minus(name, what):
    """And over what."""
    analysis = compared("new", "base")
    table = table_of(analysis, cell=f"{{score}} ± {{{name}:.2f}}")
    assert f"±: {what} over the instances." in words(table.legend)
    scores = answers()
    sample = scores[(scores.system == "new") & (scores.dataset == "news")].score
    value = sample.std() if name == "sd" else stats.sem(sample)
    assert words(cells_of(table)["news", "new"].text).endswith(f"± {100 * value:.2f}")


def test_a_mark_in_the_middle_stays_there():
    """Behind the score and before the interval; at the end it has a place of its own."""
    from reportkit.report.prose import Raised

    cells = cells_of(table_of(compared("new", "base"), cell="{score}{mark} ({n})"))
    marked = [cell for cell in cells.values() if any(isinstance(part, Raised) for part in cell.text)]
    assert marked
    assert all(not cell.mark and words(cell.text[-1:]).startswith(" (") for cell in marked)


def test_every_field_is_explained():
    """No field without a sentence of the legend."""
    pattern = "{score} ± {sd} ({se}, {n}, {diff}, {p}, {adjusted_p}) [{ci_low}, {ci_high}]{mark}"
    legend = words(table_of(compared("new", "base"), cell=pattern).legend)
    for what in (
        "standard deviation",
        "standard error",
        "number n of instances",
        "difference to base",
        "p-value for",
        "adjusted p-value for",
        "95% interval",
    ):
        assert what in legend


def test_a_design_without_a_field_says_why():
    """Only printed figures are known of what a paper prints."""
    import pandas as pd

    import reportkit

    printed = pd.DataFrame(
        {"dataset": ["x", "y"], "score_a": ["91.2", "84.1"], "score_b": ["90.0", "84.0"], "p_value": [".001", ".2"]}
    )
    analysis = reportkit.compare(printed, "new", "old")
    for name in ("sd", "se", "ci_low", "n"):
        with pytest.raises(SettingsError, match="print"):
            table_of(analysis, cell=f"{{score}} {{{name}}}")
    cells = cells_of(table_of(analysis, cell="{score} ({diff}){mark}"))
    assert words(cells["x", "new"].text) == "91.2 (+1.2)"
