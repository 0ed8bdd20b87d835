"""Archives and listings: read with a memory limit as without, and nothing is written outside of a folder."""

from __future__ import annotations

import functools
import http.server
import threading
import zipfile
from pathlib import Path

import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReportkitError
from tests.conftest import needed


def table(system: str = "ada") -> str:
    """Scores of one system."""
    scores = [(number * (2 if system == "ada" else 3)) % 5 / 4 for number in range(14)]
    frame = pd.DataFrame({"system": system, "dataset": "law", "instance": range(14), "score": scores})
    return frame.to_csv(index=False)


def test_a_folder_of_archives_is_read_with_a_memory_limit(tmp_path: Path) -> None:
    """The same numbers as without one."""
    folder = tmp_path / "results"
    folder.mkdir()
    for system in ("ada", "bee"):
        with zipfile.ZipFile(folder / f"{system}.zip", "w") as archive:
            archive.writestr(f"{system}.csv", table(system))
    together = reportkit.compare(folder, "ada", "bee")
    apart = reportkit.compare(folder, "ada", "bee", memory_limit="2GB")
    assert apart.to_json() == together.to_json()


def test_names_in_an_archive_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `..` in a name would overwrite is left as it is, and a message says so."""
    needed("fsspec", "dask")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    outside = tmp_path / "escaped.csv"
    outside.write_text("mine")
    up = "../" * len(tmp_path.parts) + "../" * 9
    with zipfile.ZipFile("e.zip", "w") as archive:
        archive.writestr("r.csv", table())
        for name in (f"{up}{outside.relative_to('/')}", "../escaped.csv", "../../escaped.csv", "../../../escaped.csv"):
            archive.writestr(name, table("bee"))
    with pytest.raises(ReportkitError, match="leads out of the folder"):
        reportkit.compare("zip://**::e.zip")
    assert outside.read_text() == "mine"
    assert not [path for path in tmp_path.rglob("escaped.csv") if path != outside]
    assert not [*(tmp_path / "temporary").rglob("*")]  # nor is a copy left behind


class Listing(http.server.BaseHTTPRequestHandler):
    """A folder whose index names a file outside of it."""

    def do_GET(self) -> None:
        """Answer with the index, or with scores."""
        escaping = "/data/sub/../../../../../../../../escaped.csv"
        index = f'<html><a href="/data/r.csv">r.csv</a><a href="{escaping}">x</a></html>'
        content = (table() if self.path.endswith(".csv") else index).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/csv" if self.path.endswith(".csv") else "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_HEAD = do_GET  # noqa: N815 - as http.server calls it

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_names_in_an_index_of_the_web_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those in an archive."""
    needed("aiohttp", "dask")
    (tmp_path / "a" / "b" / "temporary").mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "a" / "b" / "temporary"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Listing)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with pytest.raises(ReportkitError):
                reportkit.compare(f"http://127.0.0.1:{server.server_port}/data/")
        finally:
            server.shutdown()
            thread.join()
    assert not [*tmp_path.rglob("*.csv")]
