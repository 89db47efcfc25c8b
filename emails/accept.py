"""Taking a mail: committed to the database before its sender hears that it was taken.

Every way in ends here.
"""

from __future__ import annotations

import logging
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from emails import arrived
from emails.answers import FULL, LATER, LOOPING, NOT_OURS, OK, REPLAYED, TOO_LARGE, TOO_OFTEN, UNKNOWN, WELCOME
from emails.headers import sender as author_of
from emails.limits import SIZE
from emails.mailboxes import Incoming, Kept, is_ours, mailbox_of
from pbem.db import room
from pbem.play import links, senders, threads
from pbem.play.allowances import HOUR, Allowed, first_time, spend
from pbem.play.table import glance, open_table
from pbem.telemetry import figures, logs, traces

if TYPE_CHECKING:
    from email.message import Message

    from sqlalchemy import Engine

    from emails.answers import Answer
    from emails.mailboxes import Mailbox
    from pbem.config import Config
    from pbem.play.table import Table

log = logging.getLogger(__name__)

MINUTE = 60
PROOF_SECONDS = 600
"""A request that proves itself once does so once in this time, longer than its proof is good for."""
_IPV6_SITE = 64


class _UndoneError(Exception):
    """Undoes what was written of a mail that is not taken after all."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(str(answer))
        self.answer = answer


def welcome(engine: Engine, config: Config, recipient: str, peer: str | None = None) -> Answer:
    """Tell whether mail for an address would be taken; the same words for every address that is unknown.

    `peer` is the address of the machine that asks: one that only guesses is soon told to wait.
    """
    answer = _welcome(engine, config, recipient, peer)
    if answer.code != WELCOME.code:
        _note(answer)
    return answer


def _welcome(engine: Engine, config: Config, recipient: str, peer: str | None) -> Answer:
    if not is_ours(config, recipient):
        return NOT_OURS
    found = mailbox_of(config, recipient)
    if found and found[0].known is None:
        return FULL if room.is_full(config) else WELCOME
    try:
        with glance(engine, config) as table:
            if found and found[0].known and found[0].known(table, found[1]):
                return FULL if room.is_full(config) else WELCOME
        with open_table(engine, config) as table:
            return TOO_OFTEN if spend(table, *_machine(config, peer)) else UNKNOWN
    except SQLAlchemyError:
        log.warning("could not look up a recipient", exc_info=True)
        return LATER


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
    """Keep a mail for one recipient; the same mail again is taken and changes nothing.

    `recipient` and `sender` are those of the envelope; an empty sender marks mail that no person sent.
    `peer` is the address of the machine that sends, where its mail is counted; `proof` what shows who
    hands the mail on, where it may do so for one mail alone.
    """
    with logs.about(request=logs.topics().get("request", logs.fresh())), traces.span("accept"):
        answer = _accept(engine, config, raw, recipient, sender, peer, proof)
        _note(answer)
    return answer


def _note(answer: Answer) -> None:
    """Tell those who watch what a mail's sender is told."""
    figures.count(figures.OFFERED, str(answer.code))
    if not answer.taken:
        log.info("a mail was refused: %s", answer.code)


def _accept(
    engine: Engine, config: Config, raw: bytes, recipient: str, sender: str, peer: str | None, proof: str | None
) -> Answer:
    found = mailbox_of(config, recipient)
    refusal = _refusal(config, raw, recipient)
    if refusal or found is None:
        return refusal or UNKNOWN
    kind, token = found
    sender = "".join(character if character.isprintable() else "?" for character in sender)
    message = arrived.headers_of(raw)
    incoming = Incoming(raw, recipient, token, sender, arrived.is_own(config, message, sender))
    try:
        with open_table(engine, config) as table:
            proven = proof is None or first_time(table, "proof", proof, PROOF_SECONDS)
            kept = kind.keep(table, incoming)
            if kept is Kept.NEW:
                # What is kept already counts for nothing, however often it is sent.
                _count(table, [*_allowed(table, kind, token, message), *_machine(config, peer)], proven=proven)
            return UNKNOWN if kept is Kept.UNKNOWN else OK
    except _UndoneError as undone:
        return undone.answer
    except SQLAlchemyError as fault:
        log.warning("could not keep a mail", exc_info=True)
        return FULL if room.is_refusal(fault) else LATER


def _refusal(config: Config, raw: bytes, recipient: str) -> Answer | None:
    """Say why a mail is not taken, whatever the database holds."""
    checks = (
        (len(raw) > SIZE, TOO_LARGE),
        (not is_ours(config, recipient), NOT_OURS),
        (arrived.is_looping(raw), LOOPING),
        (room.is_full(config), FULL),
    )
    return next((answer for wrong, answer in checks if wrong), None)


def _count(table: Table, allowed: list[Allowed], *, proven: bool) -> None:
    """Count a mail that is kept; undoes that where it is not proven, or too much has come."""
    if not proven:
        raise _UndoneError(REPLAYED)
    if spend(table, *allowed):
        raise _UndoneError(TOO_OFTEN)


def accept_delivered(engine: Engine, config: Config, raw: bytes) -> Answer:
    """Keep a mail that comes without an envelope: its headers tell for whom it is, and whose answer it is."""
    if len(raw) > SIZE:
        return TOO_LARGE
    message = arrived.headers_of(raw)
    found = arrived.recipients(config, message)
    try:
        with open_table(engine, config) as table:
            if not any(token for _, token in filter(None, (mailbox_of(config, each) for each in found))):
                token = threads.reply_token(table, arrived.answered(config, message))
                found = [f"play+{token}@{config.mail_domain}"] if token else found
    except SQLAlchemyError:
        log.warning("could not look up what a mail answers", exc_info=True)
        return LATER
    sender = arrived.envelope_sender(message)
    return one_of([accept(engine, config, raw, each, sender) for each in found])


def one_of(answers: list[Answer]) -> Answer:
    """Give the one answer for all recipients: later if any must wait, since what is kept is known when sent again."""
    waiting = next((answer for answer in answers if answer.later), None)
    taken = next((answer for answer in answers if answer.taken), None)
    return waiting or taken or next(iter(answers), UNKNOWN)


def _allowed(table: Table, kind: Mailbox, token: str, message: Message) -> list[Allowed]:
    """List what a new mail is counted under.

    Anybody may write in anybody's name, to the service's own mailboxes and to seats that they hold themselves, so
    such mails are counted apart: nobody can use up what a player's own moves need.
    """
    most = table.config.limits
    if most is None:
        return []
    allowed = []
    if kind.has_tokens:
        allowed.append(Allowed(kind.name, links.tidy(token) or token, most["token"], HOUR))
    if kind.by_hand:
        author = author_of(message)
        domain = author.rpartition("@")[2]
        seat = links.find(table, token, links.REPLY) if kind.has_tokens else None
        if seat and not senders.owns(table, seat.holder, author):
            return [*allowed, Allowed("other names to", seat.holder.email, most["from"], HOUR)]
        allowed.append(Allowed(f"from to {kind.has_tokens}", author, most["from"], HOUR))
        allowed.append(Allowed(f"domain to {kind.has_tokens}", domain, most["domain"], HOUR))
    return allowed


def _machine(config: Config, peer: str | None) -> list[Allowed]:
    """List what a machine's mail is counted under; one with IPv6 has a whole network of addresses."""
    if config.limits is None or not peer or config.trusts(peer):
        return []
    where = ip_address(peer.partition("%")[0])
    site = str(ip_network((where, _IPV6_SITE), strict=False)) if where.version == 6 else str(where)  # noqa: PLR2004
    return [Allowed("address", site, config.limits["address"], MINUTE)]
