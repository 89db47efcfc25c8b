"""Tokens: how they are made, what they open, and what is kept of them (DESIGN: tokens)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text, update

from emails.composing.compose import compose
from pbem.db.models import Base, Match, OutboxMessage, SeatHolder, Token
from pbem.play.core import tokens as core_tokens
from pbem.play.lifecycle import acceptance
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import fresh_links
from pbem.states import MatchState

if TYPE_CHECKING:
    from tests.support.house import House

RFC4648 = "abcdefghijklmnopqrstuvwxyz234567"
CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
KEY = "0" * 40


def token_by_hand(key: str, kind: str, holder: int, ply: int, generation: int) -> str:
    """Compute a token from its formula: the first 130 bits of an HMAC, in Crockford's base32."""
    message = b"\0".join(str(part).encode() for part in (kind, holder, ply, generation))
    digest = hmac.new(key.encode(), message, hashlib.sha256).digest()
    written = base64.b32encode(digest).decode().lower()[:26]
    return written.translate(str.maketrans(RFC4648, CROCKFORD))


def opens(house: House, token: str, kind: str, now: datetime | None = None) -> bool:
    with house.transaction(now) as ctx:
        return core_tokens.find(ctx, token, kind) is not None


def test_tokens_are_made_by_their_formula(house: House) -> None:
    house.start_match("middle-card", 3)
    mail = house.last("Bob")
    (holder,) = house.all(select(SeatHolder).where(SeatHolder.name == "Bob"))
    assert mail.reply_to == f"play+{token_by_hand(KEY, 'reply', holder.id, 1, 1)}@games.localhost"
    mail = house.last("Ann")
    (holder,) = house.all(select(SeatHolder).where(SeatHolder.name == "Ann"))
    assert mail.token == token_by_hand(KEY, "link", holder.id, 1, 1)
    assert mail.reply_to == f"play+{token_by_hand(KEY, 'reply', holder.id, 1, 1)}@games.localhost"


def test_the_invitations_token_is_of_ply_0(house: House) -> None:
    house.make("minimax", 1)
    (holder,) = house.all(select(SeatHolder))
    assert house.only("Ann").token == token_by_hand(KEY, "link", holder.id, 0, 1)


def test_no_row_holds_a_token_in_clear(house: House) -> None:
    house.start_match("middle-card", 3)
    mail = house.last("Ann")
    house.reply(mail, "nonsense")
    house.reply(mail, "stay")
    for name in ("Ann", "Bob", "Cyd"):
        house.mails(name)
    tokens = {mail.token for mail in house.every_mail if "/m/" in mail.text}
    tokens |= {mail.reply_to.partition("+")[2].partition("@")[0] for mail in house.every_mail}
    assert len(tokens) >= 9
    held = []
    with house.transaction() as ctx:
        for name, kept in Base.metadata.tables.items():
            for row in ctx.session.execute(select(kept)).all():
                for column, value in zip(kept.columns, row, strict=True):
                    # What a person mailed in holds the address that they answered to, until it is judged away.
                    if name == "submissions" and column.name == "raw":
                        continue
                    written = bytes(value) if isinstance(value, bytes) else str(value).encode()
                    held += [(name, column.name, token) for token in tokens if token.encode() in written]
    assert not held


def test_a_token_is_found_by_its_digest(house: House) -> None:
    house.make("minimax", 1)
    token = house.only("Ann").token
    assert hashlib.sha256(token.encode()).digest() in house.all(select(Token.hash))


def test_links_are_no_reply_addresses_and_the_reverse(house: House) -> None:
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    reply = mail.reply_to.partition("+")[2].partition("@")[0]
    assert opens(house, mail.token, core_tokens.LINK)
    assert opens(house, reply, core_tokens.REPLY)
    assert not opens(house, mail.token, core_tokens.REPLY)
    assert not opens(house, reply, core_tokens.LINK)
    assert house.send(b"From: ann@example.org\n\n1", f"play+{mail.token}@games.localhost", "a@x.org").code == 550


def test_what_people_and_mailers_do_to_a_token_is_undone(house: House) -> None:
    house.start_match("minimax", 1)
    token = house.last("Ann").token
    confused = token.replace("1", "I").replace("0", "O")
    for typed in (token.upper(), f" {token}\n", confused, token.replace("1", "l")):
        assert opens(house, typed, core_tokens.LINK)


@pytest.mark.parametrize("typed", ["", "short", "u" * 26, "0" * 27, "0" * 25 + "é", "\0" * 26, "0" * 26])
def test_what_can_be_no_token_is_found_nowhere(house: House, typed: str) -> None:
    assert not opens(house, typed, core_tokens.LINK)


def test_tokens_answer_until_90_days_after_the_end(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    mail = house.last("Ann")
    reply = mail.reply_to.partition("+")[2].partition("@")[0]
    house.reply(mail, "resign yes")
    ended = house.match(match_id).ended_at
    assert ended
    for kind, token in ((core_tokens.LINK, mail.token), (core_tokens.REPLY, reply)):
        assert opens(house, token, kind, ended + timedelta(days=90))
        assert not opens(house, token, kind, ended + timedelta(days=90, seconds=1))


def test_renewed_links_and_former_holders_links_are_unknown(house: House) -> None:
    house.start_match("minimax", 1)
    token = house.last("Ann").token
    with house.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(generation=2))
    assert not opens(house, token, core_tokens.LINK)
    with house.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(generation=1, left_at=datetime.now(UTC)))
    assert not opens(house, token, core_tokens.LINK)


def test_what_a_token_shows_depends_on_its_stage(house: House) -> None:
    match_id = house.make("middle-card", 3)
    invitation = house.only("Ann").token

    def is_current(token: str) -> bool:
        with house.transaction() as ctx:
            found = core_tokens.find(ctx, token, core_tokens.LINK)
            assert found
            return core_tokens.is_current(ctx, found, ctx.session.get_one(Match, match_id))

    def shows_seat(token: str) -> bool:
        with house.transaction() as ctx:
            found = core_tokens.find(ctx, token, core_tokens.LINK)
            assert found
            return core_tokens.is_of_current_stage(found, ctx.session.get_one(Match, match_id))

    assert is_current(invitation)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        for holder in holders(ctx, match):
            acceptance.accept(ctx, match, holder, "")
    assert not is_current(invitation)
    first = house.last("Ann")
    assert is_current(first.token)
    house.reply(first, "stay")
    assert not is_current(first.token)
    assert not shows_seat(first.token)
    second = house.last("Ann")
    assert is_current(second.token)
    house.reply(second, house.legal(match_id, 1)[0])
    assert not is_current(second.token)
    # The others have yet to play in the same stage.
    assert shows_seat(second.token)
    house.reply(second, "resign yes")
    assert house.match(match_id).state == MatchState.RUNNING
    # What it is told from now on has a link that the seat may act by, though it has moved.
    third = house.last("Ann")
    assert "You wrote “resign” in reply to a mail about an earlier turn" in third.flat
    assert third.token != second.token
    assert is_current(third.token)
    house.reply(third, "resign yes")
    assert house.match(match_id).state == MatchState.OVER
    assert is_current(third.token)
    assert not is_current(second.token)


# -- keys ----------------------------------------------------------------------------------------------


def test_a_new_key_signs_and_the_old_ones_tokens_still_answer(house: House) -> None:
    old, new = house.config.secret_keys[0], "n" * 40
    match_id = house.make("middle-card", 3)
    before = house.only("Ann").token
    house = house.with_keys(old, new)
    house.make("minimax", 1)
    after = house.only("Ann").token
    ids = dict(house.rows(select(SeatHolder.match_id, SeatHolder.id).where(SeatHolder.name == "Ann")))
    assert after == token_by_hand(new, "link", next(i for m, i in ids.items() if m != match_id), 0, 1)
    assert opens(house, before, core_tokens.LINK)
    assert opens(house, after, core_tokens.LINK)


def test_a_mail_owed_under_an_old_key_keeps_its_bytes_while_that_key_is_kept(house: House) -> None:
    old, new = house.config.secret_keys[0], "n" * 40
    house.make("minimax", 1)
    with house.transaction() as ctx:
        before = compose(ctx, ctx.session.scalars(select(OutboxMessage)).one())
    with house.with_keys(old, new).transaction() as ctx:
        assert compose(ctx, ctx.session.scalars(select(OutboxMessage)).one()) == before


def test_a_mail_owed_under_a_key_that_is_gone_gets_links_that_work(house: House) -> None:
    house.make("minimax", 1)
    house = house.with_keys("n" * 40)
    mail = house.only("Ann")
    (holder,) = house.all(select(SeatHolder))
    assert mail.token == token_by_hand("n" * 40, "link", holder.id, 0, 1)
    house.reply(mail, "accept")
    assert "It is your turn" in house.only("Ann").text


def test_the_name_of_a_key_tells_nothing_of_it() -> None:
    assert core_tokens.key_id(KEY) not in KEY
    assert len(core_tokens.key_id(KEY)) == 8
    assert core_tokens.key_id(KEY) != core_tokens.key_id("1" * 40)


# -- fresh links ---------------------------------------------------------------------------------------


def test_a_fresh_link_goes_to_the_seats_own_address_once_a_minute(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    old = house.last("Ann")
    house.reply(old, "stay")
    house.mails("Ann")
    noon = datetime(2026, 11, 21, 12, 0, 1, tzinfo=UTC)
    for now in (noon, noon + timedelta(seconds=58), noon + timedelta(seconds=60)):
        with house.transaction(now) as ctx:
            match = lock_match(ctx, match_id)
            fresh_links.enqueue(ctx, match, holders(ctx, match)[0])
    with house.transaction() as ctx:
        ctx.session.execute(text("UPDATE outbox_messages SET due_at = now() WHERE state = 'pending'"))
    first, second = house.mails("Ann")
    assert first.token == second.token != old.token
    assert opens(house, first.token, core_tokens.LINK)


def test_before_the_match_begins_a_fresh_link_is_the_invitations(house: House) -> None:
    match_id = house.make("middle-card", 3)
    house.mails("Ann")
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        fresh_links.enqueue(ctx, match, holders(ctx, match)[0])
    assert "not everybody has accepted" in house.only("Ann").flat


def test_a_match_that_was_called_off_has_no_fresh_links(house: House) -> None:
    match_id = house.make("middle-card", 3)
    house.reply(house.only("Ann"), "decline")
    house.mails("Ann")
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        fresh_links.enqueue(ctx, match, holders(ctx, match)[0])
    assert not house.mails("Ann")


def test_a_table_of_another_key_makes_other_tokens() -> None:
    assert core_tokens.derive("a" * 40, "link", 1, 1, 1) != core_tokens.derive("b" * 40, "link", 1, 1, 1)
    one = ("link", 1, 1, 1)
    others = [("reply", 1, 1, 1), ("link", 2, 1, 1), ("link", 1, 2, 1), ("link", 1, 1, 2)]
    assert len({core_tokens.derive(KEY, *each) for each in (one, *others)}) == 5
    # What is between the parts keeps 1 and 11 apart from 11 and 1.
    assert core_tokens.derive(KEY, "link", 1, 11, 1) != core_tokens.derive(KEY, "link", 11, 1, 1)


def test_configurations_with_two_keys_sign_with_the_newest(house: House) -> None:
    config = replace(house.config, secret_keys=("a" * 40, "b" * 40))
    assert config.secret_keys[-1] == "b" * 40
