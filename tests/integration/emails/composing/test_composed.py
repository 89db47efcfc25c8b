"""Composed mails: their headers, their thread, their way back; nothing private where a lock screen shows it."""

from __future__ import annotations

import email
import re
from email import policy
from mailbox import Maildir
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from emails.composing.compose import Mail, compose
from emails.composing.thread_headers import MAX_REFERENCES
from pbem.db.models import Match, OutboxMessage, Player, SeatHolder, ServiceMail
from pbem.i18n import LANGUAGES
from pbem.play.deliverability import bounces
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.notifications import fresh_links, outbox
from pbem.states import OutboxState
from tests.support.creating import create_match
from tests.support.emails.content.mime import INJECTED

if TYPE_CHECKING:
    from email.message import EmailMessage

    from tests.support.house import House

HEADERS = {
    "From", "To", "Date", "Message-ID", "X-Auto-Response-Suppress", "Reply-To", "Subject", "In-Reply-To", "References",
    "Auto-Submitted", "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post", "Feedback-ID", "MIME-Version",
    "Content-Type",
}  # fmt: skip
GMAIL_CLIPS = 102 * 1024


def composed(house: House, **changed: Any) -> tuple[Mail, EmailMessage]:
    """Compose the newest notice, with some of it changed."""
    with house.transaction() as ctx:
        notice = ctx.session.scalars(select(OutboxMessage).order_by(OutboxMessage.id.desc()).limit(1)).one()
        facts = changed.pop("facts", {})
        notice.render_data = notice.render_data | facts
        for name, value in changed.items():
            setattr(notice, name, value)
        mail = compose(ctx, notice)
        ctx.session.rollback()
    message = email.message_from_bytes(mail.raw, policy=policy.default)
    return mail, message


def test_every_mail_of_a_match_has_each_header_once(house: House) -> None:
    house.start_match("middle-card", 3)
    turn = house.last("Ann")
    house.reply(turn, "help")
    for mail in (turn, house.only("Ann")):
        # What delivers a mail puts its return path on top.
        assert sorted({"Return-Path", *mail.message.keys()}) == sorted(HEADERS | {"Return-Path"})
        assert len(mail.message.keys()) == len({*mail.message.keys()})
        assert mail.message["List-Id"] == "<middle-card.games.localhost>"
        assert mail.message["X-Auto-Response-Suppress"] == "All"
        assert re.fullmatch(r"middle-card:[a-z-]+:en:slowgames", mail.message["Feedback-ID"])
        assert len(mail.html.encode()) < GMAIL_CLIPS
    assert turn.message["Auto-Submitted"] == "auto-generated"


def test_the_same_notice_is_the_same_bytes_however_often(house: House) -> None:
    house.start_match("martian-whist", 2)
    first = composed(house)[0]
    assert first == composed(house)[0]


@pytest.mark.parametrize("payload", INJECTED)
def test_nothing_that_somebody_typed_writes_a_header(house: House, payload: str) -> None:
    house.start_match("middle-card", 3)
    # What no text column holds comes to no mail.
    payload = payload.encode("utf-8", "replace").decode().replace("\0", "?")
    facts = {"name": payload, "names": ["Ann", payload, f"{payload}!"]}
    for changed in (
        {"facts": facts},
        {"answers": payload},
        {"answers": f"<{payload}>"},
        {"facts": facts, "kind": "begun"},
    ):
        message = composed(house, **changed)[1]
        assert sorted(message.keys()) == sorted(HEADERS)
        (to,) = message["To"].addresses
        assert to.domain == "example.org"
        assert "Middle Card" in str(message["Subject"])


@pytest.mark.parametrize("payload", INJECTED)
def test_a_letter_that_is_handed_on_writes_no_header(house: House, payload: str) -> None:
    payload = payload.encode("utf-8", "replace").decode().replace("\0", "?")
    with house.transaction() as ctx:
        row = ServiceMail(
            recipient=payload, sender=payload, raw=b"Bcc: x\r\n\r\nHi", idempotency_key=b"1", received_at=ctx.now
        )
        ctx.session.add(row)
        ctx.session.flush()
        facts = {"letter": row.id, "recipient": payload, "sender": payload}
        outbox.enqueue_mail(ctx, "letter", "operator@example.org", facts, once="letter")
    message = composed(house)[1]
    kept = {"From", "To", "Date", "Message-ID", "X-Auto-Response-Suppress", "Subject", "Auto-Submitted"}
    assert set(message.keys()) == kept | {"MIME-Version", "Content-Type"}
    assert message["To"].addresses[0].addr_spec == "operator@example.org"


# -- the thread -------------------------------------------------------------------------------------


def test_the_mails_of_a_match_are_one_thread_for_each_player(house: House) -> None:
    match_id = house.start_match("minimax", 1, mailed=True)
    mails = [*house.every_mail, *house.mails("Ann")]
    for _ in range(MAX_REFERENCES + 2):
        house.reply(mails[-1], "board")
        mails.append(house.only("Ann"))
    root = f"<match.{match_id}.1@games.localhost>"
    for number, mail in enumerate(mails):
        references = str(mail.message["References"]).split()
        assert references[0] == root
        assert len(references) <= MAX_REFERENCES
        assert mail.message["In-Reply-To"] == references[-1]
        before = [str(one.message["Message-ID"]) for one in mails[:number]]
        ours = [each for each in references[1:] if each.endswith("@games.localhost>")]
        assert ours == before[-len(ours) :] if ours else not before
    assert [str(mail.message["Subject"]) for mail in mails[:3]] == [
        "Invitation: Minimax", "Your turn: Minimax", "Your match: Minimax",
    ]  # fmt: skip
    assert len({str(mail.message["Message-ID"]) for mail in mails}) == len(mails)
    # An answer to a mail follows it.
    assert mails[-1].message["In-Reply-To"].endswith("@example.org>")


def test_two_matches_and_two_seats_are_threads_of_their_own(house: House) -> None:
    for _ in range(2):
        house.start_match("middle-card", 3)
    for name in ("Ann", "Bob", "Cyd"):
        house.mails(name)
    roots = {str(mail.message["References"]).split()[0] for mail in house.every_mail}
    assert len(roots) == 6
    sent = {str(mail.message["Message-ID"]) for mail in house.every_mail if mail.name != "Ann"}
    for mail in house.every_mail:
        if mail.name == "Ann":
            assert not sent & {*str(mail.message["References"]).split()}


def test_no_token_stands_where_mail_programs_keep_it_for_ever(house: House) -> None:
    house.start_match("martian-whist", 2)
    mail = house.last("Ann")
    tokens = {mail.token, mail.reply_to.partition("+")[2].partition("@")[0]}
    for header in ("Message-ID", "References", "In-Reply-To", "Subject", "List-Id", "Feedback-ID", "To"):
        assert not any(token in str(mail.message[header]) for token in tokens)


def test_subject_and_preheader_tell_no_hand(house: House) -> None:
    match_id = house.start_match("montauk", 2)
    mail = next(mail for name in ("Ann", "Bob") if "It is your turn" in (mail := house.last(name)).text)
    hand = house.legal(match_id, 1 if mail.name == "Ann" else 2)
    preheader = re.search(r'<div class="preheader"[^>]*>([^<]*)<', mail.html)
    assert preheader
    for card in hand:
        assert card not in str(mail.message["Subject"])
        assert not re.search(rf"\b{card}\b", preheader[1])
    house.reply(mail, "nonsense")
    refused = house.only(mail.name)
    preheader = re.search(r'<div class="preheader"[^>]*>([^<]*)<', refused.html)
    assert preheader
    assert "nonsense" not in preheader[1]
    assert "nonsense" in refused.flat


# -- the way back -----------------------------------------------------------------------------------


def test_a_report_comes_back_to_the_notice_that_it_is_about(house: House) -> None:
    house.start_match("middle-card", 3)
    seen = set()
    for number in house.all(select(OutboxMessage.id).order_by(OutboxMessage.id)):
        with house.transaction() as ctx:
            notice = ctx.session.get_one(OutboxMessage, number)
            if notice.state == "sent":
                assert notice.return_path_hash
                continue
            sender = compose(ctx, notice).sender
            found = re.fullmatch(r"bounce\+([0-9a-z]{26})@games.localhost", sender)
            assert found
            same = bounces.find_message(ctx, found[1].upper())
            assert same is notice
            assert bounces.find_message(ctx, found[1][:-1] + ("0" if found[1][-1] != "0" else "1")) is None
            assert bounces.find_message(ctx, "no token") is None
            seen.add(sender)
    assert len(seen) == 3


def test_a_mail_sent_under_a_newer_key_still_has_a_way_back(house: House) -> None:
    house.start_match("minimax", 1)
    newer = house.with_keys("1" * 40)
    with newer.transaction() as ctx:
        notice = ctx.session.scalars(select(OutboxMessage).where(OutboxMessage.state == OutboxState.PENDING)).one()
        token = compose(ctx, notice).sender.partition("+")[2].partition("@")[0]
    with newer.transaction() as ctx:
        again = bounces.find_message(ctx, token)
        assert again
        assert again.kind == "turn"


# -- pictures ---------------------------------------------------------------------------------------


def pictures(message: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in message.walk() if part.get_content_maintype() == "image"]


def test_a_picture_comes_with_what_asks_for_a_move_and_not_with_what_only_tells(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    turn, begun = house.last("Ann"), house.last("Bob")
    assert pictures(turn.message) == ["image/png"]
    assert "Tree 1 has" in turn.html
    assert pictures(begun.message) == []
    assert "<pre" in begun.html
    house.reply(turn, house.legal(match_id, 1)[0])
    receipt = house.only("Ann")
    assert "Your move was played" in receipt.text
    assert pictures(receipt.message) == []
    house.reply(receipt, "board")
    assert pictures(house.only("Ann").message) == ["image/png"]


# -- links only -------------------------------------------------------------------------------------


def alone(house: House) -> None:
    with house.transaction() as ctx:
        for player in ctx.session.scalars(select(Player)):
            player.link_only = True


@pytest.mark.parametrize("game", ["montauk", "martian-whist", "middle-card"])
def test_mails_without_hands_hold_a_sentence_and_the_link(house: House, game: str) -> None:
    seats = 3 if game == "middle-card" else 2
    house.make(game, seats)
    alone(house)
    match_id = house.start_match(game, seats)
    mail = next(found for name in ("Ann", "Bob", "Cyd") for found in house.mails(name)[-1:] if "/m/" in found.text)
    house.reply(mail, "nonsense")
    house.reply(mail, "help")
    for each in (mail, *house.mails(mail.name)):
        assert pictures(each.message) == []
        assert "<img" not in each.html
        assert "<pre" not in each.html
        assert f"/m/{mail.token}" in each.text
        assert "Fairness check: " in each.text
        assert len(re.split("Anyone who has|Choose what mail", each.text)[0].split()) < 40
        said = each.text + each.html.partition("</head>")[2]
        for seat in range(1, seats + 1):
            for move in house.legal(match_id, seat):
                assert not re.search(rf"\b{re.escape(move)}\b", said)
    assert "Choose what mail you get" in mail.text


def test_an_end_without_hands_is_told_too_and_rules_are_as_ever(house: House) -> None:
    house.make("minimax", 1)
    alone(house)
    house.start_match("minimax", 1)
    turn = house.last("Ann")
    house.reply(turn, "rules")
    assert len(house.only("Ann").text) > 2000
    house.reply(turn, "resign yes")
    final = house.only("Ann")
    assert "Your match of Minimax is over." in final.flat
    assert "It is your turn" not in final.flat


# -- receipts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("receipts", "first", "told"),
    [
        ("always", False, [True, True]),
        ("refused", False, [False, True]),
        ("never", False, [False, False]),
        ("never", True, [True, True]),
    ],
)
def test_a_player_is_told_what_they_chose_to_be_told(
    house: House, receipts: str, first: object, told: list[bool]
) -> None:
    if not first:
        house.start_match("minimax", 1)
    match_id = house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        (player,) = ctx.session.scalars(select(Player).where(Player.name == "Ann"))
        player.receipts = receipts
    turn = house.last("Ann")
    house.reply(turn, "take 999")
    refused = house.mails("Ann")
    house.reply(turn, house.legal(match_id, 1)[0])
    assert [bool(house.mails("Ann")), bool(refused)] == told
    # What is asked for always comes, and so does the turn.
    house.reply(turn, "board")
    assert len(house.mails("Ann")) == 1


def test_a_fresh_link_comes_though_the_mail_of_the_match_is_stopped(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.mails("Ann")
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.name == "Ann")).one()
        holder.mail_stopped_at = ctx.now
        fresh_links.enqueue(ctx, match, holder)
        facts = outbox.position_facts(ctx, load_match(ctx, match), holder) | {
            "by": "Bob",
            "offer": "draw",
            "detail": {},
        }
        outbox.enqueue(ctx, "offer", holder, match, facts, once="a draw")
    assert "This is your match" in house.only("Ann").flat
    assert "dropped" in house.all(select(OutboxMessage.state))


def test_every_language_has_its_mail(house: House) -> None:
    for language in LANGUAGES:
        house.make("minimax", 1)
        with house.transaction() as ctx:
            for player in ctx.session.scalars(select(Player)):
                player.language = language
        assert f'<html lang="{language}">' in house.last("Ann").html
    assert house.all(select(Match.state)) == ["inviting"] * len(LANGUAGES)


def test_names_with_odd_letters_are_written_into_headers_that_hold(house: House) -> None:
    names = ['Ann "the Ace", Duchess', "Zoë <Löwe>", "Bcc: x"]
    guests = [Invitee(name, f"{place}@example.org") for place, name in zip("abc", names, strict=True)]
    with house.transaction() as ctx:
        create_match(ctx, "middle-card", {}, guests)
    house.deliver()
    for place, name in zip("abc", names, strict=True):
        (message,) = (
            email.message_from_bytes(raw.as_bytes(), policy=policy.default)
            for raw in Maildir(house.folder / f"{place}@example.org")
        )
        (to,) = message["To"].addresses
        assert (to.display_name, to.addr_spec) == (name, f"{place}@example.org")
        assert "Bcc" not in message
