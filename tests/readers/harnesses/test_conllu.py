"""CoNLL-U: the figures of the official scorer, other words and sentences, and which file is gold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import reportkit
from reportkit.errors import ReadingError
from reportkit.readers.understood import Reading
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, put

METRICS = ("LAS", "UAS", "CLAS", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")

# F1 of udtools 0.2.9, udeval.evaluate(gold, system), of tests/readers/harnesses/fixtures/conllu
OFFICIAL = {
    ("cs_pud", "large"): {"LAS": 0.8343558282, "UAS": 0.9018404908, "CLAS": 0.8828125},
    ("cs_pud", "small"): {"LAS": 0.5705521472, "UAS": 0.7423312883, "CLAS": 0.5905511811},
    ("en_ewt", "large"): {"LAS": 0.7668711656, "UAS": 0.8527607362, "CLAS": 0.832},
    ("en_ewt", "small"): {"LAS": 0.5644171779, "UAS": 0.7239263804, "CLAS": 0.5954198473},
}


def f1(reading: Reading) -> dict[tuple[str, str], float]:
    """F1 of words, by dataset and system, from the sums that were read."""
    sums = reading.frame.astype({"system": str, "dataset": str}).groupby(["dataset", "system"]).sum(numeric_only=True)
    values = sums.correct / sums.total if "correct" in sums else 2 * sums.tp / (2 * sums.tp + sums.fp + sums.fn)
    return values.to_dict()


def sentence(*words: tuple[str, int, str], name: str = "") -> str:
    """A sentence of (form, head, relation)."""
    lines = [f"# sent_id = {name}"] if name else []
    lines += [f"{n}\t{form}\t_\tNOUN\t_\t_\t{head}\t{rel}\t_\t_" for n, (form, head, rel) in enumerate(words, start=1)]
    return "\n".join(lines) + "\n\n"


@pytest.mark.parametrize("metric", ["LAS", "UAS", "CLAS"])
def test_sums_give_the_figures_of_the_official_scorer(metric: str) -> None:
    """Figures of udtools, stored above."""
    found = f1(inspect(FIXTURES / "conllu", metric=metric))
    assert {key: round(value, 10) for key, value in found.items()} == {k: v[metric] for k, v in OFFICIAL.items()}


@pytest.mark.parametrize("metric", METRICS)
def test_the_official_scorer_agrees_where_it_is_installed(metric: str, tmp_path: Path) -> None:
    """Random trees with other words, multiword tokens and sentence boundaries; udtools.udeval gives the same F1."""
    udeval = pytest.importorskip("udtools.udeval")
    rng = np.random.default_rng(14)
    for name in ("gold", "system"):
        lines = []
        for number in range(60):
            forms: list[tuple[str, bool]] = []
            for token in range(5):
                text = f"w{number % 10}{token}ab"
                if rng.random() < 0.2 and name == "system":
                    forms += [(text[:2], False), (text[2:], False)]
                else:
                    forms.append((text, bool(rng.random() < 0.3)))
            n_words = sum(1 + many for _, many in forms)
            word = 0
            for text, many in forms:
                if many:
                    lines.append(f"{word + 1}-{word + 2}\t{text}" + "\t_" * 8)
                for part in (text[:2], text[2:]) if many else (text,):
                    word += 1
                    head = 0 if word == 1 else int(rng.integers(1, word))
                    relation = "root" if word == 1 else str(rng.choice(["obj", "case", "nsubj:pass"]))
                    tag, feature = str(rng.choice(["NOUN", "VERB"])), str(rng.choice(["Case=Nom", "_", "Odd=Yes"]))
                    lemma = str(rng.choice([part, "_"]))
                    lines.append(f"{word}\t{part}\t{lemma}\t{tag}\t{tag[0]}\t{feature}\t{head}\t{relation}\t_\t_")
            assert word == n_words
            lines.append("")
        put(tmp_path / f"{name}.conllu", "\n".join(lines) + "\n")
    banks = []
    for name in ("gold", "system"):
        with (tmp_path / f"{name}.conllu").open(encoding="utf-8") as file:
            banks.append(udeval.load_conllu(file, name, {}))
    gold, system = banks
    (value,) = f1(inspect(tmp_path, metric=metric)).values()
    assert value == pytest.approx(udeval.evaluate(gold, system)[metric].f1, abs=1e-12)


def test_the_report_has_ratios_of_sums() -> None:
    """LAS of the report is that of the treebank, not a mean of sentences."""
    outcomes = reportkit.compare(FIXTURES / "conllu").outcomes
    for row in outcomes.itertuples():
        assert row.score_a == pytest.approx(OFFICIAL[row.dataset, row.system_a]["LAS"], abs=1e-9)
    assert {*outcomes["test"]} == {"corpus-bootstrap"}


def test_sentences_that_are_split_differently_are_taken_together(tmp_path: Path) -> None:
    """Two gold sentences that a system joins are one unit of all systems."""
    put(tmp_path / "gold.conllu", sentence(("a", 0, "root"), name="s1") + sentence(("b", 0, "root"), name="s2"))
    put(tmp_path / "joined.conllu", sentence(("a", 0, "root"), ("b", 1, "obj")))
    put(tmp_path / "same.conllu", sentence(("a", 0, "root")) + sentence(("b", 0, "root")))
    reading = inspect(tmp_path)
    assert {*reading.frame["instance"]} == {"s1+s2"}
    assert dict(zip(reading.frame["system"].astype(str), reading.frame["correct"], strict=True)) == {
        "joined": 1,
        "same": 2,
    }
    assert "sentences-joined" in codes(reading)


def test_the_gold_file_has_to_be_called_so(tmp_path: Path) -> None:
    """The proposed name works."""
    put(tmp_path / "a.conllu", sentence(("a", 0, "root")))
    put(tmp_path / "b.conllu", sentence(("a", 0, "root")))
    with pytest.raises(ReadingError, match="no gold standard") as refused:
        inspect(tmp_path)
    old, new = str(refused.value).rpartition("mv ")[2].split()
    Path(old).rename(new)
    assert {*inspect(tmp_path).frame["system"]} == {"b"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (sentence(("b", 0, "root")), "hold different texts"),
        (sentence(("a", 7, "root")), "outside of its sentence"),
        ("1\ta\t_\n\n", "3 columns, not 10"),
        ("x\ta" + "\t_" * 8 + "\n\n", "as an id"),
        (sentence(("a", 0, "root")).replace("\t0\t", "\t_\t"), "as a head"),
        (sentence(("a", 0, "root")).replace("1\t", "2\t", 1), "where 1 belongs"),
        ("# nothing\n\n", "no sentence"),
    ],
)
def test_damaged_files_say_where(text: str, said: str, tmp_path: Path) -> None:
    """Each with the line or the sentence."""
    put(tmp_path / "gold.conllu", sentence(("a", 0, "root")))
    put(tmp_path / "b.conllu", text)
    with pytest.raises(ReadingError, match=said):
        inspect(tmp_path / "gold.conllu", tmp_path / "b.conllu", format="CoNLL-U")
