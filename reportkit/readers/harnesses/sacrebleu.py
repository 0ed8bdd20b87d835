"""Texts of translation systems beside references: BLEU, chrF or TER by sacreBLEU (the extra [sacrebleu])."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pandas as pd

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, some
from reportkit.metrics.corpus.catalogue import CORPUS_METRICS
from reportkit.metrics.corpus.from_texts import METRICS_OF_TEXTS, statistics_from_texts
from reportkit.readers.choosing import one_metric
from reportkit.readers.compression import members
from reportkit.readers.format import Harness, Taken
from reportkit.readers.harnesses.names import distinct_names
from reportkit.readers.naming import distinct_systems
from reportkit.readers.segments import segments_of
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, shell

_REFERENCE = frozenset({"ref", "refs", "reference", "references"})
_SOURCE = frozenset({"src", "source", "sources"})
_ENDINGS = (".txt", ".ref", ".hyp", ".detok", ".out")


def read_sacrebleu(files: Sequence[Source], request: Request) -> Reading:
    """Count by segment what the metric is computed from; each folder with references is a test set."""
    metric, others, notes = one_metric(request, METRICS_OF_TEXTS, ["bleu"], any_case=True)
    groups, sources = _test_sets(files)
    frames = []
    done = 0
    for dataset, (references, outputs) in groups.items():
        paths = [source.plain_path for source in outputs]
        systems = distinct_names([_stem(path) for path in paths], paths)
        texts = {system: segments_of(source) for system, source in zip(systems, outputs, strict=True)}
        streams = [segments_of(source) for source in references]
        frames.append(statistics_from_texts(texts, streams, dataset=dataset, metric=metric))
        done += len(references) + len(outputs)
        request.progress(done, len(files))
    if sources:
        notes.append(
            Finding(
                "files-unused",
                "info",
                f"{counted(len(sources), 'source text')} not needed for the metric.",
                some(sources),
            )
        )
    return Reading(
        frame=pd.concat(frames, ignore_index=True),
        format="sacreBLEU",
        metrics=dict.fromkeys(groups, (metric,)),
        computed=metric,
        other_metrics=others,
        paired_on="line",
        higher_is_better={metric: CORPUS_METRICS[metric].higher_is_better},
        notes=tuple(notes),
        nouns=("system", "test set"),
        n_files=len(files),
    )


def _test_sets(files: Sequence[Source]) -> tuple[dict[str, tuple[list[Source], list[Source]]], list[str]]:
    """Test set to its references and outputs; and the names of source texts."""
    by_folder: dict[Path, tuple[list[Source], list[Source]]] = {}
    sources = []
    for source in files:
        kind = kind_of(source.plain_path)
        if kind == "source":
            sources.append(source.name)
            continue
        references, outputs = by_folder.setdefault(source.path.parent, ([], []))
        (references if kind == "reference" else outputs).append(source)
    alone = [folder for folder, (references, _) in by_folder.items() if references]
    if not alone:
        first = files[0]
        raise ReadingError(
            f"there are no references among {counted(len(files), 'text')}",
            where=some([source.name for source in files]),
            remedy="the name of a file of references begins or ends with 'ref', such as\n"
            f"mv {shell(first.name)} {shell(str(first.path.with_name('ref' + first.path.suffix)))}",
        )
    if len(alone) == 1:  # outputs may be in folders of their own
        references = by_folder[alone[0]][0]
        outputs = [source for _, others in by_folder.values() for source in others]
        groups = {_name(alone[0]): (references, outputs)}
    else:
        names = distinct_systems({folder: _name(folder) for folder in alone})
        groups = {names[folder]: by_folder[folder] for folder in alone}
        strays = [
            source.name for folder, (_, outputs) in by_folder.items() if folder not in alone for source in outputs
        ]
        if strays:
            raise ReadingError(
                f"which references belong to {counted(len(strays), 'text')} cannot be told",
                where=some(strays),
                remedy="put the references and the outputs of each test set into a folder of its own",
            )
    for name, (references, outputs) in groups.items():
        if not outputs:
            raise ReadingError(
                f"there are no outputs of systems beside the references of {name!r}",
                where=some([source.name for source in references]),
                remedy="give the outputs as well, one segment per line",
            )
    return groups, sources


def kind_of(path: Path) -> str:
    """What a text is by its name, "reference", "source" or "output"; all of a folder `refs` are references.

    Examples
    --------
    >>> [kind_of(Path(name)) for name in ("newstest-ref.de", "src.txt", "online-B.txt", "refs/all.txt")]
    ['reference', 'source', 'output', 'reference']
    """
    words = {*re.split(r"[\W_\d]+", path.name.casefold())}
    if words & _REFERENCE or path.parent.name.casefold() in _REFERENCE:
        return "reference"
    if words & _SOURCE:
        return "source"
    return "output"


def _name(folder: Path) -> str:
    """Name of a test set: that of the folder, or of the one above a folder of references alone."""
    own = folder.absolute()
    return (own.parent.name if own.name.casefold() in _REFERENCE else own.name) or "test set"


def _stem(path: Path) -> str:
    return path.stem if path.suffix in _ENDINGS else path.name


def can_read(head: bytes, path: Path) -> bool:
    """Whether a text is one of several of a test set, with references in its folder."""
    if not head.strip() or b"\x00" in head or b"\t" in head.partition(b"\n")[0]:
        return False
    return kind_of(path) == "reference" or _has_references(path)


def _has_references(path: Path) -> bool:
    """Whether a file of the same folder is one of references, or a folder beside this one is."""
    return any(
        kind_of(path.parent / name) == "reference" if folder == path.parent else name.casefold() in _REFERENCE
        for folder in (path.parent, path.parent.parent)
        for name in _names_in(folder)
        if folder != path.parent or name.lower().endswith(_ENDINGS)
    )


def _names_in(folder: Path) -> tuple[str, ...]:
    archive = next((place for place in (folder, *folder.parents) if place.is_file()), None)
    try:
        changed = (archive or folder).stat().st_mtime_ns
    except OSError:
        return ()
    return _names(folder, archive, changed)


@lru_cache(maxsize=8)
def _names(folder: Path, archive: Path | None, changed: int) -> tuple[str, ...]:
    """Names in a folder that has been the same since it changed; those that may be of references."""
    try:
        if archive is None:
            found = [entry.name for entry in folder.iterdir()]
        else:
            inside = [archive / item.filename for item in members(archive)]
            found = [part.name for path in inside for part in (path, *path.parents) if part.parent == folder]
    except (OSError, zipfile.BadZipFile):
        return ()
    return tuple(name for name in found if "ref" in name.casefold())


SACREBLEU = Harness(
    name="sacreBLEU",
    endings=_ENDINGS,
    read=read_sacrebleu,
    can_read=can_read,
    taken=Taken(
        files="texts with one segment per line; `ref` in the name of those that are references",
        system="name of the file",
        dataset="folder of the references",
        instance="line",
        run="–",
        metric="`bleu`, computed from sums over segments; `chrf`, `chrf++`, `ter` (the extra `sacrebleu`)",
        refused="texts without references, or with another number of lines",
    ),
)
