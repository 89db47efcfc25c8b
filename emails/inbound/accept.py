"""Accepting mails: each is committed to the database before its sender hears that it was accepted.

Every transport ends here. Mails to seats that arrive at the same time are committed together.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy.exc import DataError, SQLAlchemyError

from emails.inbound import envelope
from emails.inbound.incoming_mail import Offered, of_machine, of_mailbox, of_seat
from emails.inbound.mailboxes import Incoming, Kept, is_ours, mailbox_of
from emails.inbound.smtp_replies import (
    FULL,
    LATER,
    LOOPING,
    NOT_OURS,
    OK,
    REPLAYED,
    TOO_LARGE,
    TOO_OFTEN,
    UNKNOWN,
    WELCOME,
)
from emails.parsing.limits import SIZE
from pbem.db import disk_space
from pbem.play.core.context import read_only, transaction
from pbem.play.core.rate_limits import first_time, spend, spend_each
from pbem.play.submissions import bulk_insert, reply_threads
from pbem.telemetry import logs, metrics, traces

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Engine

    from emails.inbound.envelope import Head
    from emails.inbound.mailboxes import Mailbox
    from emails.inbound.smtp_replies import Answer
    from pbem.config import Config
    from pbem.play.core.context import Context
    from pbem.play.core.rate_limits import Allowed

    Found = tuple[Mailbox, str]

log = logging.getLogger(__name__)

PROOF_SECONDS = 600
"""Seconds for which a used proof is refused, longer than a proof is valid."""


class _UndoneError(Exception):
    """Rolls back what was stored of a mail that is refused after all."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(str(answer))
        self.answer = answer


def welcome(engine: Engine, config: Config, recipient: str, peer: str | None = None) -> Answer:
    """Return the reply to RCPT for one address; every unknown address gets the same one.

    `peer` is the address of the sending machine: one that guesses addresses is soon told to wait.
    """
    return welcome_all(engine, config, [(recipient, peer)])[0]


def welcome_all(engine: Engine, config: Config, asked: Sequence[tuple[str, str | None]]) -> list[Answer]:
    """Return the replies to RCPT for several addresses that were asked for at the same time."""
    found = [mailbox_of(config, recipient) if is_ours(config, recipient) else None for recipient, _peer in asked]
    always = {box for box in found if box and box[0].known is None}
    answers = []
    try:
        there = always | _given_out(engine, config, {box for box in found if box} - always)
        for one, box in zip(asked, found, strict=True):
            answers.append(WELCOME if box in there else _unwelcome(engine, config, *one))
    except SQLAlchemyError:
        log.warning("could not look up a recipient", exc_info=True)
        for (recipient, _peer), box in zip(asked[len(answers) :], found[len(answers) :], strict=True):
            answers.append(WELCOME if box in always else LATER if is_ours(config, recipient) else NOT_OURS)
    answers = [FULL if answer is WELCOME and disk_space.is_full(config) else answer for answer in answers]
    for answer in answers:
        if answer.code != WELCOME.code:
            _note(answer)
    return answers


def _given_out(engine: Engine, config: Config, boxes: Collection[Found]) -> set[Found]:
    """Return which of some mailboxes exist, by their tokens."""
    there: set[Found] = set()
    if boxes:
        with read_only(engine, config) as ctx:
            for kind in {kind for kind, _token in boxes}:
                tokens = {token for other, token in boxes if other is kind}
                there |= {(kind, token) for token in (kind.known(ctx, tokens) if kind.known else ())}
    return there


def _unwelcome(engine: Engine, config: Config, recipient: str, peer: str | None) -> Answer:
    if not is_ours(config, recipient):
        return NOT_OURS
    with transaction(engine, config) as ctx:
        return TOO_OFTEN if spend(ctx, *of_machine(config, peer)) else UNKNOWN


def accept(
    engine: Engine,
    config: Config,
    raw: bytes,
    recipient: str,
    sender: str,
    *,
    peer: str | None = None,
    proof: str | None = None,
) -> Answer:
    """Accept a mail for one recipient; the same mail again is accepted and changes nothing."""
    return accept_all(engine, config, [Offered(raw, recipient, sender, peer, proof)])[0]


def accept_all(engine: Engine, config: Config, offered: Sequence[Offered]) -> list[Answer]:
    """Accept mails that arrive at the same time, and return a reply for each.

    Mails to seats are stored in one transaction, each other mail in its own. So is a mail with a proof: if it is not
    stored after all, its proof stays valid.
    """
    answers: dict[Offered, Answer] = {}
    together = []
    with traces.span("accept"):
        for mail in offered:
            found = mailbox_of(config, mail.recipient)
            refusal = _refusal(config, mail)
            if refusal or found is None:
                answers[mail] = refusal or UNKNOWN
            elif found[0].keep:
                answers[mail] = _accept(engine, config, mail, *found)
            elif mail.proof:
                answers |= _accept_together(engine, config, [mail])
            else:
                together.append(mail)
        answers |= _accept_together(engine, config, together)
    for mail in offered:
        with logs.about(request=mail.request):
            _note(answers[mail])
    return [answers[mail] for mail in offered]


def _note(answer: Answer) -> None:
    """Count and log the reply to a mail."""
    metrics.count(metrics.OFFERED, str(answer.code))
    if not answer.taken:
        log.info("a mail was refused: %s", answer.code)


def _accept(engine: Engine, config: Config, mail: Offered, kind: Mailbox, token: str) -> Answer:
    """Store a mail that is to no seat."""
    head = envelope.head_of(config, mail.raw, mail.writer)
    incoming = Incoming(mail.raw, mail.recipient, token, mail.writer, head.own)
    counted = of_mailbox(config, kind, token, head, mail.peer)
    try:
        with logs.about(request=mail.request), transaction(engine, config) as ctx:
            proven = _proven(ctx, mail)
            kept = kind.keep(ctx, incoming) if kind.keep else Kept.UNKNOWN
            if kept is Kept.NEW:
                # A copy does not count, however often it is sent.
                _count(ctx, counted, proven=proven)
            return UNKNOWN if kept is Kept.UNKNOWN else OK
    except _UndoneError as undone:
        return undone.answer
    except SQLAlchemyError as fault:
        log.warning("could not keep a mail", exc_info=True)
        return _not_now(fault)


def _count(ctx: Context, allowed: list[Allowed], *, proven: bool) -> None:
    """Count a new mail against its rate limits; rolls it back if its proof was used or a limit is reached."""
    if not proven:
        raise _UndoneError(REPLAYED)
    if spend(ctx, *allowed):
        raise _UndoneError(TOO_OFTEN)


def _accept_together(engine: Engine, config: Config, mails: Sequence[Offered]) -> dict[Offered, Answer]:
    """Store mails to seats in one transaction; if the database refuses one, each in its own."""
    if not mails:
        return {}
    try:
        with transaction(engine, config) as ctx:
            return dict(zip(mails, _keep_together(ctx, mails), strict=True))
    except _UndoneError as undone:
        return {mails[0]: undone.answer}
    except DataError:
        log.warning("could not keep a mail", exc_info=True)
        alone = (_accept_together(engine, config, [mail]) for mail in mails if len(mails) > 1)
        return dict(pair for answers in alone for pair in answers.items()) or dict.fromkeys(mails, LATER)
    except SQLAlchemyError as fault:
        log.warning("could not keep a mail", exc_info=True)
        return dict.fromkeys(mails, _not_now(fault))


def _keep_together(ctx: Context, mails: Sequence[Offered]) -> list[Answer]:
    """Store mails to seats and count the new ones; if a single mail is refused, all of it is rolled back."""
    heads = [envelope.head_of(ctx.config, mail.raw, mail.writer) for mail in mails]
    read = [_to_seat(ctx.config, mail, head) for mail, head in zip(mails, heads, strict=True)]
    proven = all(_proven(ctx, mail) for mail in mails)
    found = bulk_insert.keep(ctx, read)
    if not proven and any(kept and kept.new for kept in found):
        raise _UndoneError(REPLAYED)
    full = spend_each(
        ctx,
        [
            of_seat(ctx.config, one, kept, head, mail.peer) if kept and kept.new else ()
            for mail, one, kept, head in zip(mails, read, found, heads, strict=True)
        ],
    )
    if len(mails) == 1 and full[0]:
        raise _UndoneError(TOO_OFTEN)
    # A copy in the same batch is refused with the mail itself.
    undone = {one.once: until for one, until in zip(read, full, strict=True) if until}
    full = [undone.get(one.once) or until for one, until in zip(read, full, strict=True)]
    bulk_insert.undo(ctx, [kept for kept, until in zip(found, full, strict=True) if kept and until])
    for mail, kept, until in zip(mails, found, full, strict=True):
        if kept and not until:
            with logs.about(request=mail.request):
                bulk_insert.tell(ctx, kept)
    return [UNKNOWN if kept is None else TOO_OFTEN if until else OK for kept, until in zip(found, full, strict=True)]


def _to_seat(config: Config, mail: Offered, head: Head) -> bulk_insert.Mail:
    """Build the row to insert for a mail to a seat."""
    found = mailbox_of(config, mail.recipient)
    incoming = Incoming(mail.raw, mail.recipient, found[1] if found else "", mail.writer)
    # Our own mail that came back is never judged, so its Message-ID must not mark others as copies.
    named = "" if head.own else head.message_id
    return bulk_insert.Mail(incoming.token, incoming.stored, incoming.fingerprint, head.author, named, ignored=head.own)


def _proven(ctx: Context, mail: Offered) -> bool:
    return mail.proof is None or first_time(ctx, "proof", mail.proof, PROOF_SECONDS)


def _not_now(fault: SQLAlchemyError) -> Answer:
    return FULL if disk_space.is_refusal(fault) else LATER


def _refusal(config: Config, mail: Offered) -> Answer | None:
    """Return why a mail is refused regardless of what the database holds, or None."""
    checks = (
        (len(mail.raw) > SIZE, TOO_LARGE),
        (not is_ours(config, mail.recipient), NOT_OURS),
        (envelope.is_looping(mail.raw), LOOPING),
        (disk_space.is_full(config), FULL),
    )
    return next((answer for wrong, answer in checks if wrong), None)


def accept_delivered(engine: Engine, config: Config, raw: bytes) -> Answer:
    """Accept a mail without an envelope: its headers name the recipients, or the mail that it answers."""
    if len(raw) > SIZE:
        return TOO_LARGE
    message = envelope.headers_of(raw)
    found = envelope.recipients(config, message)
    try:
        with transaction(engine, config) as ctx:
            if not any(token for _, token in filter(None, (mailbox_of(config, each) for each in found))):
                token = reply_threads.reply_token(ctx, envelope.answered(config, message))
                found = [f"play+{token}@{config.mail_domain}"] if token else found
    except SQLAlchemyError:
        log.warning("could not look up what a mail answers", exc_info=True)
        return LATER
    sender = envelope.envelope_sender(message)
    return one_of([accept(engine, config, raw, each, sender) for each in found])


def one_of(answers: list[Answer]) -> Answer:
    """Return one reply for all recipients: temporary if any must wait, since copies are recognised when resent."""
    waiting = next((answer for answer in answers if answer.later), None)
    taken = next((answer for answer in answers if answer.taken), None)
    return waiting or taken or next(iter(answers), UNKNOWN)
