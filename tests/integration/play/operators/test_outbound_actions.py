"""What operators do about mail: what goes out is tried again or stopped, what came in is judged, read or forwarded."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from emails.outbound import results
from emails.parsing.reader import parse_mail
from pbem.db.models import Address, OutboxMessage, ServiceMail, Submission, Suppression
from pbem.play.core import message_kinds
from pbem.play.core.actors import ActionError
from pbem.play.deliverability import bounces
from pbem.play.inbox import service_mail
from pbem.play.notifications import failed_mails
from pbem.play.operators import inbound_actions, outbound_actions
from pbem.play.operators.search import alerts, outbound
from pbem.play.players import unsubscribes
from pbem.play.players.unsubscribes import address_hash
from pbem.play.upkeep import sweeper
from pbem.states import MatchState, OutboxState, ServiceMailStatus, SubmissionStatus
from tests.support.house import NAMES, address, reply
from tests.support.play.operators.office import audited, does, letter_to, must_verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House


def failed_turn(house: House) -> tuple[str, int, str]:
    """Begin a match whose first turn mail was given up; gives the match, the mail and whose it is."""
    match_id = house.start_match("martian-whist", 2)
    (seat,) = house.match(match_id).to_move
    with house.transaction() as ctx:
        turn = OutboxMessage.kind == "turn", OutboxMessage.match_id == match_id
        gone = {"state": "failed", "render_data": {}, "error": "552 too large", "finished_at": ctx.now}
        number = ctx.session.scalar(update(OutboxMessage).where(*turn).values(gone).returning(OutboxMessage.id))
    assert isinstance(number, int)
    return match_id, number, NAMES[seat - 1]


def suppressed(house: House, name: str) -> str | None:
    with house.transaction() as ctx:
        found = ctx.session.get(Suppression, address_hash(address(name)))
        return found.reason if found else None


def test_a_mail_that_was_given_up_is_written_anew_once_and_plays(house: House) -> None:
    match_id, number, name = failed_turn(house)
    house.mails(name)
    assert does(house, outbound_actions.retry, number).changed
    again = does(house, outbound_actions.retry, number)
    assert not again.changed
    assert "already replaced" in again.message
    mail = house.only(name)
    house.reply(mail, house.legal(match_id, house.match(match_id).to_move[0])[0])
    assert house.match(match_id).next_ply == 2
    must_verify(house, match_id)


def test_a_mail_that_was_given_up_is_sent_after_all_as_it_was(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = house.start_match("martian-whist", 2)
    (seat,) = house.match(match_id).to_move
    turn = OutboxMessage.kind == "turn", OutboxMessage.match_id == match_id

    def broken(*_: object) -> None:
        raise KeyError("a template")

    with monkeypatch.context() as patch:
        patch.setattr("emails.outbound.relay.compose", broken)
        assert house.mails(NAMES[seat - 1]) == []
    (given_up,) = house.all(select(OutboxMessage).where(*turn))
    assert (given_up.state, given_up.error) == ("failed", "could not be written: KeyError('a template')")
    shown = [need for need in house_needs(house) if need.what == "unwritten mails"]
    assert [(need.count, need.wrong) for need in shown] == [(2, True)]
    assert "you can send it again" in why(house, given_up.id)
    assert does(house, outbound_actions.retry, given_up.id).message == f"Mail {given_up.id} is sent again."
    mail = house.only(NAMES[seat - 1])
    assert mail.message["Message-ID"] == given_up.message_id
    house.reply(mail, house.legal(match_id, seat)[0])
    assert house.match(match_id).next_ply == 2
    must_verify(house, match_id)


def test_what_a_mail_was_made_of_is_kept_for_a_month_after_it_was_given_up(house: House) -> None:
    house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        long_ago = ctx.now - failed_mails.RETENTION - timedelta(minutes=1)
        numbers = list(
            ctx.session.scalars(
                select(OutboxMessage.id).where(OutboxMessage.state == OutboxState.PENDING).order_by(OutboxMessage.id)
            )
        )
        gone = (
            update(OutboxMessage)
            .where(OutboxMessage.id.in_(numbers))
            .values(state=OutboxState.FAILED, error="5.1.1 No such user")
        )
        ctx.session.execute(gone.values(finished_at=ctx.now))
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.id == numbers[0]).values(finished_at=long_ago))
    with house.transaction() as ctx:
        sweeper.sweep(ctx)
    old, young = house.all(select(OutboxMessage).where(OutboxMessage.id.in_(numbers)).order_by(OutboxMessage.id))
    assert (old.render_data, bool(young.render_data)) == ({}, True)
    assert "you can send it again" not in why(house, old.id)
    found = {need.what: (need.count, need.wrong) for need in house_needs(house)}
    assert (found["refused mails"], found["unwritten mails"]) == ((1, False), (0, False))


@pytest.mark.parametrize("kind", sorted(message_kinds.names(lambda rules: rules.is_secret)))
def test_nothing_is_kept_of_a_mail_that_lets_its_reader_in(house: House, kind: str) -> None:
    house.make("minimax", 1)
    with house.transaction() as ctx:
        notice = ctx.session.scalars(select(OutboxMessage)).one()
        notice.kind = kind
        results.finish(ctx, notice, OutboxState.FAILED, "5.1.1 No such user")
    (notice,) = house.all(select(OutboxMessage))
    assert (notice.state, notice.render_data) == ("failed", {})


def test_a_turn_that_was_given_up_and_is_over_is_replaced_by_the_match_as_it_stands(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    (seat,) = house.match(match_id).to_move
    with house.transaction() as ctx:
        turn = OutboxMessage.kind == "turn", OutboxMessage.match_id == match_id
        gone = {"state": "failed", "error": "552 too large", "finished_at": ctx.now, "ply": 0}
        number = ctx.session.scalar(update(OutboxMessage).where(*turn).values(gone).returning(OutboxMessage.id))
    house.mails(NAMES[seat - 1])
    assert "is replaced by a new one" in does(house, outbound_actions.retry, number).message
    house.only(NAMES[seat - 1])
    (old,) = house.all(select(OutboxMessage).where(OutboxMessage.id == number))
    assert (old.state, old.error, old.render_data) == ("dropped", "replaced by a newer mail", {})


def house_needs(house: House) -> list[alerts.Alert]:
    with house.transaction() as ctx:
        return alerts.collect(ctx)


def why(house: House, number: int) -> str:
    with house.transaction() as ctx:
        found = outbound.load_mail(ctx, number, str)
        assert found is not None
        return " ".join(found.why)


def test_a_mail_that_waits_is_tried_now_and_one_that_was_sent_is_not_sent_again(house: House) -> None:
    house.make("minimax", 1)
    with house.transaction() as ctx:
        later = ctx.now.replace(year=ctx.now.year + 1)
        ctx.session.execute(update(OutboxMessage).values(due_at=later, attempts=3))
    assert house.mails("Ann") == []
    (number,) = house.all(select(OutboxMessage.id))
    assert does(house, outbound_actions.retry, number, why="").changed
    house.only("Ann")
    with pytest.raises(ActionError, match="was already sent"):
        does(house, outbound_actions.retry, number)
    assert house.mails("Ann") == []


def test_a_mail_is_not_written_anew_for_who_does_not_sit_there_or_wants_none(house: House) -> None:
    match_id, number, name = failed_turn(house)
    does(house, outbound_actions.suppress, address(name))
    with pytest.raises(ActionError, match="is suppressed"):
        does(house, outbound_actions.retry, number)
    does(house, outbound_actions.lift, address(name))
    with house.transaction() as ctx:
        notice = ctx.session.get_one(OutboxMessage, number)
        notice.holder.left_at = ctx.now
    with pytest.raises(ActionError, match="Another player holds"):
        does(house, outbound_actions.retry, number)
    with house.transaction() as ctx:
        ctx.session.get_one(OutboxMessage, number).holder_id = None
    with pytest.raises(ActionError, match="Its content is deleted"):
        does(house, outbound_actions.retry, number)
    assert house.match(match_id).state == MatchState.RUNNING


def test_an_invitation_is_written_anew_unless_the_match_was_called_off(house: House) -> None:
    match_id = house.make("martian-whist", 2)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(state=OutboxState.FAILED, render_data={}))
    numbers = house.all(select(OutboxMessage.id).order_by(OutboxMessage.id))
    does(house, outbound_actions.retry, numbers[0])
    house.reply(house.only("Ann"), "decline")
    assert house.match(match_id).state == MatchState.OVER
    with pytest.raises(ActionError, match="nothing to send"):
        does(house, outbound_actions.retry, numbers[1])


def test_an_address_is_written_to_no_more_and_then_again(house: House) -> None:
    house.start_match("minimax", 1)
    house.mails("Ann")
    assert does(house, outbound_actions.suppress, f" {address('Ann').upper()} ").changed
    assert not does(house, outbound_actions.suppress, address("Ann")).changed
    assert suppressed(house, "Ann") == "manual"
    with house.transaction() as ctx:
        ctx.session.get_one(Address, address("Ann")).bounce_score = 9
    assert does(house, outbound_actions.lift, address("Ann")).changed
    assert not does(house, outbound_actions.lift, address("Ann")).changed
    assert suppressed(house, "Ann") is None
    assert house.all(select(Address.bounce_score)) == [bounces.TRIAL_SCORE]
    lines = audited(house, subject=("address", address_hash(address("Ann")).hex()))
    assert [line.act for line in lines][:2] == ["lift", "lift"]
    assert all(address("Ann") not in str(line) for line in audited(house))


@pytest.mark.parametrize("reason", ["bounce", "complaint"])
def test_what_reports_stopped_is_lifted(house: House, reason: str) -> None:
    house.start_match("minimax", 1)
    with house.transaction() as ctx:
        bounces.suppress(ctx, address("Ann"), reason)
    assert does(house, outbound_actions.lift, address("Ann")).detail["lifted"] == reason
    assert suppressed(house, "Ann") is None


def test_what_its_owner_has_stopped_only_they_undo_also_after_an_operator_stopped_more(house: House) -> None:
    house.start_match("minimax", 1)
    with house.transaction() as ctx:
        unsubscribes.unsubscribe(ctx, address("Ann"))
    with pytest.raises(ActionError, match="has unsubscribed"):
        does(house, outbound_actions.lift, address("Ann"))
    does(house, outbound_actions.suppress, address("Ann"))
    does(house, outbound_actions.suppress, address("Ann"))
    assert suppressed(house, "Ann") == "manual"
    assert "had unsubscribed before" in does(house, outbound_actions.lift, address("Ann")).message
    assert suppressed(house, "Ann") == "unsubscribe"


@pytest.mark.parametrize("act", [outbound_actions.suppress, outbound_actions.lift])
def test_what_is_no_address_is_neither_stopped_nor_lifted(house: House, act: Callable[..., Any]) -> None:
    for wrong in ("ann", "", "a@b@c", "\0@example.org"):
        with pytest.raises(ActionError):
            does(house, act, wrong)
    with pytest.raises(ActionError, match="Give a reason"):
        does(house, act, address("Ann"), why="")


@pytest.mark.parametrize("status", ["failed", "ignored", "rejected"])
def test_what_came_to_nothing_is_judged_once_more(house: House, status: str) -> None:
    match_id = house.start_match("martian-whist", 2)
    (seat,) = house.match(match_id).to_move
    mail = house.last(NAMES[seat - 1])
    answer = reply(mail, house.legal(match_id, seat)[0])
    assert house.send(answer.as_bytes(), mail.reply_to, address(mail.name)).code == 250
    with house.transaction() as ctx:
        ctx.session.execute(update(Submission).values(status=status, reason="ours", attempts=3, judged_at=ctx.now))
    (name,) = house.all(select(Submission.id))
    assert does(house, inbound_actions.retry, name).changed
    assert not does(house, inbound_actions.retry, name).changed
    assert house.judge(match_id) == 1
    assert house.match(match_id).next_ply == 2
    with pytest.raises(ActionError, match=r"was judged \(played\)"):
        does(house, inbound_actions.retry, name)
    must_verify(house, match_id)


def test_a_mail_of_somebody_else_is_judged_once_more_and_still_not_played(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    (seat,) = house.match(match_id).to_move
    house.reply(house.last(NAMES[seat - 1]), house.legal(match_id, seat)[0], sender="mallory@example.org")
    (name,) = house.all(select(Submission.id))
    does(house, inbound_actions.retry, name)
    house.judge(match_id)
    assert house.match(match_id).next_ply == 1
    assert house.all(select(Submission.status)) == ["ignored"]


def test_what_is_kept_no_more_or_held_or_unknown_is_not_judged(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    (seat,) = house.match(match_id).to_move
    house.reply(house.last(NAMES[seat - 1]), "hello there")
    (name,) = house.all(select(Submission.id))
    with house.transaction() as ctx:
        later = ctx.now.replace(year=ctx.now.year + 1)
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.PENDING, hold_until=later))
    assert "is held" in does(house, inbound_actions.retry, name).message
    with house.transaction() as ctx:
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.REJECTED, raw=None))
    with pytest.raises(ActionError, match="content is deleted"):
        does(house, inbound_actions.retry, name)
    for wrong in ("nosuch", "", "\0"):
        with pytest.raises(ActionError, match="There is no submission"):
            does(house, inbound_actions.retry, wrong)


def test_a_letter_that_could_not_be_read_is_read_once_more(house: House) -> None:
    number = letter_to(house, house.config.service_address, "lobby")
    assert not does(house, inbound_actions.retry_service_mail, number).changed
    with house.transaction() as ctx:
        ctx.session.execute(update(ServiceMail).values(status=ServiceMailStatus.FAILED))
    assert does(house, inbound_actions.retry_service_mail, number).changed
    with house.transaction() as ctx:
        service_mail.process(ctx, number, parse_mail)
    assert len(house.mails("Zoe")) == 1
    with pytest.raises(ActionError, match="was already answered"):
        does(house, inbound_actions.retry_service_mail, number)
    postmaster = letter_to(house, "postmaster@games.localhost")
    with pytest.raises(ActionError, match="which is for people"):
        does(house, inbound_actions.retry_service_mail, postmaster)


def test_a_letter_is_forwarded_once_and_again_where_that_failed(house: House) -> None:
    number = letter_to(house, "postmaster@games.localhost")
    with pytest.raises(ActionError, match="Set PBEM_OPERATOR_EMAIL to an address"):
        does(house, inbound_actions.forward, number)
    house.config = replace(house.config, operator_email=address("Dee"))
    assert does(house, inbound_actions.forward, number).changed
    assert not does(house, inbound_actions.forward, number).changed
    mail = house.only("Dee")
    assert mail.message["Subject"] == "Mail to postmaster@games.localhost"
    assert "was already forwarded" in does(house, inbound_actions.forward, number).message
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(state=OutboxState.FAILED))
    (failed,) = house.all(select(OutboxMessage.id))
    assert does(house, outbound_actions.retry, failed).changed
    house.only("Dee")
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(state=OutboxState.FAILED))
        ctx.session.delete(ctx.session.get_one(ServiceMail, number))
    with pytest.raises(ActionError, match="letter is deleted"):
        does(house, outbound_actions.retry, failed)


@pytest.mark.parametrize("act", [outbound_actions.retry, inbound_actions.retry_service_mail, inbound_actions.forward])
def test_no_mail_and_no_letter_is_tried_that_there_is_not(house: House, act: Callable[..., Any]) -> None:
    for number in (0, -5, 99999, 2**70):
        with pytest.raises(ActionError, match="There is no"):
            does(house, act, number)
    assert audited(house) == []
