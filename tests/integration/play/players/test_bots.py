"""Bots: whose account one is, is declared once and for all, and shown at every table from then on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Address, Event, Match, Player, SeatHolder
from pbem.play.accounts import merge
from pbem.play.archive import records
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import rematches
from pbem.play.lifecycle.match_requests import ROBOT, Invitee
from pbem.play.lobby import joining
from pbem.play.matches.seats import holders
from pbem.play.operators import player_actions
from pbem.play.players import bots, registry
from pbem.play.ratings import standings, wording
from pbem.play.timeouts import substitutes
from pbem.play.weekly import entries as weekly_entries
from pbem.ratings.eligibility import Reason
from tests.support.creating import create_match
from tests.support.ended import ended
from tests.support.house import address
from tests.support.play.events.entering import enter, open_event, person
from tests.support.play.operators.office import SHELL
from tests.support.play.ratings.rated import rate, rated, reason, run
from tests.support.play.weekly import weeks
from tests.support.web.lobby.open_tables import opened

if TYPE_CHECKING:
    from tests.support.house import House


def declare(house: House, name: str, *, rates: bool = False) -> int:
    """Declare that a program plays for somebody."""
    with house.transaction() as ctx:
        player = person(ctx, name)
        bots.declare(ctx, player, rates=rates)
        return player.id


def join(house: House, match_id: str, name: str) -> SeatHolder:
    with house.transaction() as ctx:
        return joining.join(ctx, ctx.session.get_one(Match, match_id), person(ctx, name))


def names(house: House, match_id: str) -> list[str]:
    with house.transaction() as ctx:
        return [holder.name for holder in holders(ctx, ctx.session.get_one(Match, match_id))]


def why(house: House, match_id: str) -> str | None:
    """Return why a match counts for nobody, as its page says it."""
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        return standings.why_unrated(match, len(match.seats), holders(ctx, match))


def test_the_name_of_a_bot_is_marked_at_every_table_that_it_comes_to(house: House) -> None:
    declare(house, "Bob")
    with house.transaction() as ctx:
        made = create_match(ctx, "martian-whist", {}, [Invitee("Ann", address("Ann")), Invitee("Bob", address("Bob"))])
    assert names(house, made.id) == ["Ann", "Bob (bot)"]
    table = opened(house, name="Cid", bots=bots.UNRATED)
    assert join(house, table, "Bob").name == "Bob (bot)"
    assert names(house, table) == ["Cid", "Bob (bot)"]


def test_mails_and_records_name_it_as_the_table_does(house: House) -> None:
    declare(house, "Bob")
    match_id = house.start_match("martian-whist", 2)
    turn = house.last("Ann")
    assert "Bob (bot)" in turn.text
    house.reply(turn, "take 3")
    house.reply(house.last("Bob"), "resign yes")
    assert "Bob (bot)" in house.last("Ann").text
    with house.transaction() as ctx:
        record = records.build_record(ctx, ctx.session.get_one(Match, match_id)).data()
    assert "Bob (bot)" in json.dumps(record)
    assert names(house, match_id) == ["Ann", "Bob (bot)"]


def test_a_rematch_marks_it_once(house: House) -> None:
    declare(house, "Bob")
    match_id = house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "resign yes")
    with house.transaction() as ctx:
        made = rematches.request(ctx, ctx.session.get_one(Match, match_id), person(ctx, "Bob"))
    assert sorted(names(house, made.id)) == ["Ann", "Bob (bot)"]


def test_two_bots_of_one_name_are_told_apart(house: House) -> None:
    for email in ("Bob", "Cid"):
        declare(house, email)
    run(house, update(Player).values(name="Deep"))
    table = opened(house, "martian-trickery", seats=2, bots=bots.UNRATED, options={"hands": 1})
    for email in ("Bob", "Cid"):
        join(house, table, email)
    assert names(house, table)[1:] == ["Deep (bot)", "Deep 2 (bot)"]


def test_a_long_name_leaves_room_for_the_mark(house: House) -> None:
    declare(house, "Bob")
    run(house, update(Player).where(Player.name == "Bob").values(name="B" * registry.MAX_NAME_LENGTH))
    table = opened(house, bots=bots.UNRATED)
    name = join(house, table, "Bob").name
    assert len(name) == registry.MAX_NAME_LENGTH
    assert name.endswith("B (bot)")


@pytest.mark.parametrize(
    "typed", ["Ann (BOT)", "Ann ( bot )", "(bot)", "Ann \uff08bot\uff09", "a (bot) b", "Ann (my bot)"]
)
def test_no_person_is_called_like_a_bot(typed: str) -> None:
    with pytest.raises(Refused):
        registry.normalise_name(typed)


def test_what_reads_like_the_mark_and_is_none_is_a_name() -> None:
    assert registry.normalise_name("Ann (bot)") == "Ann"
    for name in ("Abbott", "Ann (Abbott)", "Botho", "bot"):
        assert registry.normalise_name(name) == name


def test_an_operator_renames_it_with_its_mark(house: House) -> None:
    number = declare(house, "Bob")
    match_id = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        player_actions.rename(ctx, SHELL, number, "asked", name="Deep")
    assert names(house, match_id) == ["Ann", "Deep (bot)"]


def test_nothing_is_declared_while_other_people_expect_a_person(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    with pytest.raises(Refused, match="in a match with other people"):
        declare(house, "Bob")
    house.reply(house.last("Ann"), "resign yes")
    declare(house, "Bob")
    # Never backwards.
    assert names(house, match_id) == ["Ann", "Bob"]
    assert house.all(select(SeatHolder.rates_as_bot).where(SeatHolder.match_id == match_id)) == [None, None]


def test_matches_alone_or_with_robots_keep_nobody_from_declaring(house: House) -> None:
    with house.transaction() as ctx:
        create_match(ctx, "martian-whist", {}, [Invitee("Bob", address("Bob")), ROBOT], creator=1)
        create_match(ctx, "minimax", {}, [Invitee("Bob", address("Bob"))], creator=1)
    declare(house, "Bob")


def test_nobody_declares_who_has_entered_an_event(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Bob")
    with pytest.raises(Refused, match="an event that is for people"):
        declare(house, "Bob")
    run(house, update(Event).values(state="over"))
    declare(house, "Bob")


def test_nobody_declares_who_plays_the_deal_of_the_week(house: House) -> None:
    weeks.begin_week(house)
    match_id = weeks.enter(house, "Bob")
    with pytest.raises(Refused, match="an event that is for people"):
        declare(house, "Bob")
    weeks.play(house, match_id, weeks.MONDAY)
    declare(house, "Bob")


def test_it_is_declared_once_and_only_the_wish_to_be_rated_changes(house: House) -> None:
    declare(house, "Bob")
    (since,) = house.all(select(Player.bot_since).where(Player.name == "Bob"))
    house.start_match("martian-whist", 2)
    declare(house, "Bob", rates=True)
    assert house.rows(select(Player.bot_since, Player.rates_as_bot).where(Player.name == "Bob")) == [(since, True)]
    # Those who sit already agreed to what held then.
    assert house.all(select(SeatHolder.rates_as_bot).where(SeatHolder.name == "Bob (bot)")) == [False]


@pytest.mark.parametrize(
    ("allowed", "rates", "expected"),
    [
        (bots.RATED, True, None),
        (bots.RATED, False, Reason.BOT),
        (bots.UNRATED, True, Reason.BOT),
        (bots.UNRATED, False, Reason.BOT),
    ],
)
def test_a_match_with_a_bot_is_rated_if_host_and_owner_agree(
    house: House, *, allowed: str, rates: bool, expected: str | None
) -> None:
    declare(house, "Bob", rates=rates)
    table = opened(house, bots=allowed, rated=True)
    join(house, table, "Bob")
    assert why(house, table) == expected
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, table)
        said = wording.rating_note(match, holders(ctx, match))
    assert ("since a bot plays" in said) == (expected is not None)


def test_ratings_leave_out_a_match_that_was_not_agreed_to(house: House) -> None:
    played = [rated(house, "Ann", "Bob", days=day, bots=allowed) for day, allowed in enumerate(("none", "rated"))]
    bob = SeatHolder.name == "Bob"
    run(house, update(SeatHolder).where(bob).values(rates_as_bot=True))
    rate(house)
    assert [reason(house, match_id) for match_id in played] == [Reason.BOT, None]


def test_a_bot_that_takes_over_later_changes_nothing(house: House) -> None:
    match_id = rated(house, "Ann", "Bob")
    declare(house, "Cid")
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        gone = ctx.session.scalars(select(SeatHolder).where(SeatHolder.name == "Bob")).one()
        gone.left_at = match.ended_at
        ctx.session.flush()
        registry.add_holder(ctx, match, 2, person(ctx, "Cid"), "Cid", address("Cid"))
    assert why(house, match_id) is None
    rate(house)
    assert reason(house, match_id) is None


@pytest.mark.parametrize("rates", [False, True])
def test_an_open_table_takes_bots_only_if_its_host_allows_them(*, house: House, rates: bool) -> None:
    declare(house, "Bob", rates=rates)
    table = opened(house)
    with pytest.raises(Refused, match="for people only"):
        join(house, table, "Bob")
    assert names(house, table) == ["Ann"]
    assert join(house, table, "Cid").rates_as_bot is None


def test_a_seat_that_is_sought_is_taken_by_bots_only_where_they_are_allowed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(house, "Cid")
    match_id = house.start_match("martian-whist", 2)
    monkeypatch.setattr(substitutes, "is_open_to", lambda *_where: True)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        with pytest.raises(Refused, match="for people only"):
            substitutes.take_over(ctx, match, 2, person(ctx, "Cid"))
        match.bots = bots.UNRATED
        assert substitutes.take_over(ctx, match, 2, person(ctx, "Cid")).name == "Cid (bot)"


def test_a_bot_enters_no_event(house: House) -> None:
    declare(house, "Bob")
    with pytest.raises(Refused, match="for people only"):
        enter(house, open_event(house), "Bob")


def test_a_bot_has_no_match_of_the_week(house: House) -> None:
    declare(house, "Bob")
    with house.transaction() as ctx, pytest.raises(Refused, match="for people only"):
        weekly_entries.enter(ctx, 1, person(ctx, "Bob"))


def test_seats_that_come_to_a_bot_with_an_account_are_marked_while_they_are_played(house: House) -> None:
    over, running = ended(house, "Ann", "Cyd"), house.start_match("martian-trickery", 3, {"hands": 1})
    bot = declare(house, "Deep")
    with house.transaction() as ctx:
        bare = ctx.session.get_one(Address, address("Cyd")).player
        merge.merge(ctx, bare, ctx.session.get_one(Player, bot))
    assert names(house, running) == ["Ann", "Bob", "Cyd (bot)"]
    assert names(house, over) == ["Ann", "Cyd"]


def test_an_unknown_choice_about_bots_is_refused(house: House) -> None:
    with house.transaction() as ctx, pytest.raises(Refused, match="Choose one of: none, unrated, rated"):
        create_match(ctx, "minimax", {}, [Invitee("Ann", address("Ann"))], bots="some")
