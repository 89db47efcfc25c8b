"""Bans: who is shut out cannot sign in, move or start matches by any way, and hears so; the others play on."""

from __future__ import annotations

from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.parsing.reader import parse_mail
from pbem.db.models import (
    ApiKey,
    Ban,
    LoginSession,
    Match,
    OutboxMessage,
    Player,
    SeatHolder,
    ServiceMail,
    SignInLink,
    Submission,
)
from pbem.play.accounts import api_keys, login_sessions, profile, sign_in
from pbem.play.accounts.email_confirmation import Claim
from pbem.play.core.actors import ActionError
from pbem.play.core.errors import Refused
from pbem.play.inbox import service_mail
from pbem.play.lifecycle import acceptance, rematches
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.moderation import bans
from pbem.play.moderation.bans import BannedError
from pbem.play.operators import player_actions
from pbem.play.timeouts import reclaims
from pbem.states import MatchState, ServiceMailStatus
from tests.support.creating import create_match
from tests.support.house import NAMES, address, reply
from tests.support.play.operators.office import acted, audited, confirmed, does, must_verify, operator, player_of

if TYPE_CHECKING:
    from tests.support.house import House

SENTENCE = "You wrote to others what nobody should read."


def shut_out(house: House, name: str = "Bob") -> int:
    """Shut somebody out, whose address is theirs; gives their number."""
    confirmed(house, name)
    number = player_of(house, name)
    does(house, player_actions.ban, number, sentence=SENTENCE)
    return number


def letter_of(house: House, name: str, text: str) -> None:
    """Send a mail of somebody to the service itself, and process it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = address(name), house.config.service_address, "hello"
    mail["Message-ID"] = f"<{abs(hash(text))}@example.org>"
    mail.set_content(text)
    assert house.send(mail.as_bytes(), house.config.service_address, address(name)).code == 250
    for number in house.all(select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.PENDING)):
        with house.transaction() as ctx:
            service_mail.process(ctx, number, parse_mail)


def test_somebody_is_told_the_sentence_and_the_reason_stays_in_the_audit(house: House) -> None:
    house.start_match("martian-whist", 2)
    house.mails("Bob")
    number = shut_out(house)
    mail = house.only("Bob")
    assert mail.message["Subject"] == "You are banned"
    assert f"The operator says: “{SENTENCE}”" in mail.flat
    assert "postmaster@games.localhost" in mail.flat
    (line,) = audited(house)
    assert (line.act, line.subject, line.about) == ("ban", "player", str(number))
    assert line.reason not in mail.flat
    assert SENTENCE not in str(line)


def test_the_others_play_on_with_the_robot_and_the_chain_says_by_whom(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    house.mails("Ann")
    shut_out(house)
    assert acted(house, match_id) == [("substituted", "operator", 2)]
    assert "Bob has left, so the robot plays on for them." in house.last("Ann").flat
    assert "Come back" not in "".join(mail.flat for mail in house.mails("Bob"))
    assert house.match(match_id).state == MatchState.RUNNING
    must_verify(house, match_id)


def test_a_match_of_theirs_alone_is_abandoned(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    shut_out(house, "Ann")
    match = house.match(match_id)
    assert match.result is not None
    assert match.result["ending"] == "abandoned"
    assert acted(house, match_id) == [("abandoned", "operator", None)]
    must_verify(house, match_id)


def test_a_match_that_has_not_begun_is_called_off_and_whoever_had_accepted_hears_so(house: House) -> None:
    invited = house.make("martian-whist", 2)
    house.reply(house.last("Ann"), "accept")
    house.mails("Ann")
    shut_out(house)
    assert house.match(invited).state == MatchState.OVER
    assert acted(house, invited) == [("aborted", "operator", None)]
    assert "Bob has declined, so the match of Martian Whist is called off." in house.only("Ann").flat


def test_whoever_had_taken_an_open_seat_only_leaves_it(house: House) -> None:
    with house.transaction() as ctx:
        guest = Invitee("Ann", address("Ann"))
        waiting = create_match(ctx, "martian-trickery", {}, [guest, None, None], creator=1).id
    house.make("minimax", 1)
    house.make("martian-whist", 2)
    confirmed(house, "Bob")
    with house.transaction() as ctx:
        match, player = ctx.session.get_one(Match, waiting), ctx.session.get_one(Player, player_of(house, "Bob"))
        acceptance.take_seat(ctx, match, player, address("Bob"), "Bob")
    shut_out(house)
    match = house.match(waiting)
    assert (match.state, match.open_seats) == ("inviting", 2)
    assert acted(house, waiting) == []


def test_nobody_who_is_shut_out_signs_in_or_stays_signed_in(house: House) -> None:
    house.start_match("martian-whist", 2)
    confirmed(house, "Bob")
    with house.transaction() as ctx:
        player = ctx.session.get_one(Player, player_of(house, "Bob"))
        secret = login_sessions.start(ctx, player, "a browser")
        key = api_keys.create(ctx, player.id, "mine", ["play"])
        sign_in.send_link(ctx, address("Bob"), "", "a browser")
    shut_out(house)
    with house.transaction() as ctx:
        player = ctx.session.get_one(Player, player_of(house, "Bob"))
        assert login_sessions.current_user(ctx, secret) is None
        assert api_keys.find(ctx, key) is None
        (link,) = ctx.session.scalars(select(SignInLink))
        with pytest.raises(BannedError, match=SENTENCE):
            sign_in.redeem(ctx, link)
        with pytest.raises(BannedError, match=SENTENCE):
            login_sessions.start(ctx, player, "a browser")
    assert house.all(select(LoginSession.id).where(LoginSession.ended_at.is_(None))) == []
    assert house.all(select(ApiKey.id).where(ApiKey.revoked_at.is_(None))) == []


def test_nobody_who_is_shut_out_makes_matches_or_is_invited_to_any(house: House) -> None:
    house.start_match("martian-whist", 2)
    shut_out(house)
    ann, bob = (Invitee(name, address(name)) for name in NAMES[:2])
    for guests, creator, said in (
        ([bob, ann], 1, SENTENCE),
        ([bob], 1, SENTENCE),
        ([ann, bob], 1, "does not accept invitations"),
        ([ann, bob], None, "does not accept invitations"),
    ):
        game = "minimax" if len(guests) == 1 else "martian-whist"
        with house.transaction() as ctx, pytest.raises(Refused, match=said):
            create_match(ctx, game, {}, guests, creator=creator)
    assert len(house.match_ids()) == 1


def test_nobody_who_is_shut_out_takes_seats_comes_back_or_asks_for_a_rematch(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    played = house.start_match("martian-whist", 2)
    house.reply(house.last("Ann"), "resign yes")
    assert house.match(played).state == MatchState.OVER
    with house.transaction() as ctx:
        guest = Invitee("Cyd", address("Cyd"))
        waiting = create_match(ctx, "martian-whist", {}, [guest, None], creator=1).id
    number = shut_out(house)
    with house.transaction() as ctx:
        player = ctx.session.get_one(Player, number)
        row = {each: ctx.session.get_one(Match, each) for each in (match_id, played, waiting)}
        with pytest.raises(Refused, match=SENTENCE):
            acceptance.take_seat(ctx, row[waiting], player, address("Bob"), "Bob")
        with pytest.raises(Refused, match=SENTENCE):
            reclaims.request(ctx, row[match_id], player)
        with pytest.raises(Refused, match=SENTENCE):
            rematches.request(ctx, row[played], player)
        assert not rematches.is_possible(ctx, row[played])


def test_a_mail_of_theirs_is_answered_once_and_does_nothing(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    last = house.last("Ann")
    house.start_match("martian-whist", 2)
    shut_out(house, "Ann")
    house.mails("Ann")
    for number in (1, 2, 3):
        # The links of a match that is over are known for a while.
        answer = reply(last, f"rematch{' ' * number}")
        house.send(answer.as_bytes(), last.reply_to, address("Ann"))
    house.judge(match_id)
    letter_of(house, "Ann", "new minimax")
    letter_of(house, "Ann", "list")
    assert [mail.message["Subject"] for mail in house.mails("Ann")] == ["You are banned"]
    assert len(house.match_ids()) == 2
    assert set(house.all(select(Submission.status))) == {"rejected"}


def test_what_they_sent_just_before_is_not_played(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    (seat,) = house.match(match_id).to_move
    name = NAMES[seat - 1]
    mail = house.last(name)
    answer = reply(mail, house.legal(match_id, seat)[0])
    assert house.send(answer.as_bytes(), mail.reply_to, address(name)).code == 250
    shut_out(house, name)
    house.judge(match_id)
    assert house.all(select(Submission.status)) == ["rejected"]
    assert house.match(match_id).next_ply == 1
    again = reply(mail, "take 1")
    assert house.send(again.as_bytes(), mail.reply_to, address(name)).code == 550


def test_mail_that_nobody_wrote_is_not_answered(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    last = house.last("Ann")
    shut_out(house, "Ann")
    house.mails("Ann")
    answer = reply(last, "I am away.", Auto_Submitted="auto-replied")
    house.send(answer.as_bytes(), last.reply_to, address("Ann"))
    house.judge(match_id)
    assert house.mails("Ann") == []


def test_a_ban_is_made_once_and_lifted_once_and_the_person_may_come_back(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    number = shut_out(house)
    assert not does(house, player_actions.ban, number, sentence="Another.").changed
    house.mails("Bob")
    assert does(house, player_actions.unban, number).changed
    assert not does(house, player_actions.unban, number).changed
    assert "You may play at 127.0.0.1 again." in house.only("Bob").flat
    with house.transaction() as ctx:
        player = ctx.session.get_one(Player, number)
        login_sessions.start(ctx, player, "a browser")
        assert [match.id for match in reclaims.list_matches(ctx, number)] == [match_id]
        assert bans.refusal(ctx, player) == ""
    does(house, player_actions.ban, number, sentence="Once more.")
    assert len(house.all(select(Ban))) == 2
    assert "Once more." in house.last("Bob").flat
    assert [line.act for line in audited(house)] == ["ban", "unban", "unban", "ban", "ban"]


def test_somebody_without_an_address_of_their_own_is_shut_out_all_the_same(house: House) -> None:
    house.make("martian-whist", 2)
    house.mails("Bob")
    done = does(house, player_actions.ban, player_of(house, "Bob"), sentence=SENTENCE)
    assert "are not notified" in done.message
    assert house.mails("Bob") == []
    letter_of(house, "Bob", "lobby")
    assert [mail.message["Subject"] for mail in house.mails("Bob")] == ["You are banned"]


def test_an_address_of_somebody_who_is_shut_out_becomes_nobody_elses(house: House) -> None:
    house.make("martian-whist", 2)
    does(house, player_actions.ban, player_of(house, "Bob"), sentence=SENTENCE)
    with house.transaction() as ctx:
        ann = ctx.session.get_one(Player, player_of(house, "Ann"))
        assert profile.claim_address(ctx, Claim(ann, address("Bob"), signed_in=True)) is profile.ClaimResult.OTHER_OWNER


def test_who_runs_the_service_is_not_shut_out_nor_is_a_robot_or_nobody(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    operator(house, "Ann")
    with pytest.raises(ActionError, match="dismiss them first"):
        does(house, player_actions.ban, player_of(house, "Ann"), sentence=SENTENCE)
    with pytest.raises(ActionError, match="Write a message"):
        does(house, player_actions.ban, player_of(house, "Bob"), sentence=" ")
    shut_out(house)
    (robot,) = house.all(select(Player.id).where(Player.is_robot))
    with pytest.raises(ActionError, match="a robot"):
        does(house, player_actions.ban, robot, sentence=SENTENCE)
    for nobody in (0, -1, 99999, 2**63):
        with pytest.raises(ActionError, match="There is no player"):
            does(house, player_actions.ban, nobody, sentence=SENTENCE)
    assert house.all(
        select(SeatHolder.leave_reason).where(SeatHolder.match_id == match_id, SeatHolder.leave_reason.is_not(None))
    ) == ["substituted"]


def test_a_ban_is_told_in_the_persons_language(house: House) -> None:
    house.start_match("martian-whist", 2)
    house.mails("Bob")
    with house.transaction() as ctx:
        ctx.session.get_one(Player, player_of(house, "Bob")).language = "de"
    shut_out(house)
    mail = house.only("Bob")
    assert mail.message["Subject"] == "Du bist ausgeschlossen"
    assert f"Wer diesen Dienst betreibt, schreibt dazu: „{SENTENCE}“" in mail.flat
    assert house.all(select(OutboxMessage.kind).where(OutboxMessage.kind == bans.LIFTED_MAIL)) == []
