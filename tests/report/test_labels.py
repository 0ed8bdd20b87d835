"""A label changes no number and no sentence but the name.

The same analysis is laid out with labels that occur in no text, then with others, and without any: where the former are
replaced by the latter, nothing differs. Findings alone keep the names of the data.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import reportkit
from reportkit.analysis.analysis import Analysis
from reportkit.appearance.appearance import Appearance
from reportkit.report.machine.serialise import encode_report
from reportkit.report.prose import Inline, Prose, Text, Typeset, plain
from reportkit.report.tables.groups import names_of_data

SYSTEMS = ("new", "brand new", "new (1)")
DATASETS = ("d", "d2", "of", "instances")
LABELS = (
    "new",
    "brand new",
    "A",
    "B",
    "a",
    "new systems",
    "d",
    "d2",
    "zz",
    "of new",
    "{a}",
    "instances of",
    "p",
    "x.y",
)
KEPT = "What to know before citing this"
"""The section of findings, which speak of the data."""


def _rows(
    make: Callable[[int, str, np.random.Generator], dict[str, Any]], *, systems: int = 2, n: int = 24
) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        [
            {"system": name, "dataset": dataset, **make(i, name, rng)}
            for name in SYSTEMS[:systems]
            for dataset in DATASETS
            for i in range(n)
        ]
    )


def _score(name: str, rng: np.random.Generator) -> float:
    return float(rng.normal(0.6 * (name == "new"), 1))


def _right(i: int, name: str, rng: np.random.Generator) -> dict[str, Any]:
    return {"instance": f"q{i}", "score": int(rng.random() < (0.9 if name == "new" else 0.5))}


def _graded(i: int, name: str, rng: np.random.Generator) -> dict[str, Any]:
    return {"instance": f"q{i}", "score": _score(name, rng)}


def _skewed(i: int, name: str, rng: np.random.Generator) -> dict[str, Any]:
    return {"instance": f"q{i}", "score": float(rng.exponential()) + (name == "new")}


def _unpaired() -> pd.DataFrame:
    frame = _rows(lambda i, name, rng: {"place": i, "instance": f"{name}{i}", "score": _score(name, rng)}, n=60)
    return frame[(frame["system"] != "new") | (frame["place"] < 40)].drop(columns="place")


def _counts() -> pd.DataFrame:
    rows = [
        {"system": name, "dataset": dataset, "k": k, "n": n}
        for dataset in DATASETS
        for name, k, n in (("new", 80, 100), ("brand new", 70, 120))
    ]
    return pd.DataFrame(rows)


def _runs() -> pd.DataFrame:
    frames = [_rows(_graded).assign(seed=seed) for seed in range(4)]
    frame = pd.concat(frames)
    frame["score"] += np.random.default_rng(0).normal(0, 0.3, len(frame))
    return frame[(frame["system"] == "new") | (frame["seed"] < 3)]


def _lost() -> pd.DataFrame:
    frame = _rows(_graded, systems=3)
    frame = frame[(frame["system"] != "new (1)") | (frame["dataset"] != "of")]
    frame.loc[frame.index[:3], "score"] = np.nan
    return frame


def _printed() -> pd.DataFrame:
    scores = {"score_a": [0.9, 0.8, 0.7, 0.6], "score_b": [0.8, 0.7, 0.8, 0.5], "p_value": [0.001, 0.01, 0.02, 0.3]}
    return pd.DataFrame({"dataset": DATASETS, **scores})


DESIGNS: Mapping[str, Callable[[], Analysis]] = {
    "right or wrong": lambda: reportkit.compare(_rows(_right), "new", "brand new"),
    "graded, both directions": lambda: reportkit.compare(_rows(_graded)),
    "skewed": lambda: reportkit.compare(_rows(_skewed), "new", "brand new", rope=0.1),
    "ordinal": lambda: reportkit.compare(_rows(_right), "new", "brand new", kind="ordinal"),
    "unpaired": lambda: reportkit.compare(_unpaired(), "new", "brand new", pairing="unpaired"),
    "numbers of right answers": lambda: reportkit.compare(_counts(), "new", "brand new"),
    "runs": lambda: reportkit.compare(_runs(), "new", "brand new"),
    "fixed runs": lambda: reportkit.compare(_runs(), "new", "brand new", runs="fixed"),
    "runs alone": lambda: reportkit.compare(
        _runs().groupby(["system", "dataset", "seed"], as_index=False)["score"].mean(), "new", "brand new"
    ),
    "clusters": lambda: reportkit.compare(
        _rows(lambda i, name, rng: {**_graded(i, name, rng), "document": f"t{i // 4}"}),
        "new",
        "brand new",
        columns={"cluster": "document"},
        dependence="independent",
    ),
    "all pairs": lambda: reportkit.compare(_rows(_graded, systems=3), friedman=True),
    "baseline": lambda: reportkit.compare(_rows(_right, systems=3), baseline="brand new"),
    "two metrics": lambda: reportkit.compare(
        pd.concat([_rows(_right).assign(metric="acc"), _rows(_graded).assign(metric="d acc")]),
        "new",
        "brand new",
        metric=["acc", "d acc"],
    ),
    "across": lambda: reportkit.compare(_rows(_graded, n=1), "new", "brand new", across_datasets=True),
    "scores are missing": lambda: reportkit.compare(_lost(), baseline="brand new", missing="drop"),
    "bounds": lambda: reportkit.compare(_lost(), "new", "brand new", missing="bounds", score_range=(-9, 9)),
    "the same twice": lambda: reportkit.compare(
        _rows(lambda i, name, rng: {"instance": f"q{i}", "score": i % 2}), "new", "brand new"
    ),
    "printed": lambda: reportkit.compare(_printed(), "new", "brand new"),
}


@cache
def _analysis(design: str) -> Analysis:
    return DESIGNS[design]()


def _names(design: str) -> list[str]:
    known = names_of_data(_analysis(design))
    every = dict.fromkeys(name for group in known.values() for name in group)
    return [name for name in every if name != "score"]  # which stands for a metric without a name: a label gives it one


def _document(design: str, labels: Mapping[str, str]) -> str:
    """Everything that the report says, as text: words, tables, figures and numbers, without the findings."""
    report = _analysis(design).styled(labels=dict(labels)).report().model
    sections = tuple(part for part in report.sections if part.title != KEPT)
    report = dataclasses.replace(report, sections=sections, findings=(), appearance=Appearance())
    return json.dumps(encode_report(report), ensure_ascii=False)


def _replaced(text: str, names: Mapping[str, str]) -> str:
    """The text with each name replaced, as JSON writes it, all at once."""
    written = {json.dumps(old)[1:-1]: json.dumps(new, ensure_ascii=False)[1:-1] for old, new in names.items()}
    return re.sub("|".join(map(re.escape, written)), lambda found: written[found.group()], text)


def _tokens(design: str) -> dict[str, str]:
    """Labels that occur in no text and in no other, in no order."""
    return {name: f"Q{(7 * place + 3) % 23:02}Q" for place, name in enumerate(_names(design))}


@cache
def _with_tokens(design: str) -> str:
    """The document that others differ from by their labels."""
    return _document(design, _tokens(design))


def _differs(one: str, other: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"...{one[max(0, place - 150) : place + 150]}\n...{other[max(0, place - 150) : place + 150]}"


@pytest.mark.parametrize("design", DESIGNS)
def test_labels_are_names_in_another_spelling(design):
    """A report with names as labels is the one with other labels in which each label is replaced by its name."""
    tokens = _tokens(design)
    found = _replaced(_with_tokens(design), {token: name for name, token in tokens.items()})
    expected = _document(design, {name: name for name in tokens})
    assert found == expected, _differs(found, expected)


@pytest.mark.parametrize("design", DESIGNS)
@given(st.permutations(LABELS))
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_labels_are_put_in_the_place_of_names(design, labels):
    """Labels that are parts of each other, names of other systems, words of the text, or fields of a template."""
    chosen = dict(zip(_names(design), labels, strict=False))
    tokens = _tokens(design)
    found = _replaced(_with_tokens(design), {token: chosen[name] for name, token in tokens.items()})
    expected = _document(design, chosen)
    assert found == expected, _differs(found, expected)


def _prose(item: Any) -> Iterator[Prose]:
    """All words of a report that each format writes in its own way."""
    if isinstance(item, tuple) and item and isinstance(item[0], get_args(Inline)):
        yield item
    elif isinstance(item, tuple):
        yield from chain.from_iterable(map(_prose, item))
    elif dataclasses.is_dataclass(item):
        yield from chain.from_iterable(_prose(getattr(item, field.name)) for field in dataclasses.fields(item))


@pytest.mark.parametrize("design", DESIGNS)
def test_tex_stands_wherever_a_name_does(design):
    """Labels with TeX are written as TeX in all words but those in bold, and change no other word."""
    tokens = _tokens(design)
    labels = {name: reportkit.tex(rf"\\name{{{token}}}", plain=token) for name, token in tokens.items()}
    found, expected = (
        list(_prose((report.sections, report.extras, report.checklist)))
        for report in (_analysis(design).styled(labels=given).report().model for given in (labels, tokens))
    )
    assert list(map(plain, found)) == list(map(plain, expected))
    words = [part.text for content in found for part in content if isinstance(part, Text)]
    assert not [text for text in words for token in tokens.values() if token in text]
    named = {part for content in found for part in content if isinstance(part, Typeset)}
    assert {part.plain for part in named} <= set(tokens.values())
    assert {part.latex.strip("{}") for part in named} <= {label.latex.strip("{}") for label in labels.values()}


def test_a_word_that_is_like_a_label_is_no_name():
    """A label "is" is written as TeX where the system stands, and the word "is" stays a word."""
    styled = _analysis("right or wrong").styled(labels={"new": reportkit.tex(r"\textsc{is}", plain="is")})
    words = styled.report().to_latex()
    assert r"{\textsc{is}} is better than" in words


def test_sizes_of_unpaired_systems_keep_their_numbers():
    """40 and 60 instances stay 40 and 60, whatever the systems are called."""
    analysis = _analysis("unpaired").styled(labels={"new": "brand", "brand new": "new"})
    assert "40 / 60" in analysis.to_markdown()
    assert "40 to 60 instances" in analysis.paragraph()
    counts = _analysis("numbers of right answers").styled(labels={"new": "brand", "brand new": "new"})
    assert "100 / 120" in counts.to_markdown()
