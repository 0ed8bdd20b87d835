"""The table of all numbers that the four papers print."""

import json
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script():
    """The script that writes the page."""
    return runpy.run_path(str(ROOT / "docs" / "printed.py"))


@pytest.fixture(scope="module")
def truths(shared):
    """Recomputed elsewhere."""
    return json.loads((shared / "truths" / "papers.json").read_text("utf-8"))


@pytest.mark.slow
def test_the_page_is_what_the_script_writes(script):
    """`python docs/printed.py`."""
    assert (ROOT / "docs" / "printed-numbers.md").read_text("utf-8") == script["page"]()


@pytest.mark.slow
def test_k_hats_and_holm_sets_are_the_truths(script, truths):
    """Table 1, footnote 13 and the marks of Tables 2 to 5; the printed ones but for Fisher's count of sentiment."""
    lines = {line[0]: line for line in script["dror"]()}
    names = {
        "Mate – SpaCy": "Mate-SpaCy",
        "Mate – Redshift": "Mate-Redshift",
        "MIMICK – Char→Tag": "POS",
        "AE-SCL-SR – MSDA": "Sent",
        "W2V – GloVe": "WordSim",
    }
    seen = 0
    for place, printed, ours, _ in lines.values():
        pair = next((pair for pair in names if pair in place), None)
        if pair is None:
            continue
        truth = truths["tables"][names[pair]]["alpha"][place.rpartition(" = ")[2]]
        if "marked" in place:
            assert printed == ours == ", ".join(sorted(name.replace(">", "→") for name in truth["holm"]))
        else:
            methods = ("count", "bonferroni", "fisher")
            assert ours == ", ".join(str(truth[method]) for method in methods)
            assert printed == ", ".join(str(truth["published"][method]) for method in methods)
        seen += 1
    assert seen == 17


@pytest.mark.slow
def test_simulated_shares_are_the_truths(script, truths):
    """Exact probabilities to 1e-6, Fisher's within 4 standard errors of 20,000 families."""
    lines = {line[0]: line for line in script["toy"]()}
    for name, key in (("independent", "independent_exact"), ("dependent", "dependent_separate_factors")):
        printed = [float(lines[f"§5, {name}, {method}"][1]) for method in ("count", "bonferroni", "fisher")]
        assert printed == truths["toy"][f"printed_{name}"]
        for method, short in (("count", "count"), ("bonferroni", "bonf")):
            found = re.search(r"> 0\) = (\.\d+)", lines[f"§5, {name}, {method}"][2])[1]
            assert float(found) == pytest.approx(truths["toy"][key][f"P(k_{short}>0)"], abs=1e-6)
    found = re.search(r"> 0\) = (\.\d+)", lines["§5, dependent, fisher"][2])[1]
    truth = truths["toy"]["dependent_separate_factors"]["P(k_fisher>0)~MC200k"]
    assert abs(float(found) - truth) < 4 * (truth * (1 - truth) / 20_000) ** 0.5 + 0.001


def test_examples_1_to_4_are_the_truths(script, truths):
    """Each number of the third column, to its digits."""
    lines = {line[0]: line[2] for line in script["azer"]()}
    easy = truths["azer"]["easy"]
    for place, key in (
        ("Example 1, z", "z"),
        ("Example 1, one-sided p-value", "p_one"),
        ("Example 3, P(θ₁ > θ₂)", "P(d>0)"),
        ("Example 3, P(θ₁ − θ₂ > .01)", "P(d>.01)"),
        ("Example 4, P(ROPE)", "rope_post"),
        ("Example 4, prior P(ROPE)", "rope_prior"),
        ("Example 4, BF₀₁, Beta(1, 1)", "BF01"),
    ):
        digits = len(lines[place].partition(".")[2])
        assert float(lines[place]) == pytest.approx(easy[key], abs=0.5000001 * 10**-digits)
    for place, key in (("Example 2, “95%” interval, pooled variance", "ci95_pooled"), ("Example 3, 95% HDI", "hdi95")):
        assert lines[place] == "[" + ", ".join(f"{value:.4f}"[1:] for value in easy[key]) + "]"


def test_intervals_of_table_3_follow_from_means_and_errors(script):
    """Within a unit of the last digit, as the means are rounded."""
    rows = [line for line in script["xue"]() if line[0].startswith("Table 3")]
    assert len(rows) == 6
    for _, printed, ours, _ in rows:
        pairs = zip(printed.split(", "), ours.split(", "), strict=True)
        assert all(abs(float(one) - float(other)) < 0.0101 for one, other in pairs)
