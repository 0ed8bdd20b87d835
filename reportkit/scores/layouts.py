"""Lay out a table in one long form: a row per score, with the columns system, dataset, instance, score and more."""

from __future__ import annotations

import glob
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from reportkit.errors import ScoreValueError
from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.metrics.corpus import counted_columns, fitting_metrics
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.codes import names_text, number_of, quoted, rows_text, scores_of
from reportkit.scores.columns import describe, value_counts
from reportkit.scores.names import AVERAGE, SENTINELS, listed_in, metric_of, right_and_wrong
from reportkit.scores.predictions import Laid, scored_predictions
from reportkit.scores.questions import Proposal, QuestionError, Request, Roles
from reportkit.scores.refusals import notice, refusal

KEPT = ("system", "dataset", "instance", "metric", "seed", "fold", "rater", "cluster", "weight", "gold", "k", "n")
"""Roles whose columns are in the long form under the name of the role."""

NAMELESS = "results"
"""Name of a dataset that has none."""


def laid_out(frame: pd.DataFrame, roles: Roles, request: Request, *, dataset: str, source: str = "DataFrame") -> Laid:
    """Lay out a table whose roles are known.

    Parameters
    ----------
    frame : DataFrame
    roles : Roles
    request : Request
    dataset : str
        Name of the dataset, where no column names it.
    source : str
        Name of the file whose lines the rows are, or "DataFrame", for messages.

    Raises
    ------
    InputError
        If verdicts, predictions or spreads cannot be read.
    """
    if roles.form == "battles":
        return _battles(frame, roles, dataset, source)
    if roles.form == "predictions":
        return scored_predictions(_renamed(frame, roles, dataset), roles, request)
    if roles.form == "counts":
        return _counts(frame, roles, dataset)
    coefficients = tuple(name for name in request.metrics if named_coefficient(name))
    scores = list(roles.columns or ([roles.roles["score"]] if "score" in roles.roles else roles.metrics))
    for name in scores:
        if roles.form == "spread" or (roles.columns and describe(frame[name], name).kind == "spread"):
            frame = _means_of_spreads(frame, name, request)
    notes: Sequence[Finding] = ()
    if not all(pd.api.types.is_numeric_dtype(frame[name].dtype) for name in scores):
        frame, notes = _with_numbers(frame, scores)
    long = _renamed(frame, roles, dataset)
    if roles.columns:
        long = _melted(long, frame, roles, source)
        return long, coefficients if "gold" in long else (), list(notes)
    parts = [long.assign(score=scores_of(frame[name], source=source)) for name in scores]
    if len(scores) > 1 or (scores and "metric" not in long and not listed_in(scores[0], "score", "generic")):
        parts = [part.assign(metric=name) for part, name in zip(parts, scores, strict=True)]
    long = pd.concat(parts, ignore_index=True) if len(parts) > 1 else (*parts, long)[0]
    computed = coefficients or (request.metrics if not scores and "metric" not in long else ())
    return long, computed, list(notes)


def _renamed(frame: pd.DataFrame, roles: Roles, dataset: str) -> pd.DataFrame:
    """Return the columns that have a role, under its name."""
    found = {role: frame[name] for role, name in roles.roles.items() if role in KEPT or role == "prediction"}
    long = pd.DataFrame(found, index=frame.index).reset_index(drop=True)
    if roles.form == "predictions":
        long = long.assign(**{name: frame[name].to_numpy() for name in roles.columns})
    if "dataset" not in long and roles.form != "board":
        long["dataset"] = dataset
    if roles.row_order:
        by = [name for name in ("system", "dataset") if name in long]
        long["instance"] = (long.groupby(by, observed=True, sort=False).cumcount() + 1).astype(str)
    return long


def _melted(long: pd.DataFrame, frame: pd.DataFrame, roles: Roles, source: str) -> pd.DataFrame:
    """Return one row per cell of the columns of systems, or of datasets."""
    held = "dataset" if roles.form == "board" else "system"
    parts = []
    labels = {name: without_metric(name, roles.metrics) for name in roles.columns}
    for name, label in labels.items():
        try:
            score = scores_of(frame[name], source=source, what=f"score of {name!r}")
        except ScoreValueError as error:
            remedy = f"{error.remedy}; if {name!r} is not a system, omit it, or name the others: --wide-system NAME"
            raise ScoreValueError(error.problem, where=error.where, remedy=remedy) from None
        parts.append(long.assign(score=score, **{held: label}))
    found = pd.concat(parts, ignore_index=True)
    if held == "system" and "instance" in found:  # an empty cell is not a score, if another system has one
        cells = found["score"].isna().to_numpy().reshape(len(labels), -1)
        found = found[~cells.ravel() | np.tile(cells.all(axis=0), len(labels))].reset_index(drop=True)
    return found.assign(metric=roles.metrics[0]) if len(roles.metrics) == 1 and "metric" not in found else found


def without_metric(column: str, metrics: Sequence[str]) -> str:
    """Return the name of a dataset or system without that of the metric: "AMI WER" becomes "AMI"."""
    found = metric_of(column)
    if not metrics or found is None or not found.rest:
        return column
    kept = [word for word in re.split(r"[\s_]+", column) if word.casefold().strip("(),.") != found.name]
    return " ".join(kept) if " " in column else "_".join(kept)


def _counts(frame: pd.DataFrame, roles: Roles, dataset: str) -> Laid:
    """Return the counts under the names that corpus metrics use."""
    long = _renamed(frame, roles, dataset).drop(columns=["gold"], errors="ignore")
    if "tp" not in roles.roles:
        found = counted_columns(map(str, frame.columns))
        long = long.assign(**{f"stat_{name}": frame[column].to_numpy() for name, column in found.items()})
        fitting = [metric.name for metric in fitting_metrics(found) if metric.offered]
        return long, roles.metrics or tuple(fitting[:1]), []
    kinds = ("tp", "fp", "fn") if "fp" in roles.roles else ("tp", "predicted", "gold")
    tp, fp, fn = (frame[roles.roles[name]].to_numpy() for name in kinds)
    long = long.assign(stat_tp=tp, stat_fp=fp, stat_fn=fn)
    if "fp" not in kinds:
        long[["stat_fp", "stat_fn"]] -= tp[:, None]
    wrong = long[(long[["stat_fp", "stat_fn"]] < 0).any(axis=1)]
    if len(wrong):
        columns, n_rows = ", ".join(map(repr, list(roles.roles.values())[-3:])), counted(len(wrong), "row")
        raise refusal("more-right-than-all", rows=n_rows, columns=columns, row=wrong.index[0] + 1)
    computed = roles.metrics or ("f1",)
    columns = listed([repr(roles.roles[name]) for name in kinds])
    return long, computed, [notice("counts-summed", metrics=listed(computed), columns=columns)]


def _battles(frame: pd.DataFrame, roles: Roles, dataset: str, source: str) -> Laid:
    """Return judged pairs as scores: 1 for a win, 1/2 for a tie, 0 for a loss; the mean where one was judged again."""
    a, b = (frame[roles.roles[side]].astype(str).str.strip() for side in ("system_a", "system_b"))
    for side, names in (("system_a", a), ("system_b", b)):
        if (rows := np.flatnonzero(names.isna() | (names == ""))).size:
            of = rows.size, len(frame)
            raise refusal("empty-name", rows_text(rows, source), of=of, role="system", column=roles.roles[side])
    winner = roles.roles["winner"]
    verdicts = [name for name in frame if name == winner or str(name).startswith(winner.rstrip("0123456789_"))]
    keys = pd.DataFrame({"a": np.minimum(a, b), "b": np.maximum(a, b)})
    keys["d"] = frame[roles.roles["dataset"]].astype(str) if "dataset" in roles.roles else dataset
    keys["i"] = frame[roles.roles["instance"]] if "instance" in roles.roles else np.arange(len(frame)) + 1
    parts = []
    for column in verdicts:
        said = frame[column].astype(str).str.strip()
        share = said.map(_share_of_a, na_action="ignore").astype(float).mask(said == b, 0.0).mask(said == a, 1.0)
        unknown = said[share.isna() & frame[column].notna()].unique()
        if len(unknown):
            examples, n_verdicts = listed([repr(text) for text in unknown], 5), counted(len(unknown), "verdict")
            raise refusal("verdict", verdicts=n_verdicts, column=column, examples=examples)
        parts.append(keys.assign(s=share.where(a <= b, 1 - share)))
    judged = pd.concat(parts, ignore_index=True).dropna(subset=["s"]).query("a != b")
    mean = judged.groupby(["a", "b", "d", "i"], observed=True, sort=False)["s"].mean().reset_index()
    if len(mean[["a", "b"]].drop_duplicates()) > 1:
        mean["d"] = mean["a"] + " v " + mean["b"] + ("" if len(mean["d"].unique()) == 1 else " (" + mean["d"] + ")")
    won = pd.DataFrame({"dataset": mean["d"], "instance": mean["i"], "metric": "win rate"})
    sides = won.assign(system=mean["a"], score=mean["s"]), won.assign(system=mean["b"], score=1 - mean["s"])
    return pd.concat(sides, ignore_index=True), (), [notice("battles", number=counted(len(mean), "pair"))]


def _share_of_a(verdict: str) -> float | None:
    """Return 1 if the first system won, 0 if the second, 1/2 for a tie; None if the verdict does not say it."""
    for kind, share in (("says_a", 1.0), ("says_b", 0.0), ("says_tie", 0.5)):
        if any(listed_in(text, "battle", kind) for text in (verdict, verdict.strip("[]() "))):
            return share
    return None


def counts_of_shares(long: pd.DataFrame, name: str, request: Request) -> tuple[pd.DataFrame, list[Finding]]:
    """Return numbers of right answers from printed shares and numbers of instances.

    Of all whole numbers that round to a share, the one is taken that brings two systems closest together, which is the
    worst for any claim of a difference. The column of shares stays where no whole number rounds to one of them, where
    the metric is not a share, and where the datasets are the sample.

    Raises
    ------
    QuestionError
        If several whole numbers fit, and it is not said which two systems are compared.
    """
    known = metric_of(name)
    plain = known is not None and listed_in(known.name.replace("_at_1", ""), "score", "shares")
    shares, n = long["score"].to_numpy(dtype=float), long["n"].to_numpy(dtype=float)
    finite = bool(np.all(np.isfinite(shares) & np.isfinite(n)))
    if request.across_datasets or not plain or not finite or shares.min() < 0 or shares.max() > 100:
        return long.drop(columns="n"), []
    decimals = min(9, max(len(f"{value:.10g}".partition(".")[2]) for value in shares))
    factor = 100.0 if shares.max() > 1 else 1.0
    half = 0.5 * 10.0**-decimals * (1 + 1e-9)
    low = np.ceil(np.maximum(0, shares - half) * n / factor - 1e-9)
    high = np.floor(np.minimum(factor, shares + half) * n / factor + 1e-9)
    if np.any(low > high):
        return long, []
    k = np.clip(np.round(shares * n / factor), low, high)
    several, message = int((high > low).sum()), ""
    if several and len(names_of(long, "system")) > 2:
        order = [str(system) for system in long.groupby("system", observed=True)["score"].mean().sort_values().index]
        raise QuestionError(
            f"{counted(several, 'share fits', 'shares fit')} several numbers of right answers, and which is the worst "
            "depends on what is compared",
            request,
            proposals=[Proposal(f"{order[-1]} is compared with {order[-2]}", exclude=(*map(glob.escape, order[:-2]),))],
            remedy=f"or give the numbers of right answers as a column k, or {name} with more decimals",
        )
    for rows in long.groupby("dataset", observed=True, sort=False).groups.values():
        places = np.asarray(rows)
        if len(places) == 2:
            best, other = places if shares[places[0]] >= shares[places[1]] else places[::-1]
            k[best], k[other] = low[best], high[other]
            if k[best] / n[best] < k[other] / n[other]:
                k[best] = k[other] = np.round(shares[best] * n[best] / factor)
    if several:
        message = f"; {counted(several, 'share fits', 'shares fit')} several whole numbers, and the one was taken that "
        message += "is worst for the claim"
    message = f"The numbers of right answers were computed from {name!r} and the numbers of instances{message}."
    note = Finding("counts-from-scores", "warning" if several else "info", message)
    return long.drop(columns="score").assign(k=k.astype(np.int64)), [note]


def _means_of_spreads(frame: pd.DataFrame, name: str, request: Request) -> pd.DataFrame:
    """Return the means of cells such as "38.0 ± 0.2", where the datasets are the sample.

    Raises
    ------
    QuestionError
        If they are not: the spread alone says nothing of how the systems compare on the same instances.
    """
    if not request.across_datasets:
        raise QuestionError(
            f"the cells of {name!r} hold means with a spread, and not the scores of runs or instances",
            request,
            proposals=[Proposal("the means of the datasets are to be compared", across_datasets=True)],
            remedy="to test each dataset, give the score of every run, with a column seed, or of every instance",
        )
    means = frame[name].astype(str).str.extract(r"^\s*([-+]?\d+(?:[.,]\d+)?)", expand=False)
    return frame.assign(**{name: pd.to_numeric(means.str.replace(",", "."), errors="coerce")})


def without_averages(long: pd.DataFrame) -> tuple[pd.DataFrame, list[Finding]]:
    """Leave out rows of datasets and instances that are means of others by their name: "avg", "ALL"."""
    notes = []
    for role in [role for role in ("dataset", "instance") if role in long and long[role].dtype.kind not in "iuf"]:
        names = names_of(long, role)
        means = [name for name in names if AVERAGE.fullmatch(name)] if role == "dataset" or len(names) > 2 else []
        if role == "dataset" and "instance" in long:  # "sum" is short for summarization, too
            several = [n for n in means if n.lower() == "sum" and (long[role] == n).sum() > long["system"].nunique()]
            means = [name for name in means if name not in several]
        if means and len(means) < len(names):
            left = long[role].astype(str).isin(means)
            n_rows, shown = counted(int(left.sum()), "row"), listed(list(map(repr, means)), 3)
            notes.append(notice("averages-left-out", rows=n_rows, role=role, names=shown))
            long = long[~left].reset_index(drop=True)
    return long, notes


def without_sentinels(long: pd.DataFrame) -> tuple[pd.DataFrame, list[Finding]]:
    """Replace scores that stand for a missing one by NaN: a few equal ones far from all others, such as -1 or -999."""
    if "score" not in long or not pd.api.types.is_numeric_dtype(long["score"].dtype):
        return long, []
    notes = []
    scores = long["score"].to_numpy(dtype=float)
    for value in [value for value in SENTINELS if (scores == value).any()]:
        of_metric = long["metric"].astype(str) if "metric" in long else pd.Series("score", index=long.index)
        for metric in of_metric[scores == value].unique():
            hits = (of_metric == metric).to_numpy() & (scores == value)
            others = scores[(of_metric == metric).to_numpy() & ~hits & np.isfinite(scores)]
            known = metric_of(metric)
            if not len(others) or hits.sum() > 0.25 * len(others) or (known and known.signed):
                continue
            low, high = others.min(), others.max()
            doubtful = np.all(others % 1 == 0) and abs(value) == 1 and {*others} != {0.0, 1.0}  # a rating may be -1
            if doubtful or low < 0 or 0 < value < 5 * max(high, 1):
                continue
            scores = np.where(hits, np.nan, scores)
            number = counted(int(hits.sum()), "score")
            notes.append(notice("no-scores", number=number, value=value, metric=metric, low=low, high=high))
    return (long.assign(score=scores) if notes else long), notes


def without_lone_systems(long: pd.DataFrame) -> tuple[pd.DataFrame, list[Finding]]:
    """Leave out systems with one score among systems with many."""
    if not {"instance", "system"} <= {*long.columns} or len(long) < 8:
        return long, []
    sizes = value_counts(long["system"])
    lone = [str(name) for name in sizes[sizes == 1].index]
    if not lone or len(sizes) - len(lone) < 2 or sizes.median() < 5:
        return long, []
    rest = long[~long["system"].astype(str).isin(lone)]
    left = value_counts(rest["dataset"].astype(str))
    single = [repr(name) for name in left[left == 1].index]
    rest = rest[rest["dataset"].astype(str).map(left) > 1].reset_index(drop=True)
    where = f"and datasets with one score: {listed(single, 5)}" if single else ""
    number = counted(len(lone), "system")
    note = notice("systems-left-out", where, number=number, names=listed(list(map(repr, lone)), 5))
    coded = [name for name in ("system", "dataset") if isinstance(rest[name].dtype, pd.CategoricalDtype)]
    return rest.assign(**{name: rest[name].cat.remove_unused_categories() for name in coded}), [note]


def names_of(long: pd.DataFrame, role: str) -> list[str]:
    """Return the names in a column, in their order."""
    return [str(name) for name in long[role].unique() if not pd.isna(name)] if role in long else []


# --- scores in words: 73.5%, 73,5, 1,234.5, yes and no ----------------------------------------------------------------

_COMMA_DECIMAL = r"[+-]?(\d+|[1-9]\d{0,2}([.]\d{3})+)?,\d+|[+-]?\d+"
_COMMA_THOUSANDS = r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?|[+-]?\d*\.?\d+"


def _with_numbers(frame: pd.DataFrame, names: Sequence[str]) -> tuple[pd.DataFrame, tuple[Finding, ...]]:
    """Turn texts of columns of scores into numbers, where all of them are written in one way.

    What is written in several ways stays as it is: reading it then names the rows.

    Parameters
    ----------
    frame : DataFrame
    names : sequence of str
        Columns that hold scores: one, or those of all systems, which have to agree.

    Returns
    -------
    DataFrame
        The same object, if nothing has to be turned.
    tuple of Finding
        How the scores are written.

    Raises
    ------
    ScoreValueError
        If a comma may be between thousands or before decimals.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": ["73,5", "8"], "b": ["70,25", ""], "c": ["yes", "no"]})
    >>> _with_numbers(frame, ["a", "b"])[0][["a", "b"]].values.tolist(), _with_numbers(frame, ["c"])[0]["c"].tolist()
    ([[73.5, 70.25], [8.0, nan]], [1.0, 0.0])
    """
    written = [name for name in names if not pd.api.types.is_numeric_dtype(frame[name].dtype)]
    texts = {name: frame[name].astype(object).where(frame[name].notna(), "").map(str) for name in written}
    cells = list(dict.fromkeys(text for part in texts.values() for text in part.unique()))
    odd = [text for text in cells if number_of(text) is None]
    bare = {text: text.strip().casefold().removesuffix("%").strip() for text in cells if text.strip()}
    percent, commas = ([text for text in bare if sign in text] for sign in ("%", ","))
    if not odd or (percent and (len(percent) < len(bare) or len(written) < len(names))):
        return frame, ()
    said = ["scores are written in percent, and taken as numbers from 0 to 100"] if percent else []
    values = {text: number_of(word) for text, word in bare.items()}
    for right, wrong in right_and_wrong().items():
        if {*bare.values()} <= {right, wrong} and len(written) == len(names):
            values = {text: float(word == right) for text, word in bare.items()}
            said = ["scores are words: they are taken as right (1) and wrong (0)"]
    if commas:
        as_decimal, as_thousands = (
            all(re.fullmatch(form, word) for word in bare.values()) for form in (_COMMA_DECIMAL, _COMMA_THOUSANDS)
        )
        if as_decimal and as_thousands:
            raise refusal("comma", text=quoted(bare[commas[0]]), columns=names_text(names))
        if as_decimal:
            values = {text: number_of(word.replace(".", "").replace(",", ".")) for text, word in bare.items()}
            said.append("a comma stands before the decimals")
    if None in values.values():
        return frame, ()
    how = "; ".join(said) or "scores are written as texts"
    where = f"column{'s' if len(texts) > 1 else ''} {names_text([*texts])}"
    numbers = {name: part.map(values).astype(float) for name, part in texts.items()}
    examples = listed([quoted(text) for text in odd], 3)
    return frame.assign(**numbers), (notice("scores-in-words", where, how=how[0].upper() + how[1:], examples=examples),)
