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
from pbem.play.inbox import (
    avoidance_mail,
    commands,
    field_mail,
    ladder_mail,
    league_mail,
    match_list,
    rating_mail,
    seat_requests,
    service_answers,
    weekly_mail,
)
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import lesson_mail, lobby_mail, request_parser
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
    from collections.abc import Callable, Mapping

    from pbem.db.models import Player
    from pbem.play.core.context import Context
    from pbem.play.inbox.commands import ParsedCommand
    from pbem.play.inbox.judge import ParsedMail

log = logging.getLogger(__name__)

PROCESS_TASK = "read_service_mail"
"""Name of the task that processes a service mail."""

MAX_REFUSALS_PER_DAY = 5
"""Maximum mails per sender and day that say why no match was created."""
MAX_ANSWERS_PER_DAY = 30
"""Maximum answers to requests per sender and day."""
AUTHENTICATED_COMMANDS = {
    "away", "back", seat_requests.TAKE_OVER, seat_requests.COME_BACK, avoidance_mail.AVOID, avoidance_mail.STOP,
    league_mail.ENTER, league_mail.LEAVE, field_mail.ENTER, field_mail.LEAVE, ladder_mail.ENTER, ladder_mail.LEAVE,
    ladder_mail.CHALLENGE, weekly_mail.NEXT, weekly_mail.ON, weekly_mail.OFF,
}  # fmt: skip
"""Commands for senders whose mail proves that it is theirs."""
VERIFIED_COMMANDS = {
    "list", "rating", league_mail.LEAGUES, league_mail.LEAGUE, field_mail.SHOW, *AUTHENTICATED_COMMANDS
}  # fmt: skip
"""Commands for senders with a verified address, in addition to those for everybody."""
_HANDLERS: Mapping[str, Callable[[Context, MailSender, str, str], str]] = {
    **dict.fromkeys((seat_requests.TAKE_OVER, seat_requests.COME_BACK), seat_requests.handle),
    **dict.fromkeys((avoidance_mail.AVOID, avoidance_mail.STOP), avoidance_mail.handle),
    **dict.fromkeys(
        (league_mail.LEAGUES, league_mail.LEAGUE, league_mail.ENTER, league_mail.LEAVE), league_mail.handle
    ),
    **dict.fromkeys(field_mail.COMMANDS, field_mail.handle),
    **dict.fromkeys(ladder_mail.COMMANDS, ladder_mail.handle),
    **dict.fromkeys(weekly_mail.COMMANDS, weekly_mail.handle),
}
"""What handles a command for a sender, with the text after it, by its name."""
UNVERIFIED_ANSWERS_PER_DAY = {
    "new": 1,
    "lobby": 2,
    "join": 3,
    "seat me": 1,
    weekly_mail.TAKE_PART: 1,
    lesson_mail.LEARN: 3,
    "help": 1,
}
"""Maximum answers per day to an unverified address by command, however many mails come in its name."""


def store(
    ctx: Context, recipient: str, sender: str, raw: bytes, fingerprint: bytes, mail: ParsedMail, *, forward: bool
) -> bool:
    """Store a mail to the service itself; return False if the same mail is stored already.

    With `forward` it is read: by the service if it was sent to the service's own address or to a step of a lesson, else
    by the operator.
    `sender` is the envelope sender, `mail` the same mail, parsed.
    """
    once = hashlib.sha256(b"\0".join([b"letter", recipient.encode(), fingerprint])).digest()
    to_read = forward and (recipient == ctx.config.service_address or bool(lesson_mail.token_of(recipient)))
    row = {
        "recipient": recipient, "sender": sender, "raw": raw, "idempotency_key": once, "received_at": ctx.now,
        "status": ServiceMailStatus.PENDING if to_read else ServiceMailStatus.STORED,
    }  # fmt: skip
    kept = ctx.session.scalar(insert(ServiceMail).values(row).on_conflict_do_nothing().returning(ServiceMail.id))
    if kept is None:
        return False
    call_after_commit(ctx.session, metrics.count, metrics.ACCEPTED, "letter")
    with logs.bound_fields(letter=kept):
        call_after_commit(ctx.session, log.info, "stored a service mail")
    if to_read:
        send_after_commit(ctx.session, PROCESS_TASK, kept)
    elif forward:
        stored = ctx.session.get_one(ServiceMail, kept)
        _explain(ctx, stored, mail, forwarded=operator_mail.forward(ctx, stored, mail.sender))
    return True


def process(ctx: Context, number: int, read: Callable[[bytes], ParsedMail]) -> None:
    """Process a pending service mail: do what it requests, or forward it to the operator."""
    pending = select(ServiceMail).where(ServiceMail.id == number, ServiceMail.status == ServiceMailStatus.PENDING)
    row = ctx.session.scalars(pending.with_for_update(skip_locked=True)).one_or_none()
    if row is None:
        return
    try:
        with logs.bound_fields(letter=number), ctx.session.begin_nested():
            mail = read(row.raw)
            done = _answer_lesson(ctx, row, mail) or _handle(ctx, row, mail)
            if not done:
                _explain(ctx, row, mail, forwarded=operator_mail.forward(ctx, row, mail.sender))
        row.status = ServiceMailStatus.DONE if done else ServiceMailStatus.STORED
    except Exception as fault:
        if isinstance(fault, SQLAlchemyError) and not isinstance(fault, DataError):
            raise
        log.exception("could not process service mail %s", number)
        row.status = ServiceMailStatus.FAILED
        operator_mail.forward(ctx, row, "")


def _handle(ctx: Context, row: ServiceMail, mail: ParsedMail) -> bool:
    """Do what a service mail requests, or answer why not; return False if it is for the operator."""
    parsed = commands.parse(mail.typed)
    if parsed is None or not mail.sender:
        return False
    message_id = mail.message_id or None
    address = ctx.session.get(Address, mail.sender)
    if address is not None and address.player.banned_at:
        bans.answer_mail(ctx, address.player, address.email, message_id)
        return True
    name = parsed.command.name
    if address is None or address.verified_at is None:
        return name in UNVERIFIED_ANSWERS_PER_DAY and _answer_unverified(ctx, parsed, mail)
    player = address.player
    known = _is_authentic(ctx, player, mail)
    with use_locale(player.language):
        if name == "new":
            _create_match(ctx, row, address, parsed.text, message_id, known=known)
            return True
        is_answer = ladder_mail.is_answer(ctx, player, address.email, name, mail.answers)
        if name not in service_answers.COMMANDS and not is_answer:
            return _explain(ctx, row, mail, forwarded=False)
        if not hit(ctx, Limit(f"letter answered, {known}", address.email, MAX_ANSWERS_PER_DAY, SECONDS_PER_DAY)):
            sender = MailSender(address.email, player.name, player.language, message_id, player if known else None)
            if is_answer:
                ladder_mail.answer(ctx, sender, name, mail.answers)
            else:
                _answer(ctx, parsed, sender, player)
    return True


def _explain(ctx: Context, row: ServiceMail, mail: ParsedMail, *, forwarded: bool) -> bool:
    """Answer a mail that the service does not act on, unless its From is denied; return whether that is done."""
    author = "" if mail.alignment is Alignment.FAIL else mail.sender
    return service_answers.explain(ctx, row, author, mail.message_id or None, mail.typed, forwarded=forwarded)


def _is_authentic(ctx: Context, player: Player, mail: ParsedMail) -> bool:
    """Return whether a service mail proves that its From is genuine, by the player's mail policy.

    A service mail has no reply address: where strangers can write, the only proof is our own mail server, or that it
    answers a mail that was sent to this address alone.
    """
    is_known = ctx.config.allow_anonymous or answers_our_mail(ctx, mail.sender, mail.answers)
    policy = FROM if is_known and player.mail_policy != ALIGNED else ALIGNED
    return decide_trust(policy, mail.alignment, own=True) is Trust.ACTS


def _answer(ctx: Context, parsed: ParsedCommand, sender: MailSender, player: Player | None = None) -> None:
    """Answer a service mail that requests something other than a match."""
    name = parsed.command.name
    if name == "lobby":
        lobby_mail.enqueue_table_list(ctx, sender)
    elif name == "join":
        lobby_mail.join(ctx, sender, parsed.text)
    elif name == "seat me":
        lobby_mail.seat_anywhere(ctx, sender, parsed.text)
    elif sender.player is None and name in AUTHENTICATED_COMMANDS and not may_ask_player(ctx, sender.email):
        return
    elif name == lesson_mail.LEARN:
        lesson_mail.start(ctx, sender, parsed.text)
    elif name in _HANDLERS:
        _HANDLERS[name](ctx, sender, name, parsed.text)
    elif name == "list" and player:
        match_list.enqueue(ctx, player, sender.email, sender.message_id)
    elif name == "rating" and player:
        rating_mail.enqueue(ctx, player, sender.email, sender.message_id)
    elif name in VERIFIED_COMMANDS and player:
        _set_absence(ctx, parsed, sender, player)
    else:
        lobby_mail.enqueue_help(ctx, sender)


def _answer_lesson(ctx: Context, row: ServiceMail, mail: ParsedMail) -> bool:
    """Answer a reply to a step of a lesson; return False if it is none, or holds a command instead of a move.

    The reply address proves that its sender got the step. To others the service says so seldom, since the owner of
    their address may never have written.
    """
    token = lesson_mail.token_of(row.recipient)
    if not token or not mail.sender or mail.alignment is Alignment.FAIL:
        return False
    address = ctx.session.get(Address, mail.sender)
    player = address.player if address and address.verified_at else None
    place = lesson_mail.find_place(ctx, token, mail.sender)
    is_command = commands.parse(mail.typed) and not (place and lesson_mail.holds_move(place, mail.typed))
    if is_command or (address and address.player.banned_at):
        return False
    name = player.name if player else request_parser.default_name(mail.sender)
    language = player.language if player else place.language if place else current_locale()
    most = MAX_ANSWERS_PER_DAY if place else MAX_REFUSALS_PER_DAY if player else 1
    if hit(ctx, Limit(f"lesson answered, {place is not None}", mail.sender, most, SECONDS_PER_DAY)):
        return True
    sender = MailSender(mail.sender, name, language, mail.message_id or None, player)
    with use_locale(language):
        if place:
            lesson_mail.answer(ctx, sender, place, mail.typed)
        else:
            lesson_mail.refuse(ctx, sender)
    return True


def _set_absence(ctx: Context, parsed: ParsedCommand, sender: MailSender, player: Player) -> None:
    """Start or end a vacation; a mail that others may have written in the player's name does neither."""
    request = AbsenceRequest(player, sender.email, sender.message_id)
    if sender.player is None:
        absence_mail.refuse(ctx, request, unproven_text(player))
    elif parsed.command.name == "away":
        absence_mail.start(ctx, request, parsed.text)
    else:
        absence_mail.end_current(ctx, request)


def _create_match(
    ctx: Context, row: ServiceMail, address: Address, text: str, message_id: str | None, *, known: bool
) -> None:
    """Create the match that a service mail requests, or answer why not."""
    player = address.player
    try:
        request = request_parser.parse(text, Invitee(player.name, address.email))
        with ctx.session.begin_nested():
            request_parser.create_match(ctx, request, player, known=known, mail=message_id)
    except Refused as refused:
        limit = Limit(f"letter refused, {known}", address.email, MAX_REFUSALS_PER_DAY, SECONDS_PER_DAY)
        if hit(ctx, limit) is None:
            facts = {"reason": str(refused), "name": player.name, "language": player.language}
            outbox.enqueue_mail(ctx, "not made", address.email, facts, once=f"not made {row.id}", answers=message_id)


def _answer_unverified(ctx: Context, parsed: ParsedCommand, mail: ParsedMail) -> bool:
    """Answer a mail from an unverified address; seldom, since its owner may never have written.

    A match is created by inviting them alone, a seat given by asking them first; errors in a match are not explained.
    """
    name = parsed.command.name
    limit = Limit(f"letter of a stranger: {name}", mail.sender, UNVERIFIED_ANSWERS_PER_DAY[name], SECONDS_PER_DAY)
    if mail.alignment is Alignment.FAIL or hit(ctx, limit):
        return True
    message_id = mail.message_id or None
    with use_locale(_sender_language(parsed, mail)):
        host = Invitee(request_parser.default_name(mail.sender), mail.sender)
        if name != "new":
            _answer(ctx, parsed, MailSender(host.email, host.name, current_locale(), message_id))
            return True
        try:
            with ctx.session.begin_nested():
                request = request_parser.parse(parsed.text, host)
                request_parser.create_match(ctx, request, None, known=False, mail=message_id)
        except Refused:
            return False
    return True


def _sender_language(parsed: ParsedCommand, mail: ParsedMail) -> str:
    """Return the language of an unknown sender, by the command word that they used."""
    line = commands.fold(" ".join(mail.typed[:1]))
    languages = (language for language, words in parsed.command.words.items() if line.startswith(words))
    return next(languages, current_locale())
