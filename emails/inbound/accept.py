"""Accepting mails: each is committed to the database before its sender hears that it was accepted.

Every transport ends here. Mails to seats that arrive at the same time are committed together.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy.exc import DataError, SQLAlchemyError

from emails.inbound import envelope
from emails.inbound.incoming_mail import IncomingMail, mailbox_limits, peer_limits, seat_limits
from emails.inbound.mailboxes import ReceivedMail, StoreResult, find_mailbox, is_local_address
from emails.inbound.smtp_replies import (
    DISK_FULL,
    MAIL_LOOP,
    OK,
    PROOF_REUSED,
    RATE_LIMITED,
    RECIPIENT_OK,
    RELAY_DENIED,
    TOO_LARGE,
    TRY_LATER,
    UNKNOWN_MAILBOX,
)
from emails.parsing import mail_loops
from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.db import disk_check
from pbem.db.session import driver_connection, driver_transaction
from pbem.play.core.context import transaction, without_session
from pbem.play.core.rate_limits import hit, hit_each, register_once
from pbem.play.submissions import bulk_insert, reply_threads
from pbem.telemetry import logs, metrics, traces

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Engine

    from emails.inbound.envelope import HeaderSummary
    from emails.inbound.mailboxes import Mailbox
    from emails.inbound.smtp_replies import SmtpReply
    from pbem.config import Config
    from pbem.db.session import DriverConnection
    from pbem.play.core.context import Context
    from pbem.play.core.rate_limits import Limit
    from pbem.play.submissions.bulk_insert import StoredMail

    MailboxAndToken = tuple[Mailbox, str]

log = logging.getLogger(__name__)

PROOF_LIFETIME_SECONDS = 600
"""Seconds for which a used proof is refused, longer than a proof is valid."""


class _RollbackError(Exception):
    """Rolls back what was stored of a mail that is refused after all."""

    def __init__(self, answer: SmtpReply) -> None:
        super().__init__(str(answer))
        self.answer = answer


def check_recipients(engine: Engine, config: Config, requests: Sequence[tuple[str, str | None]]) -> list[SmtpReply]:
    """Return the replies to simultaneous RCPT commands; every unknown address gets the same one.

    A request is an address and that of the sending machine: one that guesses addresses soon reaches a rate limit.
    """
    found = [find_mailbox(config, to) if is_local_address(config, to) else None for to, _peer in requests]
    always = {box for box in found if box and box[0].issued_tokens is None}
    answers = []
    try:
        existing = always | _existing_mailboxes(engine, config, {box for box in found if box} - always)
        for one, box in zip(requests, found, strict=True):
            answers.append(RECIPIENT_OK if box in existing else _reject_recipient(engine, config, *one))
    except SQLAlchemyError:
        log.warning("could not look up a recipient", exc_info=True)
        for (recipient, _peer), box in zip(requests[len(answers) :], found[len(answers) :], strict=True):
            answers.append(
                RECIPIENT_OK if box in always else TRY_LATER if is_local_address(config, recipient) else RELAY_DENIED
            )
    answers = [DISK_FULL if answer is RECIPIENT_OK and disk_check.is_full(config) else answer for answer in answers]
    for answer in answers:
        if answer.code != RECIPIENT_OK.code:
            _log_reply(answer)
    return answers


def _existing_mailboxes(engine: Engine, config: Config, boxes: Collection[MailboxAndToken]) -> set[MailboxAndToken]:
    """Return which of some mailboxes exist, by their tokens."""
    existing: set[MailboxAndToken] = set()
    for kind in {kind for kind, _token in boxes}:
        tokens = {token for other, token in boxes if other is kind}
        issued = kind.issued_tokens(engine, config, tokens) if kind.issued_tokens else ()
        existing |= {(kind, token) for token in issued}
    return existing


def _reject_recipient(engine: Engine, config: Config, recipient: str, peer: str | None) -> SmtpReply:
    if not is_local_address(config, recipient):
        return RELAY_DENIED
    with transaction(engine, config) as ctx:
        return RATE_LIMITED if hit(ctx, *peer_limits(config, peer)) else UNKNOWN_MAILBOX


def accept(
    engine: Engine,
    config: Config,
    raw: bytes,
    recipient: str,
    sender: str,
    *,
    peer: str | None = None,
    proof: str | None = None,
) -> SmtpReply:
    """Accept a mail for one recipient; the same mail again is accepted and changes nothing."""
    return accept_all(engine, config, [IncomingMail(raw, recipient, sender, peer, proof)])[0]


def accept_all(engine: Engine, config: Config, mails: Sequence[IncomingMail]) -> list[SmtpReply]:
    """Accept mails that arrive at the same time, and return a reply for each.

    Mails to seats are stored in one transaction, each other mail in its own. So is a mail with a proof: if it is not
    stored after all, its proof stays valid.
    """
    answers: dict[IncomingMail, SmtpReply] = {}
    together = []
    with traces.span("accept"):
        for mail in mails:
            found = find_mailbox(config, mail.recipient)
            refusal = _immediate_refusal(config, mail)
            if refusal or found is None:
                answers[mail] = refusal or UNKNOWN_MAILBOX
            elif found[0].store:
                answers[mail] = _accept_other(engine, config, mail, *found)
            elif mail.proof:
                answers |= _accept_to_seats(engine, config, [mail])
            else:
                together.append(mail)
        answers |= _accept_to_seats(engine, config, together)
    for mail in mails:
        with logs.bound_fields(request=mail.request):
            _log_reply(answers[mail])
    return [answers[mail] for mail in mails]


def _log_reply(answer: SmtpReply) -> None:
    """Count and log the reply to a mail."""
    metrics.count(metrics.MAILS_OFFERED, str(answer.code))
    if not answer.is_accepted:
        log.info("a mail was refused: %s", answer.code)


def _accept_other(engine: Engine, config: Config, mail: IncomingMail, kind: Mailbox, token: str) -> SmtpReply:
    """Store a mail that is to no seat."""
    head = envelope.summarize_headers(config, mail.raw, mail.writer)
    incoming = ReceivedMail(mail.raw, mail.recipient, token, mail.writer, head.own)
    counted = mailbox_limits(config, kind, token, head, mail.peer)
    try:
        with logs.bound_fields(request=mail.request), transaction(engine, config) as ctx:
            proven = _use_proof(ctx, mail)
            kept = kind.store(ctx, incoming) if kind.store else StoreResult.UNKNOWN
            if kept is StoreResult.NEW:
                # A copy does not count, however often it is sent.
                _enforce_limits(ctx, counted, proven=proven)
            return UNKNOWN_MAILBOX if kept is StoreResult.UNKNOWN else OK
    except _RollbackError as undone:
        return undone.answer
    except SQLAlchemyError as fault:
        log.warning("could not store a mail", exc_info=True)
        return _database_error(config, fault)


def _enforce_limits(ctx: Context, allowed: list[Limit], *, proven: bool) -> None:
    """Count a new mail against its rate limits; rolls it back if its proof was used or a limit is reached."""
    if not proven:
        raise _RollbackError(PROOF_REUSED)
    if hit(ctx, *allowed):
        raise _RollbackError(RATE_LIMITED)


def _accept_to_seats(engine: Engine, config: Config, mails: Sequence[IncomingMail]) -> dict[IncomingMail, SmtpReply]:
    """Store mails to seats in one transaction; if the database refuses one, each in its own."""
    if not mails:
        return {}
    try:
        if mails[0].proof:
            with transaction(engine, config) as ctx, driver_connection(ctx.session) as connection:
                stored = _store_to_seats(engine, connection, ctx, mails)
        else:
            with driver_transaction(engine) as connection:
                stored = _store_to_seats(engine, connection, without_session(config), mails)
    except _RollbackError as undone:
        return {mails[0]: undone.answer}
    except DataError:
        log.warning("could not store a mail", exc_info=True)
        alone = (_accept_to_seats(engine, config, [mail]) for mail in mails if len(mails) > 1)
        return dict(pair for answers in alone for pair in answers.items()) or dict.fromkeys(mails, TRY_LATER)
    except SQLAlchemyError as fault:
        log.warning("could not store a mail", exc_info=True)
        return dict.fromkeys(mails, _database_error(config, fault))
    for mail, (answer, kept) in zip(mails, stored, strict=True):
        if kept and answer is OK:
            with logs.bound_fields(request=mail.request):
                bulk_insert.enqueue_judging(kept)
    return {mail: answer for mail, (answer, _kept) in zip(mails, stored, strict=True)}


def _store_to_seats(
    engine: Engine, connection: DriverConnection, ctx: Context, mails: Sequence[IncomingMail]
) -> list[tuple[SmtpReply, StoredMail | None]]:
    """Store mails to seats and count the new ones; if a single mail is refused, all of it is rolled back."""
    heads = [envelope.summarize_headers(ctx.config, mail.raw, mail.writer) for mail in mails]
    read = [_seat_mail(ctx.config, mail, head) for mail, head in zip(mails, heads, strict=True)]
    proven = all(_use_proof(ctx, mail) for mail in mails)
    found = bulk_insert.store(connection, ctx, read)
    if not proven and any(kept and kept.new for kept in found):
        raise _RollbackError(PROOF_REUSED)
    full = hit_each(
        engine,
        ctx,
        [
            seat_limits(ctx.config, one, kept, head, mail.peer) if kept and kept.new else ()
            for mail, one, kept, head in zip(mails, read, found, heads, strict=True)
        ],
    )
    if len(mails) == 1 and full[0]:
        raise _RollbackError(RATE_LIMITED)
    # A copy in the same batch is refused with the mail itself.
    undone = {one.idempotency_key: until for one, until in zip(read, full, strict=True) if until}
    full = [undone.get(one.idempotency_key) or until for one, until in zip(read, full, strict=True)]
    bulk_insert.discard(connection, [kept for kept, until in zip(found, full, strict=True) if kept and until])
    return [
        (UNKNOWN_MAILBOX if kept is None else RATE_LIMITED if until else OK, kept)
        for kept, until in zip(found, full, strict=True)
    ]


def _seat_mail(config: Config, mail: IncomingMail, head: HeaderSummary) -> bulk_insert.SeatMail:
    """Build the row to insert for a mail to a seat."""
    found = find_mailbox(config, mail.recipient)
    incoming = ReceivedMail(mail.raw, mail.recipient, found[1] if found else "", mail.writer)
    # Our own mail that came back is never judged, so its Message-ID must not mark others as copies.
    named = "" if head.own else head.message_id
    return bulk_insert.SeatMail(
        incoming.token, incoming.stored, incoming.fingerprint, head.author, named, ignored=head.own
    )


def _use_proof(ctx: Context, mail: IncomingMail) -> bool:
    return mail.proof is None or register_once(ctx, "proof", mail.proof, PROOF_LIFETIME_SECONDS)


def _database_error(config: Config, fault: SQLAlchemyError) -> SmtpReply:
    if not disk_check.is_disk_full_error(fault):
        return TRY_LATER
    disk_check.note_full_database(config)
    return DISK_FULL


def _immediate_refusal(config: Config, mail: IncomingMail) -> SmtpReply | None:
    """Return why a mail is refused regardless of what the database holds, or None."""
    checks = (
        (len(mail.raw) > MAX_MAIL_BYTES, TOO_LARGE),
        (not is_local_address(config, mail.recipient), RELAY_DENIED),
        (mail_loops.is_looping(mail.raw), MAIL_LOOP),
        (disk_check.is_full(config), DISK_FULL),
    )
    return next((answer for wrong, answer in checks if wrong), None)


def accept_delivered(engine: Engine, config: Config, raw: bytes) -> SmtpReply:
    """Accept a mail without an envelope: its headers name the recipients, or the mail that it answers."""
    if len(raw) > MAX_MAIL_BYTES:
        return TOO_LARGE
    message = envelope.parse_headers(raw)
    found = envelope.recipients(config, message)
    try:
        with transaction(engine, config) as ctx:
            if not any(token for _, token in filter(None, (find_mailbox(config, each) for each in found))):
                token = reply_threads.find_reply_token(ctx, envelope.answered_message_ids(config, message))
                found = [f"play+{token}@{config.mail_domain}"] if token else found
    except SQLAlchemyError:
        log.warning("could not look up what a mail answers", exc_info=True)
        return TRY_LATER
    sender = envelope.envelope_sender(message)
    return combined_reply([accept(engine, config, raw, each, sender) for each in found])


def combined_reply(answers: list[SmtpReply]) -> SmtpReply:
    """Return one reply for all recipients: temporary if any must wait, since copies are recognised when resent."""
    waiting = next((answer for answer in answers if answer.is_temporary), None)
    taken = next((answer for answer in answers if answer.is_accepted), None)
    return waiting or taken or next(iter(answers), UNKNOWN_MAILBOX)
