"""Dependence between neighbouring instances is looked for, warned of, and never ruled out unseen."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import reportkit  # noqa: F401 - the accessor

CODE = "serial-dependence"


def drifting(n=400, rho=0.8, seed=1, gain=0.35):
    """Differences that follow each other: an autoregressive process of order one."""
    rng = np.random.default_rng(seed)
    x = np.zeros(n)
    for place in range(1, n):
        x[place] = rho * x[place - 1] + rng.normal()
    return x - x.mean() + gain


def frame_of(differences, ids=None, dataset="news", **columns):
    """System `ours` ahead of `base` by these differences."""
    n = len(differences)
    base = np.random.default_rng(9).normal(size=n).round(3)
    ids = np.arange(n) if ids is None else ids
    one = pd.DataFrame({"dataset": dataset, "instance": ids, **columns})
    return pd.concat([one.assign(system="ours", score=base + differences), one.assign(system="base", score=base)])


def found(frame):
    """The findings on serial dependence, and the whole paragraph."""
    analysis = frame.replic.compare("ours", "base")
    return [finding for finding in analysis.findings if finding.code == CODE], analysis.paragraph("full")


def test_drifting_differences_are_warned_of_with_the_design_effect():
    """By running numbers; the warning leads to a column of clusters, which ends it."""
    frame = frame_of(drifting())
    (finding,), paragraph = found(frame)
    assert finding.severity == "warning"
    assert float(re.search(r"about (\d+\.\d) times", finding.message)[1]) > 3
    assert "--columns cluster=doc" in finding.remedy
    assert "Neighbouring instances, in the order of their ids, are alike" in paragraph
    assert "speaks against" not in paragraph
    clustered = frame_of(drifting(), talk=np.arange(400) // 20)
    assert found(clustered)[0]
    assert CODE not in {item.code for item in clustered.replic(cluster="talk").compare("ours", "base").findings}


@pytest.mark.parametrize("name", ["{}", "q{}", "doc{}.s3", "talk.{}:1"])
def test_the_order_is_that_of_the_ids_whatever_the_order_of_rows(name):
    """Numbers within ids count by value: 9 comes before 10, and rows may stand anywhere."""
    ids = [name.format(number) for number in range(400)]
    frame = frame_of(drifting(), ids)
    (finding,), paragraph = found(frame)
    shuffled = found(frame.sample(frac=1, random_state=3))
    assert shuffled == ([finding], paragraph)


def test_ids_without_order_are_not_looked_at_and_nothing_is_claimed():
    """Words have no neighbours."""
    words = ["".join(chr(97 + int(digit)) for digit in str(number)) for number in range(1000, 1400)]
    findings, paragraph = found(frame_of(drifting(), words))
    assert not findings
    assert "speaks against" not in paragraph
    assert "eighbouring" not in paragraph


def test_independent_instances_are_rarely_suspected():
    """Three standard errors are exceeded in .13% of 300 datasets, whatever the distribution."""
    rng = np.random.default_rng(5)
    draws = (rng.normal, lambda size: rng.exponential(size=size) - 0.7, lambda size: rng.choice([-1.0, 0.0, 1.0], size))
    frames = [frame_of(draws[place % 3](size=60), dataset=f"d{place}") for place in range(300)]
    suspected = [finding.where.count("'d") for finding in found(pd.concat(frames))[0]]
    assert sum(suspected) <= 3


@pytest.mark.parametrize("dataset", ["ted-ende", "ted-zhen"])
def test_segments_of_talks_are_found_by_their_running_numbers(shared, dataset):
    """Error counts of segments in the order of their talks: as many pairs above 3 as counted here, and most of all."""
    frame = pd.read_parquet(shared / "data" / "mqm_ted" / "ted_error_counts.parquet")
    frame = frame[frame.dataset == dataset]
    ids = sorted(frame.instance.unique(), key=lambda name: [int(part) for part in re.findall(r"\d+", name)])
    frame = frame.assign(instance=frame.instance.map({name: number for number, name in enumerate(ids)}))
    frame = frame[["system", "dataset", "instance", "score"]]
    scores = frame.set_index(["system", "instance"]).score.unstack("system").to_numpy()  # noqa: PD010
    z = []
    for first, second in combinations(range(scores.shape[1]), 2):
        e = scores[:, first] - scores[:, second]
        e = e - e.mean()
        z.append((e[1:] * e[:-1]).sum() / np.sqrt(((e[1:] * e[:-1]) ** 2).sum()))
    analysis = frame.replic.compare(kind="count", higher_is_better=False)
    (finding,) = [finding for finding in analysis.findings if finding.code == CODE]
    above = sum(value > 3 for value in z)
    assert f"for {above} of {len(z)} comparisons" in finding.message
    assert f"z = {max(z):.1f}" in finding.message
    assert above > 0.45 * len(z)
