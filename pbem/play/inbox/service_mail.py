"""Mail to the service itself: all is stored, requests are answered, and everything else is forwarded."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DataError, SQLAlchemyError

from pbem.db.models import Address, ServiceMail
from pbem.db.session import call_after_commit, send_after_commit
from pbem.i18n import current_locale, use_locale
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.inbox import commands, match_list, seat_requests
from pbem.play.lifecycle.requests import Invitee
from pbem.play.lobby import lobby_mail, request_parser
from pbem.play.lobby.lobby_mail import MailSender
from pbem.play.moderation import bans
from pbem.play.notifications import operator_mail, outbox
from pbem.play.submissions.sender_policy import (
    ALIGNED,
    FROM,
    Alignment,
    Trust,
    answers_our_mail,
    decide_trust,
    may_ask_player,
    unproven_text,
)
from pbem.play.timeouts import absence_mail
from pbem.play.timeouts.absence_mail import AbsenceRequest
from pbem.states import ServiceMailStatus
from pbem.telemetry import logs, metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.db.models import Player
    from pbem.play.core.context import Context
    from pbem.play.inbox.commands import ParsedCommand
    from pbem.play.inbox.judge import ParsedMail

log = logging.getLogger(__name__)

PROCESS_TASK = "read_service_mail"
"""Name of the task that processes a service mail."""

MAX_REFUSALS_PER_DAY = 5
"""Maximum mails per sender and day that say why no match was made."""
MAX_ANSWERS_PER_DAY = 30
"""Maximum answers to requests per sender and day."""
AUTHENTICATED_COMMANDS = {"away", "back", seat_requests.TAKE_OVER, seat_requests.COME_BACK}
"""Commands for senders whose mail proves that it is theirs."""
VERIFIED_COMMANDS = {"list", *AUTHENTICATED_COMMANDS}
"""Commands for senders with a verified address, in addition to those for everybody."""
UNVERIFIED_ANSWERS_PER_DAY = {"new": 1, "lobby": 2, "join": 3, "help": 1}
"""Maximum answers per day to an unverified address by command, however many mails come in its name."""


def store(
    ctx: Context, recipient: str, sender: str, raw: bytes, fingerprint: bytes, *, author: str, forward: bool
) -> bool:
    """Store a mail to the service itself; return False if the same mail is stored already.

    With `forward` it is read: by the service if it was sent to the service's own address, else by the operator.
    `sender` is the envelope sender, `author` the From address.
    """
    once = hashlib.sha256(b"\0".join([b"letter", recipient.encode(), fingerprint])).digest()
    to_read = forward and recipient == ctx.config.service_address
    row = {
        "recipient": recipient, "sender": sender, "raw": raw, "idempotency_key": once, "received_at": ctx.now,
        "status": ServiceMailStatus.PENDING if to_read else ServiceMailStatus.STORED,
    }  # fmt: skip
    kept = ctx.session.scalar(insert(ServiceMail).values(row).on_conflict_do_nothing().returning(ServiceMail.id))
    if kept is None:
        return False
    call_after_commit(ctx.session, metrics.count, metrics.ACCEPTED, "letter")
    with logs.bound_fields(letter=kept):
        call_after_commit(ctx.session, log.info, "kept a letter")
    if to_read:
        send_after_commit(ctx.session, PROCESS_TASK, kept)
    elif forward:
        operator_mail.forward(ctx, ctx.session.get_one(ServiceMail, kept), author)
    return True


def process(ctx: Context, number: int, read: Callable[[bytes], ParsedMail]) -> None:
    """Process a pending service mail: do what it asks for, or forward it to the operator."""
    waiting = (
        select(ServiceMail)
        .where(ServiceMail.id == number, ServiceMail.status == ServiceMailStatus.PENDING)
        .with_for_update(skip_locked=True)
    )
    letter = ctx.session.scalars(waiting).one_or_none()
    if letter is None:
        return
    try:
        with logs.bound_fields(letter=number), ctx.session.begin_nested():
            reading = read(letter.raw)
            done = _handle(ctx, letter, reading)
            if not done:
                operator_mail.forward(ctx, letter, reading.sender)
        letter.status = ServiceMailStatus.DONE if done else ServiceMailStatus.STORED
    except Exception as fault:
        if isinstance(fault, SQLAlchemyError) and not isinstance(fault, DataError):
            raise
        log.exception("could not read letter %s", number)
        letter.status = ServiceMailStatus.FAILED
        operator_mail.forward(ctx, letter, "")


def _handle(ctx: Context, letter: ServiceMail, reading: ParsedMail) -> bool:
    """Do what a service mail asks for, or tell its author why not; return False if it has no known command."""
    said = commands.parse(reading.typed)
    if said is None or not reading.sender:
        return False
    address = ctx.session.get(Address, reading.sender)
    if address is not None and address.player.banned_at:
        bans.answer_mail(ctx, address.player, address.email, reading.message_id or None)
        return True
    name = said.command.name
    if address is None or address.verified_at is None:
        return name in UNVERIFIED_ANSWERS_PER_DAY and _answer_unverified(ctx, said, reading)
    player = address.player
    known = _is_authentic(ctx, player, reading)
    with use_locale(player.language):
        if name == "new":
            _create_match(ctx, letter, address, said.text, reading, known=known)
            return True
        if name not in VERIFIED_COMMANDS | UNVERIFIED_ANSWERS_PER_DAY.keys():
            return False
        if not hit(ctx, Limit(f"letter answered, {known}", address.email, MAX_ANSWERS_PER_DAY, SECONDS_PER_DAY)):
            asker = MailSender(
                address.email, player.name, player.language, reading.message_id or None, player if known else None
            )
            _answer(ctx, said, asker, player)
    return True


def _is_authentic(ctx: Context, player: Player, reading: ParsedMail) -> bool:
    """Return whether a service mail proves that its From is genuine, by the player's mail policy.

    A service mail has no reply address: where strangers can write, the only proof is our own mail server, or that it
    answers a mail that was sent to this address alone.
    """
    shown = ctx.config.allow_anonymous or answers_our_mail(ctx, reading.sender, reading.answers)
    policy = FROM if shown and player.mail_policy != ALIGNED else ALIGNED
    return decide_trust(policy, reading.alignment, own=True) is Trust.ACTS


def _answer(ctx: Context, said: ParsedCommand, asker: MailSender, player: Player | None = None) -> None:
    """Answer a service mail that asks for something other than a match."""
    if said.command.name == "lobby":
        lobby_mail.enqueue_table_list(ctx, asker)
    elif said.command.name == "join":
        lobby_mail.join(ctx, asker, said.text)
    elif asker.player is None and said.command.name in AUTHENTICATED_COMMANDS and not may_ask_player(ctx, asker.email):
        return
    elif said.command.name in {seat_requests.TAKE_OVER, seat_requests.COME_BACK}:
        seat_requests.handle(ctx, asker, said.command.name, said.text)
    elif said.command.name == "list" and player:
        match_list.enqueue(ctx, player, asker.email, asker.message_id)
    elif said.command.name in VERIFIED_COMMANDS and player:
        _set_absence(ctx, said, asker, player)
    else:
        lobby_mail.enqueue_help(ctx, asker)


def _set_absence(ctx: Context, said: ParsedCommand, asker: MailSender, player: Player) -> None:
    """Start or end a vacation; a mail that others may have written in the player's name does neither."""
    who = AbsenceRequest(player, asker.email, asker.message_id)
    if asker.player is None:
        absence_mail.refuse(ctx, who, unproven_text(player))
    elif said.command.name == "away":
        absence_mail.start(ctx, who, said.text)
    else:
        absence_mail.end_current(ctx, who)


def _create_match(
    ctx: Context, letter: ServiceMail, address: Address, text: str, reading: ParsedMail, *, known: bool
) -> None:
    """Create the match that a service mail asks for, or tell its author why not."""
    host = Invitee(address.player.name, address.email)
    try:
        wanted = request_parser.parse(text, host)
        with ctx.session.begin_nested():
            request_parser.create_match(ctx, wanted, address.player, known=known, mail=reading.message_id or None)
    except Refused as refused:
        _enqueue_refusal(ctx, letter, address, str(refused), reading, known=known)


def _answer_unverified(ctx: Context, said: ParsedCommand, reading: ParsedMail) -> bool:
    """Answer a mail from an unverified address; seldom, since its owner may never have written.

    A match is created by inviting them alone, a seat given by asking them first; errors in a match are not explained.
    """
    name = said.command.name
    if reading.alignment is Alignment.FAIL:
        return True
    if hit(
        ctx, Limit(f"letter of a stranger: {name}", reading.sender, UNVERIFIED_ANSWERS_PER_DAY[name], SECONDS_PER_DAY)
    ):
        return True
    message_id = reading.message_id or None
    with use_locale(_sender_language(said, reading)):
        host = Invitee(request_parser.default_name(reading.sender), reading.sender)
        if name != "new":
            _answer(ctx, said, MailSender(host.email, host.name, current_locale(), message_id))
            return True
        try:
            with ctx.session.begin_nested():
                request_parser.create_match(
                    ctx, request_parser.parse(said.text, host), None, known=False, mail=message_id
                )
        except Refused:
            return False
    return True


def _sender_language(said: ParsedCommand, reading: ParsedMail) -> str:
    """Return the language of an unknown sender, by the command word that they used."""
    line = commands.fold(" ".join(reading.typed[:1]))
    tongues = (tongue for tongue, words in said.command.words.items() if line.startswith(words))
    return next(tongues, current_locale())


def _enqueue_refusal(
    ctx: Context, letter: ServiceMail, address: Address, reason: str, reading: ParsedMail, *, known: bool
) -> None:
    facts = {"reason": reason, "name": address.player.name, "language": address.player.language}
    if hit(ctx, Limit(f"letter refused, {known}", address.email, MAX_REFUSALS_PER_DAY, SECONDS_PER_DAY)) is None:
        once, answers = f"not made {letter.id}", reading.message_id or None
        outbox.enqueue_mail(ctx, "not made", address.email, facts, once=once, answers=answers)
