"""Write the tables into `index.md` and into the paper, and draw the figures: `python docs/validation/write.py`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]

import matplotlib as mpl  # noqa: E402
import study  # noqa: E402
import tables  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from reportkit.rendering.documents import Writer  # noqa: E402
from reportkit.rendering.text.escaping import escape_latex  # noqa: E402

PAGE = HERE / "index.md"
PAPER = ROOT / "examples" / "validation"
OF_PAPER = ("headline", "excess", "warnings", "k-hat", "intervals")
MARKED = re.compile(r"(<!-- (table|fact): ([a-z-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")


def facts() -> dict[str, str]:
    """Sentences with numbers."""
    nulls = [one for cells in tables.nulls().values() for one in cells]
    silent = [one for one in nulls if one.exceeds("05", "silent_") or one.exceeds("01", "silent_")]
    worst = max(nulls, key=lambda one: one.rate())
    exceeding = (
        f"reportkit's default tests exceed .05 or .01 beyond chance in **{len(tables.exceeding())} of {len(nulls)}** "
        f"designs that were simulated. The largest share of false claims is {tables.share(worst.rate(), 2)}: "
        f"{worst.scores}, n = {worst.n:,}."
    )
    named = ", ".join(f"{one.scores} (n = {one.n:,}: {tables.share(one.rate('05', 'silent_'), 2)})" for one in silent)
    alone = f"Rejections without a warning exceed .05 or .01 in **{len(silent)}**" + (f": {named}." if silent else ".")
    draws = sorted(one.draws for one in tables.tests() if one.method == tables.OURS)
    spread = ", ".join(f"{draws.count(number):,} with {number:,} each" for number in sorted(set(draws)))
    planned = len(study.module_of("tests").places())
    missing = f"; {planned - len(draws):,} planned designs are still without" if planned > len(draws) else ""
    beside, held, held_large = (f"{share:.0%}" for share in tables.warned())
    seen, too_small = (f"{share:.0%}" for share in tables.held_by_kind())
    return {
        "holm": _beyond(nulls, "holm20", ".05/20") + " " + _beyond(nulls, "holm80", ".05/80"),
        "warned": f"Where the level is exceeded, a warning stands beside {beside} of the false claims. Where it is "
        f"held, one stands beside {held} of the samples all the same ({held_large} of those of 50 and more): beside "
        f"{seen} because something in the sample endangers the level, and beside {too_small} because a sample of this "
        "size cannot show whether something does. Some have both.",
        "excess": f"{exceeding} {alone}",
        "verdicts": _verdicts(),
        "draws": f"{sum(draws):,} samples of {len(draws):,} designs: {spread}{missing}.",
    }


def _verdicts() -> str:
    ours, silent = tables.verdicts(tables.OURS), tables.verdicts(tables.OURS, "silent_")
    others = {name: tables.verdicts(method) for method, name in tables.COMMON.items()}
    named = ", ".join(f"{name} on {found[tables.HELD]} of {found.total()}" for name, found in others.items())
    never = [
        title[0].lower() + title[1:]
        for title, cells in tables.nulls().items()
        if cells and tables.where_it_holds(cells) == tables.NEVER
    ]
    return (
        f"Of {ours.total()} kinds of scores, the default test holds .05 at every n on **{ours[tables.HELD]}**, from a "
        f"larger n upwards on {ours['later']}, and not even at the largest n on {len(never)}"
        + (f" ({'; '.join(never)})" if never else "")
        + f". False claims without a warning stay within .05 at every n on **{silent[tables.HELD]}**. The alternatives "
        f"hold .05 at every n, of the kinds that they can be used on: {named}."
    )


def in_colour(table: str) -> str:
    """The headline table with a class beside each verdict; the words say the same."""
    kinds = {tables.HELD: "held", tables.NEVER: "never"}

    def coloured(found: re.Match[str]) -> str:
        return f'<span class="{kinds.get(found[2], "later")}">{found[1]}{found[2]} {found[3]}{found[1]}</span>'

    return re.sub(r"(\*\*|)\b(yes|no|[\d,]+\+) (\(\.?\d+\))\1", coloured, table)


def _beyond(nulls: Sequence[tables.Found], level: str, name: str) -> str:
    beyond = [one for one in nulls if one.exceeds(level)]
    silent = [one for one in beyond if one.exceeds(level, "silent_")]
    named = ", ".join(f"{one.scores} (n = {one.n:,})" for one in silent)
    return (
        f"reportkit exceeds {name} in **{len(beyond)}** designs, and in **{len(silent)}** of them by rejections "
        "without a warning" + (f": {named}." if named else ".")
    )


def sizes() -> Figure:
    """Share of false claims at .05: a line for each class, a dot for each design and size, by method."""
    methods = list(tables.METHODS)
    titles = [title for title, cells in tables.nulls().items() if cells]
    figure = Figure(figsize=(9, 5.2), layout="constrained")
    axes = figure.subplots(1, len(methods), sharey=True)
    for axis, method, colour in zip(axes, methods, COLOURS, strict=True):
        for place, title in enumerate(titles):
            rates = sorted({round(one.rate(), 2) for one in tables.nulls(method)[title] if one.n >= 10})
            axis.plot(rates, [place] * len(rates), "|", color=colour, markersize=7, alpha=0.8)
        axis.axvline(0.05, color="#888888", linewidth=0.8)
        axis.set_xlim(0, 1.02)
        axis.set_xticks([0.05, 0.5, 1], [".05", ".5", "1"])
        axis.set_title(tables.METHODS[method].replace(" ", "\n", 1), fontsize=8)
        axis.tick_params(labelsize=8)
        axis.spines[["top", "right", "left"]].set_visible(False)
    axes[0].set_yticks(range(len(titles)), titles)
    axes[0].invert_yaxis()
    return figure


def exceeding_counts() -> Figure:
    """Probability that a count exceeds the truth, against the correlation of the datasets."""
    figure = Figure(figsize=(7, 3), layout="constrained")
    axes = figure.subplots(1, 3, sharey=True)
    for axis, n in zip(axes, (5, 20, 80), strict=True):
        for method, colour in zip(list(tables.K_HAT)[:7], COLOURS, strict=True):
            points = {}
            for row in tables.of_counts(method):
                if row["datasets"] == n and row["dependence"] != "both signs":
                    rate = int(str(row["exceeds"])) / int(str(row["draws"]))
                    points[float(str(row["r"]))] = max(rate, points.get(float(str(row["r"])), 0))
            axis.plot(
                *zip(*sorted(points.items()), strict=True),
                "o-",
                color=colour,
                markersize=3,
                linewidth=1,
                label=tables.K_HAT[method],
            )
        axis.axhline(0.05, color="#888888", linewidth=0.8)
        axis.set_title(f"{n} datasets", fontsize=9)
        axis.set_xlabel("correlation", fontsize=8)
        axis.tick_params(labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("k̂ exceeds the truth", fontsize=8)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=7, frameon=False)
    return figure


FIGURES = {"sizes": sizes, "counts": exceeding_counts}


def page() -> str:
    """The page with the tables and sentences of today's files."""
    known = facts()

    def filled(found: re.Match[str]) -> str:
        inside = known[found[3]] if found[2] == "fact" else Writer("markdown").table(tables.TABLES[found[3]]()).strip()
        inside = in_colour(inside) if found[3] == "headline" else inside
        return f"{found[1]}\n{inside}\n\n{found[5]}"

    return MARKED.sub(filled, PAGE.read_text(encoding="utf-8"))


def of_paper() -> dict[str, str]:
    """Files of the paper that are made from the study."""
    found = {f"{name}.tex": Writer("latex").table(tables.TABLES[name]()) for name in OF_PAPER}
    found |= {
        f"{name}.tex": Writer("latex").table(getattr(tables, name)(short=True)) for name in ("headline", "excess")
    }
    numbers = {name: escape_latex(words.replace("**", "")) for name, words in facts().items()}
    return found | {"facts.tex": "".join(f"\\newcommand{{\\{name}}}{{{words}}}\n" for name, words in numbers.items())}


def main() -> None:
    """Write everything."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    PAGE.write_text(page(), encoding="utf-8")
    with mpl.rc_context({"svg.hashsalt": "validation", "font.family": "DejaVu Sans", "svg.fonttype": "path"}):
        for name, draw in FIGURES.items():
            figure = draw()
            figure.savefig(HERE / f"{name}.svg", metadata={"Date": None})
            figure.savefig(PAPER / f"{name}.pdf", metadata={"CreationDate": None})
    for name, content in of_paper().items():
        (PAPER / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
