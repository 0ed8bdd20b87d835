"""Compressed files and archives give the same bytes; what is damaged is an error of a known kind."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import reportkit
from reportkit.errors import ReadingError
from reportkit.readers import Source, read_frame
from reportkit.readers.compression import members, open_member
from reportkit.readers.source import CODECS

CSV = b"id,new,old\n" + b"".join(b"%d,1,0\n" % i for i in range(50))


def _zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as out:
        out.write(content)
    return bytes(sink.getvalue())


PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": _zstd,
}


@pytest.mark.parametrize("ending", CODECS)
def test_every_compression_gives_the_same(tmp_path: Path, ending: str) -> None:
    """As a frame, by lines, and as results; whatever the format needs of the stream."""
    path = tmp_path / f"cb.csv{ending}"
    path.write_bytes(PACK[ending](CSV))
    (tmp_path / "cb.csv").write_bytes(CSV)
    assert read_frame(path).equals(read_frame(tmp_path / "cb.csv"))
    assert b"".join(line for _, line in Source(path).lines()) == CSV
    assert Source(path).head(5) == CSV[:5]
    assert reportkit.read(path).digest() == reportkit.read(tmp_path / "cb.csv").digest()


@pytest.mark.parametrize("ending", CODECS)
@pytest.mark.parametrize("damage", [lambda content: content[:-9], lambda content: b"plain text", lambda content: b""])
def test_damaged_content_gets_a_message(tmp_path: Path, ending: str, damage: Callable[[bytes], bytes]) -> None:
    """Cut off, not compressed at all, empty."""
    path = tmp_path / f"cb.csv{ending}"
    path.write_bytes(damage(PACK[ending](CSV)))
    with pytest.raises(ReadingError):
        read_frame(path)


def test_an_archive_is_a_folder(tmp_path: Path) -> None:
    """Of one file it is that file; of several they are read together."""
    for name, inside in (("one.zip", ["cb.csv"]), ("two.zip", ["a/cb.csv", "a/rte.csv"])):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for member in inside:
                archive.writestr(member, CSV)
    assert reportkit.read(tmp_path / "one.zip").dataset_names == ("cb",)
    assert reportkit.read(tmp_path / "two.zip").dataset_names == ("cb", "rte")
    assert len(read_frame(tmp_path / "one.zip")) == 50
    with pytest.raises(ReadingError, match="archive of 2 files"):
        read_frame(tmp_path / "two.zip")


def test_members_by_zstandard(tmp_path: Path) -> None:
    """Method 93 of zip, which Python reads from 3.14 on."""
    path = tmp_path / "log.eval"
    packed = _zstd(CSV)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("first.csv", "x")
        archive.writestr("cb.csv", packed)
    content = bytearray(path.read_bytes())
    size = len(CSV).to_bytes(4, "little")
    local, central = content.index(b"PK\x03\x04", 5), content.rindex(b"PK\x01\x02")
    content[local + 8 : local + 10] = content[central + 10 : central + 12] = (93).to_bytes(2, "little")
    content[local + 22 : local + 26] = content[central + 24 : central + 28] = size
    path.write_bytes(bytes(content))
    assert [item.filename for item in members(path)] == ["cb.csv", "first.csv"]
    with open_member(path, "cb.csv") as file:
        assert file.read() == CSV
    with open_member(io.BytesIO(bytes(content)), "cb.csv") as file:
        assert [file.readline(), file.readline(3), file.readline()] == [b"id,new,old\n", b"0,1", b",0\n"]


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What holds more than may be read is refused, compressed in whatever way."""
    monkeypatch.setenv("REPORTKIT_MAX_INPUT_GB", "0.001")
    for ending, pack in PACK.items():
        path = tmp_path / f"cb.csv{ending}"
        path.write_bytes(pack(CSV + b"1,1,0\n" * 400_000))
        with pytest.raises(ReadingError, match=r"more than the 0\.001 GB"):
            read_frame(path)
    with zipfile.ZipFile(tmp_path / "cb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cb.csv", CSV + b"1,1,0\n" * 400_000)
    with pytest.raises(ReadingError, match=r"more than the 0\.001 GB"):
        read_frame(tmp_path / "cb.zip")
