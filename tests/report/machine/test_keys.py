"""Keys of numbers: no two things share one, whatever they are called."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from reportkit.report.machine.keys import AVERAGE, FACTS, make_keys

NAMES = st.lists(
    st.sampled_from(["n", "N", "alpha", "average", "a", "b", "a-vs-b", "b-vs-c", "c", "A", "k-hat", "seed", "n vs a"])
    | st.text(max_size=3),
    min_size=2,
    max_size=5,
    unique=True,
)


@given(NAMES, NAMES, NAMES)
def test_no_two_keys_are_the_same(metrics: list[str], datasets: list[str], systems: list[str]) -> None:
    """Datasets called like systems, pairs, facts or `n` are told apart."""
    pairs = list(permutations(systems, 2))
    for chosen in (metrics, metrics[:1]):
        keys = make_keys("main", chosen, datasets, systems, pairs)
        found = [f"main/{fact}" for fact in FACTS]
        for metric in chosen:
            before = keys.within(metric)
            for dataset in datasets:
                found.append(f"{before}/{keys.datasets[dataset]}/n")
                found += [f"{before}/{keys.datasets[dataset]}/{keys.systems[name]}" for name in systems]
                found += [f"{before}/{keys.datasets[dataset]}/{keys.pairs[pair]}/p" for pair in pairs]
            found += [f"{before}/{AVERAGE}/{keys.systems[name]}" for name in systems]
            found += [f"{before}/{keys.pairs[pair]}/k-hat" for pair in pairs]
        assert len(set(found)) == len(found)
        # nor does one stand for a part of another: `main/x` and `main/x/p` would both need a value
        assert not {key.rsplit("/", 1)[0] for key in found} & set(found) - {"main"}


def test_keys_are_made_from_the_names_in_the_data() -> None:
    """A label that is printed instead changes no key."""
    plain = make_keys("main", ["acc"], ["sst2"], ["ours", "base"], [("ours", "base")])
    labelled = make_keys(
        "main",
        ["acc"],
        ["SST-2 (dev)"],
        ["Our System", "base"],
        [("Our System", "base")],
        {"SST-2 (dev)": "sst2", "Our System": "ours"},
    )
    assert list(labelled.datasets.values()) == list(plain.datasets.values()) == ["sst2"]
    assert list(labelled.pairs.values()) == list(plain.pairs.values()) == ["ours-vs-base"]


def test_the_keys_of_the_documentation() -> None:
    """`main/sst2/ours` with one metric, `main/chrf/sst2/ours` with several."""
    one = make_keys("main", ["acc"], ["sst2"], ["ours", "base"], [("ours", "base")])
    two = make_keys("main", ["chrF", "BLEU"], ["sst2"], ["ours", "base"], [("ours", "base")])
    assert (one.within("acc"), two.within("chrF")) == ("main", "main/chrf")
