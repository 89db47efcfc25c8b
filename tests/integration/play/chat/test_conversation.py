"""Muting somebody and reporting them, by mail; what nobody at the table is told of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import AbuseReport, OutboxMessage
from pbem.play.chat import conversation
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.moderation import abuse_reports
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House, Mail


def at_table(house: House, game: str = "middle-card", seats: int = 3) -> dict[str, Mail]:
    house.start_match(game, seats)
    return {name: house.last(name) for name in ("Ann", "Bob", "Cyd")[:seats]}


def test_who_is_muted_is_left_out_of_ones_mails_and_not_told(house: House) -> None:
    mails = at_table(house)
    house.reply(mails["Bob"], "mute Ann")
    assert "You no longer get messages from Ann" in house.only("Bob").flat
    assert not house.mails("Ann")
    house.reply(mails["Ann"], "say What a nice day!")
    house.reply(mails["Cyd"], "say It is.")
    told = house.only("Bob")
    assert "It is." in told.flat
    assert "nice day" not in told.flat
    assert any("nice day" in mail.flat for mail in house.mails("Cyd"))
    house.mails("Ann")
    house.reply(told, "unmute Ann")
    assert "You get messages from Ann again." in house.only("Bob").flat
    house.reply(mails["Ann"], "say Still here?")
    assert "Still here?" in house.only("Bob").flat


def test_the_words_of_who_is_muted_stay_out_of_the_turn_mails_too(house: House) -> None:
    mails = at_table(house)
    house.reply(mails["Bob"], "mute ann")
    house.mails("Bob")
    house.reply(mails["Ann"], "say Your move, slowcoach!\n\nstay")
    for name, seat in (("Bob", 2), ("Cyd", 3)):
        house.reply(mails[name], house.legal(house.match_ids()[0], seat)[0])
    assert all("slowcoach" not in mail.flat for mail in house.mails("Bob"))


def test_at_a_table_of_two_no_name_is_needed(house: House) -> None:
    mails = at_table(house, "martian-whist", 2)
    house.reply(mails["Ann"], "stumm")
    assert "You no longer get messages from Bob" in house.only("Ann").flat
    house.reply(mails["Ann"], "laut")
    assert "You get messages from Bob again." in house.only("Ann").flat


@pytest.mark.parametrize("words", ["mute", "mute everybody", "unmute Annabel", "report that one", "melden"])
def test_where_it_is_unclear_who_is_meant_nothing_is_done(house: House, words: str) -> None:
    mails = at_table(house)
    house.reply(mails["Bob"], words)
    answer = house.only("Bob")
    assert "Nothing was done. Add the name of the player you mean." in answer.flat
    assert "With you at the table: Ann and Cyd." in answer.flat
    assert not house.all(select(AbuseReport.id))


def test_a_report_goes_to_the_operator_once_and_to_nobody_else(house: House) -> None:
    house = replace(house, config=replace(house.config, operator_email="operator@example.net"))
    mails = at_table(house)
    for _ in range(2):
        house.reply(mails["Bob"], "report Ann: she calls me names\nall the time")
        assert (
            "Thank you. The operator will read your report; Ann and the table do not see it." in house.only("Bob").flat
        )
    (kept,) = house.all(select(AbuseReport))
    assert kept.text == "she calls me names all the time"
    (owed,) = house.all(select(OutboxMessage).where(OutboxMessage.kind == "report"))
    assert owed.recipient == "operator@example.net"
    read = house.mails("operator")
    assert not read
    for name in ("Ann", "Cyd"):
        assert not house.mails(name)


def test_what_the_operator_reads_names_both(house: House) -> None:
    house = replace(house, config=replace(house.config, operator_email=address("Operator")))
    match_id = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        ann, bob = holders(ctx, match)
        assert conversation.post(ctx, match, bob, "You fool!")
        (said,) = conversation.visible_messages(ctx, match, ann)
        message = conversation.find_message(ctx, match, said.number)
        assert abuse_reports.submit(ctx, match, ann, bob, "", message)
        assert conversation.find_message(ctx, match, said.number + 1) is None
    mail = house.only("Operator")
    assert mail.message["Subject"] == "A report from a table"
    assert "Ann <ann@example.org> reports Bob <bob@example.org>" in mail.flat
    assert "“You fool!”" in mail.flat


def test_nobody_reports_without_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abuse_reports, "MAX_PER_DAY", 1)
    mails = at_table(house)
    house.reply(mails["Bob"], "report Ann")
    house.reply(mails["Bob"], "report Cyd")
    assert "Please try again tomorrow." in house.last("Bob").flat
    assert len(house.all(select(AbuseReport.id))) == 1


def test_the_same_words_said_at_once_again_are_a_button_pressed_twice(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    for _ in range(2):
        with house.transaction() as ctx:
            match = lock_match(ctx, match_id)
            ann, bob = holders(ctx, match)
            assert conversation.post(ctx, match, ann, "Hello!")
            assert [said.text for said in conversation.visible_messages(ctx, match, bob)] == ["Hello!"]
    assert sum("Hello!" in mail.flat for mail in house.mails("Bob")) == 1
