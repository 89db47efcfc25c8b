"""Pages that are read from a copy of the database: where it follows, and never by who has just acted."""

from __future__ import annotations

import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, text

from pbem.config import database_url
from pbem.db import replica as replicas
from pbem.db.models import Base
from pbem.db.replica import Replica, open_replica
from pbem.db.session import connect
from pbem.play.matches import spectating
from pbem.records.exporter import export
from pbem.telemetry import metrics
from pbem.web.request.context import EXTENSION
from pbem.web.request.read_replica import ACTED_COOKIE, ACTED_SECONDS
from tests.support.house import House, open_house
from tests.support.live_service import free_port, until
from tests.support.standby import Pair, asked, followed
from tests.support.web.matches.replay import finished, play
from tests.support.web.site import pages_of, visitor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine

    from tests.support.pages import Visitor

LISTS = ("/lobby", "/matches", "/statistics", "/statistics/montauk")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with followed(tmp_path_factory.mktemp("pair")) as pair:
        yield pair


@dataclass(frozen=True, slots=True)
class Followed:
    """A house whose database has a copy."""

    house: House
    pair: Pair

    def answers(self) -> dict[str, float]:
        """Return how often the copy was read, and why not."""
        return {
            labels[0]: value for (name, labels), value in metrics.drain().items() if name == metrics.REPLICA_READS.name
        }

    def ask_copy(self, statement: str) -> Any:
        return asked(self.pair.copy_url, statement)

    def caught_up(self) -> None:
        """Wait until the copy has all."""
        reached = asked(self.pair.url, "SELECT pg_logical_emit_message(true, 'test', 'all')")
        until(lambda: self.ask_copy(f"SELECT pg_last_wal_replay_lsn() >= '{reached}'"))

    @contextmanager
    def without_patience(self) -> Iterator[None]:
        """Configure the copy to wait for none of its readers: what they read is cleared away under them."""
        asked(self.pair.copy_url, "ALTER SYSTEM SET max_standby_streaming_delay = 0")
        self.ask_copy("SELECT pg_reload_conf()")
        until(lambda: self.ask_copy("SHOW max_standby_streaming_delay") == "0")
        yield
        asked(self.pair.copy_url, "ALTER SYSTEM RESET max_standby_streaming_delay")
        self.ask_copy("SELECT pg_reload_conf()")

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Pause replication to the copy for a while."""
        self.caught_up()
        self.ask_copy("SELECT pg_wal_replay_pause()")
        until(lambda: self.ask_copy("SELECT pg_get_wal_replay_pause_state()") == "paused")
        try:
            yield
        finally:
            self.ask_copy("SELECT pg_wal_replay_resume()")


@pytest.fixture
def here(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Followed]:
    # Whether the copy is fresh is looked at anew for each page, and a second is long enough for a loaded machine.
    monkeypatch.setattr(replicas, "CHECK_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(replicas, "MAX_STALENESS_SECONDS", 30.0)
    engine = connect(database_url({"DATABASE_URL": pair.url}))
    with engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(delete(table))
    house = open_house(engine, tmp_path / "mail")
    copied = database_url({"DATABASE_URL": pair.copy_url})
    found = Followed(replace(house, config=replace(house.config, replica_url=copied)), pair)
    metrics.drain()
    yield found
    # The pages are kept for tests to come, but not what connects them to this copy.
    copy = pages_of(found.house).extensions[EXTENSION].replica
    assert copy
    copy.close()
    engine.dispose()


def reading(here: Followed) -> Visitor:
    """Somebody whose pages have come from the copy already, so that it is known to be fresh for a while."""
    reader = visitor(here.house)
    here.caught_up()
    opened(reader, "/lobby")
    assert here.answers() == {"read": 1.0}
    return reader


def opened(reader: Visitor, *pages: str) -> list[str]:
    """Open pages; gives what they are."""
    answers = [reader.client.get(page) for page in pages]
    assert [answer.status_code for answer in answers] == [200] * len(pages)
    return [answer.text for answer in answers]


def test_finished_matches_and_lists_are_read_from_the_copy(here: Followed) -> None:
    match_id = finished(here.house)
    here.caught_up()
    reader = visitor(here.house)
    ends = (
        "",
        "/replay",
        "/replay/step?step=2",
        "/record.txt",
        "/replay.html",
        "/picture.png",
        "/poster.png",
        "/embed",
    )
    pages = [*LISTS, *(f"/matches/{match_id}{end}" for end in ends), f"/api/matches/{match_id}/record"]
    for page in pages:
        here.answers()
        reader.client.get(page)
        assert here.answers() == {"read": 1.0}, page
    # What has to be kept is made in the original.
    assert reader.client.get(f"/matches/{match_id}/animation.png").status_code == 200
    assert here.answers() == {"failed": 1.0}
    assert match_id in opened(reader, "/matches")[0]
    assert here.answers() == {"read": 1.0}


def test_a_match_that_runs_is_shown_as_it_stands_in_the_original(here: Followed) -> None:
    match_id = here.house.start_match("montauk", 2, {"rounds": 1})
    reader = reading(here)
    with here.held_back():
        play(here.house, match_id, 1)
        shown, replay = opened(reader, f"/matches/{match_id}", f"/matches/{match_id}/replay")
        assert here.answers() == {"not there": 2.0}
    assert mark(here, match_id) in shown
    assert "Step 1 of 1" in " ".join(replay.split())


def mark(here: Followed, match_id: str) -> str:
    with here.house.transaction() as ctx:
        newest = spectating.current_version(ctx, match_id)
        assert newest
        return newest.mark


def test_what_the_copy_does_not_have_yet_is_read_in_the_original(here: Followed) -> None:
    reader = reading(here)
    with here.held_back():
        match_id = finished(here.house)
        opened(reader, f"/matches/{match_id}", f"/matches/{match_id}/record.txt")
        assert reader.client.get("/matches/none/record.txt").status_code == 404
        assert here.answers() == {"not there": 3.0}


def test_whoever_has_just_acted_reads_the_original(here: Followed) -> None:
    match_id = here.house.start_match("montauk", 2, {"rounds": 1})
    token = here.house.last("Ann").token
    reader, player, host = reading(here), visitor(here.house, keeps=True), visitor(here.house, keeps=True)
    with here.held_back():
        match_id = finished(here.house)
        assert player.client.get(f"/m/{token}").status_code == 200
        assert host.client.post("/new/minimax", data={}).status_code == 400
        here.answers()
        assert match_id not in opened(reader, "/matches")[0]
        assert here.answers() == {"read": 1.0}
        for known in (player, host):
            assert match_id in opened(known, "/matches")[0]
        assert here.answers() == {}
    ours = [
        cookie
        for cookie in (each.client.get_cookie(ACTED_COOKIE, domain="127.0.0.1") for each in (player, host))
        if cookie
    ]
    assert [(cookie.max_age, cookie.http_only) for cookie in ours] == [(ACTED_SECONDS, True)] * 2


def test_without_a_copy_no_cookie_is_given(here: Followed) -> None:
    alone = visitor(replace(here.house, config=replace(here.house.config, replica_url=None)), keeps=True)
    assert alone.client.post("/new/minimax", data={}).status_code == 400
    assert alone.client.get_cookie(ACTED_COOKIE, domain="127.0.0.1") is None
    assert opened(alone, "/lobby")
    assert here.answers() == {}


# -- a copy that is not well -----------------------------------------------------------------------------------------


@pytest.fixture
def replica(here: Followed) -> Iterator[Replica]:
    found = open_replica(here.house.config, here.house.engine)
    assert found
    yield found
    found.close()


def in_copy(engine: Engine) -> bool:
    with engine.connect() as connection:
        return bool(connection.scalar(text("SELECT pg_is_in_recovery()")))


def test_a_copy_that_lags_behind_is_left_until_it_has_caught_up(
    here: Followed, replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.caught_up()
    assert replica.read(in_copy)
    with here.held_back():
        here.house.make("minimax", 1)
        assert replica.is_fresh()
        monkeypatch.setattr(replicas, "MAX_STALENESS_SECONDS", 0.0)
        # As old as the last place that it has reached, however long ago that was.
        assert not replica.is_fresh()
        here.answers()
        assert not replica.read(in_copy)
        assert here.answers() == {"behind": 1.0}
        monkeypatch.setattr(replicas, "MAX_STALENESS_SECONDS", 0.2)
        time.sleep(0.3)
        assert not replica.is_fresh()
    until(replica.is_fresh)
    assert until(lambda: replica.read(in_copy))


def test_a_copy_of_a_database_at_rest_is_fresh(replica: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
    until(replica.is_fresh)
    monkeypatch.setattr(replicas, "MAX_STALENESS_SECONDS", 5.0)
    time.sleep(0.2)
    assert replica.is_fresh()


def test_rows_that_are_cleared_away_under_a_reader_are_read_in_the_original(here: Followed, replica: Replica) -> None:
    here.house.start_match("minimax", 1)
    here.caught_up()
    tried: list[bool] = []

    def look(engine: Engine) -> int:
        tried.append(in_copy(engine))
        whole = engine.execution_options(isolation_level="REPEATABLE READ")
        with whole.connect() as connection:
            found = connection.scalar(text("SELECT count(*) FROM tokens"))
            if tried == [True]:
                with here.house.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as other:
                    other.execute(text("UPDATE tokens SET stage = stage"))
                    other.execute(text("VACUUM tokens"))
                here.caught_up()
            assert found == connection.scalar(text("SELECT count(*) FROM tokens"))
            return int(found or 0)

    with here.without_patience():
        assert replica.read(look) > 0
    assert tried == [True, False]
    assert here.answers() == {"failed": 1.0}
    # The copy is well: it is read again at once, over another connection where it has closed this one.
    assert until(lambda: replica.read(in_copy))


def test_a_copy_that_is_away_is_not_asked_for_a_while(here: Followed) -> None:
    nowhere = replace(here.house.config, replica_url=f"postgresql+psycopg://pbem@127.0.0.1:{free_port()}/pbem")
    replica = open_replica(nowhere, here.house.engine)
    assert replica
    with closing(replica):
        assert [replica.read(in_copy) for _ in range(3)] == [False] * 3
        assert here.answers() == {"failed": 1.0, "behind": 3.0}
    reader = visitor(replace(here.house, config=nowhere))
    assert opened(reader, *LISTS)


def test_a_server_that_follows_no_other_is_no_copy(here: Followed, caplog: pytest.LogCaptureFixture) -> None:
    replica = Replica(here.house.engine, connect(database_url({"DATABASE_URL": here.pair.url})))
    with closing(replica):
        assert not replica.is_fresh()
    assert "it is not in recovery" in caplog.text


# -- an export ---------------------------------------------------------------------------------------------------------


def test_an_export_reads_the_copy(here: Followed, tmp_path: Path) -> None:
    finished(here.house)
    here.caught_up()
    here.answers()
    assert export(tmp_path / "away", here.house.config, batch=1) == 0
    assert here.answers() == {"read": 2.0}
    alone = replace(here.house.config, replica_url=None)
    assert export(tmp_path / "here", alone, batch=1) == 0
    files = [sorted(path.name for path in (tmp_path / name).glob("records-*")) for name in ("away", "here")]
    assert files[0] == files[1] != []
