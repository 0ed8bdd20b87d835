"""Pages and tables of the documentation that follow from the code are as the code says."""

from __future__ import annotations

import runpy


def test_the_documentation_is_written_anew(root):
    """`python docs/write.py` would change nothing: rules, venues, typefaces, tests and formats."""
    wanted = runpy.run_path(str(root / "docs" / "write.py"))["pages"]()
    stale = [path.name for path, content in wanted.items() if not path.is_file() or path.read_text("utf-8") != content]
    left = set((root / "docs" / "rules").glob("*.md")) - wanted.keys()
    assert not stale, f"run `python docs/write.py`: {stale} do not say what the code says"
    assert not left, f"run `python docs/write.py`: there is no rule of {left}"
