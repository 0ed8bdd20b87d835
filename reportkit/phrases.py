"""Counts and lists as a sentence writes them."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: Iterable[str], *, last: str = "and") -> str:
    """Join names as a sentence does.

    Examples
    --------
    >>> listed(["tweets"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('tweets', 'a and b', 'a, b and c')
    """
    items = list(names)
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + f" {last} {items[-1]}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Write a count with its noun in the right number.

    Examples
    --------
    >>> counted(1, "dataset"), counted(0, "dataset"), counted(12400, "instance")
    ('1 dataset', '0 datasets', '12,400 instances')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def capitalised(text: str) -> str:
    """Write the first letter as a capital, and leave the others alone.

    Examples
    --------
    >>> capitalised("columns of F1")
    'Columns of F1'
    """
    return text[:1].upper() + text[1:]
