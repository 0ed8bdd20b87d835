"""Names are ordered as people do, ids by number and then by code point; no order depends on the others present."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.scores.table.natural_order import natural_order, sorted_positions


def test_numbers_inside_names_count_by_value() -> None:
    """bleu2 comes before bleu10, and leading zeros do not matter but to break ties."""
    assert natural_order(["bleu10", "bleu2", "bleu02", "Bleu1", "a"]) == ["a", "Bleu1", "bleu02", "bleu2", "bleu10"]
    assert natural_order(["x" + "9" * 5000, "x1"]) == ["x1", "x" + "9" * 5000]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(max_size=6), unique=True), st.randoms(use_true_random=False))
def test_order_of_names_is_total(names: list[str], random: st.randoms) -> None:  # type: ignore[valid-type]
    """Any shuffle of any names gives the same order."""
    shuffled = list(names)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert natural_order(shuffled) == natural_order(names)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.one_of(st.integers(-20, 200).map(str), st.text("0a-é", min_size=1, max_size=4)), unique=True))
def test_ids_are_sorted_by_a_key_of_their_own(ids: list[str]) -> None:
    """Whole numbers as written by `str` come first, by value; all other texts follow by code point."""

    def key(text: str) -> tuple[int, int, str]:
        try:
            whole = str(int(text)) == text
        except ValueError:
            whole = False
        return (0, int(text), "") if whole else (1, 0, text)

    assert [ids[place] for place in sorted_positions(ids)] == sorted(ids, key=key)


def test_ids_that_arrow_cannot_hold_are_sorted_too() -> None:
    """Lone surrogates, from files read with errors="surrogateescape", take the slow way to the same order."""
    assert [int(place) for place in sorted_positions(["b\udc80", "2", "a", "10"])] == [1, 3, 2, 0]
