"""A database that PostgreSQL itself recovers up to a moment, as `docs/operate/backup.md` says, and what follows."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text

from pbem.db.models import LogEntry, Restore
from pbem.db.session import connect
from pbem.db.upgrade import upgrade
from pbem.ops.backup.programs import Programs
from pbem.ops.backup.restore import mark_restored
from pbem.ops.replay_all import replay_all
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.process import running
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.upkeep import after_restore
from tests.support.house import open_house
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from pbem.ops.up.process import Run
    from tests.support.house import House

AHEAD = {"wal_level": "replica", "max_wal_senders": "2"}
"""What a server of our own must be told: these are the settings of one that is installed."""
PAGE = ROOT / "docs" / "operate" / "backup.md"


def started(cluster: Cluster, **settings: str) -> AbstractContextManager[Run]:
    part = cluster.part(cluster.data.with_suffix(".log"))
    more = (f"--{name}={value}" for name, value in settings.items())
    return running(replace(part, command=(*part.command, *more)))


def documented(archive: Path) -> dict[str, str]:
    """Read the settings that the page says, with the archive in this test's folder."""
    found = dict(re.findall(r"^    (\w+) = '?(.+?)'?$", PAGE.read_text(), re.MULTILINE))
    return {name: value.replace("/var/lib/pbem-wal", str(archive)) for name, value in found.items()}


def play(house: House, match_id: str) -> datetime:
    """Play a move; return a moment behind it, by the database's clock."""
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        seat = course.game.to_move(course.position)[0]
        play_move(ctx, course, seat, course.game.suggest(course.position, seat)[0], ctx.now)
    with house.transaction() as ctx:
        moment: datetime = ctx.session.scalar(text("SELECT clock_timestamp()"))
        return moment


@pytest.fixture
def archived(short_path: Path) -> Iterator[tuple[House, Path, Path]]:
    """A service whose database writes all it does into an archive too; with the archive and a copy of its beginning."""
    archive, base = short_path / "archive", short_path / "base"
    archive.mkdir()
    cluster = Cluster.in_folder(short_path / "first" / "postgres", fsync=False)
    cluster.create()
    said = documented(archive)
    with started(cluster, **AHEAD, archive_mode=said["archive_mode"], archive_command=said["archive_command"]):
        upgrade(cluster.url)
        engine = connect(cluster.url)
        programs = Programs(cluster.programs, cluster.url)
        subprocess.run(programs.command("pg_basebackup", f"--pgdata={base}", "--checkpoint=fast"), check=True)
        yield open_house(engine, short_path / "mail"), archive, base
        engine.dispose()


def test_a_database_comes_back_as_it_was_at_a_moment(archived: tuple[House, Path, Path], short_path: Path) -> None:
    house, archive, base = archived
    match_id = house.start_match("minimax", 1)
    moment = play(house, match_id)
    play(house, match_id)
    with house.engine.connect() as connection:
        connection.execute(text("SELECT pg_switch_wal()"))
        name = connection.scalar(text("SELECT last_archived_wal FROM pg_stat_archiver"))
        while connection.scalar(text("SELECT last_archived_wal FROM pg_stat_archiver")) == name:
            connection.rollback()
    said = documented(archive)
    second = Cluster.in_folder(short_path / "second" / "postgres", fsync=False)
    second.data.rmdir()
    base.rename(second.data)
    (second.data / "recovery.signal").touch()
    behind = {"restore_command": said["restore_command"], "recovery_target_action": said["recovery_target_action"]}
    with started(second, **AHEAD, **behind, recovery_target_time=moment.isoformat()):
        engine = connect(second.url)
        back = open_house(engine, house.folder)
        assert back.all(select(LogEntry.ply)) == [1]
        assert mark_restored(back.config, moment, lambda question: moment.isoformat()[:19] in question) == 0
        assert back.all(select(Restore.lost_after)) == [moment]
        with back.transaction() as ctx:
            assert after_restore.notify_batch(ctx)
        assert "The match continues at move 2." in back.last("Ann").flat
        assert replay_all(back.config) == 0
        engine.dispose()
