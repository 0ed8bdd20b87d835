"""Arena-Hard-Auto: `model_judgment/JUDGE/MODEL.jsonl`, two games per question with the positions exchanged."""

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
from reportkit.readers.json_content import BROKEN, member_of, shown, text_at
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request

METRIC = "win rate"

_FIRST_WINS = {
    **dict.fromkeys(("A>>B", "A>B", "B<<A", "B<A"), 1.0),
    **dict.fromkeys(("A=B", "B=A"), 0.5),
    **dict.fromkeys(("A<<B", "A<B", "B>>A", "B>A"), 0.0),
}


_SCORE_OF_TWO = {
    (first, second): (1 - of_first + of_second) / 2
    for first, of_first in _FIRST_WINS.items()
    for second, of_second in _FIRST_WINS.items()
}
"""The model is B in the first game, A in the second."""


@dataclass(slots=True)
class _Judgments:
    """What one judge said of one model on one category."""

    ids: list[str] = field(default_factory=list)
    scores: list[float | None] = field(default_factory=list)
    baselines: set[str] = field(default_factory=set)


_Groups = dict[tuple[str, str, str], _Judgments]
"""By judge, model and category."""


def read_arena_hard(files: Sequence[Source], request: Request) -> Reading:
    """Read judgments; the score of a question is the mean of its two games, in which the positions are exchanged."""
    one_metric(request, [METRIC], [METRIC])
    groups: _Groups = {}
    for done, source in enumerate(files, start=1):
        _read(source, groups)
        request.progress(done, len(files))
    systems: dict[str, set[str]] = {}
    for of_judge, system, _ in groups:
        systems.setdefault(of_judge, set()).add(system)
    if not systems:
        raise without_rows("judgment", f"{len(files):,} files of Arena-Hard")
    judge, others, chosen = filter_taken(request, systems, "judge")
    taken = {(system, category): said for (of_judge, system, category), said in groups.items() if of_judge == judge}
    scored = {key: said for key, said in taken.items() if any(score is not None for score in said.scores)}
    if not scored:
        raise without_rows("judgment with two verdicts", f"judge {judge!r}")
    frame = FrameBuilder()
    for (system, category), said in scored.items():
        frame.add(system, category, said.ids, said.scores, metric=METRIC)
    weighting = Finding(
        "verdicts-unweighted",
        "info",
        "The score of a question is the mean of its two games: 1 for a win, .5 for a tie. Arena-Hard's own leaderboard "
        "counts clear verdicts (>>) three times, so its figures differ.",
    )
    n_unscored = sum(said.scores.count(None) for said in taken.values())
    notes = [*chosen, *unscored(n_unscored, "a game has no verdict"), *_baselines(taken), weighting]
    return Reading(
        frame=frame.frame(),
        format="Arena-Hard",
        metrics={category: (METRIC,) for _, category in scored},
        filter=judge,
        other_filters=others,
        filter_noun="judge",
        paired_on="uid",
        higher_is_better={METRIC: True},
        notes=tuple(notes),
        nouns=("model", "dataset"),
        n_files=len(files),
    )


def _read(source: Source, groups: _Groups) -> None:
    bench = source.path.parts[-4] if len(source.path.parts) > 3 else "arena-hard"
    for number, record in json_content.lines(source):
        system, judge = record.get("model"), record.get("judge")
        uid = record.get("uid") if "uid" in record else record.get("question_id")
        if not (type(system) is type(judge) is type(uid) is str and system and judge and uid):
            where = f"line {number:,}"
            system, judge = text_at(source, record, "model", where), text_at(source, record, "judge", where)
            uid = text_at(source, record, "uid" if "uid" in record else "question_id", where)
        key = (judge, system, str(record.get("category") or bench))
        if (said := groups.get(key)) is None:
            said = groups[key] = _Judgments()
        try:
            first, second = record["games"]
            score: float | None = _SCORE_OF_TWO[first["score"], second["score"]]
        except (KeyError, TypeError, ValueError):  # no verdict, or it says what is wrong
            score = _score(source, record, f"line {number:,}")
        said.ids.append(uid)
        said.scores.append(score)
        said.baselines.add(str(record.get("baseline") or ""))


def _score(source: Source, record: dict[str, Any], where: str) -> float | None:
    games = member_of(source, record.get("games"), list, f"{where}, 'games'")
    if len(games) != 2:
        raise ReadingError(
            f"{source.name!r} holds {len(games)} games of a question",
            where=where,
            remedy="judge each question twice, with the positions exchanged; one game alone favours a position",
        )
    verdicts = []
    for game in games:
        verdict = None if game is None else member_of(source, game, dict, f"{where}, 'games'").get("score")
        if verdict is None:
            return None
        if not isinstance(verdict, str) or verdict not in _FIRST_WINS:
            raise ReadingError(f"{source.name!r} holds {shown(verdict)} as a verdict", where=where, remedy=BROKEN)
        verdicts.append(verdict)
    return _SCORE_OF_TWO[verdicts[0], verdicts[1]]


def _baselines(taken: Mapping[tuple[str, str], _Judgments]) -> Iterator[Finding]:
    by_category: dict[str, set[str]] = {}
    for (_, category), said in taken.items():
        by_category.setdefault(category, set()).update(said.baselines)
    for category, baselines in sorted(by_category.items()):
        if len(baselines) > 1:
            yield Finding(
                "unequal-baselines",
                "warning",
                f"Models were compared with different baselines ({some(sorted(baselines))}); their win rates are not "
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
