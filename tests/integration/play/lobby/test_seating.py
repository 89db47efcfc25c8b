"""“Seat me anywhere”: the table that starts soonest, a table of one's own, and what holds there too."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import Match, Player, SeatHolder
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import endings
from pbem.play.lobby import joining, seating
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.moderation import avoidance
from pbem.play.operators import player_actions
from pbem.play.players import bots, registry
from pbem.states import MatchState
from tests.support.house import House, address
from tests.support.play.lobby.request_parser import statuses, verified, write
from tests.support.play.operators.office import does
from tests.support.web.lobby.open_tables import opened


def player(house: House, name: str) -> int:
    """Return the id of a player whose address is verified."""
    with house.transaction() as ctx:
        found = registry.get_or_create(ctx, {address(name): name})[address(name)]
        registry.mark_verified(ctx, address(name))
        return found.id


def seat(house: House, name: str, game: str = "", mail: str | None = "<m@example.org>") -> tuple[str, bool, str]:
    """Seat a player; return the match, whether it was opened, and the sentence about it."""
    own = player(house, name)
    with house.transaction() as ctx:
        seated = seating.seat(ctx, ctx.session.get_one(Player, own), game, mail=mail)
        return seated.match.id, seated.opened, seating.describe(ctx, seated)


def test_the_table_with_the_fewest_seats_missing_is_joined_then_the_oldest(house: House) -> None:
    opened(house, "middle-card", "Dee", 2)
    oldest = opened(house, name="Ann")
    newest = opened(house, name="Cyd")
    assert seat(house, "Bob")[:2] == (oldest, False)
    found, was_opened, sentence = seat(house, "Bob")
    assert (found, was_opened) == (newest, False)
    assert sentence == "You joined a table of Martian Whist, where Cyd is the host."
    assert house.match(newest).state == MatchState.RUNNING


def test_a_table_of_the_named_game_is_opened_where_there_is_none(house: House) -> None:
    opened(house, name="Ann")
    found, was_opened, sentence = seat(house, "Bob", "montauk")
    assert was_opened
    assert sentence == "No open table had a seat for you, so you opened one of Montauk."
    made = house.match(found)
    assert (made.game, made.public, made.open_seats, made.state) == ("montauk", True, 1, MatchState.INVITING)
    assert seat(house, "Cyd", "montauk")[:2] == (found, False)


def test_the_game_that_one_played_last_is_opened_if_none_is_named(house: House) -> None:
    first = house.match(seat(house, "Bob")[0])
    house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        lock_match(ctx, first.id).open_seats = 0
    assert house.match(seat(house, "Bob")[0]).game == "middle-card"


def test_who_waits_at_an_open_table_opens_no_second_one(house: House) -> None:
    opened(house, name="Bob")
    with pytest.raises(Refused, match=r"your own table of Martian Whist is open already\."):
        seat(house, "Bob")
    assert seat(house, "Bob", "montauk")[1]


@pytest.mark.parametrize("host_avoids", [True, False])
def test_nobody_is_seated_with_somebody_to_avoid(*, house: House, host_avoids: bool) -> None:
    opened(house, name="Ann")
    ids = [player(house, "Ann"), player(house, "Bob")]
    with house.transaction() as ctx:
        one, other = (ctx.session.get_one(Player, number) for number in (ids if host_avoids else ids[::-1]))
        avoidance.add(ctx, one, other, "a name")
    assert seat(house, "Bob")[1]


def test_a_table_for_more_reliable_players_and_a_busy_one_are_passed_over(house: House) -> None:
    left = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        match = lock_match(ctx, left)
        bob = next(one for one in holders(ctx, match) if one.name == "Bob")
        endings.lose_on_time(ctx, match, [bob])
    opened(house, name="Ann", reliable=90)
    busy = opened(house, name="Cyd")
    free = opened(house, name="Dee")
    own = player(house, "Bob")
    with house.transaction() as other:
        lock_match(other, busy)
        with house.transaction() as ctx:
            assert seating.seat(ctx, ctx.session.get_one(Player, own), mail="<m@example.org>").match.id == free


def test_a_bot_passes_over_a_table_for_people(house: House) -> None:
    opened(house, name="Ann")
    welcoming = opened(house, name="Cyd", bots=bots.UNRATED)
    own = player(house, "Bob")
    with house.transaction() as ctx:
        bots.declare(ctx, ctx.session.get_one(Player, own), rates=False)
    assert seat(house, "Bob")[:2] == (welcoming, False)


def test_a_table_of_a_private_match_is_not_joined(house: House) -> None:
    hidden = opened(house, name="Ann")
    with house.transaction() as ctx:
        lock_match(ctx, hidden).public = False
    assert seat(house, "Bob")[0] != hidden


def test_a_banned_player_opens_no_table_either(house: House) -> None:
    does(house, player_actions.ban, player(house, "Bob"), sentence="Enough.")
    with pytest.raises(Refused, match="You are banned"):
        seat(house, "Bob")
    assert house.all(select(SeatHolder)) == []


def test_a_seat_that_the_host_gave_is_no_earlier_press(house: House) -> None:
    invited, own = house.make("martian-whist", 2), player(house, "Bob")
    table = opened(house, name="Cyd")
    with house.transaction() as ctx:
        lock_match(ctx, invited).public = True
        ctx.session.execute(update(SeatHolder).values(seated_at=ctx.now))
        ctx.session.execute(update(Match).where(Match.id == invited).values(created_at=ctx.now))
        seated = seating.seat(ctx, ctx.session.get_one(Player, own))
        assert seated.match.id == table


def test_two_who_ask_at_once_sit_at_one_table_each_at_a_seat_of_their_own(house: House) -> None:
    ids = [player(house, name) for name in ("Ann", "Bob", "Cyd", "Dee")]
    ready = Barrier(len(ids))

    def ask(number: int) -> str:
        ready.wait()
        with house.transaction() as ctx:
            return seating.seat(ctx, ctx.session.get_one(Player, number), "montauk").match.id

    with ThreadPoolExecutor(len(ids)) as pool:
        found = [*pool.map(ask, ids)]
    assert sorted(map(found.count, set(found))) == [2, 2]
    taken = select(func.count()).select_from(SeatHolder).group_by(SeatHolder.match_id, SeatHolder.seat)
    assert set(house.all(taken)) == {1}
    assert {house.match(match_id).state for match_id in found} == {MatchState.RUNNING}


def test_a_second_press_is_the_same_request_and_a_later_one_is_not(house: House) -> None:
    first, second = opened(house, name="Ann"), opened(house, name="Cyd")
    own, pressed = player(house, "Bob"), datetime.now(UTC)
    for later, found in ((0, first), (seating.REPEAT_SECONDS - 1, first), (seating.REPEAT_SECONDS + 1, second)):
        with house.transaction(pressed + timedelta(seconds=later)) as ctx:
            assert seating.seat(ctx, ctx.session.get_one(Player, own)).match.id == found


def test_a_game_for_one_player_and_a_player_over_the_limit_are_refused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused, match="Minimax is for one player"):
        seat(house, "Bob", "minimax")
    opened(house, name="Ann")
    opened(house, name="Cyd")
    monkeypatch.setattr(joining, "MAX_JOINS_PER_DAY", 1)
    seat(house, "Bob")
    with pytest.raises(Refused, match="Try again tomorrow"):
        seat(house, "Bob")


def test_one_word_by_mail_joins_and_the_mail_about_the_seat_answers_it(house: House) -> None:
    verified(house, "Ann", "Bob")
    match_id = opened(house)
    said = write(house, "seat me", "bob@example.org")
    assert house.match(match_id).state == MatchState.RUNNING
    first = house.mails("Bob")[0]
    assert first.message["In-Reply-To"] == said
    assert "You have taken a seat in a match of Martian Whist with Ann." in first.flat
    write(house, "seat me montauk", "bob@example.org")
    assert "No open table had a seat for you, so you opened one of Montauk." in house.last("Bob").flat
    assert statuses(house) == ["done", "done"]


def test_in_german_and_in_reply_to_a_mail_of_a_match_it_is_the_same_word(house: House) -> None:
    own = house.start_match("middle-card", 3, mailed=True)
    match_id = opened(house, name="Dee")
    house.reply(house.last("Bob"), "setz mich irgendwohin")
    assert house.match(match_id).state == MatchState.RUNNING
    assert house.match(own).state == MatchState.RUNNING


def test_a_game_that_is_none_is_refused_with_the_open_tables(house: House) -> None:
    verified(house, "Ann", "Bob")
    opened(house)
    write(house, "seat me chess", "bob@example.org")
    answer = house.only("Bob")
    assert "Unknown game “chess”." in answer.flat
    assert "Martian Whist with Ann" in answer.html


def test_a_stranger_gets_the_list_and_no_seat(house: House) -> None:
    match_id = opened(house)
    write(house, "seat me", "bob@example.org")
    assert "One open table waits for players." in house.only("Bob").flat
    assert house.match(match_id).open_seats == 1


def test_a_mail_that_proves_nothing_takes_no_seat(house: House) -> None:
    verified(house, "Bob")
    match_id = opened(house)
    write(replace(house, config=replace(house.config, allow_anonymous=False)), "seat me", "bob@example.org")
    assert house.match(match_id).open_seats == 1
    assert "You have not joined a table." in house.only("Bob").flat
