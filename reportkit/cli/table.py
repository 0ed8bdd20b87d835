"""`reportkit table MEANS`: a camera-ready table of means alone, without tests."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.appearance import Appearance
from reportkit.cli.options import PATH, GroupedCommand, options_of, reading_options
from reportkit.cli.terminal import say, writing_to
from reportkit.errors import SettingsError
from reportkit.settings import Settings

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.scores.questions import Request

FORMATS = {".tex": "latex", ".md": "markdown", ".html": "html", ".typ": "typst"}
_NUMBER = r"\d+(?:[.,]\d+)?\s*%?\s*"
_SPREAD = rf"^\s*[-+]?{_NUMBER}(?:±|\+/-|\+-|\$?\\pm\$?|\()\s*({_NUMBER})\)?\s*$"


@click.command("table", cls=GroupedCommand)
@click.argument("means", type=PATH)
@reading_options
@options_of(Settings, "datasets", "metric", "higher_is_better")
@options_of(Appearance, "venue", "widths", "rows", "decimals", "average", "environment", "caption")
@click.option("--config", type=PATH, help="TOML, with groups and labels in [appearance].")
@click.option("-o", "--output", type=PATH, help="File: .tex, .md, .html, .typ.  [default: LaTeX]")
def table_command(means: Path, **options: Any) -> int:
    """Set a table of MEANS, a file with one score for each system and dataset, in rows or as a board.

    The best score of each dataset is bold, the second best underlined; cells such as "38.0 ± 0.2" keep their spread.
    Nothing is tested. Without --output, LaTeX is printed.
    """
    from reportkit._version import __version__
    from reportkit.cli.config import configured
    from reportkit.rendering.documents import Writer
    from reportkit.report.means_table import means_table
    from reportkit.report.model import Signature

    output: Path | None = options.pop("output")
    if output is not None and output.suffix not in FORMATS:
        raise SettingsError(f"{str(output)!r} ends in none of {', '.join(FORMATS)}", remedy="choose one of them")
    config = configured(means, options)
    request = dataclasses.replace(config.request(), across_datasets=True)
    found, higher = _read(means, request, config.settings)
    table = means_table(found, config.appearance, higher)
    signature = Signature(version=__version__, source=means.name, digest="", fields={"tested": "nothing"})
    written = Writer(FORMATS[output.suffix if output else ".tex"], config.appearance, signature).table(table)
    if output is None:
        click.echo(written)
    else:
        with writing_to(output):
            output.write_text(f"{written.rstrip()}\n", encoding="utf-8", newline="\n")
        say(f"wrote {output}", err=True)
    allow = f"with the scores of the instances, reportkit build says on which of {len(higher)} datasets one is better"
    say(f"nothing was tested: {allow}", err=True)
    return 0


def _read(means: Path, request: Request, settings: Settings) -> tuple[pd.DataFrame, dict[str, bool]]:
    """Return the means, each with what is printed after ±, and whether higher is better on each dataset."""
    from reportkit.scores.read import read, read_frame

    reading = read([means], request)
    found = reading.frame
    if settings.datasets is not None:
        found = found[found["dataset"].isin(settings.datasets)]
    metrics = found["metric"] if "metric" in found else ["score"] * len(found)
    higher = {
        dataset: reading.directions.get(metric, True) for dataset, metric in zip(found["dataset"], metrics, strict=True)
    }
    raw = read_frame(means)
    behind = raw.astype(str).apply(lambda column: column.str.extract(_SPREAD, expand=False))
    spreads = {}
    if (columns := behind.columns[behind.notna().any()]).size:
        numbers = behind[columns].map(lambda text: float(str(text).strip(" %").replace(",", ".")), na_action="ignore")
        of_spreads = read(raw.assign(**numbers.fillna(-1.0)), request).frame
        spreads = of_spreads.set_index(["system", "dataset"])["score"].to_dict()
    asked = zip(found["system"], found["dataset"], strict=True)
    texts = [f"{spread:g}" if (spread := spreads.get(pair, -1.0)) >= 0 else "" for pair in asked]
    return found.assign(spread=texts), higher
