"""The counts of BLEU, chrF and TER from texts, by sacreBLEU (the extra [sacrebleu])."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from reportkit.errors import InputError, SettingsError, UnknownNameError
from reportkit.metrics.corpus import CORPUS_METRICS, corpus_metric_named

if TYPE_CHECKING:
    import pandas as pd

INSTALL = 'pip install "reportkit-replic[sacrebleu]"'


_TER = ("normalized", "no_punct", "asian_support", "case_sensitive")
_OPTIONS: Mapping[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "bleu": ("BLEU", ("tokenize", "lowercase"), {}),
    "chrf": ("CHRF", ("lowercase", "whitespace"), {}),
    "chrf++": ("CHRF", ("lowercase", "whitespace"), {"word_order": 2}),
    "ter": ("TER", _TER, {}),
}
"""By metric: its class in sacreBLEU, the options that change the counts, and the fixed options."""

METRICS_OF_TEXTS = tuple(_OPTIONS)
"""Metrics whose counts can be taken from texts."""


def statistics_from_texts(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str] | Sequence[Sequence[str | None]],
    *,
    dataset: str,
    metric: str = "bleu",
    instances: Sequence[object] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Count what BLEU, chrF or TER is computed from, segment by segment.

    The frame is in long form, so that `frame.replic.compare(..., metric="bleu")` or, written to a file,
    `reportkit build FILE --metric bleu` computes the metric of the whole dataset and tests its differences. Frames of
    several datasets are put together with `pandas.concat`.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        Name of each system to its outputs, one per segment.
    references : sequence of str, or sequence of sequences of str
        One reference per segment; or several such sequences, in which None stands for no further reference.
    dataset : str
        Name of the test set.
    metric : {"bleu", "chrf", "chrf++", "ter"}
        What is counted.
    instances : sequence, optional
        Ids of the segments; 1, 2, ... if not given.
    **options
        Of sacreBLEU. BLEU: `tokenize` (13a by default) and `lowercase`; chrF: `lowercase` and `whitespace`; TER:
        `normalized`, `no_punct`, `asian_support` and `case_sensitive`.

    Returns
    -------
    DataFrame
        Columns `system`, `dataset`, `instance` and the counts of the metric; one row per system and segment.

    Raises
    ------
    InputError
        If numbers of segments differ, or a segment is not a text.
    SettingsError
        If sacreBLEU is not installed, or there is no such metric, option or tokenizer.

    Notes
    -----
    Summed over the segments, the counts are those that `sacrebleu.metrics.BLEU().corpus_score` computes BLEU from, and
    so for the others: Post (2018), "A Call for Clarity in Reporting BLEU Scores".

    Examples
    --------
    >>> texts = {"new": ["The cat sat on the mat ."], "old": ["A cat sat ."]}
    >>> frame = statistics_from_texts(texts, ["The cat sat on a mat ."], dataset="toy")  # doctest: +SKIP
    >>> frame[["system", "hyp_len", "ref_len", "correct1", "correct2"]]  # doctest: +SKIP
      system  hyp_len  ref_len  correct1  correct2
    0    new        7        7         6         4
    1    old        4        7         3         1
    """
    import pandas as pd

    known = corpus_metric_named(metric)
    columns = () if known is None else known.columns
    found = next((name for name in _OPTIONS if CORPUS_METRICS[name].columns == columns), None)
    if found is None:
        raise UnknownNameError("metric of texts", metric, METRICS_OF_TEXTS)
    streams = _streams(references)
    _check_segments(systems, streams, instances)
    scorer = _scorer(found, options, streams)
    numbers = range(1, len(streams[0]) + 1) if instances is None else list(instances)
    frames = []
    for system, outputs in systems.items():
        counts = scorer._extract_corpus_statistics(list(outputs), None)  # as its own significance tests do
        frame = pd.DataFrame(counts, columns=list(columns))
        frame.insert(0, "system", system)
        frame.insert(1, "dataset", dataset)
        frame.insert(2, "instance", numbers)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def _streams(references: Sequence[Any]) -> list[Sequence[Any]]:
    if isinstance(references, str) or not references:
        raise InputError(
            "references are one text, not a sequence of texts" if references else "there are no references",
            remedy="give one reference per segment, in a list",
        )
    streams = [references] if references[0] is None or isinstance(references[0], str) else list(references)
    if any(isinstance(stream, str) or stream is None for stream in streams):
        raise InputError(
            "references are both texts and sequences of texts", remedy="give one list of texts, or a list of such lists"
        )
    return streams


def _check_segments(
    systems: Mapping[str, Sequence[str]], streams: Sequence[Sequence[Any]], instances: Sequence[object] | None
) -> None:
    if not systems:
        raise InputError("there are no outputs of systems", remedy='give them by name: {"new": [...], "old": [...]}')
    for system, outputs in systems.items():
        if isinstance(outputs, str):
            raise InputError(f"the outputs of {system!r} are one text", remedy="give one text per segment, in a list")
    named = "reference {}" if len(streams) > 1 else "the reference"
    sizes = {named.format(number): len(stream) for number, stream in enumerate(streams, 1)}
    sizes |= {f"system {system!r}": len(outputs) for system, outputs in systems.items()}
    if instances is not None:
        sizes["instances"] = len(instances)
    if len(set(sizes.values())) > 1:
        raise InputError(
            "texts have different numbers of segments",
            where=", ".join(f"{name}: {size:,}" for name, size in sizes.items()),
            remedy="give the same segments in the same order to all; a system without an output has an empty text",
        )
    if not len(streams[0]):
        raise InputError("there are no segments", remedy="give at least one text per system and reference")
    for system, outputs in systems.items():
        _refuse_other(f"system {system!r}", outputs, missing=False)
    for number, stream in enumerate(streams, 1):
        _refuse_other(f"reference {number}", stream, missing=len(streams) > 1)
    for segment, texts in enumerate(zip(*streams, strict=True), 1):
        if all(text is None for text in texts):
            raise InputError(
                "a segment has no reference", where=f"segment {segment}", remedy="give one reference at least"
            )


def _refuse_other(name: str, texts: Iterable[object], *, missing: bool) -> None:
    for segment, text in enumerate(texts, 1):
        if not isinstance(text, str) and not (missing and text is None):
            raise InputError(
                f"a segment is {text!r}, not a text",
                where=f"{name}, segment {segment}",
                remedy="give an empty text '' where there is no output",
            )


def _scorer(metric: str, options: Mapping[str, Any], streams: Sequence[Sequence[Any]]) -> Any:
    title, (name, allowed, fixed) = CORPUS_METRICS[metric].title, _OPTIONS[metric]
    for option in options:
        if option not in allowed:
            raise UnknownNameError(f"option of {title}", option, allowed)
    try:
        metrics = import_module("sacrebleu.metrics")
    except ImportError as error:
        raise SettingsError(
            f"{title} of texts is counted by sacreBLEU, which is not installed", remedy=INSTALL
        ) from error
    tokenizer = options.get("tokenize")
    if tokenizer is not None and tokenizer not in metrics.BLEU.TOKENIZERS:
        raise UnknownNameError("tokenizer of sacreBLEU", tokenizer, metrics.BLEU.TOKENIZERS)
    try:
        return getattr(metrics, name)(**fixed, **options, references=streams)
    except (ImportError, RuntimeError) as error:  # a tokenizer that needs more packages, or a download
        said = " ".join(str(error).split())
        raise SettingsError(f"sacreBLEU cannot be set up: {said}", remedy="install what it names") from error
