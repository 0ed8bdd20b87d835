"""The sentences of all templates, branch by branch, against `sentences.md` and `studies.md`, read by eye.

REPORTKIT_UPDATE_GOLDEN=1 writes it anew. Read the difference before you commit it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.analysis.presentation import BuiltReport
from reportkit.replicability.printed import PrintedClaim
from reportkit.report.model import Figure, Itemize, Table
from reportkit.report.tokens import plain
from tests.contract import frames
from tests.report.golden import mixed, same_as_in


def better(n: int) -> dict[str, tuple[float, ...]]:
    """Return gains of `n` systems, the later the larger, on two datasets."""
    return {f"m{i:02}": (0.5 + 0.1 * i, 0.5 if i % 2 else 0.0) for i in range(n)}


def errors(gain: float) -> pd.DataFrame:
    """Return the errors on one dataset, of which less is better, of a system that is better by so much."""
    return mixed({"new": (gain,)}).assign(score=lambda rows: 1 - rows["score"], metric="error_rate")


def lacking() -> pd.DataFrame:
    """Return results of which d2 has no score of the two systems, and d3 is of another one, too."""
    return pd.concat(
        [mixed({"new": (0.6, 0.0, 0.0)}).query("dataset != 'd2'"), mixed({"mid": (0, 0.6)}).query("system == 'mid'")]
    )


def said(alpha: float, k_hat: int, named: tuple[str, ...] | None = None) -> PrintedClaim:
    """Return what a paper says about new and old."""
    return PrintedClaim(system_a="new", system_b="old", alpha=alpha, k_hat={"bonferroni": k_hat}, identified=named)


ONE = {"new": (0.6,)}
SHARING = mixed({"new": (0.6, 0.5)}).assign(
    instance=lambda rows: (
        "essay " + rows["instance"].str[3:] + rows["instance"].str[4:].map(lambda n: 7919 * int(n) % 9973).astype(str)
    )
)
PAIR = ("new", "base")
APART = pd.concat([mixed({"a": (0.5, 0.4), "b": (0.9,)}), mixed({"c": (1.0,)}, seed=1).replace({"d1": "d3"})])
BINARY = frames.right_or_wrong()
BOARD = frames.board(7, n=60)
MEANS = frames.means(frames.THREE)
PRINTED = frames.printed()
BEHIND = PRINTED.assign(p_value=[0.02, 0.001, 0.3, 0.4, 0.2, 0.001])
FOR_BOTH = PRINTED.assign(p_value=[0.0004, 0.0001, 0.001, 0.4, 0.0004, 0.09])
OPPOSED = mixed({"new": (1.2, 1.0, -1.0)})
LOSING = mixed({"new": (-1.0, -0.8, -1.2)})
CELL = "{score} {p} {adjusted_p} [{ci_low}, {ci_high}]"

COMPARISONS: dict[str, Callable[[], Any]] = {
    "both directions, one dataset, no difference": lambda: mixed({"new": (0.02,)}).replic.compare(),
    "both directions, each shown somewhere": lambda: OPPOSED.replic.compare(),
    "both directions, one dataset of errors": lambda: errors(0.02).replic.compare(),
    "one dataset, worse": lambda: mixed({"new": (-0.6,)}).replic.compare(*PAIR, preregistered=True),
    "one dataset, more errors": lambda: errors(-0.6).replic.compare(*PAIR),
    "worse everywhere": lambda: LOSING.replic.compare(*PAIR),
    "worse everywhere, two metrics": lambda: pd.concat(
        [LOSING.assign(metric="fluency"), LOSING.assign(metric="adequacy")]
    ).replic.compare(*PAIR, metric=["fluency", "adequacy"]),
    "at least, among them": lambda: frames.many_datasets(20).replic.compare("new", "old", dependence="independent"),
    "at least, among them, of errors": lambda: (
        frames.many_datasets(20)
        .assign(score=lambda rows: 1 - rows["score"], metric="error_rate")
        .replic.compare("new", "old", dependence="independent")
    ),
    "ten against a baseline, all better": lambda: mixed(better(10)).replic.compare(baseline="base"),
    "ten against a baseline, one better": lambda: mixed(
        {f"m{i}": (1.0, 1.0) if i == 3 else (-0.02 * i, 0.0) for i in range(10)}
    ).replic.compare(baseline="base"),
    "three worse than a baseline": lambda: mixed(
        {f"m{i}": (-1.0, -0.5) for i in range(3)} | {"m9": (0.7, 0.7)}
    ).replic.compare(baseline="base"),
    "a metric for each dataset": lambda: (
        mixed(better(2))
        .assign(metric=lambda rows: rows["dataset"].map({"d1": "accuracy", "d2": "f1"}))
        .replic.compare(baseline="base")
    ),
    "pairs without a dataset in common": lambda: APART.replic.compare(),
    "pairs without a dataset in common, counted": lambda: APART.replic.compare().table("pairs"),
    "a dataset without scores, and one left aside": lambda: lacking().replic.compare(*PAIR, datasets=["d1", "d2"]),
    "instances in two datasets": lambda: SHARING.replic.compare(*PAIR, dependence="independent"),
    "runs on independent datasets": lambda: frames.runs().replic.compare("new", "old", dependence="independent"),
    "runs as they are": lambda: frames.runs().replic.compare("new", "old", runs="fixed"),
    "cells": lambda: mixed(ONE).replic.compare(*PAIR).styled(cell=CELL),
    "cells with an end": lambda: (
        mixed(ONE).replic.compare(*PAIR).styled(cell="{score}{mark} {ci_low}", marks="daggers")
    ),
    "p-values of many": lambda: mixed(better(3)).replic.compare(baseline="base").table("p-values"),
    "counts and names apart": lambda: mixed(better(3)).replic.compare(baseline="base", dependence="independent"),
    "Friedman": lambda: MEANS.replic.compare(friedman=True, across_datasets=True),
    "Friedman, no difference": lambda: mixed({"a": (0.0,) * 6, "b": (0.1,) * 6}).replic.compare(friedman=True),
    "Friedman, against a baseline": lambda: mixed({"a": (0.9,) * 8, "b": (0.5,) * 8}).replic.compare(
        friedman=True, baseline="base"
    ),
    "printed, as printed": lambda: PRINTED.replic.compare("new", "old"),
    "printed, both better": lambda: FOR_BOTH.replic.compare("new", "old"),
    "printed, the other better": lambda: BEHIND.replic.compare("new", "old"),
    "printed, only the other better": lambda: PRINTED.assign(p_value=[0.2, 0.001] + [0.3] * 4).replic.compare(
        "new", "old"
    ),
    "printed, neither better": lambda: PRINTED.assign(p_value=[0.2, 0.008] + [0.3] * 4).replic.compare("new", "old"),
    "printed, nothing shown": lambda: PRINTED.assign(p_value=0.2).replic.compare("new", "old"),
    "printed, two-sided": lambda: PRINTED.replic.compare("new", "old", printed_reading="two-sided"),
    "printed, observed direction": lambda: PRINTED.replic.compare(
        "new", "old", printed_reading="observed-direction", dependence="independent"
    ),
    "printed, counts and names apart": lambda: PRINTED.replic.compare("new", "old", dependence="independent"),
    "printed, one dataset": lambda: PRINTED[:1].replic.compare("new", "old"),
    "printed, two claims": lambda: pd.concat([PRINTED, PRINTED.assign(system_b="mid")]).replic.compare(),
    "printed, figures that follow": lambda: PRINTED.replic.compare("new", "old", claims=[said(0.05, 3)], alpha=0.05),
    "printed, figures that do not follow": lambda: PRINTED.replic.compare(
        "new", "old", claims=[said(0.05, 5, ("tweets",)), said(0.01, 2, ())]
    ),
}


def calibrated(changed: Callable[[Any], dict[str, Any]] = lambda _: {}, **options: Any) -> BuiltReport:
    """Return the report on a small calibration of BOARD, with some of its findings changed."""
    few = {"n_replicates": 60, "n_subsamples": 20, "max_tests": 600, "n_families": 400}
    found = BOARD.replic.calibrate("s00", "s01", quick=True, **few | options)
    return replace(found, study=replace(found.study, **changed(found.study))).report()


def liberal(study: Any) -> dict[str, Any]:
    """Return nulls of which one is too liberal for no known reason, one for two, and one is undecided."""
    first, second, third, *_ = study.nulls
    p = np.linspace(0, 1, 400)
    return {
        "nulls": (
            replace(first, p_greater=p**2, p_less=p**2),
            replace(second, p_greater=p**1.5, p_less=p, reasons=("instances form clusters", "scores are tied")),
            replace(third, p_greater=p[::20] ** 1.5, p_less=p[::20]),
        )
    }


def many_verdicts(study: Any) -> dict[str, Any]:
    """Return nine nulls that are too liberal, two that are calibrated and one that is conservative."""
    first, second, *_ = study.nulls
    p = np.linspace(0, 1, 2000)
    kept = (replace(first, p_greater=p, p_less=p), replace(second, p_greater=p, p_less=p))
    wrong = (replace(first, p_greater=p**2, p_less=p**2),) * 9
    return {"nulls": (*wrong, *kept, replace(first, p_greater=p**0.5, p_less=p**0.5))}


def other_parts(study: Any) -> dict[str, Any]:
    """Return joint nulls with and without shared instances, known thresholds, and one dataset with a hidden bin."""
    (joint,) = study.joint
    wrong = {method: np.ones_like(found) for method, found in joint.k_hats.items()}
    known = [
        tuple(replace(one, threshold=0.5, low=0.4, high=0.6, n_in_window=20) for one in groups)
        for groups in study.thresholds
    ]
    return {
        "joint": (
            joint,
            replace(joint, n_shared=30),
            replace(joint, k_hats=wrong, n_shared=30),
            replace(joint, k_hats=wrong),
        ),
        "thresholds": (known[0], tuple(replace(one, low=None, high=None) for one in known[1])),
        "bins": study.bins[:1],
        "pairs": (("s00", "s01"), ("s02", "s03")),
    }


ASKED = frames.right_or_wrong(datasets=frames.FEW)
DIVISIONS = frames.divisions()
FLIPS = mixed({"new": (0.5, 0.0)})

STUDIES: dict[str, Callable[[], Any]] = {
    "claims within a region": lambda: ASKED.replic.compare("new", "old", rope=0.1, bayes=True),
    "claims of independent datasets": lambda: (
        frames.many_datasets(8, n_datasets=10).groupby(["system", "dataset"]).head(30)
    ).replic.compare("new", "old", rope=0.1, dependence="independent"),
    "one dataset, not shown": lambda: ASKED.replic.compare("new", "old").assess(better_by=0.05, datasets=["news"]),
    "one dataset, equivalent": lambda: ASKED.replic.compare("new", "old").assess(
        equivalent_within=0.2, datasets=["news"]
    ),
    "independent datasets": lambda: BINARY.replic.compare("new", "old", dependence="independent").assess(),
    "no interval, no posterior": lambda: FLIPS.replic.compare(*PAIR, test="wilcoxon").assess(),
    "no p-value": lambda: FLIPS.replic.compare(*PAIR, test="wilcoxon").assess(better_by=0.1),
    "posterior": lambda: ASKED.replic.compare("new", "old").posterior(),
    "Bayes factors": lambda: ASKED.replic.compare("new", "old").bayes_factor(better_by=0.02),
    "posterior over datasets": lambda: MEANS.replic.compare("new", "old", across_datasets=True).posterior(rope=1.0),
    "power: instances, one dataset": lambda: reportkit.power(effect=0.02, accuracy=0.85),
    "power: none": lambda: reportkit.power(n=3, discordant=0.2),
    "power: instances on several": lambda: reportkit.power(effect=[0.02, 0.03], discordant=0.2),
    "power: differences on several": lambda: reportkit.power(n=[500, 900, 3], discordant=0.2),
    "power: k-hat": lambda: reportkit.power(n=500, effect=[0.05, 0.05, 0.05, 0.0], discordant=0.2),
    "power: k-hat, all": lambda: reportkit.power(n=9000, effect=[0.05] * 3, discordant=0.2, dependence="independent"),
    "many divisions of two corpora": lambda: reportkit.reproducibility(DIVISIONS, "new", "old"),
    "many divisions of three corpora": lambda: reportkit.reproducibility(
        pd.concat([DIVISIONS, DIVISIONS.query("dataset == 'far'").assign(dataset="further")]), "new", "old"
    ),
    "many divisions of one": lambda: reportkit.reproducibility(DIVISIONS[DIVISIONS["dataset"] == "far"], "new", "old"),
    "one division": lambda: reportkit.reproducibility(frames.one_division(), "new", "old"),
    "calibration": calibrated,
    "calibration: too liberal": lambda: calibrated(liberal, parts=("null",)),
    "calibration: many verdicts": lambda: calibrated(many_verdicts, parts=("null",)),
    "calibration: other parts": lambda: calibrated(other_parts, parts=("joint", "pairs", "sizes", "bins"), toy=True),
    "no shifted test": lambda: (
        frames.unpaired(lambda values: (3 + values).round().clip(1, 5))
        .query("dataset in ['news', 'tweets']")
        .replic.compare("new", "old", pairing="unpaired", kind="ordinal")
        .assess(better_by=0.1)
    ),
}

CHECKLISTS: dict[str, Callable[[], Any]] = {
    "a pair": lambda: OPPOSED.replic.compare(*PAIR),
    "all pairs, with averages": lambda: mixed(better(2)).replic.compare().styled(average=True),
    "two metrics, one exploratory": lambda: frames.two_metrics().replic.compare(
        "new", "old", metric=["accuracy", "fluency"], gatekeeping="exploratory"
    ),
    "datasets as the sample": lambda: MEANS.replic.compare("new", "old", across_datasets=True),
    "folds": lambda: frames.folds(n_repeats=10).replic.compare("new", "old"),
    "one score per run": lambda: frames.run_scores().replic.compare("new", "old", alternative="two-sided"),
    "runs": lambda: frames.runs().replic.compare("new", "old"),
    "documents": lambda: frames.clusters().replic.compare("new", "old"),
    "numbers of right answers": lambda: frames.k_of_n().replic.compare("new", "old", dependence="independent"),
    "F1": lambda: frames.entities(datasets=frames.FEW).replic.compare("new", "old", metric="f1"),
    "correlations": lambda: frames.similarities().replic.compare("new", "old", metric="pearson"),
    "missing, dropped": lambda: frames.without(BINARY).replic.compare("new", "old", missing="drop"),
    "missing, worst": lambda: frames.without(BINARY).replic.compare("new", "old", missing="worst"),
    "a dataset left aside": lambda: lacking().replic.compare(*PAIR, datasets=["d1", "d2"]),
    "printed": lambda: PRINTED.replic.compare("new", "old"),
}


def words(shown: Any, *, of_checklist: bool = False) -> Iterator[str]:
    """Yield the sentences of paragraphs, items, captions, legends and summaries, and the heads of columns."""
    if isinstance(shown, Table):
        found, blocks = [], [shown]
    else:
        report = (shown if isinstance(shown, BuiltReport) else shown.report()).model
        found = [report.title, *report.summary, *(extra.content for extra in report.extras)]
        blocks = [block for section in report.sections for block in section.blocks]
    if of_checklist:
        found, blocks = [], [block for section in report.checklist for block in section.blocks]
    for block in blocks:
        if isinstance(block, Table):
            yield " | ".join(plain(column.header) for column in block.columns)
            found += [block.caption, block.legend]
        elif isinstance(block, Itemize):
            found += (item for item in block.items if not re.match(r"(?:Error|Warning|Info) \(", plain(item)))
        else:
            found.append(block.caption if isinstance(block, Figure) else block.content)
    for text in map(plain, found):
        yield from (one for one in re.split(r"(?<=\.)(?<!vs\.) ", text) if one and "reportkit" not in one)


def listed(shown: Any) -> list[str]:
    """Return the sentences as items of a list."""
    return [f"- {one}" for one in words(shown)]


@pytest.mark.slow
def test_comparisons() -> None:
    """Who is better than whom, by design, and what was printed."""
    same_as_in(Path(__file__).with_name("sentences.md"), "Sentences on comparisons", COMPARISONS, listed)


@pytest.mark.slow
def test_checklists() -> None:
    """Draft answers to the checklists of conferences."""
    golden = Path(__file__).with_name("checklists.md")
    same_as_in(golden, "Checklists", CHECKLISTS, lambda shown: [f"- {one}" for one in words(shown, of_checklist=True)])


@pytest.mark.slow
def test_studies() -> None:
    """Answers beyond the p-value, plans and calibrations."""
    same_as_in(Path(__file__).with_name("studies.md"), "Sentences on answers, plans and calibrations", STUDIES, listed)
