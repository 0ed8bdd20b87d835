"""Parts of keys: total, injective, and stable when names are added."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.report.machine.slugs import SLUG, distinct, slug
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
