"""A report as JSON and back: exactly, and nothing is taken on trust."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import reportkit
from reportkit.appearance.appearance import Appearance
from reportkit.errors import ReadingError
from reportkit.figures.drawings import DRAWINGS
from reportkit.finding import Finding
from reportkit.report.machine.codec import FaultError
from reportkit.report.machine.serialise import codec, decode_report, encode_report
from reportkit.report.model import Cell, Figure, Number, Paragraph, Report, Row, Section, Signature, Spanner, Table
from reportkit.report.prose import Prose, Strong, Symbol, Text

ROOT = Path(__file__).resolve().parents[3]
SIGNATURE = Signature(version="0.1.0", source="r.csv", digest="3f9c" * 16, fields={"test": "mcnemar"})
TEXT = st.text(st.characters(codec=None), max_size=12)
FINITE = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**12), 10**12)


def _round(report: Report) -> Report:
    return decode_report(json.loads(json.dumps(encode_report(report), allow_nan=False)), report.data)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a type hint of the model."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    primitives = {str: TEXT, bool: st.booleans(), int: st.integers(), float: FINITE, type(None): st.none()}
    if hint in primitives:
        return primitives[hint]
    if origin is typing.Literal:
        return st.sampled_from(arguments)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([values(one) for one in arguments])
    if origin is tuple:
        if arguments[1:] == (...,):
            return st.lists(values(arguments[0]), max_size=3).map(tuple)
        return st.tuples(*(values(one) for one in arguments))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(TEXT, values(arguments[1]), max_size=3)
    if hint is Table:
        return tables()
    if hint is Figure:
        return st.sampled_from(sorted(DRAWINGS)).flatmap(
            lambda kind: st.builds(
                Figure,
                name=TEXT,
                caption=values(Prose),
                alt_text=TEXT,
                kind=st.just(kind),
                content=values(DRAWINGS[kind].content),
            )
        )
    if hint is Appearance:
        return st.sampled_from(
            [
                Appearance(),
                Appearance(venue="acl", decimals=2, caption="above", labels={"a": "b"}),
                Appearance(
                    decimals={"bleu": 1},
                    dataset_groups={"in": ("a", "b")},
                    labels={"a": reportkit.tex("$a$", plain="a")},
                ),
            ]
        )
    hints = typing.get_type_hints(hint)
    return st.builds(hint, **{item.name: values(hints[item.name]) for item in dataclasses.fields(hint)})


@st.composite
def spanners(draw: st.DrawFn, n_columns: int) -> tuple[Spanner, ...]:
    """Headers over columns that do not overlap, in any order."""
    ends = sorted(draw(st.sets(st.integers(0, n_columns), max_size=4))) if n_columns else []
    made = [Spanner(header=draw(values(Prose)), first=first, last=last - 1) for first, last in itertools.pairwise(ends)]
    return tuple(draw(st.permutations(made)))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables whose rows have as many cells as there are columns."""
    hints = typing.get_type_hints(Table)
    parts = {item.name: draw(values(hints[item.name])) for item in dataclasses.fields(Table) if "row" not in item.name}
    cells = st.lists(values(Cell), min_size=len(parts["columns"]), max_size=len(parts["columns"])).map(tuple)
    parts["spanners"] = draw(spanners(len(parts["columns"])))
    rows = st.lists(st.builds(Row, cells=cells, rule_above=st.booleans(), heading=st.booleans()), max_size=3).map(tuple)
    return Table(**parts, rows=draw(rows), header_rows=draw(rows))


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Reports of anything."""
    hints = typing.get_type_hints(Report)
    keys = st.from_regex("[a-z0-9.-]{1,4}(/[a-z0-9.-]{1,4}){0,2}", fullmatch=True)
    parts = {
        item.name: draw(values(hints[item.name]))
        for item in dataclasses.fields(Report)
        if item.name not in ("data", "numbers")
    }
    return Report(**parts, numbers=draw(st.dictionaries(keys, values(Number), max_size=3)))


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(reports())
def test_any_report_comes_back(report: Report) -> None:
    """Equal, and of the same types, through JSON without NaN; written again, it is the same JSON."""
    document = encode_report(report)
    text = json.dumps(document, allow_nan=False)
    back = decode_report(json.loads(text), report.data)
    assert back == report
    assert repr(back) == repr(report)
    assert json.dumps(encode_report(back), allow_nan=False) == text


@settings(max_examples=200, deadline=None)
@given(st.lists(values(typing.get_args(Prose)[0]), max_size=4).map(tuple))
def test_prose_is_never_taken_for_other_prose(content: Any) -> None:
    """Nothing, empty words, words, and words beside a symbol are four things."""
    assert codec(Prose).decode(json.loads(json.dumps(codec(Prose).encode(content)))) == content


def test_prose_is_short() -> None:
    """Plain words are a string; a cell of plain words is a string; a plain row is a list."""
    assert codec(Prose).encode((Text("93.1"),)) == "93.1"
    assert codec(Prose).encode(()) == []
    assert codec(Prose).encode((Text("a "), Symbol("p"))) == ["a ", {"type": "symbol", "name": "p"}]
    assert codec(Cell).encode(Cell(text=(Text("93.1"),))) == "93.1"
    assert codec(Cell).encode(Cell(text=(Text("93.1"),), bold=True)) == {"text": "93.1", "bold": True}
    assert codec(Row).encode(Row(cells=(Cell(), Cell(text=(Strong("x"),))))) == [{}, [{"type": "strong", "text": "x"}]]


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """A document with one of each."""
    frame = ROOT / "examples" / "sentiment" / "results.csv.gz"
    report = reportkit.compare(frame, "vader", "textblob", dependence="independent").report().model
    assert _round(report) == report
    return typing.cast("dict[str, Any]", json.loads(json.dumps(encode_report(report))))


def test_reports_of_printed_results_come_back() -> None:
    """Tables 2 to 5 of Dror et al. (2017), with the paper's claims."""
    for name in ("parsing", "pos", "sentiment", "word-similarity"):
        analysis = reportkit.compare(ROOT / "examples" / "dror2017" / f"{name}.csv")
        report = analysis.report().model
        assert _round(report) == report, name


def test_all_pairs_come_back_and_are_small() -> None:
    """The report costs no more than twice what its content for machines does; a number, its key and its meaning."""
    report = reportkit.compare(ROOT / "examples" / "sentiment" / "results.csv.gz").report().model
    assert _round(report) == report
    document = encode_report(report)
    numbers = document.pop("numbers")
    assert len(json.dumps(document, ensure_ascii=False)) < 2 * len(json.dumps(report.data, ensure_ascii=False))
    assert len(json.dumps(numbers, ensure_ascii=False)) < 250 * len(report.numbers)
    assert "findings" not in document


def test_findings_stand_once() -> None:
    """They are in the content for machines; where they are not, they are in the document."""
    finding = Finding("few", "warning", "n = 12.")
    here = Report(title="t", sections=(), signature=SIGNATURE, findings=(finding,))
    assert encode_report(here)["findings"] == [{"code": "few", "severity": "warning", "message": "n = 12."}]
    there = dataclasses.replace(here, data={"findings": [dataclasses.asdict(finding)]})
    assert "findings" not in encode_report(there)
    for report in (here, there, dataclasses.replace(there, findings=()), dataclasses.replace(here, findings=())):
        assert _round(report) == report


def _change(document: dict[str, Any], path: list[str | int], value: Any) -> dict[str, Any]:
    changed = json.loads(json.dumps(document))
    place = changed
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return typing.cast("dict[str, Any]", changed)


BLOCK: list[str | int] = ["sections", 0, "blocks"]


@pytest.mark.parametrize(
    ("path", "value", "said", "where"),
    [
        (["version"], 2, "has version 2; this reportkit reads version 1", ".version"),
        (["version"], True, "has version True", ".version"),
        (["version"], None, "has version None", ".version"),
        (["titel"], "x", "there is no field 'titel' in report", ""),
        (["title"], None, "report lacks 'title'", ""),
        (["title"], 3, "3 stands where a string must be", ".title"),
        (["sections"], {}, "an object stands where a list must be", ".sections"),
        (["sections", 0], "x", '"x" stands where an object must be', ".sections[0]"),
        ([*BLOCK, 0, "type"], "paragraf", "there is no type 'paragraf' here", ".sections[0].blocks[0]"),
        ([*BLOCK, 0, "type"], None, "there is no type None here", ".sections[0].blocks[0]"),
        ([*BLOCK, 0, "type"], ["table"], "there is no type ['table'] here", ".sections[0].blocks[0]"),
        (
            [*BLOCK, 0, "content", 0],
            {"type": "symbol", "name": "q"},
            '"q" is not known here',
            ".blocks[0].content[0].name",
        ),
        ([*BLOCK, 0, "content", 0], 1.5, "1.5 is not known here", ".sections[0].blocks[0].content[0]"),
        ([*BLOCK, 2, "rows", 0], [], "has 0 cells for", ".sections[0].blocks[2]"),
        (
            [*BLOCK, 2, "rows", 0, 1],
            {"text": "1", "bold": 1},
            "1 stands where true or false",
            ".blocks[2].rows[0][1].bold",
        ),
        ([*BLOCK, 2, "rows", 0, 1], {"txt": "1"}, "there is no field 'txt' in cell", ".blocks[2].rows[0][1]"),
        ([*BLOCK, 2, "columns", 0], {"header": "x", "align": "middle"}, '"middle" is not known', ".columns[0].align"),
        ([*BLOCK, 3, "kind"], "forrest", "there is no kind of figure 'forrest'", ".sections[0].blocks[3]"),
        ([*BLOCK, 3, "content"], None, "null stands where an object must be", ".sections[0].blocks[3].content"),
        ([*BLOCK, 3, "content", "alpha"], 10**400, "stands where a finite number", ".blocks[3].content.alpha"),
        ([*BLOCK, 3, "content", "alpha"], "NaN", '"NaN" stands where a finite number', ".blocks[3].content.alpha"),
        ([*BLOCK, 3, "content", "rows", 0, "difference"], True, "true stands where a finite", ".rows[0].difference"),
        (["appearance"], {"venue": "alc"}, "there is no venue 'alc'", ".appearance"),
        (["appearance"], {"marks": "wavy"}, '"wavy" is not known here', ".appearance.marks"),
        (["numbers"], {"a}\\input{x}": "1"}, "is no key of a number", ".numbers"),
        (["numbers"], {"a\nb": "1"}, "is no key of a number", ".numbers"),
        (["numbers"], {"main/n": {"content": 1}}, "1 stands where a list must be", ".numbers['main/n'].content"),
        (
            [*BLOCK, 2, "spanners"],
            [{"header": "x", "first": 3, "last": 1}],
            "a header over columns 3 to 1",
            ".sections[0].blocks[2]",
        ),
        ([*BLOCK, 2, "spanners"], [{"header": "x", "first": 0, "last": 9}], "columns 0 to 9", ".blocks[2]"),
        (["signature", "fields", "test"], 1, "1 stands where a string must be", ".signature.fields['test']"),
        (
            ["findings"],
            [{"code": "x", "severity": "fatal", "message": ""}],
            '"fatal" is not known',
            ".findings[0].severity",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    written: dict[str, Any], path: list[str | int], value: Any, said: str, where: str
) -> None:
    """Unknown kinds, fields and versions, missing fields, other types."""
    with pytest.raises(ReadingError) as caught:
        decode_report(_change(written, path, value), {})
    assert said in caught.value.problem
    assert str(caught.value.where or "document").endswith(where or "document")


def test_the_nearest_name_is_said(written: dict[str, Any]) -> None:
    """As everywhere."""
    with pytest.raises(ReadingError, match="did you mean 'paragraph'"):
        decode_report(_change(written, [*BLOCK, 0, "type"], "paragraf"), {})


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_document_is_read_or_refused(written: dict[str, Any], data: st.DataObject) -> None:
    """Whatever is put where: an error of reportkit, never another one; what is read is written again."""
    document = json.loads(json.dumps(written))
    place: Any = document
    while True:
        step = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else list(range(len(place)))))
        inner = place[step]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.integers(0, 3)) == 0:
            break
        place = inner
    junk = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
    place[step] = data.draw(st.recursive(junk, lambda one: st.lists(one) | st.dictionaries(TEXT, one), max_leaves=4))
    report = _read(document)
    if isinstance(report, ReadingError):
        assert str(report.where or report.problem).startswith("document")
    else:
        assert decode_report(encode_report(report), {}) == report


def _read(document: dict[str, Any]) -> Report | ReadingError:
    try:
        return decode_report(document, {})
    except ReadingError as error:
        return error


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_not_written_or_read(value: float) -> None:
    """JSON has no NaN, and no figure needs one."""
    with pytest.raises(TypeError, match="not a finite number"):
        codec(float).encode(value)
    with pytest.raises(FaultError):
        codec(float).decode(value)


def test_a_part_of_another_type_is_a_mistake_of_the_programmer() -> None:
    """It does not reach a file."""
    report = Report(title="t", sections=(Section(title="s", blocks=(Paragraph(content="x"),)),), signature=SIGNATURE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is not a tuple"):
        encode_report(report)
    with pytest.raises(TypeError, match="no encoding for"):
        codec(set[str])
