"""The language server: `reportkit lsp`, which speaks the protocol on standard input and output."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from reportkit._version import __version__
from reportkit.checker import diagnostic
from reportkit.checker.catalogue import RULES
from reportkit.checker.lsp.actions import FIX_ALL, actions
from reportkit.checker.lsp.positions import Positions
from reportkit.checker.lsp.session import Checked, Session, real

DELAY = 0.4
"""Seconds without a key stroke before a paper is checked."""
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}


class PaperServer(LanguageServer):
    """Publishes what a check says of the papers that are open."""

    def __init__(self) -> None:
        super().__init__("reportkit", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self._session = Session()
        self._checked: dict[Path, Checked] = {}
        """What was said last of each paper, by its main file."""
        self._asked: Counter[str] = Counter()
        self._one_at_a_time = asyncio.Lock()

    # what is open

    def _open(self) -> dict[Path, tuple[str, str, int | None]]:
        """Name, text and version of each open document, by real path."""
        found = {}
        for uri, document in self.workspace.text_documents.items():
            name = to_fs_path(uri)
            if name is not None and uri.startswith("file:"):
                found[real(Path(name))] = (uri, document.source, document.version)
        return found

    async def check_soon(self, uri: str, delay: float) -> None:
        """Check the paper of a document, unless another request for it comes before."""
        self._asked[uri] += 1
        mine = self._asked[uri]
        await asyncio.sleep(delay)
        async with self._one_at_a_time:
            if self._asked[uri] == mine:
                await self._check(uri)

    async def _check(self, uri: str) -> None:
        open_now = self._open()
        path = _path(uri)
        if path is None or path not in open_now:
            return
        texts = {name: text for name, (_, text, _) in open_now.items()}
        checked = await asyncio.to_thread(self._session.check, path, texts)
        for main in [main for main, old in self._checked.items() if path in old.findings and main != checked.main]:
            self._withdraw(self._checked.pop(main), spared=set(checked.findings))
        if checked.main in self._checked:
            self._withdraw(self._checked[checked.main], spared=set(checked.findings))
        self._checked[checked.main] = checked
        self._publish(checked, open_now)

    def _publish(self, checked: Checked, open_now: Mapping[Path, tuple[str, str, int | None]]) -> None:
        for path in checked.findings:
            uri, _, version = open_now.get(path, (path.as_uri(), "", None))
            positions = self._positions(checked, path)
            told = [_told(item, checked.span(path, item), positions) for item in checked.findings[path]]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told, version))
        if checked.error:
            start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
            told = [lsp.Diagnostic(start, checked.error, lsp.DiagnosticSeverity.Error, source="reportkit")]
            uri = open_now.get(checked.main, (checked.main.as_uri(),))[0]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told))

    def _withdraw(self, checked: Checked, spared: set[Path]) -> None:
        """Take findings back, of files that are not told of anew."""
        open_now = self._open()
        for path in {checked.main, *checked.findings} - spared:
            uri = open_now.get(path, (path.as_uri(),))[0]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def close(self) -> None:
        """Take back what was said of papers of which nothing is open any more."""
        open_now = self._open()
        for main, checked in list(self._checked.items()):
            if not any(path in open_now for path in (main, *checked.findings)):
                self._withdraw(self._checked.pop(main), spared=set())

    # what is asked

    async def current(self, uri: str) -> tuple[Checked, Path] | None:
        """What is known of a document as it stands now; checked once more if it was changed."""
        path = _path(uri)
        if path is None:
            return None
        for _ in range(2):
            for checked in self._checked.values():
                file = checked.files.get(path)
                if file is not None and file.text == self.workspace.get_text_document(uri).source:
                    return checked, path
            async with self._one_at_a_time:
                await self._check(uri)
        return None

    def _positions(self, checked: Checked, path: Path) -> Positions:
        file = checked.files.get(path)
        return Positions("" if file is None else file.text, self.workspace.position_encoding or "utf-16")

    async def offered(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Edits for a place."""
        uri = params.text_document.uri
        found = await self.current(uri)
        if found is None:
            return []
        checked, path = found
        positions = self._positions(checked, path)
        only = params.context.only
        return [
            action
            for action in actions(
                checked,
                path,
                uri,
                params.range,
                positions,
                lambda item: _told(item, checked.span(path, item), positions),
            )
            if only is None or any(f"{action.kind}.".startswith(f"{getattr(kind, 'value', kind)!s}.") for kind in only)
        ]

    async def explained(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """The manual pages of the rules that found something at a place."""
        found = await self.current(params.text_document.uri)
        if found is None:
            return None
        checked, path = found
        positions = self._positions(checked, path)
        offset = positions.offset(params.position)
        codes = {}
        for item in checked.findings[path]:
            start, end = checked.span(path, item)
            if start <= offset <= end:
                codes[item.code] = f"# {item.code} {item.name}\n\n{RULES[item.code].page}"
        pages = "\n\n---\n\n".join(codes.values())
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, pages)) if pages else None


def _told(item: diagnostic.Diagnostic, span: tuple[int, int], positions: Positions) -> lsp.Diagnostic:
    """A finding as the protocol has it; its code leads to the file that begins with the rule's manual page."""
    notes = (
        f"where: {item.where}" if item.where else "",
        f"to do: {item.remedy}" if item.remedy else "",
        f"severity: {item.severity_note}" if item.severity_note else "",
    )
    page = inspect.getsourcefile(RULES[item.code].check)
    return lsp.Diagnostic(
        positions.range(*span),
        "\n".join((item.message, *filter(None, notes))),
        _SEVERITIES[item.severity],
        item.code,
        None if page is None else lsp.CodeDescription(Path(page).as_uri()),
        "reportkit",
    )


def _path(uri: str) -> Path | None:
    name = to_fs_path(uri) if uri.startswith("file:") else None
    return None if name is None else real(Path(name))


def made_server() -> PaperServer:
    """A server with what it answers."""
    server = PaperServer()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        await server.check_soon(params.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        await server.check_soon(params.text_document.uri, DELAY)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        await server.check_soon(params.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close()

    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(kinds))
    async def asked(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return await server.offered(params)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        return await server.explained(params)

    return server


def serve() -> None:
    """Serve on standard input and output until the client ends it; what else is printed goes to standard error."""
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    made_server().start_io(stdout=out)
