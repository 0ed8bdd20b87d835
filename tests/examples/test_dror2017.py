"""Dror et al. (2017): every k-hat and every Holm set, printed, recomputed and direction-respecting."""

from __future__ import annotations

import json

import pytest

from tests.claims import claims_in

# (file, A, B, alpha): printed (count, Bonferroni, Fisher) of Table 1 and footnote 13, and what follows
TRUTHS = {
    ("parsing", "Mate", "SpaCy", "0.05"): ((7, 7, 7), (7, 7, 7)),
    ("parsing", "Mate", "SpaCy", "0.01"): ((7, 7, 7), (7, 7, 7)),
    ("parsing", "Mate", "Redshift", "0.05"): ((2, 1, 5), (2, 1, 5)),
    ("parsing", "Mate", "Redshift", "0.01"): ((1, 0, 2), (1, 0, 2)),
    ("pos", "MIMICK", "Char→Tag", "0.05"): ((11, 6, 16), (11, 6, 16)),
    ("pos", "MIMICK", "Char→Tag", "0.01"): ((7, 5, 13), (7, 5, 13)),
    ("sentiment", "AE-SCL-SR", "MSDA", "0.05"): ((10, 6, 10), (10, 6, 9)),
    ("sentiment", "AE-SCL-SR", "MSDA", "0.01"): ((6, 2, 8), (6, 2, 8)),
    ("word-similarity", "W2V", "GloVe", "0.05"): ((8, 6, 7), (8, 6, 7)),
    ("word-similarity", "W2V", "GloVe", "0.01"): ((6, 4, 6), (6, 4, 6)),
}
METHODS = ("count", "bonferroni", "fisher")
CASES = pytest.mark.parametrize("case", TRUTHS, ids=lambda case: " ".join(case))


def _reproduction(content, a, b, alpha):
    (found,) = [
        item
        for item in content["reproductions"]
        if (item["system_a"], item["system_b"], item["alpha"]) == (a, b, float(alpha))
    ]
    return found


def _comparison(content, a, b):
    (found,) = [item for item in claims_in(content) if (item["system_a"], item["system_b"]) == (a, b)]
    return found


@pytest.mark.slow
@CASES
def test_printed_and_recomputed_figures(dror_content, case):
    """The printed figures are those of the paper; the recomputed ones differ in one place only."""
    name, a, b, alpha = case
    printed, recomputed = TRUTHS[case]
    item = _reproduction(dror_content[name], a, b, alpha)
    assert tuple(item["printed"]["k_hat"][method] for method in METHODS) == printed
    assert tuple(item["recomputed"]["k_hat"][method] for method in METHODS) == recomputed
    assert item["impossible"] == (["fisher"] if printed != recomputed else [])


@CASES
def test_k_hat_of_the_comparison_follows_the_declared_dependence(dror_content, case):
    """Fisher's bound is given for the independent datasets alone, and is then the one to report."""
    name, a, b, alpha = case
    count, bonferroni, fisher = TRUTHS[case][1]
    independent = name in ("parsing", "pos")
    assert _comparison(dror_content[name], a, b)["k_hat"][alpha] == {
        "count": count,
        "bonferroni": bonferroni,
        "fisher": fisher if independent else None,
        "fisher-bonferroni": None,
        "recommended": fisher if independent else bonferroni,
        "method": "fisher" if independent else "bonferroni",
    }


def test_the_printed_counts_and_names_are_called_separate_statements(dror_content):
    """Fisher's count and Holm's names of what a paper prints do not come from one closed test, and the text says so."""
    for name, content in dror_content.items():
        independent = name in ("parsing", "pos")
        assert content["family"]["correction"] == "holm"
        assert ("separate statements" in json.dumps(content["document"])) == independent


def test_holm_sets(dror_content, shared):
    """Datasets identified by Holm's procedure are those recomputed elsewhere, at both levels."""
    truths = json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["tables"]
    keys = {
        ("parsing", "SpaCy"): "Mate-SpaCy",
        ("parsing", "Redshift"): "Mate-Redshift",
        ("pos", "Char→Tag"): "POS",
        ("sentiment", "MSDA"): "Sent",
        ("word-similarity", "GloVe"): "WordSim",
    }
    for name, a, b, alpha in TRUTHS:
        expected = {dataset.replace(">", "→") for dataset in truths[keys[name, b]]["alpha"][alpha]["holm"]}
        datasets = _comparison(dror_content[name], a, b)["datasets"]
        assert {item["dataset"] for item in datasets if item["identified"][alpha]} == expected
        assert set(_reproduction(dror_content[name], a, b, alpha)["recomputed"]["identified"]) == expected


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("parsing", []), ("pos", ["Tamil", "Basque", "Indonesian"]), ("sentiment", []), ("word-similarity", ["YP-130"])],
)
def test_starred_rows_with_the_wrong_sign_are_shown_as_such(dror_reports, dror_content, name, wrong):
    """Where the claimed winner scores lower there is no mark, and the report, the terminal and the exit code say so."""
    folder, code = dror_reports[name]
    content = dror_content[name]
    starred = [
        item["dataset"]
        for comparison in claims_in(content)
        for item in comparison["datasets"]
        if item["identified"]["0.05"] and not item["marked"]["0.05"]
    ]
    assert starred == wrong
    assert code == (0 if name == "parsing" else 1)
    text = (folder / "more" / "report.md").read_text("utf-8")
    for dataset in wrong:
        assert dataset in text.split("scores lower")[1]


def test_direction_respecting_bounds(dror_content):
    """At .025 for each direction: three and three languages, five and one word-similarity datasets."""
    for name, b, expected in (("pos", "Char→Tag", (3, 3)), ("word-similarity", "GloVe", (5, 1))):
        a = "MIMICK" if name == "pos" else "W2V"
        sides = _reproduction(dror_content[name], a, b, "0.05")["direction_respecting"]
        for reading in ("observed-direction", "two-sided"):
            bounds = (sides["a_better"][reading]["bonferroni"], sides["b_better"][reading]["bonferroni"])
            assert bounds == expected


def test_three_columns_are_printed(dror_reports):
    """The report shows printed, recomputed and direction-respecting figures side by side."""
    folder, _ = dror_reports["sentiment"]
    table = (folder / "more" / "tables" / "reproduction.md").read_text("utf-8")
    for word in ("Printed", "Recomputed", "A better", "B better"):
        assert word in table
    assert "**9**" in table
