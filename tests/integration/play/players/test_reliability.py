"""Standing: how reliably somebody plays, reckoned from their seats, said in a few words, and asked for by a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from pbem.db.models import Match, Player, SeatHolder
from pbem.i18n import use_locale
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import endings
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import joining
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.players import registry, reliability
from pbem.play.players.reliability import Reliability, SeatTenure
from tests.support.creating import create_match
from tests.support.house import NAMES, address
from tests.support.play.players.reliability import ended
from tests.support.play.players.robots import AS_PERSON, AS_ROBOT

if TYPE_CHECKING:
    from tests.support.house import House


def held(
    match: str = "a", *, over: bool = True, present: bool = True, left: str | None = None, late: int = 0
) -> SeatTenure:
    return SeatTenure(match, over, present, left, late)


@pytest.mark.parametrize(
    ("seats", "wanted"),
    [
        ([], Reliability()),
        ([held()], Reliability(kept=1)),
        ([held(late=2), held("b")], Reliability(kept=2, late=2)),
        ([held(over=False, late=1)], Reliability(late=1)),
        ([held(left="timed out", late=1)], Reliability(late=1, timed_out=1)),
        ([held(over=False, present=False, left="substituted", late=1)], Reliability(late=1, replaced=1)),
        # Whoever came back has not left.
        ([held(present=False, left="substituted", late=1), held()], Reliability(kept=1, late=1)),
        ([held(over=False, present=False, left="substituted"), held(over=False)], Reliability()),
        ([held(present=False, left="substituted"), held(left="timed out")], Reliability(timed_out=1)),
        # Whoever left an open seat before the match began was never late for anything.
        ([held(present=False)], Reliability()),
    ],
)
def test_it_follows_from_what_became_of_each_match(seats: list[SeatTenure], wanted: Reliability) -> None:
    assert reliability.compute(seats) == wanted


@pytest.mark.parametrize(
    ("own", "percent", "sentence"),
    [
        (Reliability(), 100, "new here"),
        (Reliability(late=1), 100, "new here, late once"),
        (Reliability(kept=1), 100, "1 of one match played to the end"),
        (Reliability(24, 2, 1, 0), 96, "24 of 25 matches played to the end, late 2 times, lost one on time"),
        (Reliability(0, 0, 2, 1), 0, "0 of 3 matches played to the end, lost 2 on time, was replaced in one"),
        (Reliability(1, 0, 0, 2), 33, "1 of 3 matches played to the end, was replaced in 2"),
        (Reliability(90, 0, 0, 3, recent=True), 96, "90 of the last 93 matches played to the end, was replaced in 3"),
    ],
)
def test_it_is_said_in_a_few_words(own: Reliability, percent: int, sentence: str) -> None:
    assert own.percent == percent
    assert reliability.describe(own) == sentence
    with use_locale("de"):
        assert reliability.describe(own) != sentence


def of(house: House, name: str) -> Reliability:
    with house.transaction() as ctx:
        (player,) = ctx.session.scalars(select(Player.id).where(Player.name == name))
        return reliability.for_player(ctx, player)


def test_what_was_played_with_others_counts_for_both_and_void_matches_for_nobody(house: House) -> None:
    ended(house)
    ended(house, "Bob")
    ended(house, seats=1)
    void = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        holders(ctx, ctx.session.get_one(Match, void))[0].late_moves = 1
        endings.abort(ctx, lock_match(ctx, void), by="clock")
    house.make("martian-whist", 2)
    assert of(house, "Ann") == Reliability(kept=2)
    assert of(house, "Bob") == Reliability(kept=1, late=1, timed_out=1)


def test_only_the_newest_seats_of_somebody_are_looked_at(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reliability, "MAX_RECENT_SEATS", 2)
    ended(house, "Bob")
    assert of(house, "Bob") == Reliability(late=1, timed_out=1)
    ended(house)
    ended(house)
    assert of(house, "Bob") == Reliability(kept=2, recent=True)


def test_robots_and_whoever_has_left_have_none_and_matches_with_robots_alone_count_for_nothing(house: House) -> None:
    ended(house)
    with house.transaction() as ctx:
        ids = {player.name: player.id for player in ctx.session.scalars(select(Player))}
        ctx.session.execute(update(Player).where(Player.name == "Bob").values(**AS_ROBOT))
        assert reliability.for_players(ctx, ids.values()) == {ids["Ann"]: Reliability()}
        ctx.session.execute(update(Player).where(Player.name == "Bob").values(**AS_PERSON, deleted_at=ctx.now))
        assert reliability.for_players(ctx, ids.values()) == {ids["Ann"]: Reliability(kept=1)}
        assert reliability.for_players(ctx, []) == {}


def opened(house: House, **more: Any) -> str:
    with house.transaction() as ctx:
        host = [Invitee("Zoe", address("Zoe"))]
        return create_match(ctx, "martian-whist", {}, host, creator=1, open_seats=1, **more).id


def sit(house: House, match_id: str, name: str) -> SeatHolder:
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        registry.mark_verified(ctx, address(name))
        return joining.join(ctx, ctx.session.get_one(Match, match_id), player)


def test_a_table_may_be_for_those_who_play_to_the_end_and_for_whoever_is_new(house: House) -> None:
    ended(house, "Bob")
    ended(house)
    for percent, allowed in ((75, False), (90, False), (None, True)):
        match_id = opened(house, reliable=percent)
        if allowed:
            assert sit(house, match_id, "Bob").seat == 2
        else:
            refused = f"at least {percent}% of their matches. You: 1 of 2 matches played to the end"
            with pytest.raises(Refused, match=refused):
                sit(house, match_id, "Bob")
            assert sit(house, match_id, "Ann" if percent == 75 else "Cyd").seat == 2


def test_a_mail_that_asks_for_the_seat_is_refused_with_the_same_sentence(house: House) -> None:
    ended(house, "Bob")
    match_id = opened(house, reliable=90)
    with house.transaction() as ctx:
        for name in NAMES[:2]:
            registry.mark_verified(ctx, address(name))
    turn = house.mails("Bob")[-1]
    house.reply(turn, f"join {match_id[:6]}")
    assert "You have not joined a table. This table is for players who finish at least 90%" in house.last("Bob").flat
    assert len(house.all(select(SeatHolder).where(SeatHolder.match_id == match_id))) == 1
