"""Arena-Hard-Auto: `model_judgment/JUDGE/MODEL.jsonl`, two games per question with the positions exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.readers import json_content
from reportkit.readers.format import Harness, Taken
from reportkit.readers.frame_builder import FrameBuilder
from reportkit.readers.harnesses.documents import (
    BROKEN,
    filter_taken,
    member_of,
    one_metric,
    shown,
    text_at,
    unscored,
    without_rows,
)
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, listed

METRIC = "win rate"

_FIRST_WINS = {
    **dict.fromkeys(("A>>B", "A>B", "B<<A", "B<A"), 1.0),
    **dict.fromkeys(("A=B", "B=A"), 0.5),
    **dict.fromkeys(("A<<B", "A<B", "B>>A", "B>A"), 0.0),
}


class _Judgment(NamedTuple):
    system: str
    category: str
    uid: str
    judge: str
    baseline: str
    score: float | None


def read_arena_hard(files: Sequence[Source], request: Request) -> Reading:
    """Read judgments; the score of a question is the mean of its two games, in which the positions are exchanged."""
    one_metric(request, [METRIC], [METRIC])
    judgments: list[_Judgment] = []
    for done, source in enumerate(files, start=1):
        judgments += _judgments(source)
        request.progress(done, len(files))
    systems: dict[str, set[str]] = {}
    for one in judgments:
        systems.setdefault(one.judge, set()).add(one.system)
    if not systems:
        raise without_rows("judgment", f"{len(files):,} files of Arena-Hard")
    judge, others, chosen = filter_taken(request, systems, "judge")
    taken = [one for one in judgments if one.judge == judge]
    groups: dict[tuple[str, str], list[_Judgment]] = {}
    for one in taken:
        if one.score is not None:
            groups.setdefault((one.system, one.category), []).append(one)
    frame = FrameBuilder()
    for (system, category), group in groups.items():
        frame.add(system, category, [one.uid for one in group], [one.score or 0.0 for one in group], metric=METRIC)
    if not len(frame):
        raise without_rows("judgment with two verdicts", f"judge {judge!r}")
    weighting = Finding(
        "verdicts-unweighted",
        "info",
        "The score of a question is the mean of its two games: 1 for a win, .5 for a tie. Arena-Hard's own leaderboard "
        "counts clear verdicts (>>) three times, so its figures differ.",
    )
    notes = [*chosen, *unscored(len(taken) - len(frame), "a game has no verdict"), *_baselines(taken), weighting]
    return Reading(
        frame=frame.frame(),
        format="Arena-Hard",
        metrics={category: (METRIC,) for _, category in groups},
        filter=judge,
        other_filters=others,
        filter_noun="judge",
        paired_on="uid",
        higher_is_better={METRIC: True},
        notes=tuple(notes),
        nouns=("model", "dataset"),
        n_files=len(files),
    )


def _judgments(source: Source) -> Iterator[_Judgment]:
    bench = source.path.parts[-4] if len(source.path.parts) > 3 else "arena-hard"
    for number, record in json_content.lines(source):
        where = f"line {number:,}"
        yield _Judgment(
            system=text_at(source, record, "model", where),
            category=str(record.get("category") or bench),
            uid=text_at(source, record, "uid" if "uid" in record else "question_id", where),
            judge=text_at(source, record, "judge", where),
            baseline=str(record.get("baseline") or ""),
            score=_score(source, record, where),
        )


def _score(source: Source, record: dict[str, Any], where: str) -> float | None:
    games = member_of(source, record.get("games"), list, f"{where}, 'games'")
    if len(games) != 2:
        raise ReadingError(
            f"{source.name!r} holds {len(games)} games of a question",
            where=where,
            remedy="judge each question twice, with the positions exchanged; one game alone favours a position",
        )
    first_wins = []
    for game in games:
        verdict = None if game is None else member_of(source, game, dict, f"{where}, 'games'").get("score")
        if verdict is None:
            return None
        if not isinstance(verdict, str) or verdict not in _FIRST_WINS:
            raise ReadingError(f"{source.name!r} holds {shown(verdict)} as a verdict", where=where, remedy=BROKEN)
        first_wins.append(_FIRST_WINS[verdict])
    return (1 - first_wins[0] + first_wins[1]) / 2  # the model is B in the first game, A in the second


def _baselines(taken: Sequence[_Judgment]) -> Iterator[Finding]:
    by_category: dict[str, set[str]] = {}
    for one in taken:
        by_category.setdefault(one.category, set()).add(one.baseline)
    for category, baselines in sorted(by_category.items()):
        if len(baselines) > 1:
            yield Finding(
                "unequal-baselines",
                "warning",
                f"Models were compared with different baselines ({listed(sorted(baselines))}); their win rates are not "
                "comparable.",
                where=f"category {category!r}",
                remedy="judge all models against the same baseline",
            )


def can_read(head: bytes, path: Path) -> bool:
    """Whether the lines of a file are judgments of games."""
    return head.lstrip().startswith(b"{") and b'"games"' in head and b'"judge"' in head


ARENA_HARD = Harness(
    name="Arena-Hard",
    endings=(".jsonl",),
    read=read_arena_hard,
    can_read=can_read,
    taken=Taken(
        files="`model_judgment/JUDGE/MODEL.jsonl`",
        system="`model`",
        dataset="`category`; the folder of the benchmark if it is not there",
        instance="`uid`",
        run="–",
        metric="win rate: mean of the two games, a tie is .5",
        refused="several judges (`--filter`); a question with other than two games; without a verdict it is left out",
    ),
)
