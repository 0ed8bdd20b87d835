"""Numbers for running text: the same as in the tables, under keys that stay."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis.analysis import Analysis
from reportkit.language.numerals import level_text, p_value_text
from reportkit.rendering.text.inline import plain_prose
from reportkit.report.machine import numbers as module
from reportkit.report.machine.keys import FACTS, OF_COMPARISONS
from reportkit.report.machine.numbers import numbers_of
from reportkit.report.score_format import scale_for


def _frame(systems=("Ours", "Base"), datasets=("SST-2", "IMDb"), n=80, seed=1, metrics=("",)):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        [
            {
                "system": system,
                "dataset": dataset,
                "instance": f"{dataset}-{i}",
                **({"metric": metric} if metric else {}),
                "score": int(rng.random() < 0.55 + 0.25 * (system == systems[0])),
            }
            for system in systems
            for dataset in datasets
            for metric in metrics
            for i in range(n)
        ]
    )


def _texts(analysis: Analysis, **options) -> dict[str, str]:
    numbers = analysis.report().model.numbers if not options else numbers_of(analysis, **options)
    return {key: plain_prose(number.content) for key, number in numbers.items()}


@pytest.fixture(scope="module")
def pair() -> Analysis:
    """One declared claim on two datasets."""
    return _frame().replic.compare("Ours", "Base")


def test_scores_are_those_of_the_table(pair: Analysis) -> None:
    """Cell by cell, for one pair and for many systems."""
    every = _frame(("A", "B", "C"), ("x", "y", "z")).replic.compare()
    for analysis, keys in ((pair, {"SST-2": "sst-2", "IMDb": "imdb"}), (every, {"x": "x", "y": "y", "z": "z"})):
        found = _texts(analysis)
        table = analysis.table()
        heads = [plain_prose(column.header) for column in table.columns]
        compared = 0
        for row in table.rows:
            cells = [plain_prose(cell.text) for cell in row.cells]
            for head, cell in zip(heads[1:], cells[1:], strict=True):
                across, down = head.rsplit(" ", 1)[-1], cells[0].rsplit(" ", 1)[-1]
                dataset, system = (across, down) if across in keys else (down, across)
                key = f"main/{keys.get(dataset)}/{system.lower()}"
                if key in found:
                    assert found[key] == cell
                    compared += 1
        assert compared == {"SST-2": 6, "x": 9}[next(iter(keys))]  # n has a column of its own where there is one pair


def test_outcomes_are_those_of_the_analysis(pair: Analysis) -> None:
    """p-values, adjusted ones, n, differences and ends of intervals, as they are printed."""
    found = _texts(pair)
    for row in pair.outcomes.itertuples():
        key = f"main/{str(row.dataset).lower()}/ours-vs-base"
        assert found[f"{key}/p"] == p_value_text(row.p_value)
        assert found[f"{key}/p-adjusted"] == p_value_text(row.adjusted_p_value)
        assert found[f"{key}/n"] == str(row.n)
        for fact, value in (("difference", row.difference), ("ci-low", row.ci_low), ("ci-high", row.ci_high)):
            assert float(found[f"{key}/{fact}"].replace("−", "-")) == pytest.approx(100 * value, abs=0.051)
        assert found[f"{key}/ci"] == f"[{found[f'{key}/ci-low']}, {found[f'{key}/ci-high']}]"


@pytest.mark.parametrize(("p_value", "expected"), [(0.0361, "p = .036"), (1e-9, "p < .001"), (0.999, "p > .99")])
def test_a_stated_p_value_says_its_relation(p_value: float, expected: str, printed_assessments) -> None:
    """So that nobody writes p = < .001; the spaces do not break."""
    content = module._stated(p_value)
    assert plain_prose(content).replace("\u00a0", " ") == expected


def test_k_hat_at_each_level_and_by_each_method() -> None:
    """The one to report without a method, Fisher's only where it may be used."""
    analysis = _frame().replic.compare("Ours", "Base", dependence="independent", alpha=(0.05, 0.01))
    found = _texts(analysis)
    for alpha, row in analysis.k_hat.iterrows():
        key = f"main/ours-vs-base/k-hat/{level_text(float(alpha))}"
        assert found[key] == str(row["recommended"])
        assert found[f"{key}/bonferroni"] == str(row["bonferroni"])
        assert found[f"{key}/fisher"] == str(row["fisher"])
        assert found[f"{key}/fisher-bonferroni"] == found[key]
    assert found["main/ours-vs-base/k-hat"] == found["main/ours-vs-base/k-hat/.05"]
    assert "main/ours-vs-base/k-hat/.05/fisher" not in _texts(_frame().replic.compare("Ours", "Base"))


def test_identified_datasets_are_named_in_words(pair: Analysis) -> None:
    """Those that are marked; "none" where there are none."""
    found = _texts(pair)
    marked = [row.dataset for row in pair.outcomes.itertuples() if row.identified]
    assert found["main/ours-vs-base/identified"] == " and ".join(marked)
    assert found["main/ours-vs-base/n-identified"] == str(len(marked)) == "2"
    back = _texts(_frame().replic.compare("Base", "Ours"))
    assert (back["main/base-vs-ours/identified"], back["main/base-vs-ours/k-hat"]) == ("none", "0")


def test_facts_of_the_whole_analysis(pair: Analysis) -> None:
    """What an author needs for a sentence on the method."""
    found = _texts(pair)
    assert found["main/n-datasets"] == found["main/n-systems"] == found["main/n-hypotheses"] == "2"
    assert (found["main/alpha"], found["main/alphas"], found["main/confidence"]) == (".05", ".05 and .01", "95")
    assert found["main/tests"] == "exact McNemar test"
    assert found["main/data-hash"] == pair.digest[:12]
    assert "main/seed" not in found  # no random resamples were drawn


def test_several_metrics_stand_between() -> None:
    """Each score under its metric, facts of the whole analysis without one."""
    frame = _frame(metrics=("acc", "F 1"))
    found = _texts(frame.replic.compare("Ours", "Base", metric=["acc", "F 1"]))
    assert {"main/acc/sst-2/ours", "main/f-1/sst-2/ours", "main/f-1/ours-vs-base/k-hat", "main/alpha"} <= found.keys()
    assert "main/sst-2/ours" not in found
    assert found["main/n-hypotheses"] == "4"


def test_exploratory_metrics_have_no_marks_and_identify_nothing() -> None:
    """They carry no claim."""
    frame = _frame(metrics=("acc", "f1"))
    analysis = frame.replic.compare("Ours", "Base", metric=["acc", "f1"], gatekeeping="exploratory")
    numbers = analysis.report().model.numbers
    assert "main/acc/ours-vs-base/identified" in numbers
    assert "main/f1/ours-vs-base/identified" not in numbers
    assert "main/f1/sst-2/ours-vs-base/mark" not in numbers
    assert "exploratory" in numbers["main/f1/sst-2/ours-vs-base/p"].meaning


def test_datasets_taken_together_are_not_counted() -> None:
    """No k-hat where the datasets are the sample."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [{"system": s, "dataset": f"d{d}", "score": rng.normal(0.5 * (s == "A"), 1)} for s in "AB" for d in range(10)]
    )
    found = _texts(frame.replic.compare("A", "B", across_datasets=True))
    assert found["main/n-datasets"] == "10"
    assert not [key for key in found if "k-hat" in key or "identified" in key]


def test_many_outcomes_get_keys_on_request_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files stay small; a text in Python finds every number all the same."""
    analysis = _frame(("A", "B", "C"), ("x", "y")).replic.compare()
    full = _texts(analysis)
    monkeypatch.setattr(module, "MOST_OUTCOMES", 11)
    analysis = dataclasses.replace(analysis)  # a report is laid out once
    assert not [key for key in _texts(analysis) if key.endswith("/p")]
    assert "main/a-vs-b/k-hat" in _texts(analysis)
    assert analysis.format_numbers("{p:x/a-vs-b}") == full["main/x/a-vs-b/p"]
    monkeypatch.setattr(module, "MOST_COMPARISONS", 5)
    analysis = dataclasses.replace(analysis)
    assert not [key for key in _texts(analysis) if "k-hat" in key]
    assert analysis.format_numbers("{k_hat:a-vs-b}") == full["main/a-vs-b/k-hat"]
    slugs = [key.split("/")[1] for key in full if "-vs-" in key.split("/")[1]]
    assert _texts(analysis, about=slugs) == full


def test_labels_change_what_is_printed_and_no_key(pair: Analysis) -> None:
    """Decimals follow the appearance, too; the name of the report is settable."""
    styled = pair.styled(labels={"SST-2": "Stanford", "Ours": "We"}, decimals=2, name="ablation-2")
    found, plain = _texts(styled), _texts(pair)
    assert [key.removeprefix("ablation-2/") for key in found] == [key.removeprefix("main/") for key in plain]
    assert found["ablation-2/ours-vs-base/identified"] == "IMDb and Stanford"
    assert len(found["ablation-2/sst-2/ours"].split(".")[1]) == 2


def test_row_order_does_not_matter(pair: Analysis) -> None:
    """The same keys with the same values."""
    shuffled = _frame().sample(frac=1, random_state=3).replic.compare("Ours", "Base")
    assert dict(sorted(_texts(shuffled).items())) == dict(sorted(_texts(pair).items()))


def test_printed_results_have_numbers() -> None:
    """Without n and without intervals, as nobody printed them."""
    frame = pd.DataFrame(
        {"dataset": ["x", "y"], "score_a": [92.3, 88.1], "score_b": [91.0, 88.4], "p_value": [0.001, 0.7]}
    )
    found = _texts(frame.replic.compare("A", "B"))
    assert (found["main/x/a"], found["main/x/a-vs-b/p"]) == ("92.3", ".0010")
    assert not [key for key in found if key.endswith(("/n", "/ci"))]


def test_every_number_says_what_it_is(pair: Analysis) -> None:
    """In words, and nothing is printed as NaN or infinity."""
    numbers = pair.report().model.numbers
    assert all(number.meaning for number in numbers.values())
    assert not [key for key, text in _texts(pair).items() if "nan" in text.split() or "inf" in text]


def test_unbounded_intervals_have_no_such_end(pair: Analysis) -> None:
    """An end at infinity is not a number to cite."""
    data = pair
    item = data.comparisons[0].assessments[0]
    wide = dataclasses.replace(item, interval=dataclasses.replace(item.interval, high=float("inf")))
    found = module._effects(wide, scale_for([item]))
    assert "ci-low" in found
    assert not {"ci", "ci-high"} & found.keys()


def test_the_names_of_facts_are_the_documented_ones(pair: Analysis) -> None:
    """Each key ends in a system, a fact of `keys`, or a level with its method."""
    known = {*FACTS, *OF_COMPARISONS, "ours", "base", ".05", ".01", "bonferroni"}
    assert {key.rsplit("/", 1)[-1] for key in _texts(pair)} <= known
