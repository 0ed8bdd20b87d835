"""`reportkit lsp`: what `reportkit check` finds, underlined by an editor while one writes."""

from __future__ import annotations

import click

INSTALL = "pip install 'reportkit-replic[lsp]'"


@click.command("lsp", short_help="Serve findings of check to an editor (language server).")
def lsp_command() -> int:
    """Serve what `reportkit check` finds to an editor, by the Language Server Protocol on standard input and output.

    The editor starts it for LaTeX and Markdown. The settings, rules, data and labels are those of reportkit.toml.
    Needs pip install "reportkit-replic[lsp]".
    """
    try:
        from reportkit.checker.lsp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        from reportkit.errors import SettingsError

        raise SettingsError("the language server needs pygls, which is not installed", remedy=INSTALL) from error
    serve()
    return 0
