"""`pbem import FILE...`: what comes in becomes a match that lives as any other, and what is refused leaves nothing."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.config import database_url
from pbem.db.models import DealSet, LogEntry, Match, MatchSeat, OutboxMessage, Player, SeatHolder
from pbem.games import GAMES
from pbem.games.chain import next_hash, opening_hash
from pbem.games.record_text import format_text
from pbem.play.archive import replay_check
from pbem.play.archive.records import build_record
from pbem.play.matches import spectating
from pbem.play.matches.share_keys import shared_key
from pbem.play.matches.views import player_names
from pbem.records.file_parsing import MAX_RECORD_BYTES
from pbem.records.importer import import_files
from pbem.states import MatchState
from tests.support.games.small_record import MATCH, SET, acted, finished, random_match, sealed, share
from tests.support.house import settings

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.games.record import Record
    from tests.support.house import House

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Import after the records were made, whatever day it is."""
    monkeypatch.setattr("pbem.play.core.context.system_time", lambda: NOW)


def resealed(record: Record, **changes: Any) -> Record:
    """Change a record and make its chain right again."""
    changed = replace(record, **changes)
    head = opening_hash(
        changed.commitment, changed.match, changed.game, changed.edition, changed.options, len(changed.seats)
    )
    for entry in changed.log:
        head = next_hash(head, entry)
    return replace(changed, head=head)


def written(folder: Path, *records: Record) -> list[Path]:
    """Write records down, the first as JSON, the second as text, and so on."""
    files = []
    for number, record in enumerate(records):
        file = folder / f"{number}.{'txt' if number % 2 else 'json'}"
        file.write_text(format_text(record) if number % 2 else json.dumps(record.data()), encoding="utf-8")
        files.append(file)
    return files


def imported(house: House, folder: Path, *records: Record, public: bool = True) -> int:
    return import_files(written(folder, *records), house.config, public=public)


def rows(house: House) -> int:
    """Count all rows that an import could leave."""
    return sum(len(house.all(table.__table__.select())) for table in (Match, MatchSeat, LogEntry, DealSet))


@pytest.mark.parametrize("key", GAMES)
def test_a_match_of_any_game_comes_in_as_it_was(house: House, tmp_path: Path, key: str) -> None:
    record = random_match(key, 30)
    assert imported(house, tmp_path, record) == 0
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, MATCH)
        assert build_record(ctx, match) == record
        assert player_names(ctx, match) == record.seats
        assert (match.state, match.public, match.rated, match.time_control) == ("over", True, False, "none")
        assert match.started_at == match.ended_at == datetime(2026, 11, 21, 5, 50, 10, 123000, tzinfo=UTC)
        assert match.imported_at == NOW
        assert replay_check.find_differences(ctx, [MATCH]) == []
        (listed,) = spectating.finished_matches(ctx, 9)
        assert listed.names == record.seats
    assert not house.all(SeatHolder.__table__.select()) + house.all(Player.__table__.select())
    assert not house.all(OutboxMessage.__table__.select())


def test_it_says_where_matches_are_now_and_does_nothing_twice(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = finished(taken_back=True)
    assert imported(house, tmp_path, record, record) == 0
    where = f"http://127.0.0.1:8000/matches/{MATCH}"
    said = capsys.readouterr().out
    assert said == f"{tmp_path}/0.json: {where}\n{tmp_path}/1.txt: {where} (already imported)\n"
    before = rows(house)
    assert imported(house, tmp_path, replace(record, seats=("Ann", "(forgotten)", "Cyd"))) == 0
    assert capsys.readouterr().out.endswith(" (already imported)\n")
    assert rows(house) == before


def test_a_private_one_is_shown_with_its_key_only(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert imported(house, tmp_path, finished(), public=False) == 0
    key = shared_key(house.match(MATCH))
    assert capsys.readouterr().out == f"{tmp_path}/0.json: http://127.0.0.1:8000/matches/{MATCH}?key={key}\n"
    assert not house.match(MATCH).public
    with house.transaction() as ctx:
        assert spectating.finished_matches(ctx, 9) == []


def test_another_match_of_that_name_is_refused_and_nothing_comes_in(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert imported(house, tmp_path, finished()) == 0
    before = rows(house)
    capsys.readouterr()
    assert imported(house, tmp_path, random_match("minimax", 3)) == 1
    assert capsys.readouterr().err == f"{tmp_path}/0.json: There is another match with the id {MATCH}.\n"
    assert rows(house) == before
    # A sound one beside it does not come in either.
    sound = sealed("abandoned", [acted("abandoned")], {"swap": True}, match="another0another0another0")
    assert imported(house, tmp_path, sound, random_match("minimax", 3)) == 1
    told = capsys.readouterr()
    assert told.err.endswith("Nothing was imported.\n")
    assert not told.out
    assert rows(house) == before


def test_a_match_that_is_being_played_here_is_not_touched(house: House, tmp_path: Path) -> None:
    match_id = house.start_match("martian-whist", 2)
    before = rows(house)
    record = sealed("abandoned", [acted("abandoned")], {"swap": True}, match=match_id)
    assert imported(house, tmp_path, record) == 1
    assert rows(house) == before
    assert house.match(match_id).state == MatchState.RUNNING


def shared(place: int, **changes: Any) -> Record:
    """A match of Whist at one table of a deal that three share; each has an id of its own."""
    record = random_match("martian-whist", 6, share("martian-whist"))
    assert record.shared
    entropies = record.shared.at_place(2) if place == 2 else record.shared.entropies[2 * place - 2 : 2 * place]
    changes = {"match": f"table{place}0played0elsewhere"} | changes
    by = ("player", "server") if place == 2 else ("player", "player")
    return resealed(record, shared=replace(record.shared, place=place), entropies=entropies, entropy_by=by, **changes)


def test_matches_that_share_a_deal_share_it_here_too(house: House, tmp_path: Path) -> None:
    record, other = shared(2), shared(3)
    assert imported(house, tmp_path, record) == 0
    assert imported(house, tmp_path, record, other) == 0
    with house.transaction() as ctx:
        for one in (record, other):
            match = ctx.session.get_one(Match, one.match)
            assert build_record(ctx, match) == one
            assert (match.set_id, match.withheld) == (SET, None)
        (deal_set,) = ctx.session.query(DealSet).all()
        assert (deal_set.kind, deal_set.opened_at) == ("imported", NOW)


def test_a_table_that_contradicts_others_of_its_deal_is_refused(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert imported(house, tmp_path, shared(2)) == 0
    before = rows(house)
    assert imported(house, tmp_path, shared(2, match="again0again0again0again")) == 1
    assert "is table 2 of the shared deal" in capsys.readouterr().err
    own = share("martian-whist", tables=4)
    assert imported(house, tmp_path, replace(random_match("martian-whist", 6, own))) == 1
    assert f"There is another shared deal with the id {SET}." in capsys.readouterr().err
    unnamed = share("martian-whist", place=2**31)
    assert imported(house, tmp_path, random_match("martian-whist", 6, unnamed)) == 1
    assert "or the match’s place in it, cannot be stored" in capsys.readouterr().err.replace("'", "’")
    assert rows(house) == before


LATE = "2026-11-21T05:50:10.123456Z"
NO_DAY = "2026-02-30T05:50:10.123Z"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda record: replace(record, head=bytes(32)), "The chain does not hold"),
        (lambda record: replace(record, edition=9), "There is no edition 9 of “middle-card” here"),
        (lambda record: resealed(record, seats=("A" * 101, "B", "C")), "A name is longer than 100 characters."),
        (lambda record: replace(record, seats=("A\0", "B", "C")), "a character that the database cannot store"),
        (
            lambda record: replace(record, entropy_by=("server", *record.entropy_by[1:])),
            "The entropy of seat 1 does not hold",
        ),
        (
            lambda record: resealed(record, log=(*record.log, acted("opened", 4))),
            "Entry 14 of the log does not hold: there is no seat 4.",
        ),
        (
            lambda record: resealed(record, log=(replace(record.log[0], salt="Z"), *record.log[1:])),
            "Entry 1 of the log does not hold: its salt is not 32 digits",
        ),
        (
            lambda record: resealed(record, log=(replace(record.log[0], at="today"), *record.log[1:])),
            "Entry 1 of the log does not hold: its time is not written in UTC",
        ),
        (
            lambda record: resealed(record, log=(replace(record.log[0], at=LATE), *record.log[1:])),
            "Entry 1 of the log does not hold: its time is not written in UTC",
        ),
        (
            lambda record: resealed(record, log=(replace(record.log[0], at=NO_DAY), *record.log[1:])),
            "Entry 1 of the log cannot be stored: its time does not exist",
        ),
        (
            lambda record: resealed(record, log=(*record.log[:-1], replace(record.log[-1], ply=2**31))),
            "Entry 13 of the log cannot be stored: ply 2147483648 is out of range.",
        ),
        (
            lambda record: resealed(record, log=(*record.log, acted("opened", detail={"n": 1e300 * 1e10}))),
            "The database cannot store it",
        ),
        (
            lambda record: resealed(record, log=(*record.log, acted("opened", detail={"n": 1e22}))),
            "The stored match would",
        ),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_what_cannot_be_kept_as_it_stands_is_refused(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: Any, why: str
) -> None:
    sound = sealed("abandoned", [acted("abandoned")], {"swap": True}, match="another0another0another0")
    assert imported(house, tmp_path, sound, spoil(finished(taken_back=True))) == 1
    said = capsys.readouterr()
    first, nothing = said.err.splitlines()
    assert first.startswith(f"{tmp_path}/1.txt: ")
    assert why in first
    assert nothing == "Nothing was imported."
    assert not said.out
    assert rows(house) == 0


@pytest.mark.parametrize("name", ["short", "Large0Large0Large0Large0", "a/../../b0123456789", "", "ä" * 20])
def test_an_id_that_no_address_could_have_is_refused(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    record = sealed("abandoned", [acted("abandoned")], {"swap": True}, match=name)
    assert imported(house, tmp_path, record) == 1
    assert "16 to 64 lower-case letters and digits" in capsys.readouterr().err
    assert rows(house) == 0


def test_what_is_no_record_at_all_has_a_status_of_its_own(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sound,) = written(tmp_path, finished())
    stray, cut, large = tmp_path / "stray", tmp_path / "cut", tmp_path / "large"
    stray.write_text("1. e4 e5")
    cut.write_bytes(sound.read_bytes()[:700])
    with large.open("wb") as file:
        file.truncate(MAX_RECORD_BYTES + 1)
    config = house.config
    assert import_files([sound, stray, large], config, public=True) == 2
    assert import_files([sound, stray, cut], config, public=True) == 1
    assert import_files([cut, stray, tmp_path / "nothing"], config, public=True) == 1
    assert import_files([stray], config, public=True) == 2
    assert capsys.readouterr().err.count("Nothing was imported.\n") == 3
    assert rows(house) == 0


def test_times_that_have_not_come_yet_put_no_match_before_others(house: House, tmp_path: Path) -> None:
    log = tuple(replace(entry, at="9998-01-01T00:00:00.000Z") for entry in finished().log)
    assert imported(house, tmp_path, resealed(finished(), log=log)) == 0
    match = house.match(MATCH)
    assert match.started_at == match.ended_at == match.imported_at


def test_the_command_reads_its_settings_as_the_service_does(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = written(tmp_path, finished())
    run = CliRunner().invoke
    monkeypatch.setattr(os, "environ", {"PBEM_BASE_URL": "nowhere"})
    assert run(main, ["import", str(file)]).exit_code == 2
    url = house.engine.url.render_as_string(hide_password=False).replace("postgresql+psycopg", "postgresql")
    assert database_url({"DATABASE_URL": url})
    monkeypatch.setattr(os, "environ", settings(url, tmp_path / "mail"))
    done = run(main, ["import", "--private", str(file)])
    assert (done.exit_code, done.output.partition("?")[0]) == (0, f"{file}: http://127.0.0.1:8000/matches/{MATCH}")
    assert not house.match(MATCH).public
