"""`reportkit statistics`: from text files to the counts that BLEU, chrF or TER is computed from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.errors import InputError, SettingsError

if TYPE_CHECKING:
    import pandas as pd

ENDINGS: Mapping[str, str] = {".csv": ",", ".tsv": "\t"}


@click.command("statistics", short_help="Count what BLEU, chrF or TER is computed from, in text files.")
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option(
    "--reference", "references", metavar="FILE", multiple=True, required=True, help="Reference texts; repeatable."
)
@click.option("--dataset", metavar="NAME", required=True, help="Name of the test set.")
@click.option(
    "--metric", metavar="M", default="bleu", show_default=True, help="What is counted: bleu, chrf, chrf++ or ter."
)
@click.option("--tokenize", metavar="T", help="Tokenizer of sacreBLEU, for bleu.  [default: 13a]")
@click.option("--lowercase", is_flag=True, help="Ignore case, for bleu and chrf; ter does so anyway.")
@click.option("--append", is_flag=True, help="Add the rows to the file, which holds other datasets.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="File to write: .csv or .tsv, also .gz.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
def statistics_command(systems: tuple[str, ...], **options: Any) -> int:
    """Count what BLEU, chrF or TER is computed from, segment by segment, and write it as a table.

    Each SYSTEM is a text file with one segment per line, called after its file, or NAME=FILE. Needs sacreBLEU:
    pip install "reportkit-replic[sacrebleu]". The table is what `reportkit build FILE --metric bleu` reads.
    """
    from reportkit.cli.plain_lines import say, writing_to
    from reportkit.metrics.corpus.from_texts import statistics_from_texts
    from reportkit.scores.files import read_segments

    output: Path = options["output"]
    delimiter = _delimiter(output)
    frame = statistics_from_texts(
        {name: read_segments(path) for name, path in named_files(systems).items()},
        [read_segments(Path(path)) for path in options["references"]],
        dataset=options["dataset"],
        metric=options["metric"],
        tokenize=options["tokenize"],
        lowercase=options["lowercase"] or None,
    )
    added = options["append"] and output.exists()
    if added:
        _check_appendable(output, frame, delimiter)
    with writing_to(output):
        frame.to_csv(output, sep=delimiter, index=False, mode="a" if added else "w", header=not added)
    if not options["quiet"]:
        say(
            f"{'added' if added else 'wrote'} {len(frame):,} rows {'to' if added else 'in'} {output}; "
            f"next: reportkit build {output} --metric {options['metric']}"
        )
    return 0


def named_files(systems: Sequence[str]) -> dict[str, Path]:
    """Name each system: as given before `=`, else by its file without the ending.

    Raises
    ------
    SettingsError
        If two have the same name.

    Examples
    --------
    >>> {name: path.as_posix() for name, path in named_files(["new=out/1.txt", "out/old.de.txt"]).items()}
    {'new': 'out/1.txt', 'old.de': 'out/old.de.txt'}
    """
    named: dict[str, Path] = {}
    for given in systems:
        name, separator, path = given.partition("=")
        if not separator or not name or Path(given).exists():
            path = given
            name = Path(given.removesuffix(".gz")).stem
        if name in named:
            raise SettingsError(
                f"two systems are called {name!r}",
                where=f"{named[name]} and {path}",
                remedy=f"name them: NAME={path}",
            )
        named[name] = Path(path)
    return named


def _delimiter(output: Path) -> str:
    ending = Path(output.name.removesuffix(".gz")).suffix
    if ending not in ENDINGS:
        raise SettingsError(f"the table cannot be written as {output.name!r}", remedy="name the file .csv or .tsv")
    return ENDINGS[ending]


def _check_appendable(output: Path, frame: pd.DataFrame, delimiter: str) -> None:
    """Refuse to add rows of other columns, or of systems that have rows of this dataset already."""
    import pandas as pd

    present = pd.read_csv(output, sep=delimiter, dtype=str, keep_default_na=False)
    if list(present.columns) != list(frame.columns):
        raise InputError(
            f"{str(output)!r} holds other columns",
            where=f"there {', '.join(present.columns)}; new {', '.join(frame.columns)}",
            remedy="write another file, or count for the same metric",
        )
    pairs = set(zip(present["system"], present["dataset"], strict=True))
    again = [system for system in frame["system"].unique() if (system, str(frame["dataset"].iloc[0])) in pairs]
    if again:
        raise InputError(
            f"{str(output)!r} holds rows of dataset {frame['dataset'].iloc[0]!r} already",
            where=f"system {again[0]!r}" + (f" and {len(again) - 1} more" if len(again) > 1 else ""),
            remedy="name another dataset, or write the file anew without --append",
        )
