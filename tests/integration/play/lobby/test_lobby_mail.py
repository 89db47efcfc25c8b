"""The lobby by mail: what waits, sitting down, and what strangers are told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from sqlalchemy import select, update

from pbem.db.models import Address, Match, OutboxMessage, Player, SeatHolder
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import joining, open_tables
from pbem.play.players import bots
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.play.lobby.request_parser import statuses, verified, write
from tests.support.web.lobby.open_tables import opened

if TYPE_CHECKING:
    from tests.support.house import House, Mail


def line(mail: Mail) -> str:
    """The line that a mail says to reply with, as its mailto link has it."""
    found = re.findall(r"mailto:games@games\.localhost\?subject=[^&]+&body=(\S+)", mail.text)
    assert found
    return unquote(found[0])


def seated(house: House, match_id: str) -> list[str]:
    present = SeatHolder.match_id == match_id, SeatHolder.left_at.is_(None)
    return house.all(select(SeatHolder.email).where(*present).order_by(SeatHolder.seat))


def test_two_strangers_find_each_other_and_play_to_the_end_by_mail_alone(house: House) -> None:
    write(house, "new martian-whist with anybody", "ann@example.org")
    house.reply(house.only("Ann"), "accept")
    write(house, "lobby", "bob@example.org")
    listed = house.only("Bob")
    assert "One open table waits for players." in listed.flat
    assert "Martian Whist with Ann" in listed.html
    assert "ann@example.org" not in listed.raw.decode()
    write(house, line(listed), "bob@example.org")
    asked = house.only("Bob")
    assert "Somebody asked in your name for a seat at a table of Martian Whist with Ann." in asked.flat
    (match_id,) = house.match_ids()
    assert seated(house, match_id) == ["ann@example.org"]
    write(house, f"{line(asked)} dice on my desk", "bob@example.org")
    assert house.match(match_id).state == MatchState.RUNNING
    assert house.match_seats(match_id)[1].entropy
    names = ("Ann", "Bob")
    for _turn in range(400):
        match = house.match(match_id)
        if match.state == MatchState.OVER:
            break
        seat = match.to_move[0]
        house.reply(house.last(names[seat - 1]), house.legal(match_id, seat)[0])
    result = house.match(match_id).result
    assert result
    assert result["ending"] == "finished"
    for name in names:
        assert "Thank you for playing." in house.last(name).flat


@pytest.mark.parametrize(("policy", "count"), [("none", 0), ("unrated", 1), ("rated", 1)])
def test_what_a_table_allows_bots_is_said_where_somebody_may_join(house: House, policy: str, count: int) -> None:
    verified(house, "Ann", "Bob")
    write(house, f"new martian-whist with anybody, bots {policy}", "ann@example.org")
    said = bots.describe(policy) or "Bots may join"
    assert house.only("Ann").flat.count(said) == count
    write(house, "lobby", "bob@example.org")
    listed = house.only("Bob")
    assert listed.flat.count(said) == count
    write(house, "lobby", "cyd@example.org")
    write(house, line(house.only("Cyd")), "cyd@example.org")
    assert house.only("Cyd").flat.count(said) == count
    write(house, line(listed), "bob@example.org")
    assert house.mails("Bob")[0].flat.count(said) == 0


def test_whoever_is_known_sits_down_at_once(house: House) -> None:
    verified(house, "Ann", "Bob")
    match_id = opened(house)
    said = write(house, f"join {match_id[:5].upper()}", "bob@example.org")
    assert house.match(match_id).state == MatchState.RUNNING
    first = house.mails("Bob")[0]
    assert first.message["In-Reply-To"] == said
    assert statuses(house) == ["done"]


def test_the_lobby_by_mail_lists_ten_tables_at_the_most_with_the_line_that_joins(house: House) -> None:
    verified(house, "Bob")
    for number in range(11):
        opened(house, name=f"P{number}", options={"sets": 4}, clock="3 days")
    said = write(house, "Lobby", "bob@example.org")
    listed = house.only("Bob")
    assert listed.message["In-Reply-To"] == said
    assert listed.message["Auto-Submitted"] == "auto-replied"
    assert listed.message["Subject"] == "Open tables"
    assert listed.text.count("?subject=") == open_tables.MAX_TABLES_PER_MAIL
    assert "There are more; these are the newest." in listed.flat
    assert "Seats taken: 1 of 2." in listed.flat
    assert "The clock: three days a move." in listed.flat
    assert "It takes about " in listed.flat
    newest = house.all(select(Match.id).where(Match.open_seats > 0).order_by(Match.created_at.desc()))[0]
    assert line(listed) == f"join {newest[:5]}"


def test_an_empty_lobby_says_how_a_table_is_opened(house: House) -> None:
    verified(house, "Bob")
    write(house, "offene Tische", "bob@example.org")
    assert "No table is open right now. To open one" in house.only("Bob").flat


def test_everything_may_be_said_in_german(house: House) -> None:
    opened(house)
    write(house, "offene Tische", "bob@example.org")
    listed = house.only("Bob")
    assert "mitspielen" in line(listed)
    write(house, line(listed), "bob@example.org")
    write(house, line(house.only("Bob")), "bob@example.org")
    assert house.all(select(Player.language).where(Player.name == "Bob")) == ["de"]
    assert house.all(select(Match.state)) == ["running"]


def test_a_seat_is_asked_for_and_joined_from_a_mail_of_a_match(house: House) -> None:
    own = house.start_match("middle-card", 3, mailed=True)
    match_id = opened(house, name="Dee")
    house.reply(house.last("Bob"), "lobby")
    listed = house.only("Bob")
    assert f"join {match_id[:5]}" in listed.text
    cyd = house.last("Cyd")
    # Well formed, too short, no letters of a table, and signed by nobody.
    for code in ("nothing", "abc", "tables!", "abcde-fghjk"):
        house.reply(cyd, f"join {code}")
        assert f"There is no table called “{code}”." in house.only("Cyd").flat
    mails = [
        one for one in house.every_mail if one.name == "Bob" and f"<match.{own}." in str(one.headers["References"])
    ]
    # The first was the invitation, which others may have by now.
    house.reply(mails[0], line(listed))
    assert "Nothing was done. You wrote “join”" in house.only("Bob").flat
    mail = mails[-1]
    house.reply(mail, line(listed))
    assert seated(house, match_id) == [address("Dee"), address("Bob")]


@pytest.mark.parametrize(
    ("becomes", "reason"),
    [
        ({"open_seats": 0}, "All seats at this table are taken."),
        ({"state": "running", "open_seats": 0, "seed": b"s"}, "This match has begun. All seats are taken."),
        ({"state": "over"}, "This match was called off before it began."),
        ({"public": False}, "There is no table called “{code}”."),
    ],
)
def test_a_table_that_is_full_or_gone_is_said_to_be_and_others_are_named(
    becomes: dict[str, object], reason: str, house: House
) -> None:
    verified(house, "Bob")
    match_id = opened(house)
    other = opened(house, name="Dee")
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(becomes))
    write(house, f"join {match_id[:6]}", "bob@example.org")
    told = house.only("Bob")
    assert f"You have not joined a table. {reason.format(code=match_id[:6])}" in told.flat
    assert line(told) == f"join {other[:5]}"
    assert told.message["Subject"] == "A seat at a table"


def test_a_stranger_is_told_too_that_a_table_is_full(house: House) -> None:
    match_id = opened(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(open_seats=0))
    write(house, f"join {match_id}", "bob@example.org")
    told = house.only("Bob").flat
    assert "This table has no open seat any more." in told
    assert "No other table is open right now." in told


def test_letters_that_name_more_than_one_table_are_not_enough(house: House) -> None:
    verified(house, "Bob")
    twins = [opened(house), opened(house, name="Dee")]
    with house.transaction() as ctx:
        for number, match_id in enumerate(twins):
            ctx.session.execute(update(SeatHolder).where(SeatHolder.match_id == match_id).values(left_at=ctx.now))
            like = ctx.session.get_one(Match, match_id)
            ctx.session.add(_copy(like, f"abcde{number}" + "0" * 14))
    write(house, "join abcde", "bob@example.org")
    assert "Several tables begin with “abcde”. Write more letters of the code." in house.only("Bob").flat


def _copy(match: Match, match_id: str) -> Match:
    kept = {column.key: getattr(match, column.key) for column in Match.__table__.columns if column.key != "id"}
    return Match(id=match_id, **kept)


def test_tables_with_the_same_first_letters_are_named_by_more_of_them() -> None:
    class Named:
        def __init__(self, match: str) -> None:
            self.match = match

    tables = [Named("abcdefgh000000000000"), Named("abcdefzh000000000000"), Named("bbbbbbbbbbbbbbbbbbbb")]
    assert open_tables.table_codes(tables) == ["abcdefg", "abcdefz", "bbbbb"]  # type: ignore[arg-type]


def test_an_invitation_link_joins_a_private_table_by_mail(house: House) -> None:
    verified(house, "Bob")
    match_id = opened(house, public=False)
    code = open_tables.invitation_code(house.config, match_id)
    write(house, f"join {code}", "bob@example.org")
    assert house.match(match_id).state == MatchState.RUNNING


def test_a_stranger_joins_a_private_table_by_its_link(house: House) -> None:
    match_id = opened(house, public=False)
    write(house, f"join {open_tables.invitation_code(house.config, match_id)}", "bob@example.org")
    write(house, line(house.only("Bob")), "bob@example.org")
    assert house.match(match_id).state == MatchState.RUNNING


def test_what_one_stranger_was_mailed_seats_nobody_else(house: House) -> None:
    match_id = opened(house)
    write(house, f"join {match_id[:5]}", "bob@example.org")
    write(house, line(house.only("Bob")), "cyd@example.org")
    assert seated(house, match_id) == ["ann@example.org"]
    assert f"There is no table called “{match_id}”." in house.only("Cyd").flat


def test_strangers_are_mailed_seldom(house: House) -> None:
    match_id = opened(house)
    for _again in range(3):
        write(house, "lobby", "bob@example.org")
    assert len(house.mails("Bob")) == 2
    for _again in range(5):
        write(house, f"join {match_id[:5]}", "bob@example.org")
    assert len(house.mails("Bob")) == 3
    write(house, "list", "bob@example.org")
    write(house, "board", "bob@example.org")
    assert not house.mails("Bob")
    assert statuses(house) == ["done"] * 8 + ["stored"] * 2


def test_help_tells_what_may_be_written_to_the_service_itself(house: House) -> None:
    verified(house, "Ann")
    for sender in ("ann@example.org", "dee@example.org"):
        write(house, "help", sender)
    for name in ("Ann", "Dee"):
        told = house.only(name)
        assert told.message["Subject"] == "What you can write here"
        for word in ("“lobby” ", "“join” ", "“new” ", "“list” "):
            assert word in told.text
    write(house, "hilfe", "cyd@example.org")
    assert "„" in house.only("Cyd").text


def test_the_list_of_ones_matches_is_sent_to_who_is_known(house: House) -> None:
    verified(house, "Ann")
    write(house, "list", "ann@example.org")
    assert house.only("Ann").message["Subject"] == "Your matches"


def test_a_days_letters_have_an_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.play.inbox.service_mail.MAX_ANSWERS_PER_DAY", 1)
    verified(house, "Ann")
    write(house, "lobby", "ann@example.org")
    write(house, "lobby", "ann@example.org")
    assert len(house.mails("Ann")) == 1


def test_a_mail_that_our_server_cannot_vouch_for_asks_first_where_that_is_wanted(house: House) -> None:
    verified(house, "Bob")
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Bob").values(mail_policy="token+from+aligned"))
    match_id = opened(house)
    write(house, f"join {match_id[:5]}", "bob@example.org")
    assert seated(house, match_id) == ["ann@example.org"]
    write(house, line(house.only("Bob")), "bob@example.org")
    assert house.match(match_id).state == MatchState.RUNNING


def test_a_table_that_was_drawn_anew_leads_to_the_new_one(house: House) -> None:
    verified(house, "Bob")
    old = opened(house)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, old)
        acceptance.cancel(ctx, match, seat=1, by="seat 1", detail={"redrawn": True})
        guest = Invitee("Ann", address("Ann"))
        new = create_match(ctx, "martian-whist", {}, [guest], creator=1, open_seats=1, follows=old).id
        newer = joining.find_replacement(ctx, match, None)
        assert newer
        assert newer.id == new
        assert joining.find_replacement(ctx, ctx.session.get_one(Match, new), None) is None
    write(house, f"join {old[:5]}", "bob@example.org")
    assert house.match(new).state == MatchState.RUNNING
    assert house.all(select(Address.verified_at).where(Address.email == "bob@example.org")) != [None]
    assert house.all(select(OutboxMessage.kind).where(OutboxMessage.kind == "not joined")) == []
