"""`reportkit templates`: what there is, where it comes from, and a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportkit.rendering.environment import shipped_templates
from tests.cli.test_show import contents, run


def test_the_templates_are_listed_with_their_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All that are shipped; those of the user in their places."""
    (tmp_path / "latex").mkdir()
    (tmp_path / "latex" / "table.tex.jinja").write_text("mine")
    assert run("templates", "--templates", str(tmp_path)) == 0
    listed = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert listed.pop("latex/table") == str(tmp_path / "latex" / "table.tex.jinja")
    shipped = {path for path in shipped_templates().glob("*/*") if path.name != "table.tex.jinja"}
    assert set(map(Path, listed.values())) == shipped
    assert {path.parent.name for path in shipped} == {"html", "latex", "markdown", "text", "typst"}


def test_a_copy_stands_where_it_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It can be given with --templates at once, and is never overwritten."""
    folder = tmp_path / "mine"
    assert run("templates", str(folder), "latex/table", "html") == 0
    copies = contents(folder)
    assert "latex/table.tex.jinja" in copies
    assert {name for name in copies if name.startswith("latex/")} == {"latex/table.tex.jinja"}
    for name, content in copies.items():
        assert content == (shipped_templates() / name).read_bytes()
    capsys.readouterr()
    assert run("templates", str(folder), "latex/table") == 2
    assert "is there already" in capsys.readouterr().err
    assert run("templates", "--templates", str(folder)) == 0
    assert str(folder) in capsys.readouterr().out


def test_what_cannot_be_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With what to do, and nothing written."""
    assert run("templates", str(tmp_path / "mine"), "latex/tabel") == 2
    assert "did you mean 'latex/table'" in capsys.readouterr().err
    assert run("templates", "--templates", str(tmp_path / "nothing")) == 2
    assert "is not there" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
