"""What no sentence of a report may say, and what every number in it has to be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from reportkit.analysis.analysis import Analysis
from tests.claims import claims_in

_NOUNS = "(?:dataset|instance|system|claim|run|fold|cluster|rater|comparison|pair)"
FORBIDDEN = {
    r"no difference\b": "a large p-value as evidence of equality",
    r"\bequivalen|\bon par\b|\bcomparable\b": "a large p-value as evidence of equality",
    r"due to chance|by (pure )?chance": "a p-value as probability of chance",
    r"probability (of|that) the (null )?hypothesis": "a p-value as probability of the hypothesis",
    r"\btrend|marginal(ly)? ": "a p-value above the level as something",
    r"p = 0\b(?!\.)|p = \.0+\b|(?<!\d)\.000\b": "a p-value of zero",
    r"\bnan\b|\binf\b|\bNone\b(?! of the | is shown)": "not a number",
    r"  |\( | \)| ,| ;| \.(?!\d)|\.\.|,,|;;|\(\)|\[\]|{|}": "a slip of the typesetter",
    r"\b(\w+) \1\b": "a word twice",
    rf"\b1 ({_NOUNS}s|hypotheses)\b": "a plural of one",
    rf"\b(?!1 )\d+ ({_NOUNS}|hypothesis)\b": "a singular of many",
    r"(?:^|(?<!\bNo)[.!?] )\d": "a number at the start of a sentence",  # "No. 7" is a name
    r"\b(an|a) [aeiou]\w+s\b(?<!us)(?<!ss)": "an article before a plural",
    r"[^.?!:)\]]$": "no end",
}
"""Pattern to what is wrong with it; upper and lower case alike."""

_SENTENCES = re.compile(r"(?<=[.!?])\)? (?=[A-Z(])")
_CLAIM = re.compile(r"better than .*? on ((?:at least |all |both )?(?:\d+ )?(?:of \d+ )?datasets)\b")
_ASKED = ("We compare ", "We examine ", "We test whether ")
_QUESTIONS = (*_ASKED, *(f"Hypotheses. {words}" for words in _ASKED))


def slips(text: str, names: Iterable[str] = ()) -> list[str]:
    """Find what breaks the rules of wording; names of systems and datasets may be what they are."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "Xx")
    found = []
    for pattern, what in FORBIDDEN.items():
        for match in re.finditer(pattern, text, flags=re.IGNORECASE if pattern.islower() else 0):
            if what == "a word twice" and match[1] == "Xx":
                continue
            found.append(f"{what}: {text[max(0, match.start() - 40) : match.end() + 40]!r}")
    if text.count("(") != text.count(")") or text.count("[") != text.count("]"):
        found.append("brackets that do not match")
    for sentence in _SENTENCES.split(text):
        match = _CLAIM.search(sentence)
        if match and not sentence.startswith(_QUESTIONS) and not match[1].startswith(("at least", "all ", "both ")):
            found.append(f"a count that is not a lower bound: {sentence!r}")
    return found


def without_signature(text: str) -> str:
    """The text without its last sentence, where that is about the software."""
    return re.sub(r" Software\. All numbers were computed .*$", "", text)


def names_of(analysis: Analysis) -> set[str]:
    """Names of systems, datasets and metrics."""
    systems = {name for pair in analysis.pairs for name in pair}
    return systems | set(analysis.datasets) | set(analysis.metrics)


_NUMBER = re.compile(r"(?<![\w.^])([+−-]?(?:\d[\d,]*)?\.?\d+(?:e-?\d+)?)(%?)(?![\w^])")


_CHECKSUM = re.compile(r"(?<=sha256:)[0-9a-f]+|\b[0-9a-f]{64}\b")


def numbers_in(text: str) -> Iterator[tuple[str, float, float]]:
    """Each number of a text: as written, its value, and half a unit of its last digit; a checksum is none."""
    for match in _NUMBER.finditer(_CHECKSUM.sub("checksum", text)):
        written = match[1].replace(",", "").replace("−", "-")
        if "e" in written:
            mantissa, exponent = written.split("e")
            decimals = len(mantissa.partition(".")[2]) - int(exponent)
        else:
            decimals = len(written.partition(".")[2])
        yield match[0], float(written), 0.5 * 10.0**-decimals


def known_numbers(analysis: Analysis) -> list[float]:
    """All numbers of report.json, those in its words, and what follows from the design."""
    data = analysis.report().to_dict()
    found = list(_leaves(data))
    sides = {comparison.n_datasets for comparison in analysis.comparisons}
    found += [
        *sides,
        len(analysis.datasets),
        len(analysis.comparisons),
        len(analysis.metrics),
        analysis.n_hypotheses,
        0.0,
        1.0,
        2.0,
    ]
    found += [
        len({name for pair in analysis.pairs for name in pair}),
        len({a for a, _ in analysis.pairs}),
        len({frozenset(pair) for pair in analysis.pairs}),  # in both directions, a pair is one
        *analysis.sizes.values(),
    ]
    found += [value for alpha in analysis.alpha for value in (alpha, alpha / 2, 100 * alpha, 100 * (1 - alpha))]
    outcomes = [item for comparison in analysis.comparisons for item in comparison.assessments]
    found += [sum(outcome.method == "Monte Carlo" for outcome in outcomes), len(outcomes)]
    found += [comparison.share or 1 for comparison in analysis.comparisons]
    found += [item["score_a"] - item["score_b"] for comparison in claims_in(data) for item in comparison["datasets"]]
    found += [3 / n for outcome in outcomes for n in (outcome.n, outcome.n_clusters) if n]  # the rule of three
    for alpha in analysis.alpha:
        shown = [comparison.k_hat[alpha].recommended for comparison in analysis.comparisons]
        found += [
            sum(map(bool, shown)),
            sum(k == c.n_datasets for k, c in zip(shown, analysis.comparisons, strict=True)),
        ]
    return found


def _leaves(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from (number for _, number, _ in numbers_in(str(key)))
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str):
        yield from (number for _, number, _ in numbers_in(value))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


_candidates: list[tuple[Analysis, np.ndarray]] = []
"""The sizes of the numbers of the last report, as such and in percent."""


def unknown_numbers(text: str, analysis: Analysis) -> list[str]:
    """Numbers of a text that are no number of the report, rounded; as such or in percent."""
    for name in sorted(names_of(analysis), key=len, reverse=True):
        text = text.replace(name, "Xx")
    text = re.sub(r"\(\d{4}\)|, \d{4}|[<>] \.\d+", "", text)  # years of publications, bounds of p-values
    if not _candidates or _candidates[0][0] is not analysis:  # texts of one report are looked at one after the other
        known = np.array(known_numbers(analysis), dtype=np.float64)
        _candidates[:] = [(analysis, np.abs(np.concatenate([known, 100 * known])))]
    candidates = _candidates[0][1]
    return [
        written
        for written, value, half in numbers_in(text)
        if not (abs(abs(value) - candidates) <= half * (1 + 1e-6) + 1e-12 * abs(value)).any()
    ]
