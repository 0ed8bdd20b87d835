"""`reportkit templates`: which templates there are, where each comes from, and a copy to start from."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("templates", short_help="List the templates, or copy one to change it.")
@click.argument("names", nargs=-1, metavar="[FORMAT/NAME]...")
@click.option("--copy", is_flag=True, help="Copy the templates that are named, as they are taken now.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder for the copies.  [default: templates]")
@click.option("--templates", type=click.Path(path_type=Path), multiple=True, help="Folder with templates of your own.")
def templates_command(names: tuple[str, ...], copy: bool, output: Path | None, templates: tuple[Path, ...]) -> int:
    """List the templates and say where each comes from; with --copy, copy those named as latex/table.

    A copy in a folder that is given with --templates (or templates = "mine" in TOML) takes the place of the one that
    it was copied from; all others stay. docs/reference/templates.md says what a template sees.
    """
    from reportkit.cli.plain_lines import safe, say
    from reportkit.errors import SettingsError
    from reportkit.rendering.templates.template_files import copied, found

    if (copy or output) and not (copy and names):
        raise SettingsError(
            "no template is named to be copied" if copy else "--output is for copies",
            remedy="reportkit templates --copy latex/table -o mine",
        )
    files = found(templates, names)
    if not copy:
        width = max(len(name) for name in files)
        for name, path in files.items():
            click.echo(f"{name:<{width}}  {safe(str(path))}")
        return 0
    for path in copied(files, output or Path("templates")):
        say(f"wrote {path}")
    return 0
