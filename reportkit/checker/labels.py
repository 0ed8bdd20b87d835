"""Recognise headings of tables: a system, a dataset, a metric or a quantity. Never a guess."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from reportkit.checker.patterns import SECTIONS
from reportkit.checker.vocabulary import TEST
from reportkit.errors import UnknownNameError

if TYPE_CHECKING:
    from reportkit.checker.paper.document import Table

Sort = Literal["system", "dataset", "metric", "quantity", "average", "nothing", "unknown"]
Quantity = Literal["score", "difference", "p-value", "adjusted-p-value", "n", "interval", "k-hat", "rank"]

_PLACEHOLDER = re.compile(r"⟦\w+⟧|\^\(?[^\s^)]+\)?|[↑↓→←†‡§¶*]")
_PARENTHESES = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
SPLITS = re.compile(r"\b(?:dev|val|valid|validation|train|training|development|tuning)\b", re.IGNORECASE)
"""Words of a heading over numbers that are not from the test set."""

HEADINGS = {kind: frozenset(words) for kind, words in SECTIONS["headings"].items()}
AVERAGES, SCORE_WORDS = HEADINGS.pop("average"), HEADINGS.pop("scores")
QUANTITIES: dict[str, Any] = {word: kind for kind, words in HEADINGS.items() for word in words}
_AVERAGE = re.compile(
    r"(?:all |overall |macro )?(?:tasks |datasets |corpora |domains |languages |test sets )?(?:avg|ave|average|mean)"
)
P_HEADING = re.compile(
    r"\s*(?P<adjusted>(?:adj(?:\.|usted)?|corr(?:\.|ected)?|holm|bonferroni)[\s-]*)?"
    r"(?:[pP][- _]?(?:val(?:ue)?s?|(?P<adjusted2>adj\w*|holm|corr\w*))\.?\s*(?P<pair>[(\[].+[)\]])?|"
    r"(?P<bare>p|P(?!\s*\()))\s*"
)
_RETRIEVAL = re.compile(r"(?:prec(?:ision)?|rec(?:all)?|f ?1|f ?β|micro f1|macro f1|f score|f measure)", re.IGNORECASE)
_STATISTICS = frozenset("tzFrdNnbBβηχWUVkHQDR")
_TEST_WORDS = re.compile(rf"{TEST.pattern}|\bp[- ]?values?\b|\bsignifican|\bhypothes", re.IGNORECASE)
_METRIC_WORDS = {"acc": "accuracy", "em": "exact match", "rouge l": "rougel"}


class Meaning(NamedTuple):
    """The meaning of a heading.

    Parameters
    ----------
    sort : str
        Which kind of thing; "unknown" if nothing fits or several things do.
    name : str
        Its name in the data.
    """

    sort: Sort
    name: str = ""


def normalised(text: str) -> str:
    """Return a text in lower case, without marks, citations and punctuation; words are separated by one space.

    Examples
    --------
    >>> normalised("SST-2 ↑"), normalised("amazon_reviews"), normalised("Ours ⟦cite⟧^†")
    ('sst 2', 'amazon reviews', 'ours')
    """
    plain = _PLACEHOLDER.sub(" ", unicodedata.normalize("NFKC", text).replace("\u200b", ""))
    return re.sub(r"[^0-9a-zA-Zα-ωΑ-Ω+#̂À-ɏ]+", " ", plain).strip().casefold()


def p_heading(table: Table, text: str) -> re.Match[str] | None:
    """Match of a heading of p-values.

    A bare p counts where it can be nothing else: not next to precision's companions (R, F1, ...), not in a row of
    single letters that are categories, and in upper case only in a table that speaks of a test.
    """
    match = P_HEADING.fullmatch(text)
    if match is None or match["bare"] is None:
        return match
    above = [cell.text.text for row in table.grid[: table.n_header_rows] for cell in row]
    beside = [cell.text.text for row in table.grid[table.n_header_rows :] for cell in row[: table.n_header_columns]]
    axis = above if text in above else beside
    others = {_PLACEHOLDER.sub(" ", other).strip() for other in axis} - {"p", "P"}
    companions = others if axis is above else others | set(above)  # a class may be called p, too
    if any(_RETRIEVAL.fullmatch(normalised(other)) for other in companions):
        return None
    if any(len(other) == 1 and other.isascii() and other.isalpha() and other not in _STATISTICS for other in others):
        return None
    if match["bare"] == "p":
        return match
    words = " ".join([table.caption.text, *(note.text for note in table.notes), *others])
    return match if not others & {"R", "F"} and _TEST_WORDS.search(words) else None


def quantity_of(table: Table, heading: str) -> Quantity | None:
    """Return what a heading counts or measures, if it is neither a score nor a name."""
    match = p_heading(table, heading)
    if match is not None:
        return "adjusted-p-value" if match["adjusted"] or match["adjusted2"] else "p-value"
    words = normalised(heading)
    return None if words == "p" else QUANTITIES.get(words)


def _key(text: str) -> str:
    return normalised(text).replace(" ", "")


@dataclass(frozen=True)
class Labels:
    """Names of the data, and the user's own names for them.

    Parameters
    ----------
    systems, datasets, metrics : tuple of str
        Names in the data.
    given : mapping of str to str
        What the paper says to what the data say; an empty name makes a heading mean nothing.

    Raises
    ------
    UnknownNameError
        If `given` leads to a name that the data do not have.

    Examples
    --------
    >>> labels = Labels(("new_model", "base"), ("sst2", "amazon_reviews"), ("accuracy",), {"Ours": "new_model"})
    >>> labels.meaning("Ours")
    Meaning(sort='system', name='new_model')
    >>> labels.meaning("SST-2 (test)").name, labels.meaning("Amazon").name
    ('sst2', 'amazon_reviews')
    >>> labels.meaning("Theirs").sort
    'unknown'
    """

    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: tuple[str, ...]
    given: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = [*self.systems, *self.datasets, *self.metrics, *set(QUANTITIES.values()), "average"]
        for label, name in self.given.items():
            if name and name not in known:
                raise UnknownNameError("name in the data", name, known, where=f"[check.labels], {label!r}")

    @cached_property
    def _sorts(self) -> tuple[tuple[Sort, tuple[str, ...]], ...]:
        return (("system", self.systems), ("dataset", self.datasets), ("metric", self.metrics))

    @cached_property
    def _exact(self) -> dict[str, tuple[Meaning, ...]]:
        found: dict[str, tuple[Meaning, ...]] = {}
        for sort, names in self._sorts:
            for name in names:
                found[_key(name)] = (*found.get(_key(name), ()), Meaning(sort, name))
        return found

    def meaning(self, label: str) -> Meaning:
        """Return the meaning of a heading; "unknown" rather than a guess.

        In this order: the user's own names; a name of the data, whatever its case and punctuation; the same without
        what is in parentheses; a quantity or an average; the beginning of exactly one name of a dataset.
        """
        if not _key(label):
            return Meaning("nothing")
        for text in dict.fromkeys((label, _PARENTHESES.sub(" ", label))):
            if text != label and SPLITS.search(label) and not SPLITS.search(text):
                break
            found = self._named(text)
            if found is not None:
                return found
        return self._begun(label) or Meaning("unknown")

    def _named(self, label: str) -> Meaning | None:
        key = _key(label)
        if not key:
            return None
        given = {_key(text): name for text, name in self.given.items()}
        if key in given:
            return self._of_name(given[key])
        exact = self._exact.get(key, ())
        if len(exact) == 1:
            return exact[0]
        if exact:
            return Meaning("unknown")
        words = normalised(label)
        if words in QUANTITIES:
            return Meaning("quantity", QUANTITIES[words])
        expanded = _METRIC_WORDS.get(words, words)
        metric = self._exact.get(expanded.replace(" ", ""), ())
        if len(metric) == 1:
            return metric[0]
        if words in SCORE_WORDS and self.metrics == ("score",) and words not in AVERAGES:
            return Meaning("metric", "score")
        return Meaning("average") if words in AVERAGES or _AVERAGE.fullmatch(words) else None

    def _of_name(self, name: str) -> Meaning:
        if not name:
            return Meaning("nothing")
        for sort, names in self._sorts:
            if name in names:
                return Meaning(sort, name)
        return Meaning("average") if name == "average" else Meaning("quantity", name)

    def _begun(self, label: str) -> Meaning | None:
        words = normalised(label).split()
        if not words or len(_key(label)) < 3:
            return None
        begun = [name for name in self.datasets if normalised(name).split()[: len(words)] == words]
        return Meaning("dataset", begun[0]) if len(begun) == 1 else None

    def mentioned(self, text: str, sort: Literal["system", "dataset", "metric"]) -> tuple[str, ...]:
        """Return the names that a text mentions as whole words, as the data or the user write them."""
        words = f" {normalised(text)} "
        names = dict(self._sorts)[sort]
        own = {normalised(label): name for label, name in self.given.items() if name in names}
        own |= {normalised(name): name for name in names}
        return tuple(dict.fromkeys(name for label, name in own.items() if label and f" {label} " in words))
