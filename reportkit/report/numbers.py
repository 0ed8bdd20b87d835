"""The numbers that running text may name: keys, and values as they are printed."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

from reportkit.language import level_text, listed, p_value_text, some
from reportkit.report.facts import Facts
from reportkit.report.records import Claim, Outcome
from reportkit.report.tokens import name
from reportkit.report.wording import Wording
from reportkit.report.words import diff, ends, score

MOST_OUTCOMES = 500
"""With more outcomes than this, those of single datasets get no keys."""

MANY_NAMES = 12
AVERAGE = "average"

_WORDS = {"+": "plus", "*": "star", "&": "and", "%": "percent", "@": "at", "#": "sharp"}
_Name = TypeVar("_Name", bound=Hashable)


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
    """Add digits of their SHA-256 to names that share a slug, or whose slug is taken.

    A key keeps its name when other names are added or the order changes.

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


def numbers_of(f: Facts, words: Wording, first: str = "main") -> dict[str, str]:
    """Return what running text may name, as it is printed, by key.

    Where all pairs are compared, the outcomes of single pairs are printed nowhere and have no keys.

    Parameters
    ----------
    f : Facts
        As they are printed.
    words : Wording
        With the sign of each level.
    first : str
        First part of every key.
    """
    pairs = dict.fromkeys((claim.a, claim.b) for claim in f.claims)
    names = dict.fromkeys(name for pair in pairs for name in pair)
    facts = {
        "n-datasets": f"{f.outcomes[0].n or 0 if f.across else len(f.datasets):,}",
        "n-systems": f"{len(names):,}",
        "n-comparisons": f"{len(f.claims):,}",
        "n-hypotheses": f"{f.n_tests:,}",
        "alpha": level_text(f.alpha[0]),
        "metric": listed(metric.title for metric in f.metrics),
        "tests": listed(dict.fromkeys(test.title for test in f.tests if test.tested), last="or"),
        "correction": words.caption("correction", t={}),
    }
    taken = {*facts, AVERAGE}
    metrics = distinct({one: slug(one) for one in f.by_metric}, taken)
    datasets = distinct({one: slug(one) for one in f.datasets}, taken)
    systems = distinct({one: slug(one) for one in names}, ["n"])
    taken |= {"n", *datasets.values(), *systems.values()}
    keys = distinct({pair: "-vs-".join(systems[one] for one in pair) for pair in pairs}, taken)
    found = {f"{first}/{fact}": value for fact, value in facts.items()}
    for metric in f.metrics:
        before = f"{first}/{metrics[metric.name]}" if len(f.metrics) > 1 else first
        for system, key in systems.items():
            scores = {
                one: f.score_of[place] for one in f.datasets if (place := (metric.name, system, one)) in f.score_of
            }
            found |= {
                f"{before}/{datasets[one]}/{key}": score(f, item.value, metric.name, one)
                for one, item in scores.items()
            }
            if len(scores) == len(f.datasets) > 1:
                mean = math.fsum(item.value for item in scores.values()) / len(scores)
                found[f"{before}/{AVERAGE}/{key}"] = score(f, mean, metric.name)
        for claim in f.claims:
            if claim.metric == metric.name and f.design != "all-pairs":
                key = keys[claim.a, claim.b]
                found |= {f"{before}/{key}/{fact}": value for fact, value in _counts(f, claim).items()}
                for item in f.of(claim) if len(f.outcomes) <= MOST_OUTCOMES else ():
                    at = f"{before}/{datasets[item.dataset]}/{key}"
                    signs = "" if claim.exploratory else _signs(f, words, item)
                    found |= {f"{at}/{fact}": value for fact, value in _outcome(f, item).items() if value}
                    found[f"{at}/mark"] = signs
    return found


def _counts(f: Facts, claim: Claim) -> dict[str, str]:
    """Write on how many datasets a claim is shown, and on which."""
    values = {}
    if claim.bounds:
        values = {"k-hat": str(claim.k_hat), "count": str(claim.bounds[0].count)}
    if not f.across and not claim.exploratory:
        values["identified"] = some(map(name, claim.named), MANY_NAMES) or "none"
    return values


def _outcome(f: Facts, item: Outcome) -> dict[str, str]:
    """Write size, difference, interval and p-values of a claim on one dataset."""
    gap = f.sign(item.metric, item.dataset) * (item.score_a - item.score_b)
    sizes = item.sizes or ((item.n,) if item.n is not None else ())
    return {
        "n": " / ".join(f"{n:,}" for n in sizes),
        "difference": diff(f, gap, item.metric, item.dataset),
        "ci": ends(f, item),
        "test": f.tests[item.test].title,
        "p": p_value_text(item.p_value),
        "p-adjusted": p_value_text(item.adjusted),
    }


def _signs(f: Facts, words: Wording, item: Outcome) -> str:
    marks = zip(words.heads["marks"], f.alpha, strict=False)
    return "".join(sign for sign, alpha in marks if alpha in item.marked_at)
