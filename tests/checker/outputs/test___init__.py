"""Whatever a paper holds or is called: no output acts on a terminal, on a reader's direction, or on a runner."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.checker.engine import check
from reportkit.checker.outputs import FORMATS
from reportkit.cli.main import main
from tests.checker.mistakes import check_text

ACTING = [
    sign
    for sign in map(chr, (*range(0x3000), 0xD800, 0xDFFF))  # there are none above
    if unicodedata.category(sign) in ("Cc", "Zl", "Zp")
    or unicodedata.bidirectional(sign) in ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
    or sign in "\u061c\u200e\u200f\ud800\udfff"
]
COMMANDS = ["::error::pwn", " ::add-mask::x", "\u00a0::stop-commands::x", "##[error]pwn", "##vso[task.setvariable]x"]
PIECES = st.one_of(
    st.sampled_from([*ACTING, *COMMANDS]),
    st.sampled_from(["\n", "It is significantly better. ", "$p = .000$ ", "\\input{", "}", "\\cite{", "| a | 1.5 |\n"]),
    st.text(max_size=8),
)


def assert_harmless(text: str, what: str, own: tuple[str, ...] = ()) -> None:
    """Printable characters, spaces and line feeds; no commands but our own at the beginning of a line."""
    found = sorted({sign for sign in text if sign in ACTING_SET and sign not in "\n\t"})
    assert found == [], f"{what}: {found}"
    assert re.search(r"##\w*\[", text) is None, what
    for line in text.split("\n"):
        assert not line.strip().startswith("::") or line.startswith(own), f"{what}: {line!r}"


ACTING_SET = frozenset(ACTING)


def everything(report):
    """Each output by name."""
    yield from ((name, FORMATS[name](report)) for name in FORMATS)


def assert_all_harmless(report) -> None:
    """In every format; data in JSON come back as they are."""
    for name, text in everything(report):
        assert_harmless(text, name, ("::error ", "::warning ", "::notice ") if name == "github" else ())
        if name in ("json", "sarif"):
            json.loads(text)


@pytest.mark.parametrize("language", ["latex", "markdown"])
@pytest.mark.parametrize("start", range(0, len(ACTING), 60))
def test_no_character_of_a_paper_acts_on_a_terminal(start, language):
    """Every control, direction sign and separator, next to findings, in headings of tables and in quoted values."""
    for signs in ("".join(ACTING[start : start + 60]), *ACTING[start : start + 60 : 20]):
        body = f"{signs}\n\n{signs}It is significantly better{signs}, $p = .000${signs}\n {signs}::error::x\nOne.\n"
        table = f"| {signs} | b{signs} |\n|---|---|\n| x{signs} | 93.1{signs} |\n"
        cite = f"\\ref{{{signs}}}\\input{{{signs}}} % reportkit: ignore {signs}\n"
        assert_all_harmless(check_text(body + (table if language == "markdown" else cite), language=language))


@pytest.mark.slow
@given(st.lists(PIECES, max_size=14).map("".join), st.sampled_from(["latex", "markdown"]))
def test_no_text_acts_on_a_terminal_or_a_runner(text, language):
    """Mixtures of signs, commands and what rules look for."""
    assert_all_harmless(check_text(text, language=language))


NAMES = ["a\n::error::pwn", "a\x1b]0;t\x07", "a\u202eb", "a\u061cb", "##[error]x", "a\r::error::x", "a\u0085::error::x"]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_file_acts_on_a_terminal_or_a_runner(name, tmp_path, monkeypatch, capsys):
    """In findings, where the file is absent, and in the messages of the command."""
    monkeypatch.chdir(tmp_path)
    Path(f"{name}.tex").write_text("Here $p = .000$.\n")
    assert_all_harmless(check(f"{name}.tex"))
    assert_all_harmless(check(f"{name} absent.tex"))
    for options in (
        [],
        ["--output-format", "json"],
        ["--config", name],
        ["--" + name],
    ):
        with pytest.raises(SystemExit):
            main(["check", f"{name}.tex", *options])
        assert_harmless("".join(capsys.readouterr()), f"{name!r} {options}")


def test_data_in_json_come_back(tmp_path):
    """The file and the replacement are what they are, and the text is shown with codes."""
    name = "a\u202e\x9b ##[error].tex"
    (tmp_path / name).write_text("Here \u202e $p = .000$.\n")
    report = check(tmp_path / name, select=["RK117"])
    report = replace(report, diagnostics=(replace(report.diagnostics[0], column=1),))
    (finding,) = json.loads(FORMATS["json"](report))["findings"]
    assert finding["location"]["file"] == (tmp_path / name).as_posix()
    (result,) = json.loads(FORMATS["sarif"](report))["runs"][0]["results"]
    snippet = result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"]
    assert snippet == "Here \\u202e $p = .000"


def test_the_place_is_underlined_where_it_is_shown():
    """Codes and wide characters before it move the line below it too."""
    text = FORMATS["full"](check_text("中\x1b\u202e: it is significantly better.\n"))
    source, marks = text.splitlines()[3:5]
    assert source == "1 | 中\\x1b\\u202e: it is significantly better."
    assert marks == "  | " + " " * len("xx\\x1b\\u202e: it is ") + "^" * len("significantly")
