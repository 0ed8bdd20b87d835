"""Results in an object store, against a server of moto on this machine."""

import pytest

import reportkit
from reportkit.cli.main import main
from reportkit.errors import ReadingError, SettingsError
from tests.conftest import needed
from tests.scale.result_files import as_csv, by_dataset, files, scores


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
    """Parquet in folders of Hive, read in place, and CSV: the report has the bytes of that of the files here."""
    write(scores(), tmp_path / "results")
    bucket.put(str(tmp_path / "results"), "scores/results", recursive=True)
    expected = files(reportkit.compare(tmp_path / "results"), tmp_path / "here")
    assert files(reportkit.compare("s3://scores/results"), tmp_path / "there") == expected


@pytest.mark.slow
def test_the_command_takes_urls(bucket, tmp_path, monkeypatch, capsys):
    """`reportkit build s3://...` says what it read, and writes the report."""
    by_dataset(scores(), tmp_path / "results")
    bucket.put(str(tmp_path / "results"), "scores/results", recursive=True)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["build", "s3://scores/results/*/*.parquet", "--baseline", "m0"])
    assert ended.value.code == 0
    assert "3 systems and 4 datasets" in capsys.readouterr().out
    assert (tmp_path / "report" / "report.html").is_file()


@pytest.mark.slow
def test_what_is_not_there_is_said(bucket):
    """No such key, no such bucket, no such protocol."""
    with pytest.raises(ReadingError, match="no file at 's3://scores/nothing'"):
        reportkit.compare("s3://scores/nothing")
    with pytest.raises(ReadingError, match="nobody"):
        reportkit.compare("s3://nobody/nothing")
    with pytest.raises(SettingsError, match="no protocol"):
        reportkit.compare("carrier://pigeon")
