"""What is set in bold and underlined: recomputed from the scores and the outcomes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.errors import SettingsError
from reportkit.report.tables.bold import standing
from tests.report.score_cases import DATASETS, SYSTEMS, answers, cells_of, compared, table_of, words

SCORES = st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 4).map(lambda n: n / 7), min_size=2)


@given(scores=SCORES, higher=st.booleans())
def test_all_ties_are_best_and_all_ties_are_second(scores, higher):
    """The best value, then the next one, with everybody who has it; no second of two systems."""
    ranked = sorted(set(scores.values()), reverse=higher)
    found = standing(scores, "d", None, higher_is_better=higher)
    assert found.bold == {name for name, value in scores.items() if value == ranked[0]}
    runner_up = ranked[1] if len(ranked) > 1 and len(scores) > 2 else None
    assert found.second == {name for name, value in scores.items() if value == runner_up}


@given(scores=SCORES, higher=st.booleans(), data=st.data())
def test_the_statistical_set_holds_the_best_and_whom_no_best_one_beats(scores, higher, data):
    """By definition, for arbitrary verdicts."""
    pairs = [(a, b, "d") for a in scores for b in scores if a != b]
    verdicts = {pair: data.draw(st.booleans()) for pair in pairs}
    best = {name for name in scores if scores[name] == (max if higher else min)(scores.values())}
    found = standing(scores, "d", verdicts, higher_is_better=higher, bold="statistical").bold
    assert best <= found
    for name in set(scores) - best:
        assert (name in found) == all(not verdicts[winner, name, "d"] for winner in best)


def test_the_statistical_set_follows_from_the_outcomes():
    """Best by the mean of the answers; out is whom the best beats by an adjusted p-value of at most .05."""
    analysis = compared()
    cells = cells_of(table_of(analysis, bold="statistical"))
    means = answers().groupby(["dataset", "system"]).score.mean()
    outcomes = analysis.outcomes.set_index(["system_a", "system_b", "dataset"])
    out = 0
    for dataset in DATASETS:
        best = {name for name in SYSTEMS if means[dataset, name] == means[dataset].max()}
        assert {"new", "twin"} <= best or len(best) == 1
        for system in set(SYSTEMS):
            worse = any(
                outcomes.loc[(winner, system, dataset)].adjusted_p_value <= 0.05
                and outcomes.loc[(winner, system, dataset)].difference > 0
                for winner in best - {system}
            )
            assert cells[system, dataset].bold == (system in best or not worse)
            out += worse
    assert out
    legend = words(table_of(analysis, bold="statistical").legend)
    assert "not statistically significantly worse" in legend
    assert "they need not be equally good" in legend


def test_comparisons_that_were_not_made_are_not_taken_for_granted():
    """With a baseline nobody knows whether the best system is better than the others."""
    with pytest.raises(SettingsError, match="compare all pairs"):
        table_of(compared(baseline=("base",)), bold="statistical")


def test_two_systems_in_both_directions_have_a_statistical_set():
    """Both comparisons were made."""
    analysis = compared("new", "base", alternative="two-sided")
    cells = cells_of(table_of(analysis, bold="statistical"))
    adjusted = analysis.outcomes[analysis.outcomes.system_a == "new"].set_index("dataset").adjusted_p_value
    for dataset in DATASETS:
        assert cells[dataset, "new"].bold
        assert cells[dataset, "base"].bold == (adjusted[dataset] > 0.05)


def test_nothing_is_set_off_if_that_is_wanted():
    """bold="none" also leaves the second best as it is; second=False only that."""
    analysis = compared()
    plain_table = table_of(analysis, bold="none")
    assert not any(cell.bold or cell.underline for row in plain_table.rows for cell in row.cells)
    assert "bold" not in words(plain_table.legend)
    without = table_of(analysis, second=False)
    assert not any(cell.underline for row in without.rows for cell in row.cells)
    assert "second" not in words(without.legend)
