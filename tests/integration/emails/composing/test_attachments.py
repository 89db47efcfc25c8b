"""The files that go along with mails: the record with the last one, and the whole match for who asks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from emails.composing import attachments
from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Match, OutboxMessage, Player
from pbem.games.record_text import parse_text
from pbem.play.archive.records import build_record
from pbem.play.inbox.commands import information
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import lock_match
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import NAMES, address
from tests.support.records.page.files import record_in

if TYPE_CHECKING:
    from tests.support.house import House, Mail


@pytest.fixture
def over(house: House) -> str:
    """A match that Bob has given up."""
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay")
    house.reply(house.last("Bob"), "resign yes")
    return match_id


def files(mail: Mail) -> dict[str, str]:
    return {str(part.get_filename()): part.get_content() for part in mail.message.iter_attachments()}


def test_the_last_mail_has_the_record_as_text(house: House, over: str) -> None:
    with house.transaction() as ctx:
        record = build_record(ctx, ctx.session.get_one(Match, over))
    for name in NAMES[:3]:
        mail = house.last(name)
        ((called, text),) = files(mail).items()
        assert called == f"middle-card-{over[:8]}.txt"
        assert parse_text(text) == record
        assert "The record of this match is attached as text. Reply “replay” to get the whole match" in mail.flat
        assert mail.message.get_content_type() == "multipart/mixed"
        assert mail.html


def test_who_wants_it_gets_the_whole_match_with_the_last_mail(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Cyd").values(attach_replay=True))
    house.reply(house.last("Ann"), "stay")
    house.reply(house.last("Bob"), "resign yes")
    mail = house.last("Cyd")
    text, page = files(mail).values()
    assert list(files(mail)) == [f"middle-card-{match_id[:8]}.txt", f"middle-card-{match_id[:8]}.html"]
    assert parse_text(text).match == record_in(page)["match"] == match_id
    assert "attached as text, and the whole match as one file that shows every step" in mail.flat
    assert len(files(house.last("Ann"))) == 1


def test_other_mails_have_no_file(house: House) -> None:
    house.start_match("middle-card", 3)
    mail = house.last("Ann")
    assert files(mail) == {}
    assert mail.message.get_content_type() == "multipart/alternative"


def test_who_wants_nothing_in_their_mailbox_gets_a_file_only_by_asking(house: House) -> None:
    house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(link_only=True))
    house.reply(house.last("Ann"), "stay")
    house.reply(house.last("Bob"), "resign yes")
    final = house.last("Ann")
    assert files(final) == {}
    house.reply(final, "replay")
    (called,) = files(house.last("Ann"))
    assert called.endswith(".html")


@pytest.mark.parametrize("word", ["replay", "wiedergabe"])
def test_the_whole_match_comes_as_one_file(house: House, over: str, word: str) -> None:
    house.reply(house.last("Cyd"), word)
    mail = house.only("Cyd")
    ((called, page),) = files(mail).items()
    assert called == f"middle-card-{over[:8]}.html"
    assert record_in(page)["match"] == over
    assert "Your match of Middle Card is attached: one file that opens in any browser." in mail.flat
    assert f"/matches/{over}/replay" in mail.text


def test_a_private_match_is_led_to_with_its_key(house: House) -> None:
    guests = [Invitee(name, address(name)) for name in NAMES[:3]]
    with house.transaction() as ctx:
        match_id = create_match(ctx, "middle-card", {}, guests, public=False).id
    for name in NAMES[:3]:
        house.reply(house.last(name), "accept")
    house.mails("Bob")
    house.reply(next(mail for mail in reversed(house.every_mail) if mail.name == "Bob"), "resign yes")
    house.reply(house.last("Ann"), "replay")
    assert f"/matches/{match_id}/replay?key=" in house.last("Ann").text


def test_a_match_that_still_runs_is_no_file_yet(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "replay")
    mail = house.only("Ann")
    assert files(mail) == {}
    assert "The match is still running. You can get it as a file when it is over." in mail.flat


def test_nobody_is_mailed_files_without_end(house: House, over: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(information, "MAX_FILES_PER_DAY", 1)
    final = house.last("Ann")
    limited = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    for expected in ("is attached", "many such files today"):
        limited.reply(final, "replay")
        assert expected in limited.last("Ann").flat
    assert house.match(over).state == MatchState.OVER


def test_a_match_without_a_record_has_no_file(house: House) -> None:
    match_id = house.make("middle-card", 3)
    house.reply(house.last("Bob"), "decline")
    house.mails("Ann")
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        match.state = MatchState.OVER
        for kind in ("final", "replay"):
            notice = OutboxMessage(kind=kind, match_id=match_id)
            assert attachments.attached_files(ctx, notice) == attachments.NO_FILES
        ctx.session.rollback()
