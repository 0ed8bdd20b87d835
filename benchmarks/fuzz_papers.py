"""Mutated papers through `reportkit check`, in every format: no traceback, no hang, nothing that acts on a reader.

The examples of the manual pages of rules are mutated with a fixed seed: pieces are deleted, repeated, swapped and taken
from other documents; controls, direction signs and commands to runners are put in; brackets are nested, the end is cut
off; bytes are changed, and the file is written in one of several encodings. Each paper is read from a file, checked by
all rules that need no data, and written in every format. Every tenth is mended (`--fix`) until nothing is left, which
must come to an end and change no byte outside of the edits.

A paper hangs if it takes more than 10 processor seconds. `results/fuzz_papers.json` holds what was found.

Usage::

    python benchmarks/fuzz_papers.py [--count 20000] [--seed 20261122]
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

from reportkit.checker.catalogue import RULES
from reportkit.checker.config import CheckConfig, Selection
from reportkit.checker.edits import apply_edits, edits_diff
from reportkit.checker.engine import CheckReport, check_documents
from reportkit.checker.outputs import FORMATS
from reportkit.checker.paper.files import decoded
from reportkit.checker.paper.reading import read_paper
from reportkit.rendering.text.escaping import terminal_text

SEED = 20_261_122
COUNT = 20_000
MOST_SECONDS = 10.0
MOST_CHARACTERS = 12_000
MOST_ROUNDS = 5
EVERY_RULE = CheckConfig(selection=Selection(select=("ALL",)))
"""Also those that are off by default."""

DIRECTION = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
SIGNS = [
    *map(chr, range(32)),
    *map(chr, range(0x7F, 0xA1)),
    *DIRECTION,
    *"\u200b\u200d\u2028\u2029\u2060\ufeff\ufffe\U000e0001",
    *"éłشש中👩\u0301\u0338−–—“”‘’…±×·≤≥≈†‡§¶°²₁",
]
PIECES = [
    "::error::x", "\n ::warning file=a::x\n", "##[error]x", "\x1b[2J", "\x1b]0;t\x07", "% reportkit: ignore RK2\n",
    "<!-- reportkit: ignore -->", "% reportkit: ignore-file --\n", "\\input{a}", "\\input{../../../etc/passwd}",
    "\\input{/proc/self/environ}", "\\newcommand{\\a}[1]{#1\\a{#1}}\\a{x}", "\\def\\b{\\b\\b}\\b",
    "\\begin{tabular}{", "\\end{tabular}", "\\multicolumn{9999}{c}{", "\\multirow{-99}{*}{", "\\begin{table}",
    "\\end{table}", "\\caption{", "\\label{a}", "\\ref{a}", "\\cite{a}", "$p = .000$", "$p = 0$", "p < .05",
    "t(27) = 2.20, ", "F(1, 5) = ", "95\\% CI [1.2, ", "12,345 ", "1e400", "9" * 45, "NaN", "1/0", "\\footnote{",
    "\\verb|", "\\begin{verbatim}", "\\iffalse", "\\fi", "\\csname a\\endcsname", "\\rk{a/b}",
    "\\rk@value{a/b}{1.5}", "| a | 1.5 |\n|---|---|\n", "|", "```", "~~~\n", "> ", "- ", "    ", "\t", "[a](", "![",
    "[^1]: ", "<pre>", "</pre>", "<code>", "<!--", "-->", "**", "__", "`", "\\\\", "&", "{", "}", "[", "]", "$$",
    "\\[", "\\]", "^", "_", "significantly better", "on par", "all datasets",
]  # fmt: skip
ENCODINGS = ["utf-8"] * 12 + ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"]
SYSTEM = re.compile(r"##\w*\[")
OURS = ("::error ", "::warning ", "::notice ")


class HangError(Exception):
    """A paper took too long."""


@dataclass(slots=True)
class Outcome:
    """What was found so far."""

    papers: int = 0
    mended: int = 0
    findings: int = 0
    characters: int = 0
    slowest: float = 0.0
    by_language: Counter[str] = field(default_factory=Counter)
    tracebacks: list[dict[str, Any]] = field(default_factory=list)
    hangs: list[int] = field(default_factory=list)
    harmful: list[dict[str, Any]] = field(default_factory=list)
    mended_wrongly: list[int] = field(default_factory=list)


def documents() -> list[tuple[str, str]]:
    """Language and text of every example of a manual page."""
    return [
        (language, text) for rule in RULES.values() for title, language, text in rule.examples if title != "Results"
    ]


def mutated(rng: random.Random, given: list[tuple[str, str]]) -> tuple[str, bytes]:
    """Suffix and bytes of one paper."""
    wanted = rng.choice(("latex", "latex", "markdown"))
    language, text = rng.choice([item for item in given if item[0] == wanted])
    for _ in range(rng.randint(1, 8)):
        text = _change(rng, text, given)[:MOST_CHARACTERS]
    content = text.encode(rng.choice(ENCODINGS), errors="replace")
    if rng.random() < 0.15:
        content = _broken(rng, content)
    if rng.random() < 0.05:
        language = {"latex": "markdown", "markdown": "latex"}[language]
    return (".md" if language == "markdown" else ".tex"), content


def _change(rng: random.Random, text: str, given: list[tuple[str, str]]) -> str:
    start = rng.randint(0, len(text))
    stop = min(len(text), start + int(rng.expovariate(1 / 30)))
    kind = rng.randrange(9)
    if kind == 0:
        return text[:start] + text[stop:]
    if kind == 1:
        return text[:stop] + text[start:stop] * rng.choice((1, 2, 10, 100)) + text[stop:]
    if kind == 2:
        other = rng.choice(given)[1]
        begin = rng.randint(0, len(other))
        return text[:start] + other[begin : begin + int(rng.expovariate(1 / 120))] + text[start:]
    if kind == 3:
        return text[:start] + "".join(rng.choices(SIGNS, k=rng.randint(1, 4))) + text[start:]
    if kind == 4:
        return text[:start] + rng.choice(PIECES) * rng.choice((1, 1, 1, 3, 30, 300)) + text[start:]
    if kind == 5:
        opening, closing = rng.choice(
            (("{", "}"), ("\\textbf{", "}"), ("> ", ""), ("- ", ""), ("[", "]"), ("(", ")"), ("\\begin{table}", ""))
        )
        depth = rng.choice((2, 20, 200, 1_000))
        return text[:start] + opening * depth + text[start:stop] + closing * rng.choice((0, depth)) + text[stop:]
    if kind == 6:
        return text[:start]
    if kind == 7:
        return (
            text[:start]
            + "".join(rng.choices("0123456789.,%-+=<>()[]{}$&|\\^_~#* \n", k=rng.randint(1, 30)))
            + text[stop:]
        )
    lines = text.split("\n")
    rng.shuffle(lines)
    return "\n".join(lines)


def _broken(rng: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.randint(1, 5)):
        at = rng.randint(0, len(changed))
        changed[at:at] = bytes(
            rng.choices((0, 0x80, 0xC3, 0xE9, 0xED, 0xF4, 0xFE, 0xFF, 0x0D, 0x0A), k=rng.randint(1, 3))
        )
    return bytes(changed[: rng.randint(0, len(changed))] if rng.random() < 0.3 else changed)


def harm(report: CheckReport) -> str:
    """What in an output could act on a terminal, a reader or a runner; empty if nothing could."""
    outputs = {name: report.render(name) for name in FORMATS}
    outputs["diff"] = terminal_text(edits_diff(report.edits, report.files))
    for name, text in outputs.items():
        for sign in set(text) - set("\n\t"):
            if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in DIRECTION:
                return f"{name}: U+{ord(sign):04X}"
        if SYSTEM.search(text):
            return f"{name}: ##["
        if any(
            line.strip().startswith("::") and not (name == "github" and line.startswith(OURS))
            for line in text.split("\n")
        ):
            return f"{name}: ::"
    return ""


def mends(path: Path) -> bool:
    """Whether `--fix` comes to an end, and nothing but the edits changes."""
    for _ in range(MOST_ROUNDS):
        report = check_documents([read_paper(path)], config=EVERY_RULE)
        before = path.read_bytes()
        texts = report.mending.texts
        changed = apply_edits(report.edits, report.files)
        after = path.read_bytes()
        if not changed:
            return after == before
        file = report.files[path]
        if decoded(before)[1].encode(texts[path]) != after or file.encoding.encode(file.text) != before:
            return False
    return False


def run(count: int, seed: int) -> Outcome:
    """Check so many papers."""
    given = documents()
    outcome = Outcome()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(count):
                rng = random.Random(seed * 1_000_003 + number)  # noqa: S311 - made data, no secret
                _one(number, rng, given, Path(folder), outcome)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return outcome


def _one(number: int, rng: random.Random, given: list[tuple[str, str]], folder: Path, outcome: Outcome) -> None:
    suffix, content = mutated(rng, given)
    path = folder / f"paper{suffix}"
    path.write_bytes(content)
    outcome.papers += 1
    outcome.by_language[suffix] += 1
    outcome.characters += len(content)
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        report = check_documents([read_paper(path)], config=EVERY_RULE)
        outcome.findings += len(report)
        if found := harm(report):
            outcome.harmful.append({"paper": number, "what": found})
        if number % 10 == 0:
            outcome.mended += 1
            if not mends(path):
                outcome.mended_wrongly.append(number)
    except HangError:
        outcome.hangs.append(number)
    except Exception as error:  # what is looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        outcome.tracebacks.append({"paper": number, "error": type(error).__name__, "where": where})
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    outcome.slowest = max(outcome.slowest, time.process_time() - began)


def main() -> None:
    """Run, print and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    outcome = run(options.count, options.seed)
    content = {
        "seed": options.seed,
        "papers": outcome.papers,
        "by_language": dict(outcome.by_language),
        "characters": outcome.characters,
        "findings": outcome.findings,
        "mended": outcome.mended,
        "tracebacks": outcome.tracebacks,
        "hangs": outcome.hangs,
        "harmful_outputs": outcome.harmful,
        "mended_wrongly": outcome.mended_wrongly,
        "slowest_processor_seconds": outcome.slowest,
    }
    for key, value in content.items():
        print(f"{key}: {value}")
    if (options.count, options.seed) == (COUNT, SEED):
        save("fuzz_papers", content)


if __name__ == "__main__":
    main()
