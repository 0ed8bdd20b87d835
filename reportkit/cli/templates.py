"""`reportkit templates`: list the templates, or copy them out to be changed."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("templates")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.argument("names", nargs=-1, metavar="[FORMAT/NAME]...")
@click.option("--templates", type=click.Path(path_type=Path), multiple=True, help="Folder with templates of your own.")
def templates_command(folder: Path | None, names: tuple[str, ...], templates: tuple[Path, ...]) -> int:
    """List the templates and say where each comes from; copy them to FOLDER, all or those named as latex/table.

    A copy in a folder that is given with --templates (or templates = "mine" in TOML) takes the place of the one that
    it was copied from; delete the copies that you do not change. docs/reference/templates.md says what a template sees.
    """
    from reportkit.cli.plain_lines import safe, say
    from reportkit.rendering.environment import copy_templates, templates_found

    files = templates_found(templates, names)
    if folder is None:
        width = max(len(name) for name in files)
        for name, path in files.items():
            click.echo(f"{name:<{width}}  {safe(str(path))}")
        return 0
    for path in copy_templates(files, folder):
        say(f"wrote {path}")
    return 0
