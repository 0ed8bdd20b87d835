"""CoNLL-U: parsed files with the gold standard, as right words by sentence; the metrics are ratios of sums."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from reportkit.errors import ReadingError, UnknownNameError
from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.harvest import corpus_harvest
from reportkit.harnesses.logs import Batch, Harvest, Tool
from reportkit.language import counted, listed

_REMEDY = "let the parser keep the words and sentences of the gold file"
_Word = Sequence[str]
_Treebank = Mapping[str, Sequence[_Word]]


def _relation(word: _Word) -> tuple[str, str]:
    return word[6], word[7].partition(":")[0]


_METRICS: Mapping[str, Callable[[_Word, _Word], bool]] = {
    "LAS": lambda gold, word: _relation(gold) == _relation(word),
    "UAS": lambda gold, word: gold[6] == word[6],
    "UPOS": lambda gold, word: gold[3] == word[3],
    "XPOS": lambda gold, word: gold[4] == word[4],
    "Lemmas": lambda gold, word: gold[2] in ("_", word[2]),
}
"""What makes a word right, from its ten columns in the gold file and in that of a system."""


def recognises(file: File, found: Outline) -> bool:
    """Tell a treebank by its ten columns."""
    rows = [line for line in file.head.splitlines() if line.strip() and not line.startswith(b"#")]
    return found.kind == "other" and bool(rows) and rows[0].count(b"\t") == 9 and rows[0][:1].isdigit()


def read(batch: Batch) -> Harvest:
    """Count by sentence how many words a system got right; a file with other words than the gold file is left out."""
    by_name = {name.casefold(): name for name in _METRICS}
    metric = by_name.get(batch.metrics[0].casefold(), "") if batch.metrics else "LAS"
    if not metric:
        raise UnknownNameError("metric of CoNLL-U", batch.metrics[0], _METRICS)
    rows: dict[tuple[str, str, str], tuple[int, int]] = {}
    for gold_file, system_files in _groups(batch).items():
        with batch.reading(gold_file):
            gold, dataset = _treebank(gold_file), _dataset(gold_file)
            for file in system_files:
                with batch.reading(file):
                    counts = _counts(gold, _treebank(file), _METRICS[metric])
                    name = _system(file, gold_file)
                    if (name, dataset, next(iter(gold))) in rows:
                        name = f"{name} ({file.path.parent.name})"
                    rows |= {(name, dataset, sentence): count for sentence, count in counts.items()}
    if not rows:
        raise batch.refusal("no parsed file can be compared with its gold standard", _REMEDY)
    columns = ["system", "dataset", "instance", "stat_correct", "stat_total"]
    frame = pd.DataFrame([(*names, *count) for names, count in rows.items()], columns=columns)
    return corpus_harvest(TOOL, batch, frame, {"LAS": "las", "UAS": "uas"}.get(metric, "accuracy"))


def _groups(batch: Batch) -> dict[File, list[File]]:
    """Return each gold file with the files of systems: all, or those of its folder or its name."""
    gold = [file for file in batch.files if _is_gold(f"{file.path.parent.name} {file.stem}")]
    gold = [file for file in gold if _is_gold(file.stem)] or gold
    rest = [file for file in batch.files if file not in gold]
    if not gold or not rest:
        name = f"put 'gold' into the name of the gold file, such as gold-{batch.files[0].path.name}"
        raise ReadingError(
            f"there is no {'file of a system' if gold else 'gold standard'} among these CoNLL-U files",
            where=listed([repr(file.name) for file in batch.files], 3),
            remedy="give the parsed files as well" if gold else name,
        )
    groups: dict[File, list[File]] = {file: [] for file in gold}
    for file in rest:
        near = [one for one in gold if one.path.parent == file.path.parent]
        fits = gold if len(gold) == 1 else near or [one for one in gold if _dataset(one) in file.stem]
        if len(fits) == 1:
            groups[fits[0]].append(file)
        else:
            batch.left_out[file.name] = "which gold file it belongs to cannot be told"
    return groups


def _is_gold(name: str) -> bool:
    return "gold" in re.split(r"[\W_]+", name.casefold())


def _dataset(gold: File) -> str:
    name = re.sub(r"(?i)[-_.]*gold[-_.]*", "", gold.stem)
    parent = gold.path.absolute().parent
    return name or (parent.parent if parent.name.casefold() == "gold" else parent).name or "treebank"


def _system(file: File, gold: File) -> str:
    """Return the name of the file without that of the treebank; of the folder where nothing else is left."""
    name = file.stem.replace(_dataset(gold), "").strip("-_. ")
    return name if re.search(r"[^\W\d_]", name) and name != "pred" else file.path.absolute().parent.name


def _counts(gold: _Treebank, parsed: _Treebank, right: Callable[[_Word, _Word], bool]) -> dict[str, tuple[int, int]]:
    """Return the right words and all words of each gold sentence.

    Raises
    ------
    ValueError
        If sentences or words differ from those of the gold file.
    """
    counts = {}
    sentences = list(parsed.values())
    for place, (name, words) in enumerate(gold.items()):
        found = sentences[place] if place < len(sentences) else []
        if [word[1] for word in found] != [word[1] for word in words]:
            shown = [" ".join(word[1] for word in side)[:60] or "nothing" for side in (words, found)]
            where = f"in sentence {name!r} {shown[1]!r} instead of {shown[0]!r}"
            raise ValueError(f"other words or sentences than in the gold file, {where}; {_REMEDY}")
        counts[name] = (sum(map(right, words, found)), len(words))
    if len(sentences) > len(gold):
        raise ValueError(f"it has {counted(len(sentences), 'sentence')}, the gold file {len(gold):,}")
    return counts


def _treebank(file: File) -> dict[str, list[_Word]]:
    """Return the words of each sentence as their ten columns; lines of multiword tokens and empty nodes are no words.

    Raises
    ------
    ValueError
        If a line is not as CoNLL-U has it.
    """
    found: dict[str, list[_Word]] = {}
    words: list[_Word] = []
    name = ""
    for number, line in enumerate([*file.text.split("\n"), ""], start=1):
        columns = line.rstrip("\r").split("\t")
        if columns == [""]:
            if words:
                if any(int(word[6]) > len(words) for word in words):
                    raise ValueError(f"the sentence that ends at line {number:,} has a head outside of it")
                name = name or str(len(found) + 1)
                if name in found:
                    raise ValueError(f"two sentences have the id {name!r}")
                found[name] = words
            words, name = [], ""
        elif line.startswith("#"):
            key, _, value = line[1:].partition("=")
            name = value.strip() if key.strip() == "sent_id" else name
        elif len(columns) != 10:
            raise ValueError(f"line {number:,} has {counted(len(columns), 'column')}, not 10")
        elif not re.fullmatch(r"\d+[-.]\d+", columns[0]):
            if columns[0] != str(len(words) + 1):
                raise ValueError(f"line {number:,} is word {columns[0]} where {len(words) + 1} belongs")
            if not columns[6].isdecimal():
                raise ValueError(f"line {number:,} has no number of a head")
            words.append(columns)
    if not found:
        raise ValueError("it holds no sentence")
    return found


TOOL = Tool(
    "CoNLL-U", recognises, read, ("conllu", "universal-dependencies"),
    paired_on="sentence", nouns=("system", "treebank"),
)  # fmt: skip
