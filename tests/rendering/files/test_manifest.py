"""`report.json` as a file: what is written is read back, and nothing else is."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import reportkit
from reportkit.errors import ReadingError, RenderingError
from reportkit.rendering.files.manifest import MANIFEST, Manifest, read_manifest
from reportkit.rendering.files.write import rendered, write_report
from reportkit.report.model import Report
from tests.rendering.conftest import HOSTILE, hostile_report


@pytest.fixture
def folder(small_report: Report, tmp_path: Path) -> Path:
    """A report as files."""
    write_report(small_report, tmp_path / "r")
    return tmp_path / "r"


def test_a_report_is_read_back(small_report: Report, folder: Path) -> None:
    """From its folder or its file, with its files and their hashes."""
    for path in (folder, folder / MANIFEST):
        manifest = read_manifest(path)
        assert dataclasses.replace(manifest.report, data={}) == dataclasses.replace(small_report, data={})
        assert {name: manifest.report.data[name] for name in small_report.data} == small_report.data
        assert manifest.intact
        assert set(manifest.files) == set(manifest.checksums)
        for name in manifest.files:
            if name != MANIFEST:
                assert manifest.checksums[name] == hashlib.sha256((folder / name).read_bytes()).hexdigest()


def test_hostile_names_come_back(tmp_path: Path) -> None:
    """Scripts, controls, halves of surrogate pairs, Jinja, HTML: rendered again, all bytes are the same."""
    write_report(hostile_report(HOSTILE), tmp_path / "r")
    manifest = read_manifest(tmp_path / "r")
    for name, content in rendered(manifest.report).items():
        assert content == (tmp_path / "r" / name).read_bytes(), name


@pytest.mark.slow
def test_the_documented_checksum(folder: Path) -> None:
    """What docs/reference/report-json.md tells a reader to compute."""
    content = json.loads((folder / MANIFEST).read_text("utf-8"))
    known = content.pop("checksums")["report.json"]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == known


@pytest.fixture(scope="module")
def schema(root: Path) -> dict[str, Any]:
    """docs/reference/report.schema.json."""
    found: dict[str, Any] = json.loads((root / "docs" / "reference" / "report.schema.json").read_text("utf-8"))
    return found


@pytest.mark.slow
def test_the_published_schema_holds(root: Path, tmp_path: Path, schema: dict[str, Any]) -> None:
    """Of a whole report; it refuses a block and a document of another kind."""
    reportkit.compare(root / "examples" / "sentiment" / "results.csv.gz").report().save(tmp_path)
    content = json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    jsonschema.validate(content, schema)
    for path, value in (
        (("document", "version"), 2),
        (("document", "sections", 0, "blocks", 0, "type"), "poem"),
        (("document", "sections", 0, "blocks", 0, "content"), 3),
        (("document", "sections", 0, "blocks", 0, "content"), [{"text": "x"}]),
        (("checksums", "more/report.md"), "0"),
    ):
        broken = json.loads(json.dumps(content))
        place = broken
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)


def _rewrite(folder: Path, change: Any) -> None:
    content = json.loads((folder / MANIFEST).read_text("utf-8"))
    change(content)
    (folder / MANIFEST).write_text(json.dumps(content), "utf-8")


def test_another_layout_is_the_same_report(small_report: Report, folder: Path) -> None:
    """A program that prettifies JSON changes nothing."""
    _rewrite(folder, lambda content: None)
    assert read_manifest(folder).intact


@pytest.mark.parametrize("name", ["value", "signature", "title"])
def test_an_edit_is_noticed(folder: Path, name: str) -> None:
    """In the content for machines as in the report itself."""

    def change(content: dict[str, Any]) -> None:
        place = content["document"] if name == "title" else content
        place[name] = "another" if name != "value" else 2.0

    _rewrite(folder, change)
    assert not read_manifest(folder).intact


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"a": NaN}', "NaN is no number of JSON"),
        (b'{"a": 1, "a": 2}', "'a' stands twice in one object"),
        (b"[]", "is no report of reportkit: it holds no object"),
        (b"3", "is no report of reportkit: it holds no object"),
        (b"{}", "is no report of reportkit: it has no schema_version"),
        (b'{"schema_version": "1.0"}', "is no report of reportkit: it has no 'document'"),
        (b'{"schema_version": 2.0, "document": {}}', "is no report of reportkit"),
        (b'{"schema_version": "3.0", "document": {}}', "has schema version '3.0'; this reportkit reads version 2"),
        (b'{"schema_version": "1.1", "comparisons": []}', "has schema version '1.1'; this reportkit reads version 2"),
        (b'{"schema_version": "2.0", "document": {}}', "'checksums' is not as reportkit writes it"),
        (b'{"schema_version": "2.0", "document": {}, "checksums": {"a": 1}}', "'checksums' is not as reportkit"),
        (b'{"schema_version": "2.0", "document": {}, "checksums": {}}', "document has version None"),
    ],
)
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    """With what it is and what to do, and the file."""
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(ReadingError) as caught:
        read_manifest(tmp_path)
    assert said in caught.value.problem
    assert str(tmp_path) in str(caught.value)


def test_a_report_that_is_not_there(tmp_path: Path) -> None:
    """A folder without one, a file that is none."""
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(ReadingError, match="there is no file"):
            read_manifest(path)


@pytest.mark.parametrize(("intact", "expected"), [(True, IndexError), (False, ReadingError)])
def test_a_changed_file_is_no_defect_and_a_defect_no_changed_file(tmp_path, intact, expected):
    """What fails while a changed report is rendered is the file's fault; of one as it was written, reportkit's."""
    manifest = Manifest(report=None, files=(), checksums={}, intact=intact)
    with pytest.raises(expected), manifest.rendering():
        raise IndexError("5")
    with pytest.raises(RenderingError), manifest.rendering():
        raise RenderingError("a template fails")
