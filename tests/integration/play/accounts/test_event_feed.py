"""Programs read the events of their players: each once, in order, and none that is hidden."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import ApiKey, Match, Player, PlayerEvent
from pbem.games import Seat
from pbem.play.accounts import api_keys, event_feed
from pbem.play.core import match_features, player_events
from pbem.play.core.context import system_time
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import joining
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.moderation import avoidance
from pbem.play.upkeep import after_restore, sweeper
from tests.support.creating import create_match
from tests.support.db.statements import statements
from tests.support.house import NAMES, address
from tests.support.play.accounts.programs import events_of, kinds_of, listen
from tests.support.play.canaries import canaries, own_canaries, sighted

if TYPE_CHECKING:
    from pbem.play.accounts.event_feed import Cursor, FeedEvent
    from tests.support.house import House

COMMON = {"match", "game", "seat", "url"}


def begun(house: House, player: int, after: Cursor | None = None) -> tuple[list[FeedEvent], Cursor]:
    with house.transaction() as ctx:
        return event_feed.begin(ctx, player, after)


def read(house: House, player: int, after: Cursor) -> list[FeedEvent]:
    with house.transaction() as ctx:
        return event_feed.read(ctx, player, after).events


def tables_of(house: House, player: int, after: Cursor) -> list[str]:
    """Return the matches of the tables of which a program that looks for them reads."""
    with house.transaction() as ctx:
        found = event_feed.read(ctx, player, after, tables=True).events
    return [event.data["match"] for event in found if event.kind == "table"]


def open_table(house: House, host: str = "Bob", game: str = "martian-whist", seats: int = 1, **more: Any) -> str:
    """Create a match of somebody with seats that are open to everybody; return its id."""
    with house.transaction() as ctx:
        guests = [Invitee(host, address(host))]
        return create_match(ctx, game, {}, guests, creator=1, open_seats=seats, **more).id


def join(house: House, match_id: str, player: int) -> None:
    """Take an open seat for a player."""
    with house.transaction() as ctx:
        joining.join(ctx, ctx.session.get_one(Match, match_id), ctx.session.get_one(Player, player), "")


def leave(house: House, match_id: str, player: int) -> None:
    """Leave an open seat that a player had taken."""
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        acceptance.decline(ctx, match, next(one for one in holders(ctx, match) if one.player_id == player))


def insert(ctx: Any, player: int, name: str) -> None:
    ctx.session.add(
        PlayerEvent(player_id=player, kind="move", idempotency_key=name, data={"n": name}, created_at=ctx.now)
    )
    ctx.session.flush()


def play(house: House, match_id: str) -> str:
    """Play the first legal move by mail; return the name of who did."""
    (seat,) = house.match(match_id).to_move[:1]
    house.reply(house.last(NAMES[seat - 1]), house.legal(match_id, seat)[0])
    return NAMES[seat - 1]


# -- what is recorded -------------------------------------------------------------------------------


def test_a_match_is_followed_from_its_invitation_to_its_end(house: House) -> None:
    ann, bob = listen(house, "Ann"), listen(house, "Bob")
    match_id = house.make("martian-whist", 2)
    for name in ("Ann", "Bob"):
        house.reply(house.only(name), "yes")
    mover = play(house, match_id)
    house.reply(house.last("Bob"), "say hello there")
    house.reply(house.last("Bob"), "draw")
    house.reply(house.last("Ann"), "no draw")
    house.reply(house.last("Ann"), "resign yes")
    turn = ["turn", "move"] if mover == "Ann" else ["move", "turn"]
    assert kinds_of(house, ann) == ["invitation", "begin", *turn, "chat", "offer", "end"]
    turn = ["turn", "move"] if mover == "Bob" else ["move", "turn"]
    assert kinds_of(house, bob) == ["invitation", "begin", *turn, "offer", "end"]
    for event in (*events_of(house, ann), *events_of(house, bob)):
        assert event.data["match"] == match_id
        assert event.data["seat"] == (1 if event.player_id == ann else 2)
        assert event.data["url"] == f"http://127.0.0.1:8000/mine/{match_id}"
    (offer,) = [event.data for event in events_of(house, ann) if event.kind == "offer"]
    assert (offer["offer"], offer["wish"]) == ("draw", "ask")
    (answer,) = [event.data for event in events_of(house, bob) if event.kind == "offer"]
    assert (answer["offer"], answer["wish"]) == ("draw", "refuse")
    (chat,) = [event.data for event in events_of(house, ann) if event.kind == "chat"]
    assert chat == {key: chat[key] for key in COMMON} | {"by": 2}


@pytest.mark.parametrize("scopes", [("play", "start"), ("read",)])
def test_only_a_key_that_may_read_and_is_not_revoked_has_events(house: House, scopes: tuple[str, ...]) -> None:
    ann = listen(house, "Ann", *scopes)
    if "read" in scopes:
        with house.transaction() as ctx:
            (key,) = ctx.session.scalars(select(ApiKey.id))
            api_keys.revoke(ctx, ann, key)
    house.start_match("martian-whist", 2)
    assert kinds_of(house, ann) == []


def test_a_match_without_programs_costs_no_statement_more(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    with statements(house.engine) as asked:
        play(house, match_id)
    assert not any("player_events" in each for each in asked)


def test_the_host_is_not_invited_to_a_match_of_their_own(house: House) -> None:
    ann, bob = listen(house, "Ann"), listen(house, "Bob")
    with house.transaction() as ctx:
        host = ctx.session.get_one(Player, ann)
    house.make("martian-whist", 2, creator_seat=1, host=host)
    assert (kinds_of(house, ann), kinds_of(house, bob)) == ([], ["invitation"])
    assert [event.kind for event in begun(house, bob)[0]] == ["invitation"]


@pytest.mark.parametrize(("key", "seats", "options"), [("montauk", 2, {"rounds": 1}), ("martian-trickery", 3, {})])
def test_nothing_hidden_is_in_an_event(house: House, key: str, seats: int, options: dict[str, object]) -> None:
    players = [listen(house, name) for name in NAMES[:seats]]
    match_id = house.start_match(key, seats, options)
    for _ in range(8):
        with house.course(match_id) as (_, course):
            secret = canaries(course.position, Seat(0)) | own_canaries(course.position, Seat(1))
        assert secret
        play(house, match_id)
        for player in players:
            for event in events_of(house, player):
                assert not sighted(secret, json.dumps(event.data))
                assert {*event.data} - COMMON <= {"ply", "by", "deadline"}
    assert len(events_of(house, players[0])) > 8


def test_a_public_table_is_recorded_whenever_a_seat_of_it_opens(house: House) -> None:
    cyd = listen(house, "Cyd")
    open_table(house, public=False)
    house.make("martian-whist", 2)
    of_two, of_three = open_table(house), open_table(house, game="martian-trickery", seats=2)
    for match_id in (of_two, of_three):
        join(house, match_id, cyd)
    leave(house, of_three, cyd)
    opened = select(PlayerEvent.data).where(PlayerEvent.player_id.is_(None)).order_by(PlayerEvent.id)
    assert [data["match"] for data in house.all(opened)] == [of_two, of_three, of_three]


# -- what is read -----------------------------------------------------------------------------------


def test_a_program_that_begins_reads_what_waits_and_then_what_is_new(house: House) -> None:
    ann, bob = listen(house, "Ann"), listen(house, "Bob")
    match_id = house.start_match("martian-whist", 2, clock="3 days")
    asked = house.match(match_id).to_move[0]
    mover, other = (ann, bob) if asked == 1 else (bob, ann)
    (turn,), cursor = begun(house, mover)
    recorded = next(event for event in events_of(house, mover) if event.kind == "turn")
    assert (turn.kind, turn.data, turn.cursor) == ("turn", recorded.data, None)
    assert turn.data["deadline"]
    assert begun(house, other)[0] == []
    assert read(house, mover, cursor) == []
    play(house, match_id)
    found = read(house, mover, cursor)
    assert [event.kind for event in found] == ["move"]
    assert found[0].cursor is not None
    assert read(house, mover, found[0].cursor) == []


def test_events_of_transactions_that_commit_in_another_order_are_read_once_each(house: House) -> None:
    ann = listen(house, "Ann")
    _, cursor = begun(house, ann)
    with ExitStack() as late:
        slow = late.enter_context(house.transaction())
        # It has its number, so it may still insert events before those of later transactions.
        slow.session.execute(select(func.pg_current_xact_id()))
        with house.transaction() as ctx:
            insert(ctx, ann, "quick")
        insert(slow, ann, "slow")
        assert read(house, ann, cursor) == []
    found = read(house, ann, cursor)
    assert [event.data["n"] for event in found] == ["slow", "quick"]
    assert found[0].cursor is not None
    assert [event.data["n"] for event in read(house, ann, found[0].cursor)] == ["quick"]


def test_a_program_may_stop_after_any_event_and_loses_and_repeats_none(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_feed, "BATCH_SIZE", 3)
    ann = listen(house, "Ann")
    _, cursor = begun(house, ann)
    for number in range(10):
        with house.transaction() as ctx:
            insert(ctx, ann, str(number))
    seen: list[str] = []
    while found := read(house, ann, cursor):
        assert found[0].cursor is not None
        again, cursor = begun(house, ann, event_feed.parse(str(found[0].cursor)))
        assert again == []
        seen.append(found[0].data["n"])
    assert seen == [str(number) for number in range(10)]


def test_an_event_is_recorded_once_however_often_it_is_caused(house: House) -> None:
    ann = listen(house, "Ann")
    match_id = house.start_match("minimax", 1)
    before = len(events_of(house, ann))
    for _ in range(2):
        with house.course(match_id) as (ctx, course):
            (holder,) = holders(ctx, course.match)
            player_events.record(ctx, "chat", course.match, holder, once="the same")
    assert len(events_of(house, ann)) == before + 1


def test_a_program_that_was_away_for_too_long_begins_again_and_is_told_so(house: House) -> None:
    ann = listen(house, "Ann")
    house.start_match("minimax", 1)
    _, cursor = begun(house, ann)
    assert begun(house, ann, cursor) == ([], cursor)
    old = replace(cursor, issued_at=cursor.issued_at - event_feed.MAX_CURSOR_AGE - timedelta(minutes=1))
    found, anew = begun(house, ann, old)
    assert [event.kind for event in found] == ["reset", "turn"]
    assert read(house, ann, anew) == []


def test_an_id_of_before_a_restore_leads_nowhere(house: House) -> None:
    ann = listen(house, "Ann")
    house.start_match("minimax", 1)
    _, cursor = begun(house, ann)
    with house.transaction() as ctx:
        later = replace(cursor, xid=cursor.xid + 2**40)
        assert event_feed.begin(ctx, ann, later)[0][0].kind == "reset"
    with house.transaction() as ctx:
        after_restore.invalidate(ctx, ctx.now)
    assert events_of(house, ann) == []
    assert [event.kind for event in begun(house, ann, cursor)[0]] == ["reset", "turn"]


def test_events_are_deleted_when_no_id_leads_to_them_any_more(house: House) -> None:
    ann = listen(house, "Ann")
    with house.transaction() as ctx:
        for name, age in (("old", player_events.KEPT + timedelta(hours=1)), ("reached", event_feed.MAX_CURSOR_AGE)):
            insert(ctx, ann, name)
            aged = update(PlayerEvent).where(PlayerEvent.idempotency_key == name)
            ctx.session.execute(aged.values(created_at=PlayerEvent.created_at - age))
        insert(ctx, ann, "new")
    with house.transaction() as ctx:
        sweeper.sweep(ctx)
    assert [event.idempotency_key for event in events_of(house, ann)] == ["reached", "new"]
    assert event_feed.MAX_CURSOR_AGE < player_events.KEPT


def test_only_players_with_news_are_woken(house: House) -> None:
    ann, bob = listen(house, "Ann"), listen(house, "Bob")
    horizon, nobody = event_feed.have_news(house.engine, [], 0)
    assert (horizon > 0, nobody) == (True, frozenset())
    with house.transaction() as ctx:
        insert(ctx, ann, "x")
    later, found = event_feed.have_news(house.engine, [ann, bob], horizon)
    assert found == {ann}
    assert later > horizon
    assert event_feed.have_news(house.engine, [ann, bob], later)[1] == frozenset()
    open_table(house, "Cyd")
    assert event_feed.have_news(house.engine, [ann, bob], later)[1] == {None}


def test_a_program_that_looks_for_tables_reads_those_that_are_open_and_then_those_that_open(house: House) -> None:
    ann = listen(house, "Ann")
    before = open_table(house)
    with house.transaction() as ctx:
        first, cursor = event_feed.begin(ctx, ann, None, tables=True)
    assert [(event.kind, event.data["match"], event.cursor) for event in first] == [("table", before, None)]
    assert tables_of(house, ann, cursor) == []
    later = open_table(house)
    assert tables_of(house, ann, cursor) == [later]
    assert first[0].data == {"match": before, "game": "martian-whist", "url": f"http://127.0.0.1:8000/join/{before}"}


def test_a_program_that_does_not_look_for_tables_reads_of_none(house: House) -> None:
    ann = listen(house, "Ann")
    _, cursor = begun(house, ann)
    open_table(house)
    assert begun(house, ann)[0] == read(house, ann, cursor) == []


def test_tables_that_have_begun_or_that_a_player_may_not_see_or_sits_at_are_left_out(house: House) -> None:
    ann, bob, cyd = (listen(house, name) for name in ("Ann", "Bob", "Cyd"))
    _, cursor = begun(house, ann)
    full, avoided = open_table(house, "Dee"), open_table(house, "Bob")
    join(house, full, cyd)
    with house.transaction() as ctx:
        avoidance.add(ctx, ctx.session.get_one(Player, bob), ctx.session.get_one(Player, ann), "Ann")
    assert tables_of(house, ann, cursor) == []
    assert tables_of(house, cyd, cursor) == [avoided]
    assert tables_of(house, bob, cursor) == []


def test_tables_that_are_left_out_are_passed_over_for_good(house: House) -> None:
    ann = listen(house, "Ann")
    _, cursor = begun(house, ann)
    open_table(house, "Ann")
    with house.transaction() as ctx:
        batch = event_feed.read(ctx, ann, cursor, tables=True)
    assert (batch.events, batch.has_more) == ([], False)
    assert (batch.cursor.xid, batch.cursor.id) > (cursor.xid, cursor.id)


def test_what_a_match_has_is_asked_once_with_its_programs(house: House) -> None:
    ann = listen(house, "Ann")
    match_id = house.start_match("martian-whist", 2)
    with house.transaction(system_time()) as ctx, statements(house.engine) as asked:
        assert match_features.load(ctx, match_id).listeners == {ann}
        match_features.load(ctx, match_id)
    assert len(asked) == 1
