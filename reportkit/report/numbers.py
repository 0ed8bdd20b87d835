"""The numbers that running text may name: keys, and values as they are printed."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import TypeVar

from reportkit.language.counts_and_lists import listed, some
from reportkit.language.numerals import level_text, p_value_text
from reportkit.report.facts import Facts
from reportkit.report.model import Number
from reportkit.report.records import Claim, Metric, Outcome
from reportkit.report.tokens import name
from reportkit.report.wording import Wording
from reportkit.report.words import diff, ends, points, score

MOST_OUTCOMES = 500
"""With more outcomes than this, those of single datasets get no keys."""

MANY_NAMES = 12
AVERAGE = "average"

_WORDS = {"+": "plus", "*": "star", "&": "and", "%": "percent", "@": "at", "#": "sharp"}
_Name = TypeVar("_Name", bound=Hashable)
_Item = tuple[str, Number]


def slug(text: str) -> str:
    """Write a name as a part of a key: small letters and digits, parted by points and hyphens.

    Accents are dropped, a few signs become words, letters of other scripts their code points.

    Examples
    --------
    >>> slug("SST-2"), slug("BERT+Aug (large)"), slug("naïve_v1.5"), slug("C&W"), slug("中文")
    ('sst-2', 'bert-plus-aug-large', 'naive-v1.5', 'c-and-w', 'u4e2d-u6587')
    """
    letters = ""
    for sign in unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold()):
        if sign.isascii():
            letters += sign if sign.isalnum() or sign == "." else f"-{_WORDS.get(sign, '')}-"
        elif not unicodedata.combining(sign):
            letters += f"-u{ord(sign):04x}-"
    return re.sub(r"\.+", ".", re.sub(r"[.-]*-[.-]*", "-", letters)).strip("-.") or "empty"


def distinct(wanted: Mapping[_Name, str], taken: Collection[str] = ()) -> dict[_Name, str]:
    """Tell apart names with the same slug, and those with one that is taken, by digits of their SHA-256.

    A key does not come to mean another name when a name is added, or when the order changes.

    Examples
    --------
    >>> distinct({"BERT": "bert", "bert": "bert", "n": "n", "T5": "t5"}, taken=["n"])
    {'BERT': 'bert-f10cc888', 'bert': 'bert-32987c4b', 'n': 'n-1b16b1df', 'T5': 't5'}
    """
    shared = Counter(wanted.values())
    digests = {one: hashlib.sha256("\0".join(one if isinstance(one, tuple) else [str(one)]).encode()) for one in wanted}
    return {
        one: key if shared[key] == 1 and key not in taken else f"{key}-{digests[one].hexdigest()[:8]}"
        for one, key in wanted.items()
    }


def numbers_of(f: Facts, words: Wording, first: str = "main") -> dict[str, Number]:
    """Return what running text may name, by key, in a fixed order.

    Where all pairs are compared, the outcomes of single pairs are printed nowhere and have no keys.

    Parameters
    ----------
    f : Facts
        As they are printed.
    words : Wording
        Meanings, from `text/meanings.toml`.
    first : str
        First part of every key.
    """
    return dict(_Numbers(f, words, first).items())


class _Numbers:
    def __init__(self, f: Facts, words: Wording, first: str) -> None:
        self.f, self.words, self.first = f, words, first
        taken = {*words.meanings["facts"], AVERAGE}
        pairs = dict.fromkeys((claim.a, claim.b) for claim in f.claims)
        self.metrics = distinct({one: slug(one) for one in f.by_metric}, taken)
        self.datasets = distinct({one: slug(one) for one in f.datasets}, taken)
        self.systems = distinct({one: slug(one) for one in dict.fromkeys(one for pair in pairs for one in pair)}, ["n"])
        self.pairs = distinct(
            {(a, b): f"{self.systems[a]}-vs-{self.systems[b]}" for a, b in pairs},
            {*taken, "n", *self.datasets.values(), *self.systems.values()},
        )

    def items(self) -> Iterator[_Item]:
        f = self.f
        yield from self._facts()
        for metric in f.metrics:
            before = f"{self.first}/{self.metrics[metric.name]}" if len(f.metrics) > 1 else self.first
            yield from self._scores(metric, before)
            for claim in f.claims:
                if claim.metric == metric.name and f.design != "all-pairs":
                    yield from self._counts(claim, before)
                    for item in f.of(claim) if len(f.outcomes) <= MOST_OUTCOMES else ():
                        yield from self._outcome(claim, item, before)

    def _facts(self) -> Iterator[_Item]:
        f = self.f
        values = {
            "n-datasets": f"{f.outcomes[0].n or 0 if f.across else len(f.datasets):,}",
            "n-systems": f"{len(self.systems):,}",
            "n-comparisons": f"{len(f.claims):,}",
            "n-hypotheses": f"{f.n_tests:,}",
            "alpha": level_text(f.alpha[0]),
            "metric": listed(metric.title for metric in f.metrics),
            "tests": listed(dict.fromkeys(test.title for test in f.tests if test.tested), last="or"),
            "correction": self.words.caption("correction", t={}),
        }
        for fact, value in values.items():
            yield f"{self.first}/{fact}", Number(content=value, meaning=self.words.meanings["facts"][fact])

    def _scores(self, metric: Metric, before: str) -> Iterator[_Item]:
        """Write scores as the table of results prints them, and means over the datasets."""
        f, say = self.f, self.words.meanings
        for system, slug_of in self.systems.items():
            values = []
            for dataset in f.datasets:
                if (found := f.score_of.get((metric.name, system, dataset))) is not None:
                    values.append(found.value)
                    meaning = say["score"].format(metric=metric.title, system=name(system), dataset=name(dataset))
                    text = score(f, found.value, metric.name, dataset)
                    yield f"{before}/{self.datasets[dataset]}/{slug_of}", Number(content=text, meaning=meaning)
            if len(values) == len(f.datasets) > 1:
                mean = score(f, math.fsum(values) / len(values), metric.name)
                meaning = say["average"].format(metric=metric.title, system=name(system))
                yield f"{before}/{AVERAGE}/{slug_of}", Number(content=mean, meaning=meaning)

    def _counts(self, claim: Claim, before: str) -> Iterator[_Item]:
        """Write on how many datasets a claim is shown, and on which."""
        values: dict[str, str] = {}
        if claim.bounds:
            values = {"k-hat": str(claim.k_hat), "count": str(claim.bounds[0].count)}
        if not self.f.across and not claim.exploratory:
            values["identified"] = some(map(name, claim.named), MANY_NAMES) or "none"
        fields = {"a": name(claim.a), "b": name(claim.b), "level": level_text(self.f.alpha[0])}
        for fact, value in values.items():
            meaning = self.words.meanings[fact].format(**fields)
            yield f"{before}/{self.pairs[claim.a, claim.b]}/{fact}", Number(content=value, meaning=meaning)

    def _outcome(self, claim: Claim, item: Outcome, before: str) -> Iterator[_Item]:
        """Write size, difference, interval and p-values of a claim on one dataset."""
        f, test = self.f, self.f.tests[item.test]
        fields = {"a": name(item.a), "b": name(item.b), "dataset": name(item.dataset), "unit": test.unit}
        fields |= {"points": points(f, item.metric, item.dataset), "level": f"{100 * (item.level or 0):.6g}%"}
        gap = f.sign(item.metric, item.dataset) * (item.score_a - item.score_b)
        sizes = item.sizes or ((item.n,) if item.n is not None else ())
        marks = zip(self.words.heads["marks"], f.alpha, strict=False)
        values = {
            "n": " / ".join(f"{n:,}" for n in sizes),
            "difference": diff(f, gap, item.metric, item.dataset),
            "ci": ends(f, item),
            "test": test.title,
            "p": p_value_text(item.p_value),
            "p-adjusted": p_value_text(item.adjusted),
            "mark": "" if claim.exploratory else "".join(sign for sign, alpha in marks if alpha in item.marked_at),
        }
        for fact, value in values.items():
            if value or fact == "mark":
                key = f"{before}/{self.datasets[item.dataset]}/{self.pairs[item.a, item.b]}/{fact}"
                yield key, Number(content=value, meaning=self.words.meanings["outcome"][fact].format(**fields))
