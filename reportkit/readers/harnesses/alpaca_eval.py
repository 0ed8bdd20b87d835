"""AlpacaEval: `annotations.json`, preferences of an annotator between a model and a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import some
from reportkit.readers import json_content
from reportkit.readers.choosing import filter_taken, one_metric
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import FrameBuilder, unscored, without_rows
from reportkit.readers.json_content import BROKEN, member_of, score_at, shown, text_at
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request

METRIC = "win rate"

_NAMES = ("generator_2", "generator_1", "instruction")


@dataclass(slots=True)
class _Annotations:
    """What one annotator says of one model on one dataset, compared with one baseline."""

    ids: list[str] = field(default_factory=list)
    scores: list[float | None] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """Hashes of what the baseline answers."""


_Groups = dict[tuple[str, str, str, str], _Annotations]
"""By annotator, model, dataset and baseline."""


def read_alpaca_eval(files: Sequence[Source], request: Request) -> Reading:
    """Read annotations; the score is the probability that the model's answer is preferred to the baseline's."""
    one_metric(request, [METRIC], [METRIC])
    groups: _Groups = {}
    for done, source in enumerate(files, start=1):
        _read(source, groups)
        request.progress(done, len(files))
    systems: dict[str, set[str]] = {}
    for by, system, _, _ in groups:
        systems.setdefault(by, set()).add(system)
    if not systems:
        raise without_rows("annotation", f"{len(files):,} files of AlpacaEval")
    annotator, others, chosen = filter_taken(request, systems, "annotator")
    taken = {(system, data, base): said for (by, system, data, base), said in groups.items() if by == annotator}
    frame = FrameBuilder()
    for (system, dataset, _), said in taken.items():
        frame.add(system, dataset, said.ids, said.scores, metric=METRIC)
    if not len(frame):
        raise without_rows("annotation with a preference", f"annotator {annotator!r}")
    n_unscored = sum(said.scores.count(None) for said in taken.values())
    notes = [
        *chosen,
        *unscored(n_unscored, "the annotator's answer could not be parsed (preference null)"),
        *_baselines(taken),
    ]
    scored = [dataset for (_, dataset, _), said in taken.items() if any(score is not None for score in said.scores)]
    return Reading(
        frame=frame.frame(),
        format="AlpacaEval",
        metrics=dict.fromkeys(scored, (METRIC,)),
        filter=annotator,
        other_filters=others,
        filter_noun="annotator",
        paired_on="instruction",
        higher_is_better={METRIC: True},
        notes=tuple(notes),
        nouns=("model", "dataset"),
        n_files=len(files),
    )


def _read(source: Source, groups: _Groups) -> None:
    folder = source.path.parent
    for number, record in enumerate(member_of(source, json_content.document(source), list, "the whole file"), start=1):
        system, baseline, instruction = map(record.get, _NAMES) if isinstance(record, dict) else (None, None, None)
        texts = type(system) is type(baseline) is type(instruction) is str
        if not (texts and system and baseline and instruction):
            where = f"annotation {number:,}"
            member_of(source, record, dict, where)
            system, baseline, instruction = (text_at(source, record, key, where) for key in _NAMES)
        dataset = str(record.get("dataset") or "alpaca_eval")
        annotator = str(record.get("annotator") or folder.name or "annotator")
        if (said := groups.get((annotator, system, dataset, baseline))) is None:
            said = groups[annotator, system, dataset, baseline] = _Annotations()
        said.ids.append(instruction)
        said.scores.append(_score(source, record, number))
        said.answers.append(hash(str(record.get("output_1"))))


def _score(source: Source, record: dict[str, Any], number: int) -> float | None:
    """Probability that the second output, that of the model, is preferred; 0 stands for a draw."""
    preference: Any = record.get("preference")
    if type(preference) is float and 1 <= preference <= 2:  # as nearly always
        return preference - 1.0
    where = f"annotation {number:,}"
    if "preference" not in record:
        raise ReadingError(f"{source.name!r} holds an annotation without a preference", where=where, remedy=BROKEN)
    score = score_at(source, preference, where)
    if score is None:
        return None
    if score == 0:
        return 0.5
    if not 1 <= score <= 2:
        raise ReadingError(
            f"{source.name!r} holds {shown(preference)} as a preference",
            where=where,
            remedy="a preference is 1 (the baseline), 2 (the model), between the two, or 0 (a draw)",
        )
    return score - 1


def _baselines(taken: Mapping[tuple[str, str, str], _Annotations]) -> Iterator[Finding]:
    """Win rates compare only if all models were compared with the same answers of the same baseline."""
    by_baseline: dict[str, set[str]] = {}
    first: dict[tuple[str, str], _Annotations] = {}
    unequal: set[tuple[str, str, str]] = set()
    for (system, dataset, baseline), said in taken.items():
        by_baseline.setdefault(baseline, set()).add(system)
        same = first.setdefault((baseline, dataset), said)
        if (said.ids, said.answers) != (same.ids, same.answers):  # hardly ever
            known = dict(zip(same.ids, same.answers, strict=True))
            pairs = zip(said.ids, said.answers, strict=True)
            unequal |= {(baseline, dataset, name) for name, answer in pairs if known.get(name, answer) != answer}
    if len(by_baseline) > 1:
        yield Finding(
            "unequal-baselines",
            "warning",
            f"Models were compared with different baselines ({some(sorted(by_baseline))}); their win rates are not "
            "comparable.",
            where="; ".join(f"{name}: {some(sorted(systems))}" for name, systems in sorted(by_baseline.items())),
            remedy="annotate all models against the same reference outputs",
        )
    if unequal:
        yield Finding(
            "unequal-prompts",
            "warning",
            f"On {len(unequal):,} instructions the models were compared with different answers of the same baseline.",
            remedy="annotate all models against the same reference outputs",
        )


def can_read(head: bytes, path: Path) -> bool:
    """Whether a file holds annotations of pairs of outputs."""
    return head.lstrip().startswith(b"[") and b'"generator_2"' in head and b'"instruction"' in head


ALPACA_EVAL = Harness(
    name="AlpacaEval",
    endings=(".json",),
    read=read_alpaca_eval,
    can_read=can_read,
    taken=Taken(
        files="`annotations.json`",
        system="`generator_2`",
        dataset="`dataset`, the source of the instruction; `alpaca_eval` if it is not there",
        instance="`instruction`",
        run="–",
        metric="`preference` − 1, the probability that the model is preferred; a draw (0) is .5",
        refused="several annotators (`--filter`); preferences outside of [1, 2]; what is null is left out. "
        "Length-controlled win rates are fits of a model, not means",
    ),
)
