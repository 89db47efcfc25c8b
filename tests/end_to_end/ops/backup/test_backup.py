"""Backups: the database at one moment, whole or not at all, there and back."""

from __future__ import annotations

import json
import resource
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, select, text

from pbem.atomic_files import exclusive_lock
from pbem.cli import main
from pbem.db.models import Base, Heartbeat, OutboxMessage, Restore, SeatHolder, Token
from pbem.db.session import connect
from pbem.ops.backup import encryption, manifest
from pbem.ops.backup import restore as backup_restore
from pbem.ops.backup.commands import backup, backup_key
from pbem.ops.backup.commands import restore as restore_command
from pbem.ops.backup.commands import restored as restored_command
from pbem.ops.backup.creation import back_up
from pbem.ops.backup.programs import Programs
from pbem.ops.backup.restore import restore
from pbem.ops.replay_all import replay_all
from pbem.play.core.context import timestamp
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.upkeep.after_restore import BACKUP_HEARTBEAT
from tests.support.house import open_house, settings
from tests.support.ops.backup.backup import KEYS, url_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.house import House
ASIDE = {
    SeatHolder.__tablename__,
    OutboxMessage.__tablename__,
    Heartbeat.__tablename__,
    Restore.__tablename__,
    Token.__tablename__,
}
"""Tables that a return to an older state changes."""


def lived(house: House) -> None:
    """Create some matches, of every state."""
    house.start_match("martian-whist", 2)
    house.make("middle-card", 3)
    over = house.start_match("minimax", 1)
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, over))
        endings.resign(ctx, course, holders(ctx, course.match)[0])


def taken(house: House, folder: Path, *recipients: str, keep: int | None = None) -> Path:
    """Take a backup; gives its manifest."""
    before = {*folder.glob("*.json")}
    assert back_up(folder, url_of(house), KEYS, recipients, keep) == 0
    (made,) = {*folder.glob("*.json")} - before
    return made


def rows(url: str) -> dict[str, list[str]]:
    """Return all rows of a database."""
    engine = create_engine(url)
    with engine.connect() as connection:
        found = {
            table.name: sorted(map(str, connection.execute(table.select()).all()))
            for table in Base.metadata.sorted_tables
        }
    engine.dispose()
    return found


def tables_of(url: str) -> list[str]:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all()
    engine.dispose()
    return list(found)


def test_all_comes_back_as_it_was_save_what_could_count_twice(
    house: House, empty: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lived(house)
    made = taken(house, tmp_path / "backups")
    told = json.loads(made.read_text())
    assert told["matches"] == {"inviting": 1, "over": 1, "running": 1}
    assert (told["format"], told["keys"], told["sealed_for"], told["entries"]) == ("pbem-backup/1", KEYS, [], 1)
    assert f"{made}: " in capsys.readouterr().out
    before = rows(url_of(house))
    assert restore(made, empty, KEYS) == 0
    assert f"as it was at {told['taken_at']}: 3 matches (1 running), 1 moves and acts." in capsys.readouterr().out
    after = rows(empty)
    for name in before.keys() - ASIDE:
        assert after[name] == before[name], name
    assert len(before["matches"]) == 3
    engine = connect(empty)
    back = open_house(engine, tmp_path / "mail")
    assert replay_all(back.config) == 0
    (row,) = back.all(select(Restore))
    assert timestamp(row.lost_after) == told["taken_at"]
    assert back.deliver() == 0
    assert {*back.all(select(OutboxMessage.state))} == {"dropped", "sent"}
    engine.dispose()


def test_a_sealed_backup_opens_with_its_key_alone(
    house: House, empty: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lived(house)
    ours = encryption.write_new_key(tmp_path / "ours")
    encryption.write_new_key(tmp_path / "another")
    made = taken(house, tmp_path, ours)
    dump = tmp_path / json.loads(made.read_text())["file"]
    assert dump.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert dump.stat().st_mode & 0o077 == made.stat().st_mode & 0o077 == 0
    capsys.readouterr()
    assert restore(made, empty, KEYS) == 1
    assert restore(made, empty, KEYS, tmp_path / "another") == 1
    (tmp_path / "torn").write_text((tmp_path / "ours").read_text()[:-9])
    assert restore(made, empty, KEYS, tmp_path / "torn") == 1
    assert restore(made, empty, KEYS, tmp_path / "nowhere") == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"This backup is encrypted for {ours}: give the file with the key as --key."
    assert lines[1].startswith(f"{tmp_path / 'another'} does not decrypt this backup: ")
    assert lines[2] == f"{tmp_path / 'torn'} holds no key: one begins with AGE-SECRET-KEY-1."
    assert lines[3] == f"{tmp_path / 'nowhere'}: No such file or directory."
    assert tables_of(empty) == []
    assert restore(dump, empty, KEYS, tmp_path / "ours") == 0
    assert "matches" in tables_of(empty)


def test_what_is_no_recipient_seals_nothing(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert back_up(tmp_path / "backups", url_of(house), KEYS, ["age1nobody"]) == 1
    assert "age1nobody is not a recipient" in capsys.readouterr().err
    assert not (tmp_path / "backups").exists()


@pytest.mark.parametrize("sealed", [False, True])
def test_a_backup_that_was_cut_is_refused_and_nothing_of_it_stays(
    house: House, empty: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, sealed: bool
) -> None:
    lived(house)
    recipient = encryption.write_new_key(tmp_path / "key")
    key = tmp_path / "key" if sealed else None
    made = taken(house, tmp_path, *([recipient] if sealed else []))
    told = json.loads(made.read_text())
    dump, whole = tmp_path / told["file"], (tmp_path / told["file"]).read_bytes()

    def refusal() -> str:
        capsys.readouterr()
        assert restore(made, empty, KEYS, key) == 1
        assert tables_of(empty) == []
        return capsys.readouterr().err

    dump.write_bytes(whole[:-1])
    assert f"has {len(whole) - 1:,} bytes, but should have {len(whole):,}." in refusal()
    dump.write_bytes(whole + b"more")
    assert f"has {len(whole) + 4:,} bytes, but should have {len(whole):,}." in refusal()
    dump.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert "its SHA-256 differs" in refusal()
    # Also where the manifest was written anew for what is left.
    for left in (len(whole) // 2, len(whole) - 1):
        dump.write_bytes(whole[:left])
        made.write_text(json.dumps(told | {"bytes": left, "sha256": sha256(whole[:left]).hexdigest()}))
        assert refusal()
    dump.unlink()
    assert "No such file" in refusal()
    made.unlink()
    assert "does not exist" in refusal()
    dump.write_bytes(whole)
    assert restore(dump, empty, KEYS, key) == 1
    assert "which is written last, is missing beside it: this backup is incomplete." in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "pbem-records/1"}', "\xff"])
def test_what_is_no_manifest_is_told(tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pbem-1.json"
    file.write_text(content, "latin-1")
    assert restore(file, "postgresql+psycopg://nowhere/", KEYS) == 1
    assert capsys.readouterr().err == f"{file} is not the manifest of a backup.\n"
    assert manifest.find_all(tmp_path) == []


def test_what_does_not_fit_is_refused(
    house: House, empty: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lived(house)
    made = taken(house, tmp_path)
    told = made.read_text()

    def refusal(keys: list[str], **changed: Any) -> str:
        capsys.readouterr()
        made.write_text(json.dumps(json.loads(told) | changed))
        assert restore(made, empty, keys) == 1
        return capsys.readouterr().err

    assert "None of the service's secret keys of then is set" in refusal(["another"])
    assert "made by a newer pbem (7.0): install that version" in refusal(KEYS, schema="9999", pbem="7.0")
    assert "the backup needs 99 or newer." in refusal(KEYS, postgres=99)
    made.write_text(told)
    assert tables_of(empty) == []
    assert restore(made, empty, ["another"], any_keys=True) == 0
    assert "a backup is restored only into an empty one" in refusal(KEYS)


def test_a_database_that_is_away_is_told(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = f"postgresql+psycopg://pbem@/pbem?host={tmp_path}"
    assert back_up(tmp_path / "backups", nowhere, KEYS, []) == 1
    assert "The database cannot be used: " in capsys.readouterr().err
    assert restore(taken(house, tmp_path), nowhere, KEYS) == 1
    assert "The database cannot be used: " in capsys.readouterr().err


def test_tables_that_come_while_a_backup_is_brought_back_have_all_of_it_undone(
    house: House, empty: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lived(house)
    made = taken(house, tmp_path)
    engine = create_engine(empty)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE login_sessions (id int)"))
    engine.dispose()
    monkeypatch.setattr(backup_restore, "_COUNT_TABLES", text("SELECT 0"))
    assert restore(made, empty, KEYS) == 1
    assert 'Nothing was restored: ERROR:  relation "login_sessions" already exists' in capsys.readouterr().err
    assert tables_of(empty) == ["login_sessions"]


def test_only_the_newest_are_kept_where_so_many_are_wanted(house: House, tmp_path: Path) -> None:
    made = [taken(house, tmp_path) for _ in range(3)]
    made.append(taken(house, tmp_path, keep=2))
    assert {*tmp_path.iterdir()} == {*made[2:], *(path.with_suffix(".dump") for path in made[2:])}


def test_when_the_newest_backup_was_taken_is_known(house: House, tmp_path: Path) -> None:
    made = taken(house, tmp_path)
    (heartbeat,) = house.all(select(Heartbeat).where(Heartbeat.part == BACKUP_HEARTBEAT))
    assert timestamp(heartbeat.seen_at) == json.loads(made.read_text())["taken_at"]


def test_two_backups_at_once_are_one(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with exclusive_lock(tmp_path):
        assert back_up(tmp_path, url_of(house), KEYS, []) == 1
    assert capsys.readouterr().err == f"{tmp_path}: another backup is being written there.\n"


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Limit the size of all files that this process writes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("sealed", [False, True])
def test_a_full_disk_leaves_nothing_behind(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, sealed: bool
) -> None:
    lived(house)
    recipients = [encryption.write_new_key(tmp_path / "key")] if sealed else []
    with room_for(2048):
        status = back_up(tmp_path / "backups", url_of(house), KEYS, recipients)
    assert status == 1
    assert "File too large" in capsys.readouterr().err
    assert [*(tmp_path / "backups").iterdir()] == []


def test_what_pg_dump_cannot_read_is_told(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = Programs.command
    monkeypatch.setattr(Programs, "command", lambda *said: (*command(*said), "--table=nowhere"))
    assert back_up(tmp_path / "backups", url_of(house), KEYS, []) == 1
    assert "pg_dump failed: pg_dump: error: no matching tables were found" in capsys.readouterr().err
    assert [*(tmp_path / "backups").iterdir()] == []


def test_no_password_stands_in_a_command(tmp_path: Path) -> None:
    programs = Programs(tmp_path, "postgresql+psycopg://ann:secret@db:5433/games?sslmode=require")
    command = programs.command("pg_dump", "--verbose")
    assert command == (
        str(tmp_path / "pg_dump"),
        "--verbose",
        "--dbname=postgresql://ann@db:5433/games?sslmode=require",
    )
    assert programs.environment["PGPASSWORD"] == "secret"


# -- the commands -----------------------------------------------------------------------------------


@pytest.fixture
def set_up(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    for name, value in settings(url_of(house), house.folder).items():
        monkeypatch.setenv(name, value)
    return house


def test_by_command_there_and_back(set_up: House, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lived(set_up)
    run = CliRunner()
    said = run.invoke(backup_key, [str(tmp_path / "key")])
    assert said.exit_code == 0
    name, _, recipient = said.output.strip().partition("=")
    assert run.invoke(backup_key, [str(tmp_path / "key")]).exit_code == 1
    assert run.invoke(backup_key, [str(tmp_path / "nowhere" / "key")]).exit_code == 1
    monkeypatch.setenv(name, recipient)
    assert run.invoke(backup, [str(tmp_path / "backups"), "--keep", "3"]).exit_code == 0
    (made,) = (tmp_path / "backups").glob("*.json")
    assert json.loads(made.read_text())["sealed_for"] == [recipient]
    monkeypatch.setenv("DATABASE_URL", empty)
    assert run.invoke(restore_command, [str(made)]).exit_code == 1
    done = run.invoke(restore_command, [str(made), "--key", str(tmp_path / "key")])
    assert done.exit_code == 0, done.output
    assert "Start the service" in done.output
    monkeypatch.setenv("PBEM_SECRET_KEYS", "short")
    wrong = run.invoke(backup, [str(tmp_path / "backups")])
    assert wrong.exit_code == 2
    assert "PBEM_SECRET_KEYS" in wrong.output


def test_a_database_recovered_by_other_means_is_said_to_be_of_a_moment(set_up: House) -> None:
    lived(set_up)
    run = CliRunner()
    said = run.invoke(restored_command, [])
    assert said.exit_code == 1
    assert "Give the time of this database's state with --until" in said.output
    assert run.invoke(restored_command, ["--until", "yesterday"]).exit_code == 2
    assert run.invoke(restored_command, ["--until", "2999-01-01"]).exit_code == 1
    no = run.invoke(restored_command, ["--until", "2026-11-20T14:05"], input="n\n")
    assert no.exit_code == 1
    assert "that the database is as it was at 2026-11-20T14:05:00.000Z" in no.output
    assert set_up.all(select(Restore.id)) == []
    with set_up.transaction() as ctx:
        last = ctx.now
        ctx.session.merge(Heartbeat(part="worker", seen_at=last))
    done = run.invoke(restored_command, ["--yes"])
    assert done.exit_code == 0
    assert f"what happened after {timestamp(last)} is lost" in done.output
    assert set_up.all(select(Restore.lost_after)) == [last]


def test_settings_in_a_file_say_for_whom_it_is_sealed(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipient = encryption.write_new_key(tmp_path / "key")
    said = settings(url_of(house), house.folder) | {"PBEM_BACKUP_FOR": recipient}
    for name in said:
        # What the command learns from the file is to be forgotten after this test.
        monkeypatch.setenv(name, "")
    (tmp_path / "settings").write_text("".join(f"{name}={value}\n" for name, value in said.items()))
    folder = tmp_path / "backups"
    done = CliRunner().invoke(main, ["--settings", str(tmp_path / "settings"), "backup", str(folder)])
    assert done.exit_code == 0, done.output
    (made,) = folder.glob("*.json")
    assert json.loads(made.read_text())["sealed_for"] == [recipient]


def test_a_data_folder_is_backed_up_and_brought_back_by_its_name(
    house: House, tmp_path: Path, short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived(house)
    made, data = taken(house, tmp_path / "backups"), short_path / "data"
    monkeypatch.delenv("PBEM_SECRET_KEYS", raising=False)
    run = CliRunner()
    without = run.invoke(restore_command, [str(made), "--data", str(data)])
    assert without.exit_code == 1
    assert "put the old data folder's file secret-keys into the new one" in without.output
    (data / "secret-keys").write_text("0" * 40)
    assert run.invoke(restore_command, [str(made), "--data", str(data)]).exit_code == 0
    again = run.invoke(backup, [str(tmp_path / "again"), "--data", str(data)])
    assert again.exit_code == 0, again.output
    assert "3 matches (1 running)" in again.output
    (tmp_path / "file").touch()
    wrong = run.invoke(restore_command, [str(made), "--data", str(tmp_path / "file" / "data")])
    assert wrong.exit_code == 2
    assert "cannot be written" in wrong.output
    nothing = run.invoke(backup, [str(tmp_path / "again"), "--data", str(tmp_path / "nowhere")])
    assert nothing.exit_code == 2
    assert "holds no data of `pbem up`" in nothing.output
