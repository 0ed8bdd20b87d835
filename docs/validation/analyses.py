"""Part `analyses`: whole analyses of equally good systems, from a table of scores to what is claimed.

First two systems on datasets that are declared independent, while their differences are correlated by instance: how
often that is noticed, and how often an improvement is claimed. Then four systems on datasets with one score each: how
often any two are said to differ, by reportkit and by autorank.
"""

from __future__ import annotations

import contextlib
import io
import math
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import shared_instances

import reportkit

BLOCK, DRAWS = 50, 400
SEED = 20_261_125
ALPHA = 0.05
KEYS = ("design", "scores", "n")
SIZE_KEY = "n"
COUNTS = ("noticed", "claimed")
DECLARED, ACROSS = "six datasets, declared independent", "four systems, one score per dataset"
N_INSTANCES = 200
DEPENDENCE = ("r = 0", "r = .1", "r = .3", "r = .6", "r = .95", "r = ±.5", "r = ±.9")
FORMS = ("normal", "one system skewed to the left", "one system with three times the sd")

Tally = Counter[str]


@cache
def places() -> dict[str, tuple[object, ...]]:
    """Cells: design, form of the scores, number of instances or datasets."""
    found = [(DECLARED, r, N_INSTANCES) for r in DEPENDENCE]
    found += [(ACROSS, form, n) for form in FORMS for n in (5, 10, 30)]
    return {"|".join(map(str, place)): place for place in found}


def simulated(name: str, block: int, size: int = BLOCK) -> dict[str, Tally]:
    """How often dependence is noticed, and a difference claimed, by method."""
    design, form, n = places()[name]
    rng = np.random.default_rng([SEED, zlib.crc32(name.encode()), block])
    found: dict[str, Tally] = {}
    for _ in range(size):
        for method, noticed, claimed in (_declared if design == DECLARED else _across)(rng, str(form), int(str(n))):
            tally = Tally({"draws": 1, "noticed": int(noticed), "claimed": int(claimed)})
            found.setdefault(method, Tally()).update(tally)
    return found


def _declared(rng: np.random.Generator, form: str, n: int) -> Iterator[tuple[str, bool, bool]]:
    r = float(form.removeprefix("r = ").removeprefix("±"))
    datasets = list(shared_instances.shared(rng, n, r))
    if "±" in form:  # every other criterion favours the other system
        datasets = [scores[::-1] if place % 2 else scores for place, scores in enumerate(datasets)]
    noticed, recommended, fisher = shared_instances.analysed(datasets)
    p_values = [stats.ttest_rel(*scores, alternative="greater").pvalue for scores in datasets]
    yield "reportkit", noticed, recommended
    yield "Fisher's k-hat", False, fisher
    yield "counting p < .05 (t-test)", False, min(p_values) <= ALPHA


def scores_across(rng: np.random.Generator, form: str, n: int) -> pd.DataFrame:
    """One score of each of four systems on each dataset, with equal expectations."""
    scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, 4))
    if form == FORMS[1]:
        scores[:, 0] += 1.5 * (1 - rng.exponential(size=n))
    elif form == FORMS[2]:
        scores[:, 0] += math.sqrt(8) * rng.normal(size=n)
    return pd.DataFrame(scores, index=[f"d{i:02}" for i in range(n)], columns=list("wxyz"))


def _across(rng: np.random.Generator, form: str, n: int) -> Iterator[tuple[str, bool, bool]]:
    wide = scores_across(rng, form, n)
    long = wide.rename_axis("dataset").reset_index().melt("dataset", var_name="system", value_name="score")
    friedman = reportkit.compare(long, across_datasets=True, mixed_scales="accept").friedman()
    yield "reportkit", False, bool((friedman.to_frame()["adjusted_p_value"] <= ALPHA).any())
    yield "autorank", False, by_autorank(wide, "auto")
    yield "Friedman and Nemenyi (autorank)", False, by_autorank(wide, "nonparametric")
    pairs = [stats.wilcoxon(wide[a] - wide[b]).pvalue for a, b in combinations(wide, 2)]
    yield "Wilcoxon for each pair, uncorrected", False, min(pairs) <= ALPHA


def by_autorank(wide: pd.DataFrame, mode: str) -> bool:
    """Whether autorank tells any two systems apart: the test of all, then a gap beyond its critical distance."""
    from autorank import autorank

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        result = autorank(wide, alpha=ALPHA, verbose=False, force_mode=None if mode == "auto" else mode)
    if result.pvalue > ALPHA:
        return False
    if result.posthoc == "nemenyi":
        return bool(np.ptp(result.rankdf["meanrank"]) > result.cd)
    frame = result.rankdf  # Tukey's test: intervals of means that do not overlap
    return bool(frame["ci_lower"].max() > frame["ci_upper"].min())
