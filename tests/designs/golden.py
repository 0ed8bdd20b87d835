"""Golden paragraphs of a design: readable text next to the tests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent


def as_in_file(design: str, paragraphs: Mapping[str, str]) -> None:
    """Hold paragraphs against `<design>.md`; REPORTKIT_UPDATE_GOLDEN=1 writes it anew, to be read before a commit."""
    path = FOLDER / f"{design}.md"
    written = f"# Paragraphs: {design}\n" + "".join(f"\n## {name}\n\n{text}\n" for name, text in paragraphs.items())
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        path.write_text(written, encoding="utf-8")
    assert written == path.read_text(encoding="utf-8")
