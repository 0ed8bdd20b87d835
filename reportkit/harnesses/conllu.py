"""CoNLL-U: parsed files with the gold standard, as sums of words by sentence; the metrics are ratios of sums.

Words are aligned as by the evaluation of the CoNLL 2018 shared task: by their characters, and in multiword tokens by
the longest common subsequence of forms.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from reportkit.errors import ReadingError, UnknownNameError
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.harnesses.harvest import Harvest
from reportkit.harnesses.logs import Tool
from reportkit.harnesses.records import Faults, Outline
from reportkit.language import counted, listed

NAME = "CoNLL-U"


@dataclass(slots=True, eq=False)
class _Word:
    """A word: its ten columns, its characters in the text, whether it is in a multiword token, and its head."""

    columns: Sequence[str]
    start: int
    end: int
    multiword: bool
    parent: _Word | None = None

    @property
    def relation(self) -> str:
        return self.columns[7].partition(":")[0]


@dataclass(slots=True)
class _Treebank:
    """A file: its characters without spaces, its words, and where its sentences end among the characters."""

    characters: str = ""
    words: list[_Word] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)


_Aligned = Mapping[_Word, _Word]


def _same_head(gold: _Word, word: _Word, aligned: _Aligned) -> bool:
    return gold.parent is (None if word.parent is None else aligned.get(word.parent, word))


def _same_relation(gold: _Word, word: _Word, aligned: _Aligned) -> bool:
    return _same_head(gold, word, aligned) and gold.relation == word.relation


_METRICS: Mapping[str, Callable[[_Word, _Word, _Aligned], bool]] = {
    "LAS": _same_relation,
    "UAS": _same_head,
    "UPOS": lambda gold, word, _: gold.columns[3] == word.columns[3],
    "XPOS": lambda gold, word, _: gold.columns[4] == word.columns[4],
    "Lemmas": lambda gold, word, _: gold.columns[2] in ("_", word.columns[2]),
}


def recognises(file: File, found: Outline) -> bool:
    """Tell a treebank by its ten columns."""
    rows = [line for line in file.head.splitlines() if line.strip() and not line.startswith(b"#")]
    return found.kind == "other" and bool(rows) and rows[0].count(b"\t") == 9 and rows[0][:1].isdigit()


def read(files: Sequence[File], every: Sequence[File], metrics: Sequence[str] = ()) -> Harvest:
    """Count by sentence how many words a system got right; sentences that a system splits otherwise are joined."""
    by_name = {name.casefold(): name for name in _METRICS}
    metric = by_name.get(metrics[0].casefold(), "") if metrics else "LAS"
    if not metric:
        raise UnknownNameError("metric of CoNLL-U", metrics[0], _METRICS)
    faults = Faults()
    notes: list[Finding] = []
    rows: list[tuple[str, str, str, int, int, int]] = []
    for gold_file, system_files in _groups(files, faults):
        with faults.of_file(gold_file):
            gold = _treebank(gold_file)
            banks: dict[str, _Treebank] = {}
            dataset = _dataset(gold_file)
            for file in system_files:
                with faults.of_file(file):
                    bank = _treebank(file)
                    _require_same_text(gold, bank)
                    name = _system(file, gold_file)
                    banks[name if name not in banks else f"{name} ({file.path.parent.name})"] = bank
            ends = sorted({*gold.ends}.intersection(*(bank.ends for bank in banks.values())))
            if len(ends) < len(gold.ends):
                message = (
                    f"Systems split sentences differently: {len(gold.ends):,} gold sentences are {len(ends):,} units."
                )
                notes.append(Finding("sentences-joined", "info", message, f"treebank {dataset!r}"))
            names = _unit_names(gold, ends)
            for name, bank in banks.items():
                counts = _counts(gold, bank, ends, metric)
                rows += [(name, dataset, unit, *count) for unit, count in zip(names, counts, strict=True)]
    if not rows:
        raise ReadingError(
            "no parsed file can be compared with its gold standard",
            where="; ".join(f"{name!r}: {why}" for name, why in list(faults.files.items())[:3]),
            remedy="parse the text of the gold standard, all of it; only spaces may differ",
        )
    columns = ["system", "dataset", "instance", "correct", "gold", "words"]
    table = pd.DataFrame.from_records(rows, columns=columns)
    by_words = bool((table["gold"] == table["words"]).all())
    counts_of = {"stat_correct": table["correct"], "stat_total": table["gold"]}
    if not by_words:
        right = table["correct"]
        counts_of = {"stat_tp": right, "stat_fp": table["words"] - right, "stat_fn": table["gold"] - right}
        message = f"Systems have other words than the gold standard; {metric} is the F1 of words, as in CoNLL 2018."
        notes.append(Finding("words-differ", "info", message))
    computed = {"LAS": "las", "UAS": "uas"}.get(metric, "accuracy") if by_words else "f1"
    return Harvest(
        name=NAME,
        frame=table[columns[:3]].assign(**counts_of),
        directions={computed: True},
        computed=computed,
        paired_on="sentence",
        nouns=("system", "treebank"),
        used=frozenset(file.name for file in files),
        findings=(*notes, *faults.findings()),
    )


def _groups(files: Sequence[File], faults: Faults) -> Iterator[tuple[File, list[File]]]:
    """Yield each gold file with the files of systems: all, or those of its folder or its name."""
    gold = [file for file in files if "gold" in re.split(r"[\W_]+", f"{file.path.parent.name} {file.stem}".casefold())]
    own = [file for file in gold if "gold" in re.split(r"[\W_]+", file.stem.casefold())]
    gold = own or gold
    rest = [file for file in files if file not in gold]
    if not gold or not rest:
        raise ReadingError(
            f"there is no {'file of a system' if gold else 'gold standard'} among these CoNLL-U files",
            where=listed([repr(file.name) for file in files], 3),
            remedy="give the parsed files as well"
            if gold
            else f"put 'gold' into the name of the gold file, such as gold-{files[0].path.name}",
        )
    groups: dict[File, list[File]] = {file: [] for file in gold}
    for file in rest:
        fits = [one for one in gold if one.path.parent == file.path.parent] or [
            one for one in gold if _dataset(one) in file.stem
        ]
        fits = gold if len(gold) == 1 else fits
        if len(fits) == 1:
            groups[fits[0]].append(file)
        else:
            faults.files[file.name] = "which gold file it belongs to cannot be told"
    yield from ((file, systems) for file, systems in groups.items() if systems)


def _dataset(gold: File) -> str:
    name = re.sub(r"(?i)[-_.]*gold[-_.]*", "", gold.stem)
    parent = gold.path.absolute().parent
    return name or (parent.parent if parent.name.casefold() == "gold" else parent).name or "treebank"


def _system(file: File, gold: File) -> str:
    """Return the name of the file without that of the treebank; of the folder where nothing else is left."""
    name = file.stem.replace(_dataset(gold), "").strip("-_. ")
    return name if re.search(r"[^\W\d_]", name) and name != "pred" else file.path.absolute().parent.name


def _unit_names(gold: _Treebank, ends: Sequence[int]) -> list[str]:
    names: dict[int, list[str]] = {}
    for name, end in zip(gold.ids, gold.ends, strict=True):
        names.setdefault(bisect_left(ends, end), []).append(name)
    return [ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}" for _, ids in sorted(names.items())]


def _counts(gold: _Treebank, bank: _Treebank, ends: Sequence[int], metric: str) -> list[tuple[int, int, int]]:
    """Return right words, gold words and words of the system, by unit."""
    aligned = dict(_alignment(gold.words, bank.words))
    units = [[0, 0, 0] for _ in ends]
    for place, words in ((1, gold.words), (2, bank.words)):
        for word in words:
            units[bisect_left(ends, word.end)][place] += 1
    for word, other in aligned.items():
        units[bisect_left(ends, other.end)][0] += _METRICS[metric](other, word, aligned)
    return [(right, n_gold, n_words) for right, n_gold, n_words in units]


def _alignment(gold: Sequence[_Word], words: Sequence[_Word]) -> Iterator[tuple[_Word, _Word]]:
    """Yield words of a system with those of the gold standard that they are."""
    regions: list[list[int]] = []
    for start, end in sorted({(word.start, word.end) for word in (*gold, *words) if word.multiword}):
        if regions and start < regions[-1][1]:
            regions[-1][1] = max(end, regions[-1][1])
        else:
            regions.append([start, end])
    starts = [start for start, _ in regions]
    inside: dict[int, tuple[list[_Word], list[_Word]]] = {}
    by_span: dict[tuple[int, int], _Word] = {}
    for side, bank in enumerate((gold, words)):
        for word in bank:
            place = bisect_left(starts, word.start + 1) - 1
            if place >= 0 and word.end <= regions[place][1]:
                inside.setdefault(place, ([], []))[side].append(word)
            elif side == 0:
                by_span[word.start, word.end] = word
            elif (word.start, word.end) in by_span:
                yield word, by_span[word.start, word.end]
    for of_gold, of_system in inside.values():
        yield from _longest_common(of_gold, of_system)


def _longest_common(gold: Sequence[_Word], words: Sequence[_Word]) -> Iterator[tuple[_Word, _Word]]:
    """Yield the longest common subsequence of forms, in any case."""
    forms = [[word.columns[1].lower() for word in side] for side in (gold, words)]
    n, m = len(gold), len(words)
    lengths = [[0] * (m + 1) for _ in range(n + 1)]
    for g in reversed(range(n)):
        for s in reversed(range(m)):
            same = 1 + lengths[g + 1][s + 1] if forms[0][g] == forms[1][s] else 0
            lengths[g][s] = max(lengths[g + 1][s], lengths[g][s + 1], same)
    g = s = 0
    while g < n and s < m:
        if forms[0][g] == forms[1][s]:
            yield words[s], gold[g]
            g, s = g + 1, s + 1
        elif lengths[g][s] == lengths[g + 1][s]:
            g += 1
        else:
            s += 1


def _treebank(file: File) -> _Treebank:
    """Return the words of a file.

    Raises
    ------
    ValueError
        If a line is not as CoNLL-U has it.
    """
    bank, characters, offset, span = _Treebank(), [], 0, (0, 0)
    sentence: list[_Word] = []
    name, until = "", 0
    for number, line in enumerate([*file.text.split("\n"), ""], start=1):
        text = line.rstrip("\r")
        if not text:
            if sentence:
                _end_sentence(bank, sentence, offset, name, number)
            sentence, name, until = [], "", 0
            continue
        if text.startswith("#"):
            key, _, value = text[1:].partition("=")
            name = value.strip() if key.strip() == "sent_id" else name
            continue
        columns = text.split("\t")
        if len(columns) != 10:
            raise ValueError(f"line {number:,} has {counted(len(columns), 'column')}, not 10")
        if "." in columns[0]:  # an empty node
            continue
        first, _, last = columns[0].partition("-")
        multiword = int(first) <= until and not last
        if not multiword:
            form = "".join(one for one in columns[1] if unicodedata.category(one) != "Zs")
            if not form:
                raise ValueError(f"line {number:,} has no form")
            characters.append(form)
            span = (offset, offset + len(form))
            offset += len(form)
        if last:
            until = int(last)
            continue
        if int(first) != len(sentence) + 1:
            raise ValueError(f"line {number:,} is word {first} where {len(sentence) + 1} belongs")
        if not columns[6].isdecimal():
            raise ValueError(f"line {number:,} has no number of a head")
        sentence.append(_Word(columns, *span, multiword))
    if not bank.words:
        raise ValueError("it holds no sentence")
    bank.characters = "".join(characters)
    return bank


def _end_sentence(bank: _Treebank, sentence: list[_Word], offset: int, name: str, number: int) -> None:
    for word in sentence:
        head = int(word.columns[6])
        if head > len(sentence):
            raise ValueError(f"the sentence that ends at line {number:,} has a head outside of it")
        word.parent = sentence[head - 1] if head else None
    bank.words += sentence
    bank.ends.append(offset)
    bank.ids.append(name or str(len(bank.ids) + 1))


def _require_same_text(gold: _Treebank, bank: _Treebank) -> None:
    if gold.characters != bank.characters:
        pairs = enumerate(zip(gold.characters, bank.characters, strict=False))
        place = next(
            (at for at, (one, other) in pairs if one != other), min(len(gold.characters), len(bank.characters))
        )
        sentence = gold.ids[min(bisect_left(gold.ends, place + 1), len(gold.ids) - 1)]
        raise ValueError(f"it holds another text than the gold file, from sentence {sentence!r} on")


TOOL = Tool(NAME, recognises, read, ("conllu", "universal-dependencies"), computes=True)
