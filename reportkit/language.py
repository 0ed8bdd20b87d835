"""Numbers, lists and names as papers write them: the one place that rounds."""

from __future__ import annotations

import dataclasses
import math
import re
import reprlib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

# counts and lists -----------------------------------------------------------------------------------------------------


def listed(names: Iterable[str], most: int | None = None, *, last: str = "and", total: int | None = None) -> str:
    """Join names as a sentence does; of those beyond `most` only the number is given.

    Parameters
    ----------
    names : iterable of str
        All of them, or the first.
    most : int, optional
        At most this many are named.
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
    >>> capitalised("columns of F1"), capitalised("3 runs"), capitalised("6 of 6 datasets"), capitalised("1,200 runs")
    ('Columns of F1', 'Three runs', 'Six of six datasets', '1,200 runs')
    """
    number, space, rest = text.partition(" ")
    if number.isascii() and number.isdigit() and int(number) < len(_NUMERALS):
        rest = re.sub(r"^of (1[0-2]|\d)(?= )", lambda total: f"of {_NUMERALS[int(total[1])].lower()}", rest)
        return _NUMERALS[int(number)] + space + rest
    return text[:1].upper() + text[1:]


class Named(str):
    """A text that knows the names in it, so that labels can be put in their place, and in that of nothing else.

    Parameters
    ----------
    template : str
        As for `str.format`: {0}, {1}, ... are the names, and {fields} the rest.
    names : tuple of str
        Names of systems, datasets or metrics.
    fields : mapping of str to object, optional
        What is not a name.

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


# numbers --------------------------------------------------------------------------------------------------------------

FULL_ALPHA_DIGITS = 12
_FURTHER_DECIMALS = 4  # at most, for an end that would be written as 0


def p_value_text(p_value: float, *, precise: bool = False) -> str:
    """Write a p-value: two significant digits, no zero before the point, never `.000`.

    Parameters
    ----------
    p_value : float
        In (0, 1].
    precise : bool
        Write values below .001 as `3.9e-10` instead of `<.001`.

    Returns
    -------
    str
        `.48`, `.036`, `.0046`, `<.001` (or `3.9e-10`), `>.99`, `1`.

    Raises
    ------
    ValueError
        If the value is not in (0, 1].

    Examples
    --------
    >>> [p_value_text(p) for p in (0.4812, 0.0359, 0.0046, 3.87e-10, 0.9996, 1.0)]
    ['.48', '.036', '.0046', '<.001', '>.99', '1']
    >>> p_value_text(3.87e-10, precise=True)
    '3.9e-10'
    """
    if not 0 < p_value <= 1:
        raise ValueError(f"p_value is {p_value!r}, not in (0, 1]")
    if p_value == 1:
        return "1"
    if p_value >= 0.995:
        return ">.99"
    if p_value >= 0.0995:
        return f"{p_value:.2f}".removeprefix("0")
    if p_value >= 0.00995:
        return f"{p_value:.3f}".removeprefix("0")
    if p_value >= 0.001:
        return f"{p_value:.4f}".removeprefix("0")
    if not precise:
        return "<.001"
    mantissa, exponent = f"{p_value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def p_value_beside_levels(p_value: float, levels: Sequence[float]) -> str:
    """Write a p-value for a column: its side of each level is seen, with further digits where rounding would hide it.

    Examples
    --------
    >>> p_value_beside_levels(0.0502, (0.05,)), p_value_beside_levels(0.0498, (0.05, 0.01))
    ('.0502', '.050')
    >>> p_value_beside_levels(1.0, (0.05,))
    '1.00'
    """
    written = p_value_text(p_value)
    if written[0] in "<>":
        return written
    if p_value == 1:
        return "1.00"
    for decimals in range(len(written.partition(".")[2]), FULL_ALPHA_DIGITS):
        if all((float(written) <= level) == (p_value <= level) for level in levels):
            return written
        written = f"{p_value:.{decimals + 1}f}".removeprefix("0")
    return written


def p_value_range_text(low: float, high: float) -> str:
    """Say where a p-value lies, with nothing said twice.

    Parameters
    ----------
    low, high : float
        In (0, 1], low at most high.

    Examples
    --------
    >>> [p_value_range_text(*ends) for ends in ((1e-30, 1e-9), (0.036, 0.036), (1e-30, 0.013), (0.25, 0.47))]
    ['below .001', '.036', 'at most .013', 'between .25 and .47']
    """
    first, last = p_value_text(low), p_value_text(high)
    if first == last:
        return first.replace("<", "below ").replace(">", "above ")
    return f"at most {last}" if first[0] == "<" else f"between {first} and {last}"


def level_text(alpha: float) -> str:
    """Write a level as it was given, without the zero before the point.

    Examples
    --------
    >>> level_text(0.05), level_text(0.0125)
    ('.05', '.0125')
    """
    return f"{alpha:.{FULL_ALPHA_DIGITS}g}".removeprefix("0")


def percent_text(proportion: float) -> str:
    """Write a confidence or level in percent, without decimals that say nothing.

    Examples
    --------
    >>> percent_text(0.95), percent_text(0.975), percent_text(0.99)
    ('95%', '97.5%', '99%')
    """
    return f"{100 * proportion:.6g}%"


_EXACT = 2.0**40
_LAST_BITS = 1e-9


def fixed(value: float, decimals: int) -> str:
    """Write a number with fixed decimals and a true minus sign; never `-0.0`.

    Halves are rounded away from 0. A number that is a half up to its last bits counts as one, so that a difference is
    written alike wherever it was computed.

    Examples
    --------
    >>> fixed(-1.25, 1), fixed(-0.01, 1), fixed(93.06, 1), fixed(100 * (0.6575 - 0.63), 1)
    ('−1.3', '0.0', '93.1', '2.8')
    """
    halves = 2 * value * 10.0**decimals
    if abs(halves) < _EXACT and round(halves) % 2 and abs(halves - round(halves)) < _LAST_BITS * max(1.0, abs(halves)):
        value = (round(halves) + math.copysign(0.5, halves)) / (2 * 10.0**decimals)  # beyond the half
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def signed(value: float, decimals: int) -> str:
    """Write a difference with its sign.

    Examples
    --------
    >>> signed(1.68, 2), signed(-3.42, 2), signed(0.0, 1)
    ('+1.68', '−3.42', '0.0')
    """
    text = fixed(value, decimals)
    return text if text.startswith("−") or float(text) == 0 else f"+{text}"


def interval_end(value: float, decimals: int) -> str:
    """Write an end of an interval of a difference: with more decimals where it would be rounded to 0.

    Readers ask on which side of 0 an end lies. `0.00` is therefore written only of an end that is 0; one so
    near that further digits say nothing keeps its sign alone.

    Examples
    --------
    >>> interval_end(0.0412, 1), interval_end(-0.0012, 2), interval_end(0.0, 2), interval_end(1e-12, 2)
    ('+0.04', '−0.001', '0.00', '+0.00')
    >>> interval_end(math.inf, 2)
    '∞'
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return signed(value, decimals)
    for more in range(_FURTHER_DECIMALS + 1):
        written = signed(value, decimals + more)
        if written[0] in "+−":
            return written
    return ("+" if value > 0 else "−") + signed(0.0, decimals)


def interval_text(low: float, high: float, decimals: int) -> str:
    """Write the interval of a difference in brackets.

    Examples
    --------
    >>> interval_text(0.0412, 3.14, 1)
    '[+0.04, +3.1]'
    """
    return f"[{interval_end(low, decimals)}, {interval_end(high, decimals)}]"


def decimals_for(standard_error: float, *, most: int = 4) -> int:
    """Return the fewest decimals whose last digit is not coarser than the standard error; usually 1 for percentages.

    Examples
    --------
    >>> decimals_for(1.7), decimals_for(0.4), decimals_for(0.012), decimals_for(0.0)
    (1, 1, 2, 4)
    """
    if standard_error <= 0 or not math.isfinite(standard_error):
        return most
    return min(most, max(1, -math.floor(math.log10(standard_error))))


# metrics --------------------------------------------------------------------------------------------------------------

_EVERY = tomllib.loads(Path(__file__).with_name("metric_names.toml").read_text("utf-8"))
_OTHER_NAMES = {other: name for name, metric in _EVERY.items() for other in metric.get("also", ())}


def _known(metric: str) -> dict[str, Any]:
    key = metric.strip().casefold().replace(" ", "_").replace("-", "_")
    found: dict[str, Any] = _EVERY.get(_OTHER_NAMES.get(key, key), {})
    return found


def metric_title(metric: str) -> str:
    """Return the name of a metric at the head of a caption; an unknown one is capitalised, if it is a word.

    Examples
    --------
    >>> [metric_title(name) for name in ("acc", "f1", "chrF", "helpfulness", "nDCG@10", "bleu_13a")]
    ['Accuracy', 'F1', 'chrF', 'Helpfulness', 'nDCG@10', 'bleu_13a']
    """
    if found := _known(metric):
        return str(found["title"])
    return metric[:1].upper() + metric[1:] if metric.isalpha() and metric.islower() else metric


def metric_in_sentence(metric: str) -> str:
    """Return the name of a metric within a sentence.

    Examples
    --------
    >>> [metric_in_sentence(name) for name in ("acc", "f1", "exact_match", "nDCG@10")]
    ['accuracy', 'F1', 'exact match', 'nDCG@10']
    """
    title = metric_title(metric)
    return title.lower() if title.replace(" ", "a")[1:].isalpha() and title[1:].islower() else title


def metric_short(metric: str) -> str:
    """Return the name of a metric above a column of a table.

    Examples
    --------
    >>> metric_short("accuracy"), metric_short("exact_match"), metric_short("nDCG@10")
    ('Acc.', 'EM', 'nDCG@10')
    """
    return str(_known(metric).get("short", metric_title(metric)))


PROPORTIONS = frozenset(
    name.replace("_", mark) for name in (*_EVERY, *_OTHER_NAMES) for mark in "_ -" if _known(name).get("proportion")
)
"""Metrics that lie between 0 and 1 and are printed in percent, in lower case: "f1", "exact match"."""


# results in Python ----------------------------------------------------------------------------------------------------

MOST = 2_000
"""Characters."""

_OF_REST = 60
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80


def short_repr(item: Any) -> str:
    """Return the name and the fields of a dataclass, as its `__repr__`.

    Parameters
    ----------
    item : dataclass
        Any. Fields with `repr=False` are left out, long values are cut.
    """
    shown_fields = [field.name for field in dataclasses.fields(item) if field.repr]
    parts = [f"{name}={_SHORT.repr(getattr(item, name))}" for name in shown_fields]
    name, shown = type(item).__name__, ", ".join(parts)
    return f"{name}({shown})" if len(name) + len(shown) + 2 < MOST else f"{name}({shown[: MOST - _OF_REST]}...)"


def few_lines(lines: Sequence[str], whole: str) -> str:
    """Join as many lines as can be read at a glance, with a last one that says how many more there are, and where.

    Examples
    --------
    >>> few_lines(["a: 1", "b: 2"], "summary()").splitlines()
    ['a: 1', 'b: 2']
    """
    if sum(len(line) + 1 for line in lines) < MOST:
        return "\n".join(lines)
    shown: list[str] = []
    for line in lines:
        if shown and sum(map(len, shown)) + len(shown) + len(line) > MOST - _OF_REST:
            break
        shown.append(line)
    return "\n".join([*shown, f"... and {len(lines) - len(shown)} more; {whole} has all"])
