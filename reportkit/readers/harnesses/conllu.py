"""CoNLL-U: parsed files beside the gold standard, as sums of words by sentence; the metrics are ratios of sums."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, some
from reportkit.readers.choosing import one_metric
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import long_frame
from reportkit.readers.harnesses.names import distinct_names, folder_name
from reportkit.readers.json_content import shown
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, shell

_CONTENT = frozenset(
    (
        *(
            "nsubj",
            "obj",
            "iobj",
            "csubj",
            "ccomp",
            "xcomp",
            "obl",
            "vocative",
            "expl",
            "dislocated",
            "advcl",
            "advmod",
        ),
        *("discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed", "flat", "compound", "list"),
        *("parataxis", "orphan", "goeswith", "reparandum", "root", "dep"),
    )
)
"""Relations of content words, of the CoNLL 2018 shared task."""

_UNIVERSAL = frozenset(
    (
        *(
            "PronType",
            "NumType",
            "Poss",
            "Reflex",
            "Foreign",
            "Abbr",
            "Gender",
            "Animacy",
            "Number",
            "Case",
            "Definite",
        ),
        *("Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite"),
    )
)
"""Features that are compared, of the CoNLL 2018 shared task."""


@dataclass(slots=True, eq=False)
class _Word:
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    relation: str
    start: int
    end: int
    multiword: bool
    parent: _Word | None = None

    @property
    def content(self) -> bool:
        return self.relation in _CONTENT


@dataclass(slots=True)
class _Treebank:
    """A file: its characters without space, its words, and where its sentences end among the characters."""

    name: str
    characters: str = ""
    words: list[_Word] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)


_Aligned = Mapping[_Word, _Word]
"""Words of a system to those of the gold standard that they are aligned with."""


def _same_head(gold: _Word, word: _Word, aligned: _Aligned) -> bool:
    return gold.parent is (None if word.parent is None else aligned.get(word.parent, word))


_METRICS: Mapping[str, Callable[[_Word, _Word, _Aligned], bool]] = {
    "LAS": lambda gold, word, aligned: _same_head(gold, word, aligned) and gold.relation == word.relation,
    "UAS": _same_head,
    "CLAS": lambda gold, word, aligned: _same_head(gold, word, aligned) and gold.relation == word.relation,
    "UPOS": lambda gold, word, _: gold.upos == word.upos,
    "XPOS": lambda gold, word, _: gold.xpos == word.xpos,
    "UFeats": lambda gold, word, _: gold.feats == word.feats,
    "AllTags": lambda gold, word, _: (gold.upos, gold.xpos, gold.feats) == (word.upos, word.xpos, word.feats),
    "Lemmas": lambda gold, word, _: gold.lemma in ("_", word.lemma),
}

_CORPUS_METRICS = {"LAS": "las", "UAS": "uas"}
"""Those with a name of their own among the metrics of sums; the others are accuracies."""


def read_conllu(files: Sequence[Source], request: Request) -> Reading:
    """Count by sentence how many words a system got right, aligned as in the CoNLL 2018 shared task."""
    metric, others, notes = one_metric(request, _METRICS, ["LAS"], any_case=True)
    groups = _groups(files)
    rows: dict[str, list[object]] = {
        name: [] for name in ("system", "dataset", "instance", "correct", "total", "tp", "fp", "fn")
    }
    done = 0
    counted_groups = []
    for dataset, (gold_file, system_files) in groups.items():
        gold = _treebank(gold_file)
        paths = [source.plain_path for source in system_files]
        systems = distinct_names([_system(path, gold_file.plain_path) for path in paths], paths)
        parsed = []
        for source in system_files:
            parsed.append(_treebank(source))
            _refuse_other_text(gold, parsed[-1])
            done += 1
            request.progress(done + len(groups), len(files))
        ends = sorted({*gold.ends}.intersection(*(bank.ends for bank in parsed)))
        if len(ends) < len(gold.ends):
            notes.append(_merged(dataset, len(gold.ends), len(ends)))
        names = _names_of_blocks(gold, ends)
        for system, bank in zip(systems, parsed, strict=True):
            counted_groups.append((system, dataset, names, _counts(gold, bank, ends, metric)))
    by_words = all(n_gold == n_words for *_, counts in counted_groups for _, n_gold, n_words in counts)
    for system, dataset, names, counts in counted_groups:
        for name, (correct, n_gold, n_words) in zip(names, counts, strict=True):
            values = (correct, n_gold, None, None, None) if by_words else (
                None, None, correct, n_words - correct, n_gold - correct,
            )  # fmt: skip
            for column, value in zip(rows, (system, dataset, name, *values), strict=True):
                rows[column].append(value)
    if not by_words:
        notes.append(_as_f1(metric))
    corpus_metric = _CORPUS_METRICS.get(metric, "accuracy") if by_words else "f1"
    return Reading(
        frame=long_frame(rows),
        format="CoNLL-U",
        metrics=dict.fromkeys(groups, (metric,)),
        computed=corpus_metric,
        other_metrics=others,
        paired_on="sentence",
        higher_is_better={corpus_metric: True},
        notes=tuple(notes),
        nouns=("system", "treebank"),
        n_files=len(files),
    )


def _merged(dataset: str, n_gold: int, n_kept: int) -> Finding:
    return Finding(
        "sentences-joined",
        "info",
        f"Systems split sentences differently; where they do, sentences are taken together: {n_gold:,} gold "
        f"sentences are {n_kept:,} units.",
        where=f"treebank {dataset!r}",
    )


def _as_f1(metric: str) -> Finding:
    return Finding(
        "words-differ",
        "info",
        f"Systems have other words than the gold standard{', or other content words' if metric == 'CLAS' else ''}; "
        f"{metric} is the F1 of words, as in the CoNLL 2018 shared task.",
    )


def _groups(files: Sequence[Source]) -> dict[str, tuple[Source, list[Source]]]:
    """Treebank to its gold file and the files of systems."""
    gold = [source for source in files if _is_gold(source.plain_path)]
    rest = [source for source in files if source not in gold]
    if not gold or not rest:
        absent = "gold standard" if not gold else "file of a system"
        first = files[0]
        renamed = first.path.with_name(f"gold-{first.path.name}")
        raise ReadingError(
            f"there is no {absent} among {counted(len(files), 'CoNLL-U file')}",
            where=some([source.name for source in files]),
            remedy="the name of the gold file, or of its folder, has to say so: put 'gold' into it, such as\n"
            f"mv {shell(first.name)} {shell(str(renamed))}"
            if not gold
            else "give the parsed files as well: reportkit build gold.conllu system1.conllu system2.conllu",
        )
    if len(gold) == 1:
        return {_dataset(gold[0].plain_path): (gold[0], rest)}
    groups: dict[str, tuple[Source, list[Source]]] = {
        name: (source, [])
        for name, source in zip(
            distinct_names([_dataset(one.plain_path) for one in gold], [one.plain_path for one in gold]),
            gold,
            strict=True,
        )
    }
    for source in rest:
        fits = [name for name, (one, _) in groups.items() if one.path.parent == source.path.parent] or [
            name for name, (one, _) in groups.items() if _treebank_part(one.plain_path) in source.plain_path.stem
        ]
        if len(fits) != 1:
            raise ReadingError(
                f"which gold file {source.name!r} belongs to cannot be told",
                where=f"gold files: {some([one.name for one, _ in groups.values()])}",
                remedy="put the gold file and the files of systems of each treebank into a folder of its own",
            )
        groups[fits[0]][1].append(source)
    return {name: (one, systems) for name, (one, systems) in groups.items() if systems}


def _is_gold(path: Path) -> bool:
    return "gold" in re.split(r"[\W_]+", path.stem.casefold()) or path.parent.name.casefold() == "gold"


def _treebank_part(path: Path) -> str:
    return re.sub(r"[-_.]?gold[-_.]?", "", path.stem, flags=re.IGNORECASE)


def _dataset(path: Path) -> str:
    return _treebank_part(path) or folder_name(path, "treebank")


def _system(path: Path, gold: Path) -> str:
    """Name of the file without that of the treebank; that of the folder if nothing is left."""
    treebank = _treebank_part(gold)
    name = path.stem.replace(treebank, "") if treebank else path.stem
    return name.strip("-_. ") or folder_name(path, path.stem)


def _names_of_blocks(gold: _Treebank, ends: Sequence[int]) -> list[str]:
    names = []
    first = 0
    for end in ends:
        last = bisect_left(gold.ends, end)
        names.append("+".join(gold.ids[first : last + 1]))
        first = last + 1
    return names


def _counts(gold: _Treebank, bank: _Treebank, ends: Sequence[int], metric: str) -> list[tuple[int, int, int]]:
    """Per block: words that are right, words of the gold standard, words of the system."""
    kept: Callable[[_Word], bool] = (lambda word: word.content) if metric == "CLAS" else (lambda word: True)
    aligned = dict(_alignment(gold.words, bank.words))
    right = _METRICS[metric]
    blocks = [[0, 0, 0] for _ in ends]
    for word, of_gold in aligned.items():
        if kept(of_gold) and right(of_gold, word, aligned):
            blocks[bisect_left(ends, of_gold.end)][0] += 1
    for place, words in ((1, gold.words), (2, bank.words)):
        for word in filter(kept, words):
            blocks[bisect_left(ends, word.end)][place] += 1
    return [(correct, n_gold, n_words) for correct, n_gold, n_words in blocks]


def _alignment(gold: Sequence[_Word], words: Sequence[_Word]) -> Iterator[tuple[_Word, _Word]]:
    """Words of a system with those of the gold standard: of the same characters, or forms."""
    regions = _regions(sorted({(word.start, word.end) for word in (*gold, *words) if word.multiword}))
    starts = [start for start, _ in regions]

    def region_of(word: _Word) -> int:
        place = bisect_left(starts, word.start + 1) - 1
        return place if place >= 0 and word.end <= regions[place][1] else -1

    inside: list[tuple[list[_Word], list[_Word]]] = [([], []) for _ in regions]
    by_span = {}
    for word in gold:
        if (place := region_of(word)) >= 0:
            inside[place][0].append(word)
        else:
            by_span[word.start, word.end] = word
    for word in words:
        if (place := region_of(word)) >= 0:
            inside[place][1].append(word)
        elif (word.start, word.end) in by_span:
            yield word, by_span[word.start, word.end]
    for of_gold, of_system in inside:
        yield from _longest_common(of_gold, of_system)


def _regions(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    regions: list[tuple[int, int]] = []
    for start, end in spans:
        if regions and start < regions[-1][1]:
            regions[-1] = (regions[-1][0], max(end, regions[-1][1]))
        else:
            regions.append((start, end))
    return regions


def _longest_common(gold: Sequence[_Word], words: Sequence[_Word]) -> Iterator[tuple[_Word, _Word]]:
    """The longest common subsequence of forms, in any case."""
    lengths = [[0] * (len(words) + 1) for _ in range(len(gold) + 1)]
    same = [[one.form.lower() == other.form.lower() for other in words] for one in gold]
    for g in reversed(range(len(gold))):
        for s in reversed(range(len(words))):
            longest = max(lengths[g + 1][s], lengths[g][s + 1])
            lengths[g][s] = max(longest, 1 + lengths[g + 1][s + 1]) if same[g][s] else longest
    g = s = 0
    while g < len(gold) and s < len(words):
        if same[g][s]:
            yield words[s], gold[g]
            g, s = g + 1, s + 1
        elif lengths[g][s] == lengths[g + 1][s]:
            g += 1
        else:
            s += 1


def _treebank(source: Source) -> _Treebank:
    bank = _Treebank(source.name)
    characters: list[str] = []
    offset = 0
    sentence: list[_Word] = []
    name = ""
    until = 0
    span = (0, 0)
    number = 0
    for number, line in source.lines():
        text = _decoded(source, number, line)
        if not text:
            if sentence:
                _end_sentence(source, bank, sentence, offset, name, number)
            sentence, name, until = [], "", 0
            continue
        if text.startswith("#"):
            if text[1:].strip().startswith("sent_id") and "=" in text:
                name = text.partition("=")[2].strip()
            continue
        columns = text.split("\t")
        if len(columns) != 10:
            raise ReadingError(
                f"a line of {source.name!r} has {counted(len(columns), 'column')}, not 10",
                where=f"line {number:,}: {shown(text)}",
                remedy="CoNLL-U has 10 columns with a tab between them",
            )
        if "." in columns[0]:  # an empty node
            continue
        first, _, last = columns[0].partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not last)):
            raise ReadingError(f"{source.name!r} holds {shown(columns[0])} as an id", where=f"line {number:,}")
        multiword = int(first) <= until and not last
        if not multiword:
            form = "".join(one for one in columns[1] if unicodedata.category(one) != "Zs")
            if not form:
                raise ReadingError(f"{source.name!r} holds a token without a form", where=f"line {number:,}")
            characters.append(form)
            span = (offset, offset + len(form))
            offset += len(form)
        if last:
            until = int(last)
            continue
        if int(first) != len(sentence) + 1:
            raise ReadingError(
                f"{source.name!r} holds the word {shown(columns[0])} where {len(sentence) + 1} belongs",
                where=f"line {number:,}",
                remedy="number the words of each sentence from 1; end each sentence with an empty line",
            )
        sentence.append(_word(source, number, columns, span, multiword))
    if sentence:
        _end_sentence(source, bank, sentence, offset, name, number)
    if not bank.words:
        raise ReadingError(f"{source.name!r} holds no sentence", remedy="give a file with words")
    bank.characters = "".join(characters)
    return bank


def _decoded(source: Source, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ReadingError(
            f"{source.name!r} is not UTF-8", where=f"line {number:,}", remedy="save it as UTF-8"
        ) from None


def _word(source: Source, number: int, columns: Sequence[str], span: tuple[int, int], multiword: bool) -> _Word:
    if not columns[6].isdecimal():
        raise ReadingError(
            f"{source.name!r} holds {shown(columns[6])} as a head",
            where=f"line {number:,}",
            remedy="each word needs the number of its head, 0 for the root",
        )
    features = sorted(one for one in columns[5].split("|") if one.partition("=")[0] in _UNIVERSAL)
    return _Word(
        columns[1], columns[2], columns[3], columns[4], "|".join(features), int(columns[6]),
        columns[7].partition(":")[0], *span, multiword,
    )  # fmt: skip


def _end_sentence(source: Source, bank: _Treebank, sentence: list[_Word], offset: int, name: str, number: int) -> None:
    for word in sentence:
        if word.head > len(sentence):
            raise ReadingError(
                f"a head is outside of its sentence in {source.name!r}",
                where=f"sentence that ends at line {number:,}: head {word.head} of {len(sentence)} words",
            )
        word.parent = sentence[word.head - 1] if word.head else None
    bank.words += sentence
    bank.ends.append(offset)
    bank.ids.append(name or str(len(bank.ids) + 1))


def _refuse_other_text(gold: _Treebank, bank: _Treebank) -> None:
    if gold.characters == bank.characters:
        return
    pairs = zip(gold.characters, bank.characters, strict=False)
    place = next((place for place, (one, other) in enumerate(pairs) if one != other), None)
    place = min(len(gold.characters), len(bank.characters)) if place is None else place
    sentence = gold.ids[min(bisect_left(gold.ends, place + 1), len(gold.ids) - 1)]
    raise ReadingError(
        f"{bank.name!r} and the gold file {gold.name!r} hold different texts",
        where=f"from sentence {sentence!r} on: {shown(bank.characters[place : place + 20])} for "
        f"{shown(gold.characters[place : place + 20])}",
        remedy="parse the text of the gold standard, all of it; only spaces may differ",
    )


def can_read(head: bytes, path: Path) -> bool:
    """Whether the lines of a file have the ten columns of CoNLL-U."""
    for line in head.splitlines():
        if line.strip() and not line.startswith(b"#"):
            return line.count(b"\t") == 9 and line[:1].isdigit()
    return False


CONLLU = Harness(
    name="CoNLL-U",
    endings=(".conllu", ".conll"),
    read=read_conllu,
    can_read=can_read,
    taken=Taken(
        files="gold file (with `gold` in its name or that of its folder) and parsed files",
        system="name of the file or of the folder",
        dataset="name of the gold file",
        instance="`sent_id`; sentences that a system splits differently are taken together",
        run="–",
        metric="`LAS`, computed from sums over sentences; `UAS`, `CLAS`, `UPOS`, `XPOS`, `UFeats`, `AllTags`, `Lemmas`",
        refused="files without a gold file; another text than that of the gold file",
    ),
)
