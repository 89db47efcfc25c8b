"""Leaving for good: nothing tells any more who somebody was, and what was played stays whole for the others."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import LargeBinary, Text, cast, func, select, update

from pbem.db.models import (
    AbuseReport,
    Address,
    ApiKey,
    Avoidance,
    Base,
    BounceReport,
    ChatMessage,
    DomainBackoff,
    Feed,
    Match,
    Mute,
    OutboxMessage,
    Passkey,
    Player,
    SeatHolder,
    ServiceMail,
    SignInLink,
    Submission,
    Suppression,
    Webhook,
)
from pbem.db.models.accounts import WebhookDelivery
from pbem.play.accounts import deletion, login_sessions
from pbem.play.accounts.personal_data_erasure import replace_mentions
from pbem.play.archive import records
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.deliverability import bounces
from pbem.play.lifecycle import acceptance, endings
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox
from pbem.play.players import unsubscribes
from pbem.records.verify_command import VALID, verify_file
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.house import address

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.house import House

NAME, EMAIL = "Zebulon Quist", "Zeb.Quist@Example.ORG".lower()


def player_called(house: House, name: str) -> Player:
    (found,) = house.all(select(Player).where(Player.name == name))
    assert isinstance(found, Player)
    return found


def leave(house: House, name: str = NAME) -> None:
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.get_one(Player, player_called(house, name).id))


def table_for(house: House, game: str, *names: str, options: dict[str, object] | None = None, **more: Any) -> str:
    """Create a match of people by name; whoever is called NAME has an address of their own."""
    guests = [Invitee(name, EMAIL if name == NAME else address(name)) for name in names]
    with house.transaction() as ctx:
        return create_match(ctx, game, options or {}, guests, **more).id


def begin(house: House, match_id: str) -> None:
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        for holder in holders(ctx, match):
            acceptance.accept(ctx, match, holder, "my own text")


def traces(house: House, *needles: str) -> list[str]:
    """Look through every column of every table, in every spelling that case allows."""
    found = []
    with house.transaction() as ctx:
        for each in Base.metadata.sorted_tables:
            for column in each.columns:
                binary = isinstance(column.type, LargeBinary)
                text = func.encode(column, "escape") if binary else cast(column, Text)
                for needle in needles:
                    held = select(text).where(func.strpos(func.lower(text), needle.lower()) > 0)
                    found += [f"{each.name}.{column.name}: {one}" for one in ctx.session.scalars(held)]
    return found


def busy(house: House) -> list[str]:
    """Act as somebody who does all that leaves something behind; return their matches: over, running, waiting."""
    over = table_for(house, "martian-whist", NAME, "Bob", creator=1)
    running = table_for(house, "middle-card", "Ann", NAME, "Cyd")
    waiting = table_for(house, "martian-whist", "Bob", NAME, creator=1)
    hosted = table_for(house, "martian-whist", NAME, "Cyd", creator=1)
    for match_id in (over, running):
        begin(house, match_id)
    zeb, bob = player_called(house, NAME), player_called(house, "Bob")
    with house.transaction() as ctx:
        now = ctx.now
        holder = ctx.session.scalars(
            select(SeatHolder).where(SeatHolder.match_id == over, SeatHolder.email == EMAIL)
        ).one()
        other = ctx.session.scalars(
            select(SeatHolder).where(SeatHolder.match_id == over, SeatHolder.name == "Bob")
        ).one()
        login_sessions.start(ctx, ctx.session.get_one(Player, zeb.id), f"Browser of {NAME}")
        ctx.session.execute(
            update(Match).where(Match.id == hosted).values(host_id=zeb.id, invitation_text=f"Yours, {NAME}")
        )
        said = ChatMessage(match_id=over, holder_id=holder.id, seat=1, ply=1, text=f"{NAME} greets", sent_at=now)
        hook = Webhook(id="hook", holder_id=holder.id, url=f"https://example.org/{EMAIL}", secret=b"x", created_at=now)
        ctx.session.add_all([said, hook])
        ctx.session.flush()
        ctx.session.add_all(
            [
                WebhookDelivery(
                    id="call", webhook_id="hook", idempotency_key="call", body=NAME, created_at=now, due_at=now
                ),
                ApiKey(hash=b"key", player_id=zeb.id, name=f"Key of {NAME}", scopes=["read"], created_at=now),
                Passkey(id=b"passkey", player_id=zeb.id, name=NAME, public_key=b"k", created_at=now),
                Feed(hash=b"feed", player_id=zeb.id, generation=1),
                Avoidance(player_id=zeb.id, avoided_id=bob.id, name="Bob", created_at=now),
                Avoidance(player_id=bob.id, avoided_id=zeb.id, name=NAME, created_at=now),
                Mute(player_id=zeb.id, muted_id=bob.id, muted_at=now),
                Mute(player_id=bob.id, muted_id=zeb.id, muted_at=now),
                SignInLink(id="signin", email=EMAIL, redirect_path="/", requested_at=now),
                AbuseReport(
                    match_id=over,
                    reporter_id=holder.id,
                    reported_holder_id=other.id,
                    text=NAME,
                    reported_text=None,
                    reported_at=now,
                ),
                AbuseReport(
                    match_id=over,
                    reporter_id=other.id,
                    reported_holder_id=holder.id,
                    reported_text=NAME,
                    text="Rude.",
                    reported_at=now,
                ),
                ServiceMail(
                    recipient="games@games.localhost", sender=EMAIL, raw=b"new", idempotency_key=b"1", received_at=now
                ),
                ServiceMail(
                    recipient="games@games.localhost",
                    sender=address("Bob"),
                    raw=f"new whist with {EMAIL.title()}".encode(),
                    idempotency_key=b"2",
                    received_at=now,
                ),
                DomainBackoff(
                    domain="example.org", started_at=now, retry_at=now, refusals=1, last_error=f"550 <{EMAIL}> refused"
                ),
            ]
        )
        outbox.enqueue_mail(
            ctx, "not made", address("Bob"), {"reason": f"Of {EMAIL}.", "name": "Bob", "language": "en"}, once="x"
        )
    house.deliver()
    house.reply(next(mail for mail in house.mails("Bob") if mail.message["Reply-To"]), "take 7")
    with house.transaction() as ctx:
        match = lock_match(ctx, over)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[1])
    house.deliver()
    # A report that came back from their address.
    with house.transaction() as ctx:
        notice = ctx.session.scalars(select(OutboxMessage).where(OutboxMessage.recipient == EMAIL).limit(1)).one()
        bounces.record_failure(ctx, notice, "soft", "4.2.2", f"<{EMAIL}> is full")
        unsubscribes.unsubscribe(ctx, EMAIL)
    # What is owed and not sent yet.
    with house.transaction() as ctx:
        match = lock_match(ctx, running)
        for holder in holders(ctx, match):
            outbox.enqueue(ctx, "board", holder, match, outbox.match_facts(ctx, match, holder), once=f"b {holder.id}")
    return [over, running, waiting, hosted]


def test_nothing_in_the_database_tells_who_has_left(house: House) -> None:
    busy(house)
    assert len(traces(house, NAME, EMAIL)) > 20
    leave(house)
    left = traces(house, NAME, EMAIL)
    assert [one for one in left if not one.startswith("outbox_messages.recipient")] == []
    # Only the last mail is still to be sent; with it the address goes.
    assert len(left) == 1
    house.deliver()
    assert traces(house, NAME, EMAIL) == []
    assert "Former player" in str(traces(house, "Former player"))


def test_running_matches_are_resigned_and_those_that_wait_declined(house: House) -> None:
    over, running, waiting, hosted = busy(house)
    for name in ("Ann", "Bob", "Cyd"):
        house.mails(name)
    leave(house)
    results = [house.match(match_id).result for match_id in (over, running, waiting, hosted)]
    assert [result and result["ending"] for result in results] == ["resigned", "resigned", "aborted", "aborted"]
    assert results[1] is not None
    assert results[1]["winners"] == [1, 3]
    told = house.only("Ann")
    assert "The match is over by resignation." in told.flat
    assert "Former player" in told.message["Subject"]
    assert NAME not in told.raw.decode()
    assert any("called off" in mail.flat for mail in house.mails("Bob"))


def test_records_of_the_others_stay_whole_and_verify(house: House, tmp_path: Path) -> None:
    over, running, *_ = busy(house)
    with house.transaction() as ctx:
        before = records.build_record(ctx, ctx.session.get_one(Match, over)).data()
    leave(house)
    for match_id in (over, running):
        with house.transaction() as ctx:
            after = records.build_record(ctx, ctx.session.get_one(Match, match_id)).data()
        file = tmp_path / f"{match_id}.json"
        file.write_text(json.dumps(after))
        assert verify_file(file) == VALID
        if match_id == over:
            assert after == before | {"seats": ["Former player", "Bob"]}


def test_the_last_mail_says_so_and_none_comes_after_it(house: House) -> None:
    over, *_ = busy(house)
    house.deliver()
    leave(house)
    with house.transaction() as ctx:
        left = ctx.session.scalars(select(OutboxMessage).where(OutboxMessage.recipient == EMAIL)).all()
        assert [one.kind for one in left] == ["left"]
        match = ctx.session.get_one(Match, over)
        gone = next(holder for holder in holders(ctx, match) if not holder.email)
        outbox.enqueue(ctx, "board", gone, match, outbox.match_facts(ctx, match, gone), once="later")
    assert house.deliver() >= 1
    assert house.all(select(OutboxMessage).where(OutboxMessage.recipient == EMAIL)) == []
    assert house.all(select(OutboxMessage).where(OutboxMessage.idempotency_key == "later")) == []
    last = house.all(select(OutboxMessage).where(OutboxMessage.kind == "left"))
    assert [(one.state, one.recipient, one.return_path_hash, one.render_data) for one in last] == [
        ("sent", "", None, {})
    ]
    # Leaving once more changes nothing.
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.scalars(select(Player).where(Player.deleted_at.is_not(None))).one())
    assert house.deliver() == 0


def test_links_of_somebody_who_has_left_are_unknown(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    mail = house.last("Ann")
    with house.transaction() as ctx:
        assert tokens.find_valid(ctx, [mail.token], tokens.LINK)
    leave(house, "Ann")
    with house.transaction() as ctx:
        assert not tokens.find_valid(ctx, [mail.token], tokens.LINK)
        assert house.match(match_id).state == MatchState.OVER
    assert house.send(mail.raw, mail.reply_to, address("Ann")).code == 550


def test_what_was_stopped_stays_stopped_and_a_new_account_starts_empty(house: House) -> None:
    busy(house)
    leave(house)
    assert len(house.all(select(Suppression.hash).where(Suppression.hash == unsubscribes.address_hash(EMAIL)))) == 1
    with pytest.raises(Refused, match="does not accept invitations"):
        table_for(house, "martian-whist", "Bob", NAME, creator=1)
    with house.transaction() as ctx:
        unsubscribes.resubscribe(ctx, EMAIL)
    table_for(house, "martian-whist", "Bob", NAME, creator=1)
    new = player_called(house, NAME)
    assert new.deleted_at is None
    assert len(house.all(select(SeatHolder.id).where(SeatHolder.player_id == new.id))) == 1


def test_two_who_leave_a_table_are_told_apart(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    for name in ("Ann", "Bob"):
        leave(house, name)
    names = house.all(select(SeatHolder.name).where(SeatHolder.match_id == match_id).order_by(SeatHolder.seat))
    assert names == ["Former player", "Former player 2", "Cyd"]


def test_a_host_who_sits_nowhere_calls_their_table_off(house: House) -> None:
    match_id = house.make("martian-whist", 2)
    for name in ("Ann", "Bob"):
        house.mails(name)
    table_for(house, "minimax", NAME)
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        match.host_id = player_called(house, NAME).id
        acceptance.accept(ctx, match, holders(ctx, match)[0], "")
    leave(house)
    found = house.match(match_id)
    assert (found.state, found.host_id) == ("over", None)
    assert "called off" in house.only("Ann").flat
    assert house.mails("Bob") == []


def test_what_others_sent_keeps_its_verdict_and_loses_its_bytes(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "take 7")
    leave(house, "Bob")
    (kept,) = house.all(select(Submission).where(Submission.match_id == match_id))
    assert (kept.status, kept.raw) == ("played", None)


def test_a_link_holds_for_a_day_and_until_it_is_used(house: House) -> None:
    house.start_match("minimax", 1)
    ann = player_called(house, "Ann")
    with house.transaction() as ctx:
        deletion.send_link(ctx, ann)
        deletion.send_link(ctx, ann)
    mails = [mail for mail in house.mails("Ann") if "Do you want to delete your account?" in mail.message["Subject"]]
    assert len(mails) == 1
    signed = mails[0].text.partition("/leave/")[2].split()[0]
    with house.transaction() as ctx:
        found = deletion.player_from_link(ctx, signed)
        assert found is not None
        assert found.id == ann.id
        assert deletion.player_from_link(ctx, signed + "x") is None
    with house.transaction(datetime.now(UTC) + timedelta(hours=deletion.LINK_HOURS + 1)) as ctx:
        assert deletion.player_from_link(ctx, signed) is None
    leave(house, "Ann")
    with house.transaction() as ctx:
        assert deletion.player_from_link(ctx, signed) is None


def test_nobody_is_asked_at_an_address_that_is_not_shown_to_be_theirs(house: House) -> None:
    house.make("minimax", 1)
    with house.transaction() as ctx:
        deletion.send_link(ctx, player_called(house, "Ann"))
    assert house.all(select(OutboxMessage.id).where(OutboxMessage.kind == "leaving")) == []
    leave(house, "Ann")
    assert house.all(select(Address.email)) == []


def test_a_last_mail_that_is_refused_leaves_nothing_behind(house: House) -> None:
    house.start_match("minimax", 1)
    house.deliver()
    leave(house, "Ann")
    neighbour = Neighbour(at_rcpt=[f"550 5.1.1 <{address('Ann')}> is unknown"])
    with listening(neighbour) as where:
        replace(house, config=replace(house.config, smtp_url=f"smtp://{where}")).deliver()
    assert neighbour.connections == 1
    assert house.all(select(OutboxMessage.state).where(OutboxMessage.kind == "left")) == ["failed"]
    assert house.all(select(BounceReport)) == []
    assert traces(house, address("Ann")) == []


def test_only_whole_words_are_replaced() -> None:
    facts = {"names": ["Ann", "Bob"], "text": "Ann’s card: Anna, ann@x.org", "n": 1, "Ann": None}
    assert replace_mentions(facts, ["Ann"], ["ANN@x.org"], "X\\1") == {
        "names": ["X\\1", "Bob"],
        "text": "X\\1’s card: Anna, ",
        "n": 1,
        "Ann": None,
    }
