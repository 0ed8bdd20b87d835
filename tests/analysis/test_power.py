"""`reportkit.power` and `df.replic.power`: the question follows from what is given, and the three answers fit."""

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import DesignError, SettingsError, UnknownNameError


@pytest.fixture(scope="module")
def frame():
    """Three systems on two datasets of 300 and 200 instances."""
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {"system": system, "dataset": dataset, "instance": i, "score": int(right)}
        for dataset, n in (("cb", 300), ("rte", 200))
        for system, accuracy in (("new", 0.8), ("old", 0.75), ("third", 0.6))
        for i, right in enumerate(rng.random(n) < accuracy)
    )


def test_what_is_left_out_is_asked_for():
    """And the three answers agree with one another."""
    n = reportkit.power(effect=0.03, discordant=0.1)
    assert n.question == "n"
    effect = reportkit.power(n=n.rows[0].n, discordant=0.1)
    assert effect.question == "effect"
    assert effect.rows[0].effect == pytest.approx(0.03, rel=0.01)
    power = reportkit.power(n=n.rows[0].n, effect=0.03, discordant=0.1)
    assert power.question == "power"
    assert power.rows[0].power == pytest.approx(0.8, abs=0.01)
    assert reportkit.power(effect=0.03, power=0.9, discordant=0.1).rows[0].n > n.rows[0].n


def test_results_give_n_unless_it_is_asked_for(frame):
    """Three questions to the same results, through both doors."""
    smallest = frame.replic.power("new", "old")
    assert (smallest.question, [row.n for row in smallest.rows]) == ("effect", [300, 200])
    power = frame.replic.power("new", "old", effect=0.05)
    assert power.question == "power"
    assert power.k_hat is not None
    needed = reportkit.power(frame, "new", "old", effect=0.05, power=0.8)
    assert needed.question == "n"
    assert needed.k_hat is None
    for row, other in zip(needed.rows, power.rows, strict=True):
        assert (row.n > other.n) == (other.power < 0.8)
    assert repr(power) == repr(reportkit.power(frame.iloc[::-1], "new", "old", effect=0.05))


def test_numbers_by_dataset():
    """In order, by name, or one for all; 0 where no difference is expected."""
    by_name = reportkit.power(n={"cb": 500, "rte": 900}, effect={"rte": 0.03, "cb": 0.02}, discordant=0.2)
    in_order = reportkit.power(n=[500, 900], effect=[0.02, 0.03], discordant=0.2)
    assert {row.dataset: row.power for row in by_name.rows} == {
        "cb": in_order.rows[0].power,
        "rte": in_order.rows[1].power,
    }
    assert [row.dataset for row in in_order.rows] == ["1", "2"]
    alike = reportkit.power(n=500, effect=0.02, discordant=0.2, n_datasets=3)
    assert len(alike.rows) == alike.n_datasets == 3
    assert "each" in repr(alike)
    none = reportkit.power(n=[500, 900], effect=[0.02, 0], discordant=0.2)
    assert none.k_hat is not None
    assert none.k_hat.n_better == 1
    assert none.rows[1].power == 0
    assert "on 1 dataset" in none.summary()


def test_a_frame_with_nothing_that_is_no_number():
    """What does not exist is missing; counts are whole numbers."""
    frame = reportkit.power(n=[10, 900], discordant=0.2).to_frame()
    assert frame.columns.tolist() == [
        *("dataset", "n", "effect", "power", "effect_in_family", "discordant", "type_s", "exaggeration")
    ]
    assert frame["effect"].isna().tolist() == [True, False]
    assert frame["effect"].dtype == "Float64"
    needed = reportkit.power(effect=0.1, sd=[0.2, 0.3]).to_frame()
    assert needed["n_in_family"].dtype == "Int64"
    assert (needed["n_in_family"] > needed["n"]).all()


def test_k_hat_keeps_to_the_seed_and_the_method():
    """Fisher where datasets are independent, Bonferroni otherwise; the same seed, the same numbers."""
    plan = {"n": 500, "effect": 0.05, "discordant": 0.2, "n_datasets": 4}
    first, again, other = (reportkit.power(**plan, rng=seed) for seed in (0, 0, 1))
    assert repr(first) == repr(again)
    assert first.k_hat.mean != other.k_hat.mean
    fisher = reportkit.power(**plan, dependence="independent")
    assert "k-hat (Fisher)" in fisher.summary()
    assert fisher.k_hat.mean > first.k_hat.mean


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"effect": {"cb": 0.1}, "n": {"rte": 10}, "sd": 1.0}, UnknownNameError, "rte"),
        ({"effect": [0.1, 0.2], "n": [1, 2, 3], "sd": 1.0}, SettingsError, "effect 2, n 3"),
        ({"n": 10, "sd": 1.0, "accuracy": 0.5}, SettingsError, "sd is for scores"),
        ({"n": 10, "accuracy": 0.5, "design_effect": 2.0}, SettingsError, "design_effect goes with sd"),
        ({"n": 10, "discordant": 0.5, "pairing": "unpaired"}, SettingsError, "accuracy of the baseline"),
        ({"n": 10, "sd": 1.0, "power": 1.5}, SettingsError, "power is 1.5"),
        ({"n": 10, "sd": 1.0, "alternative": "less"}, SettingsError, "call the system that is to be better A"),
        ({"n": 10, "sd": 1.0, "n_runs": 3}, SettingsError, "there are no results"),
    ],
)
def test_plans_that_make_no_sense(arguments, error, said):
    """The message says which number, and what to give."""
    with pytest.raises(error, match=said):
        reportkit.power(**arguments)


def test_results_that_do_not_fit(frame):
    """Systems have to be named; printed figures and other numbers are refused."""
    with pytest.raises(SettingsError, match="hold 3 systems"):
        frame.replic.power()
    with pytest.raises(UnknownNameError, match="did you mean 'new'"):
        frame.replic.power("nwe", "old")
    with pytest.raises(SettingsError, match="effect holds 3 numbers for 2 datasets"):
        frame.replic.power("new", "old", effect=[0.1, 0.1, 0.1])
    with pytest.raises(SettingsError, match="effect lacks dataset 'rte'"):
        frame.replic.power("new", "old", effect={"cb": 0.1})
    with pytest.raises(SettingsError, match="sd was given"):
        reportkit.power(frame, "new", "old", sd=1.0)
    with pytest.raises(SettingsError, match=r"does not allow a difference of 0\.9(.|\n)*dataset 'cb'"):
        frame.replic.power("new", "old", effect=0.9)
    printed = pd.DataFrame({"dataset": ["cb"], "score_a": [0.8], "score_b": [0.7], "p_value": [0.01]})
    with pytest.raises(DesignError, match="printed figures"):
        printed.replic.power("new", "old")
    two = frame[frame["system"] != "third"]
    assert repr(two.replic.power()) == repr(two.replic.power("new", "old"))
