"""AlpacaEval: `annotations.json`, preferences of an annotator between a model and a baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.readers import json_content
from reportkit.readers.choosing import filter_taken, one_metric
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import FrameBuilder, unscored, without_rows
from reportkit.readers.json_content import BROKEN, member_of, score_at, shown, text_at
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, listed

METRIC = "win rate"


class _Annotation(NamedTuple):
    system: str
    dataset: str
    instruction: str
    annotator: str
    baseline: str
    baseline_output: int
    score: float | None


def read_alpaca_eval(files: Sequence[Source], request: Request) -> Reading:
    """Read annotations; the score is the probability that the model's answer is preferred to the baseline's."""
    one_metric(request, [METRIC], [METRIC])
    annotations: list[_Annotation] = []
    for done, source in enumerate(files, start=1):
        annotations += _annotations(source)
        request.progress(done, len(files))
    systems: dict[str, set[str]] = {}
    for one in annotations:
        systems.setdefault(one.annotator, set()).add(one.system)
    if not systems:
        raise without_rows("annotation", f"{len(files):,} files of AlpacaEval")
    annotator, others, chosen = filter_taken(request, systems, "annotator")
    taken = [one for one in annotations if one.annotator == annotator]
    frame = FrameBuilder()
    groups: dict[tuple[str, str], list[_Annotation]] = {}
    for one in taken:
        if one.score is not None:
            groups.setdefault((one.system, one.dataset), []).append(one)
    for (system, dataset), group in groups.items():
        frame.add(
            system, dataset, [one.instruction for one in group], [one.score or 0.0 for one in group], metric=METRIC
        )
    if not len(frame):
        raise without_rows("annotation with a preference", f"annotator {annotator!r}")
    notes = [
        *chosen,
        *unscored(len(taken) - len(frame), "the annotator's answer could not be parsed (preference null)"),
        *_baselines(taken),
    ]
    datasets = {dataset for _, dataset in groups}
    return Reading(
        frame=frame.frame(),
        format="AlpacaEval",
        metrics=dict.fromkeys(datasets, (METRIC,)),
        filter=annotator,
        other_filters=others,
        filter_noun="annotator",
        paired_on="instruction",
        higher_is_better={METRIC: True},
        notes=tuple(notes),
        nouns=("model", "dataset"),
        n_files=len(files),
    )


def _annotations(source: Source) -> Iterator[_Annotation]:
    folder = source.path.parent
    for number, record in enumerate(member_of(source, json_content.document(source), list, "the whole file"), start=1):
        where = f"annotation {number:,}"
        member_of(source, record, dict, where)
        yield _Annotation(
            system=text_at(source, record, "generator_2", where),
            dataset=str(record.get("dataset") or "alpaca_eval"),
            instruction=text_at(source, record, "instruction", where),
            annotator=str(record.get("annotator") or folder.name or "annotator"),
            baseline=text_at(source, record, "generator_1", where),
            baseline_output=hash(str(record.get("output_1"))),
            score=_score(source, record, where),
        )


def _score(source: Source, record: dict[str, Any], where: str) -> float | None:
    """Probability that the second output, that of the model, is preferred; 0 stands for a draw."""
    if "preference" not in record:
        raise ReadingError(f"{source.name!r} holds an annotation without a preference", where=where, remedy=BROKEN)
    preference = score_at(source, record["preference"], where)
    if preference is None:
        return None
    if preference == 0:
        return 0.5
    if not 1 <= preference <= 2:
        raise ReadingError(
            f"{source.name!r} holds {shown(record['preference'])} as a preference",
            where=where,
            remedy="a preference is 1 (the baseline), 2 (the model), between the two, or 0 (a draw)",
        )
    return preference - 1


def _baselines(taken: Sequence[_Annotation]) -> Iterator[Finding]:
    """Win rates compare only if all models were compared with the same answers of the same baseline."""
    by_baseline: dict[str, set[str]] = {}
    answers: dict[tuple[str, str, str], Counter[int]] = {}
    for one in taken:
        by_baseline.setdefault(one.baseline, set()).add(one.system)
        answers.setdefault((one.baseline, one.dataset, one.instruction), Counter())[one.baseline_output] += 1
    if len(by_baseline) > 1:
        yield Finding(
            "unequal-baselines",
            "warning",
            f"Models were compared with different baselines ({listed(sorted(by_baseline))}); their win rates are not "
            "comparable.",
            where="; ".join(f"{name}: {listed(sorted(systems))}" for name, systems in sorted(by_baseline.items())),
            remedy="annotate all models against the same reference outputs",
        )
    unequal = sum(len(versions) > 1 for versions in answers.values())
    if unequal:
        yield Finding(
            "unequal-prompts",
            "warning",
            f"On {unequal:,} instructions the models were compared with different answers of the same baseline.",
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
