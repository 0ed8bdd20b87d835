"""One content, every format: each field of the model shows in each, or is listed here with the reason why not."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
import io
import typing
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from reportkit.appearance.appearance import Appearance
from reportkit.finding import Finding
from reportkit.rendering.files.write import rendered
from reportkit.report import model
from reportkit.report.model import (
    Block,
    Cell,
    Column,
    Figure,
    Itemize,
    Number,
    Paragraph,
    Report,
    Row,
    Section,
    Signature,
    Spanner,
    Table,
)
from reportkit.report.prose import (
    Cite,
    Code,
    Emphasis,
    Inline,
    Prose,
    Raised,
    Reference,
    Strong,
    Symbol,
    Text,
    Typeset,
    prose,
)
from tests.rendering.conftest import line_figure, words

FORMATS = ("latex", "github", "pandoc", "html", "typst", "word", "json", "csv")
DOT = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
"""An image of one pixel."""

DOCUMENTS = ("latex", "github", "pandoc", "html", "typst")
"""JSON and CSV hold tables; the rest of a report for programs is `report.json`."""

EVERY_INLINE: Prose = (
    Text("text_1 "),
    Symbol("k_hat"),
    Text(" "),
    Strong("strong_1"),
    Text(" "),
    Emphasis("emphasis_1"),
    Text(" "),
    Code("code_1"),
    Text(" "),
    Cite(("holm1979simple",)),
    Text(" "),
    Reference("table", "results"),
    Text(" "),
    Typeset("$t_1$", "t1"),
    Raised("‡"),
)


def _table(name: str) -> Table:
    rows = (
        Row(cells=(Cell(text=words("group_1")), *(Cell() for _ in range(3))), heading=True),
        Row(cells=(Cell(text=words("R&D")), Cell(text=words("54.6"), mark="*", bold=True), Cell(), Cell())),
        Row(
            cells=(
                Cell(text=EVERY_INLINE),
                Cell(text=words("47.3"), underline=True),
                Cell(text=words("−1,024")),
                Cell(text=words("<.001")),
            ),
            rule_above=True,
        ),
    )
    return Table(
        name=name,
        caption=prose("Caption of {name}.", name=name),
        legend=words("Legend 1."),
        columns=(Column(header=words(f"System {name}"), align="left"), *(Column(header=words(head)) for head in "ABC")),
        spanners=(Spanner(header=words("Over"), first=1, last=2),),
        header_rows=(Row(cells=(Cell(text=prose("{n}")), *(Cell(text=words("871")) for _ in range(3)))),),
        rows=rows,
    )


def report(markdown: str = "github") -> Report:
    """A report with every kind of block, and every kind of prose in running text and in a table."""
    blocks: tuple[Block, ...] = (
        Paragraph(content=EVERY_INLINE, name="paragraph"),
        _table("results"),
        _table("other"),
        line_figure("other"),
        line_figure("results"),
        Itemize(items=(EVERY_INLINE, words("second"))),
    )
    return Report(
        title="Title_1",
        sections=(Section(title="Section_1", blocks=blocks), Section(title="Section 2", blocks=())),
        signature=Signature(version="0.1", source="results.csv", digest="3f9c" * 16, fields={"test": "mcnemar"}),
        appearance=Appearance(markdown=markdown),  # type: ignore[arg-type]
    )


def more(text: Prose) -> Prose:
    """Prose with another word."""
    return (*text, Text(" sentinel_9"))


def flipped(value: bool) -> bool:
    """The other truth value."""
    return not value


def word(text: str) -> str:
    """A text with another word."""
    return f"{text} sentinel_9"


def backwards(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The other way round."""
    return tuple(reversed(items))


_ALIGN = {"left": "right", "right": "center", "center": "left"}
CHANGES: dict[tuple[type, str], Callable[[Any], Any]] = {
    (Text, "text"): word,
    (Symbol, "name"): lambda name: "alpha" if name == "k_hat" else "k_hat",
    (Strong, "text"): word,
    (Emphasis, "text"): word,
    (Code, "text"): word,
    (Cite, "keys"): lambda keys: (*keys, "fisher1935design"),
    (Reference, "kind"): lambda kind: "figure",
    (Reference, "name"): lambda name: "other",
    (Typeset, "latex"): lambda latex: r"$t_9$",
    (Typeset, "plain"): word,
    (Raised, "signs"): lambda signs: signs + "§",
    (Cell, "text"): more,
    (Cell, "mark"): lambda mark: mark + "†",
    (Cell, "bold"): flipped,
    (Cell, "underline"): flipped,
    (Column, "header"): more,
    (Column, "align"): _ALIGN.__getitem__,
    (Column, "apart"): flipped,
    (Column, "of_header"): flipped,
    (Spanner, "header"): more,
    (Spanner, "first"): lambda first: first + 1,
    (Spanner, "last"): lambda last: last + 1,
    (Row, "cells"): backwards,
    (Row, "rule_above"): flipped,
    (Row, "heading"): flipped,
    (Table, "name"): {"results": "other", "other": "results"}.__getitem__,
    (Table, "caption"): more,
    (Table, "columns"): backwards,
    (Table, "rows"): backwards,
    (Table, "spanners"): lambda spanners: (),
    (Table, "header_rows"): lambda rows: (),
    (Table, "legend"): more,
    (Table, "turned_head"): more,
    (Table, "may_turn"): lambda may_turn: may_turn,
    (Figure, "name"): lambda name: f"{name}-9",
    (Figure, "caption"): more,
    (Figure, "alt_text"): word,
    (Figure, "content"): lambda content: dataclasses.replace(content, system_a="sentinel_9", n_datasets=3),
    (Figure, "venue"): lambda venue: "ieee",
    (Figure, "widths"): lambda widths: (300.0, 620.0),
    (Figure, "kind"): lambda kind: kind,
    (Paragraph, "content"): more,
    (Paragraph, "name"): lambda name: f"{name}-9",
    (Itemize, "items"): backwards,
    (Section, "title"): word,
    (Section, "blocks"): backwards,
    (Signature, "version"): word,
    (Signature, "source"): word,
    (Signature, "digest"): lambda digest: "9" * 64,
    (Signature, "fields"): lambda fields: {**fields, "x": "9"},
    (Number, "content"): more,
    (Number, "meaning"): word,
    (Report, "title"): word,
    (Report, "sections"): backwards,
    (Report, "signature"): lambda signature: dataclasses.replace(signature, version="9"),
    (Report, "findings"): lambda findings: (Finding("x", "warning", "sentinel_9"),),
    (Report, "data"): lambda data: {"x": 9},
    (Report, "summary"): lambda summary: ("sentinel_9",),
    (Report, "appearance"): lambda appearance: appearance.replace(venue="acl"),
    (Report, "numbers"): lambda numbers: {"main/x": Number(content=words("9"))},
    (Report, "extras"): lambda extras: (Paragraph(content=words("sentinel_9"), name="extra"),),
    (Report, "checklist"): lambda checklist: (Section(title="sentinel_9", blocks=()),),
}
"""What is changed, field by field, in every instance that the report has."""

_TABLES_ONLY = dict.fromkeys(("json", "csv"), "holds tables only; the rest is in report.json")
_VALUES_ONLY = {"csv": "holds values, not how they are set off"}
_TURNING = ((Column, "apart"), (Column, "of_header"), (Table, "turned_head"), (Table, "may_turn"))
_NOWHERE = dict.fromkeys(FORMATS, "")
EXCEPTIONS: dict[tuple[type, str], dict[str, str]] = {
    (Typeset, "latex"): {
        name: "what a user wrote in TeX is for TeX, also where a page has it to be copied; plain is for all"
        for name in FORMATS[1:]
        if name != "html"
    },
    (Cell, "bold"): _VALUES_ONLY,
    (Cell, "underline"): _VALUES_ONLY,
    (Column, "align"): _VALUES_ONLY,
    **{field: dict.fromkeys(FORMATS, "is for a table that is turned") for field in _TURNING},
    (Row, "rule_above"): _VALUES_ONLY,
    (Row, "heading"): {
        "csv": "the first cell says it, the others are empty",
        "github": "Markdown has no cells over several columns: the first cell says it, the others are empty",
        "pandoc": "Markdown has no cells over several columns: the first cell says it, the others are empty",
    },
    (Table, "caption"): _VALUES_ONLY,
    (Table, "legend"): _VALUES_ONLY,
    **{(Signature, field.name): {"csv": "has no comments"} for field in dataclasses.fields(Signature)},
    (Report, "signature"): {"csv": "has no comments"},
    **{(Figure, field.name): _TABLES_ONLY for field in dataclasses.fields(Figure)},
    (Figure, "kind"): _NOWHERE | dict.fromkeys(FORMATS, "goes with the content; the figures' own tests draw each kind"),
    **{
        (kind, field.name): _TABLES_ONLY for kind in (Paragraph, Itemize, Section) for field in dataclasses.fields(kind)
    },
    (Paragraph, "name"): {
        **_TABLES_ONLY,
        "html": "the page is one file, in which a paragraph needs no name",
        "word": "the document is one file, in which a paragraph needs no name",
    },
    (Section, "blocks"): {"csv": "says nothing of its place in the report"},
    (Report, "title"): _TABLES_ONLY,
    (Report, "sections"): _TABLES_ONLY,
    (Report, "findings"): dict.fromkeys(FORMATS, "a section says them; these are for report.json, terminal, exit code"),
    (Report, "data"): dict.fromkeys(FORMATS, "is report.json"),
    (Report, "summary"): dict.fromkeys(FORMATS, "is said in the terminal; the paragraph says it in full"),
    (Report, "numbers"): {},
    (Report, "extras"): {**_TABLES_ONLY, **dict.fromkeys(("html", "word"), "files to be read into a paper")},
    (Report, "checklist"): {},
    (Report, "appearance"): {},
    (Number, "content"): {},
    (Number, "meaning"): {},
}
"""Where a field does not show, and why; what is listed must indeed not show."""

ELSEWHERE = {
    (Report, "numbers"): "files of their own, with tests of their own",
    (Number, "content"): "as Report.numbers",
    (Number, "meaning"): "as Report.numbers",
    (Report, "checklist"): "a file of its own, with tests of its own",
    (Report, "appearance"): "how it is set, not what it says; each format has its own tests",
}


def changed(value: Any, kind: type, name: str) -> Any:
    """The same with one field of every instance of a class changed."""
    if isinstance(value, tuple):
        return tuple(changed(item, kind, name) for item in value)
    if not dataclasses.is_dataclass(value) or isinstance(value, (type, Appearance, Finding)):
        return value
    if isinstance(value, Figure):
        inner = {"caption": changed(value.caption, kind, name)}
    elif isinstance(value, Signature):
        inner = {}
    else:
        inner = {item.name: changed(getattr(value, item.name), kind, name) for item in dataclasses.fields(value)}
    if isinstance(value, kind):
        inner[name] = CHANGES[kind, name](getattr(value, name))
    if isinstance(value, Cell) and kind is not Cell and value == Cell():
        return value
    return dataclasses.replace(value, **inner)


def _files(content: Report) -> dict[str, dict[str, bytes]]:
    """All files of a report, by format."""
    github = rendered(dataclasses.replace(content, appearance=content.appearance.replace(formats=("typst", "docx"))))
    pandoc = rendered(dataclasses.replace(content, appearance=content.appearance.replace(markdown="pandoc")))
    with zipfile.ZipFile(io.BytesIO(github["report.docx"])) as packed:
        word = {name: packed.read(name) for name in packed.namelist()}

    def of(files: dict[str, bytes], *endings: str, folder: str = "") -> dict[str, bytes]:
        return {name: text for name, text in files.items() if name.endswith(endings) and name.startswith(folder)}

    return {
        "latex": of(github, ".tex", ".pdf"),
        "github": of(github, ".md", ".png"),
        "pandoc": of(pandoc, ".md", ".png"),
        "html": of(github, ".html"),
        "typst": of(github, ".typ", ".png"),
        "word": word,
        "json": of(github, ".json", folder="more/tables/"),
        "csv": of(github, ".csv"),
    }


@functools.cache
def _before(drawn: bool = True) -> dict[str, dict[str, bytes]]:
    return _files(report())


def _draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures take most of the time, and say nothing of what is not their own."""
    monkeypatch.setattr(Figure, "draw", lambda figure: figure)
    drawn = {"svg": b'<svg viewBox="0 0 1 1"/>', "png": DOT, "pdf": b""}
    monkeypatch.setattr("reportkit.figures.drawing.save.figure_bytes", lambda _, kind, **__: drawn[kind])
    monkeypatch.setattr("reportkit.figures.drawing.save.page_of", lambda _: None)
    monkeypatch.setattr("reportkit.figures.drawing.save.as_drawn", contextlib.nullcontext)


def _models() -> list[type]:
    """All dataclasses of the model and of prose."""
    found = [item for item in vars(model).values() if isinstance(item, type) and dataclasses.is_dataclass(item)]
    own = [item for item in found if item.__module__ == model.__name__]
    return [*own, *typing.get_args(Inline)]


def test_every_field_of_the_model_is_here() -> None:
    """A new field has to show in every format, or to be listed with the reason why it does not."""
    fields = {(kind, item.name) for kind in _models() for item in dataclasses.fields(kind)}
    assert set(CHANGES) == fields
    assert set(EXCEPTIONS) <= fields
    assert all(reason for reasons in EXCEPTIONS.values() for reason in reasons.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "name"),
    [case for case in CHANGES if case not in ELSEWHERE],
    ids=lambda item: getattr(item, "__name__", item),
)
def test_a_change_of_a_field_shows_in_every_format(kind: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is changed in the model is changed in each format, but where the list says otherwise."""
    if kind is not Figure:
        _draw_nothing(monkeypatch)
    before, after = _before(kind is Figure), _files(changed(report(), kind, name))
    exceptions = EXCEPTIONS.get((kind, name), {})
    assert {form for form in FORMATS if after[form] == before[form]} == set(exceptions)


FEATURES: dict[str, dict[str, str]] = {
    "bold": {"latex": r"\textbf{54.6}", "github": "**54.6**", "pandoc": "**54.6**", "html": "<strong>54.6</strong>"},
    "underline": {
        "latex": r"\underline{47.3}",
        "github": "<u>47.3</u>",
        "pandoc": "[47.3]{.underline}",
        "html": "<u>47.3</u>",
    },
    "mark": {"latex": "$^{*}$", "github": r"**54.6**\*", "pandoc": r"**54.6**^\*^", "html": ">*</sup>", "csv": ",*,"},
    "spanner": {
        "latex": r"\cmidrule",
        "github": "Over: A",
        "pandoc": "Over: A",
        "html": 'colspan="2" scope="colgroup"',
        "csv": "Over A",
    },
    "further row of the header": {
        "latex": "$n$",
        "github": "| *n*",
        "pandoc": "| $n$",
        "html": "<i>n</i>",
        "csv": "n,871",
    },
    "legend": dict.fromkeys(DOCUMENTS, "Legend 1."),
    "heading of rows": {
        "latex": r"\multicolumn",
        "github": "| group_1",
        "pandoc": "| group_1",
        "html": 'scope="rowgroup"',
        "csv": "group_1,",
    },
    "number": {
        "latex": "$-$1,024",
        "github": "−1,024",
        "pandoc": "−1,024",
        "html": 'data-value="-1024.0"',
        "csv": "-1024",
    },
    "citation": {
        "latex": r"\cite{holm1979simple}",
        "github": "(Holm, 1979)",
        "pandoc": "[@holm1979simple]",
        "html": '<a href="#ref-holm1979simple">Holm, 1979</a>',
    },
    "bibliography": {
        "latex": r"\bibliography{references}",
        "github": "Sture Holm (1979)",
        "pandoc": "bibliography: ../references.bib",
        "html": '<li id="ref-holm1979simple">Sture Holm (1979)',
    },
    "reference": {
        "latex": r"Table~\ref{tab:results}",
        "github": "Table 1",
        "pandoc": "[Table 1](#tbl-results)",
        "html": '<a href="#tab:results">Table 1</a>',
    },
    "what it refers to": {
        "latex": r"\label{tab:results}",
        "github": "**Table 1.** Caption",
        "pandoc": "{#tbl-results}",
        "html": '<figure id="tab:results"',
    },
    "symbol": {"latex": r"$\hat{k}$", "github": "k̂", "pandoc": r"$\hat{k}$", "html": "k̂", "csv": "k_hat"},
    "code": {"latex": r"\texttt{code\_1}", "github": "`code_1`", "pandoc": "`code_1`", "html": "<code>code_1</code>"},
    "emphasis": {
        "latex": r"\emph{emphasis\_1}",
        "github": "*emphasis_1*",
        "pandoc": "*emphasis_1*",
        "html": "<em>emphasis_1</em>",
    },
    "alternative text": {
        "latex": r"\Description{From 0\% to 1 [up] \& on.}",
        "github": r"![From 0% to 1 \[up\] & on.]",
        "pandoc": r'fig-alt="From 0% to 1 \[up\] & on."',
        "html": "From 0% to 1 [up] &amp; on.</desc>",
    },
    "points": {"latex": r"\item second", "github": "\n- second", "pandoc": "\n- second", "html": "<li>second</li>"},
    "signature": {
        "latex": "test:mcnemar",
        "github": "test:mcnemar",
        "pandoc": "test:mcnemar",
        "html": "test:mcnemar",
        "json": "test:mcnemar",
    },
}


@pytest.mark.parametrize("feature", FEATURES)
def test_each_format_says_it_in_its_own_way(feature: str) -> None:
    """The notation of each feature, side by side."""
    for form, notation in FEATURES[feature].items():
        files = _before()[form]
        assert any(notation in text.decode("utf-8", "replace") for text in files.values()), form
