"""Keys of numbers: slugs are distinct and stable, and keys are found again."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.report.keys import AVERAGE, FACTS, SLUG, distinct, make_keys, slug
from tests.rendering.conftest import HOSTILE

NAMES = st.text(st.characters(), max_size=12) | st.text("aA bB-_./+*é", max_size=6)


@given(NAMES)
def test_every_name_has_a_slug(name: str) -> None:
    """Whatever the name is, the empty one and lone surrogates included; the same each time."""
    assert SLUG.fullmatch(slug(name))
    assert slug(name) == slug(name)


@given(NAMES)
def test_a_slug_is_its_own_slug(name: str) -> None:
    """So that a field of a text may hold the name or the slug."""
    assert slug(slug(name)) == slug(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SST-2", "sst-2"),
        ("BERT_large (v1.5)", "bert-large-v1.5"),
        ("Ours+", "ours-plus"),
        ("Ours*", "ours-star"),
        ("naïve Łódź", "naive-lodz"),
        ("α-model", "alpha-model"),
        ("ẞ", "ss"),
        ("数", "u6570"),
        ("..", "u002e-u002e"),
        ("", "empty"),
        ("{}%&#~_\\", "percent-and-sharp"),
    ],
)
def test_slugs_read_as_the_names_do(name: str, expected: str) -> None:
    """Signs that tell systems apart become words; other signs separate."""
    assert slug(name) == expected


@given(st.sets(NAMES, max_size=12), st.sets(st.sampled_from(["n", "alpha", "a", "a-b"])))
def test_distinct_names_get_distinct_slugs(names: set[str], reserved: set[str]) -> None:
    """None is a reserved word, all can stand in a key, and the order of the names does not matter."""
    found = distinct({name: slug(name) for name in names}, reserved)
    assert len(set(found.values())) == len(names)
    assert not set(found.values()) & reserved
    assert all(SLUG.fullmatch(key) for key in found.values())
    assert distinct({name: slug(name) for name in sorted(names, reverse=True)}, reserved) == found


def test_a_key_never_comes_to_mean_another_name() -> None:
    """Where a second name has the same letters, the key that both would have is gone for both."""
    alone = distinct({"bert": "bert"})
    together = distinct({"bert": "bert", "BERT": "bert"})
    assert alone == {"bert": "bert"}
    assert "bert" not in together.values()
    assert distinct({"bert": "bert", "BERT": "bert", "T5": "t5"}).items() >= together.items()


def test_hostile_names_stay_apart() -> None:
    """All of them in one report."""
    found = distinct({name: slug(name) for name in HOSTILE})
    assert len(set(found.values())) == len(HOSTILE)


NAMES_keys = st.lists(
    st.sampled_from(["n", "N", "alpha", "average", "a", "b", "a-vs-b", "b-vs-c", "c", "A", "k-hat", "seed", "n vs a"])
    | st.text(max_size=3),
    min_size=2,
    max_size=5,
    unique=True,
)


@pytest.mark.slow
@given(NAMES_keys, NAMES_keys, NAMES_keys)
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
