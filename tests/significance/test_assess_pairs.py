"""Many pairs of systems at once: the same assessments, field by field and bit by bit, as one pair after the other."""

import dataclasses
import json
import pickle
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.replicability.comparison import Kinds
from reportkit.scores.scales import detect_kind
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.settings import Settings
from reportkit.significance import assess_pairs as module
from reportkit.significance import plain_pairs
from reportkit.significance.assess import assess
from reportkit.significance.assess_pairs import assess_pairs, by_instances, look_ahead
from reportkit.significance.assessed import KEYS, Assessed, OnDatasets, Rows
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan

PLAN = ResamplingPlan(thresholds=(0.05, 0.05 / 30))


def block_of(scores, kind=None, **others):
    """All systems on one dataset."""
    scores = np.asarray(scores, dtype=np.float64, order="K")
    systems = tuple(f"s{number}" for number in range(scores.shape[0]))
    instances = np.array([f"i{number:05d}" for number in range(scores.shape[1])], dtype=object)
    return DatasetScores(
        dataset="cb",
        metric="score",
        systems=systems,
        instances=instances,
        kind=kind or detect_kind(scores),
        scores=scores,
        **others,
    )


def scores_of_all_sorts(n):
    """Blocks of six systems by name: every way of computing a tail, and every kind of scores."""
    rng = np.random.default_rng(n)
    effect = np.linspace(0.0, 0.3, 6)[:, None]
    normal = rng.normal(effect, 1.0, (6, n)) + rng.normal(size=n)
    right = (rng.random((6, n)) < 0.5 + effect).astype(float)
    tied = np.where(rng.random((6, n)) < 0.7, 0.5, normal)
    same = normal.copy()
    same[3] = same[1]
    missing = normal.copy()
    missing[rng.random((6, n)) < 0.05] = np.nan
    faint = normal[0] + 0.01 * (np.arange(6)[:, None] + 0.4 * np.random.default_rng(n + 1).normal(size=(6, n)))
    return {
        "continuous": (block_of(normal), {}),
        "columns first in memory": (block_of(np.asfortranarray(normal)), {}),
        "two decimals": (block_of(np.round(normal, 2)), {}),
        "four decimals": (block_of(np.round(normal, 4)), {}),
        "near a lattice": (block_of(right + 1e-3 * rng.normal(size=(6, n))), {}),
        "right or wrong": (block_of(right), {}),
        "right or wrong, sign flips": (block_of(right), {"test": "sign-flip"}),
        "ordinal": (block_of(rng.integers(1, 6, (6, n)), "ordinal"), {}),
        "counts": (block_of(rng.poisson(1.0 + effect, (6, n)), "count"), {}),
        "faint losses": (block_of(faint), {}),
        "skewed": (block_of(rng.exponential(1.0 + effect, (6, n)) ** 2), {}),
        "ties": (block_of(tied), {}),
        "identical systems": (block_of(same), {}),
        "lower is better": (block_of(-np.abs(normal), higher_is_better=False), {}),
        "weights": (block_of(normal, weights=rng.uniform(0.5, 2.0, n)), {}),
        "clusters": (block_of(normal, clusters=np.arange(n) // 3), {}),
        "missing": (block_of(missing), {"missing": "drop"}),
        "bootstrap": (block_of(normal), {"test": "paired-bootstrap"}),
        "bootstrap, two decimals": (block_of(np.round(normal, 2)), {"test": "paired-bootstrap"}),
        "bootstrap with weights": (
            block_of(normal, weights=rng.uniform(0.5, 2.0, n)),
            {"test": "paired-bootstrap"},
        ),
        "McNemar as printed": (block_of(right), {"test": "mcnemar-mid-p"}),
        "Wilcoxon": (block_of(normal), {"profile": "dror2017"}),
    }


def one_by_one(block, pairs, settings):
    """The slow way."""
    for a, b in pairs:
        sample = block.pair(a, b, missing=settings.missing, score_range=settings.score_range)
        yield assess(sample, PLAN, profile=settings.profile, test=settings.test, level=1 - settings.primary_alpha)


@pytest.mark.parametrize("n", [3, 17, 30, 80, 400])
@pytest.mark.parametrize("sort", scores_of_all_sorts(3))
def test_parity(sort, n):
    """Every field of every assessment is the same: p-values, bounds, intervals, standard errors, findings."""
    block, changes = scores_of_all_sorts(n)[sort]
    settings = Settings().replace(**changes)
    pairs = [*combinations(block.systems, 2), ("s4", "s1")]
    together = assess_pairs(block, pairs, PLAN, settings)
    kinds, alone = together.kinds(), [*one_by_one(block, pairs, settings)]
    names = [item.name for item in dataclasses.fields(Outcome)]
    fields = {name: [getattr(slow, name) for slow in alone] for name in names}
    assert {name: together.field(name) for name in names} == fields
    for index, slow in enumerate(alone):
        assert {name: column[index] for name, column in together.columns.items()} == {
            name: read(slow) for name, read in KEYS.items()
        }
        assert dataclasses.asdict(together[index]) == dataclasses.asdict(slow)
    assert kinds == Assessed.whole(alone).kinds()
    arrived = pickle.loads(pickle.dumps(together))  # noqa: S301  # of this test
    assert arrived.kinds() == kinds
    assert {name: arrived.field(name) for name in names} == fields
    first, numbers = Kinds.of([OnDatasets([(together, index)]) for index in range(len(pairs))])
    assert len(first) == len(set(kinds))
    assert sum(numbers) == len(pairs)


@pytest.mark.parametrize("number", range(70))
def test_parity_of_anything(number):
    """The same of scores of any shape: what is plain is all that a pair of another shape is not."""
    rng = np.random.default_rng(number)
    n = int(rng.choice([31, 52, 75, 130, 333]))
    common, systems = rng.normal(size=n) * rng.choice([0, 3]), np.arange(6)[:, None]
    effect, noise = systems * rng.choice([0, 0.001, 0.01, 0.1, 0.5]), rng.normal(size=(6, n)) * rng.choice([0.01, 1])
    right = (rng.random((6, n)) < np.clip(rng.choice([0.02, 0.5, 0.9]) + 0.02 * systems, 0, 1)).astype(float)
    scores = (
        common + effect + noise,
        common + effect * (1 + 0.4 * noise),
        np.round(common + effect + noise, 1),
        common + effect + rng.exponential(size=(6, n)),
        common + effect + rng.standard_t(2, size=(6, n)),
        np.where(rng.random((6, n)) < 0.5, common, common + effect + noise),
        right,
    )[number % 7]
    block = block_of(scores)
    settings = Settings().replace(**[{}, {"test": "sign-flip"}, {"profile": "dror2017"}][number // 7 % 3])
    pairs = [*combinations(block.systems, 2)]
    together = assess_pairs(block, pairs, PLAN, settings)
    for index, slow in enumerate(one_by_one(block, pairs, settings)):
        assert dataclasses.asdict(together[index]) == dataclasses.asdict(slow)


def test_winners_of_everything_are_tested_like_the_others(monkeypatch):
    """Pairs of which one system wins everywhere are tested like the others where losses unseen could change nothing."""
    rng = np.random.default_rng(3)
    block = block_of(rng.normal(size=80) + 0.1 * np.arange(12)[:, None] + rng.uniform(-0.06, 0.06, size=(12, 80)))
    pairs = list(combinations(block.systems, 2))
    findings = [item.findings for item in one_by_one(block, pairs, Settings())]
    assert "one-sided-differences" in {finding.code for found in findings for finding in found}
    wins = [(block.pair(a, b).differences < 0).all() for a, b in pairs]
    said = sum(map(bool, findings))
    assert sum(wins) > 2 * said
    made = []
    monkeypatch.setattr(module, "assess", lambda *asked, **options: made.append(asked) or assess(*asked, **options))
    assess_pairs(block, pairs, PLAN, Settings())
    assert len(made) == 1 + said  # what all others have in common is said by the first


def test_a_pair_does_not_depend_on_the_others():
    """Alone, among others, in another order, and turned round, a pair has the same p-values to the last bit."""
    block, _ = scores_of_all_sorts(300)["continuous"]
    pairs = list(combinations(block.systems, 2))
    found = assess_pairs(block, pairs, PLAN, Settings())
    forward = {item.system_a + item.system_b: item for item in found}
    turned = [(b, a) for a, b in reversed(pairs)]
    for item in assess_pairs(block, turned, PLAN, Settings()):
        other = forward[item.system_b + item.system_a]
        assert (item.p_greater, item.p_less) == (other.p_less, other.p_greater)
    for a, b in pairs[::5]:
        (alone,) = assess_pairs(block, [(a, b)], PLAN, Settings())
        assert alone == forward[a + b]


def test_the_report_has_the_same_bytes(monkeypatch):
    """With and without looking ahead, the content of report.json is the same text."""
    block, _ = scores_of_all_sorts(120)["continuous"]
    import pandas as pd

    frame = pd.DataFrame(block.scores.T, columns=block.systems).assign(instance=block.instances, dataset="cb")
    frame = frame.melt(["instance", "dataset"], var_name="system", value_name="score")
    fast = json.dumps(reportkit.compare(frame).report().to_dict())
    monkeypatch.setattr(module, "_look_ahead", lambda samples, settings, plan: None)
    assert json.dumps(reportkit.compare(frame).report().to_dict()) == fast


def test_nothing_is_assessed_before_it_is_asked_for(monkeypatch):
    """A family of all pairs makes the assessments that are shown, and says of all pairs what there is to say."""
    block, _ = scores_of_all_sorts(400)["continuous"]
    made = []
    monkeypatch.setattr(module, "assess", lambda *asked, **options: made.append(asked) or assess(*asked, **options))
    found = assess_pairs(block, list(combinations(block.systems, 2)), PLAN, Settings())
    before = len(made)
    assert before < 5
    assert [found[index].difference for index in range(2)] == found.columns["difference"][:2]
    assert len(made) <= before + 2


@pytest.mark.slow
def test_a_comparison_assesses_only_what_is_asked_for(monkeypatch):
    """Comparing all pairs counts and marks them by their numbers; only what travels to another process is whole."""
    block = block_of(np.random.default_rng(4).normal(size=(66, 60)))
    frame = pd.DataFrame(block.scores, index=block.systems).rename_axis("system").reset_index()
    frame = frame.melt("system", var_name="instance", value_name="score").assign(dataset="d")
    made = []
    monkeypatch.setattr(module, "assess", lambda *asked, **options: made.append(asked) or assess(*asked, **options))
    assert len(reportkit.compare(frame).comparisons) == 4_290
    assert len(made) < 300
    found = assess_pairs(block, list(combinations(block.systems, 2)), PLAN, Settings())
    travelled = pickle.loads(pickle.dumps(found))  # noqa: S301 # what was written on the same line
    assert [dataclasses.asdict(item) for item in travelled] == [dataclasses.asdict(item) for item in found]


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["recommended", "dror2017"])
def test_datasets_together_are_datasets_alone(profile):
    """Few pairs on many datasets, of several sizes and kinds, are tested at once, with the numbers of each alone."""
    blocks, settings = [], Settings(profile=profile)
    for n in (25, 30, 30, 30, 80):
        for sort in ("continuous", "right or wrong", "two decimals", "skewed", "clusters", "lower is better"):
            scores = scores_of_all_sorts(n)[sort][0]
            blocks.append(dataclasses.replace(scores, dataset=f"{sort} {n} {len(blocks)}"))
    pairs = [("s0", "s5"), ("s4", "s1")]
    together = look_ahead([*blocks, None], [*(pairs for _ in blocks), []], PLAN, settings)
    assert together.pop() is None
    for block, ahead in zip(blocks, together, strict=True):
        assert ahead is not None
        found = assess_pairs(block, pairs, PLAN, settings, ahead=ahead)
        alone = assess_pairs(block, pairs, PLAN, settings)
        assert found.columns == alone.columns
        assert [dataclasses.asdict(item) for item in found] == [dataclasses.asdict(item) for item in alone]


def test_what_travelled_needs_no_scores(monkeypatch):
    """Nobody keeps a dataset in memory for the sake of intervals that nobody has looked at."""
    block, _ = scores_of_all_sorts(80)["continuous"]
    pairs = list(combinations(block.systems, 2))
    whole = [dataclasses.asdict(item) for item in assess_pairs(block, pairs, PLAN, Settings())]
    arrived = pickle.loads(pickle.dumps(assess_pairs(block, pairs, PLAN, Settings())))  # noqa: S301  # of this test
    monkeypatch.setattr(module, "paired_as_set", None)
    assert [dataclasses.asdict(item) for item in arrived] == whole


def test_columns_that_travelled_tell_zeros_apart():
    """A zero keeps its sign, a whole number its type, and what all rows share is said once."""
    block, _ = scores_of_all_sorts(40)["continuous"]
    first = assess(block.pair("s0", "s1"), PLAN)
    items = [first, first.changed(estimate=-0.0), first.changed(estimate=0.0), first.swapped()]
    rows = Rows.of(Assessed.whole(items))
    assert "unit" not in dict(rows.values)
    again = [rows.outcome(index) for index in range(4)]
    assert [repr(dataclasses.astuple(item)) for item in again] == [repr(dataclasses.astuple(item)) for item in items]


def test_pairs_with_the_same_instances_stand_together():
    """Where scores are missing, pairs are ordered by what they have in common, and none is lost."""
    block, _ = scores_of_all_sorts(80)["missing"]
    pairs = list(combinations(block.systems, 2))
    ordered = by_instances(block, pairs)
    sizes = [int(np.isfinite(block.row(a) + block.row(b)).sum()) for a, b in ordered]
    assert sizes == sorted(sizes, reverse=True)
    assert sorted(ordered) == sorted(pairs)
    complete, _ = scores_of_all_sorts(80)["continuous"]
    assert by_instances(complete, pairs) is pairs


@pytest.mark.parametrize("sort", ["continuous", "skewed", "two decimals"])
def test_the_same_bytes_in_batches_of_any_size(monkeypatch, sort):
    """Tails, resamples and intervals: which pairs are tested together, and in which thread, changes nothing."""
    rng = np.random.default_rng(1)
    draw = {"continuous": rng.normal, "skewed": rng.lognormal, "two decimals": rng.normal}[sort]
    scores = draw(np.linspace(0.0, 0.5, 7)[:, None], 1.0, (7, 300))
    block = DatasetScores(
        dataset="cb",
        metric="score",
        systems=tuple("abcdefg"),
        instances=np.array([f"i{number}" for number in range(300)], dtype=object),
        kind="continuous",
        scores=np.round(scores, 2) if sort == "two decimals" else scores,
    )
    plan, pairs = ResamplingPlan(thresholds=(0.05, 0.05 / 21)), [*combinations("abcdefg", 2)]
    at_once = tuple(assess_pairs(block, pairs, plan, Settings()))
    monkeypatch.setattr(module, "_PAIRS", 4)
    monkeypatch.setattr(plain_pairs, "_BLOCK", 900)
    assert repr(at_once) == repr(tuple(assess_pairs(block, pairs, plan, Settings())))
