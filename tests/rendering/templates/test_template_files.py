"""The files of templates: which is taken, and copies."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportkit.errors import RenderingError, UnknownNameError
from reportkit.rendering.templates.environment import FORMATS, Templates, shipped_templates
from reportkit.rendering.templates.template_files import copied, found


def test_all_templates_of_all_formats_are_found() -> None:
    """Each with its file."""
    files = found()
    assert set(files) == {f"{name}/{one}" for name in FORMATS for one in Templates(name).names}
    assert all(path.is_file() and path.is_relative_to(shipped_templates()) for path in files.values())


def test_the_first_folder_that_has_it_is_taken(tmp_path: Path) -> None:
    """As when a report is rendered."""
    for name in ("a", "b"):
        (tmp_path / name / "latex").mkdir(parents=True)
        (tmp_path / name / "latex" / "head.tex.jinja").write_text(name)
    (tmp_path / "b" / "latex" / "table.tex.jinja").write_text("b")
    files = found((tmp_path / "a", tmp_path / "b"), ["latex"])
    assert files["latex/head"].read_text() == "a"
    assert files["latex/table"].read_text() == "b"
    assert files["latex/figure"].parent == shipped_templates() / "latex"


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """Of templates and formats."""
    with pytest.raises(UnknownNameError, match="did you mean 'latex'"):
        found(names=["latx"])


def test_nothing_is_copied_where_one_file_stands_in_the_way(tmp_path: Path) -> None:
    """All or nothing; a file where a folder should be is said to be one."""
    (tmp_path / "latex").mkdir()
    (tmp_path / "latex" / "table.tex.jinja").write_text("mine")
    with pytest.raises(RenderingError, match="is there already"):
        copied(found(names=["latex"]), tmp_path)
    assert [path.name for path in (tmp_path / "latex").iterdir()] == ["table.tex.jinja"]
    (tmp_path / "markdown").write_text("a file")
    with pytest.raises(RenderingError, match="cannot be written"):
        copied(found(names=["markdown/table"]), tmp_path)
