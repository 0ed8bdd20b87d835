"""Numbers of right answers alone: from a frame to the paragraph, tables and JSON."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.errors import DesignError
from tests.claims import claims_in
from tests.designs.golden import as_in_file

PAIR = ("BERT-MT-ensemble", "Reading-Strategies")


@pytest.fixture(scope="module")
def arc():
    """The two systems of Sadat Azer et al. (2020) on both parts of ARC."""
    return pd.DataFrame(
        {
            "system": PAIR * 2,
            "dataset": ["ARC-easy"] * 2 + ["ARC-challenge"] * 2,
            "k": [1721, 1637, 566, 496],
            "n": [2376, 2376, 1172, 1172],
        }
    )


@pytest.fixture(scope="module")
def paragraphs(arc):
    """By the name of the case."""
    one = arc[arc.dataset == "ARC-easy"]
    unequal = pd.DataFrame({"system": ["new", "old"], "dataset": "cb", "k": [70, 50], "n": [90, 80]})
    many = pd.concat([one.assign(dataset=f"part {i}") for i in range(6)])
    three = pd.DataFrame({"system": ["new", "mid", "old"], "dataset": "cb", "k": [90, 60, 30], "n": 100})
    return {
        "two datasets": arc.replic.compare(*PAIR).paragraph(),
        "one dataset, both directions": one.replic.compare(*PAIR, alternative="two-sided").paragraph(),
        "different test sets": unequal.replic.compare("new", "old").paragraph(),
        "at the worst pairing": arc.replic.compare(*PAIR, test="mcnemar-margins").paragraph(),
        "six datasets": many.replic.compare(*PAIR).paragraph(),
        "three systems, all pairs": three.replic.compare().paragraph(),
        "three systems, all pairs, in full": three.replic.compare().paragraph("full"),
    }


def test_paragraphs_read_as_expected(paragraphs):
    """Each text is as in the file that people read."""
    as_in_file("counts", paragraphs)


def test_published_numbers(arc, shared):
    """z, p, interval and the largest McNemar p-values of both parts, as in the list of truths."""
    truths = json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["azer"]
    analysis = arc.replic.compare(*PAIR, test="aggregate-z")
    outcomes = analysis.outcomes.set_index("dataset")
    assert outcomes.p_value["ARC-easy"] == pytest.approx(truths["easy"]["p_one"], rel=1e-8)
    assert outcomes.p_value["ARC-challenge"] == pytest.approx(truths["challenge"]["p_one"], rel=1e-8)
    interval = outcomes.loc["ARC-easy", ["ci_low", "ci_high"]].tolist()
    assert interval == pytest.approx(truths["easy"]["ci95_newcombe"], abs=5e-8)
    (comparison,) = claims_in(analysis.report().to_dict())
    for item in comparison["datasets"]:
        assert (item["shape"], item["test"], item["n_nonzero"]) == ("counts", "aggregate-z", None)
        name = item["dataset"].removeprefix("ARC-")
        largest = item["details"]["a"]["mcnemar_p_value_high"]
        assert largest == pytest.approx(truths[f"mcnemar_bounds_{name}"]["p_one_exact_max"], rel=1e-8)
    codes = [item["code"] for item in analysis.report().to_dict()["findings"]]
    assert codes.count("pairing-unknown") == 2


def test_the_worst_pairing_as_a_named_test(arc):
    """Valid whatever the pairing was, and so never below the smallest McNemar p-value."""
    outcomes = arc.replic.compare(*PAIR, test="mcnemar-margins").outcomes.set_index("dataset")
    assert outcomes.p_value.round(5).to_dict() == {"ARC-challenge": 0.01709, "ARC-easy": 0.01309}
    with pytest.raises(DesignError, match="'mcnemar' is a test of paired scores, and these are numbers of right"):
        arc.replic.compare(*PAIR, test="mcnemar")
