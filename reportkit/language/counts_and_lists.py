"""Counts and lists as a sentence writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def listed(names: Iterable[str], most: int | None = None, *, last: str = "and", total: int | None = None) -> str:
    """Join names as a sentence does; of those beyond `most` only the number is given.

    Parameters
    ----------
    names : iterable of str
        All of them, or the first.
    most : int, optional
        So many are named.
    last : str
        The word before the last.
    total : int, optional
        How many there are, if `names` are only the first.

    Examples
    --------
    >>> listed(["tweets"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('tweets', 'a and b', 'a, b and c')
    >>> listed("abcde", 3), listed("abc", total=1200)
    ('a, b, c and 2 more', 'a, b, c and 1,197 more')
    """
    items = list(names)
    total = len(items) if total is None else total
    shown = items if most is None else items[:most]
    if total > len(shown):
        shown = [*shown, f"{total - len(shown):,} more"]
    if len(shown) < 2:
        return "".join(shown)
    return ", ".join(shown[:-1]) + f" {last} {shown[-1]}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write a count with its noun in the right number.

    Examples
    --------
    >>> counted(1, "dataset"), counted(0, "dataset"), counted(12400, "instance")
    ('1 dataset', '0 datasets', '12,400 instances')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def some(names: Iterable[str], most: int = 6, *, last: str = "and") -> str:
    """Join names as a sentence does, and only count those beyond a few.

    Examples
    --------
    >>> some(["a", "b", "c"], 3), some("abcde", 3)
    ('a, b and c', 'a, b and 3 others')
    """
    items = list(names)
    if len(items) <= most:
        return listed(items, last=last)
    return ", ".join(items[: most - 1]) + f" {last} {len(items) - most + 1} others"


def spanned(numbers: Iterable[int], noun: str, plural: str | None = None) -> str:
    """Write the smallest and the largest of some counts, once if they are the same.

    Examples
    --------
    >>> spanned([200, 200], "instance"), spanned([40, 1200], "instance"), spanned([1], "run")
    ('200 instances', '40 to 1,200 instances', '1 run')
    >>> spanned([8, 9], "instance")
    '8 or 9 instances'
    """
    items = list(numbers)
    low, high = min(items), max(items)
    if low == high:
        return counted(low, noun, plural)
    return f"{low:,} {'or' if high == low + 1 else 'to'} {high:,} {plural or noun + 's'}"


_NUMERALS = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"]


def capitalised(text: str) -> str:
    """Write the first letter as a capital, a small number at the start as a word, and leave the rest alone.

    Examples
    --------
    >>> capitalised("columns of F1"), capitalised("3 runs"), capitalised("1,200 runs")
    ('Columns of F1', 'Three runs', '1,200 runs')
    """
    number, space, rest = text.partition(" ")
    if number.isascii() and number.isdigit() and int(number) < len(_NUMERALS):
        return _NUMERALS[int(number)] + space + rest
    return text[:1].upper() + text[1:]


class Named(str):
    """A text that knows the names in it, so that labels can be put in their place, and in that of nothing else.

    Parameters
    ----------
    template : str
        As for `str.format`: {0}, {1}, ... are the names, and {fields} the rest.
    names : tuple of str
        Of systems, datasets or metrics.
    fields : mapping of str to object, optional
        What is no name.

    Examples
    --------
    >>> text = Named("{0} and {1} share {n} instances", ("new", "new-2"), {"n": 3})
    >>> text == "new and new-2 share 3 instances", text.relabelled({"new": "old"})
    (True, 'old and new-2 share 3 instances')
    """

    template: str
    names: tuple[str, ...]
    fields: Mapping[str, object]

    def __new__(cls, template: str, names: tuple[str, ...], fields: Mapping[str, object] | None = None) -> Named:
        """Fill in names and fields."""
        known = dict(fields or {})
        text = super().__new__(cls, template.format(*names, **known))
        text.template, text.names, text.fields = template, names, known
        return text

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.template, self.names, self.fields

    def relabelled(self, labels: Mapping[str, str]) -> Named:
        """Return the same text with labels instead of names."""
        return Named(self.template, tuple(labels.get(name, name) for name in self.names), self.fields)
