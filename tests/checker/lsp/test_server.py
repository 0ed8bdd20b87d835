"""The language server as an editor meets it: another process, the protocol on its standard input and output."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.request import url2pathname

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from reportkit.checker.catalogue import RULES
from reportkit.checker.lsp.positions import Positions

LONGEST = 30
MAIN = "\\documentclass{article}\n\\begin{document}\n\\input{part}\nIt is 𝒳 here ($p = .000$).\n\\end{document}\n"
PART = "% a part\nNaïve 𝒳𝒴: $p = 0.00$, and more.\n"


class Editor:
    """A client with documents, their texts, and what it was told of them last."""

    def __init__(self, client, folder):
        self.client, self.folder = client, folder
        self.told = {}
        self.n_told = 0
        self._news = asyncio.Event()

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params):
            self.told[params.uri] = params
            self.n_told += 1
            self._news.set()

    def uri(self, name):
        """What the protocol calls a file."""
        return (self.folder / name).resolve().as_uri()

    def open(self, name, text=None, language="latex"):
        """Open a document, as it is on the disk unless another text is given."""
        text = (self.folder / name).read_text("utf-8") if text is None else text
        item = lsp.TextDocumentItem(self.uri(name), language, 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change(self, name, text, version):
        """Send a whole text, as the server asked for."""
        document = lsp.VersionedTextDocumentIdentifier(version=version, uri=self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def until(self, name, condition):
        """Wait for news of a document that fulfil a condition, and return them."""
        async with asyncio.timeout(LONGEST):
            while self.uri(name) not in self.told or not condition(self.told[self.uri(name)]):
                self._news.clear()
                await self._news.wait()
        return self.told[self.uri(name)]

    async def actions(self, name, place, only=None):
        """What is offered at a place."""
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(self.uri(name)), place, lsp.CodeActionContext([], only=only)
        )
        return await self.client.text_document_code_action_async(params)


@asynccontextmanager
async def editor(folder, encodings=None):
    """An editor with a server in a process of its own, which ends with code 0."""
    client = LanguageClient("editor", "1")
    one = Editor(client, folder)
    await client.start_io(sys.executable, "-m", "reportkit", "lsp")
    general = None if encodings is None else lsp.GeneralClientCapabilities(position_encodings=encodings)
    capabilities = lsp.ClientCapabilities(general=general)
    started = await client.initialize_async(lsp.InitializeParams(capabilities, root_uri=folder.as_uri()))
    client.initialized(lsp.InitializedParams())
    one.capabilities = started.capabilities
    yield one
    await client.shutdown_async(None)
    client.exit(None)
    assert await asyncio.wait_for(client._server.wait(), LONGEST) == 0
    await client.stop()


def marked(text, place):
    """What stands in a range, by units of UTF-16."""
    positions = Positions(text)
    return text[positions.offset(place.start) : positions.offset(place.end)]


def applied(text, action, uri, encoding="utf-16"):
    """A text after the edits of an action."""
    positions = Positions(text, encoding)
    for edit in sorted(action.edit.changes[uri], key=lambda item: (item.range.start.line, item.range.start.character),
                       reverse=True):  # fmt: skip
        start, end = positions.offset(edit.range.start), positions.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


def written(folder, **files):
    """Write LaTeX files."""
    for name, text in files.items():
        (folder / f"{name}.tex").write_text(text, "utf-8")


def codes(params):
    """Codes of what was told."""
    return [item.code for item in params.diagnostics]


@pytest.mark.slow
def test_a_paper_is_underlined_with_what_it_inputs_as_it_is_typed(tmp_path):
    """Opened, changed without being saved, mended by the action that is offered, closed."""
    written(tmp_path, main=MAIN, part=PART)

    async def session():
        async with editor(tmp_path) as one:
            one.open("part.tex")
            part = await one.until("part.tex", lambda told: told.diagnostics)
            (finding,) = part.diagnostics
            assert (finding.code, finding.severity, finding.source) == (
                "RK117", lsp.DiagnosticSeverity.Warning, "reportkit",
            )  # fmt: skip
            assert marked(PART, finding.range) == "= 0.00"
            assert finding.range.start.character == PART.splitlines()[1].index("= 0") + 2, "𝒳 and 𝒴 are two units each"
            page = Path(url2pathname(finding.code_description.href.removeprefix("file://"))).read_text("utf-8")
            assert RULES["RK117"].summary in page[:300]
            main = await one.until("main.tex", lambda told: told.diagnostics)
            assert marked(MAIN, main.diagnostics[0].range) == "= .000"

            hover = await one.client.text_document_hover_async(
                lsp.HoverParams(lsp.TextDocumentIdentifier(one.uri("part.tex")), finding.range.start)
            )
            assert hover.contents.value.startswith("# RK117 p-value-impossible")

            offered = await one.actions("part.tex", finding.range)
            assert [action.title for action in offered] == [
                "RK117: replace '= 0.00' with '< 0.01'",
                "RK117: ignore it here (a comment; add the reason)",
                "reportkit: make all safe edits",
            ]  # fmt: skip
            mend, leave_out, mend_all = (applied(PART, action, one.uri("part.tex")) for action in offered)
            assert mend == mend_all == PART.replace("p = 0.00", "p < 0.01")
            assert await one.actions("part.tex", lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))) == offered[2:]
            assert await one.actions("part.tex", finding.range, [lsp.CodeActionKind.SourceFixAll]) == offered[2:]

            one.change("part.tex", leave_out, 2)
            told = await one.until("part.tex", lambda told: told.version == 2)
            assert codes(told) == ["RK003"], "the reason is asked for"
            assert marked(leave_out, told.diagnostics[0].range) == "% reportkit: ignore RK117"
            before = one.n_told
            for version, text in ((3, PART), (4, mend)):  # faster than the delay: checked once
                one.change("part.tex", text, version)
            assert codes(await one.until("part.tex", lambda told: told.version == 4)) == []
            assert one.n_told <= before + 2
            assert (tmp_path / "part.tex").read_text("utf-8") == PART, "the editor writes, not the server"

            document = lsp.TextDocumentIdentifier(one.uri("part.tex"))
            one.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
            await one.until("main.tex", lambda told: not told.diagnostics)

    asyncio.run(session())


@pytest.mark.slow
def test_markdown_data_and_a_mistake_in_the_configuration(tmp_path):
    """Settings beside the paper count, and positions are in the units that the client prefers."""
    rows = "\n".join(f"{system},sst2,{i},{int(i < right)}" for system, right in (("ours", 80), ("base", 70))
                     for i in range(100))  # fmt: skip
    (tmp_path / "results.csv").write_text(f"system,dataset,instance,score\n{rows}\n")
    (tmp_path / "reportkit.toml").write_text(
        '[check]\ndata = "results.csv"\nselect = ["RK101"]\n[check.labels]\n"Système 𝒳" = "ours"\n', "utf-8"
    )
    text = "# Paper\n\nTable: Accuracy (%).\n\n| | sst2 |\n|---|---|\n| Système 𝒳 | 81.0 |\n| base | 70.0 |\n"

    async def session():
        async with editor(tmp_path, [lsp.PositionEncodingKind.Utf8, lsp.PositionEncodingKind.Utf16]) as one:
            assert one.capabilities.position_encoding == lsp.PositionEncodingKind.Utf8
            one.open("paper.md", text, "markdown")
            told = await one.until("paper.md", lambda told: told.diagnostics)
            assert codes(told) == ["RK101"]
            offered = await one.actions("paper.md", told.diagnostics[0].range)
            assert [action.title for action in offered] == [
                "RK101, if it is right: replace '81.0' with '80.0'",
                "RK101: ignore it here (a comment; add the reason)",
            ]  # fmt: skip
            left_out = applied(text, offered[1], one.uri("paper.md"), "utf-8")
            assert "| 81.0 <!-- reportkit: ignore RK101 --> |" in left_out
            (tmp_path / "reportkit.toml").write_text('[check]\nselekt = ["RK101"]\n')
            one.change("paper.md", text, 2)
            told = await one.until("paper.md", lambda told: "selekt" in str(told.diagnostics))
            assert "select" in told.diagnostics[0].message

    asyncio.run(session())


def test_without_the_extra_the_command_says_what_to_install(tmp_path, monkeypatch, capsys):
    """Exit code 2, and the line to type."""
    from reportkit.cli.main import main

    for name in [name for name in sys.modules if name.startswith(("pygls", "lsprotocol", "reportkit.checker.lsp"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    monkeypatch.setitem(sys.modules, "pygls", None)
    with pytest.raises(SystemExit) as stopped:
        main(["lsp"])
    assert stopped.value.code == 2
    assert "pip install 'reportkit-replic[lsp]'" in capsys.readouterr().err
