"""`pbem export-records DIR`: all public records, in files that the manifest vouches for."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from pbem.cli import main
from pbem.games import find
from pbem.games.record import parse_record
from pbem.games.verify import verify
from pbem.play.archive import record_import
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.records.exporter import MANIFEST_NAME, export
from tests.support.games.small_record import acted, random_match, sealed, share
from tests.support.house import settings

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.house import House

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def kept(house: House, number: int, *, public: bool = True) -> str:
    """Add a match that was played elsewhere, on a day of November of its own."""
    name = f"played0elsewhere{number:04}"
    at = f"2026-11-{number:02}T12:00:00.000Z"
    event = acted("abandoned")
    record = sealed(
        "abandoned", [type(event)(event.event, None, "table", {}, at, event.salt)], {"swap": True}, match=name
    )
    with house.transaction(NOON) as ctx:
        record_import.store(ctx, record_import.verify(record), public=public)
    return name


def resigned(house: House) -> str:
    match_id = house.start_match("martian-whist", 2)
    with house.transaction(NOON) as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        endings.resign(ctx, course, holders(ctx, course.match)[0])
    return match_id


def shared(house: House) -> str:
    """Add a match that shared its deal with others elsewhere."""
    record = random_match("martian-whist", 6, share("martian-whist"))
    with house.transaction(NOON) as ctx:
        record_import.store(ctx, record_import.verify(record), public=True)
    return record.match


def manifest(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / MANIFEST_NAME).read_bytes())
    return data


def records(folder: Path) -> list[list[Any]]:
    """Read all files that the manifest names, as it vouches for them."""
    found = []
    for file in manifest(folder)["files"]:
        raw = (folder / file["name"]).read_bytes()
        assert hashlib.sha256(raw).hexdigest() == file["sha256"]
        assert len(raw) == file["bytes"]
        found.append([json.loads(line) for line in gzip.decompress(raw).splitlines()])
        assert len(found[-1]) == file["records"] == sum(file["games"].values())
    assert {file.name for file in folder.iterdir()} == {
        MANIFEST_NAME,
        *(one["name"] for one in manifest(folder)["files"]),
    }
    return found


def test_all_public_records_are_there_in_the_order_in_which_they_ended(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    third, first = kept(house, 3), kept(house, 1)
    kept(house, 2, public=False)
    house.start_match("martian-whist", 2)
    house.make("martian-whist", 2)
    own = resigned(house)
    folder = tmp_path / "all" / "records"
    assert export(folder, house.config, per_file=2, batch=2) == 0
    said = capsys.readouterr()
    assert said.out == f"3 records in 2 files, listed in {folder / MANIFEST_NAME}\n"
    assert not said.err
    found = records(folder)
    assert [[record["match"] for record in part] for part in found] == [[first, third], [own]]
    for record in (record for part in found for record in part):
        assert len(list(verify(parse_record(record), find))) == 6
    told = manifest(folder)
    assert told["records"] == 3
    assert told["games"] == {"martian-whist": 1, "middle-card": 2}
    assert (told["format"], told["record"]) == ("pbem-records/1", "pbem-record/1")
    assert told["service"] == "http://127.0.0.1:8000"
    assert (told["first_ended"], told["last_ended"]) == ("2026-11-01T12:00:00.000Z", "2026-11-22T12:00:00.000Z")
    assert told["files"][0]["last_ended"] == "2026-11-03T12:00:00.000Z"


def test_the_same_records_give_the_same_bytes_and_new_ones_leave_full_files_alone(house: House, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        kept(house, number)
    assert export(tmp_path, house.config, per_file=2) == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    (tmp_path / ".records-000009.part").write_bytes(b"from a run that was interrupted")
    assert export(tmp_path, house.config, per_file=2) == 0
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    kept(house, 4)
    assert export(tmp_path, house.config, per_file=2) == 0
    full, last = (file["name"] for file in manifest(tmp_path)["files"])
    assert full in before
    assert last not in before
    assert [len(part) for part in records(tmp_path)] == [2, 2]


def test_what_was_named_before_stays_until_the_new_manifest_is_there(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(house, 1)
    assert export(tmp_path, house.config) == 0
    kept(house, 2)

    def torn(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("pbem.records.exporter.atomic_write", torn)
        assert export(tmp_path, house.config) == 2
    (file,) = manifest(tmp_path)["files"]
    assert hashlib.sha256((tmp_path / file["name"]).read_bytes()).hexdigest() == file["sha256"]
    assert export(tmp_path, house.config) == 0
    assert [len(part) for part in records(tmp_path)] == [2]


def test_nothing_played_gives_an_empty_manifest(house: House, tmp_path: Path) -> None:
    assert export(tmp_path, house.config) == 0
    assert records(tmp_path) == []
    assert manifest(tmp_path)["first_ended"] is None


def test_two_do_not_write_there_at_once(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(here, fcntl.LOCK_EX)
        assert export(tmp_path, house.config) == 2
    finally:
        os.close(here)
    assert capsys.readouterr().err == f"{tmp_path}: another export is running.\n"
    assert not list(tmp_path.iterdir())


def test_the_command_names_what_it_cannot_write(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(house, 1)
    url = house.engine.url.render_as_string(hide_password=False).replace("postgresql+psycopg", "postgresql")
    monkeypatch.setattr(os, "environ", settings(url, tmp_path / "mail"))
    (tmp_path / "file").touch()
    done = CliRunner().invoke(main, ["export-records", str(tmp_path / "file" / "below")])
    assert done.exit_code == 2
    assert f"{tmp_path}/file/below: Not a directory." in done.output
    done = CliRunner().invoke(main, ["export-records", str(tmp_path / "there"), "--per-file", "1"])
    assert done.exit_code == 0
    assert [len(part) for part in records(tmp_path / "there")] == [1]


def test_a_shared_deal_goes_out_with_each_of_its_matches(house: House, tmp_path: Path) -> None:
    match_id = shared(house)
    assert export(tmp_path, house.config) == 0
    ((data,),) = records(tmp_path)
    assert data["match"] == match_id
    assert data["set"]["place"] == 2
    assert len(list(verify(parse_record(data), find))) == 6
