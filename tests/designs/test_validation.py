"""The validation study: its files, page and paper, what a third person gets, what is known without simulation."""

from __future__ import annotations

import csv
import importlib
import inspect
import math
import sys
import types

import numpy as np
import pytest
from scipy.stats import binom

from tests.conftest import needed

NAMES = ("study", "pairs", "cautions", "counts", "analyses", "designs", "alternatives", "tables", "write")
PARTS = ("tests", "warnings", "counts", "analyses")


@pytest.fixture(scope="module")
def validation(root):
    """The modules of docs/validation, by name; they are imported as the scripts import each other."""
    folders = [str(root / "docs" / "validation"), str(root / "benchmarks")]
    sys.path[:0] = folders
    before = {name: sys.modules.pop(name) for name in NAMES if name in sys.modules}
    try:
        yield types.SimpleNamespace(**{name: importlib.import_module(name) for name in NAMES})
    finally:
        for name in NAMES:
            sys.modules.pop(name, None)
        sys.modules.update(before)
        sys.path[:] = [path for path in sys.path if path not in folders]


@pytest.fixture(scope="module")
def rows(root):
    """Rows of each file, as text."""
    found = {}
    for part in PARTS:
        with (root / "docs" / "validation" / "results" / f"{part}.csv").open(encoding="utf-8", newline="") as file:
            found[part] = list(csv.DictReader(file))
    return found


def counted(rows, part, method, **place):
    """The one row of a cell and a method, as whole numbers."""
    (row,) = [
        row
        for row in rows[part]
        if row["method"] == method and all(row[key] == str(value) for key, value in place.items())
    ]
    return {key: int(value) for key, value in row.items() if value.isdigit()}


def usual(count, draws, share):
    """Whether a count is one that a share gives, but for one case in a million."""
    return min(binom.cdf(count, draws, share), binom.sf(count - 1, draws, share)) > 5e-7


@pytest.mark.parametrize("part", PARTS)
def test_the_files_hold_planned_cells_in_whole_blocks(validation, rows, part):
    """Every row belongs to a planned cell, in their order, with whole blocks of draws, none counted more than once."""
    module = validation.study.module_of(part)
    order = {tuple(map(str, place)): position for position, place in enumerate(module.places().values())}
    found = [order[tuple(row[key] for key in module.KEYS)] for row in rows[part]]
    assert found == sorted(found)
    assert part != "counts" or set(found) == set(order.values())
    for row in rows[part]:
        if row["method"] == "reportkit" or part in ("counts", "warnings"):
            assert int(row["draws"]) % module.BLOCK == 0
        assert all(0 <= int(row[name]) <= int(row["draws"]) for name in module.COUNTS if name != "total")


def test_the_page_and_the_paper_show_the_files(validation, root):
    """docs/validation/index.md and the tables of the paper are made from today's files."""
    assert (root / "docs" / "validation" / "index.md").read_text("utf-8") == validation.write.page()
    for name, content in validation.write.of_paper().items():
        assert (root / "examples" / "validation" / name).read_text("utf-8") == content


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("tests", "paired|right or wrong, 30% discordant|30|none"),
        ("tests", "aggregates, independent samples|right or wrong|10|none"),
        ("tests", "cross-validation|1 times 10 folds|10|none"),
        ("warnings", "unpaired|right or wrong|10|none"),
        ("counts", "5|2|equal|0.6"),
    ],
)
def test_a_third_person_gets_the_same_numbers(validation, part, name):
    """Blocks drawn anew, the last first, give the rows that are kept."""
    module, kept = validation.study.module_of(part), validation.study.read(part)[name]
    blocks = range(max(tally["draws"] for tally in kept.values()) // module.BLOCK)
    again = {}
    for block in reversed(blocks):
        for method, tally in module.simulated(name, block).items():
            again.setdefault(method, validation.study.Tally()).update(tally)
    assert {method: +tally for method, tally in again.items()} == {method: +tally for method, tally in kept.items()}


def test_warnings_are_counted_on_the_samples_of_the_tests(validation):
    """The first block of a cell has as many samples with a warning in both parts; each warning is of one kind."""
    name = "paired|sparse (80% zeros)|100|none"
    found, tests = validation.cautions.simulated(name, 0, 50), validation.pairs.simulated(name, 0, 50)
    assert found["reportkit"]["shown"] == tests["reportkit"]["warned"] > 0
    assert found["reportkit"]["a_05"] == tests["reportkit"]["a_05"]
    kinds = (validation.cautions.SEEN, validation.cautions.TOO_SMALL)
    codes = {code: tally for code, tally in found.items() if code not in ("reportkit", *kinds)}
    assert {"large-differences", "skewness-unseen"} <= codes.keys()
    for kind in kinds:
        of_kind = [
            tally["shown"]
            for code, tally in codes.items()
            if (code in validation.cautions.UNSEEN) is (kind == kinds[1])
        ]
        assert max(of_kind) <= found[kind]["shown"] <= min(sum(of_kind), 50)


@pytest.mark.slow
def test_an_interrupted_run_goes_on_where_it_was(validation, tmp_path, monkeypatch):
    """Two runs of one block each, one run of two processes, or one on workers of Dask, write the same file."""
    texts = []
    distributed = needed("distributed", "dask")
    for folder, steps in (("twice", ((1, 10_000), (1, 20_000))), ("once", ((2, 20_000),))):
        (tmp_path / folder).mkdir()
        monkeypatch.setattr(validation.study, "RESULTS", tmp_path / folder)
        for processes, draws in steps:
            validation.study.run("counts", draws, "2|0|", processes, math.inf)
        texts.append((tmp_path / folder / "counts.csv").read_bytes())
    (tmp_path / "cluster").mkdir()
    monkeypatch.setattr(validation.study, "RESULTS", tmp_path / "cluster")
    with distributed.LocalCluster(n_workers=2, processes=False, dashboard_address=":0", silence_logs=50) as cluster:
        validation.study.run("counts", 20_000, "2|0|", 1, math.inf, cluster.scheduler_address)
    texts.append((tmp_path / "cluster" / "counts.csv").read_bytes())
    assert texts[0] == texts[1] == texts[2]
    assert texts[0].count(b",20000,") > 50


def test_mcnemars_size_is_that_of_all_tables(rows):
    """The share of false claims of the exact test of 30 pairs is the sum over all numbers of wins and losses."""
    n, level, share = 30, 0.05, 0.0
    for discordant in range(n + 1):
        wins = np.arange(discordant + 1)
        beyond = binom.sf(wins - 1, discordant, 0.5) <= level
        share += binom.pmf(discordant, n, 0.3) * binom.pmf(wins, discordant, 0.5)[beyond].sum()
    found = counted(rows, "tests", "reportkit", scores="right or wrong, 30% discordant", n=n, effect="none")
    assert usual(found["a_05"], found["draws"], share)
    assert usual(found["b_05"], found["draws"], share)


def test_the_t_test_is_exact_for_normal_differences(rows):
    """SciPy's t-test rejects 5% and 1%, and its interval holds 95%, at every n."""
    for row in rows["tests"]:
        known = (row["design"], row["scores"], row["effect"], row["method"])
        if known == ("paired", "symmetric (normal)", "none", "t-test (SciPy)"):
            draws = int(row["draws"])
            assert all(usual(int(row[f"{side}_05"]), draws, 0.05) for side in "ab")
            assert all(usual(int(row[f"{side}_01"]), draws, 0.01) for side in "ab")
            assert usual(int(row["above"]) + int(row["below"]), int(row["intervals"]), 0.05)


@pytest.mark.parametrize("n", [2, 5, 10, 20, 80])
def test_counts_of_independent_datasets_without_effects_are_known(rows, n):
    """A false count has the probability .05 by Fisher and Stouffer, and closed forms by Bonferroni and by p < .05."""
    truth = {"fisher": 0.05, "stouffer": 0.05, "simes": 0.05, "Benjamini-Hochberg": 0.05}
    truth |= {"bonferroni": 1 - (1 - 0.05 / n) ** n, "counting p < .05": 1 - 0.95**n}
    for method, share in truth.items():
        found = counted(rows, "counts", method, datasets=n, effects=0, dependence="none")
        assert usual(found["exceeds"], found["draws"], share), method


def test_bonferronis_k_hat_holds_whatever_the_dependence(rows):
    """No cell of any dependence exceeds .05 beyond chance."""
    for row in rows["counts"]:
        if row["method"] == "bonferroni":
            assert binom.sf(int(row["exceeds"]) - 1, int(row["draws"]), 0.05) > 1e-6


def test_sacrebleu_counts_as_sacrebleu_does(validation):
    """The same resampled differences give the p-values of sacreBLEU's own function."""
    significance = needed("sacrebleu.significance", "test")
    rng = np.random.default_rng(5)
    resampled, observed = rng.normal(0.3, 1, size=(1000, 4)), np.array([0.3, -0.8, 2.4, -0.1])
    found = validation.alternatives.by_shift(resampled, observed)
    for place, difference in enumerate(observed):
        absolute = np.abs(resampled[:, place])
        p = significance._compute_p_value(absolute - absolute.mean(), abs(difference))
        assert (found.greater if difference > 0 else found.less)[place] == p
    shuffled = rng.normal(size=(10_000, 4))
    found = validation.alternatives.by_shuffling(shuffled, observed)
    for place, difference in enumerate(observed):
        p = significance._compute_p_value(np.abs(shuffled[:, place]), abs(difference))
        assert (found.greater if difference > 0 else found.less)[place] == p / 2


def test_wins_are_those_of_compare_mt(validation):
    """The share of half-sized resamples that do not win is that of compare-mt, but for chance."""
    sign_utils = pytest.importorskip(
        "compare_mt.sign_utils", reason="comes with the extra [bench]", exc_type=ImportError
    )
    rng = np.random.default_rng(6)
    d = rng.normal(0.2, 1, size=(40, 1))

    class Mean:
        """A scorer of the mean of sentence scores."""

        def cache_stats(self, ref, out, src=None):
            return list(out)

        def score_cached_corpus(self, ids, cached):
            return float(np.mean([cached[i] for i in ids])), None

    np.random.seed(3)  # noqa: NPY002 - compare-mt draws from the global stream
    asked = {"ref": [0] * 40, "outs": [d[:, 0], np.zeros(40)], "src": None, "scorer": Mean(), "num_samples": 4000}
    known = inspect.signature(sign_utils.eval_with_paired_bootstrap).parameters
    wins, _ = sign_utils.eval_with_paired_bootstrap(**{name: asked[name] for name in asked if name in known})
    ours = dict(validation.alternatives.of_means(d, rng))["bootstrap of wins (compare-mt)"]
    assert abs((1 - wins[0][0]) - ours.greater[0]) < 4 * math.sqrt(0.25 / 1000)


def test_violations_are_those_of_deepsig(validation):
    """The share by which stochastic order is violated is that of deep-significance, for samples of any sizes."""
    aso = pytest.importorskip("deepsig.aso", reason="comes with the extra [bench]", exc_type=ImportError)
    rng = np.random.default_rng(7)
    for n_a, n_b in ((3, 3), (5, 8), (15, 15)):
        a, b = rng.normal(size=n_a), rng.normal(0.3, 1, size=n_b)
        ours = validation.alternatives.violation(a[None], b[None])[0]
        assert ours == pytest.approx(aso.compute_violation_ratio(a, b, dt=0.005), abs=1e-12)


@pytest.mark.parametrize(
    "shape", ["paired|ordinal|30|none", "5 and 5 runs|normal|30|2.5 SE", "unpaired|normal|30|none"]
)
def test_a_shifted_design_has_the_effect_that_it_says(validation, shape):
    """Without a shift the true difference is 0, with it 2.5 standard errors, as the mean over samples shows."""
    cell = next(cell for cell in validation.designs.cells() if cell.name == shape)
    samples, truth = cell.samples(0, 250)
    differences = np.array([sample.value_difference for sample in samples])
    error = differences.std()
    assert abs(differences.mean() - truth) < 5 * error / math.sqrt(len(samples))
    assert truth == (pytest.approx(2.5 * error, rel=0.2) if cell.shifted else 0)
