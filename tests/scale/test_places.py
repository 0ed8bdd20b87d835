"""Results in object stores: S3 by a server of moto on this machine, others by what fsspec keeps in memory."""

import sys

import pytest

import reportkit
from reportkit.cli.main import main
from reportkit.errors import ReadingError, SettingsError
from tests.conftest import needed
from tests.scale.result_files import as_csv, by_dataset, in_parts, said, scores


@pytest.fixture(scope="module")
def endpoint():
    """A store that speaks S3."""
    server = needed("moto.server", "dev").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint, monkeypatch):
    """A file system of an empty bucket."""
    s3fs = needed("s3fs", "dask")
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    store = s3fs.S3FileSystem()
    if store.exists("scores"):
        store.rm("scores", recursive=True)
    store.mkdir("scores")
    return store


@pytest.mark.slow
@pytest.mark.parametrize("write", [by_dataset, as_csv])
def test_a_bucket_is_read_as_a_folder_is(bucket, tmp_path, write):
    """Parquet in folders of Hive, read in place, and CSV: the analysis is that of the files here."""
    write(scores(), tmp_path / "results")
    bucket.put(str(tmp_path / "results"), "scores/results", recursive=True)
    assert said(reportkit.compare("s3://scores/results")) == said(reportkit.compare(tmp_path / "results"))


@pytest.mark.slow
def test_the_command_takes_urls(bucket, tmp_path, monkeypatch, capsys):
    """`reportkit build s3://...` says what it read, and writes the report."""
    by_dataset(scores(), tmp_path / "results")
    bucket.put(str(tmp_path / "results"), "scores/results", recursive=True)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["build", "s3://scores/results/*/*.parquet", "--baseline", "m0"])
    assert ended.value.code == 0
    assert "3 systems on 4 datasets" in capsys.readouterr().out
    assert (tmp_path / "report" / "report.html").is_file()


@pytest.mark.slow
def test_what_is_not_there_is_said(bucket):
    """No such key, no such bucket, no such protocol."""
    with pytest.raises(ReadingError, match="no file at 's3://scores/nothing'"):
        reportkit.compare("s3://scores/nothing")
    with pytest.raises(ReadingError, match="nobody"):
        reportkit.compare("s3://nobody/nothing")


def test_a_protocol_that_nobody_knows_is_said():
    """In the words of fsspec."""
    needed("fsspec", "dask")
    with pytest.raises(ReadingError, match=r"Protocol not known: carrier"):
        reportkit.compare("carrier://pigeon")


@pytest.mark.parametrize(
    ("url", "module", "package"),
    [
        ("gs://bucket/scores", "gcsfs", "gcsfs"),
        ("abfs://container@account.dfs.core.windows.net/scores", "adlfs", "adlfs"),
        ("s3://bucket/scores", "s3fs", "'reportkit-replic[dask]'"),
        ("https://example.org/scores.csv", "aiohttp", "fsspec aiohttp requests"),
        ("s3://bucket/scores", "fsspec.core", "'reportkit-replic[dask]'"),
    ],
)
def test_what_a_store_needs_is_named(monkeypatch, url, module, package):
    """The error ends with the line that installs it."""
    registry = needed("fsspec.registry", "dask")
    monkeypatch.delitem(registry._registry, url.partition(":")[0], raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "fsspec.implementations.http", raising=False)
    with pytest.raises(SettingsError, match="needs a package that is not installed") as error:
        reportkit.compare(url)
    assert str(error.value).endswith(f"to do: pip install {package}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "write"),
    [("gs://bucket/scores", by_dataset), ("abfs://container@account.dfs.core.windows.net/scores", as_csv)],
)
def test_other_stores_are_read_as_s3_is(tmp_path, monkeypatch, url, write):
    """Whatever fsspec has under the protocol of a URL: here files in memory, under the names that the store gives."""
    registry = needed("fsspec.registry", "dask")
    memory = needed("fsspec.implementations.memory", "dask").MemoryFileSystem

    class Store(memory):
        protocol = url.partition(":")[0]
        store, pseudo_dirs = {}, [""]

        @classmethod
        def _strip_protocol(cls, path):
            return memory._strip_protocol(path.replace(f"{cls.protocol}://", "memory://"))

    monkeypatch.setitem(registry._registry, Store.protocol, Store)
    write(scores(), tmp_path / "scores")
    Store().put(str(tmp_path / "scores"), url, recursive=True)
    assert in_parts(url)
    assert said(reportkit.compare(url, baseline="m0")) == said(reportkit.compare(tmp_path / "scores", baseline="m0"))
    with pytest.raises(ReadingError, match=f"no file at '{Store.protocol}://"):
        reportkit.compare(f"{url}/nothing")
    monkeypatch.setattr(Store, "find", lambda *_, **__: _refuse())
    with pytest.raises(ReadingError, match=r"cannot be reached(.|\n)*AuthError: no credentials"):
        reportkit.compare(url)


class AuthError(Exception):
    """As a client of a store has them, which inherits from nothing that Python knows."""


AuthError.__module__ = "google.auth.exceptions"


def _refuse():
    raise AuthError("no credentials")


def test_a_store_that_lacks_an_account_is_not_one_that_is_not_installed(monkeypatch):
    """The package is there, and says what it needs."""
    registry = needed("fsspec.registry", "dask")

    class Store(needed("fsspec", "dask").AbstractFileSystem):
        def __init__(self, *_, **__):
            raise ValueError("unable to connect to account for Must provide a connection_string")

    monkeypatch.setitem(registry._registry, "abfs", Store)
    with pytest.raises(ReadingError, match=r"cannot be reached(.|\n)*connection_string(.|\n)*credentials"):
        reportkit.compare("abfs://container/scores")
