"""Read the files of one tool as logs: one evaluation of one system on one dataset, sample by sample."""

from __future__ import annotations

import fnmatch
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from reportkit.errors import ReadingError
from reportkit.finding import Finding, Severity
from reportkit.harnesses.file import File, Outline
from reportkit.harnesses.values import MALFORMED, number
from reportkit.language import counted, listed

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")


class Sample(NamedTuple):
    """Scores of one answer: id of the question, metric to score, run, text of the question, filter."""

    instance: str
    scores: Mapping[str, float | None]
    run: str = ""
    question: str = ""
    filter: str = ""


@dataclass(slots=True, eq=False)
class Log:
    """One evaluation of one system on one dataset.

    Parameters
    ----------
    system, dataset : str
    file : File
    samples : sequence of Sample
    date : str
        Sorts evaluations of the same system on the same dataset.
    settings, variants : mapping of str to object
        What tells two systems of one name apart (arguments of the model), and two datasets (arguments of the task).
    facts : mapping of str to object
        What has to be the same for all systems of a dataset: its version, the number of examples.
    higher : mapping of str to bool
        Metric to whether higher is better, where the file says it.
    main : sequence of str
        Metrics that the file calls the main ones.
    """

    system: str
    dataset: str
    file: File
    samples: Sequence[Sample]
    date: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    variants: Mapping[str, object] = field(default_factory=dict)
    facts: Mapping[str, object] = field(default_factory=dict)
    higher: Mapping[str, bool] = field(default_factory=dict)
    main: Sequence[str] = ()


def logs_of(file: File, rows: Iterable[tuple[str, str, Sample]], *, trials: bool = False, **about: Any) -> list[Log]:
    """Return the logs of a file whose records say their systems and datasets; several trials of an instance are runs.

    Parameters
    ----------
    file : File
        The file.
    rows : iterable of (str, str, Sample)
        System, dataset and sample of each record.
    trials : bool
        Whether an instance may occur several times.
    **about
        Further fields of each `Log`.
    """
    by: dict[tuple[str, str], list[Sample]] = {}
    for system, dataset, sample in rows:
        by.setdefault((system, dataset), []).append(sample)
    return [
        Log(system, dataset, file, numbered(samples) if trials else samples, **about)
        for (system, dataset), samples in by.items()
    ]


def numbered(samples: Sequence[Sample]) -> list[Sample]:
    """Number the trials of each instance as runs, in their order."""
    trials: defaultdict[str, count[int]] = defaultdict(lambda: count(1))
    return [sample._replace(run=str(next(trials[sample.instance]))) for sample in samples]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Harvest:
    """Scores as a tool wrote them, by all its metrics.

    Parameters
    ----------
    name : str
        Name of the tool: "lm-evaluation-harness".
    frame : DataFrame
        One row per score: `system`, `dataset`, `instance`, `metric`, `score`. Optional columns: `run` (epoch or repeat
        of the same instance), `cluster`, `filter` (one of several readings of the same answer: a filter of lm-eval, a
        split of MTEB). Names and ids are texts, scores are float64 and never NaN. Without a column `instance` there is
        one score per system and dataset; `n` and `k` may then hold the number of instances and of right ones. Instead
        of `metric` and `score`, columns `stat_...` may hold the counts of a metric of a corpus, which `computed` names.
    directions : mapping of str to bool
        Metric to whether higher is better, where the tool says it.
    main : mapping of str to str
        Dataset to the metric that is taken where the user names none; empty if the tool does not say.
    filter : str
        Filter that is taken where the user names none.
    computed : str
        Metric that is computed from columns of counts.
    paired_on : str
        What says that two systems answered the same question: "doc_hash".
    nouns : (str, str)
        What a system and a dataset are called: ("model", "task").
    used : frozenset of str
        Names of the files that were read; the others are named by a finding of the reader.
    findings : tuple of Finding
        What was left out, what is unequal; a bad file, sample or system is left out with a warning.
    """

    name: str
    frame: pd.DataFrame
    directions: Mapping[str, bool] = field(default_factory=dict)
    main: Mapping[str, str] = field(default_factory=dict)
    filter: str = ""
    computed: str = ""
    paired_on: str = ""
    nouns: tuple[str, str] = ("model", "task")
    used: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True, eq=False)
class Batch:
    """The files of one tool while they are read, and what is left out of them.

    Parameters
    ----------
    files : sequence of File
        Those of the tool, in the order of their paths.
    every : sequence of File
        All that the user gave.
    metrics : sequence of str
        What the user asks for, where metrics are computed while reading (TREC runs, texts, treebanks).
    """

    files: Sequence[File]
    every: Sequence[File]
    metrics: Sequence[str] = ()
    notes: list[Finding] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    _samples: dict[str, list[str]] = field(default_factory=dict)
    _no_numbers: dict[str, None] = field(default_factory=dict)
    _documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    _folders: dict[Path, dict[str, File]] = field(default_factory=dict)
    _listed: set[Path] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Sort the files by folder."""
        self.used |= {file.name for file in self.files} | {*self.left_out}
        for file in self.every:
            self._folders.setdefault(file.path.parent, {})[file.path.name.lower()] = file

    @contextmanager
    def reading(self, file: File) -> Iterator[None]:
        """Leave a file out where reading it fails."""
        self.used.add(file.name)
        try:
            yield
        except MALFORMED as error:
            self.left_out[file.name] = _said(error)
        finally:
            file.forget()

    def logs(self, read: Callable[[File, Batch], Iterable[Log]], files: Iterable[File] | None = None) -> list[Log]:
        """Return the logs of each file, of all that are not left out."""
        found: list[Log] = []
        for file in self.files if files is None else files:
            with self.reading(file):
                found += list(read(file, self))
        return found

    def documents(self, folder: Path, pattern: str, key: str = "") -> list[tuple[File, dict[str, Any]]]:
        """Return files of a folder whose names fit, ignoring case, with their JSON, whether or not the user gave them.

        Parameters
        ----------
        folder : Path
        pattern : str
            In lower case: "results_*.json".
        key : str
            Key of a list or an object, without which a file is left out.
        """
        there = self._folders.setdefault(folder, {})
        if folder not in self._listed and folder.is_dir():
            there |= {path.name.lower(): File(path, path.read_bytes) for path in folder.iterdir()} | there
        self._listed.add(folder)
        names = sorted(fnmatch.filter(there, pattern)) if "*" in pattern else [pattern]
        found = []
        for file in filter(None, map(there.get, names)):
            if file.name not in self._documents and file.name not in self.left_out:
                with self.reading(file):
                    content = file.document()
                    if key:
                        iter(content[key])
                    self._documents[file.name] = content
            found += [(file, self._documents[file.name])] if file.name in self._documents else []
        return found

    def each(self, file: File, read: Callable[[Any], T], items: Iterable[Any] | None = None) -> list[T]:
        """Read each record of a file, or each item; those that cannot be read are noted and left out.

        Raises
        ------
        ReadingError
            If there is no record that can be read.
        """
        found, failed = [], False
        for place, record in file.records() if items is None else enumerate(items, start=1):
            try:
                if isinstance(record, Exception):
                    raise record
                found.append(read(record))
            except MALFORMED as error:
                failed = True
                self.sample(file, f"record {place:,}", error)
        if failed and not found:
            raise ReadingError(f"no record can be read: {self.first_fault(file)}")
        return found

    def sample(self, file: File, name: object, error: object) -> None:
        """Note that one sample, or one of its scores, was left out."""
        said = _said(error) if isinstance(error, Exception) else error
        self._samples.setdefault(file.name, []).append(f"{name}: {said}")

    def first_fault(self, file: File) -> str:
        """Return what was left out of a file first, and forget it; empty if the file is whole."""
        return self._samples.pop(file.name, [""])[0]

    def numbers(
        self, file: File, name: object, values: Mapping[str, Any], words: Mapping[str, float] | None = None
    ) -> dict[str, float | None]:
        """Return scores by metric; a value that stands for no number is noted, and left out."""
        found = {}
        for metric, value in values.items():
            if isinstance(value, (list, tuple, dict)):
                self._no_numbers[metric] = None
                continue
            try:
                found[metric] = number(value, words)
            except MALFORMED as error:
                self.sample(file, f"{name}, {metric}", error)
        return found

    def note(
        self,
        code: str,
        message: str,
        names: Iterable[str] | Mapping[str, int] | None = None,
        remedy: str = "",
        severity: Severity = "warning",
    ) -> None:
        """Note what the user has to know, with the first names that it is about; nothing where there are none."""
        if isinstance(names, Mapping):
            names = [f"{name} ({n:,})" for name, n in names.items() if n]
        where = listed(names or (), 5)
        if where or names is None:
            self.notes.append(Finding(code, severity, message, where, remedy))

    def note_left_out(self) -> None:
        """Note files, samples and metrics that were left out while reading."""
        if self.left_out:
            message = f"{counted(len(self.left_out), 'file')} left out: not complete, or damaged."
            where = "; ".join(f"{name!r}: {why}" for name, why in list(self.left_out.items())[:5])
            self.notes.append(Finding("files-left-out", "warning", message, where, "copy or write these files again"))
        if n := sum(map(len, self._samples.values())):
            where = "; ".join(f"{name!r}: {listed(said, 2)}" for name, said in list(self._samples.items())[:5])
            self.notes.append(Finding("samples-left-out", "warning", f"{counted(n, 'sample')} left out.", where))
        message = "Metrics whose values are not numbers, as they are computed from all samples at once, were left out."
        self.note("no-instance-scores", message, list(self._no_numbers), severity="info")

    def refusal(self, problem: str, remedy: str) -> ReadingError:
        """Return an error that nothing can be read, with the first files that were left out."""
        where = "; ".join(f"{file!r}: {why}" for file, why in list(self.left_out.items())[:3])
        return ReadingError(problem, where=where, remedy=remedy)


def _said(error: Exception) -> str:
    if isinstance(error, ReadingError):
        return error.problem + (f" ({error.where})" if error.where else "")
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is absent"
    return " ".join(str(error).split())[:160] or type(error).__name__


@dataclass(frozen=True, slots=True)
class Tool:
    """An evaluation tool.

    Parameters
    ----------
    name : str
    recognises : callable
        Tells from a file and its outline whether the tool wrote it.
    read : callable
        Returns the logs of its files, or a finished `Harvest`; None if they are better read as tables.
    paired_on, question : str
        What the ids of samples are called (empty if they have none), and what pairs samples where ids do not.
    nouns : (str, str)
        What a system and a dataset are called.
    main : tuple of str or None
        The metrics that are taken first, after those of the logs; None if the user has to choose one of several.
    filters : tuple of str
        The filters that are taken first.
    higher : bool or None
        The direction of all metrics, where the logs do not say it.
    runs : str
        What a run is called.
    cluster : callable, optional
        Id of a sample to that of its cluster.
    """

    name: str
    recognises: Callable[[File, Outline], bool]
    read: Callable[[Batch], Sequence[Log] | Harvest | None]
    paired_on: str = ""
    question: str = "question"
    nouns: tuple[str, str] = ("model", "task")
    main: tuple[str, ...] | None = ()
    filters: tuple[str, ...] = ()
    higher: bool | None = None
    runs: str = "run"
    cluster: Callable[[str], str] | None = None
